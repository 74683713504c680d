import { crc32, inflateRawSync } from 'node:zlib';

/** One file of an archive, unpacked and checked. */
export interface ZipEntry {
  readonly name: string;
  readonly stored: boolean;
  readonly modified: Date;
  readonly bytes: Buffer;
}

export interface ReadZip {
  readonly isZip64: boolean;
  readonly entries: readonly ZipEntry[];
}

const END = 0x06054b50;
const ZIP64_LOCATOR = 0x07064b50;
const ZIP64_END = 0x06064b50;
const CENTRAL = 0x02014b50;
const LOCAL = 0x04034b50;
const IN_ZIP64 = 0xffffffff;

/** Unpacks a ZIP by its directory, as unpackers do; throws at the first thing that is not in order. */
export function readZip(archive: Buffer): ReadZip {
  const end = archive.lastIndexOf(signature(END));
  if (end < 0) throw new Error('The archive has no end.');
  const locator = end - 20;
  const isZip64 = locator >= 0 && archive.readUInt32LE(locator) === ZIP64_LOCATOR;
  const { at, count, size } = isZip64
    ? zip64Directory(archive, Number(archive.readBigUInt64LE(locator + 8)))
    : { at: archive.readUInt32LE(end + 16), count: archive.readUInt16LE(end + 10), size: archive.readUInt32LE(end + 12) };
  const entries: ZipEntry[] = [];
  let position = at;
  for (let index = 0; index < count; index++) {
    const [entry, next] = readEntry(archive, position);
    entries.push(entry);
    position = next;
  }
  if (position !== at + size) throw new Error('The directory has another length than it says.');
  return { isZip64, entries };
}

const signature = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
};

function expectSignature(archive: Buffer, at: number, value: number): void {
  if (archive.readUInt32LE(at) !== value) throw new Error(`There is no record ${value.toString(16)} at ${at}.`);
}

function zip64Directory(archive: Buffer, at: number): { at: number; count: number; size: number } {
  expectSignature(archive, at, ZIP64_END);
  return {
    count: Number(archive.readBigUInt64LE(at + 32)),
    size: Number(archive.readBigUInt64LE(at + 40)),
    at: Number(archive.readBigUInt64LE(at + 48)),
  };
}

function readEntry(archive: Buffer, at: number): [ZipEntry, next: number] {
  expectSignature(archive, at, CENTRAL);
  const method = archive.readUInt16LE(at + 10);
  const crc = archive.readUInt32LE(at + 16);
  const [nameLength, extraLength, commentLength] = [
    archive.readUInt16LE(at + 28),
    archive.readUInt16LE(at + 30),
    archive.readUInt16LE(at + 32),
  ];
  const name = archive.toString('utf8', at + 46, at + 46 + nameLength);
  const [packed, size, offset] = [archive.readUInt32LE(at + 20), archive.readUInt32LE(at + 24), archive.readUInt32LE(at + 42)];
  if ([packed, size, offset].includes(IN_ZIP64)) throw new Error(`${name} is larger than this reader takes.`);
  expectSignature(archive, offset, LOCAL);
  const start = offset + 30 + archive.readUInt16LE(offset + 26) + archive.readUInt16LE(offset + 28);
  const raw = archive.subarray(start, start + packed);
  const bytes = method === 0 ? raw : inflateRawSync(raw);
  if (bytes.length !== size || crc32(bytes) !== crc) throw new Error(`${name} is damaged.`);
  return [
    { name, stored: method === 0, modified: dosTime(archive.readUInt16LE(at + 14), archive.readUInt16LE(at + 12)), bytes },
    at + 46 + nameLength + extraLength + commentLength,
  ];
}

const dosTime = (date: number, time: number): Date =>
  new Date(Date.UTC(1980 + (date >> 9), ((date >> 5) & 15) - 1, date & 31, time >> 11, (time >> 5) & 63, (time & 31) * 2));
