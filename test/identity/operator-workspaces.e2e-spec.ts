import { newId } from '@atrium/platform/kernel';
import { MODULES } from '@atrium/platform/access';
import type { RunningApi } from '@atrium/platform/testing';
import { startAtrium } from '../support/api';
import { operatorOf, OPERATOR_TOKENS, order, type OperatorClient } from '../support/operating';
import { bearing, signIn } from './signing-in';

const PASSWORD = 'correct horse battery staple';

let api: RunningApi;
let operator: OperatorClient;

beforeAll(async () => {
  api = await startAtrium({ OPERATOR_TOKENS });
  operator = operatorOf(api);
});
afterAll(() => api.close());

const made = async (more: Record<string, unknown> = {}): Promise<{ ws_id: string; ws_slug: string; email: string }> => {
  const wanted = order(more);
  const { ws_id } = (await operator.post('/workspaces', { ...wanted, owner: { ...wanted.owner, password: PASSWORD } }).expect(201))
    .body as { ws_id: string };
  return { ws_id, ws_slug: wanted.ws_slug, email: wanted.owner.user_email };
};

const audited = (ws_id: string): Promise<{ aud_type: string; aud_actor_kind: string; aud_actor_name: string }[]> =>
  api.sql('SELECT aud_type, aud_actor_kind, aud_actor_name FROM audit_event WHERE tenant_id = $1 ORDER BY aud_timestamp, aud_id', [ws_id]);

describe('POST /operator/v1/workspaces', () => {
  it('makes the workspace with its owner, roles and modules; audited as the operator', async () => {
    const wanted = order({ ws_modules: ['module-design'], ws_seat_limit: 5, ws_timezone: 'Asia/Kathmandu', ws_locale: 'PT-br' });
    const answer = await operator.post('/workspaces', { ...wanted, owner: { ...wanted.owner, password: PASSWORD } }).expect(201);
    const { ws_id } = answer.body;
    expect(answer.headers.location).toBe(`/operator/v1/workspaces/${ws_id}`);
    expect(answer.body).toMatchObject({
      ws_slug: wanted.ws_slug,
      ws_status: 'active',
      ws_seat_limit: 5,
      ws_seats_used: 1,
      ws_timezone: 'Asia/Kathmandu',
      ws_locale: 'pt-BR',
      ws_modules: ['module-design'],
      counts: { users: 1, files: 0, bytes: 0 },
      invite_url: null,
    });
    const tokens = await signIn(api, wanted.owner.user_email, PASSWORD);
    const me = await bearing(api, tokens.access_token, ws_id).get('/me').expect(200);
    expect(me.body.roles.map(({ role_key }: { role_key: string }) => role_key)).toEqual(['owner']);
    expect(await audited(ws_id)).toContainEqual({
      aud_type: 'workspace.created',
      aud_actor_kind: 'operator',
      aud_actor_name: 'operator:ops',
    });
    expect(await api.sql('SELECT role_key FROM role WHERE tenant_id = $1', [ws_id])).toHaveLength(5);
  });

  it('[identity 32] twice with one ws_external_id answers 201 and then 200 with the one workspace, also at once', async () => {
    const ws_external_id = `crm-${newId()}`;
    const first = await operator.post('/workspaces', order({ ws_external_id })).expect(201);
    const second = await operator.post('/workspaces', order({ ws_external_id })).expect(200);
    expect(second.body.ws_id).toBe(first.body.ws_id);
    expect(second.body.invite_url).toBeNull();
    const raced = `crm-${newId()}`;
    const answers = await Promise.all([1, 2, 3, 4].map(() => operator.post('/workspaces', order({ ws_external_id: raced }))));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 201]);
    expect(new Set(answers.map(({ body }) => body.ws_id)).size).toBe(1);
    for (const id of [ws_external_id, raced])
      expect(await api.sql('SELECT 1 FROM workspace WHERE ws_external_id = $1', [id])).toHaveLength(1);
  });

  it('without a password answers a link by which the owner comes in', async () => {
    const wanted = order();
    const { body } = await operator.post('/workspaces', wanted).expect(201);
    const token = (body.invite_url as string).split('/').at(-1);
    const seen = await api.stranger.get(`/auth/invitations/${token}`).expect(200);
    expect(seen.body).toMatchObject({ ws_name: 'Harbour Media', needs_password: true });
    const accepted = await api.stranger.post('/auth/invitations/accept', { token, password: PASSWORD }).expect(200);
    await bearing(api, accepted.body.access_token, body.ws_id).get('/me').expect(200);
  });

  it('refuses what cannot be, naming the field, and makes nothing', async () => {
    const { ws_slug } = await made();
    const before = await api.sql('SELECT 1 FROM workspace');
    const bad: [Record<string, unknown>, number, string?][] = [
      [{ ws_slug }, 409, 'ws_slug'],
      [{ ws_slug: 'Acme!' }, 400, 'ws_slug'],
      [{ ws_name: '' }, 400, 'ws_name'],
      [{ ws_timezone: 'Mars/Base' }, 400, 'ws_timezone'],
      [{ ws_locale: '!!' }, 400, 'ws_locale'],
      [{ ws_modules: ['module-none'] }, 400, 'ws_modules'],
      [{ owner: { user_email: 'nobody', user_name: 'x' } }, 400, 'user_email'],
      [{ owner: { user_email: 'a@b.example' } }, 400, 'owner.user_name'],
      [{ owner: { user_email: 'a@b.example', user_name: 'x', password: 'short' } }, 400, 'owner.password'],
      [{ initial_credits: -1 }, 400, 'initial_credits'],
      [{ unknown: 1 }, 400, 'unknown'],
    ];
    for (const [wrong, status, path] of bad) {
      const answer = await operator.post('/workspaces', { ...order(), ...wrong });
      expect({ wrong, status: answer.status, path: answer.body.errors?.[0]?.path }).toEqual({ wrong, status, path });
    }
    expect(await api.sql('SELECT 1 FROM workspace')).toHaveLength(before.length);
  });
});

describe('GET and PATCH /operator/v1/workspaces', () => {
  it('lists workspaces latest first, filtered and paged, with a constant number of statements', async () => {
    const marker = `Pier ${newId().slice(-6)}`;
    const ids: string[] = [];
    for (let i = 0; i < 3; i++) ids.unshift((await made({ ws_name: `${marker} 100% ${i}` })).ws_id);
    const found = await operator.get(`/workspaces?ws_name=${encodeURIComponent(marker.toLowerCase())}&limit=2`).expect(200);
    expect(found.body.data.map(({ ws_id }: { ws_id: string }) => ws_id)).toEqual(ids.slice(0, 2));
    expect(found.body).toMatchObject({ has_more: true, data: [{ counts: { users: 1, files: 0, bytes: 0 } }, {}] });
    const rest = await operator
      .get(`/workspaces?ws_name=${encodeURIComponent(marker)}&limit=2&cursor=${found.body.next_cursor}`)
      .expect(200);
    expect(rest.body).toMatchObject({ has_more: false, next_cursor: null, data: [{ ws_id: ids[2] }] });
    expect(
      (await operator.get(`/workspaces?ws_name=${encodeURIComponent('100%')}&ws_status=active`).expect(200)).body.data.length,
    ).toBeGreaterThanOrEqual(3);
    for (const wrong of ['ws_status=gone', 'limit=0', 'colour=red']) await operator.get(`/workspaces?${wrong}`).expect(400);
  });

  it('changes what operators may change; 404 for what is none', async () => {
    const { ws_id } = await made();
    const other = await made();
    const changed = await operator
      .patch(`/workspaces/${ws_id}`, { ws_name: 'New', ws_seat_limit: 3, ws_metadata: { plan: 'team' }, ws_external_id: `x-${ws_id}` })
      .expect(200);
    expect(changed.body).toMatchObject({ ws_name: 'New', ws_seat_limit: 3, ws_metadata: { plan: 'team' } });
    expect((await operator.patch(`/workspaces/${ws_id}`, { ws_seat_limit: null }).expect(200)).body).toMatchObject({
      ws_name: 'New',
      ws_seat_limit: null,
    });
    await operator.patch(`/workspaces/${ws_id}`, { ws_slug: other.ws_slug }).expect(409);
    await operator.patch(`/workspaces/${ws_id}`, { ws_slug: '9' }).expect(400);
    await operator.patch(`/workspaces/${other.ws_id}`, { ws_external_id: `x-${ws_id}` }).expect(409);
    for (const nobody of [newId(), 'nobody']) {
      await operator.get(`/workspaces/${nobody}`).expect(404);
      await operator.patch(`/workspaces/${nobody}`, { ws_name: 'x' }).expect(404);
      await operator.post(`/workspaces/${nobody}/suspend`).expect(404);
      await operator.delete(`/workspaces/${nobody}`).expect(404);
      await operator.put(`/workspaces/${nobody}/modules/module-design`).expect(404);
      await operator.post(`/workspaces/${nobody}/owners`, { user_email: 'a@b.example' }).expect(404);
    }
    expect((await audited(ws_id)).filter(({ aud_type }) => aud_type === 'workspace.changed')).toHaveLength(2);
  });
});

describe('modules', () => {
  it('are granted, changed and ended, from the next request on', async () => {
    const { ws_id, email } = await made();
    const client = bearing(api, (await signIn(api, email, PASSWORD)).access_token, ws_id);
    const modulesOf = async (): Promise<string[]> => (await client.get('/me').expect(200)).body.modules;
    expect(
      (
        await operator
          .put(`/workspaces/${ws_id}/modules/module-objects`, { lic_source: 'contract', lic_expires_at: '2090-01-01T00:00:00Z' })
          .expect(200)
      ).body,
    ).toMatchObject({ lic_active: true, lic_source: 'contract', lic_expires_at: '2090-01-01T00:00:00.000Z' });
    expect(await modulesOf()).toEqual(['module-objects']);
    expect((await operator.put(`/workspaces/${ws_id}/modules/module-objects`, { lic_expires_at: null }).expect(200)).body).toMatchObject({
      lic_source: 'contract',
      lic_expires_at: null,
    });
    expect(
      (await operator.put(`/workspaces/${ws_id}/modules/module-ppt`, { lic_starts_at: '2089-01-01T00:00:00Z' }).expect(200)).body
        .lic_active,
    ).toBe(false);
    await operator.delete(`/workspaces/${ws_id}/modules/module-objects`).expect(204);
    expect(await modulesOf()).toEqual([]);
    await operator.delete(`/workspaces/${ws_id}/modules/module-objects`).expect(404);
    await operator.put(`/workspaces/${ws_id}/modules/module-none`).expect(404);
    await operator.put(`/workspaces/${ws_id}/modules/module-design`, { lic_expires_at: '2001-01-01T00:00:00Z' }).expect(400);
    await operator.put(`/workspaces/${ws_id}/modules/module-objects`).expect(200);
    expect(await modulesOf()).toEqual(['module-objects']);
    expect(MODULES).toContain('module-objects');
  });
});

describe('POST /operator/v1/workspaces/{id}/owners', () => {
  it('lets a new person in by a link, makes a member an owner at once, and lets a suspended one in again', async () => {
    const workspace = await api.workspace();
    const viewer = await workspace.member('viewer');
    const promoted = await operator
      .post(`/workspaces/${workspace.tenant_id}/owners`, { user_email: viewer.email.toUpperCase() })
      .expect(200);
    expect(promoted.body).toEqual({ user_id: viewer.user_id, invite_url: null });
    expect((await viewer.client.get('/me').expect(200)).body.permissions.length).toBeGreaterThan(50);
    await api.sql(`UPDATE workspace_user SET user_status = 'suspended' WHERE tenant_id = $1 AND user_id = $2`, [
      workspace.tenant_id,
      viewer.user_id,
    ]);
    await operator.post(`/workspaces/${workspace.tenant_id}/owners`, { user_email: viewer.email }).expect(200);
    await viewer.client.get('/me').expect(200);
    const invited = await operator
      .post(`/workspaces/${workspace.tenant_id}/owners`, { user_email: `new@${workspace.slug}.example`, user_name: 'New' })
      .expect(200);
    await api.stranger.get(`/auth/invitations/${(invited.body.invite_url as string).split('/').at(-1)}`).expect(200);
    await operator.post(`/workspaces/${workspace.tenant_id}/owners`, { user_email: 'nobody' }).expect(400);
  });
});

describe('POST /operator/v1/signing-keys/rotate', () => {
  it('lets the next key sign, which was shown before; tokens of the one before hold until they expire, and the key goes after that', async () => {
    const workspace = await api.workspace();
    const kidOf = (token: string): string => (JSON.parse(Buffer.from(token.split('.')[0]!, 'base64url').toString()) as { kid: string }).kid;
    const shown = async (): Promise<string[]> =>
      ((await (await fetch(`${api.url}/.well-known/jwks.json`)).json()) as { keys: { kid: string }[] }).keys.map(({ kid }) => kid);
    const old = (await signIn(api, workspace.owner.email)).access_token;
    const [before] = [await shown()];
    const states = (await operator.post('/signing-keys/rotate').expect(200)).body as { active: string; next: string; retired: string[] };
    expect(before).toContain(states.active);
    expect(states.retired).toContain(kidOf(old));
    const fresh = (await signIn(api, workspace.owner.email)).access_token;
    expect(kidOf(fresh)).toBe(states.active);
    for (const token of [old, fresh]) await bearing(api, token, workspace.tenant_id).get('/me').expect(200);
    expect((await shown()).sort()).toEqual([states.active, states.next, ...states.retired].sort());
    await Promise.all([operator.post('/signing-keys/rotate').expect(200), operator.post('/signing-keys/rotate').expect(200)]);
    expect(await api.sql(`SELECT sk_state FROM signing_key WHERE sk_state <> 'retired' ORDER BY sk_state`)).toEqual([
      { sk_state: 'active' },
      { sk_state: 'next' },
    ]);
  });
});
