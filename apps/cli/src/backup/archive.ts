import { createHash, type Hash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { finished, pipeline } from 'node:stream/promises';
import { extract, pack } from 'tar-stream';

const MANIFEST = 'manifest.json';
const FORMAT = 1;

/** A table in the archive: its columns with their types, the number of rows and a checksum over all rows. */
export interface TableRecord {
  readonly columns: string;
  readonly rows: string;
  readonly sum: string;
}

/** The manifest of an archive. It is the last entry, so that a truncated archive has none. */
export interface Manifest {
  readonly format: number;
  readonly made: string;
  /** The migration steps of its database, by name, with their checksums. */
  readonly steps: Readonly<Record<string, string>>;
  readonly tables: Readonly<Record<string, TableRecord>>;
  readonly partitions: readonly string[];
  readonly sequences: Readonly<Record<string, string>>;
  /** Identifies the master key without revealing it. */
  readonly key: string;
  readonly objects: number;
  readonly bytes: number;
  /** Objects are in a bucket, which is backed up separately. */
  readonly inBucket: boolean;
  /** SHA-256 over names, sizes and contents of all entries before. */
  readonly digest: string;
}

/** The file is damaged, truncated, or not an archive. */
class UnreadableArchive extends Error {
  constructor(file: string, why: string) {
    super(`${file} is not a complete backup archive: ${why}. Nothing was changed.`);
  }
}

/** Writes a tar file entry by entry in constant memory; it gets its name only when it is complete and on disk. */
export class ArchiveWriter {
  private readonly tar = pack();
  private readonly chain = createHash('sha256');
  private readonly written: Promise<void>;
  private failure: Error | undefined;

  constructor(private readonly file: string) {
    this.written = pipeline(this.tar, createWriteStream(this.partial, { flags: 'wx', mode: 0o600 }));
    // An error surfaces with the next entry, or at the end.
    this.written.catch((error: Error) => {
      this.failure = error;
      this.tar.destroy(error);
    });
  }

  async add(name: string, size: number, source: AsyncIterable<Buffer> | Iterable<Buffer>): Promise<void> {
    note(this.chain, name, size);
    const sink = this.tar.entry({ name, size, mode: 0o600 });
    const closed = new Promise<void>((resolve) => sink.once('close', () => resolve()));
    sink.once('error', (error) => (this.failure ??= error));
    for await (const piece of source) {
      this.chain.update(piece);
      if (!sink.write(piece)) await Promise.race([new Promise<void>((resolve) => sink.once('drain', () => resolve())), closed]);
      if (this.failure) throw this.failure;
    }
    sink.end(undefined);
    await closed;
    if (this.failure) throw this.failure;
  }

  async finish(manifest: Omit<Manifest, 'format' | 'digest'>): Promise<void> {
    const text = JSON.stringify({ format: FORMAT, ...manifest, digest: this.chain.digest('hex') } satisfies Manifest);
    this.tar.entry({ name: MANIFEST, mode: 0o600 }, `${createHash('sha256').update(text).digest('hex')}\n${text}\n`);
    this.tar.finalize();
    await this.written;
    const file = await open(this.partial, 'r+');
    await file.sync();
    await file.close();
    await rename(this.partial, this.file);
  }

  async abandon(): Promise<void> {
    this.tar.destroy();
    await this.written.catch(() => undefined);
    await rm(this.partial, { force: true });
  }

  private get partial(): string {
    return `${this.file}.partial`;
  }
}

export interface Entry {
  readonly name: string;
  readonly size: number;
  readonly content: AsyncIterable<Buffer>;
}

/** Reads the whole archive and verifies it; every entry besides the manifest is handed to `each`, which need not read it. */
export async function readArchive(file: string, each: (entry: Entry) => Promise<void> = () => Promise.resolve()): Promise<Manifest> {
  const chain = createHash('sha256');
  const entries = extract();
  const source = createReadStream(file, { highWaterMark: 1 << 20 });
  const fed = pipeline(source, entries);
  fed.catch(() => undefined);
  let manifest: Manifest | undefined;
  try {
    for await (const entry of entries) {
      const { name, size } = entry.header;
      if (manifest) throw new UnreadableArchive(file, 'there is data after its end');
      if (name === MANIFEST) {
        manifest = manifestIn(file, Buffer.concat(await all(entry)).toString('utf8'));
        continue;
      }
      note(chain, name, size);
      const content = hashed(entry, chain);
      await each({ name, size, content });
      for await (const piece of content) void piece;
    }
    await fed;
  } catch (error) {
    source.destroy();
    if (error instanceof Error && /^(?:Unexpected end of data|Invalid tar header|Invalid checksum)/i.test(error.message))
      throw new UnreadableArchive(file, 'it is damaged or truncated');
    throw error;
  } finally {
    await finished(source, { cleanup: true }).catch(() => undefined);
  }
  if (!manifest) throw new UnreadableArchive(file, 'it is truncated');
  if (manifest.digest !== chain.digest('hex')) throw new UnreadableArchive(file, 'its contents have changed since it was created');
  return manifest;
}

function manifestIn(file: string, text: string): Manifest {
  const [digest = '', json = ''] = text.split('\n');
  if (createHash('sha256').update(json).digest('hex') !== digest) throw new UnreadableArchive(file, 'its manifest is damaged');
  const manifest = JSON.parse(json) as Manifest;
  if (manifest.format !== FORMAT)
    throw new UnreadableArchive(file, `it has format ${manifest.format}, but this release reads format ${FORMAT}`);
  return manifest;
}

const note = (chain: Hash, name: string, size: number): Hash => chain.update(`${name}\n${size}\n`);

async function* hashed(source: AsyncIterable<unknown>, chain: Hash): AsyncGenerator<Buffer> {
  for await (const piece of source) {
    chain.update(piece as Buffer);
    yield piece as Buffer;
  }
}

async function all(source: AsyncIterable<unknown>): Promise<Buffer[]> {
  const pieces: Buffer[] = [];
  for await (const piece of source) pieces.push(piece as Buffer);
  return pieces;
}
