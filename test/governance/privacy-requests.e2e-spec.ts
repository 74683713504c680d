import { newId } from '@atrium/platform/kernel';
import { eventually, type Client, type Member, type RunningApi, type TestWorkspace } from '@atrium/platform/testing';
import { sharedAtriumWithWorker } from '../support/shared-atrium';
import { bearing, signIn } from '../identity/signing-in';
import { ADMIN, MINE, orderOf, over, personIn, readRequest, type PrivacyRequest } from './asking-for-data';

let api: RunningApi;
let ours: TestWorkspace;
let theirs: TestWorkspace;
let count = 0;

beforeAll(async () => {
  api = await sharedAtriumWithWorker();
  ours = await api.workspace();
  theirs = await api.workspace();
});
afterAll(() => api.close());

/** Somebody of whom nothing is asked yet. */
const somebody = async (workspace = ours): Promise<Member & { readonly session: Client }> =>
  personIn(api, workspace, `${newId()}@people.example`, 'Ada');
const ownerSession = async ({ owner, tenant_id }: TestWorkspace): Promise<Client> =>
  bearing(api, (await signIn(api, owner.email)).access_token, tenant_id);
const erasureOf = (user_id: string, execute_after_days = 7) => ({
  dsr_kind: 'erasure',
  dsr_subject_type: 'user',
  dsr_subject: user_id,
  execute_after_days,
});
const events = async (workspace: TestWorkspace, dsr_id: string): Promise<string[]> =>
  (
    await api.sql<{ ev_name: string }>(
      `SELECT ev_name FROM outbox WHERE tenant_id = $1 AND ev_subject = $2 AND ev_kind = 'event' ORDER BY ev_id`,
      [workspace.tenant_id, dsr_id],
    )
  ).map(({ ev_name }) => ev_name);
const audited = async (client: Client, dsr_id: string): Promise<string[]> =>
  ((await client.get(`/admin/audit-events?aud_target_id=${dsr_id}`).expect(200)).body as { data: { aud_type: string }[] }).data
    .map(({ aud_type }) => aud_type)
    .reverse();
const ask = async (person: { readonly session: Client }, dsr_kind: string): Promise<PrivacyRequest> =>
  (await person.session.post(MINE, { dsr_kind }).expect(202)).body as PrivacyRequest;

describe('what a person asks for themself', () => {
  it('is exported at once, and is theirs alone to see and fetch', async () => {
    const [person, other] = [await somebody(), await somebody()];
    const answer = await person.session.post(MINE, { dsr_kind: 'export' }).expect(202);
    const { dsr_id } = answer.body as PrivacyRequest;
    expect(answer.headers.location).toBe(`/api/v1${MINE}/${dsr_id}`);
    expect(answer.body).toMatchObject({
      dsr_status: 'scheduled',
      dsr_subject_type: 'user',
      dsr_subject: person.user_id,
      dsr_include_files: true,
      dsr_approved_by: null,
    });
    expect(answer.body).not.toHaveProperty('row_version');
    expect(await over(person.session, dsr_id, { base: MINE })).toMatchObject({ dsr_status: 'completed' });
    expect(
      (
        await fetch(
          ((await person.session.get(`${MINE}/${dsr_id}/download-url`).expect(200)).body as { download_url: string }).download_url,
        )
      ).status,
    ).toBe(200);
    for (const route of ['', '/download-url']) await other.session.get(`${MINE}/${dsr_id}${route}`).expect(404);
    await other.session.delete(`${MINE}/${dsr_id}`).expect(404);
    expect((await other.session.get(MINE).expect(200)).body).toMatchObject({ data: [] });
    expect((await person.session.get(`${MINE}?dsr_kind=export`).expect(200)).body).toMatchObject({ data: [{ dsr_id }] });
    expect(await events(ours, dsr_id)).toEqual(['privacy_request.created', 'privacy_request.completed']);
    expect(await audited(ours.owner.client, dsr_id)).toEqual([
      'privacy_request.created',
      'privacy_request.completed',
      'privacy_request.downloaded',
    ]);
  }, 60_000);

  it('waits for an administrator when it is an erasure, and can be withdrawn', async () => {
    const person = await somebody();
    const asked = await ask(person, 'erasure');
    expect(asked).toMatchObject({ dsr_status: 'pending_approval', dsr_approved_by: null });
    expect((await person.session.post(MINE, { dsr_kind: 'erasure' }).expect(409)).body).toMatchObject({ code: 'already_exists' });
    await person.session.delete(`${MINE}/${asked.dsr_id}`).expect(204);
    await person.session.delete(`${MINE}/${asked.dsr_id}`).expect(204);
    expect((await ours.owner.client.post(`${ADMIN}/${asked.dsr_id}/approve`).expect(409)).body).toMatchObject({ code: 'invalid_state' });
    expect(await readRequest(person.session, asked.dsr_id, MINE)).toMatchObject({ dsr_status: 'cancelled' });
    expect(await audited(ours.owner.client, asked.dsr_id)).toEqual(['privacy_request.created', 'privacy_request.cancelled']);
    expect(await ask(person, 'erasure')).toMatchObject({ dsr_status: 'pending_approval' });
  });

  it('begins after the approval, when its time has come; from then on the person can do nothing', async () => {
    const person = await somebody();
    const { dsr_id } = await ask(person, 'erasure');
    await person.client.post(`${ADMIN}/${dsr_id}/approve`).expect(403);
    await api.sql(`UPDATE privacy_request SET dsr_execute_after = now() WHERE dsr_id = $1`, [dsr_id]);
    const answer = await ours.owner.client.post(`${ADMIN}/${dsr_id}/approve`).expect(200);
    expect(answer.body).toMatchObject({ dsr_status: 'scheduled', dsr_approved_by: ours.owner.user_id });
    expect(answer.headers.etag).toMatch(/^"\d+"$/);
    expect(await over(ours.owner.client, dsr_id)).toMatchObject({ dsr_status: 'completed' });
    await person.client.get('/me').expect(401);
    for (const move of ['approve', 'cancel', 'retry'])
      expect((await ours.owner.client.post(`${ADMIN}/${dsr_id}/${move}`).expect(409)).body).toMatchObject({ code: 'invalid_state' });
    expect((await ours.owner.client.get(`${ADMIN}/${dsr_id}/download-url`).expect(409)).body).toMatchObject({ code: 'invalid_state' });
    expect(await events(ours, dsr_id)).toEqual(['privacy_request.created', 'privacy_request.completed']);
  }, 60_000);

  it('is refused to the last owner as an erasure, and to users who are not people', async () => {
    const workspace = await api.workspace();
    expect((await (await ownerSession(workspace)).post(MINE, { dsr_kind: 'erasure' }).expect(409)).body).toMatchObject({
      code: 'invalid_state',
    });
    const { user_id } = (await workspace.owner.client.post('/admin/users', { user_kind: 'service', user_name: 'Robot' }).expect(201))
      .body as { user_id: string };
    await workspace.owner.client.post(ADMIN, erasureOf(user_id)).expect(400);
    await (await ownerSession(workspace)).post(MINE, { dsr_kind: 'nothing' }).expect(400);
    await api.stranger.post(MINE, { dsr_kind: 'export' }).expect(401);
  });
});

describe('what an administrator orders', () => {
  it('needs admin:users and admin:audit together', async () => {
    const narrow = await ours.member('admin', ['admin:users']);
    const { dsr_id } = await orderOf(ours.owner.client, erasureOf((await somebody()).user_id));
    const calls: Promise<{ status: number; body: unknown }>[] = [
      narrow.client.get(ADMIN),
      narrow.client.post(ADMIN, erasureOf(newId())),
      narrow.client.get(`${ADMIN}/${dsr_id}`),
      narrow.client.get(`${ADMIN}/${dsr_id}/download-url`),
      ...['approve', 'cancel', 'retry'].map((move) => narrow.client.post(`${ADMIN}/${dsr_id}/${move}`)),
    ];
    for (const { status, body } of await Promise.all(calls)) {
      expect({ status, detail: (body as { detail: string }).detail }).toEqual({
        status: 403,
        detail: expect.stringContaining('admin:audit') as string,
      });
    }
  });

  it('is scheduled a week ahead as an erasure, once at a time however the person is named', async () => {
    const person = await somebody();
    const { dsr_id, dsr_status, dsr_execute_after } = await orderOf(ours.owner.client, {
      dsr_kind: 'erasure',
      dsr_subject_type: 'user',
      dsr_subject: person.user_id,
    });
    expect([dsr_status, Math.round((Date.parse(dsr_execute_after) - Date.now()) / 86_400_000)]).toEqual(['scheduled', 7]);
    expect(
      (
        await ours.owner.client
          .post(ADMIN, { dsr_kind: 'erasure', dsr_subject_type: 'email', dsr_subject: person.email.toUpperCase() })
          .expect(409)
      ).body,
    ).toMatchObject({ code: 'already_exists' });
    expect((await person.session.post(MINE, { dsr_kind: 'erasure' }).expect(409)).body).toMatchObject({ code: 'already_exists' });
    await person.session.post(MINE, { dsr_kind: 'export' }).expect(202);
    await person.session.get(`${MINE}/${dsr_id}`).expect(404);
    expect((await ours.owner.client.get(`${ADMIN}?dsr_kind=erasure&dsr_subject=${person.user_id}`).expect(200)).body).toMatchObject({
      data: [{ dsr_id }],
    });
    expect((await ours.owner.client.post(`${ADMIN}/${dsr_id}/cancel`).expect(200)).body).toMatchObject({ dsr_status: 'cancelled' });
    await person.client.get('/me').expect(200);
    expect(await audited(ours.owner.client, dsr_id)).toEqual(['privacy_request.created', 'privacy_request.cancelled']);
  });

  it('of many at the same moment for one person, one is taken', async () => {
    const person = await somebody();
    const answers = await Promise.all(Array.from({ length: 6 }, () => ours.owner.client.post(ADMIN, erasureOf(person.user_id))));
    expect(answers.map(({ status }) => status).sort()).toEqual([202, 409, 409, 409, 409, 409]);
  });

  it('never reaches oneself, the last owner, or who may more', async () => {
    const second = await personIn(api, ours, `${newId()}@people.example`, 'Second', 'owner');
    const admin = await ours.member('admin');
    expect((await second.client.post(ADMIN, erasureOf(second.user_id)).expect(409)).body).toMatchObject({ code: 'invalid_state' });
    for (const dsr_kind of ['erasure', 'export'])
      expect((await admin.client.post(ADMIN, { ...erasureOf(second.user_id), dsr_kind }).expect(403)).body).toMatchObject({
        code: 'permission_denied',
      });
    const alone = await api.workspace();
    expect(
      (await alone.owner.client.post(ADMIN, { dsr_kind: 'erasure', dsr_subject_type: 'email', dsr_subject: alone.owner.email }).expect(409))
        .body,
    ).toMatchObject({ code: 'invalid_state' });
    // By her own request, approved by herself.
    const { dsr_id } = await ask(second, 'erasure');
    expect((await second.client.post(`${ADMIN}/${dsr_id}/approve`).expect(409)).body).toMatchObject({ code: 'invalid_state' });
    expect((await admin.client.post(`${ADMIN}/${dsr_id}/approve`).expect(403)).body).toMatchObject({ code: 'permission_denied' });
  });

  it('fails, and erases nothing, when the person became the last owner in the meantime', async () => {
    const workspace = await api.workspace();
    const second = await workspace.member('owner');
    const { dsr_id } = await orderOf(workspace.owner.client, erasureOf(second.user_id, 1));
    await api.sql(`DELETE FROM user_role_link WHERE tenant_id = $1 AND user_id = $2`, [workspace.tenant_id, workspace.owner.user_id]);
    await begin(dsr_id);
    expect(await over(second.client, dsr_id)).toMatchObject({
      dsr_status: 'failed',
      dsr_error: 'At least one active person must keep the role owner.',
    });
    await second.client.get('/me').expect(200);
    expect(await events(workspace, dsr_id)).toEqual(['privacy_request.created', 'privacy_request.failed']);
  }, 60_000);

  it('is blocked by a legal hold on the person, and goes on once it is released and retried', async () => {
    const person = await somebody();
    const hold = (
      await ours.owner.client
        .post('/admin/legal-holds', { lh_name: 'Matter', lh_target_type: 'user', lh_target_id: person.user_id, lh_reason: 'A letter' })
        .expect(201)
    ).body as { lh_id: string };
    const { dsr_id } = await orderOf(ours.owner.client, erasureOf(person.user_id, 0));
    expect(await over(ours.owner.client, dsr_id)).toMatchObject({ dsr_status: 'blocked' });
    await person.client.get('/me').expect(200);
    expect((await ours.owner.client.post(`${ADMIN}/${dsr_id}/retry`).expect(409)).body).toMatchObject({ code: 'invalid_state' });
    expect((await ours.owner.client.post(ADMIN, erasureOf(person.user_id)).expect(409)).body).toMatchObject({ code: 'already_exists' });
    await ours.owner.client.delete(`/admin/legal-holds/${hold.lh_id}`).expect(204);
    expect((await ours.owner.client.post(`${ADMIN}/${dsr_id}/retry`).expect(200)).body).toMatchObject({ dsr_status: 'scheduled' });
    expect(
      await eventually(
        () => readRequest(ours.owner.client, dsr_id),
        ({ dsr_status }) => dsr_status === 'completed',
        30_000,
      ),
    ).toMatchObject({ dsr_status: 'completed' });
    expect(await audited(ours.owner.client, dsr_id)).toEqual([
      'privacy_request.created',
      'privacy_request.blocked',
      'privacy_request.retried',
      'privacy_request.completed',
    ]);
  }, 60_000);

  it('refuses what it cannot read', async () => {
    const bad: object[] = [
      {},
      { dsr_kind: 'export' },
      { ...erasureOf(newId()) },
      { ...erasureOf('no id') },
      { ...erasureOf((await somebody(theirs)).user_id) },
      { dsr_kind: 'export', dsr_subject_type: 'email', dsr_subject: 'nobody' },
      { dsr_kind: 'export', dsr_subject_type: 'email', dsr_subject: `${'a'.repeat(250)}@b.example` },
      { dsr_kind: 'export', dsr_subject_type: 'person', dsr_subject: newId() },
      { dsr_kind: 'export', dsr_subject_type: 'face', dsr_subject: 'x' },
      erasureOf(newId(), 31),
      erasureOf(newId(), -1),
      { ...erasureOf(newId()), dsr_include_files: 'yes' },
      { ...erasureOf(newId()), more: 1 },
    ];
    for (const body of bad)
      expect((await ours.owner.client.post(ADMIN, body).expect(400)).body).toMatchObject({ code: 'validation_failed' });
    for (const route of ['', '/download-url']) await ours.owner.client.get(`${ADMIN}/${newId()}${route}`).expect(404);
    await ours.owner.client.get(`${ADMIN}/none`).expect(404);
    await ours.owner.client.get(`${ADMIN}?dsr_status=gone`).expect(400);
  });

  it('is not there for another workspace', async () => {
    const { dsr_id } = await orderOf(ours.owner.client, erasureOf((await somebody()).user_id));
    const session = await ownerSession(theirs);
    for (const base of [ADMIN, MINE]) {
      for (const route of ['', '/download-url'])
        await (base === MINE ? session : theirs.owner.client).get(`${base}/${dsr_id}${route}`).expect(404);
    }
    for (const move of ['approve', 'cancel', 'retry']) await theirs.owner.client.post(`${ADMIN}/${dsr_id}/${move}`).expect(404);
    await session.delete(`${MINE}/${dsr_id}`).expect(404);
    expect((await theirs.owner.client.get(ADMIN).expect(200)).body).toMatchObject({ data: [] });
    expect(await readRequest(ours.owner.client, dsr_id)).toMatchObject({ dsr_status: 'scheduled' });
  });

  it('keeps the address that was named out of the access log', async () => {
    const email = `quiet-${++count}@quay.example`;
    await personIn(api, ours, email, 'Quiet');
    await orderOf(ours.owner.client, { dsr_kind: 'erasure', dsr_subject_type: 'email', dsr_subject: email });
    const rows = await eventually(
      () =>
        api.sql<{ log_body: Record<string, unknown>; log_text: string }>(
          `SELECT log_body, log_text FROM access_log WHERE tenant_id = $1 AND log_operation = 'createPrivacyRequest' ORDER BY log_timestamp DESC LIMIT 1`,
          [ours.tenant_id],
        ),
      ([row]) => row !== undefined && 'dsr_subject' in row.log_body,
    );
    expect(rows[0]?.log_text).not.toContain(email);
  });
});

/** Its time has come. */
async function begin(dsr_id: string): Promise<void> {
  await api.sql(`UPDATE privacy_request SET dsr_execute_after = now() WHERE dsr_id = $1`, [dsr_id]);
  await api.sql(`UPDATE outbox SET ev_due = now() WHERE ev_name = 'governance.privacy' AND ev_payload ->> 'dsr_id' = $1`, [dsr_id]);
}
