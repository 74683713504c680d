import { newId } from '@atrium/platform/kernel';
import { eventually, type Client, type RunningApi, type TestWorkspace } from '@atrium/platform/testing';
import { inTurn } from '../support/in-turn';
import { sharedAtrium } from '../support/shared-atrium';
import { makeSite, plantPage, readSite, type SiteAnswer } from './sites';

let api: RunningApi;
let ours: TestWorkspace;
let client: Client;

beforeAll(async () => {
  api = await sharedAtrium();
});
beforeEach(async () => {
  ours = await api.workspace();
  ({ client } = ours.owner);
});
afterAll(() => api.close());

const names = async (query = '', as = client): Promise<string[]> =>
  ((await as.get(`/sites${query}`).expect(200)).body as { data: SiteAnswer[] }).data.map(({ site_name }) => site_name);
const faults = (body: unknown): string[] =>
  (body as { errors: { path: string; code: string }[] }).errors.map(({ path, code }) => `${path} ${code}`);
const locale = (code: string, more: object = {}) => ({ code, ...more });

describe('a site', () => {
  it('begins with the language of the workspace, the library Standard and a public key', async () => {
    const made = await client.post('/sites', { site_name: 'Corporate site' }).expect(201);
    const site = made.body as SiteAnswer;
    expect(made.headers.location).toBe(`/api/v1/sites/${site.site_id}`);
    const library = (await client.get(`/content-schema-libraries/${site.site_library}`).expect(200)).body as { lib_name: string };
    expect(library.lib_name).toBe('Standard');
    expect(site.site_key).toMatch(/^wsk_[0-9A-Za-z]{24}$/);
    expect(made.body).toEqual({
      site_id: site.site_id,
      site_name: 'Corporate site',
      site_description: null,
      site_key: site.site_key,
      site_base_url: null,
      site_preview_url: null,
      site_locales: [{ code: 'en', name: 'English', fallback: null, prefix: '', active: true }],
      site_default_locale: 'en',
      site_library: site.site_library,
      site_cache: { s_maxage: 60, swr: 300 },
      site_robots: 'User-agent: *\nAllow: /\n',
      site_contacts: [],
      site_acl: {},
      site_metadata: {},
      site_active: true,
      site_seq: 0,
      site_created: expect.any(String) as string,
      site_updated: expect.any(String) as string,
      site_created_by: ours.owner.user_id,
      site_counts: { pages: 0, live: {}, changed: 0, scheduled: 0, trashed: 0 },
      site_cms: { connected: false, provider: null, verdicts: {} },
    });
    expect((await client.get(`/sites/${site.site_id}`).expect(200)).body).toEqual(made.body);
  });

  it('has locales in their canonical form, with the names and prefixes that they lack', async () => {
    const site = await makeSite(client, {
      site_locales: [locale('EN-us'), locale('de-ch', { fallback: 'DE' }), locale('de', { name: 'Deutsch!' })],
    });
    expect(site.site_default_locale).toBe('en-US');
    expect(site.site_locales).toEqual([
      { code: 'en-US', name: 'American English', fallback: null, prefix: '', active: true },
      { code: 'de-CH', name: 'Schweizer Hochdeutsch', fallback: 'de', prefix: 'de-ch', active: true },
      { code: 'de', name: 'Deutsch!', fallback: null, prefix: 'de', active: true },
    ]);
  });

  it('is changed only where its version is the current one, and keeps what is left out', async () => {
    const { site_id } = await makeSite(client, { site_description: 'Ours' });
    const etag = String((await client.get(`/sites/${site_id}`).expect(200)).headers.etag);
    const guarded = client.with({ 'If-Match': etag });
    const changed = await guarded
      .patch(`/sites/${site_id}`, {
        site_base_url: 'https://www.example.com/',
        site_preview_url: 'https://preview.example.com/{locale}{path}?t={token}',
        site_cache: { swr: 0 },
        site_contacts: [ours.owner.user_id],
      })
      .expect(200);
    expect(changed.body).toMatchObject({
      site_description: 'Ours',
      site_base_url: 'https://www.example.com',
      site_preview_url: 'https://preview.example.com/{locale}{path}?t={token}',
      site_cache: { s_maxage: 60, swr: 0 },
      site_contacts: [ours.owner.user_id],
      site_seq: 0,
    });
    await guarded.patch(`/sites/${site_id}`, { site_name: 'X' }).expect(412);
    await guarded.delete(`/sites/${site_id}`).expect(412);
  });

  it('refuses what is not valid, naming it', () =>
    inTurn(
      [
        [{ site_name: ' ' }, ['site_name too_short']],
        [{ site_key: 'wsk_mine' }, ['site_key unknown_field']],
        [{ site_locales: [] }, ['site_locales too_few']],
        [{ site_locales: [locale('english!')] }, ['site_locales[0].code locale']],
        [{ site_locales: [locale('en'), locale('EN')] }, ['site_locales[1].code unique']],
        [{ site_locales: [locale('en'), locale('de', { prefix: '' })] }, ['site_locales[1].prefix unique']],
        [{ site_locales: [locale('en'), locale('de', { prefix: 'a/b' })] }, ['site_locales[1].prefix pattern']],
        [{ site_locales: [locale('en'), locale('de', { fallback: 'fr' })] }, ['site_locales[1].fallback reference']],
        [
          { site_locales: [locale('en'), locale('de', { fallback: 'fr' }), locale('fr', { fallback: 'de' })] },
          ['site_locales[1].fallback cycle', 'site_locales[2].fallback cycle'],
        ],
        [{ site_locales: [locale('en')], site_default_locale: 'de' }, ['site_default_locale reference']],
        [{ site_locales: [locale('en', { active: false })] }, ['site_default_locale invalid']],
        [{ site_library: newId() }, ['site_library reference']],
        [{ site_contacts: [newId()] }, ['site_contacts[0] reference']],
        [{ site_acl: { users: { [newId()]: 'view' } } }, ['site_acl owner']],
        [{ site_base_url: 'ftp://example.com' }, ['site_base_url url']],
        [{ site_base_url: 'https://a:b@example.com' }, ['site_base_url url']],
        [{ site_preview_url: 'https://{token}.example.com/' }, ['site_preview_url url']],
        [{ site_preview_url: 'https://example.com/{secret}' }, ['site_preview_url url']],
        [{ site_cache: { s_maxage: 86_401 } }, ['site_cache.s_maxage too_large']],
        [{ site_robots: 'x'.repeat(10_241) }, ['site_robots too_long']],
      ],
      async (facts, expected) => {
        const { body } = await client.post('/sites', { site_name: `Site ${newId()}`, ...facts }).expect(400);
        expect(faults(body)).toEqual(expected);
      },
    ));

  it('has a name of its own among the active ones, and one of two that are made at once', async () => {
    const { site_id } = await makeSite(client, { site_name: 'Straße' });
    expect((await client.post('/sites', { site_name: 'STRASSE' }).expect(409)).body.code).toBe('already_exists');
    await client.delete(`/sites/${site_id}`).expect(204);
    const answers = await Promise.all([1, 2].map(() => client.post('/sites', { site_name: 'Strasse' })));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409]);
    expect((await client.post(`/sites/${site_id}/restore`).expect(409)).body.code).toBe('already_exists');
  });

  it('is listed by its filters and orders, page by page', async () => {
    for (const site_name of ['beta', 'Alpha', 'Gamma']) await makeSite(client, { site_name });
    expect(await names()).toEqual(['Gamma', 'Alpha', 'beta']);
    expect(await names('?sort=site_name')).toEqual(['Alpha', 'beta', 'Gamma']);
    expect(await names('?site_name=ALPH')).toEqual(['Alpha']);
    expect(await names('?site_created=2100-01-01')).toEqual([]);
    const first = (await client.get('/sites?sort=site_name&limit=2').expect(200)).body as { next_cursor: string };
    expect(await names(`?sort=site_name&limit=2&cursor=${first.next_cursor}`)).toEqual(['Gamma']);
  });
});

describe('a deleted site', () => {
  it('is read for thirty days, is not changed, and comes back as it was', async () => {
    const { site_id, site_name } = await makeSite(client);
    const before = await readSite(client, site_id);
    await client.delete(`/sites/${site_id}`).expect(204);
    await client.delete(`/sites/${site_id}`).expect(204);
    expect(await readSite(client, site_id)).toMatchObject({ site_active: false });
    expect([await names(), await names('?site_active=false')]).toEqual([[], [site_name]]);
    expect((await client.patch(`/sites/${site_id}`, { site_name: 'X' }).expect(409)).body.code).toBe('invalid_state');
    const restored = (await client.post(`/sites/${site_id}/restore`).expect(200)).body as SiteAnswer;
    expect(restored).toEqual({ ...before, site_updated: expect.any(String) as string });
    expect((await client.post(`/sites/${site_id}/restore`).expect(409)).body.code).toBe('invalid_state');
  });

  it('cannot be found or restored after thirty days', async () => {
    const { site_id } = await makeSite(client);
    await client.delete(`/sites/${site_id}`).expect(204);
    await api.sql(`UPDATE site SET site_removed = now() - interval '31 days' WHERE site_id = $1`, [site_id]);
    await client.get(`/sites/${site_id}`).expect(404);
    expect(await names('?site_active=false')).toEqual([]);
    expect((await client.post(`/sites/${site_id}/restore`).expect(410)).body.code).toBe('gone');
  });
});

describe('locales of a site', () => {
  it('come with a row of every page, and the slug that the page has for them', async () => {
    const site = await makeSite(client);
    const node_id = await plantPage(api, site, { slug: 'lamps' });
    await api.sql(`UPDATE node SET node_slugs = '{"fr": "lampes"}' WHERE node_id = $1`, [node_id]);
    const changed = await client
      .patch(`/sites/${site.site_id}`, { site_locales: [locale('en'), locale('de'), locale('fr'), locale('it')] })
      .expect(200);
    expect(changed.body).toMatchObject({ site_seq: 1, site_counts: { pages: 1 } });
    expect(await api.sql(`SELECT nl_locale, nl_slug, nl_status FROM node_locale WHERE nl_node = $1 ORDER BY nl_locale`, [node_id])).toEqual(
      [
        { nl_locale: 'de', nl_slug: 'lamps', nl_status: 'draft' },
        { nl_locale: 'en', nl_slug: 'lamps', nl_status: 'draft' },
        { nl_locale: 'fr', nl_slug: 'lampes', nl_status: 'draft' },
        { nl_locale: 'it', nl_slug: 'lamps', nl_status: 'draft' },
      ],
    );
  });

  it('go with their content only when they are named', async () => {
    const site = await makeSite(client);
    const node_id = await plantPage(api, site, { slug: 'lamps' });
    await api.sql(`UPDATE node_locale SET nl_overlay = '{"abcdefgh.title": "Lampen"}' WHERE nl_node = $1 AND nl_locale = 'de'`, [node_id]);
    await api.sql(`UPDATE node SET node_slugs = '{"de": "lampen"}' WHERE node_id = $1`, [node_id]);
    const only = { site_locales: [locale('en')] };
    const refused = await client.patch(`/sites/${site.site_id}`, only).expect(409);
    expect(refused.body).toMatchObject({ code: 'in_use', errors: [{ path: 'site_locales', message: '1 page has content in de' }] });
    expect(faults((await client.patch(`/sites/${site.site_id}`, { ...only, drop_locales: ['de', 'en'] }).expect(400)).body)).toEqual([
      'drop_locales[1] not_applicable',
    ]);
    expect((await client.patch(`/sites/${site.site_id}`, { ...only, drop_locales: ['DE'] }).expect(200)).body).toMatchObject({
      site_seq: 1,
    });
    expect(await api.sql(`SELECT nl_locale FROM node_locale WHERE nl_node = $1`, [node_id])).toEqual([{ nl_locale: 'en' }]);
    expect(await api.sql(`SELECT node_slugs FROM node WHERE node_id = $1`, [node_id])).toEqual([{ node_slugs: {} }]);
  });

  it('without content go without being named', async () => {
    const site = await makeSite(client);
    await plantPage(api, site, { slug: 'lamps' });
    expect((await client.patch(`/sites/${site.site_id}`, { site_locales: [locale('en')] }).expect(200)).body).toMatchObject({
      site_locales: [{ code: 'en' }],
    });
  });

  it('keep the default locale once there are pages, and prefixes that no page at the top has as its slug', async () => {
    const site = await makeSite(client);
    const path = `/sites/${site.site_id}`;
    expect((await client.patch(path, { site_default_locale: 'de' }).expect(200)).body).toMatchObject({ site_default_locale: 'de' });
    await client.patch(path, { site_default_locale: 'en' }).expect(200);
    await plantPage(api, site, { slug: 'fr' });
    expect((await client.patch(path, { site_default_locale: 'de' }).expect(409)).body.code).toBe('invalid_state');
    const french = { site_locales: [locale('en'), locale('de'), locale('fr')] };
    expect(faults((await client.patch(path, french).expect(400)).body)).toEqual(['site_locales[2].prefix conflict']);
  });

  it('take no number when they stay as they are', async () => {
    const site = await makeSite(client);
    await client.patch(`/sites/${site.site_id}`, { site_locales: site.site_locales, site_name: 'Another' }).expect(200);
    expect((await readSite(client, site.site_id)).site_seq).toBe(0);
  });
});

describe('rights to sites', () => {
  it('are those of the roles, and 404 for another workspace', async () => {
    const { site_id } = await makeSite(client);
    const viewer = await ours.member('viewer');
    const contributor = await ours.member('contributor');
    const editor = await ours.member('editor');
    for (const member of [viewer, contributor]) {
      await member.client.get(`/sites/${site_id}`).expect(200);
      await member.client.post('/sites', { site_name: 'Mine' }).expect(403);
      await member.client.patch(`/sites/${site_id}`, { site_name: 'Mine' }).expect(403);
    }
    await editor.client.patch(`/sites/${site_id}`, { site_description: 'Edited' }).expect(200);
    await editor.client.delete(`/sites/${site_id}`).expect(403);
    await editor.client.post(`/sites/${site_id}/restore`).expect(403);
    const theirs = (await api.workspace()).owner.client;
    await theirs.get(`/sites/${site_id}`).expect(404);
    await theirs.patch(`/sites/${site_id}`, { site_name: 'X' }).expect(404);
    await theirs.delete(`/sites/${site_id}`).expect(404);
    await theirs.post(`/sites/${site_id}/restore`).expect(404);
    expect(await names('', theirs)).toEqual([]);
  });

  it('are narrowed by the access list, which owners of the site change', async () => {
    const editor = await ours.member('editor');
    const viewer = await ours.member('viewer');
    const site_acl = { users: { [ours.owner.user_id]: 'owner', [editor.user_id]: 'view' } };
    const { site_id, site_name } = await makeSite(client, { site_acl });
    expect([await names('', editor.client), await names('', viewer.client)]).toEqual([[site_name], []]);
    await viewer.client.get(`/sites/${site_id}`).expect(404);
    await editor.client.patch(`/sites/${site_id}`, { site_name: 'X' }).expect(403);
    await client.patch(`/sites/${site_id}`, { site_acl: { users: { ...site_acl.users, [editor.user_id]: 'edit' } } }).expect(200);
    await editor.client.patch(`/sites/${site_id}`, { site_name: 'Edited' }).expect(200);
    await editor.client.patch(`/sites/${site_id}`, { site_acl: {} }).expect(403);
  });
});

describe('what is reported of sites', () => {
  it('is an event and an entry of the audit trail for each change', async () => {
    const { site_id, site_name } = await makeSite(client);
    await client.patch(`/sites/${site_id}`, { site_description: 'Ours' }).expect(200);
    await client.patch(`/sites/${site_id}`, { site_description: 'Ours' }).expect(200);
    await client.delete(`/sites/${site_id}`).expect(204);
    await client.post(`/sites/${site_id}/restore`).expect(200);
    const events = await eventually(
      () => api.sql(`SELECT ev_name, ev_payload FROM outbox WHERE ev_subject = $1 AND ev_kind = 'event' ORDER BY ev_id`, [site_id]),
      (found) => found.length >= 4,
    );
    expect(events).toEqual([
      { ev_name: 'site.created', ev_payload: { site_name } },
      { ev_name: 'site.updated', ev_payload: { changed: ['site_description'] } },
      { ev_name: 'site.deleted', ev_payload: { site_name } },
      { ev_name: 'site.updated', ev_payload: { changed: ['site_active'] } },
    ]);
    const trail = await api.sql<{ aud_type: string }>(`SELECT aud_type FROM audit_event WHERE aud_target_id = $1 ORDER BY aud_id`, [
      site_id,
    ]);
    expect(trail.map(({ aud_type }) => aud_type)).toEqual(['site.created', 'site.updated', 'site.deleted', 'site.restored']);
  });
});
