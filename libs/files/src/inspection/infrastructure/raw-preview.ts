import { InspectionError } from './inspection';

const MOST_DIRECTORIES = 32;
const MOST_ENTRIES = 1_000;

/** Tags of a TIFF directory that lead to pictures. */
const TAG = {
  jpgFromRaw: 0x2e,
  compression: 0x103,
  stripOffsets: 0x111,
  stripLengths: 0x117,
  subDirectories: 0x14a,
  jpegOffset: 0x201,
  jpegLength: 0x202,
} as const;
const BYTES_OF_TYPE: Readonly<Record<number, number>> = { 1: 1, 3: 2, 4: 4, 7: 1, 13: 4 };

interface Entry {
  readonly type: number;
  readonly count: number;
  /** Where its values begin. */
  readonly at: number;
}

type Directory = ReadonlyMap<number, Entry>;

/** The largest picture a camera put beside the data of its sensor: a JPEG that any decoder reads. */
export function rawPreview(bytes: Buffer): Buffer {
  const largestFirst = [...candidates(bytes)].filter(isPicture).sort((a, b) => b.length - a.length);
  const [preview] = largestFirst;
  if (!preview) throw new InspectionError('unsupported_format');
  return preview;
}

function* candidates(bytes: Buffer): Generator<Buffer, void> {
  const start = bytes.toString('latin1', 0, 15);
  if (start === 'FUJIFILMCCD-RAW') yield part(bytes, readOr0(bytes, 84), readOr0(bytes, 88));
  else if (start.slice(4, 8) === 'ftyp') yield* boxedPreviews(bytes);
  else if (start.startsWith('II') || start.startsWith('MM')) yield* new TiffPreviews(bytes).all();
}

/** Previews in the boxes of an ISO container: their length is directly before their bytes. */
function* boxedPreviews(bytes: Buffer): Generator<Buffer, void> {
  for (let at = bytes.indexOf('PRVW'); at >= 0 && at + 20 < bytes.length; at = bytes.indexOf('PRVW', at + 4))
    yield part(bytes, at + 20, readOr0(bytes, at + 16));
}

/** Walks the directories of a TIFF and of what cameras make of it; every offset is taken for what a stranger says. */
class TiffPreviews {
  private readonly little: boolean;

  constructor(private readonly bytes: Buffer) {
    this.little = bytes.toString('latin1', 0, 2) === 'II';
  }

  *all(): Generator<Buffer, void> {
    const waiting = [this.whole(4, 4)];
    const seen = new Set<number>([0]);
    for (let at = waiting.shift(); at !== undefined && seen.size <= MOST_DIRECTORIES; at = waiting.shift()) {
      if (seen.has(at)) continue;
      seen.add(at);
      const { directory, next } = this.directory(at);
      yield* this.picturesOf(directory);
      waiting.push(next, ...this.values(directory.get(TAG.subDirectories)));
    }
  }

  private *picturesOf(directory: Directory): Generator<Buffer, void> {
    const jpeg = directory.get(TAG.jpgFromRaw);
    if (jpeg) yield part(this.bytes, jpeg.at, jpeg.count);
    yield part(this.bytes, this.value(directory, TAG.jpegOffset), this.value(directory, TAG.jpegLength));
    const isJpeg = [6, 7].includes(this.value(directory, TAG.compression));
    if (isJpeg && directory.get(TAG.stripOffsets)?.count === 1)
      yield part(this.bytes, this.value(directory, TAG.stripOffsets), this.value(directory, TAG.stripLengths));
  }

  private directory(at: number): { directory: Directory; next: number } {
    const count = this.whole(at, 2);
    const directory = new Map<number, Entry>();
    if (count > MOST_ENTRIES) return { directory, next: 0 };
    for (let entry = at + 2; entry < at + 2 + count * 12; entry += 12) directory.set(this.whole(entry, 2), this.entry(entry));
    return { directory, next: this.whole(at + 2 + count * 12, 4) };
  }

  /** Values of up to four bytes stand in the entry itself. */
  private entry(at: number): Entry {
    const [type, count] = [this.whole(at + 2, 2), this.whole(at + 4, 4)];
    const size = (BYTES_OF_TYPE[type] ?? 8) * count;
    return { type, count, at: size <= 4 ? at + 8 : this.whole(at + 8, 4) };
  }

  private value(directory: Directory, tag: number): number {
    return this.values(directory.get(tag))[0] ?? 0;
  }

  private values(entry: Entry | undefined): number[] {
    const size = entry && BYTES_OF_TYPE[entry.type];
    if (!entry || !size) return [];
    return Array.from({ length: Math.min(entry.count, MOST_DIRECTORIES) }, (_, index) => this.whole(entry.at + index * size, size));
  }

  private whole(at: number, size: number): number {
    if (at < 0 || at + size > this.bytes.length) return 0;
    return this.little ? this.bytes.readUIntLE(at, size) : this.bytes.readUIntBE(at, size);
  }
}

const readOr0 = (bytes: Buffer, at: number): number => (at + 4 <= bytes.length ? bytes.readUInt32BE(at) : 0);

const part = (bytes: Buffer, at: number, length: number): Buffer =>
  at > 0 && length > 0 ? bytes.subarray(at, at + length) : bytes.subarray(0, 0);

/** A baseline or progressive JPEG; the sensor's own data is often a lossless one, which shows nothing. */
function isPicture(jpeg: Buffer): boolean {
  if (jpeg.length < 4 || jpeg.readUInt16BE(0) !== 0xffd8) return false;
  for (let at = 2; at + 4 <= jpeg.length; at += 2 + jpeg.readUInt16BE(at + 2)) {
    const marker = jpeg.readUInt16BE(at);
    if (marker >= 0xffc0 && marker <= 0xffcf && ![0xffc4, 0xffc8, 0xffcc].includes(marker)) return marker <= 0xffc2;
    if (marker < 0xffc0 || marker === 0xffda) return false;
  }
  return false;
}
