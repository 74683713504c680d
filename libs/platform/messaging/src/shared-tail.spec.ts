import { runUntil } from '@atrium/platform/database';
import { currentEnding } from '@atrium/platform/kernel';
import { SharedTail, type TailSource } from './shared-tail';
import { FROM_START, type StreamEvent, type StreamNotice } from './stream-event';

/** A stream in memory that can be made to fail. */
class FakeSource implements TailSource {
  readonly events: StreamEvent[] = [];
  reads = 0;
  subscribed = 0;
  hasEnded = false;
  isDown = false;
  passedOn = 0;
  /** Entries before this one are old. */
  oldBefore = 0;
  ring: (news?: StreamNotice) => void = () => undefined;

  /** Appends and says so, with what was appended. */
  say(...numbers: readonly number[]): void {
    const after = this.events.at(-1)?.id ?? FROM_START;
    const events = numbers.map((n): StreamEvent => ({ id: String(n), event: { n } }));
    this.events.push(...events);
    this.ring({ after, events: events.map(({ id, event }) => [id, event]) });
  }

  append(n: number): void {
    this.events.push({ id: String(n), event: { n } });
    this.ring();
  }

  isOld(id: string): boolean {
    return Number(id) < this.oldBefore;
  }

  readEvents(afterId: string, limit: number) {
    this.reads++;
    if (this.isDown) return Promise.reject(new Error('down'));
    const events = this.events.filter(({ id }) => Number(id) > Number(afterId)).slice(0, limit);
    const known = afterId !== FROM_START && this.events.some(({ id }) => id === afterId);
    return Promise.resolve({ events, known, newest: this.events.at(-1)?.id ?? null });
  }

  passed(events: number): void {
    this.passedOn += events;
  }

  subscribe(ring: (news?: StreamNotice) => void) {
    this.subscribed++;
    this.ring = ring;
    return Promise.resolve(() => Promise.resolve(void this.subscribed--));
  }

  ended(): void {
    this.hasEnded = true;
  }
}

describe('a tail that is shared', () => {
  let source: FakeSource;
  let tail: SharedTail;
  const heard: string[] = [];
  const listener = { onEvent: ({ id }: StreamEvent) => void heard.push(id), onMissed: () => void heard.push('missed') };

  beforeEach(() => {
    jest.useFakeTimers();
    source = new FakeSource();
    tail = new SharedTail(source);
    heard.length = 0;
  });
  afterEach(() => jest.useRealTimers());

  it('passes on what a signal says was appended, without reading it', async () => {
    source.say(1);
    await tail.joinTail(listener);
    await jest.advanceTimersByTimeAsync(0);
    const before = source.reads;
    source.say(2, 3);
    source.say(4);
    expect(heard).toEqual(['2', '3', '4']);
    await jest.advanceTimersByTimeAsync(0);
    expect(source.reads).toBe(before);
    expect(source.passedOn).toBe(3);
    source.append(5);
    await jest.advanceTimersByTimeAsync(0);
    expect(heard.slice(3)).toEqual(['5']);
  });

  it('reads where a signal was lost, comes while it reads, or comes twice, so that each event is heard once and in order', async () => {
    await tail.joinTail(listener);
    source.say(1);
    source.say(2);
    await jest.advanceTimersByTimeAsync(0);
    expect(heard).toEqual(['1', '2']);
    const { ring } = source;
    source.ring = () => undefined;
    source.say(3);
    source.ring = ring;
    source.say(4);
    expect(heard).toEqual(['1', '2']);
    source.ring({ after: '3', events: [['4', { n: 4 }]] });
    await jest.advanceTimersByTimeAsync(0);
    source.ring({ after: '3', events: [['4', { n: 4 }]] });
    await jest.advanceTimersByTimeAsync(0);
    expect(heard).toEqual(['1', '2', '3', '4']);
  });

  it('says that events may be missing when signals are back, also where the next one has all of them', async () => {
    await tail.joinTail(listener);
    await jest.advanceTimersByTimeAsync(0);
    tail.handleRenewal();
    source.say(1);
    await jest.advanceTimersByTimeAsync(0);
    expect(heard).toEqual(['1', 'missed']);
  });

  it('reads for all who listen once, from the moment the first one joined', async () => {
    source.append(1);
    const joined = await Promise.all([tail.joinTail(listener), tail.joinTail({ onEvent: () => undefined })]);
    await jest.advanceTimersByTimeAsync(0);
    const before = source.reads;
    source.append(2);
    await jest.advanceTimersByTimeAsync(0);
    expect(heard).toEqual(['2']);
    expect(source.reads - before).toBe(1);
    await Promise.all(joined.map((one) => one.leaveStream()));
  });

  it('ends with the last who leaves, and not before', async () => {
    const [first, second] = [await tail.joinTail(listener), await tail.joinTail({ onEvent: () => undefined })];
    await second.leaveStream();
    expect([source.hasEnded, source.subscribed]).toEqual([false, 1]);
    await first.leaveStream();
    await first.leaveStream();
    expect([source.hasEnded, source.subscribed]).toEqual([true, 0]);
  });

  it('is heard by those who stay, apart from the request of the one who began it and has left', async () => {
    const ended = new AbortController();
    const endings: (AbortSignal | undefined)[] = [];
    const first = await runUntil(
      () => ended.signal,
      () => tail.joinTail(listener),
    );
    const second = await tail.joinTail({ onEvent: () => void endings.push(currentEnding()) });
    await first.leaveStream();
    ended.abort();
    source.append(1);
    await jest.advanceTimersByTimeAsync(0);
    expect(endings).toEqual([undefined]);
    await second.leaveStream();
  });

  it('finds an event whose signal was lost', async () => {
    const joined = await tail.joinTail(listener);
    await jest.advanceTimersByTimeAsync(0);
    source.events.push({ id: '7', event: {} });
    await jest.advanceTimersByTimeAsync(16_000);
    expect(heard).toEqual(['7']);
    await joined.leaveStream();
  });

  it('goes on after an outage, and reports that events may be missing once it has passed on those it found', async () => {
    const joined = await tail.joinTail(listener);
    await jest.advanceTimersByTimeAsync(0);
    source.isDown = true;
    source.append(3);
    await jest.advanceTimersByTimeAsync(5_000);
    expect(heard).toEqual([]);
    source.isDown = false;
    await jest.advanceTimersByTimeAsync(1_000);
    expect(heard).toEqual(['3', 'missed']);
    await joined.leaveStream();
  });

  it.each([
    ['with new ones in it', [9], ['5', '9', 'missed']],
    ['and is empty', [], ['5', 'missed']],
  ])('reports once that events may be missing when the store has lost what it had, %s', async (_, later, expected) => {
    const joined = await tail.joinTail(listener);
    source.append(5);
    await jest.advanceTimersByTimeAsync(0);
    source.events.length = 0;
    for (const n of later) source.append(n);
    await jest.advanceTimersByTimeAsync(120_000);
    expect(heard).toEqual(expected);
    source.append(10);
    await jest.advanceTimersByTimeAsync(0);
    expect(heard).toEqual([...expected, '10']);
    await joined.leaveStream();
  });

  it('reports that events may be missing when signals are back after a while, also where none were stored', async () => {
    const joined = await tail.joinTail(listener);
    await jest.advanceTimersByTimeAsync(0);
    tail.handleRenewal();
    await jest.advanceTimersByTimeAsync(0);
    expect(heard).toEqual(['missed']);
    source.append(1);
    await jest.advanceTimersByTimeAsync(0);
    expect(heard).toEqual(['missed', '1']);
    await joined.leaveStream();
  });

  it('misses nothing when the last event is forgotten because it is old', async () => {
    const joined = await tail.joinTail(listener);
    source.append(5);
    await jest.advanceTimersByTimeAsync(0);
    source.oldBefore = 6;
    source.events.length = 0;
    await jest.advanceTimersByTimeAsync(60_000);
    source.append(9);
    await jest.advanceTimersByTimeAsync(0);
    expect(heard).toEqual(['5', '9']);
    await joined.leaveStream();
  });

  it('that cannot begin is over, so that the next one begins again', async () => {
    source.isDown = true;
    await expect(tail.joinTail(listener)).rejects.toThrow('down');
    expect([source.hasEnded, source.subscribed]).toEqual([true, 0]);
  });
});
