import { ScheduleHost } from '@atrium/platform/messaging';
import { eventually, type RunningApi, type TestWorkspace } from '@atrium/platform/testing';
import { sharedAtriumWithWorker } from '../support/shared-atrium';
import { inTurn } from '../support/in-turn';
import { html, page, WebSite } from '../support/web-site';
import { Crawling, harbour, text } from './crawling';
import { ended, recordsOf, textBase, type KnowledgeJobAnswer } from './filling';

let api: RunningApi;
let ours: TestWorkspace;
let site: WebSite;
let crawling: Crawling;

beforeAll(async () => {
  api = await sharedAtriumWithWorker();
}, 120_000);
beforeEach(async () => {
  ours = await api.workspace();
  site = await WebSite.start();
  crawling = new Crawling(ours, await textBase(ours.owner.client), site);
});
afterEach(() => site.stop());
afterAll(() => api.close());

describe('the routes of crawls', () => {
  it('keep a crawl that does not start, and run it once at a time', async () => {
    const { client } = ours.owner;
    const { base } = crawling;
    let answer: (() => void) | undefined;
    site.at('/', (request, response) => {
      answer = () => void page(html('Start', text('the start')))(request, response);
    });
    const made = await client
      .post(crawling.path, { crw_url: `${site.url}/?utm_source=x#top`, start: false, crw_name: 'Docs', crw_settings: { delay_ms: 0 } })
      .expect(201);
    expect(made.body).toMatchObject({
      crawl: { crw_name: 'Docs', crw_url: `${site.url}/`, crw_last_job: null, crw_settings: { max_pages: 200, on_missing: 'archive' } },
      job: null,
    });
    const { crw_id } = made.body.crawl as { crw_id: string };
    const path = `${crawling.path}/${crw_id}`;
    expect(made.headers['location']).toBe(`/api/v1${path}`);
    const run = await client.post(`${path}/run`, {}).expect(202);
    const job_id = run.body.job_id as string;
    expect(run.headers['location']).toBe(`/api/v1/knowledge-bases/${base}/jobs/${job_id}`);
    expect((await client.post(`${path}/run`, {}).expect(409)).body).toMatchObject({ code: 'invalid_state' });
    await eventually(
      () => Promise.resolve(answer),
      (open) => open !== undefined,
    );
    answer?.();
    await ended(client, base, job_id);
    expect((await client.get(path).expect(200)).body).toMatchObject({ crw_last_job: job_id, crw_page_count: 1 });
    expect((await client.get(crawling.path).expect(200)).body.data).toMatchObject([{ crw_id }]);
    expect((await client.get(`/knowledge-bases/${base}/jobs?job_kind=crawl&status=completed`).expect(200)).body.data).toHaveLength(1);
    expect((await client.get(`/knowledge-bases/${base}/jobs?job_kind=import`).expect(200)).body.data).toEqual([]);
  });

  it('change settings by key, and delete a crawl with its records or without', async () => {
    harbour(site);
    const { client } = ours.owner;
    const { crw_id } = await crawling.crawl({ max_pages: 3 });
    const path = `${crawling.path}/${crw_id}`;
    const { headers } = await client.get(path).expect(200);
    const changed = await client
      .patch(path, {
        crw_settings: { max_depth: 1, max_pages: null },
        crw_name: 'Other',
        crw_cron: '0 6 * * 1',
        crw_timezone: 'Europe/Lisbon',
      })
      .expect(200);
    expect(changed.body).toMatchObject({
      crw_name: 'Other',
      crw_cron: '0 6 * * 1',
      crw_settings: { max_depth: 1, max_pages: 200, delay_ms: 0 },
    });
    await client
      .with({ 'If-Match': headers['etag'] ?? '' })
      .patch(path, { crw_name: 'Third' })
      .expect(412);
    await client.delete(path).expect(204);
    await client.get(path).expect(404);
    expect(await recordsOf(client, crawling.base)).toHaveLength(3);
    const second = await crawling.crawl({ max_pages: 3 });
    await client.delete(`${crawling.path}/${second.crw_id}?records=remove`).expect(204);
    expect(await recordsOf(client, crawling.base)).toEqual([]);
  });

  it('refuse settings that are not valid, naming them', () =>
    inTurn(
      [
        [{ mode: 'list' }, 'mode'],
        [{ content_selector: 'a[' }, 'content_selector'],
      ],
      async (crw_settings, name) => {
        const refused = await ours.owner.client.post(crawling.path, { crw_url: `${site.url}/`, crw_settings }).expect(400);
        expect(refused.body.errors).toMatchObject([{ path: `crw_settings.${name}` }]);
      },
    ));

  it('refuse what is not valid, naming it', () =>
    inTurn(
      [
        [{ crw_url: undefined }, 'crw_url'],
        [{ crw_cron: '0 6 * *' }, 'crw_cron'],
        [{ crw_timezone: 'Mars/Olympus' }, 'crw_timezone'],
      ],
      async (body, path) => {
        const refused = await ours.owner.client.post(crawling.path, { crw_url: `${site.url}/`, ...body }).expect(400);
        expect(refused.body.errors).toMatchObject([{ path }]);
      },
    ));

  it('are called as their host, read in UTC and run on request, where nothing else is said', async () => {
    const { body } = await ours.owner.client.post(crawling.path, { crw_url: `${site.url}/`, start: false }).expect(201);
    expect(body.crawl).toMatchObject({ crw_name: new URL(site.url).hostname, crw_timezone: 'UTC', crw_cron: null });
  });

  it('stop a run whose base is deleted', async () => {
    const { client } = ours.owner;
    let answer: (() => void) | undefined;
    site.at('/', (request, response) => {
      answer = () => void page(html('Start', text('the start')))(request, response);
    });
    const { job_id } = await crawling.start();
    await eventually(
      () => Promise.resolve(answer),
      (open) => open !== undefined,
    );
    await client.delete(`/knowledge-bases/${crawling.base}`).expect(204);
    answer?.();
    await eventually(
      () => api.sql<{ status: string }>('SELECT status FROM knowledge_job WHERE job_id = $1', [job_id]),
      ([job]) => job?.status === 'failed',
      30_000,
    );
    await client.post(`/knowledge-bases/${crawling.base}/restore`, {}).expect(200);
    expect(await recordsOf(client, crawling.base)).toEqual([]);
  });

  it('refuse a crawl into a base with a schema', async () => {
    const { client } = ours.owner;
    const { data } = (await client.get('/knowledge-base-schemas?template=true').expect(200)).body as { data: { form_id: string }[] };
    const ds_id = await textBase(client, { ds_type: 'form', ds_config: { form_id: data[0]?.form_id } });
    expect((await client.post(`/knowledge-bases/${ds_id}/crawls`, { crw_url: `${site.url}/` }).expect(409)).body).toMatchObject({
      code: 'invalid_state',
    });
  });

  it('are for those who may write into the base, and stay in their workspace', async () => {
    site.at('/', html('Start', text('the start')));
    const { crw_id, job } = await crawling.crawl({ mode: 'page' });
    const path = `${crawling.path}/${crw_id}`;
    const jobs = `/knowledge-bases/${crawling.base}/jobs`;
    const reads = [path, `${path}/pages`, crawling.path, jobs, `${jobs}/${job.job_id}`];
    const viewer = (await ours.member('viewer')).client;
    const theirs = (await api.workspace()).owner.client;
    for (const read of reads) {
      await viewer.get(read).expect(200);
      await theirs.get(read).expect(404);
    }
    for (const [client, status] of [
      [viewer, 403],
      [theirs, 404],
    ] as const) {
      await client.post(crawling.path, { crw_url: `${site.url}/` }).expect(status);
      await client.patch(path, { crw_name: 'x' }).expect(status);
      await client.delete(path).expect(status);
      await client.post(`${path}/run`, {}).expect(status);
      await client.post(`${jobs}/${job.job_id}/cancel`, {}).expect(status);
    }
    const other = await textBase(ours.owner.client);
    await ours.owner.client.get(`/knowledge-bases/${other}/crawls/${crw_id}`).expect(404);
    await ours.owner.client.post(`/knowledge-bases/${other}/crawls/${crw_id}/run`, {}).expect(404);
    await ours.owner.client.get(`/knowledge-bases/${other}/jobs/${job.job_id}`).expect(404);
  });
});

describe('a crawl with a cron', () => {
  const lastJob = async (client: TestWorkspace['owner']['client'], crw_id: string): Promise<KnowledgeJobAnswer> => {
    const { crw_last_job } = (await client.get(`${crawling.path}/${crw_id}`).expect(200)).body as { crw_last_job: string };
    return ended(client, crawling.base, crw_last_job);
  };
  const comeDue = async (crw_id: string): Promise<void> => {
    await api.sql("UPDATE knowledge_crawl SET crw_next = now() - interval '1 minute' WHERE crw_id = $1", [crw_id]);
    await api.worker.get(ScheduleHost, { strict: false }).runNow('knowledge.due-crawls');
  };

  it('runs when its time comes, and waits for the next one', async () => {
    site.at('/', html('Start', text('the start')));
    const { client } = ours.owner;
    const { crw_id } = (
      (
        await client
          .post(crawling.path, { crw_url: `${site.url}/`, start: false, crw_cron: '0 6 * * 1', crw_settings: { delay_ms: 0 } })
          .expect(201)
      ).body as {
        crawl: { crw_id: string };
      }
    ).crawl;
    await comeDue(crw_id);
    expect(await lastJob(client, crw_id)).toMatchObject({ status: 'completed', created: 1 });
    expect(await api.sql('SELECT crw_next > now() AS later FROM knowledge_crawl WHERE crw_id = $1', [crw_id])).toEqual([{ later: true }]);
  });

  it('waits while its base is deleted', async () => {
    site.at('/', html('Start', text('the start')));
    const { client } = ours.owner;
    const made = await client
      .post(crawling.path, { crw_url: `${site.url}/`, start: false, crw_cron: '0 6 * * 1', crw_settings: { delay_ms: 0 } })
      .expect(201);
    const { crw_id } = (made.body as { crawl: { crw_id: string } }).crawl;
    await client.delete(`/knowledge-bases/${crawling.base}`).expect(204);
    await comeDue(crw_id);
    await client.get(`${crawling.path}/${crw_id}`).expect(404);
    await client.post(`/knowledge-bases/${crawling.base}/restore`, {}).expect(200);
    expect((await client.get(`${crawling.path}/${crw_id}`).expect(200)).body).toMatchObject({ crw_last_job: null });
    expect(site.seen).toEqual([]);
    await comeDue(crw_id);
    expect(await lastJob(client, crw_id)).toMatchObject({ status: 'completed' });
  });

  it('stops and says why when the member who set it up may no longer write', async () => {
    site.at('/', html('Start', text('the start')));
    const editor = await ours.member('editor');
    const { crw_id } = (
      (
        await editor.client
          .post(crawling.path, { crw_url: `${site.url}/`, start: false, crw_cron: '0 6 * * 1', crw_settings: { delay_ms: 0 } })
          .expect(201)
      ).body as {
        crawl: { crw_id: string };
      }
    ).crawl;
    await ours.owner.client.delete(`/admin/users/${editor.user_id}`).expect(204);
    await comeDue(crw_id);
    const { client } = ours.owner;
    expect(await lastJob(client, crw_id)).toMatchObject({ status: 'failed', error: expect.stringContaining('gone') as string });
    expect((await client.get(`${crawling.path}/${crw_id}`).expect(200)).body).toMatchObject({ crw_active: false });
    expect(site.asked('/')).toBe(0);
  });

  it('stops without asking the site when the base is closed to who set it up, who does not see its runs', async () => {
    site.at('/', html('Start', text('the start')));
    const editor = await ours.member('editor');
    const made = await editor.client
      .post(crawling.path, { crw_url: `${site.url}/`, start: false, crw_cron: '0 6 * * 1', crw_settings: { delay_ms: 0 } })
      .expect(201);
    const { crw_id } = (made.body as { crawl: { crw_id: string } }).crawl;
    await comeDue(crw_id);
    const { client } = ours.owner;
    expect(await lastJob(client, crw_id)).toMatchObject({ status: 'completed', created: 1, job_created_by: null });
    const seen = async (): Promise<unknown[]> =>
      ((await editor.client.get('/jobs?job_kind=knowledge.crawl').expect(200)).body as { data: unknown[] }).data;
    expect(await seen()).toHaveLength(1);
    site.forget();
    const acl = { users: { [ours.owner.user_id]: 'owner' } };
    await api.sql('UPDATE knowledge_base SET ds_acl = $2 WHERE ds_id = $1', [crawling.base, acl]);
    await comeDue(crw_id);
    expect(await lastJob(client, crw_id)).toMatchObject({ status: 'failed', error: expect.stringContaining('no longer see it') as string });
    expect((await client.get(`${crawling.path}/${crw_id}`).expect(200)).body).toMatchObject({ crw_active: false });
    expect(site.seen).toEqual([]);
    expect(await seen()).toEqual([]);
  });
});
