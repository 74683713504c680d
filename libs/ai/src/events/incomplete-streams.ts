import { setTimeout as pause } from 'node:timers/promises';
import { inWorkspace } from '@atrium/platform/database';
import { SECOND } from '@atrium/platform/kernel';
import { STREAM_RETENTION_SECONDS, type EventStreams } from '@atrium/platform/messaging';
import { MISSED } from './thread-event';

const [FIRST_PAUSE_MS, LONGEST_PAUSE_MS] = [SECOND, 30 * SECOND];

/**
 * Streams in which an event of this process is missing. They get a mark in its place as soon as their store takes one: before the
 * next event of this process, and without one as well. Who reads the mark is brought up to date from the rows.
 */
export class IncompleteStreams {
  private readonly torn = new Map<string, { marking: Promise<boolean> | null }>();
  private readonly ended = new AbortController();

  constructor(
    private readonly streams: Pick<EventStreams, 'appendEvent'>,
    private readonly firstPauseMs = FIRST_PAUSE_MS,
  ) {}

  /** An event was not stored: followers lack it until the mark is there. */
  markTorn(tenant_id: string, stream: string): void {
    const key = `${tenant_id}/${stream}`;
    if (this.torn.has(key) || this.ended.signal.aborted) return;
    this.torn.set(key, { marking: null });
    void this.mend(tenant_id, stream);
  }

  /** Whether the stream lacks nothing, or its mark has just been stored. */
  async isWhole(tenant_id: string, stream: string): Promise<boolean> {
    const key = `${tenant_id}/${stream}`;
    const torn = this.torn.get(key);
    if (!torn) return true;
    torn.marking ??= inWorkspace(tenant_id, () => this.streams.appendEvent(stream, { kind: MISSED, data: {} }))
      .then(() => this.torn.delete(key))
      .catch(() => false)
      .finally(() => (torn.marking = null));
    return torn.marking;
  }

  /** Nothing is tried any more. */
  stopRetrying(): void {
    this.ended.abort();
    this.torn.clear();
  }

  /** After the hour that a stream is kept nothing is left in it that a mark could be read with. */
  private async mend(tenant_id: string, stream: string): Promise<void> {
    const until = Date.now() + STREAM_RETENTION_SECONDS * SECOND;
    for (let wait = this.firstPauseMs; Date.now() < until; wait = Math.min(wait * 2, LONGEST_PAUSE_MS)) {
      await pause(wait, undefined, { ref: false, signal: this.ended.signal }).catch(() => undefined);
      if (this.ended.signal.aborted || (await this.isWhole(tenant_id, stream))) return;
    }
    this.torn.delete(`${tenant_id}/${stream}`);
  }
}
