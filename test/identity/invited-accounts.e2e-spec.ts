import { newId } from '@atrium/platform/kernel';
import { Client, TEST_PASSWORD, type RunningApi, type TestWorkspace } from '@atrium/platform/testing';
import { URI, type TOTP } from 'otpauth';
import type { Response } from 'supertest';
import { operatorOf, order } from '../support/operating';
import { sharedAtrium } from '../support/shared-atrium';
import { SignedIssuer } from './signed-issuer';
import { bearing, signedInMember, signIn, type Tokens } from './signing-in';

const PASSWORD = 'seven quiet herons over the delta';

interface Invited {
  readonly user_id: string;
  readonly user_email: string;
  readonly user_mfa: boolean;
  readonly user_session_count: number;
  readonly invite_url: string;
  readonly needs_sign_in: boolean;
}

let api: RunningApi;
/** Its administrator invites, and so holds the links. */
let ours: TestWorkspace;
/** Its people are invited. */
let theirs: TestWorkspace;

beforeAll(async () => {
  api = await sharedAtrium();
  ours = await api.workspace();
  theirs = await api.workspace();
});
afterAll(() => api.close());

const somebody = (): string => `${newId()}@people.example`;
const invite = async (user_email: string, workspace = ours): Promise<Invited> =>
  (await workspace.owner.client.post('/admin/users', { user_email, user_name: 'Ada', send_invite: false }).expect(201)).body as Invited;
const tokenOf = ({ invite_url }: Pick<Invited, 'invite_url'>): string => invite_url.split('/').at(-1)!;
const accept = (link: Pick<Invited, 'invite_url'>, body: object = {}, client: Client = api.stranger): PromiseLike<Response> =>
  client.post('/auth/invitations/accept', { token: tokenOf(link), ...body });
const statusOf = async (workspace: TestWorkspace, user_id: string): Promise<string> =>
  (
    await api.sql<{ user_status: string }>('SELECT user_status FROM workspace_user WHERE tenant_id = $1 AND user_id = $2', [
      workspace.tenant_id,
      user_id,
    ])
  )[0]!.user_status;
const bearer = (access_token: string): Client => new Client(api.url, { Authorization: `Bearer ${access_token}` });

async function enrol(client: Client): Promise<TOTP> {
  const { otpauth_uri } = (await client.post('/me/mfa/totp').expect(200)).body as { otpauth_uri: string };
  const authenticator = URI.parse(otpauth_uri) as TOTP;
  await client.post('/me/mfa/totp/verify', { code: authenticator.generate() }).expect(200);
  return authenticator;
}

describe('the link of an invitation, in the hands of the inviting member', () => {
  it('is no way into an account that has an owner: nothing of it changes, and its workspaces stay shut', async () => {
    const owner = await signedInMember(api, theirs, 'owner');
    const link = await invite(owner.email);
    expect(link).toMatchObject({ user_id: owner.user_id, needs_sign_in: true });
    expect((await api.stranger.get(`/auth/invitations/${tokenOf(link)}`).expect(200)).body).toMatchObject({
      needs_password: false,
      needs_sign_in: true,
    });
    for (const body of [{}, { password: PASSWORD }, { password: PASSWORD, user_name: 'Mallory' }]) {
      const { status, body: answer } = await accept(link, body);
      expect({ status, code: answer.code }).toEqual({ status: 401, code: 'unauthenticated' });
      expect(answer).not.toHaveProperty('access_token');
    }
    expect((await accept(link, { password: TEST_PASSWORD }, bearer((await signIn(api, ours.owner.email)).access_token))).status).toBe(403);
    expect(await statusOf(ours, owner.user_id)).toBe('invited');
    await owner.client.get('/me').expect(200);
    await signIn(api, owner.email);
  });

  it('takes an owner in by the password, and by the bearer of a session of theirs', async () => {
    const byPassword = await signedInMember(api, theirs, 'viewer');
    const { status, body } = await accept(await invite(byPassword.email), { password: TEST_PASSWORD });
    expect(status).toBe(200);
    expect((body as Tokens).workspaces.map(({ ws_id }) => ws_id).sort()).toEqual([ours.tenant_id, theirs.tenant_id].sort());

    const byBearer = await signedInMember(api, theirs, 'viewer');
    const joined = await accept(await invite(byBearer.email), {}, bearer(byBearer.tokens.access_token));
    expect(joined.status).toBe(200);
    expect(await statusOf(ours, byBearer.user_id)).toBe('active');
  });

  it('answers a bearer with a session of this workspace alone, no younger than the one it came with', async () => {
    const { email, tokens, user_id } = await signedInMember(api, theirs, 'viewer');
    await api.sql(`UPDATE account_session SET ses_created = now() - interval '20 minutes' WHERE acc_id = $1`, [user_id]);
    const { access_token } = (await accept(await invite(email), {}, bearer(tokens.access_token))).body as Tokens;
    const inside = bearing(api, access_token, ours.tenant_id);
    await inside.get('/me').expect(200);
    await bearing(api, access_token, theirs.tenant_id).get('/me').expect(403);
    await inside.post('/me/password', { current_password: TEST_PASSWORD, password: PASSWORD }).expect(401);
    const { body } = await bearer(access_token).get('/auth/workspaces').expect(200);
    expect((body as { data: { ws_id: string }[] }).data.map(({ ws_id }) => ws_id)).toEqual([ours.tenant_id]);
  });

  it('takes no bearer of a session that has ended', async () => {
    const { email, tokens, client, user_id } = await signedInMember(api, theirs, 'viewer');
    const link = await invite(email);
    await client.post('/auth/logout').expect(204);
    expect((await accept(link, {}, bearer(tokens.access_token))).status).toBe(401);
    expect(await statusOf(ours, user_id)).toBe('invited');
  });

  it('takes no bearer of a session that an issuer of another workspace vouched for', async () => {
    const issuer = await SignedIssuer.start();
    try {
      const trusting = await api.workspace();
      await trusting.owner.client
        .post('/admin/issuers', { iss_name: 'Ours', iss_issuer: issuer.issuer, iss_audiences: ['atrium'], iss_domains: ['people.example'] })
        .expect(201);
      const email = somebody();
      await api.provisioner.addUser(theirs.tenant_id, { user_email: email, user_name: 'Ada', password: TEST_PASSWORD }, ['owner']);
      await invite(email, trusting);
      const { body } = await api.stranger
        .post('/auth/exchange', { token: await issuer.token({ sub: newId(), email }), ws_id: trusting.tenant_id })
        .expect(200);
      const link = await invite(email);
      expect((await accept(link, {}, bearer((body as Tokens).access_token))).status).toBe(401);
      expect(await statusOf(ours, link.user_id)).toBe('invited');
    } finally {
      await issuer.stop();
    }
  });

  it('joins nothing before the code where a second factor is enrolled', async () => {
    const person = await signedInMember(api, theirs, 'viewer');
    const authenticator = await enrol(person.client);
    const { body } = await accept(await invite(person.email), { password: TEST_PASSWORD });
    expect(body).toMatchObject({ mfa_required: true });
    const { mfa_token } = body as { mfa_token: string };
    await api.stranger.post('/auth/mfa', { mfa_token, code: '000000' }).expect(401);
    expect(await statusOf(ours, person.user_id)).toBe('invited');
    const tokens = (await api.stranger.post('/auth/mfa', { mfa_token, code: authenticator.generate() }).expect(200)).body as Tokens;
    expect(await statusOf(ours, person.user_id)).toBe('active');
    await bearing(api, tokens.access_token, ours.tenant_id).get('/me').expect(200);
  });

  it('that was withdrawn while the code was awaited joins nothing', async () => {
    const person = await signedInMember(api, theirs, 'viewer');
    const authenticator = await enrol(person.client);
    const { mfa_token } = (await accept(await invite(person.email), { password: TEST_PASSWORD })).body as { mfa_token: string };
    await ours.owner.client.delete(`/admin/users/${person.user_id}/invite`).expect(204);
    await api.stranger.post('/auth/mfa', { mfa_token, code: authenticator.generate() }).expect(410);
    expect(await statusOf(ours, person.user_id)).toBe('removed');
  });

  it('shows the inviting member nothing of the account but that its owner must sign in', async () => {
    const person = await signedInMember(api, theirs, 'viewer');
    await enrol(person.client);
    const link = await invite(person.email);
    expect(link).toMatchObject({ user_mfa: false, user_session_count: 0 });
    expect((await ours.owner.client.get(`/admin/users/${person.user_id}`).expect(200)).body).toMatchObject({
      user_mfa: false,
      user_session_count: 0,
    });
    expect((await ours.owner.client.get(`/admin/users/${person.user_id}`)).body).not.toHaveProperty('needs_sign_in');
  });

  it('is no way to sign its person out elsewhere, nor to take the second factor', async () => {
    const person = await signedInMember(api, theirs, 'viewer');
    await invite(person.email);
    expect((await ours.owner.client.delete(`/admin/users/${person.user_id}/sessions`).expect(200)).body).toEqual({ revoked: 0 });
    const admin = bearing(api, (await signIn(api, ours.owner.email)).access_token, ours.tenant_id);
    await admin.delete(`/admin/users/${person.user_id}/mfa`).expect(409);
    await person.client.get('/me').expect(200);
  });

  it('signs its person out of the inviting workspace alone, once they have joined', async () => {
    const person = await signedInMember(api, theirs, 'viewer');
    await accept(await invite(person.email), { password: TEST_PASSWORD });
    const here = person.client.with({ 'X-Tenant-Id': ours.tenant_id });
    await here.get('/me').expect(200);
    expect((await ours.owner.client.delete(`/admin/users/${person.user_id}/sessions`).expect(200)).body).toEqual({ revoked: 2 });
    await here.get('/me').expect(401);
    await person.client.get('/me').expect(200);
    expect((await ours.owner.client.delete(`/admin/users/${person.user_id}/sessions`).expect(200)).body).toEqual({ revoked: 0 });
    await bearing(api, (await signIn(api, person.email)).access_token, ours.tenant_id)
      .get('/me')
      .expect(200);
  });

  it('makes a session of the inviting workspace where the account is nobody’s yet', async () => {
    const email = somebody();
    const [first, second] = [await invite(email), await invite(email, theirs)];
    expect([first.needs_sign_in, second.needs_sign_in]).toEqual([false, false]);
    const tokens = (await accept(first, { password: PASSWORD })).body as Tokens;
    expect(tokens.workspaces.map(({ ws_id }) => ws_id)).toEqual([ours.tenant_id]);
    await bearing(api, tokens.access_token, ours.tenant_id).get('/me').expect(200);
    // The account is somebody's now: the other link needs its password.
    expect((await accept(second, { password: `${PASSWORD}!` })).status).toBe(401);
    expect((await accept(second, { password: PASSWORD })).status).toBe(200);
    await bearing(api, tokens.access_token, theirs.tenant_id).get('/me').expect(403);
    await bearing(api, (await signIn(api, email, PASSWORD)).access_token, theirs.tenant_id)
      .get('/me')
      .expect(200);
  });

  it('of two workspaces at once makes the account one person’s', async () => {
    const email = somebody();
    const links = [await invite(email), await invite(email, theirs)];
    const answers = await Promise.all(links.map((link, i) => accept(link, { password: `${PASSWORD} ${i}` })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401]);
  });
});

describe('an account that nobody has proven', () => {
  it('is shown no invitation of other workspaces', async () => {
    const email = somebody();
    const { access_token } = (await accept(await invite(email), { password: PASSWORD })).body as Tokens;
    await invite(email, theirs);
    const seen = [
      (await bearer(access_token).get('/auth/workspaces').expect(200)).text,
      JSON.stringify(await signIn(api, email, PASSWORD)),
      (
        await bearer((await signIn(api, email, PASSWORD)).access_token)
          .get('/auth/workspaces')
          .expect(200)
      ).text,
    ];
    for (const text of seen) for (const secret of [theirs.tenant_id, theirs.slug]) expect(text).not.toContain(secret);
  });

  it('shows invitations to somebody an operator vouched for', async () => {
    const person = await signedInMember(api, theirs, 'viewer');
    await invite(person.email);
    const { body } = await bearer(person.tokens.access_token).get('/auth/workspaces').expect(200);
    expect((body as { data: { ws_id: string; user_status: string }[] }).data).toEqual(
      expect.arrayContaining([expect.objectContaining({ ws_id: ours.tenant_id, user_status: 'invited' })]),
    );
  });

  it.each([
    [
      'at the command line',
      (email: string, password: string) =>
        api.provisioner.addUser(theirs.tenant_id, { user_email: email, user_name: 'Ada', password }, ['owner']),
    ],
    [
      'with a workspace',
      (email: string, password: string) =>
        operatorOf(api)
          .post('/workspaces', order({ owner: { user_email: email, user_name: 'Ada', password } }))
          .expect(201),
    ],
  ])('gives way to the person an operator makes it for %s', async (_, make) => {
    const email = somebody();
    const stranger = (await accept(await invite(email), { password: PASSWORD })).body as Tokens;
    const inside = bearing(api, stranger.access_token, ours.tenant_id);
    const { key_secret } = (await inside.post('/me/api-keys', { key_name: 'lasting' }).expect(201)).body as { key_secret: string };
    await make(email, 'three herons on a rusty bridge');
    await inside.get('/me').expect(401);
    await new Client(api.url, { 'X-Api-Key': key_secret, 'X-Tenant-Id': ours.tenant_id }).get('/me').expect(401);
    await api.stranger.post('/auth/login', { email, password: PASSWORD }).expect(401);
    await signIn(api, email, 'three herons on a rusty bridge');
  });
});
