import { newId } from '@atrium/platform/kernel';
import { TEST_PASSWORD, type Client, type RunningApi, type TestWorkspace } from '@atrium/platform/testing';
import { URI, type TOTP } from 'otpauth';
import type { Response } from 'supertest';
import { startAtrium } from '../support/api';
import { bearing, signedInMember, type Tokens } from './signing-in';

let api: RunningApi;
let workspace: TestWorkspace;

beforeAll(async () => {
  api = await startAtrium({ TRUSTED_PROXIES: '127.0.0.1' });
  workspace = await api.workspace();
});
afterAll(() => api.close());

interface Enrolled {
  readonly user_id: string;
  readonly email: string;
  readonly client: Client;
  readonly authenticator: TOTP;
  readonly recovery: string[];
  readonly tenant_id: string;
}

interface Step {
  readonly mfa_required: boolean;
  readonly mfa_token: string;
  readonly expires_in: number;
  readonly mfa_methods: string[];
}

/** Codes of now and of the next half minute: both are taken, each once. */
const codeOf = (authenticator: TOTP, stepsAhead = 0): string => authenticator.generate({ timestamp: Date.now() + stepsAhead * 30_000 });
const firstStep = async (email: string): Promise<Step> =>
  (await api.stranger.post('/auth/login', { email, password: TEST_PASSWORD }).expect(200)).body as Step;
const secondStep = (mfa_token: string, code: string): PromiseLike<Response> => api.stranger.post('/auth/mfa', { mfa_token, code });
const security = (tenant_id: string, rules: object): Promise<object[]> =>
  api.sql('UPDATE workspace SET ws_security = ws_security || $2::jsonb WHERE tenant_id = $1', [tenant_id, JSON.stringify(rules)]);

async function begin(client: Client): Promise<TOTP> {
  const { secret, otpauth_uri } = (await client.post('/me/mfa/totp').expect(200)).body as { secret: string; otpauth_uri: string };
  const authenticator = URI.parse(otpauth_uri) as TOTP;
  expect(authenticator.secret.base32).toBe(secret);
  return authenticator;
}

async function enrolled(home = workspace): Promise<Enrolled> {
  const { user_id, email, client } = await signedInMember(api, home, 'viewer');
  const authenticator = await begin(client);
  const recovery = (await client.post('/me/mfa/totp/verify', { code: codeOf(authenticator) }).expect(200)).body.recovery_codes as string[];
  return { user_id, email, client, authenticator, recovery, tenant_id: home.tenant_id };
}

describe('a workspace that demands a second factor', () => {
  it('[identity 19] shuts password sessions out with a hint; enrolled, a code opens it once, and a recovery code once', async () => {
    const home = await api.workspace();
    const { client, email } = await signedInMember(api, home, 'viewer');
    await client.get('/roles').expect(200);
    await security(home.tenant_id, { require_mfa: true });
    const refused = await client.get('/roles').expect(403);
    expect(refused.body).toMatchObject({ code: 'permission_denied', detail: expect.stringContaining('POST /me/mfa/totp') });
    await client.get('/me').expect(200);
    const authenticator = await begin(client);
    const { recovery_codes } = (await client.post('/me/mfa/totp/verify', { code: codeOf(authenticator) }).expect(200)).body as {
      recovery_codes: string[];
    };
    expect(recovery_codes).toHaveLength(10);
    expect((await client.get('/roles').expect(403)).body.detail).toContain('sign in again with a code');

    const step = await firstStep(email);
    expect(step).toEqual({ mfa_required: true, mfa_token: expect.any(String), expires_in: 300, mfa_methods: ['totp', 'recovery_code'] });
    const code = codeOf(authenticator);
    const tokens = (await secondStep(step.mfa_token, code)).body as Tokens;
    const inside = bearing(api, tokens.access_token, home.tenant_id);
    await inside.get('/roles').expect(200);
    expect((await inside.get('/me').expect(200)).body.session.ses_methods).toEqual(['pwd', 'otp']);

    expect((await secondStep((await firstStep(email)).mfa_token, code)).status).toBe(401);
    const [recovery = ''] = recovery_codes;
    expect((await secondStep((await firstStep(email)).mfa_token, recovery)).status).toBe(200);
    expect((await secondStep((await firstStep(email)).mfa_token, recovery)).status).toBe(401);
  });

  it('takes keys as before: they have no second factor', async () => {
    const home = await api.workspace();
    const member = await home.member('viewer');
    await security(home.tenant_id, { require_mfa: true });
    await member.client.get('/roles').expect(200);
  });

  it('does not let the factor be taken away', async () => {
    const home = await api.workspace();
    const { client, authenticator } = await enrolled(home);
    await security(home.tenant_id, { require_mfa: true });
    expect((await client.delete('/me/mfa/totp', { code: codeOf(authenticator) }).expect(409)).body.code).toBe('invalid_state');
  });
});

describe('enrolling', () => {
  it('counts once a code was shown; until then the password alone opens', async () => {
    const { client, email } = await signedInMember(api, workspace, 'viewer');
    const authenticator = await begin(client);
    expect(await firstStep(email)).not.toHaveProperty('mfa_required');
    expect((await client.post('/me/mfa/totp/verify', { code: '000000' })).status).toBe(401);
    expect(await firstStep(email)).not.toHaveProperty('mfa_required');
    await client.post('/me/mfa/totp/verify', { code: codeOf(authenticator) }).expect(200);
    expect(await firstStep(email)).toMatchObject({ mfa_required: true });
  });

  it('again takes the place of an enrolment under way, and is refused once one is done', async () => {
    const { client } = await signedInMember(api, workspace, 'viewer');
    const former = await begin(client);
    const authenticator = await begin(client);
    await client.post('/me/mfa/totp/verify', { code: codeOf(former) }).expect(401);
    await client.post('/me/mfa/totp/verify', { code: codeOf(authenticator) }).expect(200);
    expect((await client.post('/me/mfa/totp').expect(409)).body.code).toBe('invalid_state');
    expect((await client.post('/me/mfa/totp/verify', { code: codeOf(authenticator) }).expect(409)).body.code).toBe('invalid_state');
  });

  it('ends after ten minutes', async () => {
    const { client, user_id } = await signedInMember(api, workspace, 'viewer');
    const authenticator = await begin(client);
    await api.sql('UPDATE account SET acc_totp_pending_until = now() WHERE acc_id = $1', [user_id]);
    await client.post('/me/mfa/totp/verify', { code: codeOf(authenticator) }).expect(409);
  });

  it('keeps the secret sealed, the recovery codes as hashes, and shows the membership', async () => {
    const { user_id, authenticator, recovery } = await enrolled();
    const [row] = await api.sql<{ account: string; user_mfa: boolean }>(
      'SELECT a::text AS account, u.user_mfa FROM account a JOIN workspace_user u ON u.user_id = a.acc_id WHERE acc_id = $1',
      [user_id],
    );
    expect(row!.user_mfa).toBe(true);
    for (const secret of [authenticator.secret.base32, ...recovery, ...recovery.map((code) => code.replace('-', ''))])
      expect(row!.account).not.toContain(secret);
  });

  it('is shown where the person joins later', async () => {
    const { user_id, email } = await enrolled();
    const other = await api.workspace();
    await api.provisioner.addUser(other.tenant_id, { user_email: email, user_name: 'Guest' }, ['viewer']);
    const rows = await api.sql<{ user_mfa: boolean }>('SELECT user_mfa FROM workspace_user WHERE user_id = $1', [user_id]);
    expect(rows.map(({ user_mfa }) => user_mfa)).toEqual([true, true]);
  });

  it('needs a session: a key is refused, a sign-in of long ago must be proved again', async () => {
    const member = await signedInMember(api, workspace, 'viewer');
    const { client } = await api.memberWithKey(workspace.tenant_id, member.user_id, member.email);
    for (const path of ['/me/mfa/totp', '/me/mfa/recovery-codes'])
      expect((await client.post(path).expect(403)).body.code).toBe('permission_denied');
    expect((await client.delete('/me/mfa/totp', { code: '123456' }).expect(403)).body.code).toBe('permission_denied');
    await member.client.post('/me/mfa/recovery-codes').expect(409);
    await member.client.delete('/me/mfa/totp', { code: '123456' }).expect(204);
  });
});

describe('the second step', () => {
  it('ends after five wrong codes, even for the right one', async () => {
    const { email, authenticator } = await enrolled();
    const { mfa_token } = await firstStep(email);
    for (const code of ['000000', '111111', '222222', '333333', 'ABCDE-FGHJK'])
      expect((await secondStep(mfa_token, code)).status).toBe(401);
    expect((await secondStep(mfa_token, codeOf(authenticator))).status).toBe(401);
    expect((await secondStep((await firstStep(email)).mfa_token, codeOf(authenticator))).status).toBe(200);
  });

  it('ends after five minutes, and after the first success', async () => {
    const { email, authenticator, user_id, recovery } = await enrolled();
    const late = await firstStep(email);
    await api.sql(`UPDATE account_token SET tok_expires_at = now() WHERE acc_id = $1 AND tok_kind = 'mfa'`, [user_id]);
    expect((await secondStep(late.mfa_token, codeOf(authenticator))).status).toBe(401);
    const { mfa_token } = await firstStep(email);
    expect((await secondStep(mfa_token, codeOf(authenticator))).status).toBe(200);
    expect((await secondStep(mfa_token, recovery[0] ?? '')).status).toBe(401);
  });

  it('takes one of two requests with the same code', async () => {
    const { email, authenticator, recovery } = await enrolled();
    for (const code of [codeOf(authenticator), recovery[0] ?? '']) {
      const steps = await Promise.all([firstStep(email), firstStep(email)]);
      const answers = await Promise.all(steps.map(({ mfa_token }) => secondStep(mfa_token, code)));
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 401]);
    }
  });

  it('is no access token, and an access token is no second step', async () => {
    const { email, client, authenticator, tenant_id } = await enrolled();
    const { mfa_token } = await firstStep(email);
    await bearing(api, mfa_token, tenant_id).get('/me').expect(401);
    const bearer = client.headers.Authorization ?? '';
    expect((await secondStep(bearer.slice(7, 500), codeOf(authenticator))).status).toBe(401);
  });

  it('is void once the password has changed', async () => {
    const { email, authenticator, client } = await enrolled();
    const { mfa_token } = await firstStep(email);
    await client.post('/me/password', { current_password: TEST_PASSWORD, password: 'three herons on a rusty bridge' }).expect(204);
    expect((await secondStep(mfa_token, codeOf(authenticator))).status).toBe(401);
  });

  it('counts wrong codes of an account over a day', async () => {
    const { email, authenticator, user_id } = await enrolled();
    for (let round = 0; round < 10; round++) {
      const { mfa_token } = await firstStep(email);
      for (let i = 0; i < 5; i++) await secondStep(mfa_token, '000000');
    }
    // A caller who tries codes has the password; strangers without it lock no one out of this step.
    const { mfa_token } = await firstStep(email);
    const answer = await secondStep(mfa_token, codeOf(authenticator));
    expect(answer.status).toBe(429);
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(23 * 3_600);
    expect(await api.sql('SELECT 1 FROM account_session WHERE acc_id = $1 AND ses_methods = $2', [user_id, ['pwd', 'otp']])).toEqual([]);
  });

  it('refuses bodies that are none with 400', async () => {
    const refused = await api.stranger.post('/auth/mfa', { mfa_token: 'x', code: '1' }).expect(400);
    expect(refused.body.errors).toMatchObject([{ path: 'code' }]);
    for (const token of ['x', newId(), "' OR 1=1 --"]) expect((await secondStep(token, '123456')).status).toBe(401);
  });
});

describe('taking the factor away', () => {
  it('needs a code that was not used; then the password alone opens again', async () => {
    const { client, authenticator, email } = await enrolled();
    const code = codeOf(authenticator);
    expect((await secondStep((await firstStep(email)).mfa_token, code)).status).toBe(200);
    await client.delete('/me/mfa/totp', { code }).expect(401);
    await client.delete('/me/mfa/totp', { code: '000000' }).expect(401);
    await client.delete('/me/mfa/totp', { code: codeOf(authenticator, 1) }).expect(204);
    await client.delete('/me/mfa/totp', { code: codeOf(authenticator, 1) }).expect(204);
    expect(await firstStep(email)).not.toHaveProperty('mfa_required');
  });

  it('takes a recovery code too, and new recovery codes end the old ones', async () => {
    const { client, recovery } = await enrolled();
    const renewed = (await client.post('/me/mfa/recovery-codes').expect(200)).body.recovery_codes as string[];
    expect(new Set([...renewed, ...recovery]).size).toBe(20);
    await client.delete('/me/mfa/totp', { code: recovery[0] }).expect(401);
    await client.delete('/me/mfa/totp', { code: renewed[0] }).expect(204);
  });

  it('is audited like enrolling', async () => {
    const { client, recovery, user_id, tenant_id } = await enrolled();
    await client.delete('/me/mfa/totp', { code: recovery[0] }).expect(204);
    const rows = await api.sql<{ aud_type: string; aud_actor: string }>(
      'SELECT aud_type, aud_actor FROM audit_event WHERE tenant_id = $1 AND aud_target_id = $2 ORDER BY aud_timestamp',
      [tenant_id, user_id],
    );
    expect(rows).toEqual([
      { aud_type: 'account.mfa_enabled', aud_actor: user_id },
      { aud_type: 'account.mfa_disabled', aud_actor: user_id },
    ]);
  });
});
