import { eventually, RowsServer, type Client, type RunningApi, type TestWorkspace } from '@atrium/platform/testing';
import { endedJob } from '../files/file-jobs-of';
import { MEDIA } from '../files/uploading';
import { textBase } from '../knowledge/filling';
import { Crawling, harbour } from '../knowledge/crawling';
import { articles, Syncing } from '../objects/syncing';
import { startAtriumWithWorker } from '../support/api';
import { WebSite } from '../support/web-site';

/** What one workspace has of a kind of job in a worker; there is one worker. */
const SHARE = 2;

let api: RunningApi;
let theirs: TestWorkspace;
let ours: TestWorkspace;
let slow: WebSite;
let quick: WebSite;

beforeAll(async () => {
  api = await startAtriumWithWorker({ OUTBOUND_ALLOW: '127.0.0.1/32', WORKER_CONCURRENCY: String(SHARE) });
}, 120_000);
beforeEach(async () => {
  [theirs, ours] = [await api.workspace(['module-objects']), await api.workspace(['module-objects'])];
  [slow, quick] = [await WebSite.start(), await WebSite.start()];
});
afterEach(() => Promise.all([slow.stop(), quick.stop()]));
afterAll(() => api.close());

const reaches = (what: () => number, count: number): Promise<number> =>
  eventually(
    () => Promise.resolve(what()),
    (seen) => seen >= count,
    30_000,
  );

describe('work of one workspace that waits for servers which never answer', () => {
  it('leaves imports to other workspaces, and gives its slot back when it is cancelled', async () => {
    slow.at('/drip', (_request, response) => void response.writeHead(200, { 'Content-Type': 'text/plain' }).write('drop'));
    quick.at('/note.txt', (_request, response) => response.writeHead(200, { 'Content-Type': 'text/plain' }).end('note'));
    const start = async (client: Client, source_url: string): Promise<string> =>
      ((await client.post('/uploads/import', { file_repo: MEDIA, source_url }).expect(202)).body as { job_id: string }).job_id;
    const jobs = [];
    for (let n = 0; n <= SHARE; n += 1) jobs.push(await start(theirs.owner.client, `${slow.url}/drip`));
    await reaches(() => slow.asked('/drip'), SHARE);
    const job_id = await start(ours.owner.client, `${quick.url}/note.txt`);
    expect(await endedJob(ours.owner.client, job_id)).toMatchObject({ status: 'completed' });
    expect(slow.asked('/drip')).toBe(SHARE);
    await theirs.owner.client.delete(`/file-jobs/${jobs[0]}`);
    await reaches(() => slow.asked('/drip'), SHARE + 1);
  }, 120_000);

  it('leaves crawls to other workspaces, and gives its slot back when it is cancelled', async () => {
    // Pages are tried again; the rules of a site are asked for once a crawl.
    slow.at('/', () => undefined).at('/robots.txt', (_request, response) => response.writeHead(404).end());
    harbour(quick);
    const begun: { readonly base: string; readonly job_id: string }[] = [];
    for (let n = 0; n <= SHARE; n += 1) {
      const base = await textBase(theirs.owner.client);
      begun.push({ base, job_id: (await new Crawling(theirs, base, slow).start({ mode: 'page' })).job_id });
    }
    await reaches(() => slow.asked('/robots.txt'), SHARE);
    const own = await new Crawling(ours, await textBase(ours.owner.client), quick).crawl();
    expect(own.job).toMatchObject({ status: 'completed' });
    expect(slow.asked('/robots.txt')).toBe(SHARE);
    const [first] = begun;
    await theirs.owner.client.post(`/knowledge-bases/${first?.base}/jobs/${first?.job_id}/cancel`, {}).expect(200);
    await reaches(() => slow.asked('/robots.txt'), SHARE + 1);
  }, 120_000);

  it('leaves syncs to other workspaces, and gives its slot back when it is cancelled', async () => {
    const [held, server] = [await RowsServer.start(), await RowsServer.start()];
    try {
      for (let n = 0; n < 10; n += 1) held.faults.push(() => undefined);
      server.rows = articles(3);
      const runs: { readonly source: Syncing; readonly job_id: string }[] = [];
      for (let n = 0; n <= SHARE; n += 1) {
        const source = await Syncing.set(api, theirs, held);
        runs.push({ source, job_id: await source.start() });
      }
      await reaches(() => held.asked.length, SHARE);
      expect(await (await Syncing.set(api, ours, server)).sync()).toMatchObject({ status: 'completed', created: 3 });
      expect(held.asked).toHaveLength(SHARE);
      const [first] = runs;
      await first?.source.client.post(`${first.source.path}/runs/${first.job_id}/cancel`, {}).expect(200);
      await reaches(() => held.asked.length, SHARE + 1);
    } finally {
      await Promise.all([held.stop(), server.stop()]);
    }
  }, 120_000);
});
