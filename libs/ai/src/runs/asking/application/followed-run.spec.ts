import type { CallerStamps } from '@atrium/identity';
import type { ServerEvent } from '@atrium/platform/http';
import { DAY, MINUTE, Problem, SECOND, type JsonObject } from '@atrium/platform/kernel';
import type { StreamEvent } from '@atrium/platform/messaging';
import { RightsWatch } from '../../../stream/rights-watch';
import type { RunRow } from '../../records/infrastructure/runs.repository';
import { FollowedRun, type FollowedParts } from './followed-run';

const BEGUN = { run_id: 'r', run_status: 'queued', run_finished: null, run_attempt: 0, run_error: null } as unknown as RunRow;
const OUTPUT = { output: 'Three months.', data: null, citations: [] };
const DONE = {
  ...BEGUN,
  run_status: 'completed',
  run_finished: new Date(0),
  run_attempt: 1,
  run_output: OUTPUT,
  run_usage: { credits: 1 },
};
const delta = (text: string): JsonObject => ({ op: 'delta', part: 0, kind: 'text', offset: 0, text, run_id: 'r', attempt: 1 });

/** A client of a run that the test plays. */
class Client {
  readonly sent: JsonObject[] = [];
  readonly ends: (() => void)[] = [];
  isOver = false;
  run: RunRow | Problem = BEGUN;
  private heard: (event: StreamEvent | null) => void = () => undefined;
  private readonly coming: (StreamEvent | null)[] = [];
  readonly followed: FollowedRun;

  constructor(expires_at: Date | null = null, shared: Partial<Pick<FollowedParts, 'inTurn' | 'read'>> = {}) {
    this.followed = new FollowedRun({
      run: BEGUN,
      socket: this.socket(),
      expires_at,
      inTurn: (work) => work(),
      events: (signal) => this.events(signal),
      read: () => (this.run instanceof Problem ? Promise.reject(this.run) : Promise.resolve(this.run)),
      citations: (list) => Promise.resolve(list.map((one) => ({ ...one, title: 'seen' }))),
      ...shared,
    });
  }

  happens(...events: JsonObject[]): void {
    for (const event of events) this.coming.push({ id: String(this.coming.length), event });
    this.heard(null);
  }

  leaves(): void {
    this.isOver = true;
    for (const end of this.ends.splice(0)) end();
  }

  private socket() {
    // eslint-disable-next-line @typescript-eslint/no-this-alias -- the socket reads the state of the client
    const client = this;
    return {
      sendEvent: ({ data }: ServerEvent) => void client.sent.push(JSON.parse(data) as JsonObject),
      endStream: () => client.leaves(),
      onEnd: (end: () => void) => void client.ends.push(end),
      get isOver() {
        return client.isOver;
      },
    };
  }

  private async *events(signal: AbortSignal): AsyncGenerator<StreamEvent> {
    while (!signal.aborted) {
      const next = this.coming.shift();
      if (next) yield next;
      else
        await new Promise<void>((resolve) => {
          this.heard = () => resolve();
          signal.addEventListener('abort', () => resolve(), { once: true });
        });
    }
  }
}

const ops = ({ sent }: Client): unknown[] => sent.map(({ op }) => op);

describe('a run that is followed', () => {
  it('sends its events in order, and its answer at the end', async () => {
    const client = new Client();
    client.happens(delta('Three'), { op: 'citations', citations: [{ n: 1 }] }, { op: 'ended' });
    client.run = DONE as unknown as RunRow;
    expect(await client.followed.followRun()).toBe(true);
    expect(ops(client)).toEqual(['start', 'delta', 'citations', 'done']);
    expect(client.sent[2]).toMatchObject({ citations: [{ n: 1, title: 'seen' }], run_id: 'r' });
    expect(client.sent[3]).toEqual({
      ...{ op: 'done', attempt: 1, run_status: 'completed', error: null, run_id: 'r' },
      answer: { ...OUTPUT, usage: { credits: 1 }, run_id: 'r' },
    });
    expect(client.isOver).toBe(true);
  });

  it('says why it failed, without an answer', async () => {
    const client = new Client();
    const error = { code: 'upstream_failed', detail: 'The provider is away.' };
    client.run = { ...DONE, run_status: 'failed', run_error: error } as unknown as RunRow;
    client.happens({ op: 'ended' });
    await client.followed.followRun();
    expect(client.sent.at(-1)).toMatchObject({ op: 'done', run_status: 'failed', answer: null, error });
  });

  it('comes to its end also where that was not heard, once its last events had time to come', async () => {
    const client = new Client();
    const over = client.followed.followRun();
    client.run = DONE as unknown as RunRow;
    await client.followed.checkRun();
    client.happens(delta('late'));
    await client.followed.checkRun();
    expect(await over).toBe(true);
    expect(ops(client)).toEqual(['start', 'delta', 'done']);
  });

  it('ends without an answer for a caller who may not read it any more, and for one who left', async () => {
    const refused = new Client();
    const over = refused.followed.followRun();
    refused.run = new Problem('unauthenticated', 'Sign in.');
    await refused.followed.checkRun();
    expect([await over, ops(refused)]).toEqual([false, ['start']]);

    const gone = new Client();
    const left = gone.followed.followRun();
    gone.leaves();
    expect([await left, ops(gone)]).toEqual([false, ['start']]);
  });

  it('is looked at in turn with others: of a hundred that a change reaches, four ask at once', async () => {
    const { checks } = new RightsWatch({ readStamps: () => Promise.resolve([]) } as unknown as CallerStamps);
    const asking: (() => void)[] = [];
    const shared = {
      inTurn: (work: () => Promise<void>) => checks.runInLane(work, 't'),
      read: () => new Promise<RunRow>((resolve) => asking.push(() => resolve(BEGUN))),
    };
    const looks = Array.from({ length: 100 }, () => new Client(null, shared).followed.checkRun());
    let asked = 0;
    for (; asked < 100; asked += asking.splice(0).length) {
      await new Promise(setImmediate);
      expect(asking).toHaveLength(4);
      for (const answer of asking) answer();
    }
    await Promise.all(looks);
    expect(asked).toBe(100);
  });

  it('is looked at once for all that want it while it waits for its turn, and not when its client has left', async () => {
    const turns: (() => Promise<void>)[] = [];
    const read = jest.fn(() => Promise.resolve(BEGUN));
    const client = new Client(null, { inTurn: (work) => Promise.resolve(void turns.push(work)), read });
    await Promise.all([client.followed.checkRun(), client.followed.checkRun()]);
    expect(turns).toHaveLength(1);
    await turns[0]?.();
    await client.followed.checkRun();
    expect([turns.length, read.mock.calls.length]).toEqual([2, 1]);
    client.leaves();
    await turns[1]?.();
    expect(read).toHaveBeenCalledTimes(1);
  });

  it('is kept open while the database is away', async () => {
    const client = new Client();
    const over = client.followed.followRun();
    client.run = new Problem('service_unavailable', 'Later.');
    await client.followed.checkRun();
    expect(client.isOver).toBe(false);
    client.run = DONE as unknown as RunRow;
    client.happens({ op: 'ended' });
    expect(await over).toBe(true);
  });

  it('ends with the credential of its caller', async () => {
    const client = new Client(new Date(Date.now() - 1));
    expect(await client.followed.followRun()).toBe(false);
    expect(ops(client)).toEqual(['start']);
  });

  it('is looked at by the clock, and goes on where the credential expires later than a timer can wait', async () => {
    jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'] });
    try {
      const client = new Client(new Date(Date.now() + 60 * DAY));
      const over = client.followed.followRun();
      await jest.advanceTimersByTimeAsync(SECOND);
      expect(client.isOver).toBe(false);
      client.run = DONE as unknown as RunRow;
      await jest.advanceTimersByTimeAsync(MINUTE);
      expect(await over).toBe(true);
      expect(ops(client)).toEqual(['start', 'done']);
    } finally {
      jest.useRealTimers();
    }
  });
});
