import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { Database, requireScope } from '@atrium/platform/database';
import { asJson, type JsonObject } from '@atrium/platform/kernel';
import { EventStreams, StreamFenced } from '@atrium/platform/messaging';
import type { ThreadEvent } from './thread-event';
import { IncompleteStreams } from './incomplete-streams';

/** The attempt of a run behind an event: a worker that was thought dead appends nothing once another attempt has spoken. */
export interface RunFence {
  readonly run_id: string;
  readonly attempt: number;
}

export const threadStream = (thread_id: string): string => `thread/${thread_id}`;

/**
 * Sends what happened in a thread to everybody who follows it. The stored messages and runs are the truth, the stream is their
 * echo: an unreachable store stops nothing, and followers are brought up to date from the rows afterwards.
 */
@Injectable()
export class ThreadEvents implements OnModuleDestroy {
  private readonly log = new Logger(ThreadEvents.name);
  private readonly torn: IncompleteStreams;

  constructor(
    private readonly db: Database,
    private readonly streams: EventStreams,
  ) {
    this.torn = new IncompleteStreams(streams);
  }

  onModuleDestroy(): void {
    this.torn.stopRetrying();
  }

  /**
   * After the commit of the unit of work at hand, or at once outside of one. The id of the entry; null where it is not known
   * yet, or the store cannot be reached: followers read the rows then as soon as it can. Throws `StreamFenced` at once outside of a
   * unit of work when a later attempt has spoken.
   */
  emitEvent(thread_id: string, event: ThreadEvent, fence?: RunFence): Promise<string | null> {
    return this.emitAll(thread_id, [event], fence);
  }

  /** The same for events that come at once; the id of the last. */
  async emitAll(thread_id: string, events: readonly ThreadEvent[], fence?: RunFence): Promise<string | null> {
    const { open } = this.db;
    if (!open) return this.appendOrTear(thread_id, events, fence);
    open.afterCommit(async () => void (await this.appendOrTear(thread_id, events, fence)));
    return null;
  }

  /** At once, for a caller who sends all of the answer again after events that were not stored: null then. The id of the last. */
  sendEvents(thread_id: string, events: readonly ThreadEvent[], fence: RunFence): Promise<string | null> {
    return this.append(thread_id, events, fence);
  }

  /** After the commit of the unit of work at hand: what followers could still read of the thread goes; they are brought up to date from the rows. */
  deleteEvents(thread_id: string): void {
    this.db.current().afterCommit(async () => {
      try {
        await this.streams.deleteStream(threadStream(thread_id));
      } catch (error) {
        this.log.warn({ msg: 'the stream of a thread lasts until its hour is over', thread_id, err: error });
      }
    });
  }

  private async appendOrTear(thread_id: string, events: readonly ThreadEvent[], fence?: RunFence): Promise<string | null> {
    const id = await this.append(thread_id, events, fence);
    if (id === null) this.torn.markTorn(requireScope().tenant_id, threadStream(thread_id));
    return id;
  }

  private async append(thread_id: string, events: readonly ThreadEvent[], fence?: RunFence): Promise<string | null> {
    const stream = threadStream(thread_id);
    const entries = events.map(({ kind, data }): JsonObject => ({ kind, data: { ...asJson(data), thread_id } }));
    // Behind what is missing nothing is sent before its mark.
    if (!(await this.torn.isWhole(requireScope().tenant_id, stream))) return null;
    try {
      return await this.streams.appendAll(stream, entries, fence && { name: fence.run_id, token: fence.attempt });
    } catch (error) {
      if (error instanceof StreamFenced) throw error;
      const kinds = [...new Set(events.map(({ kind }) => kind))];
      this.log.warn({ msg: 'events of a thread could not be stored', thread_id, kinds, err: error });
      return null;
    }
  }
}
