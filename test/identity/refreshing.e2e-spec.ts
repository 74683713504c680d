import { eventually, type RunningApi, type TestWorkspace } from '@atrium/platform/testing';
import type { Response } from 'supertest';
import { sharedAtrium } from '../support/shared-atrium';
import { bearing, signedInMember, signIn, type Tokens } from './signing-in';

let api: RunningApi;
let workspace: TestWorkspace;

beforeAll(async () => {
  api = await sharedAtrium();
  workspace = await api.workspace();
});
afterAll(() => api.close());

const refresh = (refresh_token: string, key?: string): PromiseLike<Response> =>
  api.stranger.with(key === undefined ? {} : { 'Idempotency-Key': key }).post('/auth/refresh', { refresh_token });

describe('a lost answer to a refresh', () => {
  it('[identity 8] comes again with the same Idempotency-Key: the same pair, marked as replayed', async () => {
    const first = await signIn(api, workspace.owner.email);
    const answer = await refresh(first.refresh_token, 'lost-1');
    expect(answer.status).toBe(200);
    expect(answer.headers['idempotent-replayed']).toBeUndefined();
    const again = await refresh(first.refresh_token, 'lost-1');
    expect(again.status).toBe(200);
    expect(again.headers['idempotent-replayed']).toBe('true');
    expect(again.body).toEqual(answer.body);
    const { access_token, refresh_token } = again.body as Tokens;
    await bearing(api, access_token, workspace.tenant_id).get('/me').expect(200);
    expect((await refresh(refresh_token)).status).toBe(200);
  });

  it('comes no more after a minute: then the token is spent, and presenting it is a theft', async () => {
    const first = await signIn(api, workspace.owner.email);
    const { refresh_token } = (await refresh(first.refresh_token, 'late')).body as Tokens;
    await api.sql(`UPDATE refresh_replay SET rr_created = now() - interval '61 seconds'`);
    expect((await refresh(first.refresh_token, 'late')).status).toBe(401);
    expect((await refresh(refresh_token)).status).toBe(401);
  });

  it('comes to nobody without the key or with another one', async () => {
    for (const key of [undefined, 'other']) {
      const first = await signIn(api, workspace.owner.email);
      await refresh(first.refresh_token, 'mine');
      expect((await refresh(first.refresh_token, key)).status).toBe(401);
    }
  });

  it('of two sessions that use one key is each its own', async () => {
    const sessions = [
      await signIn(api, workspace.owner.email),
      await signedInMember(api, workspace, 'editor').then(({ tokens }) => tokens),
    ];
    const answers = await Promise.all(sessions.map(({ refresh_token }) => refresh(refresh_token, 'shared')));
    for (const [at, { user, refresh_token }] of sessions.entries()) {
      expect(answers[at]?.headers['idempotent-replayed']).toBeUndefined();
      expect((answers[at]?.body as Tokens).user.user_id).toBe(user.user_id);
      expect((await refresh(refresh_token, 'shared')).body).toEqual(answers[at]?.body);
    }
  });

  it('comes to nobody once the session has ended', async () => {
    const first = await signIn(api, workspace.owner.email);
    const { refresh_token } = (await refresh(first.refresh_token, 'ended')).body as Tokens;
    await api.stranger.post('/auth/logout', { refresh_token }).expect(204);
    expect((await refresh(first.refresh_token, 'ended')).status).toBe(401);
  });

  it('is kept sealed', async () => {
    const first = await signIn(api, workspace.owner.email);
    const { refresh_token, access_token } = (await refresh(first.refresh_token, 'sealed')).body as Tokens;
    const rows = await api.sql<{ row: string }>('SELECT refresh_replay::text AS row FROM refresh_replay');
    expect(rows.length).toBeGreaterThan(0);
    for (const { row } of rows)
      for (const secret of [refresh_token, access_token, first.refresh_token, 'sealed-']) expect(row).not.toContain(secret);
  });

  it('of two requests at once with one key, one wins and the other asks again', async () => {
    let { refresh_token } = await signIn(api, workspace.owner.email);
    for (let round = 0; round < 10; round++) {
      const key = `both-${round}`;
      const answers = await Promise.all([refresh(refresh_token, key), refresh(refresh_token, key)]);
      const winner = answers.find(({ status }) => status === 200)!;
      expect(answers.map(({ status }) => status).every((status) => [200, 409].includes(status))).toBe(true);
      const again = await refresh(refresh_token, key);
      expect(again.body).toEqual(winner.body);
      ({ refresh_token } = winner.body as Tokens);
    }
  });

  it('needs a key of printable ASCII', async () => {
    const { refresh_token } = await signIn(api, workspace.owner.email);
    expect((await refresh(refresh_token, 'x'.repeat(256))).status).toBe(400);
    expect((await refresh(refresh_token, 'fine')).status).toBe(200);
  });
});

describe('a spent token that comes again', () => {
  it('is reported to every workspace of the person, as an event and in the audit trail', async () => {
    const other = await api.workspace();
    const member = await signedInMember(api, workspace, 'viewer');
    await api.provisioner.addUser(other.tenant_id, { user_email: member.email, user_name: 'Guest' }, ['viewer']);
    await refresh(member.tokens.refresh_token);
    expect((await refresh(member.tokens.refresh_token)).status).toBe(401);
    const events = (): Promise<{ tenant_id: string }[]> =>
      api.sql(`SELECT tenant_id FROM outbox WHERE ev_name = 'session.reuse_detected' AND ev_subject = $1`, [member.user_id]);
    const told = await eventually(events, (rows) => rows.length >= 2);
    expect(told.map(({ tenant_id }) => tenant_id).sort()).toEqual([workspace.tenant_id, other.tenant_id].sort());
    const audited = await api.sql(`SELECT aud_after FROM audit_event WHERE aud_type = 'account.session_reused' AND aud_target_id = $1`, [
      member.user_id,
    ]);
    expect(audited).toEqual([{ aud_after: { address: '127.0.0.1' } }, { aud_after: { address: '127.0.0.1' } }]);
  });
});
