import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { migrateQueue } from '@atrium/platform/messaging';
import { eventually, type RunningApi, type TestWorkspace } from '@atrium/platform/testing';
import { BRIEF_LEASES, startAtrium, startWorker } from '../support/api';
import { WriteGate } from '../objects/write-gate';
import { spawnWorker } from '../support/built-hosts';
import { html, WebSite } from '../support/web-site';
import { repeated } from '../support/repeated';
import { Crawling, text } from './crawling';
import { ended, readJob, textBase, type KnowledgeJobAnswer } from './filling';
import { tableOf } from './importing';

const KILLS = repeated('FILLING_KILLS', { usual: 1, deep: 3 });
const ROWS = repeated('KILLED_ROWS', { usual: 2_500, deep: 5_000 });
const PAGES = Math.max(40, KILLS * 14);
const WITHIN_MS = 8 * 60_000;

let api: RunningApi;
let site: WebSite;
let gate: WriteGate;
let worker: ChildProcess | undefined;

beforeAll(async () => {
  site = await WebSite.start();
  api = await startAtrium({ ...BRIEF_LEASES, OUTBOUND_ALLOW: '127.0.0.1/32' });
  await migrateQueue(api.database.ownerUrl);
  gate = await WriteGate.open(api);
}, 120_000);
afterAll(async () => {
  worker?.kill('SIGKILL');
  await gate.close();
  await api.close();
  await site.stop();
});

const running = ({ client }: TestWorkspace['owner'], base: string, job_id: string, beyond: number): Promise<KnowledgeJobAnswer> =>
  eventually(
    () => readJob(client, base, job_id),
    ({ done, status }) => done > beyond || !['queued', 'running'].includes(status),
    WITHIN_MS,
  );

/** Kills a worker in the middle of the job so many times; then another one finishes it. */
async function killedUntilDone(owner: TestWorkspace['owner'], base: string, job_id: string): Promise<KnowledgeJobAnswer> {
  let done = 0;
  for (let kill = 0; kill < KILLS; kill++) {
    worker = spawnWorker();
    const job = await running(owner, base, job_id, done);
    worker.kill('SIGKILL');
    await once(worker, 'close');
    expect(job.status).toBe('running');
    done = (await readJob(owner.client, base, job_id)).done;
  }
  worker = spawnWorker();
  const job = await ended(owner.client, base, job_id, WITHIN_MS);
  worker.kill('SIGTERM');
  await once(worker, 'close');
  return job;
}

/** Kills a worker once its job is held up. */
async function killWhenHeldUp(): Promise<void> {
  worker = spawnWorker();
  await gate.untilHeldUp(1);
  worker.kill('SIGKILL');
  await once(worker, 'close');
  await gate.clear();
}

const recordsIn = (workspace: TestWorkspace): Promise<unknown[]> =>
  api.sql(
    'SELECT count(*)::int AS records, count(DISTINCT rec_external_id)::int AS keys, max(row_version) AS version FROM knowledge_record WHERE tenant_id = $1',
    [workspace.tenant_id],
  );

describe('a worker that is killed', () => {
  it(
    'in a crawl leaves it to the next one, which fetches what is left and nothing twice',
    async () => {
      const workspace = await api.workspace();
      const base = await textBase(workspace.owner.client);
      const names = Array.from({ length: PAGES }, (_, at) => `/page-${at}`);
      site.at('/', html('Start', text('the start'), { links: names }));
      for (const name of names) site.at(name, html(name, text(name)));
      const { crw_id, job_id } = await new Crawling(workspace, base, site).start({ delay_ms: 50, concurrency: 2, max_pages: PAGES + 1 });
      const job = await killedUntilDone(workspace.owner, base, job_id);
      const pages = PAGES + 1;
      expect(job).toMatchObject({ status: 'completed', done: pages, total: pages, created: pages, failed: 0, unchanged: 0, updated: 0 });
      expect(await recordsIn(workspace)).toEqual([{ records: pages, keys: pages, version: 1 }]);
      // A page that was open when its worker was killed is asked for once more, no other.
      expect(names.reduce((sum, name) => sum + site.asked(name), 0)).toBeLessThanOrEqual(PAGES + KILLS * 2);
      const [charged] = await api.sql<{ units: number }>(
        "SELECT sum(usage_consumed_units)::int AS units FROM usage_entry WHERE tenant_id = $1 AND usage_param = 'knowledge.crawl_pages'",
        [workspace.tenant_id],
      );
      expect(charged?.units).toBe(pages);
      expect(crw_id).toBeDefined();
    },
    WITHIN_MS * 2,
  );

  it('in an import that must not fail leaves nothing, and the next one writes all of it; what was written in its last moment is not written again', async () => {
    const workspace = await api.workspace();
    const { client } = workspace.owner;
    const base = await textBase(client);
    const rows = Array.from({ length: 1_000 }, (_, at) => ({
      rec_external_id: `row-${at}`,
      name: `Berth ${at}`,
      body: `Berth ${at} is let.`,
    }));
    const { job_id } = (await client.post(`/knowledge-bases/${base}/records/import`, { rows, on_error: 'abort' }).expect(202)).body as {
      job_id: string;
    };
    await gate.at('INSERT ON knowledge_record', `NEW.tenant_id = '${workspace.tenant_id}' AND NEW.rec_external_id = 'row-700'`);
    await killWhenHeldUp();
    expect(await recordsIn(workspace)).toEqual([{ records: 0, keys: 0, version: null }]);
    // All is written, and the job has not ended.
    await gate.at('UPDATE ON knowledge_job', `NEW.tenant_id = '${workspace.tenant_id}' AND NEW.status IN ('completed', 'failed')`);
    await killWhenHeldUp();
    expect(await recordsIn(workspace)).toEqual([{ records: 1_000, keys: 1_000, version: 1 }]);
    worker = spawnWorker();
    expect(await ended(client, base, job_id, WITHIN_MS)).toMatchObject({ status: 'completed', created: 1_000, done: 1_000 });
    expect(await recordsIn(workspace)).toEqual([{ records: 1_000, keys: 1_000, version: 1 }]);
  }, 300_000);

  it(
    `[knowledge 10] in an import of ${ROWS} rows leaves it to the next one, which goes on behind the last batch`,
    async () => {
      const workspace = await api.workspace();
      const { client } = workspace.owner;
      const base = await textBase(client);
      const rows = Array.from({ length: ROWS }, (_, at) => `row-${at},Berth ${at},Berth ${at} is let for a year.`);
      const arranging = await startWorker(api);
      const file_id = await tableOf(client, base, 'berths.csv', Buffer.from(['external id,name,body', ...rows].join('\n')));
      await arranging.close();
      const { job_id } = (await client.post(`/knowledge-bases/${base}/records/import`, { file_id }).expect(202)).body as { job_id: string };
      const job = await killedUntilDone(workspace.owner, base, job_id);
      expect(job).toMatchObject({ status: 'completed', done: ROWS, total: ROWS, created: ROWS, failed: 0 });
      expect(await recordsIn(workspace)).toEqual([{ records: ROWS, keys: ROWS, version: 1 }]);
    },
    WITHIN_MS * 2,
  );
});
