import { once } from 'node:events';
import { Database, sql } from '@atrium/platform/database';
import { planJob, Outbox, OutboxRows } from '@atrium/platform/messaging';
import { describeMessaging, gate } from './contract';
import { inScope, scopeOfNewTenant, until } from './processes';
import { count, pack, single } from './shop';

describeMessaging('Jobs of lost workers', (messaging) => {
  const { worker, ask, rowOf, done, childWith, killedWith, fillSlots } = messaging;

  it('sends the rows of a relay that was lost between claiming and sending', async () => {
    const id = await ask(planJob(pack, { item: 'claimed' }));
    const admit = () => new OutboxRows(messaging.api.get(Database)).admitJobs([{ queue: 'shop.pack', room: 10, share: 10 }], 0.5);
    expect((await admit()).map((row) => row.ev_id)).toContain(id);
    expect(await admit()).toEqual([]);
    const shop = await worker();
    await done(id);
    expect(shop.runsOf('claimed')).toHaveLength(1);
  });

  it('loses nothing when the queue is flushed with jobs waiting', async () => {
    const shop = await worker();
    const busy = gate();
    const holding = await fillSlots(shop, busy);
    const waiting = await Promise.all(
      ['w1', 'w2', 'w3'].map(async (item) => {
        const as = scopeOfNewTenant();
        return { as, id: await ask(planJob(single, { item }), as) };
      }),
    );
    await until(
      'all were sent',
      async () => (await Promise.all(waiting.map(({ id, as }) => rowOf(id, as)))).every((row) => row?.ev_sent),
      Boolean,
    );
    await messaging.backend.flush();
    busy.open();
    await Promise.all([holding.ended, ...waiting.map(({ id, as }) => done(id, as))]);
    expect(['w1', 'w2', 'w3'].map((item) => shop.runsOf(item).length)).toEqual([1, 1, 1]);
  });

  it('leaves a job open that an overtaken worker ends, so that a third worker finishes it when the second is lost', async () => {
    const shop = await worker();
    const gates = [gate(), gate(), gate()];
    shop.when('passed on', async (_payload, run) => {
      const at = shop.runsOf('passed on').length - 1;
      await gates[at]?.opened;
      return { of: run.job_id, at };
    });
    const id = await ask(planJob(pack, { item: 'passed on' }));
    const begun = (runs: number) =>
      until(
        `run ${runs} has begun`,
        () => shop.runsOf('passed on').length,
        (count) => count === runs,
      );
    await begun(1);
    // The queue forgets it, as it does that of a worker that is silent: it is handed out again.
    await messaging.backend.flush();
    await begun(2);
    gates[0]?.open();
    // The second is lost as well. If the first had ended the job, nobody would run it any more.
    await messaging.backend.flush();
    await begun(3);
    expect(await rowOf(id)).toMatchObject({ ev_done: null });
    gates[1]?.open();
    gates[2]?.open();
    expect((await done(id))?.ev_error).toBeNull();
  });

  it('gives the slot of cancelled work back at once, also where its handler waits for an answer that never comes', async () => {
    const shop = await worker();
    const deaf = () => (shop.runsOf('dripping').length === 1 ? new Promise<never>(() => undefined) : Promise.resolve());
    shop.when('dripping', deaf);
    const id = await ask(planJob(count, { item: 'dripping' }));
    await until(
      'it runs',
      () => shop.runsOf('dripping').length,
      (runs) => runs === 1,
    );
    // As a service does within the unit of work that cancels.
    await inScope(messaging.scope, () =>
      messaging.api.get(Database).write(async () => messaging.api.get(Outbox).interruptWork('dripping')),
    );
    expect((await done(id))?.ev_error).toBeNull();
    expect(shop.runsOf('dripping').map(({ attempt }) => attempt)).toEqual([1, 1]);
  });

  it('resumes the job of a worker that was killed, also after more of them than the queue allows', async () => {
    const id = await ask(planJob(pack, { item: 'orphan' }));
    for (let kill = 0; kill < 5; kill++) await killedWith('orphan');
    expect(await rowOf(id)).toMatchObject({ ev_done: null, ev_waits: 1, ev_waits_for: null });
    const shop = await worker();
    expect((await done(id))?.ev_error).toBeNull();
    expect(shop.runsOf('orphan')).toHaveLength(1);
  }, 120_000);

  it('gives a job up that has blocked two workers until their watchdogs ended them, and says so where it is shown', async () => {
    const id = await ask(planJob(pack, { item: 'poison' }));
    for (let strike = 0; strike < 2; strike++) {
      const child = childWith('poison', 'spins');
      const [code] = (await once(child, 'exit')) as [number | null];
      expect(code).toBe(70);
    }
    const shop = await worker();
    const reason = (await done(id))?.ev_error;
    expect(reason).toContain('too long in one piece');
    expect(shop.runsOf('poison')).toEqual([]);
    expect(shop.givenUp.get('poison')).toBe(reason);
  }, 120_000);

  it('gives a job up whose workers have ended for too long', async () => {
    const id = await ask(planJob(pack, { item: 'orphan' }));
    await inScope(messaging.scope, () => messaging.api.get(Database).write((tx) => tx.query(sql`SELECT outbox_postpone(${id}, NULL, 0)`)));
    for (let kill = 0; kill < 3; kill++) await killedWith('orphan');
    const shop = await worker();
    expect((await done(id))?.ev_error).toContain('stalled');
    expect(shop.runsOf('orphan')).toEqual([]);
    expect(shop.givenUp.get('orphan')).toBe('The work could not be finished. Start it again.');
  }, 120_000);

  it('hands running jobs back when the worker shuts down, without counting an attempt', async () => {
    const leaving = await worker();
    leaving.when(
      'moving',
      (_payload, run) => new Promise((_resolve, reject) => run.signal.addEventListener('abort', () => reject(new Error('stopped')))),
    );
    leaving.when('deaf', () => new Promise(() => undefined));
    const ids = await Promise.all(['moving', 'deaf'].map((item) => ask(planJob(pack, { item }))));
    await until(
      'both run',
      () => leaving.runs.length,
      (runs) => runs === 2,
    );
    await messaging.workers.pop()?.close();
    const taking = await worker();
    await Promise.all(ids.map((id) => done(id)));
    expect([...taking.runsOf('moving'), ...taking.runsOf('deaf')].map((run) => run.attempt)).toEqual([1, 1]);
  });
});
