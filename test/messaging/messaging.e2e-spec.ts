import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { TestingModule } from '@nestjs/testing';
import { Client } from 'pg';
import { systemPrincipal, type Principal } from '@atrium/platform/access';
import { Database, currentScope, inWorkspace, sql, type CallScope } from '@atrium/platform/database';
import { currentEnding, newId, NIL_ID, Outage } from '@atrium/platform/kernel';
import {
  BackgroundJobs,
  EventStreams,
  StreamFenced,
  FROM_START,
  job,
  JobDirectory,
  JobPause,
  migrateQueue,
  Outbox,
  OutboxRows,
  PermanentFailure,
  QUEUE_SCHEMA,
  Signals,
  tenantChannel,
  WorkerHost,
  type PlannedJob,
  type RelayPace,
} from '@atrium/platform/messaging';
import { createTestDatabase, dropTestDatabase, ofThisFile, type TestDatabase } from '@atrium/platform/testing';
import { REDIS_PROGRAM } from '../support/redis-server';
import { postgresBackend, redisBackend, type ContractBackend } from './backends';
import { inScope, scopeOfNewTenant, startApi, startWorker, until } from './processes';
import { count, pack, serve, Shop, single, slow, tidy } from './shop';

const REDIS_URL = process.env.TEST_REDIS_URL;

/** Has the connections of this process pass on no notification of a channel. */
function deafTo(channel: string): jest.SpyInstance {
  const { emit } = Client.prototype as unknown as { emit(this: Client, name: string, ...said: unknown[]): boolean };
  return jest.spyOn(Client.prototype as unknown as { emit: typeof emit }, 'emit').mockImplementation(function heard(
    this: Client,
    event: string,
    ...said: unknown[]
  ) {
    const isOf = event === 'notification' && (said[0] as { channel?: string }).channel === channel;
    return isOf || emit.call(this, event, ...said);
  });
}

const BACKENDS = [
  { name: 'PostgreSQL', open: async (database: TestDatabase) => postgresBackend(database), present: true },
  { name: 'Redis', open: (database: TestDatabase) => redisBackend(database, REDIS_URL), present: Boolean(REDIS_URL ?? REDIS_PROGRAM) },
];

for (const { name, open, present } of BACKENDS) {
  (present ? describe : describe.skip)(
    `Messaging over ${name}${present ? '' : ' (skipped: no redis-server here and TEST_REDIS_URL is not set)'}`,
    () => {
      let database: TestDatabase;
      let backend: ContractBackend;
      let api: TestingModule;
      let scope: CallScope;
      const workers: TestingModule[] = [];

      beforeAll(async () => {
        database = await createTestDatabase();
        await migrateQueue(database.ownerUrl);
        backend = await open(database);
        api = await startApi(backend.address);
      });

      afterAll(async () => {
        await api?.close();
        await backend?.stop();
        await dropTestDatabase(database);
      });

      beforeEach(() => {
        scope = scopeOfNewTenant();
      });

      afterEach(async () => {
        await Promise.all(workers.splice(0).map((worker) => worker.close()));
        await backend.flush();
      });

      const worker = async (pace: Partial<RelayPace> = {}): Promise<Shop> => {
        const app = await startWorker(backend.address, pace);
        workers.push(app);
        return app.get(Shop);
      };
      const ask = (planned: PlannedJob, as = scope): Promise<string> =>
        inScope(as, () => api.get(Database).write(async () => api.get(Outbox).add(planned)));
      const askFor = async (items: readonly string[], as = scope): Promise<string[]> => {
        const ids: string[] = [];
        for (const item of items) ids.push(await ask(job(single, { item }), as));
        return ids;
      };
      const rowOf = (job_id: string, as = scope) =>
        inScope(as, () =>
          api.get(Database).read((tx) =>
            tx.first<{
              ev_sent: string | null;
              ev_done: string | null;
              ev_error: string | null;
              ev_waits: number;
              ev_waits_for: string | null;
            }>(sql`SELECT ev_sent, ev_done, ev_error, ev_waits, ev_waits_for FROM outbox WHERE ev_id = ${job_id}`),
          ),
        );
      const callerOf = ({ tenant_id, actor }: CallScope): Principal => ({
        ...systemPrincipal(tenant_id ?? NIL_ID),
        user_id: actor.user_id ?? NIL_ID,
      });
      const seen = (job_id: string, as = scope) => inScope(as, () => api.get(JobDirectory).get(callerOf(as), job_id));
      const cancelled = (job_id: string) => inScope(scope, () => api.get(JobDirectory).cancel(callerOf(scope), job_id));
      const done = (job_id: string, as = scope) =>
        until(
          'the job is done',
          () => rowOf(job_id, as),
          (row) => Boolean(row?.ev_done),
        );
      /** A worker in a process of its own, which takes the job with this item. */
      const childWith = (item: string, how: 'waits' | 'spins') => {
        const { redisUrl, databaseUrl } = backend.address;
        const program = ['-r', join(__dirname, 'typescript-hook.cjs'), join(__dirname, 'worker-process.ts')];
        return ofThisFile(
          spawn(process.execPath, [...program, redisUrl, databaseUrl, item, how], { stdio: ['ignore', 'pipe', 'inherit'] }),
        );
      };
      /** It is killed as soon as it has the job. */
      const killedWith = async (item: string): Promise<void> => {
        const child = childWith(item, 'waits');
        const gone = once(child, 'exit');
        let said = '';
        child.stdout.on('data', (text: Buffer) => (said += text.toString()));
        await until(
          'the child has it',
          () => said,
          (text) => text.includes(`began ${item}`),
          60_000,
        );
        child.kill('SIGKILL');
        await gone;
      };
      const gate = () => {
        let open = (): void => undefined;
        const opened = new Promise<void>((resolve) => (open = resolve));
        return { opened, open: () => open() };
      };

      /** Both slots of the kind run a job until the gate opens: one of this workspace, one of another. Resolves when they are done. */
      const fillSlots = async (
        shop: Shop,
        { opened }: { readonly opened: Promise<void> },
      ): Promise<{ readonly ended: Promise<unknown> }> => {
        const holders = await Promise.all(
          [scope, scopeOfNewTenant()].map(async (as, n) => {
            shop.when(`holding ${n}`, () => opened);
            return { as, id: await ask(job(single, { item: `holding ${n}` }), as) };
          }),
        );
        await until(
          'both run',
          () => shop.runs.filter(({ item }) => item.startsWith('holding')).length,
          (runs) => runs === 2,
        );
        return {
          get ended() {
            return Promise.all(holders.map(({ id, as }) => done(id, as)));
          },
        };
      };

      it('runs a job once, in the workspace, name and trace of who asked for it', async () => {
        const shop = await worker();
        const seen: (CallScope | undefined)[] = [];
        shop.when('scoped', async () => void seen.push(currentScope()));
        await done(await ask(job(pack, { item: 'scoped' })));
        expect(seen).toEqual([scope]);
        expect(shop.runsOf('scoped')).toHaveLength(1);
      });

      if (name === 'PostgreSQL')
        it('begins a job whose notification was lost', async () => {
          const shop = await worker();
          await done(await ask(job(pack, { item: 'heard' })));
          const deaf = deafTo('bullmq_jobs');
          try {
            await done(await ask(job(pack, { item: 'not heard' })));
            expect(shop.runsOf('not heard')).toHaveLength(1);
          } finally {
            deaf.mockRestore();
          }
        });

      if (name === 'PostgreSQL')
        it('looks at what waits and runs by indexes, however many other rows there are', async () => {
          const query = jest.spyOn(Client.prototype, 'query');
          const texts = (): unknown[] => (query.mock.calls as unknown as unknown[][]).map(([text]) => text);
          await worker();
          const isGlance = (text: unknown): boolean => typeof text === 'string' && text.includes('AS claimable');
          const glance = await until('a worker has looked at all queues', () => texts().find(isGlance), Boolean).finally(() =>
            query.mockRestore(),
          );
          const owner = new Client({ connectionString: database.ownerUrl });
          await owner.connect();
          try {
            await owner.query(`SET search_path = ${QUEUE_SCHEMA}`);
            await owner.query(
              `INSERT INTO job (queue, id, seq, name, state, added_at_ms) SELECT 'over', n::text, n, 'over', 'completed', 0 FROM generate_series(1, 20000) n`,
            );
            await owner.query('ANALYZE job');
            const { rows } = await owner.query<{ 'QUERY PLAN': string }>(`EXPLAIN ${String(glance)}`, [Date.now()]);
            const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
            expect(['job_active_idx', 'job_ready_idx', 'job_delayed_idx'].filter((index) => !plan.includes(index))).toEqual([]);
            expect(plan).not.toContain('Seq Scan');
          } finally {
            await owner.end();
          }
        });

      it('runs a job that needs no payload', async () => {
        const shop = await worker();
        const id = await ask(job(tidy, {}));
        await done(id);
        expect(shop.runsOf(id)).toHaveLength(1);
      });

      it('tries a failed job again until it succeeds', async () => {
        const shop = await worker();
        shop.when('flaky', async (_payload, run) => {
          if (!run.lastAttempt) throw new Error('not yet');
        });
        const row = await done(await ask(job(pack, { item: 'flaky' })));
        expect(row?.ev_error).toBeNull();
        expect(shop.runsOf('flaky').map((run) => run.attempt)).toEqual([1, 2, 3]);
      });

      it('gives a job up after its last attempt and keeps the reason', async () => {
        const shop = await worker();
        shop.when('hopeless', async () => {
          throw new Error('the shelf is empty');
        });
        const row = await done(await ask(job(pack, { item: 'hopeless' })));
        expect(row?.ev_error).toBe('the shelf is empty');
        expect(shop.runsOf('hopeless')).toHaveLength(3);
      });

      it('lets a job wait for a part outside for longer than all its attempts, shows for what, and then does it', async () => {
        const shop = await worker();
        let away = true;
        shop.when('shipped', async () => {
          if (away) throw new Outage('storage', 'The harbour is closed.');
        });
        const { job_id } = await inScope(scope, () => api.get(BackgroundJobs).start(job(pack, { item: 'shipped' })));
        const shown = () => seen(job_id);
        await until(
          'it has run more often than it has attempts',
          () => shop.runsOf('shipped'),
          (runs) => runs.length > 3,
        );
        expect(shop.runsOf('shipped').every(({ attempt }) => attempt === 1)).toBe(true);
        await until('it says for what it waits', shown, ({ waits_for }) => waits_for === 'storage');
        expect(
          await inScope(scope, () => api.get(Database).acrossTenants((tx) => tx.query(sql`SELECT part, jobs FROM outbox_outages()`))),
        ).toContainEqual({ part: 'storage', jobs: 1 });
        away = false;
        const ended = await until('it is done', shown, ({ status }) => status !== 'running' && status !== 'queued');
        expect(ended).toMatchObject({ status: 'completed', waits_for: null, error: null });
      });

      it('gives a job up that has waited too long in all', async () => {
        const shop = await worker();
        const ends: boolean[] = [];
        shop.when('stranded', async (_payload, run) => {
          const error = new Outage('mail', 'No wind.');
          ends.push(await run.givesUpOn(error));
          throw error;
        });
        const row = await done(await ask(job(pack, { item: 'stranded' })));
        expect(row?.ev_error).toBe('No wind.');
        expect(ends.filter((end) => end)).toEqual([true]);
        expect(ends.length).toBeGreaterThan(3);
      });

      it('does not try a permanent failure again', async () => {
        const shop = await worker();
        shop.when('broken', async () => {
          throw new PermanentFailure('the file is damaged');
        });
        const row = await done(await ask(job(pack, { item: 'broken' })));
        expect(row?.ev_error).toBe('the file is damaged');
        expect(shop.runsOf('broken')).toHaveLength(1);
      });

      it('aborts a run that takes too long and counts it as failed', async () => {
        const shop = await worker();
        const aborted: string[] = [];
        shop.when(
          'endless',
          (_payload, run) =>
            new Promise(() => {
              run.signal.addEventListener('abort', () => aborted.push('run'));
              // What waits in a line for the run, such as for a process, leaves it.
              currentEnding()?.addEventListener('abort', () => aborted.push('lines'));
            }),
        );
        const row = await done(await ask(job(slow, { item: 'endless' })));
        expect(row?.ev_error).toMatch(/in time/);
        expect(aborted).toEqual(['run', 'lines', 'run', 'lines']);
      });

      it('sends nothing for a change that was rolled back', async () => {
        const shop = await worker();
        const failing = inScope(scope, () =>
          api.get(Database).write(async () => {
            api.get(Outbox).add(job(pack, { item: 'undone' }));
            throw new Error('no');
          }),
        );
        await expect(failing).rejects.toThrow('no');
        await done(await ask(job(pack, { item: 'afterwards' })));
        expect(shop.runsOf('undone')).toHaveLength(0);
      });

      it('waits until a delayed job is due', async () => {
        const shop = await worker();
        const asked = Date.now();
        await done(await ask(job(pack, { item: 'later' }, { delayMs: 700 })));
        expect(Date.now() - asked).toBeGreaterThanOrEqual(700);
        expect(shop.runsOf('later')).toHaveLength(1);
      });

      it('refuses an invalid payload where it is asked for, and gives up one that became invalid', async () => {
        await worker();
        await expect(ask(job(pack, { item: '' }))).rejects.toThrow(/payload of shop\.pack/);
        const id = newId();
        await inScope(scope, () =>
          api.get(Database).write((tx) =>
            tx.execute(sql`INSERT INTO outbox (tenant_id, ev_id, ev_kind, ev_name, ev_key, ev_payload, ev_actor, ev_request)
            VALUES (${scope.tenant_id}, ${id}, 'job', 'shop.pack', ${id}, '{"thing": 1}', ${JSON.stringify(scope.actor)}::jsonb, 'r')`),
          ),
        );
        expect((await done(id))?.ev_error).toMatch(/payload of shop\.pack/);
      });

      it('does not double jobs where several relays and workers run', async () => {
        const shops = [await worker(), await worker()];
        const items = Array.from({ length: 60 }, (_, i) => `many ${i}`);
        const ids = await inScope(scope, () =>
          api.get(Database).write(async () => items.map((item) => api.get(Outbox).add(job(pack, { item })))),
        );
        for (const id of ids) await done(id);
        const runs = shops.flatMap((shop) => shop.runs.map((run) => run.item));
        expect(runs.sort()).toEqual([...items].sort());
      });

      it('runs work of one key once for all who ask before it begins, and again for who asks while it runs', async () => {
        const busy = gate();
        const first = await ask(job(count, { item: 'stock' }));
        const second = await ask(job(count, { item: 'stock' }));
        const shop = await worker();
        shop.when('stock', () => busy.opened);
        await until(
          'it runs',
          () => shop.runsOf('stock').length,
          (runs) => runs === 1,
        );
        const [third, fourth] = [await ask(job(count, { item: 'stock' })), await ask(job(count, { item: 'stock' }))];
        await done(await ask(job(count, { item: 'shelf' })));
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
          const first = await ask(job(count, { item: 'till' }));
          await until(
            'it runs',
            () => shop.runsOf('till').length,
            (runs) => runs === 2 * round - 1,
          );
          const second = await ask(job(count, { item: 'till' }));
          // Another key passes by, so the relay has seen the second one.
          await done(await ask(job(count, { item: `bell ${round}` })));
          shop.when('till', async () => undefined);
          busy.open();
          await Promise.all([first, second].map((id) => done(id)));
          expect(shop.runsOf('till')).toHaveLength(2 * round);
        }
        expect(workers.map((app) => app.get(WorkerHost).resent)).toEqual([0]);
      });

      it('begins one thing at a time in the database while a job is there that a person waits for', async () => {
        const shop = await worker();
        const db = workers[0]?.get(Database);
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
          const ids = await inScope(scope, () =>
            api.get(Database).write(async () => boxes.map((item) => api.get(Outbox).add(job(pack, { item })))),
          );
          await Promise.all(ids.map((id) => done(id)));
          return most;
        };
        expect(await packed()).toBeGreaterThan(1);
        // Shorter than a place is held.
        seconds = 0.02;
        const served = gate();
        shop.when('guest', () => db.read(() => served.opened));
        const guest = await ask(job(serve, { item: 'guest' }));
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
        const rows = workers[0]?.get(OutboxRows);
        if (!rows) throw new Error('No worker runs.');
        const looking = gate();
        const poll = rows.poll.bind(rows);
        const held = jest.spyOn(rows, 'poll').mockImplementation((...asked) => looking.opened.then(() => poll(...asked)));
        await until(
          'the relay for all work is held up',
          () => held.mock.calls.length,
          (calls) => calls === 1,
        );
        const others = await ask(job(pack, { item: 'box' }));
        await done(await ask(job(serve, { item: 'guest' })));
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
              ids.push(await ask(job(count, { item: `k ${n}.${round % 2}` }), as), await ask(job(pack, { item: `p ${n}.${round}` }), as));
              await inScope(as, () =>
                api.get(Database).write(async () => api.get(Outbox).emit({ name: 'item.sold', subject_id: newId(), payload: {} })),
              );
            }
            return { as, ids };
          }),
        );
        await Promise.all(asked.flatMap(({ as, ids }) => ids.map((id) => done(id, as))));
        const open = (as: CallScope) =>
          inScope(as, () =>
            api
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
        expect(workers.map((app) => app.get(WorkerHost).resent)).toEqual([0, 0]);
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
        const first = await ask(job(single, { item: 'first' }));
        await until(
          'it runs',
          () => shop.runsOf('first').length,
          (runs) => runs === 1,
        );
        const bulk = await inScope(scope, () =>
          api
            .get(Database)
            .write(async () => Array.from({ length: 24 }, (_, i) => api.get(Outbox).add(job(single, { item: `bulk ${i}` })))),
        );
        const colleague = { ...scope, actor: { ...scope.actor, user_id: newId() } };
        const mine = await askFor(Array.from({ length: 8 }, (_, i) => `mine ${i}`));
        const hers = await ask(job(single, { item: 'hers' }), colleague);
        busy.open();
        await Promise.all([first, hers, ...mine, ...bulk].map((id) => done(id)));
        const order = shop.runs.map(({ item }) => item);
        const before = (item: string) => order.slice(0, order.indexOf(item));
        // The queue holds a few jobs ahead; who comes then waits for these alone.
        expect(before('mine 7').filter((item) => item.startsWith('bulk')).length).toBeLessThan(8);
        expect(before('hers').filter((item) => item.startsWith('mine')).length).toBeLessThan(8);
      });

      it('sends the rows of a relay that was lost between claiming and sending', async () => {
        const id = await ask(job(pack, { item: 'claimed' }));
        const admit = () => new OutboxRows(api.get(Database)).admit([{ queue: 'shop.pack', room: 10, share: 10 }], 0.5);
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
            return { as, id: await ask(job(single, { item }), as) };
          }),
        );
        await until(
          'all were sent',
          async () => (await Promise.all(waiting.map(({ id, as }) => rowOf(id, as)))).every((row) => row?.ev_sent),
          Boolean,
        );
        await backend.flush();
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
        const id = await ask(job(pack, { item: 'passed on' }));
        const begun = (runs: number) =>
          until(
            `run ${runs} has begun`,
            () => shop.runsOf('passed on').length,
            (count) => count === runs,
          );
        await begun(1);
        // The queue forgets it, as it does that of a worker that is silent: it is handed out again.
        await backend.flush();
        await begun(2);
        gates[0]?.open();
        // The second is lost as well. If the first had ended the job, nobody would run it any more.
        await backend.flush();
        await begun(3);
        expect(await rowOf(id)).toMatchObject({ ev_done: null });
        gates[1]?.open();
        gates[2]?.open();
        expect((await done(id))?.ev_error).toBeNull();
      });

      it('frees the slot of a job that pauses, and runs it again without counting an attempt', async () => {
        const shop = await worker();
        shop.when('pausing', (_payload, run) => {
          if (shop.runsOf('pausing').length < 4) throw new JobPause(10);
          return Promise.resolve({ attempt: run.attempt });
        });
        const id = await ask(job(pack, { item: 'pausing' }));
        expect((await done(id))?.ev_error).toBeNull();
        expect(shop.runsOf('pausing').map(({ attempt }) => attempt)).toEqual([1, 1, 1, 1]);
      });

      it('leaves half of the slots of every kind of job to other workspaces, however long the jobs of one take', async () => {
        const shop = await worker();
        const busy = gate();
        const slow = Array.from({ length: 12 }, (_, i) => `slow ${i}`);
        for (const item of slow) shop.when(item, () => busy.opened);
        const ids: string[] = [];
        for (const item of slow) ids.push(await ask(job(pack, { item })));
        const running = () => shop.runs.filter(({ item }) => item.startsWith('slow'));
        await until('its share runs', running, (runs) => runs.length === 6);
        for (const other of [scopeOfNewTenant(), scopeOfNewTenant()]) await done(await ask(job(pack, { item: 'quick' }), other), other);
        expect(running()).toHaveLength(6);
        busy.open();
        await Promise.all(ids.map((id) => done(id)));
      });

      it('gives the slot of cancelled work back at once, also where its handler waits for an answer that never comes', async () => {
        const shop = await worker();
        const deaf = () => (shop.runsOf('dripping').length === 1 ? new Promise<never>(() => undefined) : Promise.resolve());
        shop.when('dripping', deaf);
        const id = await ask(job(count, { item: 'dripping' }));
        await until(
          'it runs',
          () => shop.runsOf('dripping').length,
          (runs) => runs === 1,
        );
        // As a service does within the unit of work that cancels.
        await inScope(scope, () => api.get(Database).write(async () => api.get(Outbox).interrupt('dripping')));
        expect((await done(id))?.ev_error).toBeNull();
        expect(shop.runsOf('dripping').map(({ attempt }) => attempt)).toEqual([1, 1]);
      });

      it('resumes the job of a worker that was killed, also after more of them than the queue allows', async () => {
        const id = await ask(job(pack, { item: 'orphan' }));
        for (let kill = 0; kill < 5; kill++) await killedWith('orphan');
        expect(await rowOf(id)).toMatchObject({ ev_done: null, ev_waits: 1, ev_waits_for: null });
        const shop = await worker();
        expect((await done(id))?.ev_error).toBeNull();
        expect(shop.runsOf('orphan')).toHaveLength(1);
      }, 120_000);

      it('gives a job up that has blocked two workers until their watchdogs ended them, and says so where it is shown', async () => {
        const id = await ask(job(pack, { item: 'poison' }));
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
        const id = await ask(job(pack, { item: 'orphan' }));
        await inScope(scope, () => api.get(Database).write((tx) => tx.query(sql`SELECT outbox_postpone(${id}, NULL, 0)`)));
        for (let kill = 0; kill < 3; kill++) await killedWith('orphan');
        const shop = await worker();
        expect((await done(id))?.ev_error).toContain('stalled');
        expect(shop.runsOf('orphan')).toEqual([]);
        expect(shop.givenUp.get('orphan')).toBe('The work could not be finished. Ask for it again.');
      }, 120_000);

      it('hands running jobs back when the worker shuts down, without counting an attempt', async () => {
        const leaving = await worker();
        leaving.when(
          'moving',
          (_payload, run) => new Promise((_resolve, reject) => run.signal.addEventListener('abort', () => reject(new Error('stopped')))),
        );
        leaving.when('deaf', () => new Promise(() => undefined));
        const ids = await Promise.all(['moving', 'deaf'].map((item) => ask(job(pack, { item }))));
        await until(
          'both run',
          () => leaving.runs.length,
          (runs) => runs === 2,
        );
        await workers.pop()?.close();
        const taking = await worker();
        await Promise.all(ids.map((id) => done(id)));
        expect([...taking.runsOf('moving'), ...taking.runsOf('deaf')].map((run) => run.attempt)).toEqual([1, 1]);
      });

      it('brings an event to each of its subscribers once', async () => {
        const shop = await worker();
        const id = await inScope(scope, () =>
          api.get(Database).write(async () => api.get(Outbox).emit({ name: 'item.sold', subject_id: newId(), payload: { price: 3 } })),
        );
        await until(
          'both heard',
          () => shop.runsOf(id).length,
          (runs) => runs >= 2,
        );
        expect(
          shop
            .runsOf(id)
            .map((run) => run.job)
            .sort(),
        ).toEqual(['audit item.sold', 'bill item.sold']);
        const unheard = await inScope(scope, () =>
          api.get(Database).write(async () => api.get(Outbox).emit({ name: 'cart.emptied', subject_id: newId(), payload: {} })),
        );
        await until(
          'it counts as sent',
          () => rowOf(unheard),
          (row) => Boolean(row?.ev_sent),
        );
      });

      it('shows a background job to who asked for it, from queued to its end', async () => {
        const jobs = api.get(BackgroundJobs);
        const asked = await inScope(scope, () => jobs.start(job(pack, { item: 'tracked' }), { total: 4 }));
        expect(asked).toMatchObject({ job_kind: 'shop.pack', status: 'queued', done: 0, failed: 0, total: 4, error: null, result: null });
        const shop = await worker();
        const busy = gate();
        shop.when('tracked', async (_payload, run) => {
          await run.progress(3, 4, 1);
          await busy.opened;
          return { boxes: 2 };
        });
        const look = () => seen(asked.job_id);
        expect(await until('it progresses', look, (seen) => seen.done === 3)).toMatchObject({ status: 'running', failed: 1, total: 4 });
        busy.open();
        expect(await until('it ends', look, (seen) => seen.status === 'partial')).toMatchObject({ result: { boxes: 2 }, error: null });
        await expect(seen(asked.job_id, { ...scope, actor: scopeOfNewTenant().actor })).rejects.toMatchObject({
          code: 'not_found',
        });
        await expect(seen(asked.job_id, scopeOfNewTenant())).rejects.toMatchObject({ code: 'not_found' });
      });

      it('has failed where every item of a background job did, and keeps what it found', async () => {
        const jobs = api.get(BackgroundJobs);
        const { job_id } = await inScope(scope, () => jobs.start(job(pack, { item: 'all failed' })));
        const shop = await worker();
        shop.when('all failed', async (_payload, run) => {
          await run.progress(0, 3, 3);
          return { boxes: 0 };
        });
        const look = () => seen(job_id);
        expect(await until('it ends', look, (seen) => seen.status === 'failed')).toMatchObject({
          ...{ done: 0, failed: 3, result: { boxes: 0 }, error: 'All 3 items failed.' },
        });
      });

      it('counts the steps of a background job on, whichever run takes them, and undoes those that come after its end', async () => {
        const jobs = api.get(BackgroundJobs);
        const { job_id } = await inScope(scope, () => jobs.start(job(pack, { item: 'stepwise' }), { total: 4 }));
        const step = (by: number) => inScope(scope, () => jobs.advance(job_id, by));
        expect([await step(3), await step(0), await step(3)]).toEqual([3, 3, 6]);
        expect(await seen(job_id)).toMatchObject({ done: 6, total: 6 });
        await expect(inScope(scopeOfNewTenant(), () => jobs.advance(job_id, 1))).rejects.toMatchObject({ name: 'BackgroundJobEnded' });
        await cancelled(job_id);
        await expect(step(1)).rejects.toMatchObject({ name: 'BackgroundJobEnded' });
        expect(await seen(job_id)).toMatchObject({ status: 'cancelled', done: 6 });
      });

      it('lets a background job be cancelled while it runs and before, and leaves a finished one alone', async () => {
        const jobs = api.get(BackgroundJobs);
        const early = await inScope(scope, () => jobs.start(job(pack, { item: 'early' })));
        await cancelled(early.job_id);
        const shop = await worker();
        shop.when('running', async (_payload, run) => {
          await until('it is cancelled', () => run.cancelled(), Boolean);
        });
        const running = await inScope(scope, () => jobs.start(job(pack, { item: 'running' })));
        await until(
          'it runs',
          () => shop.runsOf('running').length,
          (runs) => runs === 1,
        );
        expect(await cancelled(running.job_id)).toMatchObject({ status: 'cancelled' });
        await Promise.all([early.job_id, running.job_id].map((id) => done(id)));
        expect(shop.runsOf('early')).toHaveLength(0);
        shop.when('failing', async () => {
          throw new PermanentFailure('no such shelf');
        });
        const failing = await inScope(scope, () => jobs.start(job(pack, { item: 'failing' })));
        await done(failing.job_id);
        expect(await cancelled(failing.job_id)).toMatchObject({ status: 'failed', error: 'no such shelf' });
      });

      it('carries signals from process to process, to their workspace only, and after a lost connection', async () => {
        const other = await startApi(backend.address);
        const heard: unknown[] = [];
        const say = (text: string, as = scope) => inScope(as, () => other.get(Signals).publish(tenantChannel('door'), { text }));
        const unsubscribe = await inScope(scope, () =>
          api.get(Signals).subscribe(tenantChannel('door'), ({ text }) => void heard.push(text)),
        );
        await say('elsewhere', scopeOfNewTenant());
        await say('open');
        await until(
          'it is heard',
          () => heard.length,
          (n) => n > 0,
        );
        expect(heard).toEqual(['open']);
        await backend.cutListeners();
        await until('it is heard again', async () => (await say('again'), heard.includes('again')), Boolean);
        await unsubscribe();
        await other.close();
      });

      it('refuses what a writer that was replaced appends, by the name of its fence, and what nobody fenced is not asked', async () => {
        const streams = api.get(EventStreams);
        await inScope(scope, async () => {
          const stream = `fenced/${newId()}`;
          const by = (name: string, token: number) => streams.append(stream, { by: `${name}${token}` }, { name, token });
          await by('a', 1);
          await by('a', 2);
          await expect(by('a', 1)).rejects.toThrow(StreamFenced);
          await by('a', 2);
          await by('b', 1);
          await streams.append(stream, { by: 'nobody' });
          const told = (await streams.read(stream, FROM_START, 10)).events.map(({ event }) => event.by);
          expect(told).toEqual(['a1', 'a2', 'a2', 'b1', 'nobody']);
        });
      });

      it('appends events that come at once in their order, or none of them, and notifies those who follow', async () => {
        const streams = api.get(EventStreams);
        await inScope(scope, async () => {
          const stream = `at-once/${newId()}`;
          const heard: { readonly id: string; readonly n: unknown }[] = [];
          const joined = await streams.join(stream, { hear: ({ id, event }) => heard.push({ id, n: event.n }) });
          const last = await streams.appendAll(stream, [{ n: 1 }, { n: 2 }, { n: 3 }], { name: 'run', token: 2 });
          await expect(streams.appendAll(stream, [{ n: 4 }, { n: 5 }], { name: 'run', token: 1 })).rejects.toThrow(StreamFenced);
          // Larger than a signal.
          const large = await streams.append(stream, { n: 6, text: 'x'.repeat(20_000) });
          await streams.append(stream, { n: 7 });
          await until(
            'all of them are heard',
            () => heard.length,
            (count) => count === 5,
          );
          const { events } = await streams.read(stream, FROM_START, 10);
          expect(events.map(({ event }) => event.n)).toEqual([1, 2, 3, 6, 7]);
          expect([events[2]?.id, events[3]?.id]).toEqual([last, large]);
          expect(heard).toEqual(events.map(({ id, event }) => ({ id, n: event.n })));
          await joined.leave();
        });
      });

      it('forgets all streams and fences of a workspace that are kept beyond its tables, and no others', async () => {
        const streams = api.get(EventStreams);
        const [going, staying] = [newId(), newId()];
        const events = (tenant: string): Promise<number> =>
          inWorkspace(tenant, async () => (await streams.read('answer', FROM_START, 10)).events.length);
        for (const tenant of [going, staying])
          await inWorkspace(tenant, () => streams.append('answer', { n: 1 }, { name: 'run', token: 1 }));
        const { removed, isDone } = await inWorkspace(going, () => streams.forgetOwn(10));
        expect(isDone).toBe(true);
        expect({ removed, events: await events(going) }).toEqual(
          backend.address.redisUrl ? { removed: 2, events: 0 } : { removed: 0, events: 1 },
        );
        expect(await events(staying)).toBe(1);
      });

      it('says whether an id is still in the stream, and which is the newest', async () => {
        const streams = api.get(EventStreams);
        await inScope(scope, async () => {
          const stream = `known/${newId()}`;
          const [first, second] = [await streams.append(stream, { n: 1 }), await streams.append(stream, { n: 2 })];
          expect(await streams.read(stream, first, 10)).toEqual({ events: [{ id: second, event: { n: 2 } }], known: true, newest: second });
          expect(await streams.read(stream, second, 10)).toEqual({ events: [], known: true, newest: second });
          for (const unknown of [FROM_START, 'nonsense', `${first}9`]) expect((await streams.read(stream, unknown, 10)).known).toBe(false);
          expect([streams.isAfter(second, first), streams.isAfter(first, second), streams.isAfter(first, first)]).toEqual([
            true,
            false,
            false,
          ]);
          const since = streams.since(new Date());
          expect((await streams.read(stream, since, 10)).events).toHaveLength(2);
        });
      });

      it('passes every event to all who listen to a stream, once and in order, and none to those who left', async () => {
        const streams = api.get(EventStreams);
        await inScope(scope, async () => {
          const stream = `shared/${newId()}`;
          await streams.append(stream, { n: 0 });
          const heard: number[][] = [[], [], []];
          const deaf = await streams.join(stream, {
            hear: () => {
              throw new Error('deaf');
            },
          });
          const joined = await Promise.all(heard.map((list) => streams.join(stream, { hear: ({ event }) => list.push(Number(event.n)) })));
          await joined[2]?.leave();
          for (let n = 1; n <= 250; n++) await streams.append(stream, { n });
          const all = Array.from({ length: 250 }, (_, at) => at + 1);
          await until(
            'both have heard it all',
            () => [heard[0]?.length, heard[1]?.length],
            ([a, b]) => a === 250 && b === 250,
          );
          expect(heard).toEqual([all, all, []]);
          await Promise.all([deaf, ...joined].map((one) => one.leave()));
        });
      });

      it('lets a reader resume a stream where it was and follow it', async () => {
        const streams = api.get(EventStreams);
        await inScope(scope, async () => {
          const [first] = [await streams.append('answer', { n: 1 }), await streams.append('answer', { n: 2 })];
          expect((await streams.read('answer', FROM_START, 10)).events.map((one) => one.event)).toEqual([{ n: 1 }, { n: 2 }]);
          expect((await streams.read('answer', 'nonsense', 10)).events.map((one) => one.event)).toEqual([{ n: 1 }, { n: 2 }]);
          const stop = new AbortController();
          const seen: unknown[] = [];
          const following = (async () => {
            for await (const { event } of streams.tail('answer', first, stop.signal)) seen.push(event);
          })();
          await until(
            'it has caught up',
            () => seen.length,
            (n) => n === 1,
          );
          await Promise.all([3, 4, 5].map((n) => streams.append('answer', { n })));
          await until(
            'it follows',
            () => seen.length,
            (n) => n === 4,
          );
          stop.abort();
          await following;
          expect(seen[0]).toEqual({ n: 2 });
          const ids = (await streams.read('answer', FROM_START, 10)).events.map((one) => one.id);
          expect(new Set(ids).size).toBe(5);
        });
        await inScope(scopeOfNewTenant(), async () =>
          expect(await streams.read('answer', FROM_START, 10)).toEqual({ events: [], known: false, newest: null }),
        );
      });
    },
  );
}
