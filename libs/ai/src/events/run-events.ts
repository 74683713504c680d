import { Injectable, Logger } from '@nestjs/common';
import { Database } from '@atrium/platform/database';
import type { JsonObject } from '@atrium/platform/kernel';
import { EventStreams, StreamFenced } from '@atrium/platform/messaging';
import type { RunFence } from './thread-events';

export const runStream = (run_id: string): string => `run/${run_id}`;

/** The last entry of the stream of a run: its row says how it ended. */
export const ENDED = 'ended';

/** Sends what happens in a run without a thread to the client that asked for its answer as a stream. The run is the truth: an unreachable store stops nothing. */
@Injectable()
export class RunEvents {
  private readonly log = new Logger(RunEvents.name);

  constructor(
    private readonly db: Database,
    private readonly streams: EventStreams,
  ) {}

  /** The id of the last entry; null where they could not be stored: the caller sends all of the answer again. Throws `StreamFenced` when a later attempt has spoken. */
  async sendEvents(events: readonly JsonObject[], { run_id, attempt }: RunFence): Promise<string | null> {
    const entries = events.map((event) => ({ ...event, run_id, attempt }));
    try {
      return await this.streams.appendAll(runStream(run_id), entries, { name: run_id, token: attempt });
    } catch (error) {
      if (error instanceof StreamFenced) throw error;
      this.log.warn({ msg: 'events of a run could not be stored', run_id, err: error });
      return null;
    }
  }

  /** After the commit of the unit of work at hand. A client that does not hear it looks at the run by the clock. */
  signalEnd(run_id: string): void {
    this.db.current().afterCommit(async () => {
      try {
        await this.streams.appendEvent(runStream(run_id), { op: ENDED });
      } catch (error) {
        this.log.warn({ msg: 'the end of a run could not be stored as an event', run_id, err: error });
      }
    });
  }

  /** After the commit of the unit of work at hand: what clients could still read of the answer is deleted as its run is. */
  deleteEvents(run_id: string): void {
    this.db.current().afterCommit(async () => {
      try {
        await this.streams.deleteStream(runStream(run_id));
      } catch (error) {
        this.log.warn({ msg: 'the stream of a run lasts until its hour is over', run_id, err: error });
      }
    });
  }
}
