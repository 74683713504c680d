import { open } from 'node:fs/promises';
import { mainPart, Package } from '@atrium/platform/tabular';
import { extensionOf, unreadableKind, saveAs, type Engine, type FileKind } from './file-kind';

/** Bytes of an old office file that its directory is searched in. */
const DIRECTORY_BYTES = 16 * 1024 * 1024;
const MANIFEST = 'META-INF/manifest.xml';
const MANIFEST_BYTES = 8 * 1024 * 1024;
const ROOT_TYPE = /application\/vnd\.(?:oasis\.opendocument|sun\.xml)\.[\w.-]{1,60}/;

/** Streams of compound files, by which they are known. */
const COMPOUND: readonly (readonly [stream: string, kind: Engine | { readonly reason: string }])[] = [
  ['__properties_version1.0', 'msg'],
  ['WordDocument', 'doc'],
  ['PowerPoint Document', 'ppt'],
  ['Workbook', 'xls'],
  ['Book', 'xls'],
  ['VisioDocument', { reason: saveAs('Visio drawings', 'PDF') }],
];
const OLD_NAMES: Readonly<Record<string, Engine>> = { doc: 'doc', dot: 'doc', xls: 'xls', xlt: 'xls', ppt: 'ppt', pps: 'ppt', pot: 'ppt' };
/** Packages by what their `mimetype` says. */
const PACKAGES: readonly (readonly [type: RegExp, kind: Engine | { readonly reason: string }])[] = [
  [/opendocument\.text/, 'odt'],
  [/opendocument\.spreadsheet/, 'ods'],
  [/opendocument\.(?:presentation|graphics)/, 'odp'],
  [/epub/, 'epub'],
  [/opendocument|sun\.xml/, { reason: saveAs('OpenDocument files of this kind', '.odt, .ods, .odp or PDF') }],
];
/** Parts of packages that nothing here reads, by which their kinds are known. */
const OTHER_PACKAGES: readonly (readonly [part: RegExp, reason: string])[] = [
  [/^xl\/workbook\.bin$/i, saveAs('Binary Excel spreadsheets (.xlsb)', '.xlsx')],
  [/^visio\//i, saveAs('Visio drawings', 'PDF')],
  [/^(?:index\/|index\.zip$|.*\.iwa$)/i, ''],
];
const OF_APPLE: Readonly<Record<string, string>> = {
  pages: 'Pages documents cannot be read. Export the file as Word (.docx) or PDF and upload it again.',
  numbers: 'Numbers spreadsheets cannot be read. Export the file as Excel (.xlsx) and upload it again.',
  key: 'Keynote presentations cannot be read. Export the file as PowerPoint (.pptx) or PDF and upload it again.',
};
const OF_APPLE_UNNAMED =
  'Pages, Numbers and Keynote files cannot be read. Export the file as .docx, .xlsx, .pptx or PDF and upload it again.';

export async function kindOfPackage(path: string, name: string): Promise<FileKind> {
  const pack = await Package.open(path);
  try {
    const other = otherPackage(pack, name);
    if (other !== undefined) return unreadableKind('unsupported', other);
    const main = (await mainPart(pack)) ?? '';
    for (const [engine, folder] of [
      ['docx', 'word/'],
      ['pptx', 'ppt/'],
      ['xlsx', 'xl/'],
    ] as const) {
      if (main.startsWith(folder) || (main === '' && pack.names.some((part) => part.startsWith(`${folder}`) && part.endsWith('.xml'))))
        return { engine };
    }
    return await kindByMimetype(pack);
  } finally {
    pack.close();
  }
}

function otherPackage(pack: Package, name: string): string | undefined {
  const reason = OTHER_PACKAGES.find(([part]) => pack.names.some((each) => part.test(each)))?.[1];
  return reason === ''
    ? (OF_APPLE[extensionOf(name)] ?? (pack.names.some((part) => part.endsWith('.iwa')) ? OF_APPLE_UNNAMED : undefined))
    : reason;
}

async function kindByMimetype(pack: Package): Promise<FileKind> {
  const declared = pack.has('mimetype') ? (await pack.bytes('mimetype', 1024)).toString('latin1') : '';
  const manifest = pack.has(MANIFEST) ? (await pack.bytes(MANIFEST, MANIFEST_BYTES)).toString('utf8') : '';
  if (manifest.includes('encryption-data'))
    return unreadableKind('failed', 'The document is protected by a password. Remove the password and upload it again.');
  const type = declared === '' ? (ROOT_TYPE.exec(manifest)?.[0] ?? '') : declared;
  const kind = PACKAGES.find(([pattern]) => pattern.test(type))?.[1] ?? (pack.has('META-INF/container.xml') ? 'epub' : undefined);
  return kind === undefined
    ? unreadableKind('unsupported', 'An archive contains files, not text. Unpack it and upload the files.')
    : kindOf(kind);
}

const kindOf = (kind: Engine | { readonly reason: string }): FileKind =>
  typeof kind === 'string' ? { engine: kind } : unreadableKind('unsupported', kind.reason);

/** Office files of before 2007, mails of Outlook, and newer files that are encrypted: all keep their parts in a file system of their own. */
export async function kindOfCompound(path: string, name: string): Promise<FileKind> {
  const bytes = await firstBytes(path, DIRECTORY_BYTES);
  const holds = (stream: string): boolean => bytes.includes(Buffer.from(`${stream}\0`, 'utf16le'));
  if (holds('EncryptedPackage'))
    return unreadableKind('failed', 'The file is protected by a password. Remove the password and upload it again.');
  const found = COMPOUND.filter(([stream]) => holds(stream)).map(([, kind]) => kind);
  // A document that holds a spreadsheet has the streams of both.
  const kind = found[0] === 'msg' ? 'msg' : (found.find((each) => each === OLD_NAMES[extensionOf(name)]) ?? found[0]);
  return kindOf(kind ?? { reason: saveAs('Office files from before Office 2007', '.docx, .xlsx, .pptx or PDF') });
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
