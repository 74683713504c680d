import { inWorkspace, type Database } from '@atrium/platform/database';
import type { EventStreams } from '@atrium/platform/messaging';
import type { ThreadEvent } from './thread-event';
import { ThreadEvents } from './thread-events';

const TENANT = '0190163d-8694-739b-aea5-966c26f8ad91';
const FENCE = { run_id: 'r', attempt: 1 };
const lock = (run_id: string): ThreadEvent => ({ kind: 'lock', data: { run_id } as never });

interface Entry {
  readonly kind: string;
  readonly data: { readonly run_id?: string };
}

/** Events of one thread whose store can be away. */
class Thread {
  readonly stored: string[] = [];
  readonly committed: (() => void | Promise<void>)[] = [];
  isAway = false;
  inUnit = false;
  tries = 0;
  readonly events: ThreadEvents;

  constructor() {
    const openNow = (): object | undefined =>
      this.inUnit ? { afterCommit: (work: () => Promise<void>) => void this.committed.push(work) } : undefined;
    const db = {
      get open() {
        return openNow();
      },
    };
    const streams = {
      appendEvent: (stream: string, event: Entry) => streams.appendAll(stream, [event]),
      appendAll: (_stream: string, events: readonly Entry[]) => {
        this.tries++;
        if (this.isAway) return Promise.reject(new Error('away'));
        this.stored.push(...events.map(({ kind, data }) => `${kind} ${data.run_id ?? ''}`.trim()));
        return Promise.resolve(String(this.stored.length));
      },
    };
    this.events = new ThreadEvents(db as unknown as Database, streams as unknown as EventStreams);
    jest.spyOn((this.events as unknown as { log: { warn: () => void } }).log, 'warn').mockReturnValue();
  }

  emit(run_id: string): Promise<string | null> {
    return inWorkspace(TENANT, () => this.events.emitEvent('t', lock(run_id)));
  }

  tell(run_id: string): Promise<string | null> {
    return inWorkspace(TENANT, () => this.events.sendEvents('t', [lock(run_id)], FENCE));
  }

  commit(): Promise<unknown> {
    return inWorkspace(TENANT, async () => {
      for (const work of this.committed.splice(0)) await work();
    });
  }
}

describe('an event of a thread that could not be stored', () => {
  let thread: Thread;
  beforeEach(() => (thread = new Thread()));
  afterEach(() => thread.events.onModuleDestroy());

  it('is followed by a mark before anything else, whether a commit came before it or not', async () => {
    thread.inUnit = true;
    thread.isAway = true;
    await thread.emit('a');
    await thread.commit();
    thread.isAway = false;
    expect(await thread.tell('b')).toBe('2');
    expect(await thread.tell('c')).toBe('3');
    expect(thread.stored).toEqual(['missed', 'lock b', 'lock c']);

    thread.inUnit = false;
    thread.isAway = true;
    expect(await thread.emit('d')).toBeNull();
    // Nothing is sent before its mark.
    expect(await thread.tell('e')).toBeNull();
    thread.isAway = false;
    await thread.emit('f');
    expect(thread.stored.slice(3)).toEqual(['missed', 'lock f']);
  });

  it('is followed by a mark as soon as the store is back, where nothing else happens', async () => {
    thread.isAway = true;
    await thread.emit('a');
    const { tries } = thread;
    while (thread.tries === tries) await new Promise((resolve) => setTimeout(resolve, 50));
    thread.isAway = false;
    while (thread.stored.length === 0) await new Promise((resolve) => setTimeout(resolve, 50));
    expect(thread.stored).toEqual(['missed']);
  });

  it('needs no mark where its sender sends the whole answer again', async () => {
    thread.isAway = true;
    expect(await thread.tell('a')).toBeNull();
    thread.isAway = false;
    await thread.tell('b');
    expect(thread.stored).toEqual(['lock b']);
  });
});
