import { encodingExists } from 'iconv-lite';
import { invalidField } from '@atrium/platform/kernel';

const HEAD_BYTES = 4_096;
const COMMENT = /<!--[^]*?(?:-->|$)/g;
const META = /<meta\s[^>]*?charset\s*=\s*(?:["']\s*)?([\w.:-]{2,40})/i;
const XML = /^\s*<\?xml\s[^>]*?encoding\s*=\s*["']([\w.:-]{2,40})["']/i;
const SHEET = /^@charset\s+"([\w.:-]{2,40})"/;
const HEADER = /;\s*charset\s*=\s*(?:["']\s*)?([\w.:-]{2,40})/i;
/** Names of single-byte and UTF-32 encodings beyond those of browsers: old systems write them. */
const OLDER = /^(?:cp|ibm|windows|win|iso|mac|koi8|utf-?32|ascii)[-\w]*$/;

/**
 * The encoding that a label means to browsers: `iso-8859-1` and `us-ascii` are windows-1252. Older encodings that browsers do not
 * have (`cp850`) mean themselves; other labels mean nothing.
 */
export function encodingOfLabel(label: string): string | undefined {
  const name = label.trim().toLowerCase();
  if (name === 'x-user-defined') return 'windows-1252';
  try {
    return new TextDecoder(name).encoding;
  } catch {
    return OLDER.test(name) && encodingExists(name) ? name : undefined;
  }
}

/** An encoding that a person named. */
export function knownEncoding(name: string): string {
  const known = encodingOfLabel(name);
  if (known === undefined) throw invalidField('encoding', `There is no encoding ${name}. Omit it for automatic detection.`);
  return known;
}

/** The label in the content type of an answer. */
export const labelOfType = (type: string): string | undefined => HEADER.exec(type)?.[1];

/** The label that markup or a style sheet carries at its beginning. What could be read byte by byte is not UTF-16, whatever it says. */
export function labelWithin(head: Uint8Array): string | undefined {
  const start = Buffer.from(head.buffer, head.byteOffset, Math.min(head.byteLength, HEAD_BYTES)).toString('latin1');
  const text = start.replace(/^\xef\xbb\xbf/, '').replace(COMMENT, '');
  const label = (XML.exec(text) ?? SHEET.exec(text) ?? META.exec(text))?.[1];
  return label !== undefined && /^utf-?16/i.test(label) ? 'utf-8' : label;
}
