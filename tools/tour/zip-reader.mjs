// Enough of a ZIP reader to check an archive: central directory (ZIP64 too), stored and deflated entries, CRC and SHA-256.
import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { crc32, createInflateRaw } from 'node:zlib';

const END = 0x06054b50;
const END64 = 0x06064b50;
const END64_LOCATOR = 0x07064b50;
const ENTRY = 0x02014b50;
const LOCAL = 0x04034b50;
const [STORED, DEFLATED] = [0, 8];

/** `[{ name, size, hash }]` of every entry; throws where the archive is damaged. */
export async function hashesOfEntries(path) {
  const file = await open(path, 'r');
  try {
    const entries = [];
    for (const entry of await directoryOf(file)) entries.push({ name: entry.name, size: entry.size, hash: await hashOf(file, entry) });
    return entries;
  } finally {
    await file.close();
  }
}

async function directoryOf(file) {
  const { offset, size, count } = await findDirectory(file);
  const directory = await bytesAt(file, offset, size);
  const entries = [];
  for (let at = 0; entries.length < count;) {
    if (directory.readUInt32LE(at) !== ENTRY) throw new Error('The directory of the archive is damaged.');
    const [nameLength, extraLength, commentLength] = [28, 30, 32].map((field) => directory.readUInt16LE(at + field));
    const extra = directory.subarray(at + 46 + nameLength, at + 46 + nameLength + extraLength);
    const [size32, packed32, offset32] = [24, 20, 42].map((field) => directory.readUInt32LE(at + field));
    const [fullSize, packed, offset] = wideValues([size32, packed32, offset32], extra);
    entries.push({
      name: directory.toString('utf8', at + 46, at + 46 + nameLength),
      method: directory.readUInt16LE(at + 10),
      crc: directory.readUInt32LE(at + 16),
      size: fullSize,
      packed,
      offset,
    });
    at += 46 + nameLength + extraLength + commentLength;
  }
  return entries;
}

/** The end record is in the last 64 kB; large archives have a wide one before it. */
async function findDirectory(file) {
  const { size: total } = await file.stat();
  const tailLength = Math.min(total, 65_557);
  const tail = await bytesAt(file, total - tailLength, tailLength);
  let at = tail.length - 22;
  while (at >= 0 && tail.readUInt32LE(at) !== END) at--;
  if (at < 0) throw new Error('The file is not a complete ZIP archive.');
  const narrow = { count: tail.readUInt16LE(at + 10), size: tail.readUInt32LE(at + 12), offset: tail.readUInt32LE(at + 16) };
  if (at < 20 || tail.readUInt32LE(at - 20) !== END64_LOCATOR) return narrow;
  const wide = await bytesAt(file, Number(tail.readBigUInt64LE(at - 12)), 56);
  if (wide.readUInt32LE(0) !== END64) throw new Error('The ZIP64 record of the archive is damaged.');
  return { count: Number(wide.readBigUInt64LE(32)), size: Number(wide.readBigUInt64LE(40)), offset: Number(wide.readBigUInt64LE(48)) };
}

/** Where a 32-bit value is full of ones, the ZIP64 field holds the true one, in this order. */
function wideValues(values, extra) {
  for (let at = 0; at + 4 <= extra.length; at += 4 + extra.readUInt16LE(at + 2)) {
    if (extra.readUInt16LE(at) !== 1) continue;
    let next = at + 4;
    return values.map((value) => {
      if (value !== 0xffffffff) return value;
      next += 8;
      return Number(extra.readBigUInt64LE(next - 8));
    });
  }
  return values;
}

async function hashOf(file, { name, method, crc, size, packed, offset }) {
  const local = await bytesAt(file, offset, 30);
  if (local.readUInt32LE(0) !== LOCAL || ![STORED, DEFLATED].includes(method)) throw new Error(`${name}: the archive is damaged.`);
  const start = offset + 30 + local.readUInt16LE(26) + local.readUInt16LE(28);
  const hash = createHash('sha256');
  let [checksum, length] = [0, 0];
  const measure = new Transform({
    transform(chunk, _encoding, done) {
      checksum = crc32(chunk, checksum);
      length += chunk.length;
      done(null, chunk);
    },
  });
  if (packed > 0) {
    const source = file.createReadStream({ start, end: start + packed - 1, autoClose: false });
    await pipeline(...[source, ...(method === DEFLATED ? [createInflateRaw()] : []), measure, hash]);
  }
  if (checksum !== crc || length !== size) throw new Error(`${name}: the bytes do not match their checksum.`);
  return hash.digest('hex');
}

async function bytesAt(file, position, length) {
  const buffer = Buffer.alloc(length);
  const { bytesRead } = await file.read(buffer, 0, length, position);
  if (bytesRead !== length) throw new Error('The archive ends too early.');
  return buffer;
}
