import { eventually, TEST_PASSWORD, type RunningApi, type TestWorkspace } from '@atrium/platform/testing';
import { startAtriumWithWorker } from '../support/api';
import { MailServer, type ReceivedMail } from './mail-server';
import { bearing, signedInMember, signIn, type Tokens } from './signing-in';

jest.setTimeout(60_000);

const STRONG = 'seven quiet herons over the delta';
const server = new MailServer();

let api: RunningApi;
let workspace: TestWorkspace;

beforeAll(async () => {
  api = await startAtriumWithWorker({ SMTP_URL: await server.start(), APP_URL: 'https://app.example/', TRUSTED_PROXIES: '127.0.0.1' });
  workspace = await api.workspace();
});
afterAll(async () => {
  await api.close();
  await server.stop();
});

const mailsTo = (address: string, atLeast = 1): Promise<ReceivedMail[]> =>
  eventually(
    () => Promise.resolve(server.to(address)),
    (mails) => mails.length >= atLeast,
  );
const tokenIn = ({ mail }: ReceivedMail, page: string): string =>
  new RegExp(`https://app\\.example/${page}/([\\w-]+)`).exec(mail.text ?? '')?.[1] ?? '';
const forgot = (email: string) => api.stranger.post('/auth/password/forgot', { email });
const reset = (token: string, password: string) => api.stranger.post('/auth/password/reset', { token, password });
const loginStatus = async (email: string, password: string): Promise<number> =>
  (await api.stranger.post('/auth/login', { email, password })).status;

async function resetToken(email: string): Promise<string> {
  const before = server.to(email).length;
  await forgot(email).expect(202);
  return tokenIn((await mailsTo(email, before + 1)).at(-1)!, 'reset-password');
}

describe('a forgotten password', () => {
  it('is set again by a mailed link, once; every session ends', async () => {
    const { email, client, tokens } = await signedInMember(api, workspace, 'viewer');
    const token = await resetToken(email.toUpperCase().toLowerCase());
    await client.get('/me').expect(200);
    await reset(token, STRONG).expect(204);
    await client.get('/me').expect(401);
    await api.stranger.post('/auth/refresh', { refresh_token: tokens.refresh_token }).expect(401);
    expect(await loginStatus(email, TEST_PASSWORD)).toBe(401);
    expect(await loginStatus(email, STRONG)).toBe(200);
    expect((await reset(token, `${STRONG}!`).expect(401)).body.code).toBe('unauthenticated');
  });

  it('is answered alike for everybody, and mailed to nobody who has no account', async () => {
    const { email, user_id } = await signedInMember(api, workspace, 'viewer');
    await api.sql(`UPDATE account SET acc_status = 'locked' WHERE acc_id = $1`, [user_id]);
    const answers = [
      await forgot('nobody@example.com').expect(202),
      await forgot(email).expect(202),
      await forgot(workspace.owner.email).expect(202),
    ];
    for (const { body } of answers) expect(body).toEqual({});
    await mailsTo(workspace.owner.email);
    expect([server.to('nobody@example.com'), server.to(email)]).toEqual([[], []]);
  });

  it('is set by one of two requests with one token', async () => {
    const { email } = await signedInMember(api, workspace, 'viewer');
    const token = await resetToken(email);
    const answers = await Promise.all([reset(token, `${STRONG} one`), reset(token, `${STRONG} two`)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 401]);
    const winner = answers[0].status === 204 ? 'one' : 'two';
    expect(await loginStatus(email, `${STRONG} ${winner}`)).toBe(200);
  });

  it('is not set with a token that has expired, was made up, or belongs to something else', async () => {
    const { email, user_id } = await signedInMember(api, workspace, 'viewer');
    const token = await resetToken(email);
    await api.sql(`UPDATE account_token SET tok_expires_at = now() WHERE acc_id = $1`, [user_id]);
    for (const wrong of [token, 'made-up', "' OR 1=1 --"]) await reset(wrong, STRONG).expect(401);
    await reset('', STRONG).expect(400);
    expect(await loginStatus(email, TEST_PASSWORD)).toBe(200);
  });

  it('keeps its link good while the new password is refused as weak', async () => {
    const { email } = await signedInMember(api, workspace, 'viewer');
    const token = await resetToken(email);
    for (const weak of ['password1234', 'aaaaaaaaaaaaaaaa', 'qwertyuiop12', email, `${workspace.slug}1`])
      expect((await reset(token, weak).expect(400)).body.errors[0].path).toBe('password');
    await reset(token, STRONG).expect(204);
  });

  it('sends at most five links an hour, which no table holds in the clear', async () => {
    const { email, user_id } = await signedInMember(api, workspace, 'viewer');
    for (let i = 0; i < 8; i++) await forgot(email).expect(202);
    await mailsTo(email, 5);
    expect(await api.sql(`SELECT 1 FROM account_token WHERE acc_id = $1`, [user_id])).toHaveLength(5);
    const tokens = server.to(email).map((mail) => tokenIn(mail, 'reset-password'));
    const rows = await api.sql<{ row: string }>(
      'SELECT account_token::text AS row FROM account_token UNION ALL SELECT ev_payload::text FROM outbox',
    );
    for (const { row } of rows) for (const token of tokens) expect(row).not.toContain(token);
  });
});

describe('a new password', () => {
  it('ends all other sessions and keeps the one that set it', async () => {
    const { email, client, user_id } = await signedInMember(api, workspace, 'viewer');
    const elsewhere = bearing(api, (await signIn(api, email)).access_token, workspace.tenant_id);
    await client.post('/me/password', { current_password: TEST_PASSWORD, password: STRONG }).expect(204);
    await client.get('/me').expect(200);
    await elsewhere.get('/me').expect(401);
    expect(await loginStatus(email, STRONG)).toBe(200);
    const rows = await api.sql(`SELECT aud_after FROM audit_event WHERE aud_type = 'account.password_changed' AND aud_actor = $1`, [
      user_id,
    ]);
    expect(rows).toEqual([{ aud_after: { password: '[set]' } }]);
  });

  it('needs the present one: wrong ones are 401 and slowed down like a sign-in', async () => {
    const { client } = await signedInMember(api, workspace, 'viewer');
    const attempt = (): PromiseLike<{ status: number }> =>
      client
        .with({ 'X-Forwarded-For': '198.51.100.40' })
        .post('/me/password', { current_password: 'not the right password', password: STRONG });
    const seen: number[] = [];
    for (let i = 0; i < 6; i++) seen.push((await attempt()).status);
    expect(seen).toEqual([401, 401, 401, 401, 401, 429]);
  });

  it('needs a session, and one of the last quarter of an hour', async () => {
    const { client, email, user_id, tokens } = await signedInMember(api, workspace, 'viewer');
    const key = await api.memberWithKey(workspace.tenant_id, user_id, email);
    await key.client.post('/me/password', { current_password: TEST_PASSWORD, password: STRONG }).expect(403);
    await api.sql(`UPDATE account_session SET ses_created = now() - interval '16 minutes' WHERE acc_id = $1`, [user_id]);
    const { access_token } = (await api.stranger.post('/auth/refresh', { refresh_token: tokens.refresh_token }).expect(200)).body as Tokens;
    const late = await bearing(api, access_token, workspace.tenant_id)
      .post('/me/password', { current_password: TEST_PASSWORD, password: STRONG })
      .expect(401);
    expect(late.headers['www-authenticate']).toContain('insufficient_user_authentication');
    await client.get('/me').expect(200);
  });

  it("is refused when it can be nobody's: short, long, weak, one's own name, control characters, broken surrogates", async () => {
    const { client } = await signedInMember(api, workspace, 'viewer');
    const wrong = ['short', 'x'.repeat(300), 'qwertyuiop12', `${STRONG}\u0000`, `${STRONG}\ud800`, `${STRONG}\n`];
    for (const password of wrong)
      expect({ password, status: (await client.post('/me/password', { current_password: TEST_PASSWORD, password })).status }).toEqual({
        password,
        status: 400,
      });
    for (const password of ['x'.repeat(300), `${STRONG}\u0000`, `${STRONG}\ud800`])
      await api.stranger.post('/auth/login', { email: workspace.owner.email, password }).expect(400);
    await api.stranger.post('/auth/login', { email: workspace.owner.email, password: 'x'.repeat(10_000_000) }).expect(413);
    await api.stranger.post('/auth/password/reset', { token: 'x', password: 'x'.repeat(10_000_000) }).expect(413);
  });

  it('fits however a keyboard writes it', async () => {
    const { client, email } = await signedInMember(api, workspace, 'viewer');
    const composed = 'sieben gr\u00fcne \u212bsen am See';
    await client.post('/me/password', { current_password: TEST_PASSWORD, password: composed }).expect(204);
    for (const form of ['NFC', 'NFD', 'NFKC', 'NFKD'] as const) expect(await loginStatus(email, composed.normalize(form))).toBe(200);
  });

  it('that was hashed with less work is hashed again at the next sign-in, and no session ends', async () => {
    const { hash } = await import('@node-rs/argon2');
    const { client, email, user_id } = await signedInMember(api, workspace, 'viewer');
    const weak = await hash(STRONG, { memoryCost: 512, timeCost: 2, parallelism: 1 });
    await api.sql('UPDATE account SET acc_password_hash = $2 WHERE acc_id = $1', [user_id, weak]);
    await client.get('/me').expect(200);
    expect(await loginStatus(email, 'not the right password')).toBe(401);
    const stored = async (): Promise<string> =>
      (await api.sql<{ acc_password_hash: string }>('SELECT acc_password_hash FROM account WHERE acc_id = $1', [user_id]))[0]!
        .acc_password_hash;
    expect(await stored()).toBe(weak);
    expect(await loginStatus(email, STRONG)).toBe(200);
    expect(await stored()).toContain('m=1024,t=3,p=1');
    expect(await loginStatus(email, STRONG)).toBe(200);
    await client.get('/me').expect(200);
  });
});

describe('another e-mail address', () => {
  it('holds in the account and every membership once it has answered', async () => {
    const other = await api.workspace();
    const { client, email, user_id } = await signedInMember(api, workspace, 'viewer');
    await api.provisioner.addUser(other.tenant_id, { user_email: email, user_name: 'Guest' }, ['viewer']);
    const wanted = `Moved-${user_id.slice(-8)}@Elsewhere.Example`;
    expect((await client.post('/me/email', { email: wanted, password: TEST_PASSWORD }).expect(202)).body).toEqual({});
    const normal = wanted.toLowerCase();
    const token = tokenIn((await mailsTo(normal))[0]!, 'confirm-email');
    expect(await loginStatus(email, TEST_PASSWORD)).toBe(200);
    await api.stranger.post('/auth/email/confirm', { token }).expect(204);
    expect([await loginStatus(email, TEST_PASSWORD), await loginStatus(normal, TEST_PASSWORD)]).toEqual([401, 200]);
    const rows = await api.sql<{ user_email: string }>('SELECT user_email FROM workspace_user WHERE user_id = $1', [user_id]);
    expect(rows).toEqual([{ user_email: normal }, { user_email: normal }]);
    await api.stranger.post('/auth/email/confirm', { token }).expect(401);
    const audited = await api.sql<{ tenant_id: string }>(
      `SELECT tenant_id FROM audit_event WHERE aud_type = 'account.email_changed' AND aud_target_id = $1`,
      [user_id],
    );
    expect(audited.map(({ tenant_id }) => tenant_id).sort()).toEqual([workspace.tenant_id, other.tenant_id].sort());
  });

  it('is not taken from somebody who has it in the meantime', async () => {
    const { client } = await signedInMember(api, workspace, 'viewer');
    await client.post('/me/email', { email: 'wanted@elsewhere.example', password: TEST_PASSWORD }).expect(202);
    const token = tokenIn((await mailsTo('wanted@elsewhere.example'))[0]!, 'confirm-email');
    await api.provisioner.addUser(workspace.tenant_id, { user_email: 'wanted@elsewhere.example', user_name: 'Faster' }, ['viewer']);
    expect((await api.stranger.post('/auth/email/confirm', { token }).expect(409)).body.code).toBe('already_exists');
  });

  it('needs the password and the form of an address; its domain must be allowed in every workspace of the person', async () => {
    const home = await api.workspace();
    const { client } = await signedInMember(api, home, 'viewer');
    await client.post('/me/email', { email: 'fine@elsewhere.example', password: 'not the right password' }).expect(401);
    for (const email of ['none', 'a@b@', 'a b@c.de', `${'a'.repeat(250)}@example.com`, 'a@b.c\r\nBcc: d@e.f', 'a@"b".c', 7])
      await client.post('/me/email', { email, password: TEST_PASSWORD }).expect(400);
    await api.sql(
      `UPDATE workspace SET ws_security = ws_security || '{"allowed_email_domains": ["xn--bcher-kva.example"]}' WHERE tenant_id = $1`,
      [home.tenant_id],
    );
    await client.post('/me/email', { email: 'fine@elsewhere.example', password: TEST_PASSWORD }).expect(400);
    await client.post('/me/email', { email: 'Ada@B\u00fccher.example', password: TEST_PASSWORD }).expect(202);
    // The mail server of the test shows domains as people read them.
    await mailsTo('ada@b\u00fccher.example');
  });
});

describe('a spent refresh token that comes again', () => {
  it('is reported to the person by mail, once', async () => {
    const { email, tokens } = await signedInMember(api, workspace, 'viewer');
    const from = api.stranger.with({ 'X-Forwarded-For': '203.0.113.66' });
    for (const status of [200, 401, 401]) await from.post('/auth/refresh', { refresh_token: tokens.refresh_token }).expect(status);
    const [mail] = await mailsTo(email);
    expect(mail!.mail.text).toContain('203.0.113.66');
    await forgot(email).expect(202);
    await mailsTo(email, 2);
    expect(server.to(email).filter(({ mail: { text } }) => text?.includes('203.0.113.66'))).toHaveLength(1);
  });
});
