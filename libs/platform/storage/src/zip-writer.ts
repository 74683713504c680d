import { once } from 'node:events';
import { Readable } from 'node:stream';
import type { ZipArchive } from 'archiver';

export interface ZipEntry {
  readonly name: string;
  readonly modified: Date;
  /** The bytes are compressed already; they are kept as they are. */
  readonly stored: boolean;
}

/** The part of the archive's engine that knows which entries the directory at its end will list. */
interface Directory {
  readonly _module: { readonly engine: { readonly _entries: unknown[] } };
}

const DEFLATE_LEVEL = 6;

/**
 * Writes one ZIP64 archive entry by entry; only the current entry and the directory are held in memory. An entry is done
 * when `add` resolves. When the reader of `stream` disconnects, everything that is awaited rejects.
 */
export class ZipWriter {
  private readonly closed = new AbortController();

  /** The library is loaded with the first archive. */
  static async open(): Promise<ZipWriter> {
    const { ZipArchive: Archive } = await import('archiver');
    return new ZipWriter(new Archive({ forceZip64: true, zlib: { level: DEFLATE_LEVEL } }));
  }

  private constructor(private readonly archive: ZipArchive) {
    this.archive.once('close', () => this.closed.abort());
    // The failure reaches the code that awaits the entry or reads the stream.
    this.archive.on('error', (error: unknown) => this.closed.abort(error));
  }

  get stream(): Readable {
    return this.archive;
  }

  async add({ name, modified, stored }: ZipEntry, source: Readable | Buffer): Promise<void> {
    const added = once(this.archive, 'entry', { signal: this.closed.signal });
    // The library pipes the source without listening to it; without a listener its failure would end the process.
    if (source instanceof Readable) source.once('error', (error) => this.abort(error));
    this.archive.append(source, { name, date: modified, store: stored });
    await added;
  }

  /** Takes the last entry out of the directory, so that no reader ever sees its incomplete bytes. */
  withdrawLast(): void {
    (this.archive as ZipArchive & Directory)._module.engine._entries.pop();
  }

  /** Writes the directory; resolves when the reader has it. */
  async finish(): Promise<void> {
    const ended = once(this.archive, 'end', { signal: this.closed.signal });
    await Promise.all([this.archive.finalize(), ended]);
  }

  abort(reason: Error): void {
    this.archive.destroy(reason);
  }
}
