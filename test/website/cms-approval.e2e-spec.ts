import { ScheduleHost } from '@atrium/platform/messaging';
import { eventually, StoryblokServer, type RunningApi, type Story, type TestWorkspace } from '@atrium/platform/testing';
import { startAtriumWithWorker } from '../support/api';
import { flowOf, STATES } from './approving';
import { articleOf, CmsSite, fillComponents, finishedRun, type ShownRun } from './cms';

let api: RunningApi;
let ours: TestWorkspace;
let server: StoryblokServer;

beforeAll(async () => {
  server = await StoryblokServer.start();
  api = await startAtriumWithWorker({ STORYBLOK_BASE: `${server.url}/v1`, OUTBOUND_ALLOW: '127.0.0.1/32' });
  ours = await api.workspace();
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
const add = (name: string): Story => server.addStory({ name, slug: name.toLowerCase(), content: articleOf(name) });
const change = (story: Story, title: string): void => server.stories.change(story, { content: { ...story.content, title } });

/** A flow of one step, for the pages of a site; edits do not undo an approval unless it says so. */
async function follow(site: CmsSite, more: object = {}): Promise<void> {
  const { caf_id } = (
    await client()
      .post(
        '/content-approval-flows',
        flowOf({
          caf_scope: { sites: [site.site_id] },
          caf_on_edit: 'keep',
          caf_transitions: [{ key: 'approve', name: 'Approve', from: ['draft'], to: 'approved' }],
          caf_states: STATES.filter(({ key }) => key !== 'review'),
          ...more,
        }),
      )
      .expect(201)
  ).body as { caf_id: string };
  await client().post(`/content-approval-flows/${caf_id}/activate`).expect(200);
}
const approve = async (site: CmsSite, name: string): Promise<void> => {
  await client()
    .post(`${site.path}/nodes/${await site.node(name)}/transitions`, { transition: 'approve', locales: ['en'] })
    .expect(200);
};
const liveOf = async ({ site_id }: CmsSite): Promise<number> =>
  (await api.sql('SELECT 1 FROM page_publication WHERE np_site = $1 AND np_to_seq IS NULL', [site_id])).length;

describe('no way around approval', () => {
  it('leads through a pull that publishes: pages arrive as drafts, and their rows name the flow', async () => {
    const site = await CmsSite.connect(client(), server);
    await follow(site);
    add('Lamp');
    const run = await site.pull({ publish: true });
    expect(run).toMatchObject({ status: 'partial', created: 1, published: 0, failed: 1 });
    const { data } = (await client().get(`${site.path}/cms/sync-jobs/${run.job_id}/pages`).expect(200)).body as {
      data: { crp_error: { message: string } | null }[];
    };
    expect(data[0]?.crp_error?.message).toContain('Editorial review');
    expect(await liveOf(site)).toBe(0);
  });

  it('leads through a page that was approved with other content: pulled content begins again, also where edits keep approvals', async () => {
    const site = await CmsSite.connect(client(), server);
    await follow(site);
    const [lamp, chair] = [add('Lamp'), add('Chair')];
    await site.pull();
    for (const name of ['Lamp', 'Chair']) await approve(site, name);
    change(lamp, 'Nobody has read this');
    expect(await site.pull({ publish: true })).toMatchObject({ updated: 1, published: 0, failed: 1 });
    await client().put(`${site.path}/cms/automation`, { scan: true, autoPull: 'all' }).expect(200);
    change(chair, 'Nor this');
    await api.sql(`UPDATE cms_connection SET cms_next_scan = now() - interval '1 second' WHERE cms_site = $1`, [site.site_id]);
    await api.worker.get(ScheduleHost).runNow('website.nightly');
    await eventually(
      async () => (await site.page('Chair')).node_content['title'],
      (title) => title === 'Nor this',
      60_000,
    );
    for (const name of ['Lamp', 'Chair'])
      await client()
        .post(`${site.path}/nodes/${await site.node(name)}/publish`, { locales: ['en'] })
        .expect(409, /Editorial review/);
    expect(await liveOf(site)).toBe(0);
  }, 90_000);

  it('leads through a push that publishes at the CMS: the page fails, and nothing is sent', async () => {
    const site = await CmsSite.connect(client(), server);
    const story = add('Lamp');
    await site.pull();
    await follow(site);
    await site.write('Lamp', { title: 'Nobody has read this' });
    expect(await site.push({ publish: true })).toMatchObject({ status: 'failed', failed: 1, published: 0 });
    expect([story.content['title'], story.published]).toEqual(['Lamp', false]);
    await approve(site, 'Lamp');
    expect(await site.push({ publish: true })).toMatchObject({ status: 'completed', updated: 1, published: 1 });
    expect([story.content['title'], story.published]).toEqual(['Nobody has read this', true]);
  });
});

describe('Who may not publish', () => {
  const editorOf = async (permissions: readonly string[]) => {
    const { role_id } = (
      await client()
        .post('/admin/roles', { role_name: `Role ${Date.now()}`, role_permissions: permissions })
        .expect(201)
    ).body as { role_id: string };
    const member = await ours.member('viewer');
    await client()
      .patch(`/admin/users/${member.user_id}`, { user_roles: [role_id] })
      .expect(200);
    return member;
  };
  const SYNC = ['site:view', 'site:edit', 'content:view', 'content:edit', 'site:cms:sync'];

  it('cannot pull with publish, nor by trying failed pages of such a pull again', async () => {
    const site = await CmsSite.connect(client(), server);
    const member = await editorOf(SYNC);
    for (const name of ['Lamp', 'Chair']) add(name);
    await member.client.post(`${site.path}/cms/pull`, { publish: true }).expect(403, /site:publish/);
    server.plan({ status: 422, body: {} }, { route: 'GET /stories/:id' });
    const run = await site.pull({ publish: true });
    expect(run).toMatchObject({ created: 1, published: 1, failed: 1 });
    await member.client.post(`${site.path}/cms/sync-jobs/${run.job_id}/retry`).expect(403, /site:publish/);
    const retried = (await client().post(`${site.path}/cms/sync-jobs/${run.job_id}/retry`).expect(202)).body as ShownRun;
    expect(await finishedRun(client(), site.site_id, retried.job_id)).toMatchObject({ created: 1, published: 1 });
  });

  it('loses the right in the middle of a run, as well as the access to the site: pages after that are not published, or not written', async () => {
    const site = await CmsSite.connect(client(), server);
    const member = await editorOf([...SYNC, 'site:publish']);
    const without = (
      await client()
        .get(`/admin/users/${(await editorOf(SYNC)).user_id}`)
        .expect(200)
    ).body as { user_roles: string[] };
    for (const name of ['One', 'Two', 'Three']) add(name);
    server.plan({ delayMs: 0 }, { route: 'GET /stories/:id', times: 2 });
    server.plan(
      { meanwhile: () => client().patch(`/admin/users/${member.user_id}`, { user_roles: without.user_roles }).expect(200) },
      { route: 'GET /stories/:id' },
    );
    expect(await site.as(member.client).pull({ publish: true })).toMatchObject({ created: 3, published: 0, failed: 3 });
    expect(await liveOf(site)).toBe(0);

    for (const story of server.stories.rows.values()) change(story, 'New');
    server.plan({ delayMs: 0 }, { route: 'GET /stories/:id', times: 2 });
    server.plan(
      {
        meanwhile: () =>
          client()
            .patch(site.path, { site_acl: { users: { [ours.owner.user_id]: 'owner' } } })
            .expect(200),
      },
      { route: 'GET /stories/:id' },
    );
    const { job_id } = (await member.client.post(`${site.path}/cms/pull`, { background: true }).expect(202)).body as ShownRun;
    expect(await finishedRun(client(), site.site_id, job_id)).toMatchObject({ status: 'failed', updated: 0 });
    expect((await site.page('One')).node_content['title']).toBe('One');
  });
});
