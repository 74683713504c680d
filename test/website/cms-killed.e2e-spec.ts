import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { migrateQueue } from '@atrium/platform/messaging';
import { ContentfulServer, eventually, StoryblokServer, type RunningApi, type TestWorkspace } from '@atrium/platform/testing';
import { BRIEF_LEASES, startAtrium } from '../support/api';
import { spawnWorker } from '../support/built-hosts';
import { repeated } from '../support/repeated';
import { articleOf, connectSite, fillComponents, type ShownRun } from './cms';
import { fillContentTypes, siteOfContentful } from './contentful';

const KILLS = repeated('CMS_KILLS', { usual: 2, deep: 6 });
const PAGES = repeated('CMS_PAGES', { usual: 40, deep: 400 });
const WITHIN_MS = 120_000 + PAGES * 1_000;

let api: RunningApi;
let ours: TestWorkspace;
let stories: StoryblokServer;
let entries: ContentfulServer;
let worker: ChildProcess | undefined;

beforeAll(async () => {
  stories = await StoryblokServer.start();
  entries = await ContentfulServer.start();
  stories.languages.push({ code: 'de', name: 'German' });
  fillComponents(stories);
  fillContentTypes(entries);
  api = await startAtrium({
    ...BRIEF_LEASES,
    STORYBLOK_BASE: `${stories.url}/v1`,
    CONTENTFUL_BASE: entries.url,
    CONTENTFUL_UPLOAD_BASE: entries.url,
    OUTBOUND_ALLOW: '127.0.0.1/32',
    CMS_STALL_SECONDS: '2',
  });
  await migrateQueue(api.database.ownerUrl);
  ours = await api.workspace();
}, 120_000);
afterAll(async () => {
  worker?.kill('SIGKILL');
  await api.close();
  await stories.stop();
  await entries.stop();
});
beforeEach(() => {
  for (const story of [...stories.stories.rows.values()]) stories.stories.remove(story);
  entries.entries.rows.clear();
  startWorker();
});
afterEach(() => endWorker('SIGTERM'));

const client = () => ours.owner.client;
function startWorker(): void {
  worker = spawnWorker();
}
async function endWorker(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
  const ending = worker;
  worker = undefined;
  if (!ending) return;
  ending.kill(signal);
  await once(ending, 'close');
}

const runOf = async (site_id: string, job_id: string): Promise<ShownRun> =>
  (await client().get(`/sites/${site_id}/cms/sync-jobs/${job_id}`).expect(200)).body as ShownRun;
const begin = async (site_id: string, direction: 'pull' | 'push', body: object = {}): Promise<string> =>
  (
    (
      await client()
        .post(`/sites/${site_id}/cms/${direction}`, { background: true, ...body })
        .expect(202)
    ).body as ShownRun
  ).job_id;
const until = (site_id: string, job_id: string, is: (run: ShownRun) => boolean): Promise<ShownRun> =>
  eventually(() => runOf(site_id, job_id), is, WITHIN_MS);
const ended = (site_id: string, job_id: string): Promise<ShownRun> =>
  until(site_id, job_id, ({ status }) => !['queued', 'running', 'stalled'].includes(status));
const schemaOf = async (site_id: string, tpl_key: string): Promise<string> => {
  const { site_library } = (await client().get(`/sites/${site_id}`).expect(200)).body as { site_library: string };
  const { data } = (await client().get(`/content-schemas?tpl_library=${site_library}&tpl_key=${tpl_key}`).expect(200)).body as {
    data: { tpl_id: string }[];
  };
  return data[0]?.tpl_id ?? '';
};
const storyblokSite = async (): Promise<string> => {
  const site_id = await connectSite(client(), stories);
  await client()
    .post(`/sites/${site_id}/cms/schemas/pull`)
    .expect((response) => expect(response.status).toBeLessThan(300));
  return site_id;
};
const makePage = async (site_id: string, node_template: string, component: string, name: string): Promise<string> =>
  (
    (
      await client()
        .post(`/sites/${site_id}/nodes`, {
          node_name: name,
          node_slug: name.toLowerCase().replaceAll(' ', '-'),
          node_template,
          node_content: { component, title: name },
        })
        .expect(201)
    ).body as { node_id: string }
  ).node_id;

/** Kills the worker as soon as the CMS has carried out a request, whose answer nobody gets. */
function killAtNext(server: StoryblokServer | ContentfulServer, route: string): Promise<void> {
  return new Promise((done, failed) => {
    server.plan(
      {
        meanwhile: () => {
          // The request is carried out after this, and answered to a process that is gone.
          endWorker('SIGKILL').then(done, failed);
        },
      },
      { route },
    );
  });
}

describe('A worker that is killed', () => {
  it('[website 26] after the CMS created a story and before that was recorded: the run is stalled, and once it is resumed there is exactly one story', async () => {
    const site_id = await storyblokSite();
    const node_id = await makePage(site_id, await schemaOf(site_id, 'article'), 'article', 'Made here');
    const killed = killAtNext(stories, 'POST /stories');
    const job_id = await begin(site_id, 'push');
    await killed;
    expect([...stories.stories.rows.values()].map(({ name }) => name)).toEqual(['Made here']);
    expect(await until(site_id, job_id, ({ stalled }) => stalled)).toMatchObject({ status: 'stalled', done: 0, created: 0 });
    startWorker();
    await client().post(`/sites/${site_id}/cms/sync-jobs/${job_id}/resume`).expect(202);
    expect(await ended(site_id, job_id)).toMatchObject({ status: 'completed', done: 1, created: 1, failed: 0, unsettled: 0 });
    expect([...stories.stories.rows.values()].map(({ name }) => name)).toEqual(['Made here']);
    const [story] = stories.stories.rows.values();
    const { data } = (await client().get(`/sites/${site_id}/cms/links`).expect(200)).body as { data: object[] };
    expect(data).toMatchObject([{ lnk_node: node_id, lnk_external_id: story?.uuid, lnk_verdict: 'in_sync' }]);
  });

  it('whose run is cancelled leaves what it created to another run, which links it', async () => {
    const site_id = await storyblokSite();
    const node_id = await makePage(site_id, await schemaOf(site_id, 'article'), 'article', 'Made here');
    const killed = killAtNext(stories, 'POST /stories');
    const job_id = await begin(site_id, 'push');
    await killed;
    await until(site_id, job_id, ({ stalled }) => stalled);
    await client().post(`/sites/${site_id}/cms/sync-jobs/${job_id}/cancel`).expect(200);
    startWorker();
    const again = await begin(site_id, 'push');
    expect(await ended(site_id, again)).toMatchObject({ status: 'completed', failed: 0, unsettled: 0 });
    const [story, ...others] = stories.stories.rows.values();
    expect(others).toEqual([]);
    const { data } = (await client().get(`/sites/${site_id}/cms/links`).expect(200)).body as { data: object[] };
    expect(data).toMatchObject([{ lnk_node: node_id, lnk_external_id: story?.uuid, lnk_verdict: 'in_sync' }]);
  });

  it('after Contentful created an entry: what was edited here since is sent to the same entry', async () => {
    const { site_id, page } = await siteOfContentful(client(), entries);
    const node_id = await makePage(site_id, page, 'page', 'Made here');
    const killed = killAtNext(entries, 'PUT /environments/:env/entries/:id');
    const job_id = await begin(site_id, 'push');
    await killed;
    await until(site_id, job_id, ({ stalled }) => stalled);
    await client().patch(`/sites/${site_id}/nodes/${node_id}`, { node_slug: 'moved' }).expect(200);
    startWorker();
    await client().post(`/sites/${site_id}/cms/sync-jobs/${job_id}/resume`).expect(202);
    expect(await ended(site_id, job_id)).toMatchObject({ status: 'completed', done: 1, failed: 0, unsettled: 0 });
    expect([...entries.entries.rows.values()]).toMatchObject([
      { id: `atrium-${node_id}`, fields: { title: { 'en-US': 'Made here' }, slug: { 'en-US': 'moved' } } },
    ]);
  });

  it(
    'at any moment of a pull and of a push leaves them to the next one: no page is there twice, none is lost, and what others changed stays',
    async () => {
      const site_id = await storyblokSite();
      for (let at = 0; at < PAGES; at++) stories.addStory({ name: `Page ${at}`, slug: `page-${at}`, content: articleOf(`Page ${at}`) });
      const killedRun = async (direction: 'pull' | 'push', body: object = {}): Promise<ShownRun> => {
        const job_id = await begin(site_id, direction, body);
        for (let kill = 1; kill <= KILLS; kill++) {
          const goal = Math.floor((PAGES * kill) / (KILLS + 1));
          await until(site_id, job_id, ({ done, status }) => done >= goal || ['completed', 'partial', 'failed'].includes(status));
          await endWorker('SIGKILL');
          startWorker();
        }
        return ended(site_id, job_id);
      };
      expect(await killedRun('pull')).toMatchObject({ status: 'completed', done: PAGES, created: PAGES, failed: 0, unsettled: 0 });
      const [here] = await api.sql<{ nodes: number; names: number; links: number }>(
        `SELECT count(*)::int AS nodes, count(DISTINCT node_name)::int AS names,
           (SELECT count(DISTINCT lnk_node)::int FROM cms_link WHERE lnk_site = $1) AS links FROM node WHERE node_site = $1 AND node_active`,
        [site_id],
      );
      expect(here).toEqual({ nodes: PAGES, names: PAGES, links: PAGES });

      // Half of the pages are edited here, three of them there as well once the run has compared them.
      const links = await api.sql<{ lnk_node: string; lnk_name: string }>(
        'SELECT lnk_node, lnk_name FROM cms_link WHERE lnk_site = $1 ORDER BY lnk_id',
        [site_id],
      );
      const edited = links.filter((_, at) => at % 2 === 0);
      for (const { lnk_node, lnk_name } of edited)
        await client()
          .patch(`/sites/${site_id}/nodes/${lnk_node}`, { node_name: `${lnk_name}, edited` })
          .expect(200);
      const made = await makePage(site_id, await schemaOf(site_id, 'article'), 'article', 'Made here');
      const theirs = edited.slice(-3).map(({ lnk_name }) => lnk_name);
      const rows = [...stories.stories.rows.values()].filter(({ name }) => theirs.includes(name));
      const editThere = (): void => {
        for (const row of rows) stories.stories.change(row, { name: `${row.name}, edited there` });
      };
      stories.plan({ meanwhile: editThere }, { route: 'PUT /stories/:id' });
      const pushed = await killedRun('push');
      expect(pushed).toMatchObject({ status: 'partial', failed: 0, created: 1, unsettled: 3 });
      expect(rows.map(({ name }) => name).sort()).toEqual(theirs.map((name) => `${name}, edited there`).sort());
      const names = [...stories.stories.rows.values()].map(({ name }) => name);
      expect(names).toHaveLength(PAGES + 1);
      expect(new Set(names).size).toBe(PAGES + 1);
      expect(names.filter((name) => name.endsWith(', edited'))).toHaveLength(edited.length - 3);
      expect(names).toContain('Made here');
      expect(await api.sql('SELECT count(*)::int AS links FROM cms_link WHERE lnk_site = $1 AND lnk_node = $2', [site_id, made])).toEqual([
        { links: 1 },
      ]);
    },
    WITHIN_MS * 4,
  );
});
