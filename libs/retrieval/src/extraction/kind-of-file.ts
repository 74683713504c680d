import { open } from 'node:fs/promises';
import { isTextBytes } from '@atrium/platform/tabular';
import type { ExtractionTask } from './extracted-text';
import { extensionOf, unreadableKind, saveAs, type FileKind } from './file-kind';
import { reasonOfMarkup } from './kind-of-markup';
import { kindOfCompound, kindOfPackage } from './kind-of-container';

const HEAD_BYTES = 4_096;
const COMPOUND_FILE = Buffer.from('d0cf11e0a1b11ae1', 'hex');

const WORD_PERFECT = Buffer.from('ff575043', 'hex');
const CODE: Readonly<Record<string, string>> = {
  'application/json': 'json',
  'application/xml': 'xml',
  'application/yaml': 'yaml',
  'image/svg+xml': 'xml',
  'text/css': 'css',
  'text/javascript': 'javascript',
  'text/x-shellscript': 'sh',
  'application/x-bat': 'bat',
  'text/calendar': 'ics',
  'text/vcard': 'vcard',
};
const CODE_BY_NAME: Readonly<Record<string, string>> = Object.fromEntries(
  'c cpp cs css go h hpp ini java js json jsonl kt lua mjs php pl ps1 py r rb rs scala sh sql swift toml ts tsx vue xml yaml yml'
    .split(' ')
    .map((name) => [name, name]),
);

/** A field of the head of a mail. */
const MAIL = /^(?:\xef\xbb\xbf)?(?:From |[\w-]{1,60}:)/;

export async function kindOfFile({ path, type, name, limits }: ExtractionTask): Promise<FileKind> {
  const { head, size } = await beginning(path);
  if (size > limits.maxFileBytes) {
    return unreadableKind(
      'unsupported',
      `The text of files of more than ${Math.floor(limits.maxFileBytes / 1024 / 1024)} MB cannot be read.`,
    );
  }
  if (size === 0) return unreadableKind('empty', 'The file is empty.');
  if (head.subarray(0, 8).equals(COMPOUND_FILE)) return kindOfCompound(path, name);
  if (/^PK(?:\x03\x04|\x05\x06)/.test(head.toString('latin1', 0, 4))) return kindOfPackage(path, name);
  if (type !== 'text/html' && type !== 'message/rfc822' && isPdf(head, type)) {
    const isCertain = type === 'application/pdf' || head.indexOf('%PDF') === 0 || !isTextBytes(head);
    return isCertain ? { engine: 'pdf' } : { engine: 'pdf', otherwise: kindOfText(head, type, name) };
  }
  if (head.toString('latin1', 0, 5) === '{\\rtf') return { engine: 'rtf' };
  if (head.subarray(0, 4).equals(WORD_PERFECT)) return unreadableKind('unsupported', saveAs('WordPerfect documents', '.docx or PDF'));
  return kindOfText(head, type, name);
}

function kindOfText(head: Buffer, type: string, name: string): FileKind {
  const extension = extensionOf(name);
  if (/^mht(?:ml)?$/.test(extension) || type === 'multipart/related')
    return unreadableKind(
      'unsupported',
      'Web pages saved with their pictures (.mhtml) cannot be read. Save the page as .html or PDF and upload it again.',
    );
  if (type === 'message/rfc822' || (extension === 'eml' && MAIL.test(head.toString('latin1')))) return { engine: 'eml' };
  if (type === 'text/html') return { engine: 'html' };
  const markup = reasonOfMarkup(head);
  if (markup !== undefined) return unreadableKind('unsupported', markup);
  if (!isText(head, type)) {
    if (type.startsWith('image/') && type !== 'image/svg+xml')
      return unreadableKind('empty', 'The file is a picture. Text in pictures cannot be read yet.');
    if (/^(?:audio|video)\//.test(type)) return unreadableKind('unsupported', 'Audio and video files contain no text that can be read.');
    if (type === 'application/pdf' || /officedocument/.test(type))
      return unreadableKind('failed', 'The file is damaged and cannot be read. Save it again and upload the new copy.');
    return unreadableKind('unsupported', 'Files of this kind contain no text that can be read.');
  }
  if (/^\s*(?:<!doctype html|<html[\s>])/i.test(head.toString('latin1').replace(/^\xef\xbb\xbf/, ''))) return { engine: 'html' };
  if (type === 'text/csv' || extension === 'csv') return { engine: 'csv' };
  if (type === 'text/tab-separated-values' || extension === 'tsv') return { engine: 'tsv' };
  if (type === 'text/markdown' || extension === 'md' || extension === 'markdown') return { engine: 'text', text: { kind: 'markdown' } };
  if (extension === 'srt' || extension === 'vtt' || type === 'application/x-subrip' || type === 'text/vtt')
    return { engine: 'text', text: { kind: 'captions' } };
  const language = CODE_BY_NAME[extension] ?? CODE[type];
  return { engine: 'text', text: language === undefined ? { kind: 'plain' } : { kind: 'code', language } };
}

/** Readers look for the mark in the first kilobyte; a text that quotes it has no objects. */
function isPdf(head: Buffer, type: string): boolean {
  const text = head.toString('latin1');
  const mark = text.slice(0, 1024).search(/%PDF-[12]\.\d/);
  return mark >= 0 && (type === 'application/pdf' || !isTextBytes(head) || /[\r\n][^\S\r\n]*\d+\s+\d+\s+obj\b/.test(text.slice(mark)));
}

/** What was taken for a text may hold a few zeros, which are left out. */
const isText = (head: Buffer, type: string): boolean =>
  isTextBytes(head) || (type.startsWith('text/') && isTextBytes(head.filter((byte) => byte !== 0)));

async function beginning(path: string): Promise<{ head: Buffer; size: number }> {
  const file = await open(path, 'r');
  try {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    return { head: buffer.subarray(0, bytesRead), size: (await file.stat()).size };
  } finally {
    await file.close();
  }
}
