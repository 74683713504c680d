import { StoryblokServer, type RunningApi, type Story, type TestWorkspace } from '@atrium/platform/testing';
import { startAtriumWithWorker } from '../support/api';
import { articleOf, CmsSite, fillComponents, titleOf, type ShownRun } from './cms';

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
  for (const story of [...server.stories.rows.values()]) server.stories.remove(story);
});

const client = () => ours.owner.client;
const add = (name: string, more: object = {}): Story => server.addStory({ name, slug: name.toLowerCase(), content: articleOf(name, more) });
const change = (story: Story | undefined, values: object): void => {
  if (story) server.stories.change(story, { content: { ...story.content, ...values } });
};
const titleHere = async (site: CmsSite, name: string): Promise<unknown> => (await site.page(name)).node_content['title'];

/** Pages that were pulled once: one has been edited here since, one there, and one on both sides. */
async function edited(): Promise<{ readonly site: CmsSite; readonly stories: ReadonlyMap<string, Story> }> {
  const site = await CmsSite.connect(client(), server);
  const stories = new Map(['Here', 'There', 'Both', 'Neither'].map((name) => [name, add(name)]));
  expect(await site.pull()).toMatchObject({ status: 'completed', created: 4 });
  for (const name of ['Here', 'Both']) await site.write(name, { title: `${name}, edited here` });
  for (const name of ['There', 'Both']) change(stories.get(name), { title: `${name}, edited there` });
  return { site, stories };
}

/** The titles of both sides. */
const titles = async ({ site, stories }: Awaited<ReturnType<typeof edited>>): Promise<Record<string, readonly unknown[]>> => {
  const found: Record<string, readonly unknown[]> = {};
  for (const [name, story] of stories) found[name] = [await titleHere(site, name), titleOf(story)];
  return found;
};

describe('[website 23] pages that one side or both have changed', () => {
  const before = {
    Here: ['Here, edited here', 'Here'],
    There: ['There', 'There, edited there'],
    Both: ['Both, edited here', 'Both, edited there'],
    Neither: ['Neither', 'Neither'],
  };
  const HERE = ['Both, edited here', 'Both, edited here'];
  const THERE = ['Both, edited there', 'Both, edited there'];

  it('are named by the plan, with the fields that differ, and nothing is written by it', async () => {
    const both = await edited();
    const plan = await both.site.plan();
    expect(plan).toMatchObject({ direction: 'both', complete: true, unchanged: 1 });
    expect(plan.counts).toEqual({ in_sync: 1, remote_changed: 1, local_changed: 1, conflict: 1 });
    expect(plan.updated.map(({ name, verdict }) => [name, verdict]).sort()).toEqual([
      ['Here', 'local_changed'],
      ['There', 'remote_changed'],
    ]);
    const { _uid } = (await both.site.page('Both')).node_content;
    expect(plan.conflicts).toMatchObject([{ name: 'Both', fields: { conflicts: [`${_uid}.title`] } }]);
    expect((await both.site.plan('pull')).updated.map(({ name }) => name)).toEqual(['There']);
    expect((await both.site.plan('push')).updated.map(({ name }) => name)).toEqual(['Here']);
    expect((await both.site.links()).map(({ lnk_verdict }) => lnk_verdict)).toEqual(['in_sync', 'in_sync', 'in_sync', 'in_sync']);
    expect(await titles(both)).toEqual(before);
  });

  it.each([
    {
      what: 'a pull leaves the conflict',
      move: 'pull' as const,
      body: {},
      run: { status: 'partial', updated: 1, skipped: 1, unsettled: 1, conflicts: 1 },
      after: { ...before, There: ['There, edited there', 'There, edited there'] },
      verdict: 'conflict',
    },
    {
      what: 'a pull that prefers this side writes nothing, and it counts as changed here alone',
      move: 'pull' as const,
      body: { resolution: 'local' },
      run: { status: 'completed', updated: 1, skipped: 2, unsettled: 0, conflicts: 1 },
      after: { ...before, There: ['There, edited there', 'There, edited there'] },
      verdict: 'local_changed',
    },
    {
      what: 'a pull that prefers the CMS takes its version',
      move: 'pull' as const,
      body: { resolution: 'remote' },
      run: { status: 'completed', updated: 2, skipped: 1, unsettled: 0 },
      after: { ...before, There: ['There, edited there', 'There, edited there'], Both: THERE },
      verdict: 'in_sync',
    },
    {
      what: 'a forced pull takes what was edited here alone, and still leaves the conflict',
      move: 'pull' as const,
      body: { force: true },
      run: { status: 'partial', updated: 3, unsettled: 1 },
      after: { ...before, There: ['There, edited there', 'There, edited there'], Here: ['Here', 'Here'] },
      verdict: 'conflict',
    },
    {
      what: 'a push sends this version',
      move: 'push' as const,
      body: {},
      run: { status: 'completed', updated: 2, skipped: 1, unsettled: 0, conflicts: 1 },
      after: { ...before, Here: ['Here, edited here', 'Here, edited here'], Both: HERE },
      verdict: 'in_sync',
    },
    {
      what: 'a push that leaves conflicts to people sends the others',
      move: 'push' as const,
      body: { resolution: 'manual' },
      run: { status: 'partial', updated: 1, skipped: 1, unsettled: 1 },
      after: { ...before, Here: ['Here, edited here', 'Here, edited here'] },
      verdict: 'conflict',
    },
    {
      what: 'a push that prefers the CMS sends nothing of it, and it counts as changed there alone',
      move: 'push' as const,
      body: { resolution: 'remote' },
      run: { status: 'completed', updated: 1, skipped: 2, unsettled: 0 },
      after: { ...before, Here: ['Here, edited here', 'Here, edited here'] },
      verdict: 'remote_changed',
    },
    {
      what: 'a forced push overwrites what was edited there alone',
      move: 'push' as const,
      body: { force: true },
      run: { status: 'completed', updated: 4, unsettled: 0 },
      after: { ...before, Here: ['Here, edited here', 'Here, edited here'], There: ['There', 'There'], Both: HERE },
      verdict: 'in_sync',
    },
  ])('$what', async ({ move, body, run, after, verdict }) => {
    const both = await edited();
    expect(await both.site[move](body)).toMatchObject({ ...run, failed: 0 });
    expect(await titles(both)).toEqual(after);
    expect((await both.site.link('Both')).lnk_verdict).toBe(verdict);
  });

  it('end after a preference by the next run the other way', async () => {
    const kept = await edited();
    await kept.site.pull({ resolution: 'local' });
    expect((await kept.site.plan()).counts).toEqual({ in_sync: 2, local_changed: 2 });
    await kept.site.push();
    expect((await titles(kept))['Both']).toEqual(HERE);
    expect((await kept.site.plan()).counts).toEqual({ in_sync: 4 });
    for (const story of kept.stories.values()) server.stories.remove(story);

    const given = await edited();
    await given.site.push({ resolution: 'remote' });
    expect((await given.site.plan()).counts).toEqual({ in_sync: 2, remote_changed: 2 });
    await given.site.pull();
    expect((await titles(given))['Both']).toEqual(THERE);
    expect((await given.site.plan()).counts).toEqual({ in_sync: 4 });
  });

  it('are shown by a dry run, which moves none of them', async () => {
    const both = await edited();
    expect(await both.site.pull({ dryRun: true })).toMatchObject({ dry_run: true, updated: 0, conflicts: 1 });
    expect(await titles(both)).toEqual(before);
  });
});

describe('A comparison that is stored', () => {
  it('answers the plan of its direction, and shows verdicts on links and site', async () => {
    const { site } = await edited();
    const scanned = (await client().post(`${site.path}/cms/scan?direction=pull`).expect(200)).body as object;
    expect(scanned).toMatchObject({
      direction: 'pull',
      complete: true,
      counts: { in_sync: 1, remote_changed: 1, local_changed: 1, conflict: 1 },
      unchanged: 1,
      created: [],
      updated: [{ name: 'There', verdict: 'remote_changed' }],
      conflicts: [{ name: 'Both' }],
      deleted: [],
    });
    expect((await site.link('Both')).lnk_verdict).toBe('conflict');
    const { site_cms } = (await client().get(site.path).expect(200)).body as { site_cms: object };
    expect(site_cms).toMatchObject({ connected: true, verdicts: { in_sync: 1, remote_changed: 1, local_changed: 1, conflict: 1 } });
    const pushed = (await client().post(`${site.path}/cms/scan?direction=push`).expect(200)).body as { updated: { name: string }[] };
    expect(pushed.updated.map(({ name }) => name)).toEqual(['Here']);
    const { data } = (await client().get(`${site.path}/cms/sync-jobs?direction=scan`).expect(200)).body as { data: ShownRun[] };
    expect(data[0]).toMatchObject({ status: 'completed', total: 4, done: 4, unchanged: 1, conflicts: 1 });
    await client().post(`${site.path}/cms/scan?direction=sideways`).expect(400);
  });
});

describe('Pages that were deleted', () => {
  it('there go to the trash here only where asked for, and come back by a push that prefers this side', async () => {
    const site = await CmsSite.connect(client(), server);
    const stories = ['Trashed', 'Revived', 'Stays'].map((name) => add(name));
    await site.pull();
    const ids = { trashed: await site.node('Trashed'), revived: await site.node('Revived') };
    for (const story of stories.slice(0, 2)) server.removeStory(story);
    expect(await site.pull()).toMatchObject({ status: 'completed', deleted: 0, skipped: 2, unchanged: 1 });
    expect(await site.push()).toMatchObject({ status: 'completed', created: 0, skipped: 2 });
    expect(await site.push({ resolution: 'local', nodeIds: [ids.revived] })).toMatchObject({ status: 'completed', created: 1 });
    expect([...server.stories.rows.values()].map(({ name }) => name)).toEqual(['Stays', 'Revived']);
    expect(await site.pull({ statuses: ['remote_deleted'] })).toMatchObject({ status: 'completed', deleted: 1 });
    expect((await site.read(ids.trashed)).node_active).toBe(false);
    expect((await site.read(ids.revived)).node_active).toBe(true);
    expect((await site.plan()).counts).toEqual({ in_sync: 2 });
  });

  it('here are deleted there only where asked for, and come back by a pull that prefers the CMS', async () => {
    const site = await CmsSite.connect(client(), server);
    const removed = server.addStory({ name: 'Removed', slug: 'removed', content: articleOf('Removed'), published: true });
    for (const name of ['Restored', 'Stays']) add(name);
    await site.pull();
    const ids = { removed: await site.node('Removed'), restored: await site.node('Restored') };
    for (const node_id of Object.values(ids)) await client().delete(`${site.path}/nodes/${node_id}`).expect(204);
    expect(await site.push()).toMatchObject({ status: 'completed', deleted: 0, skipped: 2 });
    expect(await site.pull()).toMatchObject({ status: 'completed', updated: 0, skipped: 2 });
    expect(server.stories.rows.size).toBe(3);
    expect(await site.pull({ resolution: 'remote', nodeIds: [ids.restored] })).toMatchObject({ status: 'completed', updated: 1 });
    expect((await site.read(ids.restored)).node_active).toBe(true);
    expect(await site.push({ statuses: ['local_deleted'] })).toMatchObject({ status: 'completed', deleted: 1 });
    expect(server.stories.rows.has(removed.id)).toBe(false);
    expect((await site.plan()).counts).toEqual({ in_sync: 2 });
  });
});

describe('[website 24] a merge', () => {
  const blocks = (story: Story | undefined): readonly Readonly<Record<string, unknown>>[] =>
    (story?.content['body'] ?? []) as readonly Readonly<Record<string, unknown>>[];

  async function twoBlocks(): Promise<{ readonly site: CmsSite; readonly story: Story; readonly uids: readonly string[] }> {
    const site = await CmsSite.connect(client(), server);
    const uids = ['teaser-one', 'teaser-two', 'teaser-three'];
    const story = add('Lamp', { body: uids.map((_uid) => ({ _uid, component: 'teaser', headline: _uid })) });
    await site.pull();
    return { site, story, uids };
  }
  const bodyHere = async (site: CmsSite): Promise<readonly Readonly<Record<string, unknown>>[]> =>
    (await site.page('Lamp')).node_content['body'] as readonly Readonly<Record<string, unknown>>[];

  it('takes texts of different blocks and an order that one side changed without a conflict', async () => {
    const { site, story } = await twoBlocks();
    const [one, two, three] = await bodyHere(site);
    await site.write('Lamp', { body: [three, { ...one, headline: 'One, edited here' }, two] });
    change(story, {
      body: blocks(story).map((block) => (block['_uid'] === 'teaser-two' ? { ...block, headline: 'Two, edited there' } : block)),
    });
    const page = `${site.path}/cms/pages/${await site.node('Lamp')}`;
    const compared = (await client().get(`${page}/compare`).expect(200)).body as {
      verdict: string;
      mergeable: boolean;
      fields: { path: string; status: string }[];
    };
    expect(compared).toMatchObject({
      verdict: 'conflict',
      mergeable: true,
      publication: { local: { en: 'draft', de: 'draft' }, remote: { '*': 'draft' } },
    });
    expect(compared.fields.map(({ path, status }) => [path, status])).toEqual(
      expect.arrayContaining([
        ['teaser-one.headline', 'local'],
        ['teaser-two.headline', 'remote'],
      ]),
    );
    expect((await client().post(`${page}/merge`).expect(200)).body).toMatchObject({ lnk_verdict: 'local_changed', run: null });
    const merged = [
      ['teaser-three', 'teaser-three'],
      ['teaser-one', 'One, edited here'],
      ['teaser-two', 'Two, edited there'],
    ];
    expect((await bodyHere(site)).map(({ _uid, headline }) => [_uid, headline])).toEqual(merged);
    const { data } = (
      await client()
        .get(`${site.path}/nodes/${await site.node('Lamp')}/versions`)
        .expect(200)
    ).body as { data: { ver_kind: string }[] };
    expect(data[0]?.ver_kind).toBe('merged');
    expect(blocks(story).map(({ _uid }) => _uid)).toEqual(['teaser-one', 'teaser-two', 'teaser-three']);
    await site.push();
    expect(blocks(story).map(({ _uid, headline }) => [_uid, headline])).toEqual(merged);
    expect((await site.plan()).counts).toEqual({ in_sync: 1 });
  });

  it('lists the text that both sides changed, applies the choice, and with a push makes both sides equal', async () => {
    const { site, story } = await twoBlocks();
    const [one, ...rest] = await bodyHere(site);
    await site.write('Lamp', { title: 'Here', body: [{ ...one, headline: 'One, edited here' }, ...rest] });
    change(story, {
      title: 'There',
      body: blocks(story).map((block, at) => (at === 0 ? { ...block, headline: 'One, edited there' } : block)),
    });
    const page = `${site.path}/cms/pages/${await site.node('Lamp')}`;
    const root = (await site.page('Lamp')).node_content._uid;
    const refused = await client().post(`${page}/merge`).expect(409);
    expect((refused.body as { errors: { path: string; code: string }[] }).errors.map(({ path, code }) => [path, code]).sort()).toEqual(
      [
        ['teaser-one.headline', 'conflict'],
        [`${root}.title`, 'conflict'],
      ].sort(),
    );
    await client()
      .post(`${page}/merge`, { choices: [{ path: 'teaser-one.headline', take: 'remote' }] })
      .expect(409);
    await client()
      .post(`${page}/merge`, { default: 'local', choices: [{ path: 'teaser-none.headline', take: 'remote' }] })
      .expect(400);
    const merged = await client()
      .post(`${page}/merge`, {
        choices: [
          { path: 'teaser-one.headline', take: 'remote' },
          { path: `${root}.title`, value: 'Both' },
        ],
        push: true,
      })
      .expect(200);
    expect(merged.body).toMatchObject({ lnk_verdict: 'in_sync', run: { direction: 'push', status: 'completed', updated: 1 } });
    for (const [title, headline] of [
      [(await site.page('Lamp')).node_content['title'], (await bodyHere(site))[0]?.['headline']],
      [titleOf(story), blocks(story)[0]?.['headline']],
    ])
      expect([title, headline]).toEqual(['Both', 'One, edited there']);
    expect((await site.plan()).counts).toEqual({ in_sync: 1 });
  });

  it('takes one side for all that was not chosen', async () => {
    const { site, story } = await twoBlocks();
    await site.write('Lamp', { title: 'Here' });
    change(story, { title: 'There' });
    const page = `${site.path}/cms/pages/ext:${story.uuid}`;
    await client().post(`${page}/merge`, { default: 'remote' }).expect(200);
    expect(await titleHere(site, 'Lamp')).toBe('There');
    expect((await site.plan()).counts).toEqual({ in_sync: 1 });
  });
});

describe('What changes while a run is at work', () => {
  it('at the CMS, between comparison and push, is a conflict and is not overwritten', async () => {
    const site = await CmsSite.connect(client(), server);
    const story = add('Lamp');
    await site.pull();
    await site.write('Lamp', { title: 'Here' });
    server.plan({ meanwhile: () => change(story, { title: 'There' }) }, { route: 'GET /stories/:id' });
    expect(await site.push()).toMatchObject({ status: 'partial', updated: 0, unsettled: 1 });
    expect([await titleHere(site, 'Lamp'), titleOf(story)]).toEqual(['Here', 'There']);
    expect((await site.link('Lamp')).lnk_verdict).toBe('conflict');
  });

  it('here, between comparison and pull, is a conflict and is not overwritten', async () => {
    const site = await CmsSite.connect(client(), server);
    const [story, other] = [add('Lamp'), add('Other')];
    await site.pull();
    change(story, { title: 'There' });
    change(other, { title: 'There' });
    // The first page has been compared by the time the second is read.
    server.plan({ delayMs: 0 }, { route: 'GET /stories/:id' });
    server.plan({ meanwhile: () => site.write('Lamp', { title: 'Here' }) }, { route: 'GET /stories/:id' });
    expect(await site.pull()).toMatchObject({ status: 'partial', updated: 1, unsettled: 1 });
    expect([await titleHere(site, 'Lamp'), titleOf(story)]).toEqual(['Here', 'There']);
    expect(await titleHere(site, 'Other')).toBe('There');
    expect((await site.plan()).counts).toEqual({ conflict: 1, in_sync: 1 });
  });
});

describe('Pages that both sides have without a link', () => {
  it('are adopted where they are equal, and a conflict where they are not; none is made twice', async () => {
    const site = await CmsSite.connect(client(), server);
    const folder = server.addStory({ name: 'Products', slug: 'products', is_folder: true });
    const home = server.addStory({ name: 'Home', slug: 'home', content: articleOf('Home') });
    const lamp = server.addStory({
      name: 'Lamp',
      slug: 'lamp',
      parent_id: folder.id,
      content: articleOf('Lamp', { more: { fieldtype: 'multilink', linktype: 'story', id: home.uuid, url: '', cached_url: '' } }),
    });
    add('Changed');
    expect(await site.pull()).toMatchObject({ status: 'completed', created: 4 });
    const ids = new Map((await site.links()).map(({ lnk_name, lnk_node }) => [lnk_name, lnk_node]));
    await client().delete(`${site.path}/cms`).expect(204);
    const settings = { spaceId: String(server.spaceId), token: server.token, rate: 50 };
    await client().post(`${site.path}/cms/connect`, { provider: 'storyblok', settings }).expect(200);
    await client().post(`${site.path}/cms/schemas/pull`).expect(200);
    await client()
      .patch(`${site.path}/nodes/${ids.get('Changed')}`, { node_name: 'Changed here' })
      .expect(200);

    expect((await site.plan()).counts).toEqual({ both_same: 3, conflict: 1 });
    expect((await site.plan()).created).toEqual([]);
    expect(await site.links()).toEqual([]);
    const run = await site.pull();
    expect(run).toMatchObject({ status: 'partial', created: 0, updated: 0, unchanged: 3, unsettled: 1, failed: 0 });
    for (const name of ['Products', 'Home', 'Lamp', 'Changed']) expect(await site.node(name)).toBe(ids.get(name));
    expect((await site.plan()).counts).toEqual({ in_sync: 3, conflict: 1 });
    expect(await site.pull({ resolution: 'remote' })).toMatchObject({ status: 'completed', updated: 1 });
    expect(lamp.name).toBe('Lamp');
    expect(server.stories.rows.size).toBe(4);
  });

  it('at the path of a pushed page are linked, and never overwritten unseen', async () => {
    const site = await CmsSite.connect(client(), server);
    const story = add('Lamp');
    const node_id = await site.create('Lamp', { title: 'Another lamp' }, { node_slug: 'lamp' });
    expect(await site.push({ nodeIds: [node_id] })).toMatchObject({ status: 'partial', created: 0, unsettled: 1 });
    expect(titleOf(story)).toBe('Lamp');
    expect(await site.link('Lamp')).toMatchObject({ lnk_node: node_id, lnk_external_id: story.uuid, lnk_verdict: 'conflict' });
    expect(await site.push({ nodeIds: [node_id] })).toMatchObject({ status: 'completed', updated: 1 });
    expect(titleOf(story)).toBe('Another lamp');
    expect(server.stories.rows.size).toBe(1);
  });

  it('are looked for at the path that the home page has there', async () => {
    const site = await CmsSite.connect(client(), server);
    await site.create('Other', { title: 'Other' }, { node_slug: 'other' });
    const home = await site.create('Start', { title: 'Start' }, { node_slug: '' });
    expect(await site.push()).toMatchObject({ status: 'completed', created: 2, failed: 0 });
    expect([...server.stories.rows.values()].map(({ slug }) => slug).sort()).toEqual(['home', 'other']);
    expect(await site.node('Start')).toBe(home);
    expect((await site.plan()).counts).toEqual({ in_sync: 2 });
  });

  it('belong to one page here: another that is pushed to the same path fails', async () => {
    const site = await CmsSite.connect(client(), server);
    const story = add('Lamp');
    await site.pull();
    await site.edit('Lamp', { node_slug: 'old-lamp' });
    const second = await site.create('Second', { title: 'Second' }, { node_slug: 'lamp' });
    const run = await site.push({ nodeIds: [second] });
    expect(run).toMatchObject({ status: 'failed', failed: 1, created: 0 });
    expect(run.pages?.[0]).toMatchObject({ crp_status: 'failed', crp_error: { code: 'already_linked' } });
    expect(titleOf(story)).toBe('Lamp');
  });
});
