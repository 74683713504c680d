import { createHmac, createPublicKey } from 'node:crypto';
import { generateKeyPair } from 'jose';
import { newId } from '@atrium/platform/kernel';
import { TEST_PASSWORD, type RunningApi, type TestWorkspace } from '@atrium/platform/testing';
import { sharedAtrium } from '../support/shared-atrium';
import { OidcProvider } from './oidc-provider';
import { SignedIssuer } from './signed-issuer';
import { bearing, signIn, type Tokens } from './signing-in';

let api: RunningApi;
let provider: OidcProvider;
let signed: SignedIssuer;

beforeAll(async () => {
  api = await sharedAtrium();
  provider = await OidcProvider.start();
  signed = await SignedIssuer.start();
});
afterAll(async () => {
  await provider?.stop();
  await signed?.stop();
  await api.close();
});
beforeEach(() => {
  signed.mood = 'well';
});

const roleOf = async (workspace: TestWorkspace, role_key: string): Promise<string> =>
  (
    await api.sql<{ role_id: string }>('SELECT role_id FROM role WHERE tenant_id = $1 AND role_key = $2', [workspace.tenant_id, role_key])
  )[0]!.role_id;

async function trust(workspace: TestWorkspace, facts: object = {}): Promise<{ iss_id: string }> {
  const body = {
    iss_name: 'Company sign-in',
    iss_issuer: signed.issuer,
    iss_audiences: ['atrium'],
    iss_domains: ['staff.example'],
    ...facts,
  };
  return (await workspace.owner.client.post('/admin/issuers', body).expect(201)).body as { iss_id: string };
}

const exchange = (workspace: TestWorkspace, token: string) => api.stranger.post('/auth/exchange', { token, ws_id: workspace.tenant_id });
const rolesOf = async (workspace: TestWorkspace, tokens: Tokens): Promise<string[]> =>
  ((await bearing(api, tokens.access_token, workspace.tenant_id).get('/me').expect(200)).body.roles as { role_key: string }[])
    .map((role) => role.role_key)
    .sort();
const invited = (workspace: TestWorkspace, user_email: string) =>
  workspace.owner.client.post('/admin/users', { user_email, user_name: 'Invited', send_invite: false }).expect(201);
const tokenIn = (invite_url: string): string => invite_url.split(/[/=#]/).at(-1) ?? '';
/** As if half a minute had passed since the keys were last asked for. */
const later = () => api.sql(`UPDATE issuer_keys SET ik_asked_at = ik_asked_at - interval '31 seconds'`);

describe('signing in through a real OpenID provider', () => {
  it('[identity 18] makes the member with the mapped role, goes on after the provider rotated its keys, and refuses HS256 and none forgeries', async () => {
    const workspace = await api.workspace();
    await provider.know({
      ada: { email: 'Ada@Staff.example', email_verified: true, name: 'Ada Lindgren', realm_access: { roles: ['press', 'unmapped'] } },
    });
    await trust(workspace, {
      iss_issuer: provider.issuer,
      iss_provision: 'create',
      iss_claims: { roles: 'realm_access.roles' },
      iss_role_map: [
        { value: 'press', role_id: await roleOf(workspace, 'editor') },
        { value: 'boss', role_id: await roleOf(workspace, 'admin') },
      ],
    });
    const token = await provider.idToken('ada');
    const first = await exchange(workspace, token).expect(200);
    expect(first.body).toMatchObject({
      token_type: 'Bearer',
      user: { user_email: 'ada@staff.example', user_name: 'Ada Lindgren' },
      workspaces: [{ ws_id: workspace.tenant_id, user_status: 'active' }],
    });
    expect(await rolesOf(workspace, first.body)).toEqual(['editor']);
    const me = await bearing(api, first.body.access_token, workspace.tenant_id).get('/me').expect(200);
    expect(me.body.session.ses_methods).toEqual(['ext']);

    await provider.rotate();
    await later();
    const second = await exchange(workspace, await provider.idToken('ada')).expect(200);
    expect(second.body.user.user_id).toBe(first.body.user.user_id);

    const [, payload] = token.split('.') as [string, string, string];
    const b64 = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const published = (await (await fetch(`${provider.issuer}/jwks`)).json()) as { keys: [Record<string, string>] };
    const secret = createPublicKey({ key: published.keys[0], format: 'jwk' }).export({ type: 'spki', format: 'pem' });
    const head = b64({ alg: 'HS256', kid: published.keys[0].kid });
    const forged = `${head}.${payload}.${createHmac('sha256', secret).update(`${head}.${payload}`).digest('base64url')}`;
    for (const forgery of [
      forged,
      `${b64({ alg: 'none' })}.${payload}.`,
      `${b64({ alg: 'None', kid: published.keys[0].kid })}.${payload}.`,
    ]) {
      expect((await exchange(workspace, forgery).expect(401)).body.code).toBe('unauthenticated');
    }
  });

  it('shows an administrator what a token says and whom it would let in, and keeps nothing of it', async () => {
    const workspace = await api.workspace();
    await provider.know({ ben: { email: 'ben@staff.example', email_verified: true, name: 'Ben' } });
    const { iss_id } = await trust(workspace, { iss_issuer: provider.issuer, iss_provision: 'create' });
    const token = await provider.idToken('ben');
    const trial = await workspace.owner.client.post(`/admin/issuers/${iss_id}/test`, { token }).expect(200);
    expect(trial.body).toMatchObject({
      jwks_keys: 1,
      algorithms: ['RS256'],
      claims: { sub: 'ben', email: 'ben@staff.example' },
      would_map_to: { action: 'create', user_id: null, user_roles: [await roleOf(workspace, 'viewer')], because: null },
    });
    expect(await api.sql(`SELECT FROM workspace_user WHERE tenant_id = $1 AND user_email LIKE 'ben@%'`, [workspace.tenant_id])).toEqual([]);
    const wrong = await workspace.owner.client.post(`/admin/issuers/${iss_id}/test`, { token: `${token}x` }).expect(422);
    expect(wrong.body.code).toBe('unprocessable_content');
    expect((await workspace.owner.client.post(`/admin/issuers/${iss_id}/test`).expect(200)).body).toEqual({
      jwks_keys: 1,
      algorithms: ['RS256'],
      claims: null,
      would_map_to: null,
    });
  });
});

describe('a token is refused with 401', () => {
  let workspace: TestWorkspace;
  const now = Math.floor(Date.now() / 1_000);

  beforeAll(async () => {
    workspace = await api.workspace();
    await trust(workspace, { iss_provision: 'create' });
    await exchange(workspace, await signed.token({ email: 'known@staff.example' })).expect(200);
  });

  it.each<[string, Record<string, unknown>, object]>([
    ['without an end', { exp: undefined }, {}],
    ['that has ended', { exp: now - 120 }, {}],
    ['that lives longer than a day', { exp: now + 86_400 + 600 }, {}],
    ['that begins later', { nbf: now + 120 }, {}],
    ['for somebody else', { aud: 'another' }, {}],
    ['for nobody', { aud: undefined }, {}],
    ['without a subject', { sub: undefined }, {}],
    ['with a subject that cannot be stored', { sub: 'sub\u0000ject' }, {}],
    ['with an unknown key id', {}, { kid: 'other' }],
    ['with a path as key id', {}, { kid: '../../etc/passwd' }],
    ['with SQL as key id', {}, { kid: "' OR 1=1 --" }],
    ['with an address of keys', {}, { jku: 'http://127.0.0.1/keys' }],
    ['with a certificate address', {}, { x5u: 'http://127.0.0.1/cert' }],
    ['with a key of its own', {}, { jwk: { kty: 'RSA', n: 'AQAB', e: 'AQAB' } }],
    ['of an address that is not verified', { sub: 'new', email: 'known@staff.example', email_verified: false }, {}],
    ['of an address that nobody says is verified', { sub: 'new', email: 'known@staff.example', email_verified: undefined }, {}],
    ['of an address in another domain', { sub: 'new', email: 'known@elsewhere.example' }, {}],
    ['of an address whose domain only begins with the right one', { sub: 'new', email: 'known@staff.example/x' }, {}],
    ['of a subject without an address', { sub: 'new', email: undefined }, {}],
    ['that is too large', { filler: 'x'.repeat(17_000) }, {}],
  ])('%s', async (_, claims, header) => {
    const refused = await exchange(workspace, await signed.token({ email: 'known@staff.example', ...claims }, header)).expect(401);
    expect(refused.body).toMatchObject({ code: 'unauthenticated', detail: 'The token is not valid for this workspace.' });
  });

  it('of an issuer with one slash more, of one nobody trusts, and of no issuer', async () => {
    for (const iss of [`${signed.issuer}/`, 'https://login.example.com', undefined, 7])
      await exchange(workspace, await signed.token({ iss })).expect(401);
    for (const token of ['x', 'a.b.c', '..', 'eyJ9.bnVsbA.x']) await exchange(workspace, token).expect(401);
  });

  it('signed by another key under the right id, or with an algorithm that is not pinned', async () => {
    const other = await generateKeyPair('RS256');
    await exchange(workspace, await signed.token({}, {}, { ...signed.key, ...other })).expect(401);
    await exchange(workspace, await signed.token({}, {}, { ...signed.key, ...(await generateKeyPair('RS512')), alg: 'RS512' })).expect(401);
  });

  it('for a workspace that does not trust the issuer, and for one that does not exist, alike', async () => {
    const other = await api.workspace();
    const token = await signed.token({ email: 'known@staff.example' });
    const [foreign, unknown] = [
      await exchange(other, token).expect(401),
      await api.stranger.post('/auth/exchange', { token, ws_id: newId() }).expect(401),
    ];
    expect({ ...foreign.body, request_id: '' }).toEqual({ ...unknown.body, request_id: '' });
  });

  it('and unknown key ids make the keys be asked for at most once in half a minute', async () => {
    await later();
    const before = signed.asked;
    const tokens = await Promise.all(Array.from({ length: 12 }, (_, i) => signed.token({}, { kid: `unknown-${i}` })));
    for (const answer of await Promise.all(tokens.map((token) => exchange(workspace, token)))) expect(answer.status).toBe(401);
    for (const token of tokens.slice(0, 3)) await exchange(workspace, token).expect(401);
    expect(signed.asked - before).toBe(1);
  });

  it.each(['down', 'slow', 'huge', 'redirects', 'no json', 'names another'] as const)(
    'when its key is new and the issuer is in this mood: %s; keys at hand stay good',
    async (mood) => {
      const known = await signed.token({ email: 'known@staff.example' });
      await later();
      signed.mood = mood;
      await exchange(workspace, await signed.token({}, { kid: 'new' })).expect(401);
      await exchange(workspace, known).expect(200);
      const [issuer] = await api.sql<{ iss_error: string | null }>('SELECT iss_error FROM issuer WHERE tenant_id = $1', [
        workspace.tenant_id,
      ]);
      expect(issuer!.iss_error).toEqual(expect.any(String));
    },
  );

  it('when the key set names a false algorithm of a key', async () => {
    const lying = await api.workspace();
    signed.mood = 'lies about alg';
    await trust(lying, { iss_provision: 'create' });
    await exchange(lying, await signed.token({ email: 'known@staff.example' })).expect(401);
  });

  it('when the keys at hand are older than a day and no new ones can be had', async () => {
    const token = await signed.token({ email: 'known@staff.example' });
    await exchange(workspace, token).expect(200);
    await later();
    await api.sql(`UPDATE issuer_keys SET ik_fetched_at = now() - interval '25 hours' WHERE tenant_id = $1`, [workspace.tenant_id]);
    signed.mood = 'down';
    await exchange(workspace, token).expect(401);
    signed.mood = 'well';
    await later();
    await exchange(workspace, token).expect(200);
  });
});

describe('who is let in', () => {
  it('follows a rotated key at once, and works with every kind of key', async () => {
    const workspace = await api.workspace();
    await trust(workspace, { iss_provision: 'create', iss_algorithms: ['RS256', 'PS256', 'ES256', 'ES384', 'EdDSA'] });
    for (const alg of ['RS256', 'PS256', 'ES256', 'ES384', 'EdDSA']) {
      await signed.rotate(alg);
      await later();
      const tokens = await Promise.all([1, 2, 3].map(() => signed.token({ email: 'ada@staff.example' })));
      expect((await Promise.all(tokens.map((token) => exchange(workspace, token)))).map((answer) => answer.status)).toEqual([
        200, 200, 200,
      ]);
    }
    await signed.rotate();
  });

  it('with `link`: members by their address, once, then by their subject; nobody else', async () => {
    const workspace = await api.workspace();
    await trust(workspace);
    const email = `known@staff.example`;
    const { user_id } = await api.provisioner.addUser(workspace.tenant_id, { user_email: email, user_name: 'Known' }, ['editor']);
    const linked = await exchange(workspace, await signed.token({ sub: 's-1', email: 'Known@Staff.Example' })).expect(200);
    expect(linked.body.user.user_id).toBe(user_id);
    const renamed = await exchange(workspace, await signed.token({ sub: 's-1', email: undefined })).expect(200);
    expect(renamed.body.user.user_id).toBe(user_id);
    const stranger = await exchange(workspace, await signed.token({ sub: 's-2', email: 'nobody@staff.example' })).expect(403);
    expect(stranger.body.code).toBe('tenant_forbidden');
  });

  it('with `none`: only people who were linked before', async () => {
    const workspace = await api.workspace();
    const { iss_id } = await trust(workspace);
    await api.provisioner.addUser(workspace.tenant_id, { user_email: 'early@staff.example', user_name: 'Early' }, ['viewer']);
    await api.provisioner.addUser(workspace.tenant_id, { user_email: 'late@staff.example', user_name: 'Late' }, ['viewer']);
    await exchange(workspace, await signed.token({ sub: 'early', email: 'early@staff.example' })).expect(200);
    await workspace.owner.client.patch(`/admin/issuers/${iss_id}`, { iss_provision: 'none' }).expect(200);
    await exchange(workspace, await signed.token({ sub: 'early' })).expect(200);
    expect((await exchange(workspace, await signed.token({ sub: 'late', email: 'late@staff.example' })).expect(403)).body.code).toBe(
      'tenant_forbidden',
    );
  });

  it('who was invited joins, and the link is spent', async () => {
    const workspace = await api.workspace();
    await trust(workspace);
    const { body } = await invited(workspace, 'guest@staff.example');
    const joined = await exchange(workspace, await signed.token({ sub: 'guest', email: 'guest@staff.example' })).expect(200);
    expect(joined.body.user.user_id).toBe(body.user_id);
    await api.stranger.get(`/auth/invitations/${tokenIn(body.invite_url)}`).expect(410);
    const events = await api.sql(`SELECT FROM outbox WHERE tenant_id = $1 AND ev_name = 'user.joined' AND ev_subject = $2`, [
      workspace.tenant_id,
      body.user_id,
    ]);
    expect(events).toHaveLength(1);
  });

  it('suspended and removed members are not, nor anybody while the workspace is suspended', async () => {
    const workspace = await api.workspace();
    await trust(workspace, { iss_provision: 'create' });
    const token = await signed.token({ sub: 'eve', email: 'eve@staff.example' });
    const { body } = await exchange(workspace, token).expect(200);
    for (const status of ['suspended', 'removed']) {
      await api.sql('UPDATE workspace_user SET user_status = $3 WHERE tenant_id = $1 AND user_id = $2', [
        workspace.tenant_id,
        body.user.user_id,
        status,
      ]);
      expect((await exchange(workspace, token).expect(403)).body.code).toBe('tenant_forbidden');
      await exchange(workspace, await signed.token({ sub: 'eve-again', email: 'eve@staff.example' })).expect(403);
    }
    await api.sql(`UPDATE workspace_user SET user_status = 'active' WHERE tenant_id = $1 AND user_id = $2`, [
      workspace.tenant_id,
      body.user.user_id,
    ]);
    await api.sql(`UPDATE workspace SET ws_status = 'suspended' WHERE tenant_id = $1`, [workspace.tenant_id]);
    expect((await exchange(workspace, token).expect(403)).body.detail).toContain('suspended');
  });

  it('takes no more than the seats there are, also at once', async () => {
    const workspace = await api.workspace();
    await trust(workspace, { iss_provision: 'create' });
    await api.sql('UPDATE workspace SET ws_seat_limit = 3 WHERE tenant_id = $1', [workspace.tenant_id]);
    const tokens = await Promise.all(Array.from({ length: 6 }, (_, i) => signed.token({ sub: `p${i}`, email: `p${i}@staff.example` })));
    const answers = await Promise.all(tokens.map((token) => exchange(workspace, token)));
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, 200, 409, 409, 409, 409]);
    expect(answers.find((answer) => answer.status === 409)?.body.code).toBe('limit_reached');
  });

  it('one person who comes many times at once is one member', async () => {
    const workspace = await api.workspace();
    await trust(workspace, { iss_provision: 'create' });
    const token = await signed.token({ sub: 'twin', email: 'twin@staff.example' });
    const answers = await Promise.all(Array.from({ length: 6 }, () => exchange(workspace, token)));
    expect(answers.map((answer) => answer.status)).toEqual(Array(6).fill(200));
    expect(new Set(answers.map((answer) => answer.body.user.user_id)).size).toBe(1);
  });

  it('keeps to the domains that the workspace allows', async () => {
    const workspace = await api.workspace();
    await trust(workspace, { iss_provision: 'create' });
    await workspace.owner.client.patch('/admin/settings', { ws_security: { allowed_email_domains: ['other.example'] } }).expect(200);
    await exchange(workspace, await signed.token({ sub: 'x', email: 'x@staff.example' })).expect(403);
  });
});

describe('roles that a map names', () => {
  it('come and go with every sign-in; others stay, and the last owner stays one', async () => {
    const workspace = await api.workspace();
    const [editor, contributor, owner] = await Promise.all(['editor', 'contributor', 'owner'].map((key) => roleOf(workspace, key)));
    await trust(workspace, {
      iss_provision: 'create',
      iss_domains: ['staff.example', `${workspace.slug}.example`],
      iss_claims: { roles: 'groups' },
      iss_role_map: [
        { value: 'press', role_id: editor },
        { value: 'trainee', role_id: contributor },
        { value: 'boss', role_id: owner },
      ],
    });
    const as = async (groups: unknown) =>
      rolesOf(
        workspace,
        (await exchange(workspace, await signed.token({ sub: 'kim', email: 'kim@staff.example', groups })).expect(200)).body,
      );
    expect(await as(['press', 'trainee', 'else'])).toEqual(['contributor', 'editor']);
    const [kim] = await api.sql<{ user_id: string }>(
      `SELECT user_id FROM workspace_user WHERE tenant_id = $1 AND user_email = 'kim@staff.example'`,
      [workspace.tenant_id],
    );
    await api.sql('INSERT INTO user_role_link (tenant_id, user_id, role_id) VALUES ($1, $2, $3)', [
      workspace.tenant_id,
      kim!.user_id,
      await roleOf(workspace, 'viewer'),
    ]);
    expect(await as('press')).toEqual(['editor', 'viewer']);
    expect(await as(undefined)).toEqual(['viewer']);
    expect(await as({ press: true })).toEqual(['viewer']);
    const changes = await api.sql(
      `SELECT aud_before, aud_after FROM audit_event WHERE tenant_id = $1 AND aud_type = 'user.updated' AND aud_target_id = $2`,
      [workspace.tenant_id, kim!.user_id],
    );
    expect(changes).toHaveLength(2);
    const lastOwner = await exchange(
      workspace,
      await signed.token({ sub: 'owner', email: workspace.owner.email, groups: ['press'] }),
    ).expect(200);
    expect(await rolesOf(workspace, lastOwner.body)).toEqual(['editor', 'owner']);
  });
});

describe('an issuer is trusted no further than who set it up', () => {
  it('nobody comes in through it who may more', async () => {
    const workspace = await api.workspace();
    const admin = await workspace.member('admin');
    await admin.client
      .post('/admin/issuers', {
        iss_name: 'Mine',
        iss_issuer: signed.issuer,
        iss_audiences: ['atrium'],
        iss_domains: [`${workspace.slug}.example`],
        iss_provision: 'create',
      })
      .expect(201);
    const asOwner = await exchange(workspace, await signed.token({ sub: 'me', email: workspace.owner.email })).expect(403);
    expect(asOwner.body).toMatchObject({ code: 'tenant_forbidden', detail: expect.stringContaining('cannot sign in people') });
    await exchange(workspace, await signed.token({ sub: 'admin', email: admin.email })).expect(200);
  });

  it('nor after a lesser administrator has pointed it elsewhere', async () => {
    const workspace = await api.workspace();
    const { iss_id } = await trust(workspace, { iss_domains: [`${workspace.slug}.example`] });
    const token = await signed.token({ sub: 'owner', email: workspace.owner.email });
    await exchange(workspace, token).expect(200);
    const admin = await workspace.member('admin');
    await admin.client.patch(`/admin/issuers/${iss_id}`, { iss_jwks_url: `${signed.issuer}/jwks` }).expect(200);
    await exchange(workspace, token).expect(403);
    await workspace.owner.client.patch(`/admin/issuers/${iss_id}`, { iss_jwks_url: null }).expect(200);
    await exchange(workspace, token).expect(200);
  });
});

describe('a session that an issuer vouched for', () => {
  it('opens the workspace of the issuer and no other, also after a refresh', async () => {
    const workspace = await api.workspace();
    const other = await api.workspace();
    const email = 'both@staff.example';
    for (const { tenant_id } of [workspace, other])
      await api.provisioner.addUser(tenant_id, { user_email: email, user_name: 'Both', password: TEST_PASSWORD }, ['editor']);
    await trust(workspace);
    const { body } = await exchange(workspace, await signed.token({ sub: 'both', email })).expect(200);
    expect(body.workspaces.map((one: { ws_id: string }) => one.ws_id)).toEqual([workspace.tenant_id]);
    await bearing(api, body.access_token, workspace.tenant_id).get('/me').expect(200);
    expect((await bearing(api, body.access_token, other.tenant_id).get('/me').expect(403)).body.code).toBe('tenant_forbidden');
    const refreshed = await api.stranger.post('/auth/refresh', { refresh_token: body.refresh_token }).expect(200);
    expect(refreshed.body.workspaces.map((one: { ws_id: string }) => one.ws_id)).toEqual([workspace.tenant_id]);
    await bearing(api, refreshed.body.access_token, other.tenant_id).get('/me').expect(403);
    const seen = await bearing(api, refreshed.body.access_token, workspace.tenant_id)
      .without('X-Tenant-Id')
      .get('/auth/workspaces')
      .expect(200);
    expect(seen.body.data.map((one: { ws_id: string }) => one.ws_id)).toEqual([workspace.tenant_id]);
  });

  it('changes nothing of how the person signs in elsewhere, and sees no session but itself', async () => {
    const workspace = await api.workspace();
    const email = 'careful@staff.example';
    await api.provisioner.addUser(workspace.tenant_id, { user_email: email, user_name: 'Careful', password: TEST_PASSWORD }, ['editor']);
    const own = await signIn(api, email);
    await trust(workspace);
    const { body } = await exchange(workspace, await signed.token({ sub: 'careful', email })).expect(200);
    const client = bearing(api, body.access_token, workspace.tenant_id);
    for (const change of [
      client.post('/me/mfa/totp'),
      client.post('/me/password', { current_password: TEST_PASSWORD, password: 'entirely another passphrase' }),
    ]) {
      expect((await change.expect(403)).body.code).toBe('permission_denied');
    }
    const sessions = await client.get('/me/sessions').expect(200);
    expect(sessions.body.data).toEqual([expect.objectContaining({ ses_current: true, ses_methods: ['ext'] })]);
    expect((await client.delete('/me/sessions').expect(200)).body).toEqual({ revoked: 0 });
    await bearing(api, own.access_token, workspace.tenant_id).get('/me').expect(200);
  });

  it('ends with the issuer, at the next request', async () => {
    const workspace = await api.workspace();
    const { iss_id } = await trust(workspace, { iss_provision: 'create' });
    const enter = async () =>
      bearing(
        api,
        (await exchange(workspace, await signed.token({ sub: 'leo', email: 'leo@staff.example' })).expect(200)).body.access_token,
        workspace.tenant_id,
      );
    const first = await enter();
    await workspace.owner.client.patch(`/admin/issuers/${iss_id}`, { iss_active: false }).expect(200);
    await first.get('/me').expect(401);
    await exchange(workspace, await signed.token({ sub: 'leo', email: 'leo@staff.example' })).expect(401);
    await workspace.owner.client.patch(`/admin/issuers/${iss_id}`, { iss_active: true }).expect(200);
    const second = await enter();
    await second.get('/me').expect(200);
    await workspace.owner.client.delete(`/admin/issuers/${iss_id}`).expect(204);
    await second.get('/me').expect(401);
    await exchange(workspace, await signed.token({ sub: 'leo', email: 'leo@staff.example' })).expect(401);
    const [leo] = await api.sql(
      `SELECT user_status, user_issuer FROM workspace_user WHERE tenant_id = $1 AND user_email = 'leo@staff.example'`,
      [workspace.tenant_id],
    );
    expect(leo).toEqual({ user_status: 'active', user_issuer: null });
  });

  it('is good where the workspace takes no passwords', async () => {
    const workspace = await api.workspace();
    await trust(workspace, { iss_provision: 'create' });
    await workspace.owner.client.patch('/admin/settings', { ws_security: { password_login: false, require_mfa: true } }).expect(200);
    const { body } = await exchange(workspace, await signed.token({ sub: 'zoe', email: 'zoe@staff.example' })).expect(200);
    await bearing(api, body.access_token, workspace.tenant_id).get('/me/api-keys').expect(200);
  });
});
