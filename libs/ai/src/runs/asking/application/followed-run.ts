import type { EventSocket } from '@atrium/platform/http';
import { asJson, SECOND, type JsonObject } from '@atrium/platform/kernel';
import type { StreamEvent } from '@atrium/platform/messaging';
import { ENDED } from '../../../events/run-events';
import { isRefusal } from '../../../stream/thread-connection';
import type { MessageCitation } from '../../../threads/domain/message';
import type { RunRow } from '../../records/infrastructure/runs.repository';
import { agentAnswerOf } from './agent-runs';

const LOOK_MS = 15 * SECOND;
/** The longest time that a timer takes. */
const LONGEST_MS = 2 ** 31 - 1;

export interface FollowedParts {
  /** The run as it began. */
  readonly run: RunRow;
  readonly socket: Pick<EventSocket, 'sendEvent' | 'endStream' | 'onEnd' | 'isOver'>;
  /** When the credential of the caller expires. */
  readonly expires_at: Date | null | undefined;
  /** Does what asks of the database in turn with the checks of other streams. */
  readonly inTurn: (work: () => Promise<void>) => Promise<void>;
  /** What happens in the run, from its first event on. */
  readonly events: (signal: AbortSignal) => AsyncIterable<StreamEvent>;
  /** The run as its asker may see it now; throws where they are no caller any more. */
  readonly read: () => Promise<RunRow>;
  readonly citations: (list: readonly MessageCitation[]) => Promise<readonly MessageCitation[]>;
}

/** The client of one run: it is sent each event once and in order, and at the end of the run its answer. */
export class FollowedRun {
  private readonly over = new AbortController();
  private hasEnded = false;
  private waits = false;

  constructor(private readonly parts: FollowedParts) {}

  /** Whether the client has the end of the run when this is over. */
  async followRun(): Promise<boolean> {
    const { run, socket, events, expires_at } = this.parts;
    const looking = setInterval(() => void this.checkRun(), LOOK_MS).unref();
    const left = expires_at ? Math.min(expires_at.getTime() - Date.now(), LONGEST_MS) : null;
    const expiring = left === null ? undefined : setTimeout(() => socket.endStream(), Math.max(0, left)).unref();
    socket.onEnd(() => {
      clearInterval(looking);
      clearTimeout(expiring);
      this.over.abort();
    });
    try {
      this.send({ op: 'start', attempt: 1, run });
      for await (const { event } of events(this.over.signal)) {
        if (event['op'] === ENDED) break;
        await this.pass(event);
      }
      if (socket.isOver) return false;
      this.finish(await this.parts.read());
      return true;
    } catch {
      // In an outage, or without rights to the answer: the run goes on, and is read by its id.
      return false;
    } finally {
      socket.endStream();
    }
  }

  /** Looks in turn; a look that waits for its turn is enough for all that are wanted until then. One that finds no place is made up for by the next. */
  async checkRun(): Promise<void> {
    if (this.waits) return;
    this.waits = true;
    const work = (): Promise<void> => {
      this.waits = false;
      return this.parts.socket.isOver ? Promise.resolve() : this.lookNow();
    };
    await this.parts.inTurn(work).catch(() => {
      this.waits = false;
    });
  }

  /** Whether the caller may still follow, and whether an end came that was not heard. */
  private async lookNow(): Promise<void> {
    try {
      const { run_finished } = await this.parts.read();
      // Its last events may be on their way until the next look.
      if (run_finished !== null && this.hasEnded) this.over.abort();
      this.hasEnded = run_finished !== null;
    } catch (error) {
      if (isRefusal(error)) this.parts.socket.endStream();
    }
  }

  /** What the answer cites is shown as far as its asker may read it now. */
  private async pass(event: JsonObject): Promise<void> {
    const { citations } = event;
    if (!Array.isArray(citations)) return this.send(event);
    const shown = await this.parts.citations(citations);
    this.send({ ...event, citations: shown.map(asJson) });
  }

  private finish(run: RunRow): void {
    const { run_status, run_attempt: attempt, run_error: error } = run;
    this.send({ op: 'done', attempt, run_status, answer: run_status === 'completed' ? agentAnswerOf(run) : null, error });
  }

  private send(data: object): void {
    const { socket, run } = this.parts;
    socket.sendEvent({ event: 'assistant_message', data: JSON.stringify({ ...data, run_id: run.run_id }) });
  }
}
