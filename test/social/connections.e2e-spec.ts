import type { INestApplicationContext } from '@nestjs/common';
import { eventually, type Client, type TestWorkspace } from '@atrium/platform/testing';
import { ScheduleHost } from '@atrium/platform/messaging';
import { startAtrium, startWorker } from '../support/api';
import { MODULES, PERSONS, Posting, REDIRECT, inFuture } from './posting';

const ROUTES = [
  ['get', '/admin/social/connections'],
  ['get', '/social-targets'],
  ['get', '/social-platforms'],
  ['get', '/social-posts'],
  ['get', '/admin/social/slots'],
  ['get', '/social-calendar?from=2026-01-01&to=2026-01-02'],
] as const;

let posting: Posting;
/** Another worker beside the first. */
let second: INestApplicationContext;
let ours: TestWorkspace;
let client: Client;

beforeAll(async () => {
  posting = await Posting.start();
  second = await startWorker(posting.api);
  ours = await posting.workspace();
  client = ours.owner.client;
}, 120_000);
afterAll(() => posting.stop());

const callback = (caller: Client, body: object) => caller.post('/admin/social/linkedin/callback', body);

it('[social 1] without an application accounts cannot be connected, and without the module nothing is open', async () => {
  const api = await startAtrium({ LINKEDIN_CLIENT_ID: '', LINKEDIN_CLIENT_SECRET: '' });
  try {
    const plain = await api.workspace();
    for (const [method, path] of ROUTES) {
      const answer = await plain.owner.client[method](path).expect(403);
      expect(answer.body.code).toBe('license_required');
    }
    const licensed = await api.workspace(MODULES);
    const answer = await licensed.owner.client
      .get(`/admin/social/linkedin/auth-url?redirect_uri=${encodeURIComponent(REDIRECT)}`)
      .expect(501);
    expect(answer.body.detail).toContain('LINKEDIN_CLIENT_ID');
    const { body } = await licensed.owner.client.get('/social-platforms').expect(200);
    expect(body.data).toMatchObject([{ platform: 'linkedin', configured: false, api_version: '202607', text_units: 3000, images: 20 }]);
    expect((await licensed.owner.client.post('/social-posts', { sp_text: 'A draft' }).expect(201)).body).toMatchObject({
      sp_state: 'draft',
      sp_title: 'A draft',
    });
  } finally {
    await api.close();
  }
}, 120_000);

it('[social 2] a granted account is connected with its person and organizations, and its tokens are nowhere in clear', async () => {
  const written = jest.spyOn(process.stdout, 'write');
  const back = await posting.grant(client);
  const [code, state] = [back.searchParams.get('code'), back.searchParams.get('state')];
  const answer = await callback(client, { code, state, redirect_uri: REDIRECT }).expect(201);
  expect(answer.body.connection).toMatchObject({ con_status: 'active', con_account_name: 'Ada Lovelace', con_platform: 'linkedin' });
  expect(answer.headers.location).toBe(`/api/v1/admin/social/connections/${answer.body.con_id}`);
  expect(
    answer.body.targets.map((target: { tgt_kind: string; tgt_name: string; tgt_role: string | null }) => [
      target.tgt_kind,
      target.tgt_name,
      target.tgt_role,
    ]),
  ).toEqual([
    ['person', 'Ada Lovelace', null],
    ['organization', 'Analytical Engines', 'ADMINISTRATOR'],
    ['organization', 'Difference Works', 'CONTENT_ADMINISTRATOR'],
  ]);
  const read = await client.get(`/admin/social/connections/${answer.body.con_id}`).expect(200);
  expect(read.body).toMatchObject({ con_days_left: 59, con_scheduled_posts: 0 });
  const tokens = [...posting.linkedin.state.tokens.keys(), ...posting.linkedin.state.refreshTokens.keys()];
  expect(tokens.length).toBeGreaterThan(1);
  const seen = JSON.stringify([answer.body, read.body, ...written.mock.calls]);
  for (const token of tokens) expect(seen).not.toContain(token);
  const tables = await posting.api.sql<{ name: string }>(
    `SELECT quote_ident(relname) AS name FROM pg_class WHERE relkind IN ('r', 'p') AND NOT relispartition AND relnamespace = 'public'::regnamespace`,
  );
  const holding: string[] = [];
  for (const { name } of tables)
    if (
      (await posting.api.sql(`SELECT 1 FROM ${name} t WHERE t::text LIKE ANY ($1) LIMIT 1`, [tokens.map((token) => `%${token}%`)])).length >
      0
    )
      holding.push(name);
  expect(holding).toEqual([]);
  const again = await callback(client, { code, state, redirect_uri: REDIRECT }).expect(400);
  expect(again.body.errors).toMatchObject([{ path: 'state' }]);
}, 120_000);

it('[social 3] a state of somebody else, another address, a used code and a missing state are refused, and a state before its code is used', async () => {
  const exchanges = () => posting.linkedin.state.countRequests('POST', '/oauth/v2/accessToken');
  const theirs = await posting.workspace();
  const admin = await ours.member('owner');
  const back = await posting.grant(client);
  const [code, state] = [back.searchParams.get('code'), back.searchParams.get('state')];
  const before = exchanges();
  for (const [caller, body] of [
    [theirs.owner.client, { code, state, redirect_uri: REDIRECT }],
    [admin.client, { code, state, redirect_uri: REDIRECT }],
    [client, { code, state, redirect_uri: 'http://127.0.0.1:9/other' }],
    [client, { code, state: 'unknown', redirect_uri: REDIRECT }],
  ] as const)
    expect((await callback(caller, body).expect(400)).body.errors).toMatchObject([{ path: 'state' }]);
  expect(exchanges()).toBe(before);

  await callback(client, { code, state, redirect_uri: REDIRECT }).expect(200);
  const second = await posting.grant(client);
  const used = { code, state: second.searchParams.get('state'), redirect_uri: REDIRECT };
  expect((await callback(client, used).expect(422)).body.detail).toContain('LinkedIn refused the request');

  const fresh = await posting.workspace();
  const only = await posting.grant(fresh.owner.client);
  await callback(fresh.owner.client, { code: only.searchParams.get('code'), redirect_uri: REDIRECT }).expect(201);
  await posting.grant(fresh.owner.client);
  const another = await posting.grant(fresh.owner.client);
  expect(
    (await callback(fresh.owner.client, { code: another.searchParams.get('code'), redirect_uri: REDIRECT }).expect(400)).body.errors,
  ).toMatchObject([{ path: 'state' }]);
}, 120_000);

it.each(['javascript:alert(1)', 'http://example.com/x', 'https://example.com/x#y', 'nothing'])(
  'an authorization does not lead back to %s',
  async (address) => {
    const answer = await client.get(`/admin/social/linkedin/auth-url?redirect_uri=${encodeURIComponent(address)}`).expect(400);
    expect(answer.body.errors).toMatchObject([{ path: 'redirect_uri' }]);
  },
);

it('an unknown platform is refused', () =>
  client.get(`/admin/social/friendster/auth-url?redirect_uri=${encodeURIComponent(REDIRECT)}`).expect(400));

it('[social 4] without openid the person is read elsewhere, without scopes for organizations there is the person alone, and a refused scope is named', async () => {
  const persons = await Posting.start({ LINKEDIN_SCOPES: PERSONS });
  try {
    const workspace = await persons.workspace();
    const { targets } = await persons.connect(workspace.owner.client);
    expect(targets.map(({ tgt_kind, tgt_can }) => [tgt_kind, tgt_can])).toEqual([['person', { post: true, read_stats: false }]]);
    expect(persons.linkedin.state.countRequests('GET', '/v2/userinfo')).toBe(1);
    expect(posting.linkedin.state.countRequests('GET', '/v2/userinfo')).toBe(0);
    expect(posting.linkedin.state.countRequests('GET', '/v2/me')).toBeGreaterThan(0);
    persons.linkedin.state.appScopes = new Set(['openid', 'profile']);
    const back = await persons.grant(workspace.owner.client);
    expect(back.searchParams.get('error_description')).toContain('"w_member_social"');
  } finally {
    await persons.stop();
  }
}, 120_000);

it('[social 14] a token is renewed once although two ask, a grant that has ended is revoked with one mail, and reconnecting lists what failed', async () => {
  const { ours: workspace, organization } = await posting.connected();
  const caller = workspace.owner.client;
  const [row] = await posting.api.sql<{ con_id: string; con_refresh_expires: Date }>(
    `UPDATE social_connection SET con_expires = now() + interval '3 days', con_next = now() WHERE tenant_id = $1 RETURNING con_id, con_refresh_expires`,
    [workspace.tenant_id],
  );
  const refreshes = () =>
    posting.linkedin.state.requests.filter(
      ({ path, bytes }) => path === '/oauth/v2/accessToken' && bytes.toString().includes('grant_type=refresh_token'),
    ).length;
  const before = refreshes();
  await Promise.all([posting.run('social.connections'), second.get(ScheduleHost, { strict: false }).runNow('social.connections')]);
  const read = async () =>
    (
      await posting.api.sql<{ con_token_version: number; con_refresh_expires: Date; con_status: string }>(
        `SELECT * FROM social_connection WHERE con_id = $1`,
        [row?.con_id],
      )
    )[0];
  await eventually(read, (found) => found?.con_token_version === 2, 60_000);
  expect(refreshes()).toBe(before + 1);
  // The platform says in whole seconds how long it still lasts.
  const moved = ((await read())?.con_refresh_expires.getTime() ?? 0) - (row?.con_refresh_expires.getTime() ?? 0);
  expect(moved).toBeLessThanOrEqual(0);
  expect(moved).toBeGreaterThan(-60_000);

  for (const token of posting.linkedin.state.refreshTokens.values()) token.isRevoked = true;
  for (const token of posting.linkedin.state.tokens.values()) token.isRevoked = true;
  const { sp_id } = await posting.make(caller, { sp_text: 'After the end', sp_targets: [organization.tgt_id], publish: true });
  const failed = await posting.ended(caller, sp_id);
  expect(failed.variants[0]?.spv_error).toMatchObject({ code: 'connection_revoked', retryable: true });
  expect((await read())?.con_status).toBe('revoked');
  expect(await posting.mails('social_connection_revoked')).toBe(1);

  const connected = await posting.connect(caller);
  expect(connected.failed_posts).toMatchObject([{ sp_id, code: 'connection_revoked' }]);
  await caller.post(`/social-posts/${sp_id}/retry`).expect(202);
  expect((await posting.ended(caller, sp_id)).sp_state).toBe('published');
}, 120_000);

it('warns the person who connected an account that cannot be renewed, once at each threshold', async () => {
  posting.linkedin.state.givesRefreshTokens = false;
  const workspace = await posting.workspace();
  await posting.connect(workspace.owner.client);
  posting.linkedin.state.givesRefreshTokens = true;
  const at = async (days: number) => {
    await posting.api.sql(
      `UPDATE social_connection SET con_expires = now() + make_interval(days => $2), con_next = now() WHERE tenant_id = $1`,
      [workspace.tenant_id, days],
    );
    await posting.run('social.connections');
    const { body } = await workspace.owner.client.get('/admin/social/connections').expect(200);
    return [body.data[0].con_status, await posting.mails('social_connection_expiring')];
  };
  expect([await at(20), await at(13), await at(12), await at(2), await at(-1)]).toEqual([
    ['active', 0],
    ['expiring', 1],
    ['expiring', 1],
    ['expiring', 2],
    ['expired', 2],
  ]);
}, 120_000);

it('[social 23] disconnecting revokes the token, scheduled posts fail at their time, and viewers and others cannot do it', async () => {
  const { ours: workspace, organization } = await posting.connected();
  const caller = workspace.owner.client;
  const published = await posting.make(caller, { sp_text: 'Stays', sp_targets: [organization.tgt_id], publish: true });
  await posting.ended(caller, published.sp_id);
  const scheduled = await posting.make(caller, { sp_text: 'Fails', sp_targets: [organization.tgt_id], schedule_at: inFuture(5) });
  const viewer = await workspace.member('viewer');
  const theirs = await posting.workspace();
  await viewer.client.delete('/admin/social/linkedin/disconnect').expect(403);
  await viewer.client.post(`/social-posts/${scheduled.sp_id}/publish`).expect(403);
  await theirs.owner.client.get(`/social-posts/${scheduled.sp_id}`).expect(404);
  await theirs.owner.client.delete('/admin/social/linkedin/disconnect').expect(404);
  const live = () => [...posting.linkedin.state.tokens.values()].filter(({ isRevoked }) => !isRevoked).length;
  const before = live();
  await caller.delete('/admin/social/linkedin/disconnect').expect(204);
  expect(live()).toBe(before - 1);
  expect((await caller.get('/social-targets').expect(200)).body.data).toEqual([]);
  await posting.moveTime(scheduled.sp_id, '-1 second');
  await posting.run('social.due');
  expect((await posting.ended(caller, scheduled.sp_id)).variants[0]?.spv_error).toMatchObject({ code: 'disconnected' });
  expect((await posting.read(caller, published.sp_id)).variants[0]).toMatchObject({ spv_state: 'published', spv_removed: false });
  await caller.delete('/admin/social/linkedin/disconnect').expect(404);
}, 120_000);

it('a version that is not active any more is replaced by the newest one that is, for all hosts', async () => {
  const month = new Date(Date.UTC(new Date().getUTCFullYear(), new Date().getUTCMonth() - 3, 1));
  const active = `${month.getUTCFullYear()}${String(month.getUTCMonth() + 1).padStart(2, '0')}`;
  const { ours: workspace, organization } = await posting.connected();
  const caller = workspace.owner.client;
  posting.linkedin.state.versions = new Set([active]);
  const send = async (sp_text: string) =>
    posting.ended(caller, (await posting.make(caller, { sp_text, sp_targets: [organization.tgt_id], publish: true })).sp_id);
  expect((await send('With another version')).sp_state).toBe('published');
  const tried = posting.linkedin.state.requests.length;
  expect((await send('Straight there')).sp_state).toBe('published');
  const later = posting.linkedin.state.requests.slice(tried).filter(({ path }) => path.startsWith('/rest/'));
  expect(new Set(later.map(({ headers }) => headers['linkedin-version']))).toEqual(new Set([active]));
  expect(await posting.api.sql(`SELECT sav_version FROM social_api_version`)).toEqual([{ sav_version: active }]);
}, 120_000);
