import { open, type FileHandle } from 'node:fs/promises';

/** Parts of a file that are looked at: films have a few at their outermost level. */
const MOST_PARTS = 1_000;
const OGG_HEAD = 64 * 1024;
const OGG_TAIL = 128 * 1024;

/** Seconds that a film lasts by the header of its container, where no tools for films are installed. */
export async function filmDuration(path: string): Promise<number | undefined> {
  const file = await open(path, 'r');
  try {
    const { size } = await file.stat();
    const start = await bytesAt(file, 0, 4);
    const seconds = start.toString('latin1') === 'OggS' ? await oggSeconds(file, size) : await movieSeconds(file, size);
    return seconds !== undefined && Number.isFinite(seconds) && seconds > 0 ? Math.round(seconds * 1000) / 1000 : undefined;
  } finally {
    await file.close();
  }
}

async function bytesAt(file: FileHandle, at: number, length: number): Promise<Buffer> {
  const { bytesRead, buffer } = await file.read(Buffer.alloc(length), 0, length, at);
  return buffer.subarray(0, bytesRead);
}

/** QuickTime and its descendants: the header of the movie says how long it is, in units of its own. */
async function movieSeconds(file: FileHandle, size: number): Promise<number | undefined> {
  let [at, end] = [0, size];
  for (let part = 0; part < MOST_PARTS && at + 8 <= end; part++) {
    const head = await bytesAt(file, at, 16);
    if (head.length < 8) return undefined;
    const type = head.toString('latin1', 4, 8);
    const said = head.readUInt32BE(0);
    const long = said === 1 && head.length === 16;
    const length = long ? Number(head.readBigUInt64BE(8)) : said === 0 ? end - at : said;
    const begins = long ? 16 : 8;
    if (length < begins) return undefined;
    if (type === 'mvhd') return headerSeconds(await bytesAt(file, at + begins, 32));
    if (type === 'moov') [at, end] = [at + begins, Math.min(end, at + length)];
    else at += length;
  }
  return undefined;
}

function headerSeconds(header: Buffer): number | undefined {
  if (header.length < 32) return undefined;
  const [units, length] =
    header[0] === 1
      ? [header.readUInt32BE(20), Number(header.readBigUInt64BE(24))]
      : [header.readUInt32BE(12), header.readUInt32BE(16) === 0xffffffff ? 0 : header.readUInt32BE(16)];
  return units > 0 ? length / units : undefined;
}

interface OggStream {
  /** Seconds at a position of the stream. */
  secondsAt(position: bigint): number;
}

/** The last page of each stream says where it ends; its first one says in which units. */
async function oggSeconds(file: FileHandle, size: number): Promise<number | undefined> {
  const streams = new Map<number, OggStream>();
  for (const { stream, data } of pagesIn(await bytesAt(file, 0, OGG_HEAD))) {
    const read = streamOf(data);
    if (read && !streams.has(stream)) streams.set(stream, read);
  }
  let longest: number | undefined;
  for (const { stream, position } of pagesIn(await bytesAt(file, Math.max(0, size - OGG_TAIL), OGG_TAIL))) {
    const seconds = position < 0n ? undefined : streams.get(stream)?.secondsAt(position);
    if (seconds !== undefined) longest = Math.max(longest ?? 0, seconds);
  }
  return longest;
}

function* pagesIn(bytes: Buffer): Generator<{ readonly stream: number; readonly position: bigint; readonly data: Buffer }> {
  for (let at = bytes.indexOf('OggS'); at >= 0 && at + 27 <= bytes.length; at = bytes.indexOf('OggS', at + 4)) {
    const begins = at + 27 + (bytes[at + 26] ?? 0);
    yield { stream: bytes.readUInt32LE(at + 14), position: bytes.readBigInt64LE(at + 6), data: bytes.subarray(begins, begins + 64) };
  }
}

function streamOf(header: Buffer): OggStream | undefined {
  const name = header.toString('latin1', 0, 8);
  if (name.startsWith('\x80theora') && header.length >= 42) return framesOf(header);
  if (name.startsWith('\x01vorbis') && header.length >= 16) return samplesOf(header.readUInt32LE(12));
  return name === 'OpusHead' ? samplesOf(48_000) : undefined;
}

const samplesOf = (rate: number): OggStream => ({ secondsAt: (position) => Number(position) / rate });

/** A position is the last key frame and how many frames are behind it. */
function framesOf(header: Buffer): OggStream {
  const shift = BigInt((header.readUInt16BE(40) >> 5) & 31);
  const rate = header.readUInt32BE(22) / header.readUInt32BE(26);
  return { secondsAt: (position) => Number((position >> shift) + (position & ((1n << shift) - 1n))) / rate };
}
