import { inWorkspace, requireScope, runInScope } from '@atrium/platform/database';
import type { JsonObject } from '@atrium/platform/kernel';
import type { Metrics } from '@atrium/platform/observability';
import { Bell } from './bell';
import { SharedTail, type Joined, type StreamListener, type TailSource } from './shared-tail';
import {
  CLOCKS_DIFFER_MS,
  FROM_START,
  STREAM_RETENTION_SECONDS,
  StreamFenced,
  type Fence,
  type StreamEvent,
  type StreamNotice,
  type StreamPage,
} from './stream-event';
import { tenantChannel, type Channel, type Signals } from './signals';

const PAGE = 200;
const WAIT_MS = 60_000;
/** Entries of this age may have been forgotten; `idSince` adds what clocks differ by. */
const OLD_MS = STREAM_RETENTION_SECONDS * 1_000 - 2 * CLOCKS_DIFFER_MS;

/**
 * Ordered events of one subject of the workspace at hand (the answer of an agent, the course of a run), kept for an hour,
 * so that a client that lost its connection can resume where it stopped. The end of a stream is an event its writer defines.
 * However many listen in a process, it reads each stream once.
 */
export abstract class EventStreams {
  private readonly tails = new Map<string, SharedTail>();
  private metrics: Metrics | undefined;

  constructor(private readonly signals: Signals) {
    signals.onRenewed(() => {
      for (const tail of this.tails.values()) tail.handleRenewal();
    });
  }

  /** Has events counted from now on. */
  countedBy(metrics: Metrics | undefined): this {
    this.metrics = metrics;
    return this;
  }

  /** Appends and wakes who follows; the event's id. Throws `StreamFenced` when the stream has seen a higher token of the fence. */
  appendEvent(stream: string, event: JsonObject, fence?: Fence): Promise<string> {
    return this.appendAll(stream, [event], fence);
  }

  /** The same for events that come at once, all of them or none; the id of the last. */
  async appendAll(stream: string, events: readonly JsonObject[], fence?: Fence): Promise<string> {
    if (events.length === 0) throw new Error('No event is appended.');
    const id = await this.storeEvents(stream, events, fence).catch((error: unknown) => {
      if (!(error instanceof StreamFenced)) this.metrics?.streamEventsLost.inc(events.length);
      throw error;
    });
    this.metrics?.streamEvents.inc({ direction: 'appended' }, events.length);
    await this.announceEvents(stream);
    return id;
  }

  /** Events after the given one. An id that this stream did not issue reads from the start. */
  abstract readEvents(stream: string, afterId: string, limit: number): Promise<StreamPage>;

  /** Whether an id of a stream was issued after another one of it. */
  abstract isAfter(id: string, other: string): boolean;

  /** An id before those of all events that were appended since the moment, as far as clocks agree to a minute. */
  abstract idSince(moment: Date): string;

  /**
   * Removes streams of the workspace at hand, with their fences, wherever they are beyond the tables of the workspace: at most so
   * many at a time. How many went, and whether there may be more.
   */
  abstract forgetOwn(most: number): Promise<{ readonly removed: number; readonly isDone: boolean }>;

  /** Removes the events of a stream before their time; who follows reads on from what comes next. */
  abstract deleteStream(stream: string): Promise<void>;

  /** Appends all of the events or none; the id of the last. */
  protected abstract storeEvents(stream: string, events: readonly JsonObject[], fence: Fence | undefined): Promise<string>;

  /** Wakes who follows, unless the store has done so. */
  protected async announceEvents(stream: string): Promise<void> {
    await this.signals.publish(channelOf(stream), {}).catch(() => undefined);
  }

  /** Passes every event from now on to the listener, each once and in order, until it leaves. Outside of a unit of work. */
  async joinStream(stream: string, listener: StreamListener): Promise<Joined> {
    const key = channelOf(stream);
    const tail = this.tails.get(key) ?? new SharedTail(this.sourceOf(stream, key));
    this.tails.set(key, tail);
    return tail.joinTail(listener);
  }

  /** Follows a stream until the signal is aborted. */
  async *tailStream(stream: string, afterId: string, signal: AbortSignal): AsyncGenerator<StreamEvent, void, void> {
    const scope = requireScope();
    const bell = new Bell(signal);
    const live: StreamEvent[] = [];
    const joined = await this.joinStream(stream, {
      onEvent: (event) => {
        live.push(event);
        bell.ring();
      },
    });
    try {
      let last = afterId;
      for (let isBehind = true; isBehind && !signal.aborted;) {
        const { events, known } = await runInScope(scope, () => this.readEvents(stream, last, PAGE));
        for (const event of events) yield event;
        last = events.at(-1)?.id ?? (known ? last : FROM_START);
        isBehind = events.length === PAGE;
      }
      while (!signal.aborted) {
        bell.reset();
        for (let next = live.shift(); next && !signal.aborted; next = live.shift()) {
          if (!this.isAfter(next.id, last)) continue;
          last = next.id;
          yield next;
        }
        if (live.length === 0) await bell.waitForRing(WAIT_MS);
      }
    } finally {
      await joined.leaveStream();
    }
  }

  private sourceOf(stream: string, key: Channel): TailSource {
    const { tenant_id } = requireScope();
    return {
      // For all who listen, so as none of them: the first may be gone, or no longer allowed, while others follow.
      readEvents: (afterId, limit) => inWorkspace(tenant_id, () => this.readEvents(stream, afterId, limit)),
      subscribe: (ring) => this.signals.subscribe(key, (said) => ring(newsIn(said))),
      isOld: (id) => this.isAfter(this.idSince(new Date(Date.now() - OLD_MS)), id),
      passed: (events) => void this.metrics?.streamEvents.inc({ direction: 'read' }, events),
      ended: () => void this.tails.delete(key),
    };
  }
}

/** What a signal says was appended; nothing where that was too large for it. */
function newsIn({ after, events }: JsonObject): StreamNotice | undefined {
  return typeof after === 'string' && Array.isArray(events) ? { after, events } : undefined;
}

export const channelOf = (stream: string): Channel => tenantChannel(`stream/${stream}`);
