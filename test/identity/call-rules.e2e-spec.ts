import { createHash } from 'node:crypto';
import { networkOf } from '@atrium/platform/access';
import { eventually, type Client, type Member, type RunningApi, type TestWorkspace } from '@atrium/platform/testing';
import { sharedAtrium } from '../support/shared-atrium';
import { MessageCounter } from './message-counter';
import { signedInMember } from './signing-in';

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

const at = (client: Client, address: string): Client => client.with({ 'X-Forwarded-For': address });
const security = (tenant_id: string, rules: object): Promise<object[]> =>
  api.sql('UPDATE workspace SET ws_security = ws_security || $2::jsonb WHERE tenant_id = $1', [tenant_id, JSON.stringify(rules)]);
const setKey = (member: Member, column: string, value: unknown): Promise<object[]> =>
  api.sql(`UPDATE api_key SET ${column} = $2 WHERE key_id = $1`, [member.key_id, value]);
const statuses = async (client: Client, addresses: readonly string[]): Promise<number[]> => {
  const seen: number[] = [];
  for (const address of addresses) seen.push((await at(client, address).get('/me')).status);
  return seen;
};

describe('the addresses a workspace lets in', () => {
  it('hold for people and keys, from the next request on, in IPv4 and IPv6', async () => {
    const home = await api.workspace();
    const { client: person } = await signedInMember(api, home, 'viewer');
    const addresses = ['203.0.113.7', '198.51.100.7', '2001:db8::7', '2001:db9::7', '::ffff:203.0.113.8', '127.0.0.1'];
    for (const client of [person, home.owner.client]) expect(await statuses(client, addresses)).toEqual([200, 200, 200, 200, 200, 200]);
    await security(home.tenant_id, { ip_allow: ['203.0.113.0/24', '2001:db8::/32'] });
    for (const client of [person, home.owner.client]) expect(await statuses(client, addresses)).toEqual([200, 403, 200, 403, 200, 403]);
    const denied = await at(person, '198.51.100.7').get('/me').expect(403);
    expect(denied.body).toMatchObject({ code: 'permission_denied', detail: expect.stringContaining('IP address') });
    await security(home.tenant_id, { ip_allow: [] });
    expect(await statuses(person, addresses)).toEqual([200, 200, 200, 200, 200, 200]);
  });

  it('are distinguished from what a stranger writes into the header', async () => {
    const home = await api.workspace();
    await security(home.tenant_id, { ip_allow: ['203.0.113.0/24'] });
    expect(
      await statuses(home.owner.client, [
        '203.0.113.7, 198.51.100.7',
        '198.51.100.7, 203.0.113.7',
        'nonsense',
        '203.0.113.7:80',
        "203.0.113.7' OR 1=1",
      ]),
    ).toEqual([403, 200, 403, 403, 403]);
  });
});

describe('the addresses a key is limited to', () => {
  it('hold for that key, besides those of the workspace', async () => {
    const home = await api.workspace();
    const [limited, free] = [await home.member('viewer'), await home.member('viewer')];
    const addresses = ['203.0.113.7', '198.51.100.7'];
    expect(await statuses(limited.client, addresses)).toEqual([200, 200]);
    await setKey(limited, 'key_ip_allow', ['203.0.113.0/24']);
    expect(await statuses(limited.client, addresses)).toEqual([200, 403]);
    expect(await statuses(free.client, addresses)).toEqual([200, 200]);
    await security(home.tenant_id, { ip_allow: ['198.51.100.0/24'] });
    expect(await statuses(limited.client, addresses)).toEqual([403, 403]);
    expect(await statuses(free.client, addresses)).toEqual([403, 200]);
  });
});

describe('a workspace that takes no passwords', () => {
  it('refuses sessions made by one, names what to do, and leaves keys alone', async () => {
    const home = await api.workspace();
    const { client, tokens } = await signedInMember(api, home, 'editor');
    await client.get('/albums').expect(200);
    await security(home.tenant_id, { password_login: false });
    const denied = await client.get('/albums').expect(403);
    expect(denied.body).toMatchObject({ code: 'permission_denied', detail: expect.stringContaining('identity provider') });
    await client.post('/albums', { album_name: 'x' }).expect(403);
    await client.get('/me').expect(200);
    await client.post('/me/mfa/totp').expect(200);
    await home.owner.client.get('/albums').expect(200);
    const elsewhere = api.stranger.with({ Authorization: `Bearer ${tokens.access_token}` });
    await elsewhere.get('/auth/workspaces').expect(200);
    await api.sql(`UPDATE account_session SET ses_methods = '{ext}' WHERE acc_id = $1`, [tokens.user.user_id]);
    await client.get('/albums').expect(200);
  });
});

describe('a rotated key', () => {
  it('is good with both secrets until the overlap ends, then with the new one alone', async () => {
    const member = await workspace.member('viewer');
    const former = member.client;
    await former.get('/me').expect(200);
    const next = await api.memberWithKey(workspace.tenant_id, member.user_id, member.email);
    const secret = next.client.headers['X-Api-Key'] ?? '';
    const value = (former.headers['X-Api-Key'] ?? '').slice(0, 17);
    const [row] = await api.sql<{ key_hash: string }>('SELECT key_hash FROM api_key WHERE key_id = $1', [member.key_id]);
    // The old secret becomes the previous one, as a rotation leaves it; the new one is that of no other key.
    await api.sql(
      `UPDATE api_key SET key_prev_hash = key_hash, key_prev_expires_at = clock_timestamp() + interval '2 seconds', key_hash = $2 WHERE key_id = $1`,
      [member.key_id, createHash('sha256').update(secret).digest('hex')],
    );
    expect(value).toMatch(/^atk_/);
    await former.get('/me').expect(200);
    const ended = await eventually(
      async () => (await former.get('/me')).status,
      (status) => status === 401,
      10_000,
    );
    expect(ended).toBe(401);
    await api.sql('UPDATE api_key SET key_hash = $2 WHERE key_id = $1', [member.key_id, row!.key_hash]);
    await former.get('/me').expect(200);
  });
});

describe('a key', () => {
  it('that expires is refused from that moment on', async () => {
    const member = await workspace.member('viewer');
    await api.sql(`UPDATE api_key SET key_expires_at = clock_timestamp() + interval '1 second' WHERE key_id = $1`, [member.key_id]);
    await member.client.get('/me').expect(200);
    await eventually(
      async () => (await member.client.get('/me')).status,
      (status) => status === 401,
      10_000,
    );
  });

  it('notes where it was used from', async () => {
    const member = await workspace.member('viewer');
    await at(member.client, '203.0.113.77').get('/me').expect(200);
    const used = (): Promise<{ key_last_used_ip: string | null }[]> =>
      api.sql('SELECT key_last_used_ip FROM api_key WHERE key_id = $1', [member.key_id]);
    expect(await eventually(used, ([row]) => row?.key_last_used_ip !== null)).toEqual([{ key_last_used_ip: '203.0.113.77' }]);
  });

  it('with a wrong secret is counted for its address', async () => {
    const member = await workspace.member('viewer');
    await setKey(member, 'key_hash', '0'.repeat(64));
    const name = `address:${createHash('sha256').update(networkOf('192.0.2.200')).digest('base64url')}`;
    for (let i = 0; i < 3; i++) await at(member.client, '192.0.2.200').get('/me').expect(401);
    const count = async (): Promise<number> =>
      (await api.sql<{ thr_points: number }>('SELECT thr_points FROM sign_in_throttle WHERE thr_key = $1', [name]))[0]?.thr_points ?? 0;
    expect(await eventually(count, (points) => points >= 3)).toBe(3);
  });

  it('costs three messages a read, whatever limits it', async () => {
    const home = await api.workspace();
    const member = await home.member('viewer');
    await security(home.tenant_id, { ip_allow: ['203.0.113.0/24'] });
    await setKey(member, 'key_ip_allow', ['203.0.113.0/28']);
    const client = at(member.client, '203.0.113.7');
    await client.get('/me').expect(200);
    await messages.quiet();
    messages.reset();
    await client.get('/me').expect(200);
    expect(messages.texts.length).toBeLessThanOrEqual(3);
    messages.reset();
    await at(member.client, '198.51.100.7').get('/me').expect(403);
    expect(messages.texts.filter((text) => /INSERT|UPDATE|DELETE/.test(text))).toEqual([]);
  });
});
