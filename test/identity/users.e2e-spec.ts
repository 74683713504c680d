import { newId } from '@atrium/platform/kernel';
import { Client, TEST_PASSWORD, type Member, type RunningApi, type TestWorkspace } from '@atrium/platform/testing';
import type { Response } from 'supertest';
import { sharedAtrium } from '../support/shared-atrium';
import { bearing, setRoles, signIn, signedInMember } from './signing-in';

interface Person {
  readonly user_id: string;
  readonly user_email: string;
  readonly user_status: string;
  readonly user_roles: readonly string[];
  readonly roles: readonly { readonly role_key: string; readonly role_id: string }[];
  readonly invite_url?: string;
  readonly needs_sign_in?: boolean;
}

let api: RunningApi;
let ours: TestWorkspace;
let theirs: TestWorkspace;
let admin: Client;
let count = 0;

const PASSWORD = 'seven quiet herons over the delta';

beforeAll(async () => {
  api = await sharedAtrium();
  ours = await api.workspace();
  theirs = await api.workspace();
  admin = ours.owner.client;
});
afterAll(() => api.close());

const address = (): string => `person-${++count}@people.example`;
const roleId = async (workspace: TestWorkspace, key: string): Promise<string> =>
  (await api.sql<{ role_id: string }>('SELECT role_id FROM role WHERE tenant_id = $1 AND role_key = $2', [workspace.tenant_id, key]))[0]!
    .role_id;
const invite = async (body: object = {}, client = admin): Promise<Person> =>
  (await client.post('/admin/users', { user_email: address(), user_name: 'Ada', ...body }).expect(201)).body as Person;
const tokenOf = ({ invite_url }: Pick<Person, 'invite_url'>): string => invite_url!.split('/').at(-1)!;
const accept = (person: Pick<Person, 'invite_url'>, body: object = {}): PromiseLike<Response> =>
  api.stranger.post('/auth/invitations/accept', { token: tokenOf(person), password: PASSWORD, ...body });
const member = async (role: string): Promise<Person & { client: Client }> => {
  const person = await invite({ user_roles: [await roleId(ours, role)] });
  const { body } = await accept(person);
  return { ...person, client: bearing(api, (body as { access_token: string }).access_token, ours.tenant_id) };
};
const one = async (id: string): Promise<Person & Record<string, unknown>> =>
  (await admin.get(`/admin/users/${id}`).expect(200)).body as Person & Record<string, unknown>;
const audited = async (id: string): Promise<string[]> =>
  (
    await api.sql<{ aud_type: string }>(
      'SELECT aud_type FROM audit_event WHERE tenant_id = $1 AND aud_target_id = $2 ORDER BY aud_timestamp, aud_id',
      [ours.tenant_id, id],
    )
  ).map((row) => row.aud_type);
const told = async (id: string): Promise<string[]> =>
  (
    await api.sql<{ ev_name: string }>(
      `SELECT ev_name FROM outbox WHERE tenant_id = $1 AND ev_subject = $2 AND ev_kind = 'event' ORDER BY ev_created, ev_id`,
      [ours.tenant_id, id],
    )
  ).map((row) => row.ev_name);
const withSeats = (workspace: TestWorkspace, seats: number | null): Promise<object[]> =>
  api.sql('UPDATE workspace SET ws_seat_limit = $2 WHERE tenant_id = $1', [workspace.tenant_id, seats]);
const statuses = (answers: readonly Response[]): number[] => answers.map(({ status }) => status).sort();

describe('inviting a person', () => {
  it('[identity 16] answers a link once where no mail is configured, and accepting it gives a working login', async () => {
    const person = await invite({
      user_email: '  Ada.L+news@BÜCHER.example ',
      user_name: 'Ada L',
      user_title: 'Editor',
      user_metadata: { team: 'press' },
      user_external_id: 'hr-1',
    });
    expect(person).toMatchObject({
      user_status: 'invited',
      user_kind: 'person',
      user_email: 'ada.l+news@xn--bcher-kva.example',
      user_title: 'Editor',
      user_metadata: { team: 'press' },
      user_external_id: 'hr-1',
      user_invited_by: ours.owner.user_id,
      user_mfa: false,
      roles: [{ role_key: 'viewer' }],
    });
    expect(person.invite_url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/invitations\/[\w-]{43}$/);
    expect(await one(person.user_id)).not.toHaveProperty('invite_url');
    expect((await api.stranger.get(`/auth/invitations/${tokenOf(person)}`).expect(200)).body).toEqual({
      ws_name: ours.slug,
      invited_email_masked: 'a***@xn--bcher-kva.example',
      needs_password: true,
      needs_sign_in: false,
    });
    expect(person.needs_sign_in).toBe(false);
    const accepted = await accept(person, { user_name: 'Ada Lindgren' });
    expect(accepted.status).toBe(200);
    expect(accepted.body).toMatchObject({
      token_type: 'Bearer',
      user: { user_id: person.user_id, user_email: 'ada.l+news@xn--bcher-kva.example' },
      workspaces: [{ ws_id: ours.tenant_id, user_status: 'active' }],
    });
    const tokens = await signIn(api, 'ada.l+news@bücher.example', PASSWORD);
    const me = await bearing(api, tokens.access_token, ours.tenant_id).get('/me').expect(200);
    expect(me.body).toMatchObject({
      user: { user_id: person.user_id, user_name: 'Ada Lindgren', user_status: 'active' },
      roles: [{ role_key: 'viewer' }],
    });
    expect((await accept(person)).status).toBe(410);
    await api.stranger.get(`/auth/invitations/${tokenOf(person)}`).expect(410);
    expect(await told(person.user_id)).toEqual(['user.invited', 'user.joined']);
    expect(await audited(person.user_id)).toEqual(['user.invited', 'user.joined']);
  });

  it('stores links as hashes only, also where the answer is kept to be replayed', async () => {
    const client = admin.with({ 'Idempotency-Key': newId() });
    const body = { user_email: address(), user_name: 'Ada' };
    const person = await invite(body, client);
    expect((await client.post('/admin/users', body).expect(201)).body).toMatchObject({ invite_url: person.invite_url });
    const rows = await api.sql<{ text: string }>(
      `SELECT i::text AS text FROM invitation i WHERE tenant_id = $1 UNION ALL SELECT o::text FROM outbox o WHERE tenant_id = $1 UNION ALL SELECT k::text FROM idempotency_key k WHERE tenant_id = $1`,
      [ours.tenant_id],
    );
    expect(rows.some(({ text }) => text.includes(person.user_id))).toBe(true);
    expect(rows.filter(({ text }) => text.includes(tokenOf(person)))).toEqual([]);
  });

  it.each([
    ['no address', { user_email: null }],
    ['no address at all', { user_email: 'ada' }],
    ['a header in it', { user_email: 'ada@example.com\r\nBcc: eve@example.com' }],
    ['quotes', { user_email: '"ada"@"example.com"' }],
    ['255 characters', { user_email: `${'a'.repeat(60)}@${'b'.repeat(60)}.${'c'.repeat(60)}.${'d'.repeat(60)}.examples.com` }],
    ['an unknown role', { user_roles: [newId()] }],
  ])('refuses %s', async (_, body) => {
    await admin.post('/admin/users', { user_email: address(), user_name: 'Ada', ...body }).expect(400);
  });

  it('refuses a body that is not valid, naming the field', async () => {
    const refused = await admin.post('/admin/users', { user_email: address(), user_status: 'active' }).expect(400);
    expect(refused.body).toMatchObject({ code: 'validation_failed', errors: [{ path: 'user_status', code: 'unknown_field' }] });
  });

  it('refuses a role of another workspace like an unknown one, and domains that are not allowed', async () => {
    const foreign = await admin
      .post('/admin/users', { user_email: address(), user_name: 'Ada', user_roles: [await roleId(theirs, 'viewer')] })
      .expect(400);
    expect(foreign.body).toMatchObject({ code: 'validation_failed', errors: [{ path: 'user_roles[0]', code: 'reference' }] });
    await api.sql(`UPDATE workspace SET ws_security = ws_security || '{"allowed_email_domains": ["example.org"]}' WHERE tenant_id = $1`, [
      theirs.tenant_id,
    ]);
    await theirs.owner.client.post('/admin/users', { user_email: 'ada@example.com' }).expect(400);
    expect((await theirs.owner.client.post('/admin/users', { user_email: 'ada@Example.ORG' }).expect(201)).body).toMatchObject({
      user_name: 'ada',
    });
  });

  it('of two creates of one address makes one and refuses the other', async () => {
    const user_email = address();
    const answers = await Promise.all([1, 2].map(() => admin.post('/admin/users', { user_email, user_name: 'Twice' })));
    expect(statuses(answers)).toEqual([201, 409]);
    expect(answers.find(({ status }) => status === 409)?.body).toMatchObject({ code: 'already_exists' });
    await admin.post('/admin/users', { user_email: user_email.toUpperCase(), user_name: 'Again' }).expect(409);
  });

  it('refuses an external id that is taken', async () => {
    await invite({ user_external_id: 'hr-2' });
    await admin.post('/admin/users', { user_email: address(), user_external_id: 'hr-2' }).expect(409);
  });

  it('knows a person of another workspace by the same id, and asks for no second password', async () => {
    const elsewhere = theirs.owner.email;
    const person = await invite({ user_email: elsewhere });
    expect(person.user_id).toBe(theirs.owner.user_id);
    expect((await api.stranger.get(`/auth/invitations/${tokenOf(person)}`).expect(200)).body).toMatchObject({
      needs_password: false,
      needs_sign_in: true,
    });
    expect(person.needs_sign_in).toBe(true);
    expect((await accept(person, { password: 'not the right one at all' })).status).toBe(401);
    expect((await accept(person, { password: TEST_PASSWORD })).status).toBe(200);
    expect((await signIn(api, elsewhere)).workspaces.map(({ ws_id }) => ws_id).sort()).toEqual([ours.tenant_id, theirs.tenant_id].sort());
  });
});

describe('accepting', () => {
  it('wants a strong password where the account has none', async () => {
    const person = await invite();
    for (const password of [undefined, 'password1234', 'short', 'a'.repeat(300)])
      expect((await accept(person, { password })).status).toBe(400);
    expect((await one(person.user_id)).user_status).toBe('invited');
    expect((await accept(person)).status).toBe(200);
  });

  it('by two at once lets one in', async () => {
    const person = await invite();
    expect(statuses(await Promise.all([accept(person), accept(person)]))).toEqual([200, 410]);
  });

  it('asks for a code where a second factor is enrolled, and lets nobody past it', async () => {
    const person = await invite({ user_email: (await signedInMember(api, theirs, 'viewer')).email });
    await api.sql(`UPDATE account SET acc_totp = 'sealed' WHERE acc_id = $1`, [person.user_id]);
    expect((await accept(person, { password: undefined })).status).toBe(401);
    const { status, body } = await accept(person, { password: TEST_PASSWORD });
    expect(status).toBe(200);
    expect(body).toMatchObject({ mfa_required: true, mfa_token: expect.any(String) });
    expect(body).not.toHaveProperty('access_token');
    expect((await one(person.user_id)).user_status).toBe('invited');
  });

  it('is refused to a caller who is signed in as somebody else, and to links that do not exist', async () => {
    const person = await invite();
    const { tokens } = await signedInMember(api, ours, 'viewer');
    await new Client(api.url, { Authorization: `Bearer ${tokens.access_token}` })
      .post('/auth/invitations/accept', { token: tokenOf(person), password: PASSWORD })
      .expect(403);
    await api.stranger.get('/auth/invitations/nothing').expect(404);
    await api.stranger.post('/auth/invitations/accept', { token: 'nothing', password: PASSWORD }).expect(404);
  });

  it('is refused after seven days', async () => {
    const person = await invite();
    await api.sql('UPDATE invitation SET inv_expires_at = now() WHERE tenant_id = $1 AND inv_user = $2', [ours.tenant_id, person.user_id]);
    expect((await accept(person)).status).toBe(410);
    expect((await one(person.user_id)).user_status).toBe('invited');
  });
});

describe('an invitation', () => {
  it('is sent again, once a minute and ten times a day; the old link stops working', async () => {
    const person = await invite();
    const again = await admin.post(`/admin/users/${person.user_id}/invite`).expect(200);
    await api.stranger.get(`/auth/invitations/${tokenOf(person)}`).expect(410);
    await api.stranger.get(`/auth/invitations/${tokenOf(again.body as Person)}`).expect(200);
    const soon = await admin.post(`/admin/users/${person.user_id}/invite`).expect(429);
    expect(Number(soon.headers['retry-after'])).toBeGreaterThan(50);
    for (let i = 0; i < 9; i++) {
      await api.sql(`UPDATE invitation SET inv_created = inv_created - interval '2 minutes' WHERE tenant_id = $1 AND inv_user = $2`, [
        ours.tenant_id,
        person.user_id,
      ]);
      await admin.post(`/admin/users/${person.user_id}/invite`).expect(200);
    }
    await api.sql(`UPDATE invitation SET inv_created = inv_created - interval '2 minutes' WHERE tenant_id = $1 AND inv_user = $2`, [
      ours.tenant_id,
      person.user_id,
    ]);
    await admin.post(`/admin/users/${person.user_id}/invite`).expect(429);
  });

  it('is withdrawn with its membership, and somebody who was removed comes back under the same id', async () => {
    const person = await invite();
    await admin.delete(`/admin/users/${person.user_id}/invite`).expect(204);
    expect(await one(person.user_id)).toMatchObject({ user_status: 'removed', roles: [] });
    expect((await accept(person)).status).toBe(410);
    await admin.delete(`/admin/users/${person.user_id}/invite`).expect(204);
    const removals = await api.sql(`SELECT 1 FROM outbox WHERE tenant_id = $1 AND ev_name = 'user.removed' AND ev_subject = $2`, [
      ours.tenant_id,
      person.user_id,
    ]);
    expect(removals).toHaveLength(1);
    const back = await invite({ user_email: person.user_email, user_name: 'Ada again' });
    expect(back).toMatchObject({ user_id: person.user_id, user_status: 'invited', user_name: 'Ada again' });
    expect((await accept(back)).status).toBe(200);
    expect((await admin.delete(`/admin/users/${person.user_id}/invite`).expect(409)).body.code).toBe('invalid_state');
    await admin.post(`/admin/users/${person.user_id}/invite`).expect(409);
  });
});

describe('seats', () => {
  it('[identity 17] are given to exactly as many as there are, however many ask at once', async () => {
    const workspace = await api.workspace();
    await withSeats(workspace, 3);
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => workspace.owner.client.post('/admin/users', { user_email: address() })),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(2);
    expect(
      new Set(answers.filter(({ status }) => status !== 201).map(({ status, body }) => `${status} ${(body as { code: string }).code}`)),
    ).toEqual(new Set(['409 limit_reached']));
    await workspace.owner.client.post('/admin/users', { user_kind: 'service', user_name: 'Robot' }).expect(201);
  });

  it('are freed by removal and by suspension, and the last one goes to one of two', async () => {
    const workspace = await api.workspace();
    await withSeats(workspace, 2);
    const { client } = workspace.owner;
    expect(statuses(await Promise.all([1, 2].map(() => client.post('/admin/users', { user_email: address() }))))).toEqual([201, 409]);
    const [guest] = (await client.get('/admin/users?user_status=invited').expect(200)).body.data as Person[];
    await client.delete(`/admin/users/${guest!.user_id}/invite`).expect(204);
    const second = await invite({}, client);
    expect((await accept(second)).status).toBe(200);
    await client.post(`/admin/users/${second.user_id}/suspend`).expect(200);
    const third = await invite({}, client);
    await client.post(`/admin/users/${second.user_id}/reactivate`).expect(409);
    await client.delete(`/admin/users/${third.user_id}`).expect(204);
    await client.post(`/admin/users/${second.user_id}/reactivate`).expect(200);
  });
});

describe('many at once', () => {
  it('are each added or refused for themselves', async () => {
    const workspace = await api.workspace();
    await withSeats(workspace, 4);
    const first = address();
    const { body } = await workspace.owner.client
      .post('/admin/users/bulk', {
        users: [
          { user_email: first },
          { user_email: first },
          { user_email: 'nobody' },
          { user_email: address(), user_roles: [newId()] },
          { user_kind: 'service', user_name: 'Robot' },
          ...Array.from({ length: 3 }, () => ({ user_email: address() })),
        ],
      })
      .expect(200);
    const { results } = body as { results: { index: number; status: string; user?: Person; error?: { code: string } }[] };
    expect(results.map(({ index, status, error }) => [index, status, error?.code])).toEqual([
      [0, 'created', undefined],
      [1, 'failed', 'already_exists'],
      [2, 'failed', 'validation_failed'],
      [3, 'failed', 'validation_failed'],
      [4, 'created', undefined],
      [5, 'created', undefined],
      [6, 'created', undefined],
      [7, 'failed', 'limit_reached'],
    ]);
    expect(results[0]?.user).toMatchObject({
      user_email: first,
      user_status: 'invited',
      roles: [{ role_key: 'viewer' }],
      invite_url: expect.stringContaining('/invitations/'),
    });
    expect(results[4]?.user).toMatchObject({ user_kind: 'service', user_status: 'active', user_email: null });
    expect(await api.sql(`SELECT FROM outbox WHERE tenant_id = $1 AND ev_name = 'user.invited'`, [workspace.tenant_id])).toHaveLength(3);
    expect(await api.sql(`SELECT FROM audit_event WHERE tenant_id = $1 AND aud_type = 'user.invited'`, [workspace.tenant_id])).toHaveLength(
      3,
    );
  });

  it('are at most two hundred', async () => {
    const users = Array.from({ length: 201 }, () => ({ user_email: address() }));
    await admin.post('/admin/users/bulk', { users }).expect(400);
    const { body } = await admin.post('/admin/users/bulk', { users: users.slice(0, 200) }).expect(200);
    expect((body as { results: { status: string }[] }).results.filter(({ status }) => status === 'created')).toHaveLength(200);
  });
});

describe('the list of members', () => {
  it('is narrowed by every filter it names, and refuses those it does not', async () => {
    const workspace = await api.workspace();
    const { client } = workspace.owner;
    const editor = await roleId(workspace, 'editor');
    await client.post('/admin/users', { user_kind: 'service', user_name: 'Robot', user_external_id: 'ext-1' }).expect(201);
    await client
      .post('/admin/users', { user_email: 'mia@people.example', user_name: 'Mia', user_title: 'Photographer', user_roles: [editor] })
      .expect(201);
    const names = async (query: string, status = 200): Promise<string[]> =>
      ((await client.get(`/admin/users?${query}`).expect(status)).body as { data?: { user_name: string }[] }).data?.map(
        ({ user_name }) => user_name,
      ) ?? [];
    expect(await names('')).toEqual(['Mia', 'Robot', 'Owner']);
    expect(await names('user_kind=service')).toEqual(['Robot']);
    expect(await names('user_external_id=ext-1')).toEqual(['Robot']);
    expect(await names('user_status=invited')).toEqual(['Mia']);
    expect(await names(`user_role=${editor}`)).toEqual(['Mia']);
    expect(await names(`user_role=${await roleId(theirs, 'editor')}`)).toEqual([]);
    expect(await names('user_email=MIA%40')).toEqual(['Mia']);
    expect(await names('user_name=own')).toEqual(['Owner']);
    expect(await names('full_text_search=photo')).toEqual(['Mia']);
    expect(await names('user_mfa=true')).toEqual([]);
    expect(await names(`user_id=${workspace.owner.user_id}`)).toEqual(['Owner']);
    expect(await names(`user_created=${new Date(Date.now() + 60_000).toISOString()}`)).toEqual([]);
    expect(await names(`user_updated=${new Date(0).toISOString()}&user_updated=${new Date(Date.now() + 60_000).toISOString()}`)).toEqual([
      'Mia',
      'Robot',
      'Owner',
    ]);
    expect(await names('user_last_seen_at=2001-01-01&user_kind=service')).toEqual([]);
    expect(await names('sort=user_name')).toEqual(['Mia', 'Owner', 'Robot']);
    expect(await names('sort=user_email')).toEqual(['Robot', 'Mia', 'Owner']);
    await names('user_role=nobody', 400);
    await names('user_status=gone', 400);
    await names('user_pref=x', 400);
    await names('user_locale=en', 400);
  });
});

describe('changing a member', () => {
  it('applies what is present, answers a new version, and refuses a stale one', async () => {
    const person = await member('viewer');
    const read = await admin.get(`/admin/users/${person.user_id}`).expect(200);
    expect(read.body).toMatchObject({ user_session_count: 1, user_key_count: 0, permissions: expect.arrayContaining(['media:view']) });
    const changed = await admin
      .with({ 'If-Match': String(read.headers.etag) })
      .patch(`/admin/users/${person.user_id}`, { user_title: 'Chief', user_roles: [await roleId(ours, 'editor')] })
      .expect(200);
    expect(changed.body).toMatchObject({ user_name: 'Ada', user_title: 'Chief', roles: [{ role_key: 'editor' }] });
    await admin
      .with({ 'If-Match': String(read.headers.etag) })
      .patch(`/admin/users/${person.user_id}`, { user_title: 'Late' })
      .expect(412);
    const [event] = await api.sql<object>(
      `SELECT aud_before, aud_after, aud_actor FROM audit_event WHERE tenant_id = $1 AND aud_target_id = $2 AND aud_type = 'user.updated'`,
      [ours.tenant_id, person.user_id],
    );
    expect(event).toMatchObject({ aud_actor: ours.owner.user_id, aud_before: { user_title: null }, aud_after: { user_title: 'Chief' } });
  });

  it('takes from a member with the next request what their new roles do not allow', async () => {
    const person = await member('editor');
    await person.client.post('/albums', { album_name: 'Mine' }).expect(201);
    await admin.patch(`/admin/users/${person.user_id}`, { user_roles: [] }).expect(200);
    await person.client.post('/albums', { album_name: 'Mine' }).expect(403);
  });

  it('answers 404 for members of other workspaces, whatever is asked', async () => {
    const { user_id } = theirs.owner;
    const stranger = (await theirs.member('viewer')).user_id;
    expect(user_id).not.toBe(stranger);
    await admin.get(`/admin/users/${stranger}`).expect(404);
    await admin.patch(`/admin/users/${stranger}`, { user_name: 'x' }).expect(404);
    await admin.delete(`/admin/users/${stranger}`).expect(404);
    for (const act of ['suspend', 'reactivate', 'invite']) await admin.post(`/admin/users/${stranger}/${act}`).expect(404);
    await admin.post(`/admin/users/${stranger}/transfer`, { to_user: ours.owner.user_id }).expect(404);
    await admin.delete(`/admin/users/${stranger}/sessions`).expect(404);
    await admin.delete(`/admin/users/${stranger}/mfa`).expect(404);
    await admin.delete(`/admin/users/${stranger}/invite`).expect(404);
    const other = await admin.post(`/admin/users/${(await member('viewer')).user_id}/transfer`, { to_user: stranger }).expect(400);
    expect(other.body).toMatchObject({ errors: [{ path: 'to_user', code: 'reference' }] });
  });

  it('is for who holds admin:users alone', async () => {
    const viewer: Member = await ours.member('viewer');
    const id = ours.owner.user_id;
    const denied = [
      viewer.client.get('/admin/users'),
      viewer.client.post('/admin/users', {}),
      viewer.client.post('/admin/users/bulk', {}),
      viewer.client.get(`/admin/users/${id}`),
      viewer.client.patch(`/admin/users/${id}`, {}),
      viewer.client.delete(`/admin/users/${id}`),
      viewer.client.post(`/admin/users/${id}/suspend`),
      viewer.client.post(`/admin/users/${id}/reactivate`),
      viewer.client.post(`/admin/users/${id}/invite`),
      viewer.client.delete(`/admin/users/${id}/invite`),
      viewer.client.post(`/admin/users/${id}/transfer`, { to_user: id }),
      viewer.client.delete(`/admin/users/${id}/sessions`),
      viewer.client.delete(`/admin/users/${id}/mfa`),
    ];
    for (const answer of await Promise.all(denied))
      expect([answer.status, (answer.body as { detail: string }).detail]).toEqual([403, expect.stringContaining('admin:users')]);
  });
});

describe('nobody rises', () => {
  it('[identity 14] an administrator neither grants everything, nor edits an owner, nor assigns the owner role; two owners who demote each other leave one', async () => {
    const chief = await member('admin');
    await chief.client.post('/admin/roles', { role_name: 'Everything', role_permissions: ['*'] }).expect(403);
    const guest = await invite();
    const owner = await roleId(ours, 'owner');
    await chief.client.patch(`/admin/users/${ours.owner.user_id}`, { user_name: 'Deposed' }).expect(403);
    for (const act of ['suspend', 'invite'])
      expect((await chief.client.post(`/admin/users/${ours.owner.user_id}/${act}`)).status).toBe(act === 'suspend' ? 403 : 409);
    await chief.client.delete(`/admin/users/${ours.owner.user_id}`).expect(403);
    await chief.client.delete(`/admin/users/${ours.owner.user_id}/sessions`).expect(403);
    await chief.client.delete(`/admin/users/${ours.owner.user_id}/mfa`).expect(403);
    await chief.client.post(`/admin/users/${ours.owner.user_id}/transfer`, { to_user: guest.user_id }).expect(403);
    const assigned = await chief.client.patch(`/admin/users/${guest.user_id}`, { user_roles: [owner] }).expect(403);
    expect((assigned.body as { detail: string }).detail).toContain('*');
    await chief.client.post('/admin/users', { user_email: address(), user_roles: [owner] }).expect(403);

    const workspace = await api.workspace();
    const ownerRole = await roleId(workspace, 'owner');
    const second = await workspace.member('owner');
    for (let round = 0; round < 20; round++) {
      for (const { user_id } of [workspace.owner, second]) await setRoles(api, workspace.tenant_id, { user_id }, ['owner', 'admin']);
      const admin = await roleId(workspace, 'admin');
      const answers = await Promise.all([
        workspace.owner.client.patch(`/admin/users/${second.user_id}`, { user_roles: [admin] }),
        second.client.patch(`/admin/users/${workspace.owner.user_id}`, { user_roles: [admin] }),
      ]);
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      expect([403, 409]).toContain(answers.find(({ status }) => status !== 200)?.status);
      expect(
        await api.sql('SELECT FROM user_role_link WHERE tenant_id = $1 AND role_id = $2', [workspace.tenant_id, ownerRole]),
      ).toHaveLength(1);
    }
  });

  it('through what somebody with fewer permissions grants', async () => {
    const [role] = await api.sql<{ role_id: string }>(
      `INSERT INTO role (tenant_id, role_id, role_name, role_permissions) VALUES ($1, gen_random_uuid(), 'Clerk', '{admin:users,media:view}') RETURNING role_id`,
      [ours.tenant_id],
    );
    const clerk = await invite({ user_roles: [role!.role_id] });
    const { body } = await accept(clerk);
    const client = bearing(api, (body as { access_token: string }).access_token, ours.tenant_id);
    const refused = await client.post('/admin/users', { user_email: address(), user_roles: [await roleId(ours, 'editor')] }).expect(403);
    expect((refused.body as { detail: string }).detail).toContain('media:edit');
    await client.post('/admin/users', { user_email: address(), user_roles: [role!.role_id] }).expect(201);
    await client.post('/admin/users', { user_email: address() }).expect(403);
    const viewer = await member('viewer');
    await client.patch(`/admin/users/${viewer.user_id}`, { user_name: 'x' }).expect(403);
    await client.post(`/admin/users/${viewer.user_id}/transfer`, { to_user: clerk.user_id }).expect(403);
  });

  it('and nobody ends their own membership through the administration, nor the last owner theirs', async () => {
    const { user_id } = ours.owner;
    await admin.post(`/admin/users/${user_id}/suspend`).expect(409);
    await admin.delete(`/admin/users/${user_id}`).expect(409);
    const left = await bearing(api, (await signIn(api, ours.owner.email)).access_token, ours.tenant_id)
      .post('/me/leave')
      .expect(409);
    expect(left.body).toMatchObject({ code: 'invalid_state' });
    await admin.patch(`/admin/users/${user_id}`, { user_roles: [await roleId(ours, 'admin')] }).expect(409);
  });
});

describe('the end of a membership', () => {
  it('by suspension stops sessions and keys with the next request, until it is taken back', async () => {
    const person = await member('admin');
    const { key_secret } = await api.provisioner.createKey(ours.tenant_id, { key_name: 'k', user_email: person.user_email });
    const byKey = new Client(api.url, { 'X-Api-Key': key_secret, 'X-Tenant-Id': ours.tenant_id });
    await byKey.get('/me').expect(200);
    const suspended = await admin.post(`/admin/users/${person.user_id}/suspend`, { reason: 'On leave.' }).expect(200);
    expect(suspended.body).toMatchObject({ user_status: 'suspended' });
    await person.client.get('/me').expect(403);
    await byKey.get('/me').expect(401);
    await admin.post(`/admin/users/${person.user_id}/suspend`).expect(409);
    await admin.post(`/admin/users/${person.user_id}/reactivate`).expect(200);
    await person.client.get('/me').expect(200);
    await byKey.get('/me').expect(200);
    expect(await told(person.user_id)).toEqual(['user.invited', 'user.joined', 'user.suspended', 'user.reactivated']);
    const [event] = await api.sql<object>(
      `SELECT aud_reason FROM audit_event WHERE tenant_id = $1 AND aud_target_id = $2 AND aud_type = 'user.suspended'`,
      [ours.tenant_id, person.user_id],
    );
    expect(event).toEqual({ aud_reason: 'On leave.' });
  });

  it('by removal revokes keys and ends sessions; the row stays and is listed when asked for', async () => {
    const person = await member('editor');
    const { key_id, key_secret } = await api.provisioner.createKey(ours.tenant_id, { key_name: 'k', user_email: person.user_email });
    await person.client.post('/albums', { album_name: 'Stays' }).expect(201);
    await admin.delete(`/admin/users/${person.user_id}`).expect(204);
    expect((await person.client.get('/me')).status).toBe(401);
    await new Client(api.url, { 'X-Api-Key': key_secret, 'X-Tenant-Id': ours.tenant_id }).get('/me').expect(401);
    expect(await api.sql('SELECT key_revoke_reason, key_revoked_by FROM api_key WHERE key_id = $1', [key_id])).toEqual([
      { key_revoke_reason: 'owner_removed', key_revoked_by: ours.owner.user_id },
    ]);
    const listed = async (query: string): Promise<string[]> =>
      ((await admin.get(`/admin/users?user_id=${person.user_id}${query}`).expect(200)).body.data as Person[]).map(
        ({ user_status }) => user_status,
      );
    expect(await listed('')).toEqual([]);
    expect(await listed('&user_status=removed')).toEqual(['removed']);
    expect(await told(person.user_id)).toEqual(['user.invited', 'user.joined', 'user.removed']);
    await admin.patch(`/admin/users/${person.user_id}`, { user_name: 'x' }).expect(409);
    await admin.delete(`/admin/users/${person.user_id}`).expect(204);
    expect(await told(person.user_id)).toEqual(['user.invited', 'user.joined', 'user.removed']);
  });

  it('by leaving is one’s own', async () => {
    const person = await member('viewer');
    await person.client.post('/me/leave').expect(204);
    expect((await one(person.user_id)).user_status).toBe('removed');
    const { client } = await ours.member('viewer', ['media:view']);
    await client.post('/me/leave').expect(403);
  });

  it('leaves sessions to who belongs to another workspace too', async () => {
    const person = await member('viewer');
    await api.sql(`INSERT INTO workspace_user (tenant_id, user_id, user_email, user_name) VALUES ($1, $2, $3, 'Ada')`, [
      theirs.tenant_id,
      person.user_id,
      person.user_email,
    ]);
    const client = bearing(api, (await signIn(api, person.user_email, PASSWORD)).access_token, ours.tenant_id);
    await admin.delete(`/admin/users/${person.user_id}`).expect(204);
    await client.get('/me').expect(403);
    await client.with({ 'X-Tenant-Id': theirs.tenant_id }).get('/me').expect(200);
  });
});

describe('an administrator', () => {
  it('ends the sessions of a person', async () => {
    const person = await member('viewer');
    await signIn(api, person.user_email, PASSWORD);
    expect((await admin.delete(`/admin/users/${person.user_id}/sessions`).expect(200)).body).toEqual({ revoked: 2 });
    await person.client.get('/me').expect(401);
    expect(await audited(person.user_id)).toEqual(['user.invited', 'user.joined', 'user.sessions_ended']);
  });

  it('takes away the second factor of who belongs here alone, after a recent sign-in', async () => {
    const person = await member('viewer');
    await api.sql(`UPDATE account SET acc_totp = 'sealed' WHERE acc_id = $1`, [person.user_id]);
    expect(await one(person.user_id)).toMatchObject({ user_mfa: true });
    const listed = async (mfa: boolean): Promise<number> =>
      ((await admin.get(`/admin/users?user_mfa=${mfa}&user_id=${person.user_id}`).expect(200)).body.data as Person[]).length;
    expect([await listed(true), await listed(false)]).toEqual([1, 0]);
    await admin.delete(`/admin/users/${person.user_id}/mfa`).expect(204);
    expect(await one(person.user_id)).toMatchObject({ user_mfa: false });
    expect(await audited(person.user_id)).toContain('user.mfa_disabled');
    await api.sql(`INSERT INTO workspace_user (tenant_id, user_id, user_email, user_name) VALUES ($1, $2, $3, 'Ada')`, [
      theirs.tenant_id,
      person.user_id,
      person.user_email,
    ]);
    expect((await admin.delete(`/admin/users/${person.user_id}/mfa`).expect(409)).body).toMatchObject({ code: 'in_use' });
  });
});
