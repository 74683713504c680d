import { setTimeout as pause } from 'node:timers/promises';
import { createApi } from '@atrium/platform/http';
import { Client, TEST_PASSWORD, type RunningApi, type TestWorkspace } from '@atrium/platform/testing';
import type { Response } from 'supertest';
import { ApiModule } from '../../apps/api/src/api.module';
import { startAtrium } from '../support/api';
import { bearing, signedInMember, signIn, type Tokens } from './signing-in';

let api: RunningApi;
let workspace: TestWorkspace;

beforeAll(async () => {
  api = await startAtrium({ TRUSTED_PROXIES: '127.0.0.1' });
  workspace = await api.workspace();
});
afterAll(() => api.close());

const login = (body: object): PromiseLike<Response> => api.stranger.post('/auth/login', body);
/** Somebody at an address of their own, so that failures there count there. */
const from = (address: string): Client => api.stranger.with({ 'X-Forwarded-For': address });
const refresh = (refresh_token: string): PromiseLike<Response> => api.stranger.post('/auth/refresh', { refresh_token });
const median = (numbers: number[]): number => numbers.sort((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;
/** A problem without what differs from request to request. */
const bare = ({ body }: Response): object => ({ ...(body as object), request_id: undefined, instance: undefined });

describe('signing in', () => {
  it('answers tokens, the person and their workspaces, and the token opens each of them', async () => {
    const tokens = await signIn(api, workspace.owner.email);
    expect(tokens).toMatchObject({
      token_type: 'Bearer',
      expires_in: 900,
      user: { user_id: workspace.owner.user_id, user_email: workspace.owner.email, user_name: 'Owner' },
      workspaces: [{ ws_id: workspace.tenant_id, ws_slug: workspace.slug, user_status: 'active' }],
    });
    const me = await bearing(api, tokens.access_token, workspace.tenant_id).get('/me').expect(200);
    expect(me.body).toMatchObject({
      principal_kind: 'person',
      key: null,
      session: { ses_methods: ['pwd'] },
      user: { user_id: workspace.owner.user_id },
    });
  });

  it('takes the address in any case and with spaces around it', async () => {
    expect((await login({ email: ` ${workspace.owner.email.toUpperCase()} `, password: TEST_PASSWORD })).status).toBe(200);
  });

  it('[identity 4] answers a wrong password and an unknown address alike, in the same time', async () => {
    const tries = 30;
    const durations: Record<'wrong' | 'unknown', number[]> = { wrong: [], unknown: [] };
    const answers = { wrong: [] as Response[], unknown: [] as Response[] };
    for (let i = 0; i < tries; i++) {
      for (const kind of ['wrong', 'unknown'] as const) {
        const started = performance.now();
        answers[kind].push(
          await from(`198.51.100.${i}`).post('/auth/login', {
            email: kind === 'wrong' ? workspace.owner.email : `nobody-${i}@example.com`,
            password: 'not the right password',
          }),
        );
        durations[kind].push(performance.now() - started);
      }
    }
    const all = [...answers.wrong, ...answers.unknown];
    expect(new Set(all.map(({ status }) => status))).toEqual(new Set([401]));
    expect(new Set(all.map((answer) => JSON.stringify(bare(answer)))).size).toBe(1);
    const [wrong, unknown] = [median(durations.wrong), median(durations.unknown)];
    expect(Math.abs(wrong - unknown) / Math.max(wrong, unknown)).toBeLessThan(0.25);
  });

  it('answers a locked account and one without a password like a wrong password', async () => {
    const locked = await signedInMember(api, workspace, 'viewer');
    await api.sql(`UPDATE account SET acc_status = 'locked' WHERE acc_id = $1`, [locked.user_id]);
    const keyOnly = await workspace.member('viewer');
    const wrong = await login({ email: workspace.owner.email, password: 'not the right password' });
    for (const email of [locked.email, keyOnly.email]) {
      const answer = await login({ email, password: TEST_PASSWORD });
      expect(answer.status).toBe(401);
      expect(bare(answer)).toEqual(bare(wrong));
    }
  });

  it('refuses a body that is not a sign-in with 400, naming the field', async () => {
    const { status, body } = await login({ email: workspace.owner.email });
    expect({ status, body }).toMatchObject({ status: 400, body: { errors: [{ path: 'password', code: 'required' }] } });
  });
});

describe('refreshing', () => {
  it('gives a new pair that works', async () => {
    const first = await signIn(api, workspace.owner.email);
    const answer = await refresh(first.refresh_token);
    expect(answer.status).toBe(200);
    const second = answer.body as Tokens;
    expect(second.refresh_token).not.toBe(first.refresh_token);
    await bearing(api, second.access_token, workspace.tenant_id).get('/me').expect(200);
  });

  it('[identity 6] revokes the family when a spent token comes again; signing in still works', async () => {
    const first = await signIn(api, workspace.owner.email);
    const second = (await refresh(first.refresh_token)).body as Tokens;
    expect((await refresh(first.refresh_token)).status).toBe(401);
    expect((await refresh(second.refresh_token)).status).toBe(401);
    await bearing(api, second.access_token, workspace.tenant_id).get('/me').expect(401);
    await signIn(api, workspace.owner.email);
  });

  it('[identity 7] lets one of two requests in flight win, 50 times, and never takes the race for a theft', async () => {
    let tokens = await signIn(api, workspace.owner.email);
    for (let round = 0; round < 50; round++) {
      const answers = await Promise.all([refresh(tokens.refresh_token), refresh(tokens.refresh_token)]);
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
      const loser = answers.find(({ status }) => status === 409)!;
      expect(loser.body.code).toBe('idempotency_in_progress');
      expect(loser.headers['retry-after']).toBe('1');
      tokens = answers.find(({ status }) => status === 200)!.body as Tokens;
      await bearing(api, tokens.access_token, workspace.tenant_id).get('/me').expect(200);
    }
  });

  it('takes a request that came before the winner was answered for a race, however late it reaches the database', async () => {
    for (let delay = 0; delay < 12; delay++) {
      const tokens = await signIn(api, workspace.owner.email);
      const crowd = await Promise.all(
        Array.from({ length: 12 }, async (_, i) => {
          await pause(i < 6 ? 0 : delay / 4);
          return refresh(tokens.refresh_token);
        }),
      );
      expect(crowd.filter(({ status }) => status === 200)).toHaveLength(1);
    }
  });

  it('keeps races and thefts apart when another process of the service answers', async () => {
    const second = await createApi(ApiModule);
    await second.listen(0, '127.0.0.1');
    const there = new Client(await second.getUrl(), {});
    let tokens = await signIn(api, workspace.owner.email);
    for (let round = 0; round < 20; round++) {
      const answers = await Promise.all([
        refresh(tokens.refresh_token),
        there.post('/auth/refresh', { refresh_token: tokens.refresh_token }),
      ]);
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
      tokens = answers.find(({ status }) => status === 200)!.body as Tokens;
    }
    await refresh(tokens.refresh_token);
    await pause(50);
    await there.post('/auth/refresh', { refresh_token: tokens.refresh_token }).expect(401);
    await bearing(api, tokens.access_token, workspace.tenant_id).get('/me').expect(401);
    await second.close();
  });

  it('refuses unknown, expired and ended ones alike', async () => {
    const expired = await signIn(api, workspace.owner.email);
    await api.sql(`UPDATE refresh_token SET rt_expires_at = now() - interval '1 second' WHERE rt_hash = encode(sha256($1::bytea), 'hex')`, [
      Buffer.from(expired.refresh_token),
    ]);
    const ended = await signIn(api, workspace.owner.email);
    await api.stranger.post('/auth/logout', { refresh_token: ended.refresh_token }).expect(204);
    const answers = [await refresh('not a token'), await refresh(expired.refresh_token), await refresh(ended.refresh_token)];
    expect(answers.map(({ status }) => status)).toEqual([401, 401, 401]);
    expect(new Set(answers.map((answer) => JSON.stringify(bare(answer)))).size).toBe(1);
  });

  it('stops when the account is locked', async () => {
    const member = await signedInMember(api, workspace, 'viewer');
    await api.sql(`UPDATE account SET acc_status = 'locked' WHERE acc_id = $1`, [member.user_id]);
    expect((await refresh(member.tokens.refresh_token)).status).toBe(401);
  });

  it('stores no token, only hashes', async () => {
    const tokens = await signIn(api, workspace.owner.email);
    const rows = await api.sql<{ row: string }>(
      'SELECT refresh_token::text AS row FROM refresh_token UNION ALL SELECT account_session::text FROM account_session',
    );
    for (const { row } of rows) {
      expect(row).not.toContain(tokens.refresh_token);
      expect(row).not.toContain(tokens.access_token);
    }
  });
});

describe('signing out', () => {
  it('ends the session of a bearer at once, and no other one', async () => {
    const here = await signIn(api, workspace.owner.email);
    const elsewhere = await signIn(api, workspace.owner.email);
    const client = bearing(api, here.access_token, workspace.tenant_id);
    await client.get('/me').expect(200);
    await client.post('/auth/logout').expect(204);
    expect((await client.get('/me').expect(401)).body.code).toBe('unauthenticated');
    expect((await refresh(here.refresh_token)).status).toBe(401);
    await bearing(api, elsewhere.access_token, workspace.tenant_id).get('/me').expect(200);
  });

  it('ends the session of a refresh token, so that its access token is refused too', async () => {
    const tokens = await signIn(api, workspace.owner.email);
    await bearing(api, tokens.access_token, workspace.tenant_id).get('/me').expect(200);
    await api.stranger.post('/auth/logout', { refresh_token: tokens.refresh_token }).expect(204);
    await bearing(api, tokens.access_token, workspace.tenant_id).get('/me').expect(401);
  });

  it('says the same when there is nothing to end', async () => {
    await api.stranger.post('/auth/logout', { refresh_token: 'nonsense' }).expect(204);
    await api.stranger.post('/auth/logout').expect(204);
    await api.stranger.with({ Authorization: 'Bearer a.b.c' }).post('/auth/logout').expect(204);
  });
});

describe('one person in two workspaces', () => {
  it('[identity 2] has one user_id, and a change of role in one leaves the other as it was', async () => {
    const other = await api.workspace();
    const { user_id } = await api.provisioner.addUser(other.tenant_id, { user_email: workspace.owner.email, user_name: 'Guest' }, [
      'editor',
    ]);
    expect(user_id).toBe(workspace.owner.user_id);
    const tokens = await signIn(api, workspace.owner.email);
    expect(tokens.workspaces.map(({ ws_id }) => ws_id).sort()).toEqual([workspace.tenant_id, other.tenant_id].sort());
    const here = bearing(api, tokens.access_token, workspace.tenant_id);
    const there = bearing(api, tokens.access_token, other.tenant_id);
    const before = (await here.get('/me').expect(200)).body as { user: { user_id: string; user_name: string } };
    const guest = (await there.get('/me').expect(200)).body as typeof before & { permissions: string[] };
    expect([before.user.user_id, guest.user.user_id]).toEqual([user_id, user_id]);
    expect([before.user.user_name, guest.user.user_name]).toEqual(['Owner', 'Guest']);
    await api.sql(`UPDATE role SET role_permissions = '{task:view}' WHERE tenant_id = $1 AND role_key = 'editor'`, [other.tenant_id]);
    expect((await there.get('/me').expect(200)).body.permissions).toEqual(['task:view']);
    expect((await here.get('/me').expect(200)).body).toEqual(before);
  });
});
