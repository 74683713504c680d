import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { migrateQueue } from '@atrium/platform/messaging';
import { eventually, RowsServer, type RunningApi } from '@atrium/platform/testing';
import { BRIEF_LEASES, startAtrium } from '../support/api';
import { spawnWorker } from '../support/built-hosts';
import { articles, Syncing, type RunAnswer } from './syncing';

const KILLS = Number(process.env.SYNC_KILLS ?? 3);
const ROWS = Number(process.env.SYNC_ROWS ?? 4_000);
const ROWS_A_PAGE = 100;
const WITHIN_MS = 8 * 60_000;

let api: RunningApi;
let server: RowsServer;
let worker: ChildProcess | undefined;

beforeAll(async () => {
  server = await RowsServer.start();
  api = await startAtrium({ ...BRIEF_LEASES, OUTBOUND_ALLOW: '127.0.0.1/32' });
  await migrateQueue(api.database.ownerUrl);
}, 120_000);
afterAll(async () => {
  worker?.kill('SIGKILL');
  await api.close();
  await server.stop();
});

const beyond = (source: Syncing, job_id: string, done: number): Promise<RunAnswer> =>
  eventually(
    () => source.run(job_id),
    (run) => run.done > done || !['queued', 'running'].includes(run.status),
    WITHIN_MS,
  );

describe('a worker that is killed', () => {
  it(
    `[objects 17] in a run leaves it to the next one, which goes on at the last page: nothing is lost and nothing doubled after ${KILLS} kills`,
    async () => {
      const workspace = await api.workspace(['module-objects']);
      server.rows = articles(ROWS);
      const source = await Syncing.set(
        api,
        workspace,
        server,
        {},
        { pagination: { style: 'page', size_param: 'per_page', size: ROWS_A_PAGE }, rate: 20 },
      );
      const job_id = await source.start();
      let done = 0;
      for (let kill = 0; kill < KILLS; kill++) {
        worker = spawnWorker();
        const run = await beyond(source, job_id, done);
        worker.kill('SIGKILL');
        await once(worker, 'close');
        expect(run.status).toBe('running');
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
      expect(server.asked.length).toBeLessThanOrEqual(Math.ceil(ROWS / ROWS_A_PAGE) + KILLS);
      expect(await source.sync({}, WITHIN_MS)).toMatchObject({ status: 'completed', unchanged: ROWS });
      worker.kill('SIGTERM');
      await once(worker, 'close');
    },
    WITHIN_MS * 2,
  );
});
