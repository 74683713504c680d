import type { Principal } from '@atrium/platform/access';
import { notFound, type JsonObject } from '@atrium/platform/kernel';
import type { StreamEvent } from '@atrium/platform/messaging';
import { EntryTexts } from './entry-texts';
import { ThreadConnection, type ThreadSource } from './thread-connection';
import type { StoredState, ThreadState } from './thread-state';

const IDLE: ThreadState = {
  thread_id: 't',
  locked: false,
  generating_for: null,
  run_id: null,
  msg_id: null,
  queue: 0,
  since: null,
  thread_status: 'open',
  thread_share_mode: 'private',
};
const BUSY: ThreadState = { ...IDLE, locked: true, run_id: 'r', msg_id: 'm' };

const entry = (id: number, kind: string, data: JsonObject): StreamEvent => ({ id: String(id), event: { kind, data } });
const delta = (id: number, text: string): StreamEvent => entry(id, 'assistant_message', { op: 'delta', msg_id: 'm', text, attempt: 1 });

/** A thread whose rows and stream a test sets. */
class FakeThread {
  events: StreamEvent[] = [];
  stored: StoredState = { state: IDLE, checkpoint: null, attempt: 1, run_created: null, thread: { thread_title: 'T', thread_leaf: 'm' } };
  refusal: Error | undefined;
  /** What the store of events answers in place of entries. */
  outage: Error | undefined;
  /** Whether the answer was removed. */
  isGone = false;
  whileReading: () => void = () => undefined;
  readonly sent: string[] = [];
  readonly ids: (string | undefined)[] = [];
  readonly said: Record<string, unknown>[] = [];
  hasEnded = false;

  readonly source: ThreadSource = {
    readStored: () => this.answer(this.stored),
    readSnapshot: () => this.answer({ message: { parts: 'kept' }, stored: this.stored }),
    readMessage: () => this.answer(this.isGone ? null : { msg_status: 'complete' }),
    readPresence: () => this.answer({ users: [] }),
    viewEntry: ({ data }) => this.answer(data),
  };

  connect(caller: Partial<Principal> = {}): ThreadConnection {
    const isOver = (): boolean => this.hasEnded;
    return new ThreadConnection({
      thread_id: 't',
      caller: caller as Principal,
      stream: 'thread/t',
      streams: {
        readEvents: (_stream, after, limit) => {
          if (this.outage) return Promise.reject(this.outage);
          const events = this.events.filter(({ id }) => Number(id) > Number(after)).slice(0, limit);
          const known = this.events.some(({ id }) => id === after);
          return Promise.resolve({ events, known, newest: this.events.at(-1)?.id ?? null });
        },
        idSince: () => '0',
        isAfter: (a, b) => Number(a) > Number(b),
      },
      source: this.source,
      view: { isPlain: ({ data }) => data.message === undefined },
      texts: new EntryTexts(),
      socket: {
        get isOver() {
          return isOver();
        },
        sendEvent: ({ event, data, id }) => this.note(event, data, id),
        sendText: (text) => {
          const [event = '', id, data = ''] = text.split('\n').map((line) => line.slice(line.indexOf(': ') + 2));
          this.note(event, data, id);
        },
        endStream: () => void (this.hasEnded = true),
      },
    });
  }

  /** A client that follows an answer, with its first word. */
  async followed(attempt = 1): Promise<ThreadConnection> {
    this.stored = { ...this.stored, state: BUSY, checkpoint: '1', attempt, run_created: new Date() };
    this.events = [delta(1, 'a')];
    const connection = this.connect();
    connection.openFrom(undefined);
    await settled();
    return connection;
  }

  /** The answer is there, as the rows say. */
  answered(): void {
    this.stored = { ...this.stored, state: IDLE, checkpoint: null, attempt: 1 };
  }

  private note(event: string, data: string, id: string | undefined): void {
    if (this.hasEnded) return;
    const said = JSON.parse(data) as Record<string, string>;
    const { op, text, closed, resync } = said;
    this.sent.push([event, op, text, closed, resync ? 'resync' : undefined].filter(Boolean).join(' '));
    this.ids.push(id);
    this.said.push(said);
  }

  private async answer<T>(value: T): Promise<T> {
    this.whileReading();
    await Promise.resolve();
    if (this.refusal) throw this.refusal;
    return value;
  }
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('a client that follows a thread', () => {
  let thread: FakeThread;
  beforeEach(() => (thread = new FakeThread()));

  it('is sent the state before anything that it heard while it was connecting', async () => {
    const connection = thread.connect();
    thread.events = [delta(5, 'e')];
    connection.handleEvent(delta(6, 'f'));
    thread.events.push(delta(6, 'f'));
    connection.openFrom(undefined);
    await settled();
    expect(thread.sent).toEqual(['lock', 'presence']);
    connection.handleEvent(delta(7, 'g'));
    await settled();
    expect(thread.sent).toEqual(['lock', 'presence', 'assistant_message delta g']);
    expect(thread.ids).toEqual(['6', undefined, '7']);
  });

  it('is sent what happened between the look at the stream and the look at the rows', async () => {
    thread.events = [delta(1, 'a')];
    let isFirst = true;
    thread.whileReading = () => {
      if (isFirst) thread.events.push(entry(2, 'lock', { locked: true }));
      isFirst = false;
    };
    thread.connect().openFrom(undefined);
    await settled();
    expect(thread.sent).toEqual(['lock', 'presence', 'lock']);
  });

  it('gets a snapshot and what came behind its checkpoint; only the snapshot says where to resume', async () => {
    thread.events = [delta(1, 'a'), delta(2, 'b'), delta(3, 'c')];
    thread.stored = { ...thread.stored, state: BUSY, checkpoint: '2', run_created: new Date() };
    thread.connect().openFrom('unknown');
    await settled();
    expect(thread.sent).toEqual(['lock resync', 'presence', 'assistant_message snapshot', 'assistant_message delta c']);
    expect(thread.ids).toEqual([undefined, undefined, '2', '3']);
  });

  it('without a checkpoint gets the answer from its first entry on', async () => {
    thread.events = [entry(1, 'assistant_message', { op: 'done', msg_id: 'other' }), delta(2, 'a'), delta(3, 'b')];
    thread.stored = { ...thread.stored, state: BUSY, run_created: new Date() };
    thread.connect().openFrom(undefined);
    await settled();
    expect(thread.sent.slice(2)).toEqual(['assistant_message snapshot', 'assistant_message delta a', 'assistant_message delta b']);
  });

  it('gets what it missed, over several pages, each event once', async () => {
    thread.events = Array.from({ length: 500 }, (_, at) => delta(at + 1, String(at + 1)));
    const connection = thread.connect();
    connection.openFrom('100');
    thread.events.slice(480).forEach((event) => connection.handleEvent(event));
    connection.handleEvent(delta(501, '501'));
    await settled();
    const texts = thread.sent.filter((line) => line.startsWith('assistant')).map((line) => Number(line.split(' ')[2]));
    expect(texts).toEqual(Array.from({ length: 401 }, (_, at) => at + 101));
    expect(thread.sent).not.toContain('lock');
  });

  it('is sent an end that was not heard, from the rows', async () => {
    const connection = await thread.followed();
    expect([connection.isUpToDate('r'), connection.isUpToDate(null)]).toEqual([true, false]);
    thread.answered();
    connection.catchUp();
    await settled();
    expect(thread.sent.slice(3)).toEqual(['lock resync', 'presence', 'assistant_message done']);
    connection.handleEvent(entry(2, 'assistant_message', { op: 'done', msg_id: 'm', message: {} }));
    connection.handleEvent(entry(3, 'assistant_message', { op: 'done', msg_id: 'next', message: {} }));
    await settled();
    expect(thread.sent.slice(5)).toEqual(['assistant_message done', 'assistant_message done']);
  });

  it('is sent the state once where an event before is missing, and not again for one that the rows had', async () => {
    const connection = await thread.followed();
    thread.answered();
    thread.events.push(entry(2, 'missed', {}), entry(3, 'lock', { locked: true }));
    connection.sendPresence({});
    [...thread.events.slice(1), delta(4, 'next')].forEach((event) => connection.handleEvent(event));
    await settled();
    expect(thread.sent.slice(3)).toEqual(['presence', 'lock resync', 'presence', 'assistant_message done', 'assistant_message delta next']);

    // The answer is read again from a checkpoint before the mark.
    thread.stored = { ...thread.stored, state: BUSY, checkpoint: '1', run_created: new Date() };
    connection.catchUp();
    await settled();
    expect(thread.sent.slice(8)).toEqual(['lock resync', 'presence', 'assistant_message snapshot', 'lock']);
  });

  it('that comes back behind a mark is sent the state as well', async () => {
    thread.events = [delta(1, 'a'), entry(2, 'missed', {}), delta(3, 'c')];
    thread.connect().openFrom('1');
    await settled();
    expect(thread.sent).toEqual(['assistant_message delta c', 'presence', 'lock resync', 'presence']);
  });

  it('is sent an end once that it hears while it looks at the rows', async () => {
    const connection = await thread.followed();
    thread.answered();
    let isFirst = true;
    thread.whileReading = () => {
      if (isFirst) thread.events.push(entry(2, 'assistant_message', { op: 'done', msg_id: 'm', message: {} }));
      isFirst = false;
    };
    connection.catchUp();
    await settled();
    expect(thread.sent.slice(3)).toEqual(['lock resync', 'presence', 'assistant_message done']);
    expect(thread.ids.at(-1)).toBe('2');
  });

  it('is notified that it may no longer read the thread, and sent nothing else', async () => {
    const connection = thread.connect();
    connection.openFrom(undefined);
    await settled();
    thread.refusal = notFound('thread');
    connection.handleEvent(entry(1, 'assistant_message', { op: 'done', msg_id: 'm', message: {} }));
    connection.handleEvent(delta(2, 'b'));
    await settled();
    expect(thread.sent.slice(2)).toEqual(['lock access_revoked']);
    expect(thread.hasEnded).toBe(true);
  });

  it('is notified that its credential has expired where that is why', async () => {
    const connection = thread.connect({ expires_at: new Date(Date.now() - 1) });
    connection.openFrom(undefined);
    await settled();
    thread.refusal = notFound('thread');
    connection.handleEvent(entry(1, 'assistant_message', { op: 'done', msg_id: 'm', message: {} }));
    await settled();
    expect(thread.sent.slice(2)).toEqual(['lock expired']);
  });

  it('is left without a word when the database cannot be reached, so that it resumes where it was', async () => {
    const connection = thread.connect();
    connection.openFrom(undefined);
    await settled();
    thread.refusal = new Error('down');
    connection.handleEvent(entry(1, 'assistant_message', { op: 'done', msg_id: 'm', message: {} }));
    await settled();
    expect([thread.sent.length, thread.hasEnded]).toEqual([2, true]);
  });

  it('is sent in order what must be asked about and what must not', async () => {
    const connection = thread.connect();
    connection.openFrom(undefined);
    await settled();
    connection.handleEvent(delta(1, 'a'));
    connection.handleEvent(entry(2, 'assistant_message', { op: 'done', msg_id: 'm', message: {} }));
    connection.handleEvent(entry(3, 'lock', { locked: false }));
    connection.handleEvent(delta(4, 'b'));
    connection.handleEvent(delta(4, 'b'));
    await settled();
    connection.handleEvent(delta(5, 'c'));
    connection.handleEvent(delta(5, 'c'));
    expect(thread.sent.slice(2)).toEqual([
      'assistant_message delta a',
      'assistant_message done',
      'lock',
      'assistant_message delta b',
      'assistant_message delta c',
    ]);
    expect(thread.ids.slice(2)).toEqual(['1', '2', '3', '4', '5']);
  });

  it('reads again after an outage in which an answer began and ended', async () => {
    const connection = thread.connect();
    connection.openFrom(undefined);
    await settled();
    connection.catchUp();
    await settled();
    expect(thread.sent).toEqual(['lock', 'presence', 'lock resync', 'presence']);
  });

  it('ends with a thread that is deleted', async () => {
    const connection = thread.connect();
    connection.openFrom(undefined);
    await settled();
    thread.refusal = notFound('thread');
    connection.handleEvent(entry(1, 'lock', { closed: 'deleted' }));
    await settled();
    expect([thread.sent.at(-1), thread.hasEnded]).toEqual(['lock deleted', true]);
  });

  it('that was deleted and is back goes on behind the deletion', async () => {
    thread.events = [delta(1, 'a'), entry(2, 'lock', { closed: 'deleted' }), entry(3, 'lock', { locked: false }), delta(4, 'b')];
    thread.connect().openFrom('1');
    await settled();
    expect(thread.sent).toEqual(['lock', 'assistant_message delta b', 'presence']);
    expect(thread.hasEnded).toBe(false);
  });

  it('keeps its stream while the store of events is away, and has the end afterwards', async () => {
    const connection = await thread.followed(2);
    thread.answered();
    thread.outage = new Error('away');
    connection.catchUp();
    await settled();
    expect([thread.sent.length, thread.hasEnded, connection.isUpToDate(null)]).toEqual([3, false, false]);
    thread.outage = undefined;
    connection.catchUp();
    await settled();
    expect(thread.sent.slice(3)).toEqual(['lock resync', 'presence', 'assistant_message done']);
    expect(thread.said.at(-1)).toMatchObject({ op: 'done', msg_id: 'm', run_id: 'r', attempt: 2 });
    expect(connection.isUpToDate(null)).toBe(true);
  });

  it('has the end of an answer also where the rows were away in the midst of looking', async () => {
    const connection = await thread.followed();
    thread.answered();
    let looks = 0;
    thread.whileReading = () => (thread.refusal = ++looks === 3 ? new Error('down') : undefined);
    connection.catchUp();
    await settled();
    expect(thread.sent.slice(3)).toEqual(['lock resync', 'presence']);
    connection.catchUp();
    await settled();
    expect(thread.sent.slice(5)).toEqual(['lock resync', 'presence', 'assistant_message done']);
  });

  it('connects again where the store fails behind a part of the state, so that nothing is left out', async () => {
    const connection = await thread.followed();
    thread.events = [delta(1, 'a'), delta(2, 'b')];
    thread.whileReading = () => (thread.outage = thread.sent.length > 3 ? new Error('away') : undefined);
    connection.catchUp();
    await settled();
    connection.handleEvent(delta(3, 'c'));
    await settled();
    expect(thread.sent.slice(3)).toEqual(['lock resync', 'presence', 'assistant_message snapshot']);
    expect([thread.hasEnded, thread.ids.at(-1)]).toEqual([true, '1']);
  });

  it('is looked at again while a later loss was not made up for', async () => {
    const connection = await thread.followed();
    thread.answered();
    connection.catchUp();
    connection.catchUp();
    thread.whileReading = () =>
      (thread.outage = thread.sent.filter((line) => line === 'presence').length > 1 ? new Error('away') : undefined);
    await settled();
    expect([thread.hasEnded, connection.isUpToDate(null)]).toEqual([false, false]);
  });

  it('is sent the end of the answer that followed one whose end was heard after all', async () => {
    const connection = await thread.followed();
    thread.outage = new Error('away');
    connection.catchUp();
    await settled();
    thread.outage = undefined;
    connection.handleEvent(entry(2, 'assistant_message', { op: 'done', msg_id: 'm', run_id: 'r', message: {} }));
    connection.handleEvent(entry(3, 'lock', { ...BUSY, run_id: 'next', msg_id: 'n' }));
    await settled();
    thread.answered();
    connection.catchUp();
    await settled();
    expect(thread.said.filter(({ op }) => op === 'done').map(({ msg_id, run_id }) => [msg_id, run_id])).toEqual([
      ['m', 'r'],
      ['n', 'next'],
    ]);
  });

  it('takes the attempt of an end from the run that answers, not from an older answer that is changed', async () => {
    const connection = await thread.followed();
    connection.handleEvent(entry(2, 'assistant_message', { op: 'updated', msg_id: 'old', run_id: 'older', attempt: 3, message: {} }));
    await settled();
    thread.answered();
    connection.catchUp();
    await settled();
    expect(thread.said.at(-1)).toMatchObject({ op: 'done', run_id: 'r', attempt: 1 });
  });

  it('is sent away without a word that may be wrong where the host ends before anything is known', () => {
    thread.connect().closeStream('shutdown');
    expect([thread.sent, thread.hasEnded]).toEqual([[], true]);
  });

  it('keeps its stream where the answer that it followed was removed in that time', async () => {
    const connection = await thread.followed();
    thread.answered();
    thread.isGone = true;
    connection.catchUp();
    await settled();
    expect([thread.sent.slice(3), thread.hasEnded]).toEqual([['lock resync', 'presence'], false]);
  });

  it('that comes back by an id knows the state: an end that is not heard is missed, and the last word is true', async () => {
    thread.stored = { ...thread.stored, state: BUSY, checkpoint: '1', attempt: 3, run_created: new Date() };
    thread.events = [delta(1, 'a'), delta(2, 'b')];
    const connection = thread.connect();
    connection.openFrom('1');
    await settled();
    expect([connection.isUpToDate('r'), connection.isUpToDate(null)]).toEqual([true, false]);
    connection.closeStream('shutdown');
    expect(thread.said.at(-1)).toMatchObject({ closed: 'shutdown', locked: true, run_id: 'r', msg_id: 'm' });
  });

  it('is given the attempt with a snapshot', async () => {
    thread.stored = { ...thread.stored, state: BUSY, checkpoint: null, attempt: 2, run_created: new Date() };
    thread.connect().openFrom(undefined);
    await settled();
    expect(thread.said.at(-1)).toMatchObject({ op: 'snapshot', attempt: 2, run_id: 'r' });
  });
});
