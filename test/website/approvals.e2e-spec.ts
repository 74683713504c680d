import { newId } from '@atrium/platform/kernel';
import { eventually, type Client, type RunningApi, type TestWorkspace } from '@atrium/platform/testing';
import { sharedAtriumWithWorker } from '../support/shared-atrium';
import { flowOf, followFlow, makeFlow, Newsroom, STATES, transitionsWith, type Flow } from './approving';
import { issuesOf, makePages, type PageNode } from './pages';

let api: RunningApi;
let ours: TestWorkspace;
let theirs: TestWorkspace;
let owner: Client;

beforeAll(async () => {
  api = await sharedAtriumWithWorker();
  ours = await api.workspace([]);
  theirs = await api.workspace([]);
  owner = ours.owner.client;
}, 120_000);
afterAll(() => api.close());

/** A site of its own, whose pages follow a flow. */
const begin = async (flow: object = {}): Promise<{ readonly room: Newsroom; readonly flow: Flow }> => {
  const pages = await makePages(owner);
  const room = await Newsroom.open(ours, pages);
  return { room, flow: await followFlow(pages, flow) };
};

const written = async ({ pages }: Newsroom, headline = 'First'): Promise<PageNode> => {
  const page = await pages.make(`Lamps ${newId()}`, { node_slug: `lamps-${newId()}` });
  return write(pages, page, headline);
};
const write = async (pages: Newsroom['pages'], page: PageNode, headline: string, more: object = {}): Promise<PageNode> =>
  (await pages.write(page.node_id, { _uid: page.node_content._uid, component: 'article', headline }, more).expect(200)).body as PageNode;
const pathOf = ({ node_path }: PageNode): string => node_path.en ?? '';

describe('a page that follows a flow', () => {
  it('[website 18] goes live with the content that two people have approved, although the draft has changed since (keep)', async () => {
    const { room, flow } = await begin({ caf_on_edit: 'keep' });
    const page = await written(room);
    const refused = await room.tryPublish(owner, page.node_id).expect(409, /invalid_state/);
    expect(refused.body.detail).toContain('Editorial review');
    expect(refused.body.detail).toContain('Draft');
    expect(refused.body.detail).toContain('Submit (submit)');

    const request = await room.ask(page.node_id, { publish: { on_approval: true } });
    expect(request).toMatchObject({ car_status: 'open', car_step: { approved: 0, needed: 2 }, car_locale: 'en' });
    expect(await room.standing(page.node_id)).toMatchObject({ state: 'review', request: request.car_id, live: 'draft' });
    await write(room.pages, page, 'Second');
    await owner
      .patch(`/content-approval-flows/${flow.caf_id}`, { caf_transitions: transitionsWith({ approvals: { count: 5 } }) })
      .expect(200);

    expect(await room.decide(room.ada.client, request)).toMatchObject({ car_status: 'open', car_step: { approved: 1, needed: 2 } });
    expect(await room.live(api.stranger, pathOf(page))).toBeUndefined();
    expect(await room.decide(room.bob.client, request)).toMatchObject({ car_status: 'approved', car_step: { approved: 2, needed: 2 } });
    expect(await room.live(api.stranger, pathOf(page))).toBe('First');
    expect(await room.standing(page.node_id)).toEqual({ state: 'approved', request: null, live: 'changed' });
    await room.tryPublish(owner, page.node_id).expect(409, /has changed since/);
    await room.tryDecide(room.bob.client, request).expect(409, /invalid_state/);
  });

  it('[website 18] loses its request to an edit, and begins again (reset)', async () => {
    const { room } = await begin();
    const page = await written(room);
    const request = await room.ask(page.node_id, { publish: { on_approval: true } });
    await room.decide(room.ada.client, request);
    await write(room.pages, page, 'Second');
    expect(await room.standing(page.node_id)).toMatchObject({ state: 'draft', request: null });
    await room.tryDecide(room.bob.client, request).expect(409, /superseded/);
    expect(await room.request(request.car_id)).toMatchObject({ car_status: 'superseded', content: { headline: 'First' }, diff: null });
    expect(await room.live(api.stranger, pathOf(page))).toBeUndefined();
  });

  it('[website 18] is approved by others than the person who asks, and only moves where nobody may publish', async () => {
    const { room } = await begin();
    const page = await written(room);
    const asked = await room.ask(page.node_id, { publish: { on_approval: true } }, room.ada.client);
    await room.tryDecide(room.ada.client, asked).expect(403, /requested this approval/);
    await owner.post(`/content-approvals/${asked.car_id}/withdraw`).expect(200);
    expect(await room.standing(page.node_id)).toMatchObject({ state: 'review', request: null });

    const [{ request } = { request: null }] = await room.move(room.writer.client, page.node_id, 'approve', {
      publish: { on_approval: true },
    });
    if (!request) throw new Error('No approval was asked for.');
    const scopes = ['content:view', 'content:edit', 'content:approve', 'site:view'];
    const [eve, mallory] = [await ours.member('editor', scopes), await ours.member('editor', scopes)];
    await room.decide(eve.client, request);
    const decided = await room.decide(mallory.client, request);
    expect(decided.car_status).toBe('approved');
    expect(await room.standing(page.node_id)).toMatchObject({ state: 'approved', live: 'draft' });
    expect(await room.live(api.stranger, pathOf(page))).toBeUndefined();
  });

  it('[website 18] goes live by the right of who asks or of who completes it, not by that of another approver', async () => {
    const { room } = await begin();
    const scopes = ['content:view', 'content:edit', 'content:approve', 'site:view'];
    const [eve, mallory] = [await ours.member('editor', scopes), await ours.member('editor', scopes)];
    const byAsker = await written(room);
    const asked = await room.ask(byAsker.node_id, { publish: { on_approval: true } }, owner);
    await room.decide(eve.client, asked);
    expect(await room.decide(mallory.client, asked)).toMatchObject({ car_status: 'approved' });
    expect(await room.live(api.stranger, pathOf(byAsker))).toBe('First');

    const byNobody = await written(room);
    const request = await room.ask(byNobody.node_id, { publish: { on_approval: true } });
    await room.decide(room.ada.client, request);
    expect(await room.decide(mallory.client, request)).toMatchObject({ car_status: 'approved' });
    expect(await room.standing(byNobody.node_id)).toMatchObject({ state: 'approved', live: 'draft' });
    expect(await room.live(api.stranger, pathOf(byNobody))).toBeUndefined();
  });

  it('[website 19] is approved in one locale without the others, and by the hash of what was read', async () => {
    const { room, flow } = await begin();
    const page = await written(room);
    await write(room.pages, page, 'Erste', { locale: 'de' });
    const request = await room.ask(page.node_id);
    await room.tryDecide(room.ada.client, request, { hash: 'f'.repeat(64) }).expect(412, /precondition_failed/);
    await room.decide(room.ada.client, request);
    await room.decide(room.bob.client, request);
    await room.tryPublish(owner, page.node_id, { locales: ['de'] }).expect(409, /Draft/);
    await room.tryPublish(owner, page.node_id).expect(409, /Draft/);
    await room.tryPublish(owner, page.node_id, { locales: ['en'] }).expect(200);
    expect(await room.live(api.stranger, pathOf(page))).toBe('First');

    const gone = {
      caf_states: STATES.slice(0, 2).map((state) => ({ ...state, publishable: true })),
      caf_transitions: transitionsWith().slice(0, 1),
    };
    const refused = await owner.patch(`/content-approval-flows/${flow.caf_id}`, gone).expect(409, /in_use/);
    expect(JSON.stringify(refused.body.errors)).toMatch(/approved.*\b1\b/);
    await owner.patch(`/content-approval-flows/${flow.caf_id}`, { ...gone, state_map: { approved: 'review' } }).expect(200);
    expect(await room.standing(page.node_id)).toMatchObject({ state: 'review' });
  });

  it('[website 3] shows the default locale where nothing is translated, and makes no transition that checks translations while one is stale', async () => {
    const { room } = await begin({
      caf_transitions: transitionsWith({ approvals: {}, from: ['draft', 'review'], checks: ['no_stale_translation', 'locale_complete'] }),
    });
    const page = await written(room);
    const { _uid } = page.node_content;
    const save = (values: object, more: object = {}) =>
      room.pages.write(page.node_id, { _uid, component: 'article', ...values }, more).expect(200);
    const quoteOf = (words: string): object => ({ component: 'quote', _uid: 'quote-one', words });
    await save({ headline: 'First', teaser: 'Bright', body: [quoteOf('Light')] });
    const untouched = (await room.pages.read(page.node_id, '?locale=de')).node_content;
    expect(untouched).toMatchObject({ headline: 'First', teaser: 'Bright', body: [{ words: 'Light' }] });
    await save({ headline: 'Erste', teaser: 'Bright', body: [quoteOf('Licht')] }, { locale: 'de' });
    expect((await room.pages.read(page.node_id, '?locale=de')).node_content).toMatchObject({ headline: 'Erste', teaser: 'Bright' });
    await save({ headline: 'Erste', teaser: 'Hell', body: [quoteOf('Licht')] }, { locale: 'de' });
    await save({ headline: 'Changed since', teaser: 'Bright', body: [quoteOf('Light')] });
    expect(issuesOf(await room.pages.read(page.node_id, '?locale=de'))).toEqual(['warning stale node_content.headline']);
    const missed = [{ path: 'node_content.headline', code: 'stale' }];
    const open = await room.writer.client.get(`${room.pages.path}/${page.node_id}/transitions?locale=de`).expect(200);
    expect(open.body.data).toMatchObject([
      { key: 'submit', to: 'review', needs_approval: false, comment: 'optional', blocked_by: [] },
      { key: 'approve', to: 'approved', blocked_by: missed },
    ]);
    const refused = await room
      .tryMove(room.writer.client, page.node_id, 'approve', { locales: ['de'] })
      .expect(422, /unprocessable_content/);
    expect(refused.body.errors).toMatchObject(missed);
    await save({ headline: 'Seither geändert', teaser: 'Hell', body: [quoteOf('Licht')] }, { locale: 'de' });
    expect(await room.move(room.writer.client, page.node_id, 'approve', { locales: ['en', 'de'] })).toEqual([
      { locale: 'en', state: 'approved', request: null },
      { locale: 'de', state: 'approved', request: null },
    ]);
  });

  it('moves in all of the named locales or in none', async () => {
    const { room } = await begin();
    const page = await written(room);
    await room.move(room.writer.client, page.node_id, 'submit', { locales: ['de'] });
    await room.tryMove(room.writer.client, page.node_id, 'submit', { locales: ['en', 'de'] }).expect(409, /does not start/);
    expect([await room.standing(page.node_id, 'en'), await room.standing(page.node_id, 'de')]).toMatchObject([
      { state: 'draft' },
      { state: 'review' },
    ]);
  });

  it('cannot be edited in a locked state, in whatever way', async () => {
    const locked = STATES.map((state) => (state.key === 'review' ? { ...state, locked: true } : state));
    const { room } = await begin({ caf_states: locked });
    const page = await written(room);
    const [version] = (await owner.get(`${room.pages.path}/${page.node_id}/versions`).expect(200)).body.data as { ver_id: string }[];
    await write(room.pages, page, 'Second');
    await room.move(room.writer.client, page.node_id, 'submit');
    const refused = /invalid_state.*In review/s;
    await room.pages.write(page.node_id, { component: 'article', headline: 'Third' }).expect(409, refused);
    await room.pages
      .operate(page.node_id, [{ op: 'set', uid: page.node_content._uid, key: 'headline', value: 'Third' }])
      .expect(409, refused);
    await room.pages.change(page.node_id, { node_name: 'Third' }).expect(409, refused);
    await owner.post(`${room.pages.path}/${page.node_id}/versions/${version?.ver_id}/restore`, {}).expect(409, refused);
    await write(room.pages, page, 'Dritte', { locale: 'de' });
    expect((await room.pages.read(page.node_id)).node_content.headline).toBe('Second');
  });

  it('shows approvers what they approve, and how it differs from what is live', async () => {
    const { room } = await begin({ caf_on_edit: 'keep' });
    const page = await written(room);
    const first = await room.ask(page.node_id, { publish: { on_approval: true } });
    await room.decide(room.ada.client, first);
    await room.decide(room.bob.client, first);
    await owner
      .patch(`/content-approval-flows/${first.car_flow}`, {
        caf_transitions: [...transitionsWith(), { key: 'again', name: 'Again', from: ['*'], to: 'draft' }],
      })
      .expect(200);
    await room.move(owner, page.node_id, 'again');
    await write(room.pages, page, 'Second');
    const second = await room.ask(page.node_id);
    await write(room.pages, page, 'Third');
    expect(await room.request(second.car_id)).toMatchObject({
      content: { headline: 'Second' },
      diff: { added: [], removed: [], moved: [], changed: [{ from: 'First', to: 'Second' }] },
    });
  });

  it('can be booked for a time by its approval', async () => {
    const { room } = await begin();
    const page = await written(room);
    const at = new Date(Date.now() + 3_600_000).toISOString();
    const request = await room.ask(page.node_id, { publish: { on_approval: true, at } });
    await room.decide(room.ada.client, request);
    await room.decide(room.bob.client, request);
    const { data } = (await owner.get(`/sites/${room.pages.site.site_id}/schedules`).expect(200)).body;
    expect(data).toMatchObject([
      {
        sch_node: page.node_id,
        sch_at: at,
        sch_locales: ['en'],
        sch_version: request.car_version,
        sch_status: 'waiting',
        sch_created_by: room.bob.user_id,
      },
    ]);
    expect(await pinned(request.car_version)).toBe(true);
    await owner.delete(`/sites/${room.pages.site.site_id}/schedules/${data[0].sch_id}`).expect(204);
    expect(await pinned(request.car_version)).toBe(false);
    expect(await room.live(api.stranger, pathOf(page))).toBeUndefined();
  });

  it('keeps the version of a request until nothing needs it', async () => {
    const { room } = await begin();
    const page = await written(room);
    const english = await room.ask(page.node_id);
    const german = await room.ask(page.node_id, { locales: ['de'] });
    expect(german.car_version).toBe(english.car_version);
    await owner.post(`/content-approvals/${english.car_id}/withdraw`).expect(200);
    expect(await pinned(german.car_version)).toBe(true);
    await room.decide(room.ada.client, german, { decision: 'reject' });
    expect(await room.standing(page.node_id, 'de')).toMatchObject({ state: 'draft', request: null });
    expect(await pinned(german.car_version)).toBe(false);
  });

  it('takes its request along to the trash', async () => {
    const { room } = await begin();
    const page = await written(room);
    const request = await room.ask(page.node_id);
    await room.pages.remove(page.node_id).expect(204);
    expect(await room.request(request.car_id)).toMatchObject({ car_status: 'withdrawn' });
    expect(await pinned(request.car_version)).toBe(false);
    await room.tryMove(owner, page.node_id, 'submit').expect(409, /trash|deleted/);
  });
});

const pinned = async (ver_id: string): Promise<boolean | undefined> =>
  (await api.sql<{ ver_pinned: boolean }>('SELECT ver_pinned FROM page_version WHERE ver_id = $1', [ver_id]))[0]?.ver_pinned;

describe('no way around approval', () => {
  it('leads to visitors for one who may edit and not publish, nor for one who may publish, before it is given', async () => {
    const { room } = await begin();
    const page = await written(room);
    const at = new Date(Date.now() + 3_600_000).toISOString();
    const { site_id } = room.pages.site;
    const node = `${room.pages.path}/${page.node_id}`;
    const { data } = (await owner.get(`${node}/versions`).expect(200)).body as { data: { ver_id: string; ver_number: number }[] };
    const [version] = data;
    const waysIn: readonly [string, object][] = [
      [`${node}/publish`, {}],
      [`${node}/publish`, { locales: ['en'] }],
      [`${node}/publish`, { subtree: true }],
      [`${node}/publish`, { version: version?.ver_number }],
      [`/sites/${site_id}/publish`, { node_ids: [page.node_id] }],
    ];
    for (const [path, body] of waysIn) {
      await room.writer.client.post(path, body).expect(403, /permission_denied/);
      await owner.post(path, body).expect(409, /Editorial review/);
    }
    for (const path of [`${node}/publish`, `/sites/${site_id}/publish`])
      await room.writer.client.post(path, { at, ...(path.startsWith('/sites/') ? { node_ids: [page.node_id] } : {}) }).expect(403);

    await room.move(room.writer.client, page.node_id, 'submit', { publish: { on_approval: true } });
    expect(await room.standing(page.node_id)).toMatchObject({ state: 'review', live: 'draft' });
    const [{ request } = { request: null }] = await room.move(room.ada.client, page.node_id, 'approve', { publish: { on_approval: true } });
    if (!request) throw new Error('No approval was asked for.');
    await room.tryDecide(room.ada.client, request).expect(403);
    await room.tryDecide(room.writer.client, request).expect(403, /permission_denied/);
    await owner.post(`${node}/versions/${version?.ver_id}/restore`, {}).expect(200);
    await owner.post(`${node}/publish`).expect(409);
    await owner.post(`${room.pages.path}/${page.node_id}/duplicate`, {}).expect(201);

    expect(await api.sql(`SELECT np_node FROM page_publication WHERE np_site = $1`, [site_id])).toEqual([]);
  });

  it('does not lead through a schedule: one that is due before the approval fails, and names the flow', async () => {
    const { room } = await begin();
    const page = await written(room);
    const at = new Date(Date.now() + 3_600_000).toISOString();
    for (const freeze of [true, false]) {
      const { sch_id } = (await room.tryPublish(owner, page.node_id, { at, freeze }).expect(201)).body as { sch_id: string };
      await api.sql(`UPDATE publish_schedule SET sch_at = now() - interval '1 second' WHERE sch_id = $1`, [sch_id]);
      const path = `/sites/${room.pages.site.site_id}/schedules/${sch_id}`;
      const done = await eventually(
        async () => (await owner.get(path).expect(200)).body as { sch_status: string },
        ({ sch_status }) => sch_status !== 'waiting',
      );
      expect(done).toMatchObject({ sch_status: 'failed', sch_error: expect.stringContaining('Editorial review') as string });
    }
    expect(await room.live(api.stranger, pathOf(page))).toBeUndefined();
  }, 60_000);

  it('takes four eyes, also where everyone decides at the same time', async () => {
    const { room } = await begin();
    const page = await written(room);
    const request = await room.ask(page.node_id, { publish: { on_approval: true } });
    const votes = await Promise.all([room.ada, room.ada, room.ada].map(({ client }) => room.tryDecide(client, request)));
    expect(votes.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(await room.request(request.car_id)).toMatchObject({ car_status: 'open', car_step: { approved: 1 } });
    const eve = await ours.member('editor');
    const last = await Promise.all([room.bob, eve].map(({ client }) => room.tryDecide(client, request)));
    expect(last.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(await room.live(api.stranger, pathOf(page))).toBe('First');
  });

  it('lets an edit or the last approval win, never the edited content', async () => {
    const { room } = await begin();
    const page = await written(room);
    const request = await room.ask(page.node_id, { publish: { on_approval: true } });
    await room.decide(room.ada.client, request);
    const [decision] = await Promise.all([room.tryDecide(room.bob.client, request), write(room.pages, page, 'Second')]);
    const live = await room.live(api.stranger, pathOf(page));
    expect([
      [200, 'First'],
      [409, undefined],
    ]).toContainEqual([decision.status, live]);
    expect(await room.standing(page.node_id)).toMatchObject({ state: 'draft', request: null });
  });
});

describe('flows and requests', () => {
  it('are of their workspace: every id of another one answers 404', async () => {
    const { room, flow } = await begin();
    const page = await written(room);
    const request = await room.ask(page.node_id);
    const stranger = theirs.owner.client;
    const paths = [
      `/content-approval-flows/${flow.caf_id}`,
      `/content-approvals/${request.car_id}`,
      `${room.pages.path}/${page.node_id}/transitions`,
    ];
    for (const path of paths) await stranger.get(path).expect(404);
    await stranger.patch(`/content-approval-flows/${flow.caf_id}`, { caf_name: 'Theirs' }).expect(404);
    await stranger.delete(`/content-approval-flows/${flow.caf_id}`).expect(404);
    for (const step of ['activate', 'deactivate']) await stranger.post(`/content-approval-flows/${flow.caf_id}/${step}`).expect(404);
    await room.tryMove(stranger, page.node_id, 'submit').expect(404);
    await room.tryDecide(stranger, request).expect(404);
    await stranger.post(`/content-approvals/${request.car_id}/withdraw`).expect(404);
    expect((await stranger.get('/content-approvals').expect(200)).body.data).toEqual([]);
    const other = await makePages(owner);
    await owner.get(`${other.path}/${page.node_id}/transitions`).expect(404);
    await owner.post(`${other.path}/${page.node_id}/transitions`, { transition: 'submit' }).expect(404);
  });

  it('let viewers read, contributors ask, editors approve, and managers of flows change them', async () => {
    const { room, flow } = await begin();
    const page = await written(room);
    const viewer = (await ours.member('viewer')).client;
    const node = `${room.pages.path}/${page.node_id}`;
    await viewer.put(`${node}/content`, { node_content: { component: 'article' } }).expect(403);
    await room.tryMove(viewer, page.node_id, 'submit').expect(403);
    await viewer.get(`${node}/transitions`).expect(200);
    await viewer.post('/content-approval-flows', flowOf()).expect(403, /content:flow:edit/);
    await room.writer.client.patch(`/content-approval-flows/${flow.caf_id}`, { caf_name: 'Mine' }).expect(403);
    await room.pages
      .as(room.writer.client)
      .write(page.node_id, { _uid: page.node_content._uid, component: 'article', headline: 'By a contributor' })
      .expect(200);
    await room.tryPublish(room.writer.client, page.node_id).expect(403);
    await room.pages.as(room.writer.client).change(page.node_id, { node_slug: 'elsewhere' }).expect(403);
    const request = await room.ask(page.node_id);
    await room.tryDecide(viewer, request).expect(403);
    await viewer.post(`/content-approvals/${request.car_id}/withdraw`).expect(403, /content:flow:edit/);
    await room.decide(room.ada.client, request);
    await room.decide(room.bob.client, request);
    await room.tryPublish(room.ada.client, page.node_id, { locales: ['en'] }).expect(200);
  });

  it('are hidden with the site that they are about', async () => {
    const { room } = await begin();
    const page = await written(room);
    const request = await room.ask(page.node_id);
    await owner
      .patch(`/sites/${room.pages.site.site_id}`, {
        site_acl: { users: { [ours.owner.user_id]: 'owner', [room.ada.user_id]: 'view', [room.writer.user_id]: 'edit' } },
      })
      .expect(200);
    await room.bob.client.get(`/content-approvals/${request.car_id}`).expect(404);
    await room.tryDecide(room.bob.client, request).expect(404);
    const found = (await room.bob.client.get(`/content-approvals?car_subject_id=${page.node_id}`).expect(200)).body.data;
    expect(found).toEqual([]);
    await room.tryDecide(room.ada.client, request).expect(403, /not an approver/);
  });

  it('wait for those who can decide, and for nobody else', async () => {
    const { room } = await begin();
    const page = await written(room);
    const request = await room.ask(page.node_id, {}, room.ada.client);
    const mine = async ({ client }: { client: Client }): Promise<boolean> =>
      (
        (await client.get(`/content-approvals?mine=true&car_subject_id=${page.node_id}`).expect(200)).body.data as { car_id: string }[]
      ).some(({ car_id }) => car_id === request.car_id);
    expect([await mine(room.ada), await mine(room.bob), await mine(room.writer)]).toEqual([false, true, false]);
    await room.decide(room.bob.client, request);
    expect(await mine(room.bob)).toBe(false);
  });

  it('refuse what no page could follow', async () => {
    const foreign = (await makePages(theirs.owner.client)).site.site_id;
    const tries: readonly [object, string, string][] = [
      [{ caf_subject: 'album' }, 'caf_subject', 'choice'],
      [{ caf_states: STATES.slice(0, 2), caf_transitions: transitionsWith().slice(0, 1) }, 'caf_states', 'publishable'],
      [{ caf_scope: { sites: [newId()] } }, 'caf_scope.sites[0]', 'reference'],
      [{ caf_scope: { sites: [foreign] } }, 'caf_scope.sites[0]', 'reference'],
      [{ caf_scope: { locales: ['not a language'] } }, 'caf_scope.locales[0]', 'locale'],
      [{ caf_transitions: transitionsWith({ checks: ['spelling'] }) }, 'caf_transitions[1].checks[0]', 'choice'],
      [{ caf_transitions: transitionsWith({ on_reject: 'moon' }) }, 'caf_transitions[1].on_reject', 'reference'],
      [
        { caf_transitions: transitionsWith({ approvals: { count: 1, movers: { users: [newId()] } } }) },
        'caf_transitions[1].approvals.movers.users[0]',
        'reference',
      ],
    ];
    for (const [more, path, code] of tries) {
      const refused = await owner.post('/content-approval-flows', flowOf(more)).expect(400);
      expect(refused.body.errors).toMatchObject([{ path, code }]);
    }
  });

  it('show and lose no site that the caller cannot see', async () => {
    const [open, closed] = [await makePages(owner), await makePages(owner, { site_acl: { users: { [ours.owner.user_id]: 'owner' } } })];
    const sites = [open.site.site_id, closed.site.site_id];
    const { caf_id } = await makeFlow(owner, { caf_scope: { sites } });
    const path = `/content-approval-flows/${caf_id}`;
    const { client } = await ours.member('admin');
    const seen = { caf_scope: { sites: [open.site.site_id], locales: [] }, covers_other_sites: true };
    expect((await client.get(path).expect(200)).body).toMatchObject(seen);
    const listed = (await client.get('/content-approval-flows?limit=200').expect(200)).body.data as Flow[];
    expect(listed.find((flow) => flow.caf_id === caf_id)).toMatchObject(seen);
    await client.patch(path, { caf_scope: { sites } }).expect(400, /caf_scope\.sites\[1\]/);
    const changed = (await client.patch(path, { caf_scope: { sites: [], locales: ['de'] } }).expect(200)).body;
    expect(changed).toMatchObject({ caf_scope: { sites: [], locales: ['de'] }, covers_other_sites: true });
    const whole = { caf_scope: { sites: [closed.site.site_id], locales: ['de'] }, covers_other_sites: false };
    expect((await owner.get(path).expect(200)).body).toMatchObject(whole);
  });

  it('are active for one scope at a time, and open the gate when they are deactivated', async () => {
    const { room, flow } = await begin();
    const page = await written(room);
    const rival = await makeFlow(owner, { caf_scope: { sites: [room.pages.site.site_id] } });
    await owner.post(`/content-approval-flows/${rival.caf_id}/activate`).expect(409, /already_exists/);
    await room.move(room.writer.client, page.node_id, 'submit');
    await owner.delete(`/content-approval-flows/${flow.caf_id}`).expect(204);
    expect((await owner.get(`/content-approval-flows/${flow.caf_id}`).expect(200)).body.caf_active).toBe(false);
    expect((await owner.get(`${room.pages.path}/${page.node_id}/transitions`).expect(200)).body.data).toEqual([]);
    await room.tryMove(owner, page.node_id, 'approve').expect(409, /No active approval flow/);
    await room.tryPublish(owner, page.node_id).expect(200);
    await owner.post(`/content-approval-flows/${flow.caf_id}/activate`).expect(200);
    expect(await room.standing(page.node_id)).toMatchObject({ state: 'review' });
  });

  it('refuse comments that are missing and locales that the site does not have', async () => {
    const { room } = await begin({ caf_transitions: transitionsWith({ comment: 'required' }) });
    const page = await written(room);
    await room.move(room.writer.client, page.node_id, 'submit');
    const entry = async (body: object) =>
      (await room.tryMove(room.writer.client, page.node_id, 'approve', body).expect(400)).body.errors[0];
    expect(await entry({})).toMatchObject({ path: 'comment', code: 'required' });
    expect(await entry({ comment: 'Please', locales: ['en', 'fr'] })).toMatchObject({ path: 'locales[1]', code: 'option' });
    expect(await entry({ comment: 'Please', publish: { on_approval: true, at: new Date(0).toISOString() } })).toMatchObject({
      path: 'publish.at',
      code: 'min',
    });
    expect(await entry({ comment: 'Please', publish: { on_approval: false, at: '2027-01-01T00:00:00Z' } })).toMatchObject({
      path: 'publish.at',
      code: 'conflict',
    });
    await room.pages.client.get(`${room.pages.path}/${page.node_id}/transitions?locale=fr`).expect(400, /locale/);
    const unknown = await room.tryMove(room.writer.client, page.node_id, 'fly', {}).expect(400);
    expect(unknown.body.errors).toMatchObject([{ path: 'transition', code: 'reference' }]);
  });
});
