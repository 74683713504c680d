import { Outage } from '@atrium/platform/kernel';
import { addAbortSignal, Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { ObjectMissing, type ObjectStore } from './object-store';

const MOST_TRIES = 4;
const FIRST_PAUSE_MS = 200;

/**
 * Reads one object that never changes: where a connection breaks, it continues at the byte it had reached. It ends
 * early instead of failing, and then says so; aborting the signal stops the connection at once.
 */
export class SteadySource {
  private received = 0;
  private missing = false;
  private failure: unknown;

  constructor(
    private readonly store: ObjectStore,
    private readonly object: { readonly key: string; readonly size: number },
    private readonly signal: AbortSignal,
  ) {}

  /** Whether bytes are missing; known when the stream has ended. */
  get isLost(): boolean {
    return this.received < this.object.size;
  }

  /** Why bytes are missing, where storage could not be read at all; null where the object itself is what is missing. */
  get outage(): Outage | null {
    if (!this.isLost || this.missing || this.failure === undefined) return null;
    return this.failure instanceof Outage
      ? this.failure
      : new Outage('storage', 'The object store interrupted its responses.', { code: 'upstream_failed', cause: this.failure });
  }

  /** The bytes from the first on, or null when not even that one can be read. */
  async open(): Promise<Readable | null> {
    const chunks = this.chunks();
    const first = await chunks.next();
    if (first.done && this.isLost) return null;
    return Readable.from(joined(first, chunks), { objectMode: false });
  }

  private async *chunks(): AsyncGenerator<Buffer, void> {
    for (let failures = 0; this.isLost;) {
      const before = this.received;
      try {
        yield* this.connection();
      } catch (error) {
        this.signal.throwIfAborted();
        this.missing = error instanceof ObjectMissing || error instanceof RangeError;
        if (this.missing) return;
        this.failure = error;
      }
      failures = this.received > before ? 1 : failures + 1;
      if (failures >= MOST_TRIES) return;
      if (this.isLost) await pause(FIRST_PAUSE_MS * 2 ** (failures - 1), undefined, { signal: this.signal });
    }
  }

  private async *connection(): AsyncGenerator<Buffer, void> {
    const source = await this.store.get(this.object.key, this.received === 0 ? undefined : { start: this.received });
    addAbortSignal(this.signal, source);
    for await (const chunk of source as AsyncIterable<Buffer>) {
      this.received += chunk.length;
      yield chunk;
    }
  }
}

async function* joined(first: IteratorResult<Buffer, void>, rest: AsyncGenerator<Buffer, void>): AsyncGenerator<Buffer, void> {
  if (first.done) return;
  yield first.value;
  yield* rest;
}
