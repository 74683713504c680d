import type { INestApplicationContext } from '@nestjs/common';
import { ScheduleHost } from '@atrium/platform/messaging';
import { newId } from '@atrium/platform/kernel';
import type { RunningApi, TestWorkspace } from '@atrium/platform/testing';
import { sharedAtriumWithWorker } from '../support/shared-atrium';
import { SignedIssuer } from './signed-issuer';
import { signedInMember } from './signing-in';

let api: RunningApi;
let worker: INestApplicationContext;
let ours: TestWorkspace;
let theirs: TestWorkspace;
let signed: SignedIssuer;

beforeAll(async () => {
  api = await sharedAtriumWithWorker();
  worker = api.worker;
  ours = await api.workspace();
  theirs = await api.workspace();
});
afterAll(() => api.close());
beforeEach(async () => {
  signed = await SignedIssuer.start();
});
afterEach(() => signed.stop());

const facts = (more: object = {}) => ({
  iss_name: 'Company sign-in',
  iss_issuer: signed.issuer,
  iss_audiences: ['atrium'],
  iss_domains: ['staff.example'],
  ...more,
});
const create = async (workspace: TestWorkspace, more: object = {}) =>
  (await workspace.owner.client.post('/admin/issuers', facts(more)).expect(201)).body as { iss_id: string; iss_issuer: string };
const roleOf = async (workspace: TestWorkspace, role_key: string): Promise<string> =>
  (
    await api.sql<{ role_id: string }>('SELECT role_id FROM role WHERE tenant_id = $1 AND role_key = $2', [workspace.tenant_id, role_key])
  )[0]!.role_id;
const trail = (iss_id: string) =>
  api.sql<{ aud_type: string; aud_after: object }>(
    'SELECT aud_type, aud_before, aud_after FROM audit_event WHERE tenant_id = $1 AND aud_target_id = $2 ORDER BY aud_timestamp, aud_id',
    [ours.tenant_id, iss_id],
  );

describe('trusting an issuer', () => {
  it('asks it, answers it with every default, and reports it to the trail and the events', async () => {
    const answer = await ours.owner.client.post('/admin/issuers', facts({ iss_domains: ['Staff.Example', '@staff.example'] })).expect(201);
    expect(answer.body).toMatchObject({
      iss_name: 'Company sign-in',
      iss_issuer: signed.issuer,
      iss_jwks_url: null,
      iss_audiences: ['atrium'],
      iss_algorithms: ['RS256'],
      iss_claims: { subject: 'sub', email: 'email', name: 'name', roles: null },
      iss_role_map: [],
      iss_provision: 'link',
      iss_domains: ['staff.example'],
      iss_default_role: null,
      iss_active: true,
      iss_checked_at: expect.any(String),
      iss_error: null,
    });
    for (const hidden of ['tenant_id', 'row_version', 'iss_trusted']) expect(answer.body).not.toHaveProperty(hidden);
    expect(answer.headers.location).toBe(`/api/v1/admin/issuers/${answer.body.iss_id}`);
    const read = await ours.owner.client.get(`/admin/issuers/${answer.body.iss_id}`).expect(200);
    expect(read.body).toEqual(answer.body);
    expect(read.headers.etag).toBe(answer.headers.etag);
    expect((await trail(answer.body.iss_id)).map((row) => row.aud_type)).toEqual(['issuer.created']);
    expect(
      await api.sql(`SELECT ev_payload FROM outbox WHERE tenant_id = $1 AND ev_name = 'issuer.created' AND ev_subject = $2`, [
        ours.tenant_id,
        answer.body.iss_id,
      ]),
    ).toEqual([{ ev_payload: { iss_name: 'Company sign-in' } }]);
  });

  it('is refused a second time, also at once', async () => {
    const answers = await Promise.all([
      ours.owner.client.post('/admin/issuers', facts()),
      ours.owner.client.post('/admin/issuers', facts()),
    ]);
    expect(answers.map((answer) => answer.status).sort()).toEqual([201, 409]);
    expect(answers.find((answer) => answer.status === 409)?.body.code).toBe('already_exists');
    await create(theirs);
  });

  it.each(['down', 'slow', 'huge', 'redirects', 'no json', 'names another'] as const)(
    'is 422 while the issuer is in this mood: %s',
    async (mood) => {
      signed.mood = mood;
      const refused = await ours.owner.client.post('/admin/issuers', facts()).expect(422);
      expect(refused.body).toMatchObject({ code: 'unprocessable_content', detail: expect.stringMatching(/discovery document|key set/) });
      expect(await api.sql('SELECT FROM issuer WHERE tenant_id = $1 AND iss_issuer = $2', [ours.tenant_id, signed.issuer])).toEqual([]);
    },
  );

  it('is 422 where nobody listens', async () => {
    await ours.owner.client.post('/admin/issuers', facts({ iss_issuer: 'http://127.0.0.1:9' })).expect(422);
  });

  it('is 400 for addresses that are not public and for what is not in form, one entry a fault', async () => {
    const bad: [object, string][] = [
      [{ iss_issuer: 'https://10.0.0.1' }, 'iss_issuer'],
      [{ iss_issuer: 'https://169.254.169.254/latest' }, 'iss_issuer'],
      [{ iss_issuer: 'https://[::1]' }, 'iss_issuer'],
      [{ iss_issuer: 'https://167772161' }, 'iss_issuer'],
      [{ iss_issuer: 'http://93.184.216.34' }, 'iss_issuer'],
      [{ iss_issuer: 'ftp://login.example.com' }, 'iss_issuer'],
      [{ iss_issuer: 'https://user:secret@login.example.com' }, 'iss_issuer'],
      [{ iss_issuer: `${signed.issuer}?realm=a` }, 'iss_issuer'],
      [{ iss_issuer: 'login.example.com' }, 'iss_issuer'],
      [{ iss_jwks_url: 'https://192.168.0.1/jwks' }, 'iss_jwks_url'],
      [{ iss_name: 'x'.repeat(81) }, 'iss_name'],
      [{ iss_algorithms: ['RS256', 'HS256'] }, 'iss_algorithms[1]'],
      [{ iss_algorithms: ['none'] }, 'iss_algorithms[0]'],
      [{ iss_claims: { roles: 'a..b' } }, 'iss_claims.roles'],
      [{ iss_domains: [] }, 'iss_domains'],
      [{ iss_domains: ['staff.example', 'no domain'] }, 'iss_domains[1]'],
      [{ iss_default_role: newId() }, 'iss_default_role'],
      [{ iss_default_role: await roleOf(theirs, 'viewer') }, 'iss_default_role'],
      [
        {
          iss_role_map: [
            { value: 'a', role_id: await roleOf(ours, 'viewer') },
            { value: 'b', role_id: await roleOf(theirs, 'viewer') },
          ],
        },
        'iss_role_map[1].role_id',
      ],
    ];
    for (const [more, path] of bad) {
      const refused = await ours.owner.client.post('/admin/issuers', facts(more));
      expect({ path, status: refused.status, paths: refused.body.errors?.map((entry: { path: string }) => entry.path) }).toEqual({
        path,
        status: 400,
        paths: [path],
      });
    }
  });

  it('maps no roles that the administrator could not give', async () => {
    const admin = await ours.member('admin');
    const owner = await roleOf(ours, 'owner');
    for (const more of [{ iss_role_map: [{ value: 'boss', role_id: owner }] }, { iss_default_role: owner }]) {
      expect((await admin.client.post('/admin/issuers', facts(more)).expect(403)).body).toMatchObject({
        code: 'permission_denied',
        detail: expect.stringContaining('*'),
      });
    }
    const { body } = await admin.client.post('/admin/issuers', facts()).expect(201);
    await admin.client.patch(`/admin/issuers/${body.iss_id}`, { iss_default_role: owner }).expect(403);
    await ours.owner.client.patch(`/admin/issuers/${body.iss_id}`, { iss_default_role: owner }).expect(200);
  });

  it('asks for a fresh sign-in; reading does not', async () => {
    const admin = await signedInMember(api, ours, 'admin');
    const { iss_id } = await create(ours);
    await admin.client.patch(`/admin/issuers/${iss_id}`, { iss_name: 'Fresh' }).expect(200);
    await api.sql(`UPDATE account_session SET ses_created = now() - interval '20 minutes' WHERE acc_id = $1`, [admin.user_id]);
    const tokens = (await api.stranger.post('/auth/refresh', { refresh_token: admin.tokens.refresh_token }).expect(200)).body as {
      access_token: string;
    };
    const old = admin.client.with({ Authorization: `Bearer ${tokens.access_token}` });
    await old.get(`/admin/issuers/${iss_id}`).expect(200);
    for (const write of [
      old.post('/admin/issuers', facts()),
      old.patch(`/admin/issuers/${iss_id}`, { iss_name: 'Stale' }),
      old.delete(`/admin/issuers/${iss_id}`),
    ]) {
      expect((await write.expect(401)).headers['www-authenticate']).toContain('insufficient_user_authentication');
    }
  });
});

describe('issuers', () => {
  it('are listed, filtered and sorted', async () => {
    const workspace = await api.workspace();
    const [b, a] = [
      await create(workspace, { iss_name: 'Bravo' }),
      await create(workspace, { iss_name: 'alpha', iss_issuer: (await startAnother()).issuer, iss_provision: 'create' }),
    ];
    const ids = async (query: string) =>
      (await workspace.owner.client.get(`/admin/issuers${query}`).expect(200)).body.data.map((row: { iss_id: string }) => row.iss_id);
    expect(await ids('')).toEqual([a.iss_id, b.iss_id]);
    expect(await ids('?sort=iss_name')).toEqual([a.iss_id, b.iss_id]);
    expect(await ids('?sort=-iss_name&limit=1')).toEqual([b.iss_id]);
    expect(await ids('?iss_provision=create')).toEqual([a.iss_id]);
    expect(await ids('?iss_name=RAV')).toEqual([b.iss_id]);
    expect(await ids('?iss_active=false')).toEqual([]);
  });

  it('change by the fields present, under If-Match', async () => {
    const { iss_id } = await create(ours);
    const changed = await ours.owner.client
      .with({ 'If-Match': '"1"' })
      .patch(`/admin/issuers/${iss_id}`, {
        iss_name: 'Staff',
        iss_claims: { roles: 'https://claims.example/roles' },
        iss_provision: 'none',
        iss_domains: [],
      })
      .expect(200);
    expect(changed.body).toMatchObject({
      iss_name: 'Staff',
      iss_claims: { subject: 'sub', roles: 'https://claims.example/roles' },
      iss_provision: 'none',
    });
    expect(changed.body).toEqual((await ours.owner.client.get(`/admin/issuers/${iss_id}`).expect(200)).body);
    await ours.owner.client.with({ 'If-Match': '"1"' }).patch(`/admin/issuers/${iss_id}`, { iss_name: 'Late' }).expect(412);
    await ours.owner.client.with({ 'If-Match': '"1"' }).delete(`/admin/issuers/${iss_id}`).expect(412);
    expect((await trail(iss_id)).at(-1)).toMatchObject({
      aud_type: 'issuer.updated',
      aud_after: { iss_name: 'Staff', iss_provision: 'none' },
    });
    await ours.owner.client.patch(`/admin/issuers/${iss_id}`, { iss_provision: 'link' }).expect(400);
    signed.mood = 'down';
    await ours.owner.client.patch(`/admin/issuers/${iss_id}`, { iss_name: 'Name alone' }).expect(200);
    await ours.owner.client.patch(`/admin/issuers/${iss_id}`, { iss_jwks_url: `${signed.issuer}/jwks` }).expect(422);
    await ours.owner.client.delete(`/admin/issuers/${iss_id}`).expect(204);
    await ours.owner.client.get(`/admin/issuers/${iss_id}`).expect(404);
    expect((await trail(iss_id)).at(-1)?.aud_type).toBe('issuer.deleted');
  });

  it('know nobody any more after their name changed', async () => {
    const workspace = await api.workspace();
    const { iss_id } = await create(workspace, { iss_provision: 'create' });
    await api.stranger
      .post('/auth/exchange', { ws_id: workspace.tenant_id, token: await signed.token({ sub: 's', email: 'a@staff.example' }) })
      .expect(200);
    const other = await startAnother();
    await workspace.owner.client.patch(`/admin/issuers/${iss_id}`, { iss_issuer: other.issuer, iss_provision: 'link' }).expect(200);
    await api.stranger
      .post('/auth/exchange', { ws_id: workspace.tenant_id, token: await other.token({ sub: 's', email: 'else@staff.example' }) })
      .expect(403);
    await api.stranger
      .post('/auth/exchange', { ws_id: workspace.tenant_id, token: await signed.token({ sub: 's', email: 'a@staff.example' }) })
      .expect(401);
  });

  it('are denied to who may not see the settings, naming the permission', async () => {
    const { iss_id } = await create(ours);
    const editor = (await ours.member('editor')).client;
    for (const call of [
      editor.get('/admin/issuers'),
      editor.post('/admin/issuers', facts()),
      editor.get(`/admin/issuers/${iss_id}`),
      editor.patch(`/admin/issuers/${iss_id}`, { iss_name: 'x' }),
      editor.delete(`/admin/issuers/${iss_id}`),
      editor.post(`/admin/issuers/${iss_id}/test`),
    ]) {
      expect((await call.expect(403)).body).toMatchObject({ code: 'permission_denied', detail: expect.stringContaining('admin:settings') });
    }
  });

  it('of another workspace do not exist', async () => {
    const { iss_id } = await create(ours);
    const stranger = theirs.owner.client;
    await stranger.get(`/admin/issuers/${iss_id}`).expect(404);
    await stranger.patch(`/admin/issuers/${iss_id}`, { iss_name: 'x' }).expect(404);
    await stranger.delete(`/admin/issuers/${iss_id}`).expect(404);
    await stranger.post(`/admin/issuers/${iss_id}/test`).expect(404);
    expect((await stranger.get(`/admin/issuers?iss_id=${iss_id}`).expect(200)).body.data).toEqual([]);
    await ours.owner.client.get(`/admin/issuers/${iss_id}`).expect(200);
  });
});

describe('the keys of issuers', () => {
  const kid = async (iss_id: string): Promise<string> =>
    (await api.sql<{ kid: string }>(`SELECT ik_jwks -> 0 ->> 'kid' AS kid FROM issuer_keys WHERE ik_issuer = $1`, [iss_id]))[0]!.kid;
  const refresh = () => worker.get(ScheduleHost, { strict: false }).runNow('identity.jwks');

  it('are fetched by the clock; an issuer that does not answer keeps them and says why', async () => {
    const { iss_id } = await create(ours);
    const first = signed.key.kid;
    expect(await kid(iss_id)).toBe(first);
    await signed.rotate();
    await refresh();
    const second = signed.key.kid;
    expect(await kid(iss_id)).toBe(second);
    const { headers } = await ours.owner.client.get(`/admin/issuers/${iss_id}`).expect(200);
    await signed.rotate();
    signed.mood = 'redirects';
    await refresh();
    expect(await kid(iss_id)).toBe(second);
    const failing = await ours.owner.client.get(`/admin/issuers/${iss_id}`).expect(200);
    expect(failing.body.iss_error).toContain('302');
    expect(failing.headers.etag).toBe(headers.etag);
    signed.mood = 'well';
    await refresh();
    expect(await kid(iss_id)).toBe(signed.key.kid);
    expect((await ours.owner.client.get(`/admin/issuers/${iss_id}`).expect(200)).body.iss_error).toBeNull();
  });

  it('are not asked for while the issuer is inactive or the workspace suspended', async () => {
    const workspace = await api.workspace();
    const { iss_id } = await create(workspace);
    await workspace.owner.client.patch(`/admin/issuers/${iss_id}`, { iss_active: false }).expect(200);
    const asked = signed.asked;
    await refresh();
    await workspace.owner.client.patch(`/admin/issuers/${iss_id}`, { iss_active: true }).expect(200);
    await api.sql(`UPDATE workspace SET ws_status = 'suspended' WHERE tenant_id = $1`, [workspace.tenant_id]);
    await refresh();
    expect(signed.asked).toBe(asked);
  });

  it('hold nothing but public parts, whatever the key set says besides', async () => {
    const { iss_id } = await create(ours);
    const [row] = await api.sql<{ parts: string[] }>(
      'SELECT ARRAY(SELECT jsonb_object_keys(ik_jwks -> 0)) AS parts FROM issuer_keys WHERE ik_issuer = $1',
      [iss_id],
    );
    expect(row!.parts.sort()).toEqual(['alg', 'e', 'kid', 'kty', 'n', 'use']);
  });
});

const others: SignedIssuer[] = [];
async function startAnother(): Promise<SignedIssuer> {
  const other = await SignedIssuer.start();
  others.push(other);
  return other;
}
afterAll(() => Promise.all(others.map((other) => other.stop())));
