import { newId, SECOND } from '@atrium/platform/kernel';
import type { JobRegistry } from './job-registry';
import { OutboxRelay, paceOf, RELAY_PACE } from './outbox-relay';
import type { Delivery, OutboxRow, OutboxRows } from './outbox-rows';
import type { Queues } from './queue-backend';
import type { Signals } from './signals';

const row = (ev_kind: 'event' | 'job', ev_name: string): OutboxRow => ({
  tenant_id: newId(),
  ev_id: newId(),
  ev_kind,
  ev_name,
  ev_key: newId(),
  ev_version: 1,
  ev_payload: {},
  ev_request: 'r',
  ev_trace: null,
  ev_tracked: false,
  ev_bulk: false,
  ev_attempts: 0,
  ev_actor: { kind: 'system', user_id: null, key_id: null },
});

/** A relay over rows that the test names; what it does with them is written down in order. */
function relayOf(claimed: readonly OutboxRow[], faults: { readonly fanOut?: Error; readonly send?: Error } = {}, onlyAwaited = false) {
  const done: string[] = [];
  const shares: number[] = [];
  const note = (what: string, rows: readonly OutboxRow[], fault?: Error): Promise<void> => {
    done.push(...rows.map(({ ev_name }) => `${what} ${ev_name}`));
    return fault ? Promise.reject(fault) : Promise.resolve();
  };
  const of = (kind: OutboxRow['ev_kind']): OutboxRow[] => claimed.filter(({ ev_kind }) => ev_kind === kind);
  const dueOf = (names: readonly string[]): string[] => of('job').flatMap(({ ev_name }) => (names.includes(ev_name) ? [ev_name] : []));
  const rows: Pick<OutboxRows, 'pollDue' | 'findDueQueues' | 'admitJobs' | 'releaseJobs' | 'markSent' | 'fanOut'> = {
    pollDue: (names) => Promise.resolve({ events: of('event'), due: of('event').length === 0 ? dueOf(names) : [] }),
    findDueQueues: (names) => Promise.resolve(dueOf(names)),
    admitJobs: (rooms) => {
      shares.push(...rooms.map(({ share }) => share));
      return Promise.resolve(
        of('job')
          .filter((job) => rooms.some(({ queue }) => queue === job.ev_name))
          .map((job) => ({ ...job, ev_place: 1 })),
      );
    },
    releaseJobs: (held) => note('released', held),
    markSent: (sent) => note('closed', sent),
    fanOut: (events, deliveries: readonly Delivery[]) =>
      note(`fanned out to ${deliveries.map(({ subscriber }) => subscriber).join(' and ')}:`, events, faults.fanOut),
  };
  const registry = {
    names: ['shop.pack', 'shop.audit', 'shop.bill'],
    awaited: ['shop.bill'],
    findJob: (name: string) => ({ definition: { name, attempts: 1, backoffMs: 1 } }),
    listSubscribers: () => [{ name: 'shop.audit' }, { name: 'shop.bill' }],
  };
  const queues: Pick<Queues, 'send' | 'waiting'> = {
    waiting: () => Promise.resolve(0),
    send: (queue) => {
      if (!faults.send) done.push(`sent ${queue}`);
      return faults.send ? Promise.reject(faults.send) : Promise.resolve();
    },
  };
  const crew = { workers: 1 };
  const relay = new OutboxRelay({
    rows: rows as unknown as OutboxRows,
    registry: registry as unknown as JobRegistry,
    queues: queues as Queues,
    signals: {} as Signals,
    concurrency: 4,
    onlyAwaited,
    crew,
  });
  return { relay, done, crew, shares };
}

describe('The relay', () => {
  it('looks once a second for what it was not called for', () => {
    expect([RELAY_PACE.pollMs, paceOf(1).pollMs]).toEqual([SECOND, SECOND]);
  });

  it('closes a job when its queue has it, and an event together with the jobs of its subscribers', async () => {
    const { relay, done } = relayOf([row('job', 'shop.pack'), row('event', 'item.sold')]);
    await relay.relayBatch();
    expect(done).toEqual(['fanned out to shop.audit and shop.bill: item.sold', 'sent shop.pack', 'closed shop.pack']);
  });

  it('for what persons wait for sends those jobs alone, and hands no events on', async () => {
    const { relay, done } = relayOf([row('job', 'shop.pack'), row('job', 'shop.bill'), row('event', 'item.sold')], {}, true);
    await relay.relayBatch();
    expect(done).toEqual(['sent shop.bill', 'closed shop.bill']);
  });

  it('admits by the number of workers that another one has counted', async () => {
    const { relay, crew, shares } = relayOf([row('job', 'shop.bill')], {}, true);
    await relay.relayBatch();
    crew.workers = 3;
    await relay.relayBatch();
    expect(shares).toEqual([6, 18]);
  });

  it('leaves an event open whose subscribers could not be given their jobs', async () => {
    const { relay, done } = relayOf([row('event', 'item.sold')], { fanOut: new Error('The database went away.') });
    await expect(relay.relayBatch()).rejects.toThrow('The database went away.');
    expect(done.filter((what) => what.startsWith('closed'))).toEqual([]);
  });

  it('leaves a job open that its queue did not take', async () => {
    const { relay, done } = relayOf([row('job', 'shop.pack')], { send: new Error('The queue went away.') });
    await expect(relay.relayBatch()).rejects.toThrow('The queue went away.');
    expect(done).toEqual(['released shop.pack']);
  });
});
