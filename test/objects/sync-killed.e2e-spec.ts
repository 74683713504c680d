import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { migrateQueue } from '@atrium/platform/messaging';
import { eventually, RowsServer, SqlDatabase, type RunningApi } from '@atrium/platform/testing';
import { BRIEF_LEASES, startAtrium } from '../support/api';
import { spawnWorker } from '../support/built-hosts';
import { repeated } from '../support/repeated';
import { field, makeObject, makeSchema } from './objects';
import { articles, makeArticles, sqlBody, Syncing, type RunAnswer } from './syncing';
import { WriteGate } from './write-gate';

const KILLS = repeated('SYNC_KILLS', { usual: 1, deep: 3 });
const ROWS = repeated('SYNC_ROWS', { usual: 2_000, deep: 4_000 });
const ROWS_A_PAGE = 100;
const WITHIN_MS = 8 * 60_000;

let api: RunningApi;
let server: RowsServer;
let database: SqlDatabase;
let gate: WriteGate;
let worker: ChildProcess | undefined;

beforeAll(async () => {
  server = await RowsServer.start();
  database = await SqlDatabase.create();
  api = await startAtrium({ ...BRIEF_LEASES, OUTBOUND_ALLOW: '127.0.0.1/32' });
  await migrateQueue(api.database.ownerUrl);
  gate = await WriteGate.open(api);
}, 120_000);
afterAll(async () => {
  worker?.kill('SIGKILL');
  await gate.close();
  await api.close();
  await server.stop();
  await database.drop();
});

const beyond = (source: Syncing, job_id: string, done: number): Promise<RunAnswer> =>
  eventually(
    () => source.run(job_id),
    (run) => run.done > done || !['queued', 'running'].includes(run.status),
    WITHIN_MS,
  );

/** A source that is read in pages of `ROWS_A_PAGE`, slowly enough to be killed, and how often its pages were asked for where it counts them. */
interface Slow {
  readonly source: Syncing;
  readonly asked?: () => number;
}

async function slowPages(): Promise<Slow> {
  server.rows = articles(ROWS);
  const pagination = { style: 'page', size_param: 'per_page', size: ROWS_A_PAGE };
  const source = await Syncing.set(api, await api.workspace(['module-objects']), server, {}, { pagination, rate: 20 });
  return { source, asked: () => server.asked.length };
}

async function slowQuery(): Promise<Slow> {
  await makeArticles(database, ROWS);
  const query = 'SELECT * FROM article, (SELECT pg_sleep(0.05)) AS waited (waited)';
  const workspace = await api.workspace(['module-objects']);
  return {
    source: await Syncing.create(api, workspace, (form_id) =>
      sqlBody(database, form_id, {}, { table: null, query, page_size: ROWS_A_PAGE }),
    ),
  };
}

describe('a worker that is killed', () => {
  it.each([
    ['http_json', slowPages, ROWS],
    ['sql', slowQuery, null],
  ] as const)(
    '[objects 17] in a run of the kind %s leaves it to the next one, which goes on at the last page: nothing is lost and nothing doubled',
    async (_, made, total) => {
      const { source, asked } = await made();
      const job_id = await source.start();
      let done = 0;
      for (let kill = 0; kill < KILLS; kill++) {
        worker = spawnWorker();
        const run = await beyond(source, job_id, done);
        worker.kill('SIGKILL');
        await once(worker, 'close');
        expect(run).toMatchObject({ status: 'running', total });
        done = (await source.run(job_id)).done;
      }
      worker = spawnWorker();
      const run = await source.ended(job_id, WITHIN_MS);
      expect(run).toMatchObject({
        status: 'completed',
        done: ROWS,
        total: ROWS,
        created: ROWS,
        updated: 0,
        unchanged: 0,
        conflicts: 0,
        deactivated: 0,
        failed: 0,
      });
      expect(await source.stored()).toEqual({ objects: ROWS, active: ROWS, ids: ROWS, revisions: ROWS });
      // The page at which a worker was killed is asked for again, no other.
      if (asked) expect(asked()).toBeLessThanOrEqual(Math.ceil(ROWS / ROWS_A_PAGE) + KILLS);
      expect(await source.sync({}, WITHIN_MS)).toMatchObject({ status: 'completed', unchanged: ROWS });
      worker.kill('SIGTERM');
      await once(worker, 'close');
    },
    WITHIN_MS * 2,
  );

  it(
    'at the end of runs leaves them to the next one, which counts what is held back or cannot go once',
    async () => {
      const workspace = await api.workspace(['module-objects']);
      const { client } = workspace.owner;
      const set = async (): Promise<Syncing> => {
        const source = await Syncing.set(
          api,
          workspace,
          server,
          {},
          { pagination: { style: 'page', size_param: 'per_page', size: 1_000 } },
        );
        await source.ended(await source.start(), WITHIN_MS);
        return source;
      };
      server.rows = articles(900);
      worker = spawnWorker();
      const [held, forced] = [await set(), await set()];
      worker.kill('SIGTERM');
      await once(worker, 'close');
      // Two objects that pointers restrict, in the first five hundred that are missing and behind them.
      const { form_id } = await makeSchema(client, [field('part', 'object', { schema: forced.form_id, on_delete: 'restrict' })]);
      for (const id of ['sku-000150', 'sku-000800']) await makeObject(client, form_id, { part: (await forced.object(id)).obj_id });
      server.rows = articles(100);
      const jobs = [await held.start(), await forced.start({ force_deletes: true })] as const;
      for (let kill = 0; kill < KILLS; kill++) {
        await gate.at('UPDATE ON object_sync_run', `NEW.tenant_id = '${workspace.tenant_id}' AND NEW.finished IS NOT NULL`);
        worker = spawnWorker();
        await gate.untilHeldUp(jobs.length);
        worker.kill('SIGKILL');
        await once(worker, 'close');
        await gate.clear();
      }
      worker = spawnWorker();
      expect(await held.ended(jobs[0], WITHIN_MS)).toMatchObject({
        status: 'partial',
        done: 100,
        unchanged: 100,
        held_deletes: 800,
        failed: 0,
      });
      expect(await held.rows(jobs[0])).toHaveLength(800);
      expect(await forced.ended(jobs[1], WITHIN_MS)).toMatchObject({ status: 'partial', deactivated: 798, held_deletes: 0, failed: 2 });
      const gone = await forced.rows(jobs[1]);
      expect(gone.filter(({ action }) => action === 'failed').map(({ external_id }) => external_id)).toEqual(['sku-000150', 'sku-000800']);
      expect(gone).toHaveLength(800);
      expect([await held.stored(), await forced.stored()]).toMatchObject([{ active: 900 }, { active: 102, revisions: 900 + 798 }]);
      const events = await api.sql(
        `SELECT ev_payload ->> 'job_id' AS job_id, count(*)::int AS events FROM outbox WHERE ev_name = 'object.synced' AND ev_payload ->> 'job_id' = ANY($1) GROUP BY 1`,
        [jobs],
      );
      expect(events).toEqual(expect.arrayContaining(jobs.map((job_id) => ({ job_id, events: 1 }))));
      // What a run has met is forgotten at its end, whichever worker was there.
      await eventually(
        () => api.sql('SELECT 1 FROM object_sync_seen WHERE tenant_id = $1 LIMIT 1', [workspace.tenant_id]),
        (seen) => seen.length === 0,
      );
      worker.kill('SIGTERM');
      await once(worker, 'close');
    },
    300_000 + KILLS * 30_000,
  );
});
