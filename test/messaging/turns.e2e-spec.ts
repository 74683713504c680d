import { Database, sql, type CallScope } from '@atrium/platform/database';
import { newId } from '@atrium/platform/kernel';
import { planJob, Outbox, OutboxRows, WorkerHost } from '@atrium/platform/messaging';
import { describeMessaging, gate } from './contract';
import { inScope, scopeOfNewTenant, until } from './processes';
import { count, pack, serve, single } from './shop';

describeMessaging('The turns of jobs', (messaging) => {
  const { worker, ask, askFor, rowOf, done, fillSlots } = messaging;

  it('does not double jobs where several relays and workers run', async () => {
    const shops = [await worker(), await worker()];
    const items = Array.from({ length: 60 }, (_, i) => `many ${i}`);
    const ids = await inScope(messaging.scope, () =>
      messaging.api.get(Database).write(async () => items.map((item) => messaging.api.get(Outbox).addJob(planJob(pack, { item })))),
    );
    for (const id of ids) await done(id);
    const runs = shops.flatMap((shop) => shop.runs.map((run) => run.item));
    expect(runs.sort()).toEqual([...items].sort());
  });

  it('runs work of one key once for all who ask before it begins, and again for who asks while it runs', async () => {
    const busy = gate();
    const first = await ask(planJob(count, { item: 'stock' }));
    const second = await ask(planJob(count, { item: 'stock' }));
    const shop = await worker();
    shop.when('stock', () => busy.opened);
    await until(
      'it runs',
      () => shop.runsOf('stock').length,
      (runs) => runs === 1,
    );
    const [third, fourth] = [await ask(planJob(count, { item: 'stock' })), await ask(planJob(count, { item: 'stock' }))];
    await done(await ask(planJob(count, { item: 'shelf' })));
    expect(shop.runsOf('stock')).toHaveLength(1);
    expect((await Promise.all([first, second, third, fourth].map((id) => rowOf(id)))).filter((row) => row?.ev_sent)).toHaveLength(1);
    busy.open();
    await Promise.all([first, second, third, fourth].map((id) => done(id)));
    expect(shop.runsOf('stock')).toHaveLength(2);
  });

  it('begins the next run of a key when the one before ends: on that event, not when somebody looks, and nothing is sent twice', async () => {
    const shop = await worker({ pollMs: 3_600_000 });
    for (let round = 1; round <= 5; round += 1) {
      const busy = gate();
      shop.when('till', () => busy.opened);
      const first = await ask(planJob(count, { item: 'till' }));
      await until(
        'it runs',
        () => shop.runsOf('till').length,
        (runs) => runs === 2 * round - 1,
      );
      const second = await ask(planJob(count, { item: 'till' }));
      // Another key passes by, so the relay has seen the second one.
      await done(await ask(planJob(count, { item: `bell ${round}` })));
      shop.when('till', async () => undefined);
      busy.open();
      await Promise.all([first, second].map((id) => done(id)));
      expect(shop.runsOf('till')).toHaveLength(2 * round);
    }
    expect(messaging.workers.map((app) => app.get(WorkerHost).resent)).toEqual([0]);
  });

  it('begins one thing at a time in the database while a job is there that a person waits for', async () => {
    const shop = await worker();
    const db = messaging.workers[0]?.get(Database);
    if (!db) throw new Error('No worker runs.');
    let [together, most] = [0, 0];
    let seconds = 0.3;
    const boxes = ['box 1', 'box 2', 'box 3'];
    for (const box of boxes)
      shop.when(box, () =>
        db.read(async (tx) => {
          most = Math.max(most, ++together);
          await tx.query(sql`SELECT pg_sleep(${seconds})`);
          together -= 1;
        }),
      );
    const packed = async (): Promise<number> => {
      most = 0;
      const ids = await inScope(messaging.scope, () =>
        messaging.api.get(Database).write(async () => boxes.map((item) => messaging.api.get(Outbox).addJob(planJob(pack, { item })))),
      );
      await Promise.all(ids.map((id) => done(id)));
      return most;
    };
    expect(await packed()).toBeGreaterThan(1);
    // Shorter than a place is held.
    seconds = 0.02;
    const served = gate();
    shop.when('guest', () => db.read(() => served.opened));
    const guest = await ask(planJob(serve, { item: 'guest' }));
    await until(
      'the guest is served',
      () => shop.runsOf('guest').length,
      (runs) => runs === 1,
    );
    expect(await packed()).toBe(1);
    expect((await rowOf(guest))?.ev_done).toBeNull();
    served.open();
    await done(guest);
  });

  it('serves whom a person waits for while the relay for all work is held up', async () => {
    const shop = await worker();
    const rows = messaging.workers[0]?.get(OutboxRows);
    if (!rows) throw new Error('No worker runs.');
    const looking = gate();
    const poll = rows.pollDue.bind(rows);
    const held = jest.spyOn(rows, 'pollDue').mockImplementation((...asked) => looking.opened.then(() => poll(...asked)));
    await until(
      'the relay for all work is held up',
      () => held.mock.calls.length,
      (calls) => calls === 1,
    );
    const others = await ask(planJob(pack, { item: 'box' }));
    await done(await ask(planJob(serve, { item: 'guest' })));
    expect(shop.runsOf('box')).toEqual([]);
    looking.open();
    await done(others);
  });

  it('does mixed work of many workspaces without ever looking for it: each key alone, nothing late and nothing sent twice', async () => {
    const shops = [await worker({ pollMs: 3_600_000 }), await worker({ pollMs: 3_600_000 })];
    const running = new Map<string, number>();
    const together: number[] = [];
    const tenants = Array.from({ length: 5 }, (_, n) => ({ n, as: scopeOfNewTenant() }));
    const keys = tenants.flatMap(({ n }) => [`k ${n}.0`, `k ${n}.1`]);
    for (const shop of shops) {
      for (const key of keys) {
        shop.when(key, async () => {
          together.push((running.get(key) ?? 0) + 1);
          running.set(key, (running.get(key) ?? 0) + 1);
          await new Promise((resolve) => setImmediate(resolve));
          running.set(key, (running.get(key) ?? 0) - 1);
        });
      }
    }
    const asked = await Promise.all(
      tenants.map(async ({ n, as }) => {
        const ids: string[] = [];
        for (let round = 0; round < 12; round += 1) {
          ids.push(
            await ask(planJob(count, { item: `k ${n}.${round % 2}` }), as),
            await ask(planJob(pack, { item: `p ${n}.${round}` }), as),
          );
          await inScope(as, () =>
            messaging.api
              .get(Database)
              .write(async () => messaging.api.get(Outbox).emitEvent({ name: 'item.sold', subject_id: newId(), payload: {} })),
          );
        }
        return { as, ids };
      }),
    );
    await Promise.all(asked.flatMap(({ as, ids }) => ids.map((id) => done(id, as))));
    const open = (as: CallScope) =>
      inScope(as, () =>
        messaging.api
          .get(Database)
          .read((tx) => tx.first<{ n: number }>(sql`SELECT count(*)::int AS n FROM outbox WHERE ev_kind = 'job' AND ev_done IS NULL`)),
      );
    await Promise.all(
      asked.map(({ as }) =>
        until(
          'all is done',
          () => open(as),
          (row) => row?.n === 0,
        ),
      ),
    );
    expect(new Set(together)).toEqual(new Set([1]));
    expect(messaging.workers.map((app) => app.get(WorkerHost).resent)).toEqual([0, 0]);
  });

  it('serves workspaces in turn: one job of another goes in front of the many that wait', async () => {
    const shop = await worker();
    const busy = gate();
    const first = await fillSlots(shop, busy);
    const many = await askFor(Array.from({ length: 20 }, (_, i) => `ours ${i}`));
    const others = [scopeOfNewTenant(), scopeOfNewTenant()];
    const theirs = (
      await Promise.all(
        others.map((other, n) =>
          askFor(
            [1, 2, 3].map((i) => `theirs ${n}.${i}`),
            other,
          ),
        ),
      )
    ).map((ids, n) => ({ ids, other: others[n] }));
    await until(
      'one of each is in the queue',
      async () =>
        Promise.all(
          theirs.map(async ({ ids, other }) => (await Promise.all(ids.map((id) => rowOf(id, other)))).some((row) => row?.ev_sent)),
        ),
      (sent) => sent.every(Boolean),
    );
    busy.open();
    await first.ended;
    await Promise.all(theirs.flatMap(({ ids, other }) => ids.map((id) => done(id, other))));
    const order = shop.runs.map(({ item }) => item).filter((item) => !item.startsWith('holding'));
    expect(order.slice(0, 2).sort()).toEqual(['theirs 0.1', 'theirs 1.1']);
    // Turn by turn, a third of the runs each; and the few of ours that had been in the queue before.
    expect(Math.max(...[0, 1].map((n) => order.indexOf(`theirs ${n}.3`)))).toBeLessThan(18);
    await Promise.all(many.map((id) => done(id)));
  });

  it('has what a member asks for alone done before bulk, and members in turn', async () => {
    const shop = await worker();
    const busy = gate();
    shop.when('first', () => busy.opened);
    const first = await ask(planJob(single, { item: 'first' }));
    await until(
      'it runs',
      () => shop.runsOf('first').length,
      (runs) => runs === 1,
    );
    const bulk = await inScope(messaging.scope, () =>
      messaging.api
        .get(Database)
        .write(async () => Array.from({ length: 24 }, (_, i) => messaging.api.get(Outbox).addJob(planJob(single, { item: `bulk ${i}` })))),
    );
    const colleague = { ...messaging.scope, actor: { ...messaging.scope.actor, user_id: newId() } };
    const mine = await askFor(Array.from({ length: 8 }, (_, i) => `mine ${i}`));
    const hers = await ask(planJob(single, { item: 'hers' }), colleague);
    busy.open();
    await Promise.all([first, hers, ...mine, ...bulk].map((id) => done(id)));
    const order = shop.runs.map(({ item }) => item);
    const before = (item: string) => order.slice(0, order.indexOf(item));
    // The queue holds a few jobs ahead; who comes then waits for these alone.
    expect(before('mine 7').filter((item) => item.startsWith('bulk')).length).toBeLessThan(8);
    expect(before('hers').filter((item) => item.startsWith('mine')).length).toBeLessThan(8);
  });

  it('leaves half of the slots of every kind of job to other workspaces, however long the jobs of one take', async () => {
    const shop = await worker();
    const busy = gate();
    const slow = Array.from({ length: 12 }, (_, i) => `slow ${i}`);
    for (const item of slow) shop.when(item, () => busy.opened);
    const ids: string[] = [];
    for (const item of slow) ids.push(await ask(planJob(pack, { item })));
    const running = () => shop.runs.filter(({ item }) => item.startsWith('slow'));
    await until('its share runs', running, (runs) => runs.length === 6);
    for (const other of [scopeOfNewTenant(), scopeOfNewTenant()]) await done(await ask(planJob(pack, { item: 'quick' }), other), other);
    expect(running()).toHaveLength(6);
    busy.open();
    await Promise.all(ids.map((id) => done(id)));
  });
});
