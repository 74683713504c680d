import { newId } from '@atrium/platform/kernel';
import { eventually, TEST_PASSWORD, type Client, type RunningApi, type TestWorkspace } from '@atrium/platform/testing';
import { sharedAtrium } from '../support/shared-atrium';
import { MessageCounter } from './message-counter';
import { bearing, signedInMember, signIn, type Tokens } from './signing-in';

let api: RunningApi;
let workspace: TestWorkspace;
let messages: MessageCounter;

beforeAll(async () => {
  api = await sharedAtrium();
  messages = new MessageCounter(api);
  workspace = await api.workspace();
});
afterAll(async () => {
  await api.close();
  messages.close();
});

interface Session {
  readonly ses_id: string;
  readonly ses_current: boolean;
}

const sessionsOf = async (client: Client, query = ''): Promise<{ data: Session[]; has_more: boolean; next_cursor: string | null }> =>
  (await client.get(`/me/sessions${query}`).expect(200)).body;
const again = async (email: string, tenant_id = workspace.tenant_id): Promise<Client> =>
  bearing(api, (await signIn(api, email)).access_token, tenant_id);
const security = (tenant_id: string, rules: object): Promise<object[]> =>
  api.sql('UPDATE workspace SET ws_security = ws_security || $2::jsonb WHERE tenant_id = $1', [tenant_id, JSON.stringify(rules)]);

describe("one's own sessions", () => {
  it('are listed latest first, with where they come from and which one asks', async () => {
    const { client, email, user_id } = await signedInMember(api, workspace, 'viewer');
    const there = api.stranger.with({ 'X-Forwarded-For': '203.0.113.7', 'User-Agent': `Herons/1.0 ${'x'.repeat(600)}` });
    await there.post('/auth/login', { email, password: TEST_PASSWORD }).expect(200);
    const { data } = await sessionsOf(client);
    expect(data).toHaveLength(2);
    expect(data[0]).toEqual({
      ses_id: expect.any(String),
      ses_created: expect.stringMatching(/Z$/),
      ses_last_used_at: expect.stringMatching(/Z$/),
      ses_expires_at: expect.stringMatching(/Z$/),
      ses_ip: '203.0.113.7',
      ses_user_agent: expect.stringMatching(/^Herons\/1\.0 x{501}$/),
      ses_methods: ['pwd'],
      ses_issuer: null,
      ses_current: false,
    });
    expect(data[1]).toMatchObject({ ses_current: true });
    const key = await api.memberWithKey(workspace.tenant_id, user_id, email);
    expect((await key.client.get('/me/sessions').expect(403)).body.code).toBe('permission_denied');
  });

  it('are read page by page', async () => {
    const { client, email } = await signedInMember(api, workspace, 'viewer');
    for (let i = 0; i < 4; i++) await signIn(api, email);
    const all = (await sessionsOf(client)).data.map(({ ses_id }) => ses_id);
    const read: string[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const page = await sessionsOf(client, `?limit=2${cursor ? `&cursor=${cursor}` : ''}`);
      expect(page.has_more).toBe(page.next_cursor !== null);
      read.push(...page.data.map(({ ses_id }) => ses_id));
      cursor = page.next_cursor;
    }
    expect(all).toHaveLength(5);
    expect((await sessionsOf(client, '?offset=3&limit=1&sort=-ses_created')).data.map(({ ses_id }) => ses_id)).toEqual(all.slice(3, 4));
    expect(await sessionsOf(client, '?offset=5')).toEqual({ data: [], has_more: false, next_cursor: null });
    await client.get('/me/sessions?offset=-1').expect(400);
    expect(read).toEqual(all);
    expect((await sessionsOf(client, '?cursor=nonsense')).data).toHaveLength(5);
    await client.get('/me/sessions?limit=0').expect(400);
    await client.get('/me/sessions?user_id=x').expect(400);
  });

  it('end one by one, from the next request on', async () => {
    const { client, email } = await signedInMember(api, workspace, 'viewer');
    const elsewhere = await again(email);
    await elsewhere.get('/me').expect(200);
    const { data } = await sessionsOf(client);
    const other = data.find(({ ses_current }) => !ses_current)!;
    await client.delete(`/me/sessions/${other.ses_id}`).expect(204);
    await elsewhere.get('/me').expect(401);
    await client.delete(`/me/sessions/${other.ses_id}`).expect(404);
    expect((await sessionsOf(client)).data).toHaveLength(1);
  });

  it("are nobody else's to end", async () => {
    const { client } = await signedInMember(api, workspace, 'viewer');
    const stranger = await signedInMember(api, workspace, 'viewer');
    const [theirs] = (await sessionsOf(stranger.client)).data;
    for (const id of [theirs!.ses_id, newId(), 'nonsense']) await client.delete(`/me/sessions/${id}`).expect(404);
    await (await again(workspace.owner.email)).delete(`/me/sessions/${theirs!.ses_id}`).expect(404);
    await stranger.client.get('/me').expect(200);
  });

  it('end all but the one that asks, and a key of the person’s ends none', async () => {
    const { client, email, user_id } = await signedInMember(api, workspace, 'viewer');
    const others = [await again(email), await again(email)];
    expect((await client.delete('/me/sessions').expect(200)).body).toEqual({ revoked: 2 });
    for (const other of others) await other.get('/me').expect(401);
    await client.get('/me').expect(200);
    expect((await client.delete('/me/sessions').expect(200)).body).toEqual({ revoked: 0 });
    const key = await api.memberWithKey(workspace.tenant_id, user_id, email);
    expect((await key.client.delete('/me/sessions').expect(403)).body.code).toBe('permission_denied');
    await client.get('/me').expect(200);
    const rows = await api.sql<{ aud_after: object }>(
      `SELECT aud_after FROM audit_event WHERE aud_type = 'account.sessions_ended' AND aud_target_id = $1 ORDER BY aud_timestamp`,
      [user_id],
    );
    expect(rows.map(({ aud_after }) => aud_after)).toEqual([{ revoked: 2 }]);
  });

  it('cannot be ended by a session that has ended itself', async () => {
    const { client, email, tokens } = await signedInMember(api, workspace, 'viewer');
    const elsewhere = await again(email);
    await client.get('/me').expect(200);
    await api.stranger.post('/auth/logout', { refresh_token: tokens.refresh_token }).expect(204);
    await client.delete('/me/sessions').expect(401);
    await elsewhere.get('/me').expect(200);
  });
});

describe('the workspaces of a caller', () => {
  it("are all of a person's for a session, without a workspace header", async () => {
    const other = await api.workspace();
    const { email, tokens } = await signedInMember(api, workspace, 'viewer');
    await api.provisioner.addUser(other.tenant_id, { user_email: email, user_name: 'Guest' }, ['editor']);
    const client = api.stranger.with({ Authorization: `Bearer ${tokens.access_token}` });
    const { body } = await client.get('/auth/workspaces').expect(200);
    expect(body).toMatchObject({ has_more: false, next_cursor: null });
    expect(body.data.map(({ ws_id }: { ws_id: string }) => ws_id).sort()).toEqual([workspace.tenant_id, other.tenant_id].sort());
    expect(body.data[0]).toEqual({
      ws_id: expect.any(String),
      ws_name: expect.any(String),
      ws_slug: expect.any(String),
      ws_status: 'active',
      user_status: 'active',
      user_roles: [expect.any(String)],
    });
    await api.sql(`UPDATE workspace_user SET user_status = 'removed' WHERE tenant_id = $1 AND user_email = $2`, [other.tenant_id, email]);
    expect((await client.get('/auth/workspaces').expect(200)).body.data).toHaveLength(1);
    await api.stranger.post('/auth/logout', { refresh_token: tokens.refresh_token }).expect(204);
    await client.get('/auth/workspaces').expect(401);
  });

  it('are the one a key belongs to', async () => {
    const other = await api.workspace();
    await api.provisioner.addUser(other.tenant_id, { user_email: workspace.owner.email, user_name: 'Guest' }, ['viewer']);
    const { body } = await workspace.owner.client.without('X-Tenant-Id').get('/auth/workspaces').expect(200);
    expect(body.data.map(({ ws_id }: { ws_id: string }) => ws_id)).toEqual([workspace.tenant_id]);
    await api.stranger.get('/auth/workspaces').expect(401);
  });
});

describe('a session', () => {
  it('begun for a workspace names it first and lasts as that one says', async () => {
    const [short, long] = [await api.workspace(), await api.workspace()];
    await security(short.tenant_id, { session_idle_minutes: 30, session_max_days: 2 });
    await security(long.tenant_id, { session_idle_minutes: 600, session_max_days: 20 });
    const { email, user_id } = await signedInMember(api, short, 'viewer');
    await api.provisioner.addUser(long.tenant_id, { user_email: email, user_name: 'Guest' }, ['viewer']);
    const login = async (ws_id?: string): Promise<Tokens & { refresh_expires_in: number }> =>
      (await api.stranger.post('/auth/login', { email, password: TEST_PASSWORD, ws_id }).expect(200)).body;
    const cases = [
      { ws_id: short.tenant_id, idle: 30, days: 2 },
      { ws_id: long.tenant_id, idle: 600, days: 20 },
      { ws_id: undefined, idle: 600, days: 20 },
    ];
    for (const { ws_id, idle, days } of cases) {
      const tokens = await login(ws_id);
      expect(tokens.refresh_expires_in).toBe(idle * 60);
      if (ws_id) expect(tokens.workspaces[0]!.ws_id).toBe(ws_id);
      const [row] = await api.sql<{ days: number }>(
        `SELECT round(extract(epoch FROM ses_expires_at - ses_created) / 86400)::int AS days FROM account_session WHERE acc_id = $1 ORDER BY ses_created DESC LIMIT 1`,
        [user_id],
      );
      expect(row!.days).toBe(days);
    }
    const foreign = await api.workspace();
    for (const ws_id of [foreign.tenant_id, newId()])
      expect((await api.stranger.post('/auth/login', { email, password: TEST_PASSWORD, ws_id }).expect(403)).body.code).toBe(
        'tenant_forbidden',
      );
    await api.stranger.post('/auth/login', { email, password: TEST_PASSWORD, ws_id: 'nonsense' }).expect(400);
    await api.stranger.post('/auth/login', { email, password: 'not the right password', ws_id: foreign.tenant_id }).expect(401);
  });

  it('that is unused longer than a workspace allows is refused there, and elsewhere goes on', async () => {
    const [strict, lenient] = [await api.workspace(), await api.workspace()];
    await security(strict.tenant_id, { session_idle_minutes: 15 });
    const { client, email, tokens, user_id } = await signedInMember(api, strict, 'viewer');
    await api.provisioner.addUser(lenient.tenant_id, { user_email: email, user_name: 'Guest' }, ['viewer']);
    await client.get('/me').expect(200);
    await api.sql(
      `UPDATE account_session SET ses_last_used_at = now() - interval '20 minutes', ses_methods = ses_methods WHERE acc_id = $1`,
      [user_id],
    );
    expect((await client.get('/me').expect(401)).body.detail).toContain('idle');
    await bearing(api, tokens.access_token, lenient.tenant_id).get('/me').expect(200);
  });

  it('in use is noted, and its refresh token lives on', async () => {
    const home = await api.workspace();
    const { client, tokens, user_id } = await signedInMember(api, home, 'viewer');
    await api.sql(
      `WITH old AS (UPDATE account_session SET ses_last_used_at = now() - interval '10 minutes' WHERE acc_id = $1 RETURNING ses_id) UPDATE refresh_token SET rt_expires_at = now() + interval '1 minute' WHERE ses_id IN (SELECT ses_id FROM old)`,
      [user_id],
    );
    await client.get('/me').expect(200);
    const left = async (): Promise<number> =>
      (
        await api.sql<{ left: number }>(
          `SELECT extract(epoch FROM t.rt_expires_at - now())::float8 AS left FROM refresh_token t JOIN account_session USING (ses_id) WHERE acc_id = $1`,
          [user_id],
        )
      )[0]!.left;
    await eventually(left, (seconds) => seconds > 23 * 3_600);
    await api.stranger.post('/auth/refresh', { refresh_token: tokens.refresh_token }).expect(200);
  });

  it('that is older than a workspace allows is refused there', async () => {
    const home = await api.workspace();
    await security(home.tenant_id, { session_max_days: 3 });
    const { client, user_id } = await signedInMember(api, home, 'viewer');
    await client.get('/me').expect(200);
    await api.sql(`UPDATE account_session SET ses_created = now() - interval '4 days', ses_methods = ses_methods WHERE acc_id = $1`, [
      user_id,
    ]);
    await client.get('/me').expect(401);
  });

  it('that has reached its end is refreshed no more', async () => {
    const { client, tokens, user_id } = await signedInMember(api, workspace, 'viewer');
    await api.sql('UPDATE account_session SET ses_expires_at = now() WHERE acc_id = $1', [user_id]);
    await client.get('/me').expect(401);
    await api.stranger.post('/auth/refresh', { refresh_token: tokens.refresh_token }).expect(401);
  });

  it('costs three messages a read, whatever the workspace demands', async () => {
    const home = await api.workspace();
    const { client } = await signedInMember(api, home, 'viewer');
    await security(home.tenant_id, { ip_allow: ['127.0.0.0/8'], session_idle_minutes: 60, session_max_days: 5 });
    await client.get('/me').expect(200);
    await messages.quiet();
    messages.reset();
    await client.get('/me').expect(200);
    expect(messages.texts.length).toBeLessThanOrEqual(3);
    expect(messages.naming('auth_facts(')).toBe(0);
  });
});
