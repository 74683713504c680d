import { open } from 'node:fs/promises';
import { mainPart, Package } from '@atrium/platform/tabular';
import type { ExtractionTask } from './extracted-text';
import type { TextKind } from './text/plain-files';

/** What reads a file, by its bytes; its type and name decide only among kinds of text. */
export type FileKind =
  | { readonly engine: 'pdf' | 'docx' | 'pptx' | 'xlsx' | 'csv' | 'tsv' | 'html' }
  | { readonly engine: 'text'; readonly text: TextKind }
  | { readonly engine: 'none'; readonly status: 'unsupported' | 'failed' | 'empty'; readonly reason: string };

const HEAD_BYTES = 4_096;
/** Part of the bytes of a wide encoding that are zeros on one side, at least. */
const WIDE = 0.2;
const COMPOUND_FILE = Buffer.from('d0cf11e0a1b11ae1', 'hex');
/** Bytes of an old office file that its directory is searched in. */
const DIRECTORY_BYTES = 16 * 1024 * 1024;

const SAVE_AS = (kind: string, format: string): string => `${kind} are not read yet. Save the file as ${format} and upload that.`;
const OLD_KINDS: readonly (readonly [stream: string, reason: string])[] = [
  ['WordDocument', SAVE_AS('Word documents of before 2007', '.docx')],
  ['PowerPoint Document', SAVE_AS('PowerPoint presentations of before 2007', '.pptx')],
  ['Workbook', SAVE_AS('Excel spreadsheets of before 2007', '.xlsx')],
  ['Book', SAVE_AS('Excel spreadsheets of before 2007', '.xlsx')],
];
const LATER: readonly (readonly [type: RegExp, reason: string])[] = [
  [/opendocument\.text/, SAVE_AS('OpenDocument texts', '.docx or PDF')],
  [/opendocument\.spreadsheet/, SAVE_AS('OpenDocument spreadsheets', '.xlsx')],
  [/opendocument\.presentation/, SAVE_AS('OpenDocument presentations', '.pptx or PDF')],
  [/epub/, 'Books of the format EPUB are not read yet. Convert the file to PDF and upload that.'],
  [/rtf/, SAVE_AS('RTF files', '.docx')],
  [/message\/rfc822|ms-outlook/, 'Mails are not read yet. Save the mail as PDF or text and upload that.'],
];
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

const none = (status: 'unsupported' | 'failed' | 'empty', reason: string): FileKind => ({ engine: 'none', status, reason });

export async function kindOfFile({ path, type, name, limits }: ExtractionTask): Promise<FileKind> {
  const { head, size } = await beginning(path);
  if (size > limits.maxFileBytes) {
    return none('unsupported', `Files of more than ${Math.floor(limits.maxFileBytes / 1024 / 1024)} MB are not read for their text.`);
  }
  if (size === 0) return none('empty', 'The file is empty.');
  if (head.subarray(0, 8).equals(COMPOUND_FILE)) return kindOfCompound(path);
  if (/^PK(?:\x03\x04|\x05\x06)/.test(head.toString('latin1', 0, 4))) return kindOfPackage(path);
  if (/%PDF-[12]\.\d/.test(head.toString('latin1', 0, 1024)) && type !== 'text/html') return { engine: 'pdf' };
  if (head.toString('latin1', 0, 5) === '{\\rtf') return later('application/rtf');
  return kindOfText(head, type, name);
}

function kindOfText(head: Buffer, type: string, name: string): FileKind {
  const planned = LATER.find(([pattern]) => pattern.test(type));
  if (planned) return none('unsupported', planned[1]);
  const extension = /\.([^.]+)$/.exec(name.toLowerCase())?.[1] ?? '';
  if (type === 'text/html') return { engine: 'html' };
  if (!isText(head, type)) {
    if (type.startsWith('image/') && type !== 'image/svg+xml')
      return none('empty', 'The file is a picture. Text in pictures is not read yet.');
    if (/^(?:audio|video)\//.test(type)) return none('unsupported', 'Sound and film hold no text that could be read.');
    if (type === 'application/pdf' || /officedocument/.test(type))
      return none('failed', 'The file is damaged and cannot be read. Save it again and upload the new copy.');
    return none('unsupported', 'Files of this kind hold no text that could be read.');
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

/**
 * Bytes that a text may have; wide encodings are known by their mark, or by zeros in every other place. What was taken for a text
 * may hold a few zeros besides, which are left out.
 */
function isText(head: Buffer, type: string): boolean {
  const [first, second] = head;
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)) return true;
  const zeros = [0, 0];
  for (const [at, byte] of head.entries()) {
    if (byte === 0) zeros[at & 1] = (zeros[at & 1] ?? 0) + 1;
    else if (byte < 0x09 || (byte > 0x0d && byte < 0x20 && byte !== 0x1b)) return false;
  }
  const [even = 0, odd = 0] = zeros;
  if (even + odd === 0 || type.startsWith('text/')) return true;
  return Math.max(even, odd) > head.length * WIDE && Math.min(even, odd) < head.length * WIDE * WIDE;
}

async function kindOfPackage(path: string): Promise<FileKind> {
  const pack = await Package.open(path);
  try {
    const main = (await mainPart(pack)) ?? '';
    for (const [engine, folder] of [
      ['docx', 'word/'],
      ['pptx', 'ppt/'],
      ['xlsx', 'xl/'],
    ] as const) {
      if (main.startsWith(folder) || (main === '' && pack.names.some((name) => name.startsWith(`${folder}`) && name.endsWith('.xml'))))
        return { engine };
    }
    const mimetype = pack.has('mimetype') ? (await pack.bytes('mimetype', 1024)).toString('latin1') : '';
    if (/opendocument/.test(mimetype) && pack.has('META-INF/manifest.xml')) {
      const manifest = (await pack.bytes('META-INF/manifest.xml', 1024 * 1024)).toString('utf8');
      if (manifest.includes('encryption-data'))
        return none('failed', 'The document is protected by a password. Remove the password and upload it again.');
    }
    return later(mimetype);
  } finally {
    pack.close();
  }
}

const later = (type: string): FileKind =>
  none(
    'unsupported',
    LATER.find(([pattern]) => pattern.test(type))?.[1] ?? 'Archives hold files, not text. Unpack it and upload the files.',
  );

/** Office files of before 2007, and newer ones that are encrypted: both keep their parts in a file system of their own. */
async function kindOfCompound(path: string): Promise<FileKind> {
  const bytes = await firstBytes(path, DIRECTORY_BYTES);
  const holds = (stream: string): boolean => bytes.includes(Buffer.from(`${stream}\0`, 'utf16le'));
  if (holds('EncryptedPackage')) return none('failed', 'The file is protected by a password. Remove the password and upload it again.');
  if (holds('__properties_version1.0')) return later('application/vnd.ms-outlook');
  const reason = OLD_KINDS.find(([stream]) => holds(stream))?.[1];
  return none('unsupported', reason ?? SAVE_AS('Office files of before 2007', '.docx, .xlsx, .pptx or PDF'));
}

async function beginning(path: string): Promise<{ head: Buffer; size: number }> {
  const file = await open(path, 'r');
  try {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    return { head: buffer.subarray(0, bytesRead), size: (await file.stat()).size };
  } finally {
    await file.close();
  }
}

async function firstBytes(path: string, most: number): Promise<Buffer> {
  const file = await open(path, 'r');
  try {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(Math.min(most, (await file.stat()).size)), 0, undefined, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}
