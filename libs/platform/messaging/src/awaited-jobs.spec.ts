import type { Database } from '@atrium/platform/database';
import { HOUR, type JsonObject } from '@atrium/platform/kernel';
import { eventually } from '@atrium/platform/testing';
import { defineJob, planJob } from './job-definition';
import { NoPayload } from './job-payload';
import type { JobRegistry } from './job-registry';
import { Outbox } from './outbox';
import { OUTBOX_CHANNEL, OutboxBell } from './outbox-bell';
import { OutboxRelay, RELAY_PACE } from './outbox-relay';
import type { OutboxRows } from './outbox-rows';
import type { Queues } from './queue-backend';
import { Listeners, Signals, type Channel, type SignalListener, type Unsubscribe } from './signals';

const serve = defineJob('shop.serve', { payload: NoPayload, awaited: true });
const pack = defineJob('shop.pack', { payload: NoPayload });

class SignalsHere extends Signals {
  readonly rings: JsonObject[] = [];
  private readonly listeners = new Listeners();

  async publish(channel: Channel, payload: JsonObject): Promise<void> {
    this.rings.push(payload);
    this.listeners.notifyListeners(channel, payload);
  }

  async subscribe(channel: Channel, listener: SignalListener): Promise<Unsubscribe> {
    expect(channel).toBe(OUTBOX_CHANNEL);
    this.listeners.add(channel, listener);
    return async () => void this.listeners.remove(channel, listener);
  }
}

/** Adds jobs in one unit of work, which is committed. */
function adderOf(signals: Signals): (...jobs: readonly (typeof serve)[]) => void {
  const bell = new OutboxBell(signals);
  return (...jobs) => {
    const committed: (() => void)[] = [];
    const tx = { mode: 'write', beforeCommit: () => undefined, afterCommit: (action: () => void) => committed.push(action) };
    const outbox = new Outbox({ current: () => tx } as unknown as Database, bell);
    for (const each of jobs) outbox.addJob(planJob(each, {}));
    for (const action of committed) action();
  };
}

/** A relay without work, which looks for some only when it is woken; how often it has looked, and for which jobs. */
async function idleRelay(signals: Signals, onlyAwaited: boolean): Promise<{ readonly relay: OutboxRelay; readonly looks: string[] }> {
  const looks: string[] = [];
  const none = (): Promise<never[]> => Promise.resolve([]);
  const rows = {
    findDueQueues: (names: readonly string[]) => {
      looks.push(names.join());
      return none();
    },
    pollDue: (names: readonly string[]) => {
      looks.push(names.join());
      return Promise.resolve({ events: [], due: [] });
    },
    ...{ findOverdueJobs: none, filterOpen: none, reclaimJobs: none, markSent: none },
    countWorkers: () => Promise.resolve(1),
    ...{ pruneSent: none, trimStreams: none, trimFences: none, forgetTurns: none },
  };
  const registry = { names: [serve.name, pack.name], awaited: [serve.name] } as unknown as JobRegistry;
  const crew = { workers: 1 };
  const parts = { rows: rows as unknown as OutboxRows, registry, queues: {} as Queues, signals, concurrency: 4, onlyAwaited, crew };
  const relay = new OutboxRelay(parts, { ...RELAY_PACE, pollMs: HOUR });
  await relay.start();
  await eventually(
    () => Promise.resolve(looks.length),
    (count) => count === 1,
  );
  return { relay, looks };
}

describe('a job that a person waits for', () => {
  const relays: OutboxRelay[] = [];
  const signals = new SignalsHere();
  const add = adderOf(signals);
  const relayOf = async (onlyAwaited: boolean): Promise<string[]> => {
    const { relay, looks } = await idleRelay(signals, onlyAwaited);
    relays.push(relay);
    return looks;
  };
  const rung = (rings: number): Promise<unknown> =>
    eventually(
      () => Promise.resolve(signals.rings.length),
      (count) => count === rings,
    );
  beforeEach(() => signals.rings.splice(0));
  afterEach(() => Promise.all(relays.splice(0).map((relay) => relay.stop())));

  it('wakes the relay that sends no others, alone or among others, and what nobody waits for does not', async () => {
    const looks = await relayOf(true);
    add(pack, pack);
    await rung(1);
    add(pack, serve, pack);
    await rung(2);
    add(pack);
    await rung(3);
    expect(signals.rings).toEqual([{ awaited: false }, { awaited: true }, { awaited: false }]);
    await eventually(
      () => Promise.resolve(looks),
      ({ length }) => length > 1,
    );
    expect(looks).toEqual([serve.name, serve.name]);
  });

  it('is not lost among the commits of the same moment, whichever is first', async () => {
    await relayOf(true);
    add(pack);
    add(serve);
    add(pack);
    await rung(1);
    expect(signals.rings).toEqual([{ awaited: true }]);
  });

  it('wakes the relay for all work as any other does', async () => {
    const looks = await relayOf(false);
    for (const [at, each] of [pack, serve].entries()) {
      add(each);
      await eventually(
        () => Promise.resolve(looks.length),
        (count) => count === at + 2,
      );
    }
    expect(new Set(looks)).toEqual(new Set([`${serve.name},${pack.name}`]));
  });
});
