import { isTextBytes } from '@atrium/platform/tabular';
import { extensionOf, PDF } from './file-kinds';
import { emptyType, isPage, textOf, textType, wideEncoding } from './text-types';

/** Bytes from the start of a file that its type is decided by. */
export const TYPE_HEAD_BYTES = 64 * 1024;

export interface TypeEvidence {
  /** The first bytes of the file, at most `TYPE_HEAD_BYTES` of them. */
  readonly head: Uint8Array;
  readonly name: string;
  readonly size: number;
}

const LOTUS = 'application/vnd.lotus-1-2-3';
const UNKNOWN = 'application/octet-stream';

/** Formats inside the old compound container, which differ only in their names. */
const COMPOUND: Readonly<Record<string, string>> = {
  doc: 'application/msword',
  dot: 'application/msword',
  msg: 'application/vnd.ms-outlook',
  msi: 'application/x-msi',
  msp: 'application/x-msi',
  pot: 'application/vnd.ms-powerpoint',
  pps: 'application/vnd.ms-powerpoint',
  ppt: 'application/vnd.ms-powerpoint',
  vsd: 'application/vnd.visio',
  xls: 'application/vnd.ms-excel',
  xlt: 'application/vnd.ms-excel',
};

/** Formats inside a ZIP whose marking entries may be beyond the head. */
const ZIPPED: Readonly<Record<string, string>> = {
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  pptx: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  apk: 'application/vnd.android.package-archive',
  jar: 'application/java-archive',
};

/** The name in an entry's header, which begins 30 bytes before it. */
const OFFICE_PART = /PK\x03\x04[^]{26}(word|ppt|xl)\/(?:(?:_rels|theme|slides|slideMasters|worksheets)\/|[A-Za-z]+\d*\.xml)/;
const OFFICE_FOLDERS: Readonly<Record<string, string | undefined>> = { word: ZIPPED['docx'], ppt: ZIPPED['pptx'], xl: ZIPPED['xlsx'] };

/**
 * The MIME type of a file by what its bytes are. Leading bytes decide, so a file that is two formats at once is the one
 * it begins as; the name only chooses among formats whose bytes are alike (kinds of text, compound and zipped documents).
 * A page or script under a picture's name is `text/html` or plain text, never a picture.
 */
export async function typeByBytes({ head, name, size }: TypeEvidence): Promise<string> {
  if (size === 0 || head.length === 0) return emptyType(name);
  const whole = head.length >= size;
  const text = textOf(head, whole);
  if (isPage(head, text)) return 'text/html';
  if (text !== undefined && wideEncoding(head)) return textType(text, name, whole);
  const known = lotusSheet(head) ?? (await knownFormat(head, name));
  if (known === 'application/zip' && !whole) return officeZip(head) ?? ZIPPED[extensionOf(name)] ?? known;
  if (known === 'application/x-cfb') return COMPOUND[extensionOf(name)] ?? known;
  if (known === undefined && holdsDocument(head)) return PDF;
  if (text !== undefined && (known === undefined || known === 'application/xml')) return textType(text, name, whole);
  return known ?? UNKNOWN;
}

async function knownFormat(head: Uint8Array, name: string): Promise<string | undefined> {
  const { fileTypeFromBuffer } = await import('file-type');
  if (startsAsAsf(head)) return asfType(head, name);
  const found = await fileTypeFromBuffer(head);
  if (!found) return unfinishedFormat(head);
  if (/^(?:image\/heif|video\/mp4)/.test(found.mime) && holdsAv1Pictures(head)) return 'image/avif';
  const mime = found.mime.split(';')[0]?.trim() ?? found.mime;
  const type = RENAMED[mime] ?? mime;
  return isBelievable(type, head) && !(type === PDF && quotesPdf(head, name)) ? type : undefined;
}

/** Formats that are something else than their registered family says: Motion JPEG 2000 is a film. */
const RENAMED: Readonly<Record<string, string>> = { 'image/mj2': 'video/mj2' };

/** The streams of a Windows Media file are in any order: with one of pictures it is a film. */
const ASF_HEADER = Buffer.from('3026b2758e66cf11a6d900aa0062ce6c', 'hex');
const ASF_PICTURES = Buffer.from('c0ef19bc4d5bcf11a8fd00805f5c442b', 'hex');
const ASF_SOUND = Buffer.from('409e69f84d5bcf11a8fd00805f5c442b', 'hex');

const startsAsAsf = (head: Uint8Array): boolean => Buffer.from(head.subarray(0, 16)).equals(ASF_HEADER);

function asfType(head: Uint8Array, name: string): string {
  const view = Buffer.from(head.buffer, head.byteOffset, head.byteLength);
  const sound = view.includes(ASF_PICTURES) ? false : view.includes(ASF_SOUND) || extensionOf(name) === 'wma';
  return sound ? 'audio/x-ms-asf' : 'video/x-ms-asf';
}

/** Pictures of AV1, one or many, name their format among the brands of their file, in whatever place. */
function holdsAv1Pictures(head: Uint8Array): boolean {
  const view = Buffer.from(head.buffer, head.byteOffset, head.byteLength);
  const brands = view.toString('latin1', 8, Math.min(view.readUInt32BE(0), 256));
  return /^(?:....)*(?:avif|avis)/s.test(brands);
}

/** A text that begins with the mark of a document and has none of its parts. */
const quotesPdf = (head: Uint8Array, name: string): boolean =>
  extensionOf(name) !== 'pdf' &&
  !HEADER_OF_PDF.test(Buffer.from(head.subarray(0, 16)).toString('latin1')) &&
  isTextBytes(head) &&
  !holdsDocument(head);
/** The mark is a line of its own, and the first one. */
const HEADER_OF_PDF = /^%PDF-[12]\.\d[\r\n]/;

/** Readers look for the mark of a document in its first kilobyte: mail and printers put lines before it. */
const DOCUMENT_MARK_WITHIN = 1024;

function holdsDocument(head: Uint8Array): boolean {
  const text = Buffer.from(head.buffer, head.byteOffset, head.byteLength).toString('latin1');
  const mark = text.slice(0, DOCUMENT_MARK_WITHIN).search(/%PDF-[12]\.\d/);
  return mark >= 0 && /[\r\n][^\S\r\n]*\d+\s+\d+\s+obj\b/.test(text.slice(mark));
}

/** Sheets of Lotus 1-2-3 and Symphony open with a record whose content is the release that wrote them. */
function lotusSheet(head: Uint8Array): string | undefined {
  if (head.length < 8) return undefined;
  const view = Buffer.from(head.buffer, head.byteOffset, head.byteLength);
  const [record, length, release] = [view.readUInt16LE(0), view.readUInt16LE(2), view.readUInt16LE(4)];
  const isSheet =
    (record === 0 || record === 0xff) &&
    ((length === 2 && release >= 0x0404 && release <= 0x0406) || (length === 26 && release >= 0x1000 && release <= 0x1005));
  return isSheet ? LOTUS : undefined;
}

/** A list of icons or pointers: entries with a picture each behind the list. Four bytes are too little to tell one by. */
function listsIcons(view: Buffer): boolean {
  const count = view.length >= 22 ? view.readUInt16LE(4) : 0;
  return count > 0 && view.readUInt32LE(14) > 0 && view.readUInt32LE(18) >= 6 + 16 * count;
}

/** A ZIP whose head does not reach the entry that names its format still shows the parts it is made of. */
function officeZip(head: Uint8Array): string | undefined {
  const [, folder] = OFFICE_PART.exec(Buffer.from(head).toString('latin1')) ?? [];
  return folder === undefined ? undefined : OFFICE_FOLDERS[folder];
}

/** A few letters are too little to tell a format from a text that begins with them. */
function isBelievable(type: string, head: Uint8Array): boolean {
  const view = Buffer.from(head.buffer, head.byteOffset, head.byteLength);
  if (type === 'image/bmp') return view.length > 18 && [12, 40, 52, 56, 64, 108, 124].includes(view.readUInt32LE(14));
  if (type === 'application/x-msdownload') return view.length >= 64 && view.subarray(0, 64).includes(0);
  if (type === 'model/stl') return view.includes('facet');
  if (type === 'image/x-icon') return listsIcons(view);
  return true;
}

/** Formats whose characteristic parts may be beyond the head: a TIFF may keep its directory at its end. */
function unfinishedFormat(head: Uint8Array): string | undefined {
  const start = Buffer.from(head.subarray(0, 6)).toString('latin1');
  if (start.startsWith('II*\0') || start.startsWith('MM\0*')) return 'image/tiff';
  return undefined;
}
