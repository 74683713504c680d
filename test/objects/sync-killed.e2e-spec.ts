import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { migrateQueue } from '@atrium/platform/messaging';
import { eventually, RowsServer, SqlDatabase, type RunningApi } from '@atrium/platform/testing';
import { BRIEF_LEASES, startAtrium } from '../support/api';
import { spawnWorker } from '../support/built-hosts';
import { articles, makeArticles, sqlBody, Syncing, type RunAnswer } from './syncing';

const KILLS = Number(process.env.SYNC_KILLS ?? 3);
const ROWS = Number(process.env.SYNC_ROWS ?? 4_000);
const ROWS_A_PAGE = 100;
const WITHIN_MS = 8 * 60_000;

let api: RunningApi;
let server: RowsServer;
let database: SqlDatabase;
let worker: ChildProcess | undefined;

beforeAll(async () => {
  server = await RowsServer.start();
  database = await SqlDatabase.create();
  api = await startAtrium({ ...BRIEF_LEASES, OUTBOUND_ALLOW: '127.0.0.1/32' });
  await migrateQueue(api.database.ownerUrl);
}, 120_000);
afterAll(async () => {
  worker?.kill('SIGKILL');
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
    `[objects 17] in a run of the kind %s leaves it to the next one, which goes on at the last page: nothing is lost and nothing doubled after ${KILLS} kills`,
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
});
