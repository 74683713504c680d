import { requireScope, runInScope } from '@atrium/platform/database';
import type { JsonObject } from '@atrium/platform/kernel';
import type { Metrics } from '@atrium/platform/observability';
import { tenantChannel, type Signals } from './signals';

/** One event of a stream; its id is the `Last-Event-ID` a client resumes with. */
export interface StreamEvent {
  readonly id: string;
  readonly event: JsonObject;
}

/** How long an event can be read again. */
export const STREAM_RETENTION_SECONDS = 3_600;
/** Before the first event. */
export const FROM_START = '0';

const PAGE = 200;
const LOOK_AGAIN_MS = 2_000;

/**
 * Ordered events of one subject of the workspace at hand (the answer of an agent, the course of a run), kept for an hour,
 * so that a client that lost its connection can resume where it stopped. The end of a stream is an event its writer defines.
 */
export abstract class EventStreams {
  private metrics: Metrics | undefined;

  constructor(private readonly signals: Signals) {}

  /** Has events counted from now on. */
  countedBy(metrics: Metrics | undefined): this {
    this.metrics = metrics;
    return this;
  }

  /** Appends and wakes who follows; the event's id. */
  async append(stream: string, event: JsonObject): Promise<string> {
    const id = await this.store(stream, event);
    this.metrics?.streamEvents.inc({ direction: 'appended' });
    await this.signals.publish(tenantChannel(`stream/${stream}`), {}).catch(() => undefined);
    return id;
  }

  /** Events after the given one, oldest first. An id that this stream did not issue reads from the start. */
  abstract read(stream: string, afterId: string, limit: number): Promise<StreamEvent[]>;

  protected abstract store(stream: string, event: JsonObject): Promise<string>;

  /** Follows a stream until the signal is aborted. */
  async *tail(stream: string, afterId: string, signal: AbortSignal): AsyncGenerator<StreamEvent, void, void> {
    const scope = requireScope();
    const bell = new Bell(signal);
    const unsubscribe = await this.signals.subscribe(tenantChannel(`stream/${stream}`), () => bell.ring());
    try {
      for (let last = afterId; !signal.aborted;) {
        bell.reset();
        const events = await runInScope(scope, () => this.read(stream, last, PAGE));
        if (events.length > 0) this.metrics?.streamEvents.inc({ direction: 'read' }, events.length);
        for (const event of events) {
          last = event.id;
          yield event;
        }
        if (events.length < PAGE) await bell.rung(LOOK_AGAIN_MS);
      }
    } finally {
      await unsubscribe();
    }
  }
}

/** Waits for a ring, the signal or the time, whichever comes first; a ring since the last reset counts. */
export class Bell {
  private wasRung = false;
  private wake: (() => void) | undefined;

  constructor(private readonly signal: AbortSignal) {
    signal.addEventListener('abort', () => this.ring(), { once: true });
  }

  ring(): void {
    this.wasRung = true;
    this.wake?.();
  }

  reset(): void {
    this.wasRung = false;
  }

  rung(withinMs: number): Promise<void> {
    if (this.wasRung || this.signal.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, withinMs);
      this.wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
