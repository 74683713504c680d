import { randomBytes } from 'node:crypto';
import type { Readable } from 'node:stream';
import { framedBytes } from './sent-body';

/** The one file of a form. */
export interface FormFile {
  /** Name of its field. */
  readonly field: string;
  readonly name: string;
  readonly type: string;
  /** Exact number of bytes of the content. */
  readonly size: number;
  readonly content: Readable;
}

/** What a request takes to send the form. */
export interface SentForm {
  readonly headers: { readonly 'content-type': string };
  readonly body: Readable;
  readonly length: number;
}

/**
 * A form of `multipart/form-data` whose length is known before its file is read: the fields in the order given, then the file.
 * Addresses that take uploads for others expect the file last.
 */
export function multipartForm(fields: Readonly<Record<string, string>>, { field, name, type, size, content }: FormFile): SentForm {
  const boundary = `atrium-${randomBytes(16).toString('hex')}`;
  const parts = Object.entries(fields).map(([key, value]) => `${disposition(boundary, { name: key })}\r\n\r\n${value}\r\n`);
  const head = Buffer.from(
    `${parts.join('')}${disposition(boundary, { name: field, filename: name })}\r\nContent-Type: ${oneLine(type)}\r\n\r\n`,
  );
  const tail = Buffer.from(`\r\n--${boundary}--\r\n`);
  return {
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
    body: framedBytes(head, content, tail),
    length: head.length + size + tail.length,
  };
}

const disposition = (boundary: string, names: Readonly<Record<string, string>>): string => {
  const named = Object.entries(names).map(([key, value]) => `; ${key}="${quoted(value)}"`);
  return `--${boundary}\r\nContent-Disposition: form-data${named.join('')}`;
};

/** As browsers write names, so that none of them ends its header. */
const quoted = (name: string): string => name.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A');

const oneLine = (type: string): string => type.replace(/[\r\n]/g, '');
