import { newId } from '@atrium/platform/kernel';
import { Client, eventually, TEST_PASSWORD, type RunningApi, type TestWorkspace } from '@atrium/platform/testing';
import { URI, type TOTP } from 'otpauth';
import { startAtriumWithWorker } from '../support/api';
import { MailServer, type ReceivedMail } from './mail-server';
import { bearing, signedInMember, signIn, type Tokens } from './signing-in';

jest.setTimeout(60_000);

const STRONG = 'seven quiet herons over the delta';
const STRANGERS = 'the stranger chose these words';
const server = new MailServer();

let api: RunningApi;
let ours: TestWorkspace;
let theirs: TestWorkspace;

beforeAll(async () => {
  api = await startAtriumWithWorker({ SMTP_URL: await server.start(), APP_URL: 'https://app.example/', TRUSTED_PROXIES: '127.0.0.1' });
  ours = await api.workspace();
  theirs = await api.workspace();
});
afterAll(async () => {
  await api.close();
  await server.stop();
});

const somebody = (): string => `${newId()}@people.example`;
/** The token of the link to a page in the latest mail that has one. */
async function mailed(address: string, page: string, times = 1): Promise<string> {
  const tokens = (mails: readonly ReceivedMail[]): string[] =>
    mails.flatMap(({ mail }) => new RegExp(`https://app\\.example/${page}/([\\w-]+)`).exec(mail.text ?? '')?.[1] ?? []);
  return tokens(
    await eventually(
      () => Promise.resolve(server.to(address)),
      (mails) => tokens(mails).length >= times,
    ),
  ).at(-1)!;
}
async function resetToken(email: string): Promise<string> {
  const before = server.to(email).filter(({ mail }) => mail.text?.includes('/reset-password/')).length;
  await api.stranger.post('/auth/password/forgot', { email }).expect(202);
  return mailed(email, 'reset-password', before + 1);
}
const loginStatus = async (email: string, password: string): Promise<number> =>
  (await api.stranger.post('/auth/login', { email, password })).status;
const keyStatus = async (key_secret: string, tenant_id: string): Promise<number> =>
  (await new Client(api.url, { 'X-Api-Key': key_secret, 'X-Tenant-Id': tenant_id }).get('/me')).status;
const keyOf = async (client: Client): Promise<string> =>
  ((await client.post('/me/api-keys', { key_name: 'lasting' }).expect(201)).body as { key_secret: string }).key_secret;
const begin = async (client: Client): Promise<TOTP> =>
  URI.parse(((await client.post('/me/mfa/totp').expect(200)).body as { otpauth_uri: string }).otpauth_uri) as TOTP;
const enrol = async (client: Client): Promise<void> => {
  const authenticator = await begin(client);
  await client.post('/me/mfa/totp/verify', { code: authenticator.generate() }).expect(200);
};

/** An account that an intruder is in: with a session, a key, a change of address that waits, a factor that waits and another reset link. */
async function intruded(): Promise<{
  user_id: string;
  email: string;
  client: Client;
  key: string;
  wanted: string;
  confirmation: string;
  reset: string;
  pending: TOTP;
}> {
  const { user_id, email, client } = await signedInMember(api, ours, 'editor');
  const wanted = somebody();
  const key = await keyOf(client);
  await client.post('/me/email', { email: wanted, password: TEST_PASSWORD }).expect(202);
  return {
    user_id,
    email,
    client,
    key,
    wanted,
    confirmation: await mailed(wanted, 'confirm-email'),
    reset: await resetToken(email),
    pending: await begin(client),
  };
}

describe('a reset', () => {
  it('ends whatever was begun for the account, everywhere', async () => {
    const { user_id, email, client, key, confirmation, reset, pending } = await intruded();
    const step = await signedInMember(api, theirs, 'viewer');
    await api.stranger.post('/auth/password/reset', { token: await resetToken(email), password: STRONG }).expect(204);
    await client.get('/me').expect(401);
    await api.stranger.post('/auth/password/reset', { token: reset, password: STRANGERS }).expect(401);
    await api.stranger.post('/auth/email/confirm', { token: confirmation }).expect(401);
    expect(await keyStatus(key, ours.tenant_id)).toBe(401);
    const again = bearing(api, (await signIn(api, email, STRONG)).access_token, ours.tenant_id);
    await again.post('/me/mfa/totp/verify', { code: pending.generate() }).expect(409);
    expect(await api.sql('SELECT tok_kind FROM account_token WHERE acc_id = $1', [user_id])).toEqual([]);
    // Nobody else's.
    await step.client.get('/me').expect(200);
  });

  it('reports to each workspace the keys that ended, and leaves those of service users and of operators', async () => {
    const { user_id, email, client } = await signedInMember(api, ours, 'owner');
    const { client: operators } = await api.memberWithKey(ours.tenant_id, user_id, email);
    const { body: robot } = await client.post('/admin/users', { user_kind: 'service', user_name: 'Robot' }).expect(201);
    const { body: made } = await client
      .post('/admin/api-keys', { key_name: 'import', key_user: (robot as { user_id: string }).user_id })
      .expect(201);
    const own = await keyOf(client);
    await api.stranger.post('/auth/password/reset', { token: await resetToken(email), password: STRONG }).expect(204);
    expect([await keyStatus(own, ours.tenant_id), await keyStatus((made as { key_secret: string }).key_secret, ours.tenant_id)]).toEqual([
      401, 200,
    ]);
    await operators.get('/me').expect(200);
    expect(
      await api.sql(
        `SELECT ev_payload FROM outbox WHERE tenant_id = $1 AND ev_name = 'api_key.revoked' AND ev_payload ->> 'key_user' = $2`,
        [ours.tenant_id, user_id],
      ),
    ).toEqual([{ ev_payload: { key_user: user_id, key_revoke_reason: 'user' } }]);
  });
});

describe('an account that strangers have shut', () => {
  it('is opened by a reset', async () => {
    const { email } = await signedInMember(api, ours, 'viewer');
    const from = (address: string, password: string) =>
      api.stranger.with({ 'X-Forwarded-For': address }).post('/auth/login', { email, password });
    for (let i = 0; i < 50; i++) await from(`203.0.113.${i}`, STRANGERS).expect(401);
    await from('198.51.100.7', TEST_PASSWORD).expect(429);
    await api.stranger
      .with({ 'X-Forwarded-For': '198.51.100.7' })
      .post('/auth/password/reset', { token: await resetToken(email), password: STRONG })
      .expect(204);
    await from('198.51.100.7', STRONG).expect(200);
  });
});

describe('a new password', () => {
  it('ends a pending change of address, other links, other sessions and a factor that waits; keys on demand', async () => {
    const { email, client, key, confirmation, reset, pending } = await intruded();
    const owner = bearing(api, (await signIn(api, email)).access_token, ours.tenant_id);
    await owner.post('/me/password', { current_password: TEST_PASSWORD, password: STRONG }).expect(204);
    await client.get('/me').expect(401);
    await owner.get('/me').expect(200);
    await api.stranger.post('/auth/password/reset', { token: reset, password: STRANGERS }).expect(401);
    await api.stranger.post('/auth/email/confirm', { token: confirmation }).expect(401);
    await owner.post('/me/mfa/totp/verify', { code: pending.generate() }).expect(409);
    expect(await keyStatus(key, ours.tenant_id)).toBe(200);
    await owner.post('/me/password', { current_password: STRONG, password: `${STRONG} again`, revoke_keys: true }).expect(204);
    expect(await keyStatus(key, ours.tenant_id)).toBe(401);
  });

  it('ends a sign-in that waits for its code', async () => {
    const { email, client, user_id } = await signedInMember(api, ours, 'viewer');
    await enrol(client);
    const { mfa_token } = (await api.stranger.post('/auth/login', { email, password: TEST_PASSWORD }).expect(200)).body as {
      mfa_token: string;
    };
    await client.post('/me/password', { current_password: TEST_PASSWORD, password: STRONG }).expect(204);
    await api.stranger.post('/auth/mfa', { mfa_token, code: '123456' }).expect(401);
    expect(await api.sql('SELECT tok_kind FROM account_token WHERE acc_id = $1', [user_id])).toEqual([]);
  });
});

/** An intruder with the password moves the account to a mailbox of theirs. */
async function moved(): Promise<{ user_id: string; email: string; wanted: string; client: Client; undo: string }> {
  const { user_id, email, client } = await signedInMember(api, ours, 'editor');
  const wanted = somebody();
  await client.post('/me/email', { email: wanted, password: TEST_PASSWORD }).expect(202);
  await api.stranger.post('/auth/email/confirm', { token: await mailed(wanted, 'confirm-email') }).expect(204);
  return { user_id, email, wanted, client, undo: await mailed(email, 'undo-email') };
}
const undoing = (token: string, password = STRONG) => api.stranger.post('/auth/email/undo', { token, password });

describe('a change of address', () => {
  it('is reported to the former one, with a link that recovers the account once', async () => {
    const { user_id, email, wanted, client, undo } = await moved();
    expect(server.to(email).at(-1)!.mail.text).toContain(wanted);
    const key = await keyOf(client);
    await client.post('/me/password', { current_password: TEST_PASSWORD, password: STRANGERS }).expect(204);
    await enrol(client);
    const reset = await resetToken(wanted);
    expect(await loginStatus(email, TEST_PASSWORD)).toBe(401);

    await undoing(undo, 'password1234').expect(400);
    await undoing(undo).expect(204);
    await client.get('/me').expect(401);
    expect(await keyStatus(key, ours.tenant_id)).toBe(401);
    expect([await loginStatus(wanted, STRANGERS), await loginStatus(email, STRANGERS)]).toEqual([401, 401]);
    await api.stranger.post('/auth/password/reset', { token: reset, password: STRANGERS }).expect(401);
    // The factor was enrolled since the change, so no code is asked for.
    const { access_token } = await signIn(api, email, STRONG);
    expect((await bearing(api, access_token, ours.tenant_id).get('/me').expect(200)).body.user).toMatchObject({
      user_id,
      user_email: email,
    });
    await undoing(undo, `${STRONG} again`).expect(401);
    expect(
      await api.sql(`SELECT aud_before, aud_after FROM audit_event WHERE aud_type = 'account.email_restored' AND aud_target_id = $1`, [
        user_id,
      ]),
    ).toEqual([{ aud_before: { user_email: wanted }, aud_after: { user_email: email } }]);
  });

  it('keeps a second factor that was there before', async () => {
    const { email, client } = await signedInMember(api, ours, 'viewer');
    await enrol(client);
    const wanted = somebody();
    await client.post('/me/email', { email: wanted, password: TEST_PASSWORD }).expect(202);
    await api.stranger.post('/auth/email/confirm', { token: await mailed(wanted, 'confirm-email') }).expect(204);
    await undoing(await mailed(email, 'undo-email')).expect(204);
    expect((await api.stranger.post('/auth/login', { email, password: STRONG }).expect(200)).body).toMatchObject({ mfa_required: true });
  });

  it('is undone by its first owner after two of them, and by the second no more', async () => {
    const { email, wanted, client, undo } = await moved();
    const further = somebody();
    await client.post('/me/email', { email: further, password: TEST_PASSWORD }).expect(202);
    await api.stranger.post('/auth/email/confirm', { token: await mailed(further, 'confirm-email') }).expect(204);
    const between = await mailed(wanted, 'undo-email');
    await undoing(undo).expect(204);
    await undoing(between, STRANGERS).expect(401);
    expect([await loginStatus(email, STRONG), await loginStatus(further, STRONG)]).toEqual([200, 401]);
  });

  it('is undone although a stranger has an account made for the former address, which nobody proved', async () => {
    const { email, undo } = await moved();
    const { body } = await theirs.owner.client.post('/admin/users', { user_email: email, send_invite: false }).expect(201);
    const { invite_url, user_id } = body as { invite_url: string; user_id: string };
    const squatter = (
      await api.stranger.post('/auth/invitations/accept', { token: invite_url.split('/').at(-1), password: STRANGERS }).expect(200)
    ).body as Tokens;
    await undoing(undo).expect(204);
    await bearing(api, squatter.access_token, theirs.tenant_id).get('/me').expect(401);
    expect((await signIn(api, email, STRONG)).user.user_id).not.toBe(user_id);
  });

  it('is undone no more after seven days, nor with a link for something else', async () => {
    const { email, user_id, undo } = await moved();
    await undoing(
      await resetToken((await api.sql<{ acc_email: string }>('SELECT acc_email FROM account WHERE acc_id = $1', [user_id]))[0]!.acc_email),
    ).expect(401);
    const [token] = await api.sql<{ days: number }>(
      `SELECT round(extract(epoch FROM tok_expires_at - now()) / 86400)::int AS days FROM account_token WHERE acc_id = $1 AND tok_kind = 'undo'`,
      [user_id],
    );
    expect(token).toEqual({ days: 7 });
    await api.sql(`UPDATE account_token SET tok_expires_at = now() WHERE acc_id = $1 AND tok_kind = 'undo'`, [user_id]);
    await undoing(undo).expect(401);
    expect(await loginStatus(email, STRONG)).toBe(401);
  });

  it('does not happen unseen: somebody who has left every workspace in the meantime cannot complete it', async () => {
    const { email, client } = await signedInMember(api, ours, 'viewer');
    const wanted = somebody();
    await client.post('/me/email', { email: wanted, password: TEST_PASSWORD }).expect(202);
    const token = await mailed(wanted, 'confirm-email');
    await client.post('/me/leave').expect(204);
    await api.stranger.post('/auth/email/confirm', { token }).expect(409);
    expect(await loginStatus(email, TEST_PASSWORD)).toBe(200);
  });
});

/** An account that a stranger has made in advance, by an invitation of their own workspace whose link they hold. */
async function madeInAdvance(email = somebody()): Promise<{ user_id: string; email: string; stranger: Client; key: string }> {
  const { body } = await theirs.owner.client.post('/admin/users', { user_email: email, send_invite: false }).expect(201);
  const { invite_url, user_id } = body as { invite_url: string; user_id: string };
  const { access_token } = (
    await api.stranger.post('/auth/invitations/accept', { token: invite_url.split('/').at(-1), password: STRANGERS }).expect(200)
  ).body as Tokens;
  const stranger = bearing(api, access_token, theirs.tenant_id);
  return { user_id, email, stranger, key: await keyOf(stranger) };
}
const invited = async (email: string): Promise<string> => {
  await ours.owner.client.post('/admin/users', { user_email: email }).expect(201);
  return mailed(email, 'invitations');
};

describe('an account made in advance by a stranger', () => {
  it('is cleared when its mailbox follows an invitation that was mailed', async () => {
    const { user_id, email, stranger, key } = await madeInAdvance();
    await enrol(stranger);
    const token = await invited(email);
    expect((await api.stranger.get(`/auth/invitations/${token}`).expect(200)).body).toMatchObject({
      needs_password: true,
      needs_sign_in: false,
    });
    const tokens = (await api.stranger.post('/auth/invitations/accept', { token, password: STRONG }).expect(200)).body as Tokens;
    expect(tokens.user.user_id).toBe(user_id);
    await bearing(api, tokens.access_token, ours.tenant_id).get('/me').expect(200);
    await stranger.get('/me').expect(401);
    expect([await keyStatus(key, theirs.tenant_id), await loginStatus(email, STRANGERS)]).toEqual([401, 401]);
    // No code of the stranger's is asked for.
    await signIn(api, email, STRONG);
  });

  it('is cleared when its mailbox resets the password', async () => {
    const { email, stranger, key } = await madeInAdvance();
    await enrol(stranger);
    await api.stranger.post('/auth/password/reset', { token: await resetToken(email), password: STRONG }).expect(204);
    await stranger.get('/me').expect(401);
    expect([await keyStatus(key, theirs.tenant_id), await loginStatus(email, STRANGERS)]).toEqual([401, 401]);
    await signIn(api, email, STRONG);
  });

  it('stays as it is for somebody who has both the mailbox and its password', async () => {
    const { email, stranger, key } = await madeInAdvance();
    const token = await invited(email);
    await api.stranger.post('/auth/invitations/accept', { token, password: STRANGERS }).expect(200);
    await stranger.get('/me').expect(200);
    expect(await keyStatus(key, theirs.tenant_id)).toBe(200);
    // Proven now: nobody begins it afresh by a further link.
    const again = await api.workspace();
    await again.owner.client.post('/admin/users', { user_email: email }).expect(201);
    await api.stranger.post('/auth/invitations/accept', { token: await mailed(email, 'invitations', 2), password: STRONG }).expect(401);
  });

  it('cannot move to another address and take along what is meant for its mailbox', async () => {
    const { email, stranger } = await madeInAdvance();
    await invited(email);
    for (const wanted of [somebody(), email])
      expect((await stranger.post('/me/email', { email: wanted, password: STRANGERS }).expect(409)).body.code).toBe('invalid_state');
    expect(server.to(email).filter(({ mail }) => mail.text?.includes('confirm-email'))).toEqual([]);
  });

  it('gives its address up to an account that proves it', async () => {
    const { user_id, email, stranger } = await madeInAdvance();
    const token = await invited(email);
    const person = await signedInMember(api, ours, 'viewer');
    await person.client.post('/me/email', { email, password: TEST_PASSWORD }).expect(202);
    await api.stranger.post('/auth/email/confirm', { token: await mailed(email, 'confirm-email') }).expect(204);
    await stranger.get('/me').expect(401);
    expect((await signIn(api, email)).user.user_id).toBe(person.user_id);
    await api.stranger.post('/auth/invitations/accept', { token, password: STRANGERS }).expect(410);
    expect((await ours.owner.client.get(`/admin/users/${user_id}`).expect(200)).body).toMatchObject({
      user_status: 'removed',
      user_email: null,
    });
  });
});
