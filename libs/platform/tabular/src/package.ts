import { readFile, stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { inflateRawSync } from 'node:zlib';
import { Problem } from '@atrium/platform/kernel';
import type { Entry, ZipFile } from 'yauzl';
import { damagedFile, expandsBeyondLimit, protectedByPassword, tooMany, unsafeName } from './problems';

const MIB = 1024 * 1024;
const ENCRYPTED = 1;
/** Files up to this size are read at once: of their many small parts, each would take several reads of its own. */
const READ_AT_ONCE = 8 * MIB;
const DEFLATED = 8;
const UNPACKED_AT_ONCE = MIB / 4;

export interface PackageLimits {
  readonly maxEntries: number;
  /** Bytes of all entries together, unpacked. */
  readonly maxBytes: number;
  /** How many times larger than packed the whole may be, once it is larger than `ratioFrom`. */
  readonly maxRatio: number;
  readonly ratioFrom: number;
}

export const PACKAGE_LIMITS: PackageLimits = { maxEntries: 10_000, maxBytes: 500 * MIB, maxRatio: 200, ratioFrom: 10 * MIB };

export interface PackageOptions {
  readonly limits?: Partial<PackageLimits>;
  /** What the package is called in the sentences of its problems. */
  readonly what?: string;
}

/**
 * A ZIP whose directory was read and found harmless before anything of it is unpacked: few enough entries, no encrypted one,
 * no name that leads out of it, and sizes within the limits. Entries declare their sizes, and one that has more or fewer
 * bytes than it says ends its stream with a problem.
 */
export class Package {
  private constructor(
    private readonly zip: ZipFile,
    private readonly entries: ReadonlyMap<string, Entry>,
    private readonly what: string,
  ) {}

  /** Opens a file by its path, or bytes that are in memory already. */
  static async open(source: string | Buffer, { limits, what = 'file' }: PackageOptions = {}): Promise<Package> {
    const { fromBufferPromise, openPromise } = await import('yauzl');
    const bounds = { ...PACKAGE_LIMITS, ...limits };
    const bytes = typeof source === 'string' && (await stat(source)).size <= READ_AT_ONCE ? await readFile(source) : source;
    const zip = await (
      typeof bytes === 'string' ? openPromise(bytes, { autoClose: false }) : fromBufferPromise(bytes, { autoClose: false })
    ).catch((cause: unknown) => {
      throw isOfTheSystem(cause) ? cause : damagedFile(what, cause);
    });
    try {
      return new Package(zip, await readDirectory(zip, bounds, what), what);
    } catch (error) {
      zip.close();
      throw error;
    }
  }

  /** Names of files, in the order of the directory. */
  get names(): string[] {
    return [...this.entries.values()].map(({ fileName }) => fileName);
  }

  /** Names are found whatever their case, as office programs find them. */
  has(name: string): boolean {
    return this.entries.has(key(name));
  }

  /** Unpacked bytes of an entry; 0 for one that is not there. */
  size(name: string): number {
    return this.entries.get(key(name))?.uncompressedSize ?? 0;
  }

  /** The unpacked bytes of an entry. The caller reads a stream to its end or destroys it. */
  async stream(name: string): Promise<Readable> {
    const entry = this.entries.get(key(name));
    if (!entry) throw damagedFile(this.what, `It contains no ${name}.`);
    try {
      return await (isSmall(entry) ? this.unpacked(entry) : this.zip.openReadStreamPromise(entry));
    } catch (cause) {
      throw cause instanceof Problem || isOfTheSystem(cause) ? cause : damagedFile(this.what, cause);
    }
  }

  /** An entry as a whole; more bytes than `most` are refused before they are read. */
  async bytes(name: string, most: number): Promise<Buffer> {
    if (this.size(name) > most) throw expandsBeyondLimit(this.what);
    try {
      return await collected(await this.stream(name));
    } catch (cause) {
      throw cause instanceof Problem || isOfTheSystem(cause) ? cause : damagedFile(this.what, cause);
    }
  }

  close(): void {
    this.zip.close();
  }

  private async unpacked(entry: Entry): Promise<Readable> {
    const packed = await collected(await this.zip.openReadStreamPromise(entry, { decodeFileData: false }));
    const bytes = inflateRawSync(packed, { maxOutputLength: entry.uncompressedSize + 1 });
    if (bytes.length !== entry.uncompressedSize)
      throw damagedFile(this.what, `The size of ${entry.fileName} differs from the declared one.`);
    return Readable.from([bytes]);
  }
}

/** Small entries are unpacked at once: a stream for each of them takes longer than its work. */
const isSmall = ({ compressionMethod, compressedSize, uncompressedSize }: Entry): boolean =>
  compressionMethod === DEFLATED && Math.max(compressedSize, uncompressedSize) <= UNPACKED_AT_ONCE;

async function collected(stream: Readable): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

async function readDirectory(zip: ZipFile, limits: PackageLimits, what: string): Promise<Map<string, Entry>> {
  if (zip.entryCount > limits.maxEntries) throw tooMany(what, limits.maxEntries, 'files inside');
  const entries = new Map<string, Entry>();
  const total = { packed: 0, unpacked: 0 };
  try {
    for await (const entry of zip.eachEntry()) {
      if ((entry.generalPurposeBitFlag & ENCRYPTED) !== 0) throw protectedByPassword(what);
      total.packed += entry.compressedSize;
      total.unpacked += entry.uncompressedSize;
      if (total.unpacked > limits.maxBytes) throw expandsBeyondLimit(what);
      if (!entry.fileName.endsWith('/') && !entries.has(key(entry.fileName))) entries.set(key(entry.fileName), entry);
    }
  } catch (cause) {
    throw asProblem(cause, what);
  }
  // Entries may share their bytes: what is packed is never more than the file itself.
  const packed = Math.max(1, Math.min(total.packed, zip.fileSize));
  if (total.unpacked > limits.ratioFrom && total.unpacked / packed > limits.maxRatio) throw expandsBeyondLimit(what);
  return entries;
}

const key = (name: string): string => name.replace(/^\/+/, '').toLowerCase();

function asProblem(cause: unknown, what: string): unknown {
  if (cause instanceof Problem || isOfTheSystem(cause)) return cause;
  const message = cause instanceof Error ? cause.message : '';
  if (/relative path|absolute path|invalid characters in fileName/i.test(message)) return unsafeName(what);
  if (/encrypt/i.test(message)) return protectedByPassword(what);
  return damagedFile(what, cause);
}

/** A missing file or a full disk is no fault of the package. */
const isOfTheSystem = (cause: unknown): boolean => cause instanceof Error && 'syscall' in cause;
