import { createReadStream } from 'node:fs';
import { mkdtemp, open, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { tooLarge } from './problems';

/** A path, bytes in memory, or a stream, which is then written to a temporary file until the table is closed. */
export type TabularSource = string | Buffer | Readable;

/** Bytes that can be read more than once. */
export class StoredSource {
  private constructor(
    readonly source: string | Buffer,
    private readonly folder: string | undefined,
  ) {}

  /** Where it is, unless it is in memory. */
  get path(): string {
    if (Buffer.isBuffer(this.source)) throw new Error('The bytes are in memory alone.');
    return this.source;
  }

  static async of(source: TabularSource, most: number, what: string): Promise<StoredSource> {
    const limit = `${Math.floor(most / 1024 / 1024)} MB`;
    if (Buffer.isBuffer(source)) {
      if (source.length > most) throw tooLarge(what, limit);
      return new StoredSource(source, undefined);
    }
    if (typeof source === 'string') {
      if ((await stat(source)).size > most) throw tooLarge(what, limit);
      return new StoredSource(source, undefined);
    }
    return StoredSource.spooled(source, most, () => tooLarge(what, limit));
  }

  private static async spooled(source: Readable, most: number, refusal: () => Error): Promise<StoredSource> {
    const folder = await mkdtemp(join(tmpdir(), 'atrium-table-'));
    const path = join(folder, 'table');
    const file = await open(path, 'w', 0o600);
    let size = 0;
    try {
      await pipeline(
        source,
        async function* (chunks: AsyncIterable<Uint8Array>) {
          for await (const chunk of chunks) {
            size += chunk.length;
            if (size > most) throw refusal();
            yield chunk;
          }
        },
        file.createWriteStream(),
      );
      return new StoredSource(path, folder);
    } catch (error) {
      await rm(folder, { recursive: true, force: true });
      throw error;
    }
  }

  async beginning(most: number): Promise<{ sample: Uint8Array; whole: boolean }> {
    if (Buffer.isBuffer(this.source)) return { sample: this.source.subarray(0, most), whole: this.source.length <= most };
    const file = await open(this.source, 'r');
    try {
      const { bytesRead, buffer } = await file.read(Buffer.alloc(most), 0, most, 0);
      return { sample: buffer.subarray(0, bytesRead), whole: bytesRead < most };
    } finally {
      await file.close();
    }
  }

  bytes(): AsyncIterable<Uint8Array> {
    return Buffer.isBuffer(this.source) ? Readable.from([this.source]) : createReadStream(this.source);
  }

  async remove(): Promise<void> {
    if (this.folder !== undefined) await rm(this.folder, { recursive: true, force: true });
  }
}
