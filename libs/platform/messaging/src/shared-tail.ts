import { apartFromRequest, SECOND } from '@atrium/platform/kernel';
import { Bell } from './bell';
import { FROM_START, type StreamEvent, type StreamNotice, type StreamPage } from './stream-event';
import type { Unsubscribe } from './signals';

/** Who follows a stream in this process. What it throws does not affect the others. */
export interface StreamListener {
  onEvent(event: StreamEvent): void;
  /** The store or the signals are back after an outage, entries are lost, or the stream was cut before it was read: events may be missing. */
  onMissed?(): void;
}

export interface Joined {
  leaveStream(): Promise<void>;
}

/** The stream as its tail reads it. */
export interface TailSource {
  readEvents(afterId: string, limit: number): Promise<StreamPage>;
  /** Rings with what was appended, or with nothing where that is to be read. */
  subscribe(ring: (news?: StreamNotice) => void): Promise<Unsubscribe>;
  /** Whether an entry is so old that the store may have forgotten it with nothing missing behind it. */
  isOld(id: string): boolean;
  /** So many events were passed on to who listens. */
  passed(events: number): void;
  /** Nobody listens any more. */
  ended(): void;
}

const PAGE = 200;
/** A lost signal costs this long; a stream that stays silent is looked at less and less often. */
const FIRST_LOOK_MS = 2 * SECOND;
const LAST_LOOK_MS = 16 * SECOND;
const TRY_AGAIN_MS = SECOND;

/** One reader of one stream, for all who listen in this process. It begins with the first and ends with the last of them, whose requests it is apart from. */
export class SharedTail {
  private readonly listeners = new Set<StreamListener>();
  private readonly over = new AbortController();
  private readonly bell = new Bell(this.over.signal);
  private started: Promise<void> | undefined;
  private unsubscribe: Unsubscribe | undefined;
  private last = FROM_START;
  private wasCutOff = false;
  /** All until `last` was heard, and nothing is being read. */
  private isUpToDate = false;

  constructor(private readonly source: TailSource) {}

  /** Resolves when every event that is appended from now on will be heard. */
  async joinTail(listener: StreamListener): Promise<Joined> {
    this.listeners.add(listener);
    const joined = { leaveStream: () => this.leave(listener) };
    try {
      await (this.started ??= apartFromRequest(() => this.start()));
    } catch (error) {
      await joined.leaveStream();
      throw error;
    }
    return joined;
  }

  /** Signals were not heard for a while; what was to be appended then may not have been. */
  handleRenewal(): void {
    this.wasCutOff = true;
    this.bell.ring();
  }

  private async start(): Promise<void> {
    this.unsubscribe = await this.source.subscribe((news) => this.hearOf(news));
    this.last = (await this.source.readEvents(FROM_START, 1)).newest ?? FROM_START;
    void this.follow();
  }

  /** What follows what was heard last need not be read; all else is. */
  private hearOf(news: StreamNotice | undefined): void {
    const newest = news?.events.at(-1)?.[0];
    if (!news || newest === undefined || !this.isUpToDate || this.wasCutOff || news.after !== this.last) return this.bell.ring();
    this.last = newest;
    this.pass(news.events.map(([id, event]) => ({ id, event })));
  }

  private async leave(listener: StreamListener): Promise<void> {
    if (!this.listeners.delete(listener) || this.listeners.size > 0) return;
    this.source.ended();
    this.over.abort();
    await this.started?.catch(() => undefined);
    await this.unsubscribe?.();
  }

  private async follow(): Promise<void> {
    let hasFailed = false;
    let lookAgainMs = FIRST_LOOK_MS;
    while (!this.over.signal.aborted) {
      this.isUpToDate = false;
      this.bell.reset();
      const { wasCutOff } = this;
      this.wasCutOff = false;
      const page = await this.source.readEvents(this.last, PAGE).catch(() => null);
      if (!page) {
        hasFailed = true;
        await this.pause();
        continue;
      }
      this.pass(page.events);
      const isFull = page.events.length === PAGE;
      const isGone = !page.known && this.last !== FROM_START;
      const hasGap = isGone && !this.source.isOld(this.last);
      this.last = page.events.at(-1)?.id ?? (isGone ? FROM_START : this.last);
      if (hasFailed || hasGap || wasCutOff) this.each((listener) => listener.onMissed?.());
      hasFailed = false;
      lookAgainMs = page.events.length > 0 ? FIRST_LOOK_MS : Math.min(2 * lookAgainMs, LAST_LOOK_MS);
      this.isUpToDate = !isFull;
      if (!isFull) await this.bell.waitForRing(lookAgainMs);
    }
  }

  /** Not shortened by a ring: a store that does not answer is not asked more often because others write to it. */
  private pause(): Promise<void> {
    return new Promise((resolve) => {
      const end = (): void => {
        clearTimeout(timer);
        this.over.signal.removeEventListener('abort', end);
        resolve();
      };
      const timer = setTimeout(end, TRY_AGAIN_MS);
      this.over.signal.addEventListener('abort', end, { once: true });
    });
  }

  private pass(events: readonly StreamEvent[]): void {
    this.source.passed(events.length);
    for (const event of events) this.each((listener) => listener.onEvent(event));
  }

  private each(tell: (listener: StreamListener) => void): void {
    for (const listener of [...this.listeners]) {
      try {
        tell(listener);
      } catch {
        // A failing listener must not affect the others.
      }
    }
  }
}
