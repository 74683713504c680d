import { createHash } from 'node:crypto';
import { newId } from '@atrium/platform/kernel';
import { Client, eventually, type RunningApi, type TestWorkspace } from '@atrium/platform/testing';
import { sharedAtrium } from '../support/shared-atrium';
import { bearing, signedInMember, signIn } from './signing-in';

let api: RunningApi;
let ours: TestWorkspace;
let theirs: TestWorkspace;
/** Our owner, signed in. */
let owner: Client;

beforeAll(async () => {
  api = await sharedAtrium();
  ours = await api.workspace();
  theirs = await api.workspace();
  owner = bearing(api, (await signIn(api, ours.owner.email)).access_token, ours.tenant_id);
});
afterAll(() => api.close());

interface KeyBody {
  readonly key_id: string;
  readonly key_secret: string;
  readonly key_prefix: string;
  readonly key_status: string;
}

const using = (secret: string, workspace = ours): Client =>
  new Client(api.url, { 'X-Api-Key': secret, 'X-Tenant-Id': workspace.tenant_id });
const ownKey = async (body: object = {}, client = owner): Promise<KeyBody> =>
  (await client.post('/me/api-keys', { key_name: 'own', ...body }).expect(201)).body as KeyBody;
const setSecurity = (workspace: TestWorkspace, rules: object): Promise<object[]> =>
  api.sql('UPDATE workspace SET ws_security = ws_security || $2 WHERE tenant_id = $1', [workspace.tenant_id, JSON.stringify(rules)]);
const inDays = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString();
const events = async (name: string, id: string): Promise<number> =>
  (await api.sql('SELECT 1 FROM outbox WHERE ev_name = $1 AND ev_subject = $2', [name, id])).length;
const audits = (id: string): Promise<{ aud_type: string; aud_before: object | null; aud_after: object | null }[]> =>
  api.sql(
    'SELECT aud_type, aud_before, aud_after FROM audit_event WHERE tenant_id = $1 AND aud_target_id = $2 ORDER BY aud_timestamp, aud_id',
    [ours.tenant_id, id],
  );

/** A service user with a built-in role. */
async function serviceUser(workspace: TestWorkspace, role: string): Promise<string> {
  const user_id = newId();
  await api.sql(`INSERT INTO workspace_user (tenant_id, user_id, user_kind, user_name) VALUES ($1, $2, 'service', 'Robot')`, [
    workspace.tenant_id,
    user_id,
  ]);
  await api.sql(
    `INSERT INTO user_role_link (tenant_id, user_id, role_id) SELECT tenant_id, $2, role_id FROM role WHERE tenant_id = $1 AND role_key = $3`,
    [workspace.tenant_id, user_id, role],
  );
  return user_id;
}

describe("a key of one's own", () => {
  it('[identity 9] carries its scopes, is shown once and stored as its hash', async () => {
    const made = await owner.post('/me/api-keys', { key_name: ' Reader ', key_scopes: ['media:view', 'media:view'] }).expect(201);
    const { key_id, key_secret, key_prefix } = made.body as KeyBody;
    expect(made.body).toMatchObject({
      key_name: 'Reader',
      key_scopes: ['media:view'],
      key_status: 'active',
      key_user: ours.owner.user_id,
      key_created_by: ours.owner.user_id,
      key_expires_at: null,
      key_ip_allow: [],
    });
    expect(made.headers).toMatchObject({ location: `/api/v1/me/api-keys/${key_id}`, etag: '"1"' });
    expect(key_secret.startsWith(`${key_prefix}_`)).toBe(true);
    await using(key_secret).get('/files?repo_type=media').expect(200);
    const denied = await using(key_secret).post('/albums', { album_name: 'x' }).expect(403);
    expect(denied.body).toMatchObject({ code: 'permission_denied', detail: expect.stringContaining('media:edit') });
    const [secret = ''] = key_secret.split('_').slice(2);
    for (const path of ['/me/api-keys', '/admin/api-keys', `/admin/api-keys/${key_id}`]) {
      const { text } = await owner.get(path).expect(200);
      expect(text).toContain(key_id);
      for (const hidden of [secret, 'key_secret', 'key_hash', 'key_prev', 'key_public_id']) expect(text).not.toContain(hidden);
    }
    const [row] = await api.sql<{ key_hash: string; whole: string }>(
      'SELECT key_hash, api_key::text AS whole FROM api_key WHERE key_id = $1',
      [key_id],
    );
    expect(row!.key_hash).toBe(createHash('sha256').update(key_secret).digest('hex'));
    expect(row!.whole).not.toContain(secret);
    expect(await events('api_key.created', key_id)).toBe(1);
    expect(JSON.stringify(await audits(key_id))).not.toContain(secret);
  });

  it("is refused to a key, beyond one's own rights, and where members make none", async () => {
    expect((await ours.owner.client.post('/me/api-keys', { key_name: 'x' }).expect(403)).body.code).toBe('permission_denied');
    const editor = await signedInMember(api, ours, 'editor');
    expect(
      (await editor.client.post('/me/api-keys', { key_name: 'x', key_scopes: ['media:view', 'admin:users'] }).expect(403)).body.detail,
    ).toContain('admin:users');
    await editor.client.post('/me/api-keys', { key_name: 'x', key_scopes: ['*'] }).expect(403);
    const workspace = await api.workspace();
    const member = await signedInMember(api, workspace, 'editor');
    await setSecurity(workspace, { personal_keys: false });
    expect((await member.client.post('/me/api-keys', { key_name: 'x' }).expect(403)).body.code).toBe('permission_denied');
  });

  it('asks for a fresh sign-in', async () => {
    const member = await signedInMember(api, ours, 'viewer');
    await member.client.post('/me/api-keys', { key_name: 'x' }).expect(201);
    await api.stranger.post('/me/api-keys', { key_name: 'x' }).expect(401);
  });

  it('refuses bad input by its place', async () => {
    const wrong = await owner.post('/me/api-keys', { key_name: 'x', key_scopes: ['media:view', 'media:views'] }).expect(400);
    expect(wrong.body.errors[0].path).toBe('key_scopes[1]');
    const range = await owner.post('/me/api-keys', { key_name: 'x', key_ip_allow: ['203.0.113.0/24', '203.0.113.0/99'] }).expect(400);
    expect(range.body.errors[0]).toMatchObject({ path: 'key_ip_allow[1]', code: 'cidr' });
    await owner.post('/me/api-keys', { key_name: 'x', key_expires_at: inDays(-1) }).expect(400);
    const member = await owner.post('/me/api-keys', { key_name: 'x', key_user: ours.owner.user_id }).expect(400);
    expect(member.body.errors).toMatchObject([{ path: 'key_user', code: 'unknown_field' }]);
  });

  it('replays the secret under an idempotency key without keeping it readable', async () => {
    const once = owner.with({ 'Idempotency-Key': newId() });
    const first = await once.post('/me/api-keys', { key_name: 'once' }).expect(201);
    const second = await once.post('/me/api-keys', { key_name: 'once' }).expect(201);
    expect(second.headers['idempotent-replayed']).toBe('true');
    expect(second.body).toEqual(first.body);
    const [kept] = await api.sql<{ whole: string }>(
      `SELECT idempotency_key::text AS whole FROM idempotency_key WHERE tenant_id = $1 AND idem_body IS NOT NULL ORDER BY idem_created DESC LIMIT 1`,
      [ours.tenant_id],
    );
    expect(kept!.whole).toContain('sealed');
    expect(kept!.whole).not.toContain((first.body as KeyBody).key_secret.split('_')[2]);
  });

  it('is listed, changed, rotated and revoked by its owner alone', async () => {
    const other = await signedInMember(api, ours, 'admin');
    const key = await ownKey({ key_scopes: ['media:view'] });
    expect((await other.client.get('/me/api-keys').expect(200)).body.data).toEqual([]);
    for (const answer of [
      await other.client.patch(`/me/api-keys/${key.key_id}`, { key_name: 'x' }),
      await other.client.delete(`/me/api-keys/${key.key_id}`),
      await other.client.post(`/me/api-keys/${key.key_id}/rotate`),
    ])
      expect(answer.status).toBe(404);
    expect((await owner.patch(`/me/api-keys/${key.key_id}`, { key_name: 'renamed' }).expect(200)).body.key_name).toBe('renamed');
    await owner.delete(`/me/api-keys/${key.key_id}`).expect(204);
    await using(key.key_secret).get('/me').expect(401);
    await owner.delete(`/me/api-keys/${key.key_id}`).expect(204);
    const listed = await owner.get('/me/api-keys?key_status=revoked&key_name=RENAMED').expect(200);
    expect(listed.body.data).toEqual([
      expect.objectContaining({ key_id: key.key_id, key_status: 'revoked', key_revoke_reason: 'user', key_revoked_by: ours.owner.user_id }),
    ]);
    expect(await events('api_key.revoked', key.key_id)).toBe(1);
    expect((await owner.patch(`/me/api-keys/${key.key_id}`, { key_name: 'x' }).expect(409)).body.code).toBe('invalid_state');
    expect((await owner.post(`/me/api-keys/${key.key_id}/rotate`).expect(409)).body.code).toBe('invalid_state');
    expect((await audits(key.key_id)).map(({ aud_type }) => aud_type)).toEqual(['api_key.created', 'api_key.updated', 'api_key.revoked']);
  });

  it('that is narrow changes and rotates no other key of its owner', async () => {
    const [narrow, wide] = [await ownKey({ key_scopes: ['media:view'] }), await ownKey()];
    const client = using(narrow.key_secret);
    await client.post(`/me/api-keys/${wide.key_id}/rotate`).expect(403);
    await client.patch(`/me/api-keys/${wide.key_id}`, { key_ip_allow: ['203.0.113.0/24'] }).expect(403);
    await client.patch(`/me/api-keys/${narrow.key_id}`, { key_scopes: null }).expect(403);
    await client.delete(`/me/api-keys/${wide.key_id}`).expect(403);
    const fresh = await client.post(`/me/api-keys/${narrow.key_id}/rotate`).expect(200);
    await client.get('/me').expect(401);
    await using((fresh.body as KeyBody).key_secret)
      .delete(`/me/api-keys/${narrow.key_id}`)
      .expect(204);
  });
});

describe('rotating a key', () => {
  it('[identity 10] lets both secrets work until the overlap ends, then the new one alone', async () => {
    const key = await ownKey();
    const rotated = await owner.post(`/me/api-keys/${key.key_id}/rotate`, { overlap_seconds: 5 }).expect(200);
    const { key_secret } = rotated.body as KeyBody;
    expect(rotated.body).toMatchObject({ key_id: key.key_id, key_prefix: key.key_prefix });
    expect(key_secret).not.toBe(key.key_secret);
    await using(key.key_secret).get('/me').expect(200);
    await using(key_secret).get('/me').expect(200);
    expect((await owner.post(`/me/api-keys/${key.key_id}/rotate`).expect(409)).body.code).toBe('invalid_state');
    const started = Date.now();
    await eventually(
      async () => (await using(key.key_secret).get('/me')).status,
      (status) => status === 401,
      10_000,
    );
    expect(Date.now() - started).toBeGreaterThan(3_000);
    await using(key_secret).get('/me').expect(200);
    await owner.post(`/me/api-keys/${key.key_id}/rotate`).expect(200);
    await using(key_secret).get('/me').expect(401);
    expect(await events('api_key.rotated', key.key_id)).toBe(2);
  }, 30_000);

  it('by two at once is done once', async () => {
    for (let round = 0; round < 10; round++) {
      const key = await ownKey();
      const answers = await Promise.all([1, 2].map(() => owner.post(`/me/api-keys/${key.key_id}/rotate`)));
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
      const winner = answers.find(({ status }) => status === 200)!.body as KeyBody;
      await using(winner.key_secret).get('/me').expect(200);
      await using(key.key_secret).get('/me').expect(401);
      await owner.delete(`/me/api-keys/${key.key_id}`).expect(204);
    }
  });

  it('takes an overlap of at most a week', async () => {
    const key = await ownKey();
    const refused = await owner.post(`/me/api-keys/${key.key_id}/rotate`, { overlap_seconds: 604_801 }).expect(400);
    expect(refused.body.errors).toMatchObject([{ path: 'overlap_seconds', code: 'too_large' }]);
  });
});

describe('the keys of a workspace', () => {
  it('are listed by owner, status, prefix, name and by how long nobody used them', async () => {
    const workspace = await api.workspace();
    const admin = workspace.owner.client;
    const robot = await serviceUser(workspace, 'viewer');
    const made = (
      await admin
        .post('/admin/api-keys', { key_name: 'Night robot', key_user: robot, key_scopes: ['media:view'], key_rate_limit: 60 })
        .expect(201)
    ).body as KeyBody;
    const ids = async (query: string): Promise<string[]> =>
      (await admin.get(`/admin/api-keys?${query}`).expect(200)).body.data.map(({ key_id }: KeyBody) => key_id);
    expect(await ids(`key_user=${robot}`)).toEqual([made.key_id]);
    expect(await ids('key_name=NIGHT')).toEqual([made.key_id]);
    expect(await ids(`key_prefix=${made.key_prefix}`)).toEqual([made.key_id]);
    expect(await ids('key_status=active&sort=key_name')).toHaveLength(2);
    expect(await ids('key_status=expired')).toEqual([]);
    expect(await ids('unused_days=30')).toEqual([]);
    await api.sql(`UPDATE api_key SET key_created = now() - interval '40 days' WHERE key_id = $1`, [made.key_id]);
    expect(await ids('unused_days=30')).toEqual([made.key_id]);
    await api.sql(`UPDATE api_key SET key_expires_at = now() - interval '1 day' WHERE key_id = $1`, [made.key_id]);
    expect(await ids('key_status=expired')).toEqual([made.key_id]);
    await admin.get('/admin/api-keys?key_status=odd').expect(400);
    expect((await (await workspace.member('editor')).client.get('/admin/api-keys').expect(403)).body.detail).toContain('admin:api-keys');
  });

  it('are made for services and oneself, never for another person', async () => {
    const robot = await serviceUser(ours, 'editor');
    const made = await ours.owner.client.post('/admin/api-keys', { key_name: 'robot', key_user: robot }).expect(201);
    expect(
      (
        await using((made.body as KeyBody).key_secret)
          .get('/me')
          .expect(200)
      ).body,
    ).toMatchObject({ principal_kind: 'service', user: { user_id: robot } });
    const person = await ours.member('viewer');
    expect((await ours.owner.client.post('/admin/api-keys', { key_name: 'x', key_user: person.user_id }).expect(403)).body.code).toBe(
      'permission_denied',
    );
    for (const key_user of [newId(), theirs.owner.user_id, await serviceUser(theirs, 'viewer')]) {
      expect((await ours.owner.client.post('/admin/api-keys', { key_name: 'x', key_user }).expect(400)).body.errors[0]).toMatchObject({
        path: 'key_user',
        code: 'reference',
      });
    }
    expect((await ours.owner.client.post('/admin/api-keys', { key_name: 'mine' }).expect(201)).body).toMatchObject({
      key_user: ours.owner.user_id,
    });
  });

  it('carry nothing their maker lacks and do not outlive the key that made them', async () => {
    const robot = await serviceUser(ours, 'admin');
    const limited = (
      await owner
        .post('/admin/api-keys', { key_name: 'limited', key_scopes: ['admin:api-keys', 'media:view'], key_expires_at: inDays(10) })
        .expect(201)
    ).body as KeyBody;
    const client = using(limited.key_secret);
    expect((await client.post('/admin/api-keys', { key_name: 'x', key_user: robot }).expect(403)).body.detail).toContain('admin:roles');
    await client
      .post('/admin/api-keys', { key_name: 'x', key_user: robot, key_scopes: ['media:view'], key_expires_at: inDays(20) })
      .expect(403);
    await client.post('/admin/api-keys', { key_name: 'x', key_user: robot, key_scopes: ['media:view'], key_expires_at: null }).expect(403);
    const within = await client.post('/admin/api-keys', { key_name: 'x', key_user: robot, key_scopes: ['media:view'] }).expect(201);
    expect(new Date(within.body.key_expires_at as string).getTime()).toBeLessThan(Date.now() + 10.1 * 86_400_000);
    const wide = (await owner.post('/admin/api-keys', { key_name: 'wide', key_user: robot, key_scopes: ['media:view'] }).expect(201))
      .body as KeyBody;
    await client.post(`/admin/api-keys/${wide.key_id}/rotate`).expect(403);
  });

  it('end within what the workspace demands', async () => {
    const workspace = await api.workspace();
    await setSecurity(workspace, { key_max_days: 30 });
    const client = workspace.owner.client;
    for (const key_expires_at of [inDays(31), null])
      expect((await client.post('/admin/api-keys', { key_name: 'x', key_expires_at }).expect(400)).body.errors[0]).toMatchObject({
        path: 'key_expires_at',
        code: 'too_late',
      });
    await client.post('/admin/api-keys', { key_name: 'x', key_expires_at: inDays(29) }).expect(201);
    const made = await client.post('/admin/api-keys', { key_name: 'x' }).expect(201);
    expect(Math.round((new Date(made.body.key_expires_at as string).getTime() - Date.now()) / 86_400_000)).toBe(30);
  });

  it('become narrower and end sooner, never the other way', async () => {
    const robot = await serviceUser(ours, 'viewer');
    const created = await owner
      .post('/admin/api-keys', { key_name: 'robot', key_user: robot, key_scopes: ['media:*'], key_expires_at: inDays(20) })
      .expect(201);
    const path = `/admin/api-keys/${(created.body as KeyBody).key_id}`;
    const changed = await owner
      .with({ 'If-Match': '"1"' })
      .patch(path, { key_scopes: ['media:view'], key_expires_at: inDays(10), key_rate_limit: 10, key_ip_allow: ['127.0.0.1'] })
      .expect(200);
    expect(changed.body).toMatchObject({ key_scopes: ['media:view'], key_rate_limit: 10, key_ip_allow: ['127.0.0.1/32'] });
    expect(changed.headers.etag).toBe('"2"');
    await owner.with({ 'If-Match': '"1"' }).patch(path, { key_name: 'x' }).expect(412);
    for (const key_expires_at of [inDays(11), null, inDays(-1)])
      expect((await owner.patch(path, { key_expires_at }).expect(400)).body.errors[0].path).toBe('key_expires_at');
    const lesser = await ours.member('viewer');
    const { role_id } = (
      await owner
        .post('/admin/roles', { role_name: 'Key keeper', role_permissions: ['admin:api-keys', 'media:view', 'media:download'] })
        .expect(201)
    ).body as { role_id: string };
    await owner.post(`/admin/roles/${role_id}/users`, { user_ids: [lesser.user_id] }).expect(200, { changed: 1 });
    await lesser.client.patch(path, { key_name: 'kept' }).expect(200);
    expect((await lesser.client.patch(path, { key_scopes: ['media:view', 'media:edit'] }).expect(403)).body.detail).toContain('media:edit');
    await owner.patch(path, { key_scopes: ['media:edit', 'media:view'] }).expect(200);
    await owner.patch(path, { key_user: ours.owner.user_id }).expect(400);
  });

  it('of people above are out of the reach of those below', async () => {
    const key = await ownKey();
    const admin = await ours.member('admin');
    expect((await admin.client.patch(`/admin/api-keys/${key.key_id}`, { key_name: 'x' }).expect(403)).body.detail).toContain('*');
    await admin.client.post(`/admin/api-keys/${key.key_id}/rotate`).expect(403);
    await admin.client.delete(`/admin/api-keys/${key.key_id}`).expect(403);
    const editor = await signedInMember(api, ours, 'editor');
    const below = await ownKey({}, editor.client);
    expect((await admin.client.post(`/admin/api-keys/${below.key_id}/rotate`).expect(403)).body.detail).toContain('Only its owner');
    await admin.client.delete(`/admin/api-keys/${below.key_id}`).expect(204);
    await using(below.key_secret).get('/me').expect(401);
  });

  it('are at most a hundred active ones an owner, also when many are made at once', async () => {
    const robot = await serviceUser(ours, 'viewer');
    await api.sql(
      `INSERT INTO api_key (tenant_id, key_id, key_name, key_public_id, key_hash, key_user, key_revoked_at)
       SELECT $1, gen_random_uuid(), 'bulk', left(replace(gen_random_uuid()::text, '-', ''), 12), repeat('0', 64), $2, CASE WHEN n > 97 THEN now() END FROM generate_series(1, 120) n`,
      [ours.tenant_id, robot],
    );
    const made = await Promise.all(
      Array.from({ length: 8 }, () => owner.post('/admin/api-keys', { key_name: 'one more', key_user: robot })),
    );
    expect(made.map(({ status }) => status).sort()).toEqual([201, 201, 201, 409, 409, 409, 409, 409]);
    expect(made.find(({ status }) => status === 409)!.body.code).toBe('limit_reached');
  });
});

describe('a leak report', () => {
  const randomKey = (): string => `atk_${'x'.repeat(12)}_${newId().replaceAll('-', '').padEnd(49, '0')}`;

  it('[identity 25] revokes the live key among random strings, reports it in the workspace, and answers alike', async () => {
    const workspace = await api.workspace();
    const admin = await workspace.member('admin');
    const member = await signedInMember(api, workspace, 'editor');
    const key = await ownKey({}, member.client);
    const live = using(key.key_secret, workspace);
    await live.get('/me').expect(200);
    const found = await api.stranger
      .post('/auth/leak-reports', { keys: [...Array.from({ length: 98 }, randomKey), key.key_secret, 'anything'] })
      .expect(202);
    await live.get('/me').expect(401);
    const none = await api.stranger.post('/auth/leak-reports', { keys: Array.from({ length: 100 }, randomKey) }).expect(202);
    expect(none.text).toBe(found.text);
    expect(none.body).toEqual({});
    const [row] = await api.sql<object>('SELECT key_revoke_reason, key_revoked_by FROM api_key WHERE key_id = $1', [key.key_id]);
    expect(row).toEqual({ key_revoke_reason: 'leaked', key_revoked_by: null });
    expect(await events('api_key.leaked', key.key_id)).toBe(1);
    const [audit] = await api.sql<object>(
      `SELECT aud_actor_kind, aud_type FROM audit_event WHERE tenant_id = $1 AND aud_target_id = $2 AND aud_type = 'api_key.leaked'`,
      [workspace.tenant_id, key.key_id],
    );
    expect(audit).toEqual({ aud_actor_kind: 'system', aud_type: 'api_key.leaked' });
    const mails = await api.sql<{ ev_key: string }>(
      `SELECT ev_key FROM outbox WHERE tenant_id = $1 AND ev_name = 'identity.mail' AND ev_key LIKE '%key-leaked%'`,
      [workspace.tenant_id],
    );
    expect(mails).toHaveLength(3);
    for (const user_id of [member.user_id, admin.user_id, workspace.owner.user_id])
      expect(mails.some(({ ev_key }) => ev_key.includes(user_id))).toBe(true);
    await api.stranger.post('/auth/leak-reports', { keys: [key.key_secret] }).expect(202);
    expect(await events('api_key.leaked', key.key_id)).toBe(1);
  });

  it('ends the key also by its former secret during an overlap, but by nothing short of a whole key', async () => {
    const key = await ownKey();
    const rotated = (await owner.post(`/me/api-keys/${key.key_id}/rotate`, { overlap_seconds: 600 }).expect(200)).body as KeyBody;
    const damaged = `${key.key_secret.slice(0, -1)}${key.key_secret.endsWith('0') ? '1' : '0'}`;
    await api.stranger
      .post('/auth/leak-reports', { keys: [key.key_prefix, damaged, key.key_secret.slice(0, -6), key.key_secret.toLowerCase()] })
      .expect(202);
    await using(rotated.key_secret).get('/me').expect(200);
    await api.stranger.post('/auth/leak-reports', { keys: [key.key_secret] }).expect(202);
    await using(rotated.key_secret).get('/me').expect(401);
  });

  it('takes as long for hits as for misses', async () => {
    const time = async (keys: string[]): Promise<number> => {
      const started = performance.now();
      await api.stranger.post('/auth/leak-reports', { keys }).expect(202);
      return performance.now() - started;
    };
    const [hits, misses]: [number[], number[]] = [[], []];
    for (let round = 0; round < 7; round++) {
      hits.push(await time([(await ownKey()).key_secret]));
      misses.push(await time([randomKey()]));
    }
    const median = (times: number[]): number => times.sort((a, b) => a - b)[3]!;
    expect(Math.abs(median(hits) - median(misses)) / median(misses)).toBeLessThan(0.25);
  });

  it('takes a hundred strings at most, none too long', async () => {
    await api.stranger.post('/auth/leak-reports', { keys: Array.from({ length: 101 }, randomKey) }).expect(400);
    await api.stranger.post('/auth/leak-reports', { keys: ['x'.repeat(30_000)] }).expect(400);
    await api.stranger.post('/auth/leak-reports', { keys: ['x'.repeat(1_000_000)] }).expect(413);
    for (const keys of ['x', [7], undefined]) await api.stranger.post('/auth/leak-reports', { keys }).expect(400);
  });
});

describe('from another workspace', () => {
  it('a key does not exist for any operation', async () => {
    const { key_id } = await ownKey();
    const stranger = theirs.owner.client;
    for (const area of ['/admin/api-keys', '/me/api-keys']) {
      for (const answer of [
        await stranger.patch(`${area}/${key_id}`, { key_name: 'x' }),
        await stranger.delete(`${area}/${key_id}`),
        await stranger.post(`${area}/${key_id}/rotate`),
      ])
        expect(answer.status).toBe(404);
    }
    await stranger.get(`/admin/api-keys/${key_id}`).expect(404);
    expect((await stranger.get('/admin/api-keys').expect(200)).text).not.toContain(key_id);
    expect((await stranger.get(`/admin/api-keys?key_user=${ours.owner.user_id}`).expect(200)).body.data).toEqual([]);
    await owner.get(`/admin/api-keys/${key_id}`).expect(200);
  });
});
