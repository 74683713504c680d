import { eventually, ModelServer, RowsServer, type Client, type RunningApi, type TestWorkspace } from '@atrium/platform/testing';
import { makeAgent } from '../ai/agents';
import { ask, newThread, post } from '../ai/answering';
import { endedJob } from '../files/file-jobs-of';
import { MEDIA } from '../files/uploading';
import { Crediting } from '../governance/crediting';
import { ended, readJob, textBase } from '../knowledge/filling';
import { Crawling, harbour, text } from '../knowledge/crawling';
import { provideModels } from '../models/providing';
import { articles, Syncing } from '../objects/syncing';
import { startAtriumWithWorker } from '../support/api';
import { OPERATOR_TOKENS } from '../support/operating';
import { html, WebSite } from '../support/web-site';

/** What one workspace has of a kind of job in a worker; there is one worker. */
const SHARE = 2;
/** What one workspace has of answers, which have more slots. */
const ANSWERS = 22;
const MEMBERS = 10;
/** Questions of one member that are answered at once. */
const OF_MEMBER = 5;

let api: RunningApi;
let theirs: TestWorkspace;
let ours: TestWorkspace;
let slow: WebSite;
let quick: WebSite;

beforeAll(async () => {
  api = await startAtriumWithWorker({
    OUTBOUND_ALLOW: '127.0.0.1/32',
    WORKER_CONCURRENCY: String(SHARE),
    // More than there are slots: what keeps a workspace from having all of them is tried here.
    AI_TENANT_CONCURRENCY: String(2 * MEMBERS * OF_MEMBER),
    OPERATOR_TOKENS,
  });
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

  it('leaves answers to other workspaces, whose models are quick', async () => {
    const models = await ModelServer.start();
    const release: (() => void)[] = [];
    models.answering = () => new Promise((resolve) => release.push(() => resolve({ stream: { text: 'At last.' } })));
    try {
      const crediting = new Crediting(api);
      for (const workspace of [theirs, ours]) await crediting.grant(workspace, { grant_credits: 10_000 });
      await provideModels(api, theirs, models, [{ model: 'slow-1', model_kind: 'text' }]);
      const { agent_id } = await makeAgent(theirs.owner.client, { agent_model: 'lab/slow-1', agent_tools: [] });
      for (let member = 0; member < MEMBERS; member++) {
        const { client } = await theirs.member('editor');
        for (let n = 0; n < OF_MEMBER; n++)
          await post(client, await newThread(client, { thread_agent: agent_id }), 'When does the ferry leave?');
      }
      await reaches(() => models.chats.length, ANSWERS);
      const own = await makeAgent(ours.owner.client, { agent_tools: [] });
      const answer = await ask(
        ours.owner.client,
        await newThread(ours.owner.client, { thread_agent: own.agent_id }),
        'Who keeps the lamps?',
      );
      expect(answer.msg_status).toBe('complete');
      expect(models.chats).toHaveLength(ANSWERS);
    } finally {
      models.answering = () => ({ stream: { text: 'Yes.' } });
      for (const answer of release.splice(0)) answer();
      await models.stop();
    }
  }, 180_000);
});

describe('work that waits for a time', () => {
  it('leaves its slot while a site is owed a pause between two pages, asks for its rules once, and keeps to the pause', async () => {
    // Longer than a busy machine needs to begin all three.
    const DELAY = 10_000;
    const sites = [slow, quick, await WebSite.start()];
    try {
      const begun: { readonly base: string; readonly job_id: string }[] = [];
      for (const site of sites) {
        site.at('/robots.txt', (_request, response) => response.writeHead(404).end());
        site.at('/', html('Harbour', text('the harbour'), { links: ['/boats', '/lamps'] }));
        for (const name of ['boats', 'lamps']) site.at(`/${name}`, html(name, text(name)));
        const base = await textBase(theirs.owner.client);
        const { job_id } = await new Crawling(theirs, base, site).start({ delay_ms: DELAY, max_pages: 3, concurrency: 2 });
        begun.push({ base, job_id });
      }
      await reaches(() => Math.min(...sites.map((site) => site.asked('/'))), 1);
      // There are two slots, and none of the three has ended.
      for (const { base, job_id } of begun) expect((await readJob(theirs.owner.client, base, job_id)).status).toBe('running');
      for (const { base, job_id } of begun)
        expect(await ended(theirs.owner.client, base, job_id)).toMatchObject({ status: 'completed', done: 3, created: 3 });
      for (const site of sites) {
        expect(site.asked('/robots.txt')).toBe(1);
        const pages = site.seen.filter(({ path }) => ['/', '/boats', '/lamps'].includes(path));
        expect(pages).toHaveLength(3);
        // A request may reach the site a little later than it was sent.
        for (const [at, { at: began }] of pages.slice(1).entries()) expect(began - (pages[at]?.at ?? 0)).toBeGreaterThan(DELAY / 2);
      }
    } finally {
      await sites[2]?.stop();
    }
  }, 180_000);

  it('leaves its slot while a source asks for a pause, and goes on with the same page', async () => {
    const [busy, server] = [await RowsServer.start(), await RowsServer.start()];
    const refuses = (seconds: number): number =>
      busy.faults.push((_request, response) => response.writeHead(503, { 'retry-after': String(seconds) }).end('{}'));
    try {
      server.rows = busy.rows = articles(3);
      const waiting: { readonly source: Syncing; readonly job_id: string }[] = [];
      for (let n = 0; n < SHARE; n += 1) {
        refuses(300);
        const source = await Syncing.set(api, theirs, busy);
        waiting.push({ source, job_id: await source.start() });
        await reaches(() => busy.asked.length, n + 1);
      }
      expect(await (await Syncing.set(api, theirs, server)).sync()).toMatchObject({ status: 'completed', created: 3 });
      for (const { source, job_id } of waiting) {
        expect(await source.run(job_id)).toMatchObject({ status: 'running', stalled: false });
        await source.client.post(`${source.path}/runs/${job_id}/cancel`, {}).expect(200);
      }
      const asked = busy.asked.length;
      refuses(3);
      refuses(0);
      const resumed = await (await Syncing.set(api, theirs, busy)).sync();
      expect(resumed).toMatchObject({ status: 'completed', created: 3 });
      expect(busy.asked).toHaveLength(asked + 3);
    } finally {
      await Promise.all([busy.stop(), server.stop()]);
    }
  }, 180_000);
});
