import { createHash, createHmac, createPublicKey, createSign, generateKeyPairSync } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { CallerDirectory } from '@atrium/platform/access';
import { newId } from '@atrium/platform/kernel';
import { SigningKeys } from '@atrium/identity';
import { createTestDatabase, type Client, type RunningApi, type TestWorkspace } from '@atrium/platform/testing';
import { request as rawRequest } from 'node:http';
import { decodeJwt, decodeProtectedHeader, SignJWT, type JWK, type JWTPayload } from 'jose';
import { startAtrium } from '../support/api';
import { sharedAtrium } from '../support/shared-atrium';
import { MessageCounter } from './message-counter';
import { bearing, signedInMember, signIn } from './signing-in';

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

const keyOf = (client: Client): string => client.headers['X-Api-Key'] ?? '';
const withKey = (key: string): Client => workspace.owner.client.with({ 'X-Api-Key': key });
const base64url = (value: object | string): string =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');

describe('a request without a good credential', () => {
  it('is 401 with a challenge', async () => {
    const answer = await api.stranger.with({ 'X-Tenant-Id': workspace.tenant_id }).get('/me').expect(401);
    expect(answer.body).toMatchObject({ code: 'unauthenticated', status: 401 });
    expect(answer.headers['www-authenticate']).toContain('Bearer');
    expect(answer.headers['content-type']).toContain('application/problem+json');
  });

  it('[identity 11] with one character of the key flipped is 401 without a statement', async () => {
    const key = keyOf(workspace.owner.client);
    const clients = [...key].map((sign, i) => withKey(key.slice(0, i) + (sign === 'a' ? 'b' : 'a') + key.slice(i + 1)));
    await messages.quiet();
    messages.reset();
    for (const client of clients.filter((client) => keyOf(client) !== key)) await client.get('/me').expect(401);
    expect(messages.texts).toEqual([]);
  });

  it('with a key of another length or alphabet is 401 without a statement', async () => {
    const key = keyOf(workspace.owner.client);
    messages.reset();
    for (const wrong of [
      '',
      'atk_',
      key.slice(1),
      `${key}0`,
      key.replace('atk_', 'ATK_'),
      `${key.slice(0, -1)}-`,
      `${key}, ${key}`,
      'x'.repeat(5_000),
    ])
      await withKey(wrong).get('/me').expect(401);
    expect(messages.texts).toEqual([]);
  });

  it('with a well-formed key nobody has, or one whose secret is another, is 401', async () => {
    const other = await workspace.member('viewer');
    await api.sql(`UPDATE api_key SET key_hash = repeat('0', 64) WHERE key_id = $1`, [other.key_id]);
    const known = await other.client.get('/me').expect(401);
    const made = await api.provisioner.createKey(workspace.tenant_id, { key_name: 'gone', user_email: workspace.owner.email });
    await api.sql('DELETE FROM api_key WHERE key_id = $1', [made.key_id]);
    const unknown = await withKey(made.key_secret).get('/me').expect(401);
    expect({ ...known.body, request_id: '' }).toEqual({ ...unknown.body, request_id: '' });
  });
});

describe('an API key', () => {
  it('is stored as SHA-256 only', async () => {
    const { key_id, key_secret } = await api.provisioner.createKey(workspace.tenant_id, {
      key_name: 'hashed',
      user_email: workspace.owner.email,
    });
    const [row] = await api.sql<{ key_hash: string; whole: string }>(
      'SELECT key_hash, api_key::text AS whole FROM api_key WHERE key_id = $1',
      [key_id],
    );
    expect(row!.key_hash).toBe(createHash('sha256').update(key_secret).digest('hex'));
    expect(row!.whole).not.toContain(key_secret.split('_')[2]);
    expect(key_secret).toMatch(/^atk_[0-9A-Za-z]{12}_[0-9A-Za-z]{49}$/);
  });

  it('proves nothing in another header, even right after it was used in its own', async () => {
    const member = await workspace.member('viewer');
    await member.client.get('/me').expect(200);
    const { 'X-Api-Key': key = '' } = member.client.headers;
    for (const value of [key, `Bearer ${key}`])
      await member.client.without('X-Api-Key').with({ Authorization: value }).get('/me').expect(401);
  });

  it('carries no more than its scopes, and no more than its owner has', async () => {
    const narrowed = await workspace.member('editor', ['media:view']);
    expect((await narrowed.client.get('/me').expect(200)).body).toMatchObject({
      permissions: ['media:view'],
      key: { key_scopes: ['media:view'] },
      session: null,
    });
    await narrowed.client.get('/albums').expect(200);
    expect((await narrowed.client.post('/albums', { album_name: 'x' }).expect(403)).body.detail).toContain('media:edit');
    const greedy = await workspace.member('viewer', ['media:*', 'admin:users']);
    expect((await greedy.client.get('/me').expect(200)).body.permissions).toEqual(['media:download', 'media:view']);
  });

  it('notes its last use once, off the way of the request', async () => {
    const member = await workspace.member('viewer');
    await Promise.all(Array.from({ length: 5 }, () => member.client.get('/me').expect(200)));
    const used = async (): Promise<Date | null> =>
      (await api.sql<{ at: Date | null }>('SELECT key_last_used_at AS at FROM api_key WHERE key_id = $1', [member.key_id]))[0]!.at;
    let first = await used();
    for (const deadline = Date.now() + 5_000; first === null && Date.now() < deadline;) first = await used();
    expect(first).not.toBeNull();
    await member.client.get('/me').expect(200);
    expect(await used()).toEqual(first);
  });

  it('does not open another workspace, not even one its owner belongs to', async () => {
    const other = await api.workspace();
    await api.provisioner.addUser(other.tenant_id, { user_email: workspace.owner.email, user_name: 'Guest' }, ['owner']);
    const answer = await workspace.owner.client.with({ 'X-Tenant-Id': other.tenant_id }).get('/me').expect(403);
    expect(answer.body.code).toBe('tenant_forbidden');
  });
});

describe('key and bearer together', () => {
  it('are accepted of one caller, with the narrower rights of the key', async () => {
    const member = await signedInMember(api, workspace, 'editor');
    const narrow = await api.memberWithKey(workspace.tenant_id, member.user_id, member.email, ['media:view']);
    const both = narrow.client.with({ Authorization: `Bearer ${member.tokens.access_token}` });
    expect((await both.get('/me').expect(200)).body).toMatchObject({ permissions: ['media:view'] });
    await both.post('/albums', { album_name: 'x' }).expect(403);
  });

  it('are refused of two callers, and when either is bad', async () => {
    const member = await signedInMember(api, workspace, 'editor');
    const own = await api.memberWithKey(workspace.tenant_id, member.user_id, member.email);
    await workspace.owner.client
      .with({ Authorization: `Bearer ${member.tokens.access_token}` })
      .get('/me')
      .expect(401);
    await own.client.with({ Authorization: 'Bearer nonsense' }).get('/me').expect(401);
    await own.client
      .with({ Authorization: `Bearer ${member.tokens.access_token}`, 'X-Api-Key': 'nonsense' })
      .get('/me')
      .expect(401);
    await own.client
      .with({ Authorization: `Bearer ${member.tokens.access_token}` })
      .get('/me')
      .expect(200);
    await api.stranger.post('/auth/logout', { refresh_token: member.tokens.refresh_token }).expect(204);
    await own.client
      .with({ Authorization: `Bearer ${member.tokens.access_token}` })
      .get('/me')
      .expect(401);
    await own.client.get('/me').expect(200);
  });
});

describe('the workspace header', () => {
  it('[identity 3] missing and malformed answer 400, unknown and foreign 403 with one body', async () => {
    const other = await api.workspace();
    for (const credential of [
      workspace.owner.client,
      bearing(api, (await signIn(api, workspace.owner.email)).access_token, workspace.tenant_id),
    ]) {
      expect((await credential.without('X-Tenant-Id').get('/me').expect(400)).body.code).toBe('tenant_required');
      for (const malformed of [
        '',
        'nonsense',
        `{${workspace.tenant_id}}`,
        workspace.tenant_id.replaceAll('-', ''),
        `${workspace.tenant_id}'--`,
      ]) {
        expect((await credential.with({ 'X-Tenant-Id': malformed }).get('/me').expect(400)).body.code).toBe('tenant_required');
      }
      const [unknown, foreign] = [
        await credential.with({ 'X-Tenant-Id': newId() }).get('/me').expect(403),
        await credential.with({ 'X-Tenant-Id': other.tenant_id }).get('/me').expect(403),
      ];
      expect(unknown.body.code).toBe('tenant_forbidden');
      expect({ ...unknown.body, request_id: '', instance: '' }).toEqual({ ...foreign.body, request_id: '', instance: '' });
    }
  });

  it('is taken in upper case and refused twice', async () => {
    await workspace.owner.client.with({ 'X-Tenant-Id': workspace.tenant_id.toUpperCase() }).get('/me').expect(200);
    const status = await new Promise((resolve, reject) => {
      const headers = ['X-Api-Key', keyOf(workspace.owner.client), 'X-Tenant-Id', workspace.tenant_id, 'X-Tenant-Id', workspace.tenant_id];
      rawRequest(`${api.url}/api/v1/me`, { headers }, (response) => resolve(response.resume().statusCode))
        .on('error', reject)
        .end();
    });
    expect(status).toBe(400);
  });
});

describe('a forged access token', () => {
  let genuine: string;
  let claims: JWTPayload;
  let kid: string;

  beforeAll(async () => {
    genuine = (await signIn(api, workspace.owner.email)).access_token;
    claims = decodeJwt(genuine);
    kid = String(decodeProtectedHeader(genuine).kid);
  });

  const tryToken = async (token: string): Promise<{ status: number; code: unknown }> => {
    const answer = await bearing(api, token, workspace.tenant_id).get('/me');
    return { status: answer.status, code: answer.body.code };
  };
  const refused = { status: 401, code: 'unauthenticated' };
  /** Signed with our own key, as if it had leaked to somebody who knows no better. */
  const signedByUs = async (payload: JWTPayload, header: object = {}): Promise<string> =>
    new SignJWT(payload)
      .setProtectedHeader({ alg: 'ES256', kid, typ: 'JWT', ...header })
      .sign((await api.app.get(SigningKeys, { strict: false }).getActiveKey()).key, { crit: { b64: true } });
  const signedWith = (header: object, sign: (input: string) => string): string => {
    const input = `${base64url(header)}.${base64url(claims)}`;
    return `${input}.${sign(input)}`;
  };

  it('is distinguished from the genuine one', async () => {
    expect(await tryToken(genuine)).toMatchObject({ status: 200 });
    expect(await tryToken(await signedByUs(claims))).toMatchObject({ status: 200 });
  });

  it('without a signature or with the algorithm none is refused', async () => {
    for (const alg of ['none', 'None', 'NONE', '']) expect(await tryToken(signedWith({ alg, kid, typ: 'JWT' }, () => ''))).toEqual(refused);
    expect(await tryToken(genuine.replace(/[^.]*$/, ''))).toEqual(refused);
  });

  it('signed with our public key as an HMAC secret is refused', async () => {
    const jwks = (await (await fetch(`${api.url}/.well-known/jwks.json`)).json()) as { keys: JWK[] };
    const pem = createPublicKey({ key: jwks.keys[0] as never, format: 'jwk' })
      .export({ type: 'spki', format: 'pem' })
      .toString();
    for (const secret of [pem, pem.trim(), JSON.stringify(jwks.keys[0])]) {
      expect(
        await tryToken(
          signedWith({ alg: 'HS256', kid, typ: 'JWT' }, (input) => createHmac('sha256', secret).update(input).digest('base64url')),
        ),
      ).toEqual(refused);
    }
  });

  it('signed with another key, under our kid or its own, is refused', async () => {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const sign = (input: string): string =>
      createSign('sha256').update(input).sign({ key: privateKey, dsaEncoding: 'ieee-p1363' }).toString('base64url');
    for (const id of [kid, newId(), undefined])
      expect(await tryToken(signedWith({ alg: 'ES256', kid: id, typ: 'JWT' }, sign))).toEqual(refused);
  });

  it('with a kid that is a path or SQL is refused and reaches no statement', async () => {
    messages.reset();
    for (const id of ["' OR 1=1 --", '../../etc/passwd', 'x'.repeat(4_000), 7, null, { $ne: null }, [kid]])
      expect(await tryToken(await forgedHeader({ kid: id }))).toEqual(refused);
    expect(messages.texts).toEqual([]);
  });

  it('that names where to find its key, or critical extensions, is refused and nothing is fetched', async () => {
    for (const header of [
      { jku: 'http://127.0.0.1:9/keys' },
      { x5u: 'http://127.0.0.1:9/x' },
      { jwk: { kty: 'EC' } },
      { crit: ['b64'], b64: false },
      { crit: [] },
    ]) {
      expect(await tryToken(await forgedHeader(header))).toEqual(refused);
    }
  });

  it('with an end that is past, missing or too far, another audience or issuer, is refused', async () => {
    const now = Math.floor(Date.now() / 1_000);
    const { exp: _, ...endless } = claims;
    const wrong: JWTPayload[] = [
      { ...claims, exp: now - 1 },
      endless,
      { ...claims, exp: now + 25 * 3_600 },
      { ...claims, nbf: now + 120 },
      { ...claims, aud: 'other' },
      { ...claims, aud: undefined },
      { ...claims, iss: 'atrium/' },
      { ...claims, iss: undefined },
      { ...claims, sub: 'x' },
      { ...claims, sid: "' OR 1=1" },
      { ...claims, sid: newId() },
      { ...claims, sub: newId() },
    ];
    for (const payload of wrong) expect({ payload, ...(await tryToken(await signedByUs(payload))) }).toEqual({ payload, ...refused });
  });

  it('that is larger than 16 KB or no token at all is refused', async () => {
    // 16 KB of headers are already more than the server reads, so that the token may not even reach the guard.
    expect([400, 401, 431]).toContain((await tryToken(await signedByUs({ ...claims, filler: 'x'.repeat(13_000) }))).status);
    for (const text of ['', 'a', 'a.b', 'a.b.c', '..', `${genuine}.x`, base64url('{"alg":"ES256"}') + '..'])
      expect(await tryToken(text)).toEqual(refused);
  });

  it('of another person opens nobody else', async () => {
    const other = await api.workspace();
    const theirs = await signIn(api, other.owner.email);
    expect(await tryToken(theirs.access_token)).toEqual({ status: 403, code: 'tenant_forbidden' });
    const spliced = [genuine.split('.')[0], theirs.access_token.split('.')[1], genuine.split('.')[2]].join('.');
    expect(await tryToken(spliced)).toEqual(refused);
  });

  it('opens its own person’s, however many are proven at one moment', async () => {
    const people = await Promise.all(Array.from({ length: 5 }, () => signedInMember(api, workspace, 'viewer')));
    const directory = api.app.get(CallerDirectory, { strict: false });
    const keyFor = directory.findVerificationKey.bind(directory);
    const asked = new EventEmitter();
    let waiting = people.length;
    directory.findVerificationKey = async (id) => {
      if (--waiting === 0) setImmediate(() => asked.emit('all'));
      await once(asked, 'all');
      return keyFor(id);
    };
    try {
      const answers = await Promise.all(people.map(({ client }) => client.get('/me').expect(200)));
      expect(answers.map(({ body }) => body.user.user_id)).toEqual(people.map(({ user_id }) => user_id));
    } finally {
      directory.findVerificationKey = keyFor;
    }
  });

  it('is distinguished from the genuine one where another application runs in the process', async () => {
    const { appUrl, ownerUrl } = await createTestDatabase();
    const other = await startAtrium({ DATABASE_URL: appUrl, DATABASE_OWNER_URL: ownerUrl });
    try {
      const home = await other.workspace();
      const { access_token } = await signIn(other, home.owner.email);
      expect((await bearing(other, access_token, home.tenant_id).get('/me')).status).toBe(200);
      expect(await tryToken(access_token)).toEqual(refused);
      const { client } = await signedInMember(api, workspace, 'viewer');
      await client.get('/me').expect(200);
    } finally {
      await other.close();
    }
  });

  /** The genuine claims under a header with additions, signed with our own key whatever the header says. */
  async function forgedHeader(header: object): Promise<string> {
    const { key } = await api.app.get(SigningKeys, { strict: false }).getActiveKey();
    return signedWith({ alg: 'ES256', kid, typ: 'JWT', ...header }, (input) =>
      createSign('sha256').update(input).sign({ key, dsaEncoding: 'ieee-p1363' }).toString('base64url'),
    );
  }
});

describe('the published keys', () => {
  it('are public parts only and may be kept five minutes', async () => {
    const answer = await fetch(`${api.url}/.well-known/jwks.json`);
    expect(answer.headers.get('cache-control')).toBe('public, max-age=300');
    const { keys } = (await answer.json()) as { keys: Record<string, unknown>[] };
    expect(keys.length).toBeGreaterThan(0);
    for (const key of keys) {
      expect(key).toMatchObject({ kty: 'EC', alg: 'ES256', use: 'sig' });
      expect(key).not.toHaveProperty('d');
    }
  });

  it('are sealed at rest', async () => {
    const rows = await api.sql<{ row: string }>('SELECT signing_key::text AS row FROM signing_key');
    expect(rows.length).toBeGreaterThan(0);
    for (const { row } of rows) expect(row).not.toContain('PRIVATE KEY');
  });
});
