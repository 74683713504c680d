import { StoryblokServer, type RunningApi, type Story, type TestWorkspace } from '@atrium/platform/testing';
import { newId } from '@atrium/platform/kernel';
import { startAtriumWithWorker } from '../support/api';
import { uploadedPhoto } from './photos';
import { articleOf, CmsSite, connectSite, fillComponents, finishedRun, type ShownRun } from './cms';

let api: RunningApi;
let ours: TestWorkspace;
let server: StoryblokServer;

beforeAll(async () => {
  server = await StoryblokServer.start();
  api = await startAtriumWithWorker({ STORYBLOK_BASE: `${server.url}/v1`, OUTBOUND_ALLOW: '127.0.0.1/32' });
  ours = await api.workspace();
  server.languages.push({ code: 'de', name: 'German' });
  fillComponents(server);
});
afterAll(async () => {
  await api.close();
  await server.stop();
});
beforeEach(() => {
  server.rate = null;
  for (const story of [...server.stories.rows.values()]) server.stories.remove(story);
});

const client = () => ours.owner.client;
const CONTENT = 'GET /stories/:id';
const add = (name: string): Story => server.addStory({ name, slug: name.toLowerCase().replaceAll(' ', '-'), content: articleOf(name) });

describe('A space with 250 stories', () => {
  const FOLDERS = 10;
  const linkTo = (story: Story): object => ({ fieldtype: 'multilink', linktype: 'story', id: story.uuid, url: '', cached_url: '' });
  const text = (words: string): object => ({ type: 'doc', content: [{ type: 'paragraph', content: [{ type: 'text', text: words }] }] });

  /** Ten folders, and pages in them, each with a link to the page before and the last page linked from the first. */
  function fillSpace(): readonly Story[] {
    const folders = Array.from({ length: FOLDERS }, (_, at) =>
      server.addStory({
        name: `Folder ${at}`,
        slug: `folder-${at}`,
        is_folder: true,
        translated_slugs: [{ lang: 'de', slug: `ordner-${at}` }],
      }),
    );
    const pages: Story[] = [];
    for (let at = 0; at < 250 - FOLDERS; at++) {
      const before = pages.at(-1);
      pages.push(
        server.addStory({
          name: `Page ${at}`,
          slug: `page-${at}`,
          parent_id: folders[at % FOLDERS]?.id ?? 0,
          content: articleOf(`Page ${at}`, {
            title__i18n__de: `Seite ${at}`,
            text: text(`Text ${at}`),
            ...(before && { more: linkTo(before) }),
          }),
          translated_slugs: [{ lang: 'de', slug: `seite-${at}` }],
        }),
      );
    }
    const [first, last] = [pages[0], pages.at(-1)];
    if (first && last) server.stories.change(first, { content: { ...first.content, more: linkTo(last) as never } });
    return pages;
  }

  it('[website 21] is pulled in the background, equal in tree, languages, slugs, blocks, texts and links, and is not read a second time', async () => {
    const site = await CmsSite.connect(client(), server);
    const stories = fillSpace();
    const started = (await client().post(`${site.path}/cms/pull`).expect(202)).body as ShownRun;
    expect(await finishedRun(client(), site.site_id, started.job_id)).toMatchObject({
      status: 'completed',
      total: 250,
      done: 250,
      created: 250,
      failed: 0,
    });

    const ids = new Map((await site.links()).map(({ lnk_external_id, lnk_node }) => [lnk_external_id, lnk_node]));
    expect(ids.size).toBe(250);
    const rows = await api.sql<{
      node_id: string;
      node_tree: Record<string, unknown>;
      node_slug: string;
      node_slugs: object;
      parent: string | null;
      overlay: Record<string, unknown>;
    }>(
      `SELECT n.node_id, n.node_tree, n.node_slug, n.node_slugs, n.node_parent AS parent, l.nl_overlay AS overlay
       FROM node n JOIN node_locale l ON l.nl_node = n.node_id AND l.nl_locale = 'de' WHERE n.node_site = $1`,
      [site.site_id],
    );
    const byId = new Map(rows.map((row) => [row.node_id, row]));
    expect(byId.size).toBe(250);
    for (const [at, story] of stories.entries()) {
      const row = byId.get(ids.get(story.uuid) ?? '');
      const folder = server.stories.rows.get(story.parent_id);
      const target = stories[at === 0 ? stories.length - 1 : at - 1];
      const body = story.content['body'] as unknown as { _uid: string; headline: string }[];
      expect(row).toMatchObject({
        node_slug: `page-${at}`,
        node_slugs: { de: `seite-${at}` },
        parent: ids.get(folder?.uuid ?? ''),
        overlay: { [`${story.content['_uid'] as string}.title`]: `Seite ${at}` },
        node_tree: {
          _uid: story.content['_uid'],
          component: 'article',
          title: `Page ${at}`,
          body: [{ _uid: body[0]?._uid, component: 'teaser', headline: `Page ${at} teaser` }],
          text: text(`Text ${at}`),
          more: { kind: 'page', ref: ids.get(target?.uuid ?? '') },
        },
      });
    }
    expect((await site.page('Page 7')).node_path).toEqual({ en: '/folder-7/page-7', de: '/de/ordner-7/seite-7' });

    server.forgetCalls();
    expect(await site.pull()).toMatchObject({ status: 'completed', total: 0, unchanged: 250, updated: 0, created: 0 });
    expect(server.countCalls(CONTENT)).toBe(0);
    expect(server.countCalls()).toBe(3);
  }, 240_000);
});

describe('[website 27] a run', () => {
  it('can be cancelled at page 40 of a push of 250: no page after it is sent, and those before it stay', async () => {
    const site = await CmsSite.connect(client(), server);
    await api.sql(`UPDATE cms_connection SET cms_settings = cms_settings || '{"rate": 50}' WHERE cms_site = $1`, [site.site_id]);
    for (let at = 0; at < 250; at++) await site.create(`Page ${at}`, { title: `Page ${at}` }, { node_slug: `page-${at}` });
    const { job_id } = (await client().post(`${site.path}/cms/push`, { background: true }).expect(202)).body as ShownRun;
    let cancelled = 0;
    server.plan({ delayMs: 0 }, { route: 'POST /stories', times: 39 });
    server.plan(
      {
        meanwhile: async () => {
          cancelled = (await client().post(`${site.path}/cms/sync-jobs/${job_id}/cancel`)).status;
        },
      },
      { route: 'POST /stories' },
    );
    const run = await finishedRun(client(), site.site_id, job_id);
    expect(run).toMatchObject({ status: 'cancelled', total: 250 });
    await client().post(`${site.path}/cms/sync-jobs/${job_id}/cancel`).expect(409);
    await client().post(`${site.path}/cms/sync-jobs/${job_id}/retry`).expect(409);
    // The next run begins once nothing works on the cancelled one any more.
    expect(await site.push({ statuses: [] })).toMatchObject({ status: 'completed', created: 0 });
    expect(cancelled).toBe(202);
    expect(server.stories.rows.size).toBe(40);
    expect(run.done).toBe(39);
    expect(await site.push()).toMatchObject({ status: 'completed', failed: 0 });
    expect(server.stories.rows.size).toBe(250);
    expect((await site.plan()).counts).toEqual({ in_sync: 250 });
  }, 240_000);

  it('tries pages that failed again in another run, them alone, and is retried then', async () => {
    const site = await CmsSite.connect(client(), server);
    for (let at = 0; at < 9; at++) add(`Page ${at}`);
    server.plan({ status: 422, body: { error: 'refused' } }, { route: CONTENT, times: 5 });
    const run = await site.pull();
    expect(run).toMatchObject({ status: 'partial', created: 4, failed: 5 });
    server.forgetCalls();
    const retried = await client().post(`${site.path}/cms/sync-jobs/${run.job_id}/retry`).expect(202);
    const again = await finishedRun(client(), site.site_id, (retried.body as ShownRun).job_id);
    expect(again).toMatchObject({
      status: 'completed',
      total: 5,
      created: 5,
      unchanged: 0,
      failed: 0,
      trigger: 'retry',
      retry_of: run.job_id,
    });
    expect(server.countCalls(CONTENT)).toBe(5);
    expect((await client().get(`${site.path}/cms/sync-jobs/${run.job_id}`).expect(200)).body).toMatchObject({
      status: 'retried',
      retried_by: again.job_id,
    });
    await client().post(`${site.path}/cms/sync-jobs/${run.job_id}/retry`).expect(409);
    await client().post(`${site.path}/cms/sync-jobs/${again.job_id}/retry`).expect(409);
    expect((await site.plan()).counts).toEqual({ in_sync: 9 });
  });
});

describe('[website 28] a space that allows 3 requests a second', () => {
  it('is pulled at that pace: 60 pages take 20 seconds, none fails, and hardly a request comes too fast', async () => {
    const site_id = await connectSite(client(), server);
    const slow = { spaceId: String(server.spaceId), token: server.token, rate: 3 };
    await client().post(`/sites/${site_id}/cms/schemas/pull`).expect(200);
    await client().post(`/sites/${site_id}/cms/connect`, { provider: 'storyblok', settings: slow }).expect(200);
    for (let at = 0; at < 60; at++) add(`Page ${at}`);
    server.rate = 3;
    server.forgetCalls();
    const from = performance.now();
    const { job_id } = (await client().post(`/sites/${site_id}/cms/pull`, { background: true }).expect(202)).body as ShownRun;
    const run = await finishedRun(client(), site_id, job_id);
    expect(performance.now() - from).toBeGreaterThanOrEqual(20_000);
    expect(run).toMatchObject({ status: 'completed', created: 60, failed: 0 });
    expect(server.limited).toBeLessThan(3);
  }, 120_000);
});

describe('Answers that no CMS should give', () => {
  const pages = async (site: CmsSite): Promise<CmsSite> => {
    for (const name of ['One', 'Bad', 'Three']) add(name);
    return site;
  };

  it.each([
    { what: 'a page of 12 MB', fault: () => ({ garbage: JSON.stringify({ filler: 'x'.repeat(12 * 1024 * 1024) }) }) },
    { what: 'a page nested in 300 levels', fault: () => ({ garbage: `${'{"a":'.repeat(300)}1${'}'.repeat(300)}` }) },
    { what: 'a page that is no JSON', fault: () => ({ garbage: '{"story": {"id": 1, "name": "Half' }) },
    { what: 'an error page', fault: () => ({ garbage: '<!doctype html><title>502</title><h1>Bad gateway</h1>', type: 'text/html' }) },
    { what: 'a page without what a page has', fault: () => ({ garbage: '{"story": {"id": "one"}}' }) },
  ])('$what fails that page, listed or named, and the run goes on', async ({ fault }) => {
    const site = await pages(await CmsSite.connect(client(), server));
    server.plan({ delayMs: 0 }, { route: CONTENT });
    server.plan(fault(), { route: CONTENT });
    const run = await site.pull();
    expect(run).toMatchObject({ status: 'partial', created: 2, failed: 1 });
    const bad = run.pages?.find(({ crp_status }) => crp_status === 'failed');
    expect(bad).toMatchObject({ crp_verdict: 'error', crp_error: { code: 'upstream_invalid' } });
    expect((await site.link('Bad')).lnk_error).toMatchObject({ code: 'upstream_invalid' });
    for (const story of server.stories.rows.values()) server.stories.change(story, { content: { ...story.content, title: 'New' } });
    server.plan({ delayMs: 0 }, { route: CONTENT });
    server.plan(fault(), { route: CONTENT });
    const named = await site.pull({ externalIds: [...server.stories.rows.values()].map(({ uuid }) => uuid) });
    expect(named).toMatchObject({ status: 'partial', failed: 1 });
    expect(await site.pull()).toMatchObject({ status: 'completed', failed: 0 });
    expect((await site.plan()).counts).toEqual({ in_sync: 3 });
  });

  it('named first, fail their page alone', async () => {
    const site = await pages(await CmsSite.connect(client(), server));
    // The first page cannot be read by the list nor by the comparison.
    server.plan({ garbage: 'no json' }, { route: CONTENT });
    server.plan({ delayMs: 0 }, { route: CONTENT, times: 2 });
    server.plan({ garbage: 'no json' }, { route: CONTENT });
    const run = await site.pull({ externalIds: [...server.stories.rows.values()].map(({ uuid }) => uuid) });
    expect(run).toMatchObject({ status: 'partial', created: 2, failed: 1 });
  });

  it('a list that repeats its pages ends the run', async () => {
    const site = await CmsSite.connect(client(), server);
    for (let at = 0; at < 101; at++) add(`Page ${at}`);
    server.repeatsPages = true;
    const run = await site.pull();
    server.repeatsPages = false;
    expect(run).toMatchObject({ status: 'failed', created: 0 });
    expect(run.error).toContain('repeats its pages');
    expect(await site.links()).toEqual([]);
  });

  it('no page at all, after some were linked, deletes nothing', async () => {
    const site = await CmsSite.connect(client(), server);
    const stories = Array.from({ length: 30 }, (_, at) => add(`Page ${at}`));
    await site.pull();
    for (const story of stories) server.stories.remove(story);
    expect(await site.pull()).toMatchObject({ status: 'completed', deleted: 0, skipped: 30 });
    expect(await site.pull({ statuses: ['remote_deleted'] })).toMatchObject({ status: 'partial', deleted: 0, held_deletes: 30 });
    const [{ active } = { active: 0 }] = await api.sql<{ active: number }>(
      `SELECT count(*)::integer AS active FROM node WHERE node_site = $1 AND node_active`,
      [site.site_id],
    );
    expect(active).toBe(30);
  });
});

describe('A first pull', () => {
  it('without the schemas of the space fails each page, and says what to do', async () => {
    const site_id = await connectSite(client(), server);
    add('Lamp');
    const run = (await client().post(`/sites/${site_id}/cms/pull`).expect(200)).body as ShownRun & {
      pages: { crp_error: { code: string; message: string } }[];
    };
    expect(run).toMatchObject({ status: 'failed', failed: 1 });
    expect(run.pages[0]?.crp_error).toMatchObject({
      code: 'unsupported_field',
      message: expect.stringContaining('Pull the schemas first') as string,
    });
    await client().post(`/sites/${site_id}/cms/schemas/pull`).expect(200);
    expect((await client().post(`/sites/${site_id}/cms/pull`).expect(200)).body).toMatchObject({ status: 'completed', created: 1 });
  });
});

describe('A file of a page', () => {
  it('is sent once, and not while it may not be published', async () => {
    const site = await CmsSite.connect(client(), server);
    const photo = await uploadedPhoto(client());
    const rights = (expires: string) =>
      client()
        .put(`/files/${photo.file_id}`, { file_metadata: { rights: { expires } } })
        .expect(200);
    await rights('2020-01-01T00:00:00Z');
    const asset = { photo: { file: photo.file_id, alt: 'A lamp' } };
    await site.create('First', { title: 'First', ...asset }, { node_slug: 'first' });
    const refused = await site.push();
    expect(refused).toMatchObject({ status: 'failed', created: 0 });
    expect(refused.pages?.[0]?.crp_error).toMatchObject({ code: 'file_unavailable' });
    expect([server.assets.size, server.stories.rows.size]).toEqual([0, 0]);
    await rights('2090-01-01T00:00:00Z');
    await site.create('Second', { title: 'Second', ...asset }, { node_slug: 'second' });
    expect(await site.push()).toMatchObject({ status: 'completed', created: 2 });
    const [sent, ...more] = [...server.assets.values()];
    expect(more).toEqual([]);
    expect(sent?.bytes?.equals(photo.bytes)).toBe(true);
    for (const story of server.stories.rows.values())
      expect(story.content['photo']).toMatchObject({ filename: sent?.filename, alt: 'A lamp' });
    expect((await site.plan()).counts).toEqual({ in_sync: 2 });
  }, 120_000);
});

describe('Links between pages', () => {
  it('are turned once their pages are linked, also beside links that lead nowhere, and are written once', async () => {
    const promo = server.addComponent('promo', { target: { type: 'multilink', pos: 0 } });
    const site = await CmsSite.connect(client(), server);
    const later = add('Later');
    const link = (id: string): object => ({ fieldtype: 'multilink', linktype: 'story', id, url: '', cached_url: '' });
    const outside = link('00000000-0000-4000-8000-000000000000');
    const promoOf = (target: object): object => ({ _uid: newId(), component: 'promo', target });
    const first = server.addStory({
      name: 'First',
      slug: 'first',
      content: articleOf('First', { more: outside, body: [promoOf(link(later.uuid))] }),
    });
    expect(await site.pull({ externalIds: [first.uuid] })).toMatchObject({ status: 'completed', created: 1 });
    const inner = async (): Promise<unknown> => ((await site.page('First')).node_content['body'] as { target: unknown }[])[0]?.target;
    expect(await inner()).toMatchObject({ kind: 'url' });
    expect(await site.pull()).toMatchObject({ status: 'completed', created: 1 });
    expect(await inner()).toMatchObject({ kind: 'page', ref: await site.node('Later') });
    const versions = async (): Promise<number> =>
      (await api.sql('SELECT 1 FROM page_version WHERE ver_node = $1', [await site.node('First')])).length;
    const before = await versions();
    expect(await site.pull()).toMatchObject({ status: 'completed', total: 0, unchanged: 2 });
    expect(await versions()).toBe(before);
    expect((await site.plan()).counts).toEqual({ in_sync: 2 });
    server.components.delete(promo.id);
  });
});

describe('[website 31] schemas', () => {
  const componentsOf = (): string =>
    JSON.stringify([...server.components.values()].map(({ name, schema, more }) => ({ name, schema, more })));

  it('are mirrored with every component, pushed without a change, and carry what has no equivalent byte for byte', async () => {
    server.addComponent(
      'exotic',
      {
        title: { type: 'text', translatable: true, pos: 0 },
        colour: {
          type: 'custom',
          field_type: 'native-color-picker',
          options: [
            { name: 'b', value: '2' },
            { value: '1', name: 'a' },
          ],
          pos: 1,
        },
      },
      { is_root: true },
    );
    const site_id = await connectSite(client(), server);
    const pulled = (await client().post(`/sites/${site_id}/cms/schemas/pull`).expect(200)).body as { created: number };
    expect(pulled).toMatchObject({ created: 3, updated: 0, deactivated: 0 });
    const { site_library } = (await client().get(`/sites/${site_id}`).expect(200)).body as { site_library: string };
    const { data } = (await client().get(`/content-schemas?tpl_library=${site_library}`).expect(200)).body as {
      data: { tpl_key: string; tpl_active: boolean }[];
    };
    expect(data.map(({ tpl_key }) => tpl_key).sort()).toEqual(['article', 'exotic', 'teaser']);
    expect((await client().post(`/sites/${site_id}/cms/schemas/pull`).expect(200)).body).toMatchObject({
      created: 0,
      updated: 0,
      deactivated: 0,
    });

    const before = componentsOf();
    for (const _time of ['first', 'second'])
      expect((await client().post(`/sites/${site_id}/cms/schemas/push`).expect(200)).body).toMatchObject({ created: 0, updated: 0 });
    expect(componentsOf()).toBe(before);

    const colour = { plugin: 'native-color-picker', _uid: 'picker-01', color: '#ff0000', z: 1, a: [3, 2, { b: 1, a: 2 }] };
    const story = server.addStory({
      name: 'Exotic',
      slug: 'exotic',
      content: { component: 'exotic', _uid: newId(), title: 'Exotic', colour },
    });
    const run = (await client().post(`/sites/${site_id}/cms/pull`).expect(200)).body as ShownRun;
    expect(run).toMatchObject({ status: 'completed', created: 1 });
    const [{ lnk_node } = { lnk_node: '' }] = (
      (await client().get(`/sites/${site_id}/cms/links`).expect(200)).body as { data: { lnk_node: string }[] }
    ).data;
    const node = (await client().get(`/sites/${site_id}/nodes/${lnk_node}`).expect(200)).body as { node_content: object };
    await client()
      .put(`/sites/${site_id}/nodes/${lnk_node}/content`, { node_content: { ...node.node_content, title: 'Changed here' } })
      .expect(200);
    expect((await client().post(`/sites/${site_id}/cms/push`).expect(200)).body).toMatchObject({ status: 'completed', updated: 1 });
    expect(story.content['title']).toBe('Changed here');
    expect(JSON.stringify(story.content['colour'])).toBe(JSON.stringify(colour));

    const exotic = [...server.components.values()].find(({ name }) => name === 'exotic');
    if (exotic) server.components.delete(exotic.id);
    expect((await client().post(`/sites/${site_id}/cms/schemas/pull`).expect(200)).body).toMatchObject({ created: 0, deactivated: 1 });
  });

  it('are not mirrored in a library that another site uses', async () => {
    const first = await CmsSite.connect(client(), server);
    const { site_library } = (await client().get(first.path).expect(200)).body as { site_library: string };
    await client().delete(`${first.path}/cms`).expect(204);
    await api.sql('UPDATE content_library SET lib_site = NULL WHERE lib_id = $1', [site_library]);
    const site_id = await connectSite(client(), server);
    await client().patch(`/sites/${site_id}`, { site_library }).expect(200);
    await client().post(`/sites/${site_id}/cms/schemas/pull`).expect(200);
    const own = (await client().get(`/sites/${site_id}`).expect(200)).body as { site_library: string };
    expect(own.site_library).not.toBe(site_library);
    const { lib_name } = (await client().get(`/content-schema-libraries/${own.site_library}`).expect(200)).body as { lib_name: string };
    expect(lib_name).toMatch(/^Loopback space \(Storyblok\)( [0-9a-f]{6})?$/);
    expect((await client().get(first.path).expect(200)).body).toMatchObject({ site_library });
  });
});
