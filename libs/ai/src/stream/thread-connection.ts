import type { Principal } from '@atrium/platform/access';
import type { EventSocket } from '@atrium/platform/http';
import { asJson, type JsonObject } from '@atrium/platform/kernel';
import { FROM_START, type EventStreams, type StreamEvent } from '@atrium/platform/messaging';
import { MISSED } from '../events/thread-event';
import type { EntryTexts } from './entry-texts';
import { entryOf, type ReaderView, type StreamEntry } from './reader-view';
import type { ClientEvent, StoredState, StreamEnd, ThreadState } from './thread-state';

/** What a connection asks of the thread; each call works with the rights that the caller has at that moment, and throws when they have none. */
export interface ThreadSource {
  readStored(): Promise<StoredState>;
  /** The message of the run that is answering, as the caller sees it, at exactly the checkpoint that is answered beside it; null when it is gone. */
  readSnapshot(msg_id: string): Promise<{ readonly message: JsonObject; readonly stored: StoredState } | null>;
  /** A message as the caller sees it; null when it is gone. */
  readMessage(msg_id: string): Promise<JsonObject | null>;
  readPresence(): Promise<JsonObject>;
  viewEntry(entry: StreamEntry): Promise<JsonObject>;
}

export interface ConnectionParts {
  readonly thread_id: string;
  readonly caller: Principal;
  readonly stream: string;
  readonly streams: Pick<EventStreams, 'readEvents' | 'idSince' | 'isAfter'>;
  readonly source: ThreadSource;
  readonly view: Pick<ReaderView, 'isPlain'>;
  readonly texts: EntryTexts;
  readonly socket: Pick<EventSocket, 'sendEvent' | 'sendText' | 'endStream' | 'isOver'>;
}

const PAGE = 200;

/**
 * One client that follows a thread. It is sent what it missed, or the state of the thread, and then every event once and in
 * order. Events that arrive in the meantime wait; they are processed one after the other.
 */
export class ThreadConnection {
  private readonly waiting: (() => Promise<void>)[] = [];
  private isOpen = false;
  private working = false;
  private last = FROM_START;
  private state: ThreadState | undefined;
  private attempt = 1;
  /** The answer whose end this client has. */
  private ended: string | undefined;
  /** How often events may have been missing, and of these how often the rows have been read since. */
  private missed = 0;
  private caughtUp = 0;
  /** The newest entry when the rows were read last: what was missing before it is in them. */
  private readUpTo = FROM_START;
  /** Part of the state was sent: what follows it must not be left out. */
  private isTorn = false;
  /** The answer that this client was following when events began to be missing. */
  private unheard: { readonly run_id: string | null; readonly msg_id: string; readonly attempt: number } | undefined;

  constructor(private readonly parts: ConnectionParts) {}

  get caller(): Principal {
    return this.parts.caller;
  }

  /** Comes first; what is heard in the meantime follows. */
  openFrom(after: string | undefined): void {
    this.isOpen = true;
    this.waiting.unshift(async () => {
      const { streams, stream } = this.parts;
      const page = after === undefined ? undefined : await streams.readEvents(stream, after, PAGE);
      if (after === undefined || !page?.known) return this.showState(after !== undefined);
      // What is behind the id corrects it, up to the last change that is known.
      const { state, attempt } = await this.parts.source.readStored();
      [this.state, this.attempt, this.last] = [state, attempt, after];
      await this.replay(after);
      this.send({ event: 'presence', data: await this.parts.source.readPresence() });
    });
    void this.work();
  }

  handleEvent(event: StreamEvent): void {
    // Most events of an answer are the same for everybody: with nothing before them they are sent at once.
    if (this.isOpen && !this.working && this.isTheSameForAll(event)) this.pass(event);
    else this.queue(() => this.deliver(event));
  }

  sendPresence(data: JsonObject): void {
    this.queue(async () => this.send({ event: 'presence', data }));
  }

  /** Events may be missing: what the rows say counts, and the client reads again what it does not follow. */
  catchUp(): void {
    this.queue(this.catchingUp());
  }

  private catchingUp(): () => Promise<void> {
    const missed = ++this.missed;
    return async () => {
      try {
        await this.showRows();
        this.caughtUp = missed;
      } catch (error) {
        // As long as store or database are away the client keeps its stream: it is brought up to date when they are back. One that has
        // part of the state connects again by the last id that it was sent.
        if (isRefusal(error) || this.isTorn) throw error;
      }
    };
  }

  /** Whether this connection has all that was to be heard, and believes the run to be answering that the rows name. */
  isUpToDate(run_id: string | null): boolean {
    if (this.state === undefined || this.working) return true;
    return this.caughtUp === this.missed && this.state.run_id === run_id;
  }

  /** The caller may not read the thread any more, or is no caller any more. */
  refuseReader(): void {
    const { expires_at } = this.caller;
    this.closeStream(expires_at && expires_at.getTime() <= Date.now() ? 'expired' : 'access_revoked');
  }

  /** Says why, and ends the stream. What waits is not sent any more. */
  closeStream(reason: StreamEnd): void {
    this.waiting.length = 0;
    const { thread_id, socket } = this.parts;
    const state = this.state ?? { ...UNKNOWN, thread_id };
    // Nothing was sent yet to who comes in when the host is about to end: it connects to another one.
    const isKnown = this.state !== undefined || reason !== 'shutdown';
    if (!socket.isOver && isKnown) socket.sendEvent({ event: 'lock', data: JSON.stringify({ ...state, resync: false, closed: reason }) });
    socket.endStream();
  }

  /** The state, and the end of an answer that this client was following and that was not heard. */
  private async showRows(): Promise<void> {
    const { state, attempt } = this;
    if (state?.locked && state.msg_id !== null) this.unheard ??= { run_id: state.run_id, msg_id: state.msg_id, attempt };
    await this.showState(true);
    const { unheard } = this;
    if (unheard && this.state?.run_id !== unheard.run_id && this.ended !== unheard.msg_id) {
      const { thread_id, source } = this.parts;
      const [message, { thread }] = [await source.readMessage(unheard.msg_id), await source.readStored()];
      this.ended = unheard.msg_id;
      if (message) this.send({ event: 'assistant_message', data: { op: 'done', thread_id, ...unheard, message, thread } });
    }
    this.unheard = undefined;
  }

  private async showState(resync: boolean): Promise<void> {
    const { streams, stream, source, thread_id } = this.parts;
    const newest = (await streams.readEvents(stream, FROM_START, 1)).newest ?? FROM_START;
    let stored = await source.readStored();
    const { msg_id, run_id } = stored.state;
    const shot = msg_id === null ? null : await source.readSnapshot(msg_id);
    if (shot) stored = shot.stored;
    // The run has ended since: its last events come behind the newest one that was seen.
    const answers = shot !== null && stored.state.run_id === run_id;
    [this.state, this.attempt, this.isTorn, this.readUpTo] = [stored.state, stored.attempt, true, newest];
    this.send({ event: 'lock', data: { ...asJson(stored.state), resync }, id: answers || newest === FROM_START ? undefined : newest });
    this.send({ event: 'presence', data: await source.readPresence() });
    this.last = newest;
    const { checkpoint, attempt, run_created } = stored;
    if (!shot || !answers) await this.replay(newest);
    else {
      const data = { op: 'snapshot', thread_id, msg_id, run_id, attempt, message: shot.message };
      this.send({ event: 'assistant_message', data, id: checkpoint ?? undefined });
      if (checkpoint !== null) await this.replay(checkpoint);
      else await this.replay(streams.idSince(run_created ?? new Date()), msg_id);
    }
    this.isTorn = false;
  }

  /** Everything after an entry; with a message, from its first entry on. */
  private async replay(from: string, firstOf: string | null = null): Promise<void> {
    const { streams, stream } = this.parts;
    let hasBegun = firstOf === null;
    let at = from;
    this.last = from;
    for (let isFull = true; isFull && !this.parts.socket.isOver;) {
      const { events } = await streams.readEvents(stream, at, PAGE);
      for (const event of events) {
        hasBegun ||= entryOf(event).data.msg_id === firstOf;
        if (hasBegun) await this.deliver(event);
        else this.last = event.id;
      }
      at = events.at(-1)?.id ?? at;
      isFull = events.length === PAGE;
    }
  }

  private async deliver(event: StreamEvent): Promise<void> {
    if (this.isTheSameForAll(event)) return this.pass(event);
    if (!this.takes(event)) return;
    const entry = entryOf(event);
    if (entry.kind === MISSED) {
      // Before anything that was heard behind it.
      if (this.parts.streams.isAfter(event.id, this.readUpTo)) this.waiting.unshift(this.catchingUp());
      return;
    }
    if (entry.kind === 'lock') return this.lock(event.id, entry.data);
    const data = await this.parts.source.viewEntry(entry);
    if (!this.isEndAgain(entry)) this.send({ event: entry.kind, data, id: event.id });
  }

  private async lock(id: string, data: JsonObject): Promise<void> {
    const isDeleted = data.closed === 'deleted';
    // A deletion that is read again later may have been taken back since.
    if (isDeleted && (await this.mayRead())) return;
    if (data.run_id !== this.state?.run_id) this.attempt = 1;
    this.state = stateIn(data);
    this.send({ event: 'lock', data: { ...data, resync: false }, id });
    if (isDeleted) this.parts.socket.endStream();
  }

  private async mayRead(): Promise<boolean> {
    try {
      await this.parts.source.readStored();
      return true;
    } catch (error) {
      if (isRefusal(error)) return false;
      throw error;
    }
  }

  /** An end that was sent from the rows, after an outage, comes from the stream as well. */
  private isEndAgain({ data }: StreamEntry): boolean {
    if (data.op !== 'done' || typeof data.msg_id !== 'string') return false;
    if (this.unheard?.msg_id === data.msg_id) this.unheard = undefined;
    if (this.ended === data.msg_id) return true;
    this.ended = data.msg_id;
    return false;
  }

  private isTheSameForAll(event: StreamEvent): boolean {
    const entry = entryOf(event);
    return entry.kind !== 'lock' && entry.kind !== MISSED && this.parts.view.isPlain(entry);
  }

  private pass(event: StreamEvent): void {
    if (this.takes(event)) this.parts.socket.sendText(this.parts.texts.getText(event));
  }

  /** Whether the event comes behind all that this client has; from now on it has it. */
  private takes(event: StreamEvent): boolean {
    if (!this.parts.streams.isAfter(event.id, this.last)) return false;
    this.last = event.id;
    const { attempt, run_id } = entryOf(event).data;
    if (typeof attempt === 'number' && run_id === this.state?.run_id) this.attempt = attempt;
    return true;
  }

  private send({ event, data, id }: ClientEvent): void {
    this.parts.socket.sendEvent({ event, data: JSON.stringify(data), id });
  }

  private queue(work: () => Promise<void>): void {
    this.waiting.push(work);
    if (this.isOpen && !this.working) void this.work();
  }

  private async work(): Promise<void> {
    this.working = true;
    for (let next = this.waiting.shift(); next && !this.parts.socket.isOver; next = this.waiting.shift()) {
      try {
        await next();
      } catch (error) {
        this.failed(error);
      }
    }
    this.working = false;
  }

  /** A client that may no longer read the thread is notified; in an outage it is left to connect again by its last id. */
  private failed(error: unknown): void {
    if (isRefusal(error)) this.refuseReader();
    else this.parts.socket.endStream();
  }
}

/** Whether a failure means that the caller may not read the thread, or is no caller any more. */
export const isRefusal = (error: unknown): boolean => {
  const status = typeof error === 'object' && error !== null && 'status' in error ? error.status : undefined;
  return status === 401 || status === 403 || status === 404;
};

/** The state that an event of the lock carries. */
const stateIn = (data: JsonObject): ThreadState => {
  const text = (name: keyof ThreadState): string | null => (typeof data[name] === 'string' ? data[name] : null);
  return {
    thread_id: text('thread_id') ?? '',
    locked: data.locked === true,
    generating_for: text('generating_for'),
    run_id: text('run_id'),
    msg_id: text('msg_id'),
    queue: typeof data.queue === 'number' ? data.queue : 0,
    since: text('since'),
    thread_status: text('thread_status') ?? UNKNOWN.thread_status,
    thread_share_mode: text('thread_share_mode') ?? UNKNOWN.thread_share_mode,
  };
};

const UNKNOWN = {
  locked: false,
  generating_for: null,
  run_id: null,
  msg_id: null,
  queue: 0,
  since: null,
  thread_status: 'open',
  thread_share_mode: 'private',
} as const;
