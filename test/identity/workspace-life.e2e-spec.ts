import { newId } from '@atrium/platform/kernel';
import { ScheduleHost } from '@atrium/platform/messaging';
import { ObjectStore } from '@atrium/platform/storage';
import { WorkspacePurgers } from '@atrium/identity';
import { eventually, TEST_PASSWORD, type RunningApi, type TestWorkspace } from '@atrium/platform/testing';
import type { INestApplicationContext } from '@nestjs/common';
import { asAdmin } from '../architecture/asking';
import { openUpload, upload } from '../files/uploading';
import { makeUpRow } from '../architecture/made-up-rows';
import { sharedAtriumWithWorker } from '../support/shared-atrium';
import { operatorOf, type OperatorClient } from '../support/operating';

jest.setTimeout(120_000);

let api: RunningApi;
let worker: INestApplicationContext;
let operator: OperatorClient;

beforeAll(async () => {
  api = await sharedAtriumWithWorker();
  worker = api.worker;
  operator = operatorOf(api);
});
afterAll(() => api.close());

const sweep = (): Promise<void> => worker.get(ScheduleHost, { strict: false }).runNow('identity.sweep');
const store = (): ObjectStore => worker.get(ObjectStore, { strict: false });

/** Something of everything that operations make. */
async function lived(): Promise<TestWorkspace> {
  const workspace = await api.workspace(['module-design']);
  const { client } = workspace.owner;
  const files = await Promise.all([1, 2, 3].map((i) => upload(client, `note-${i}.txt`, Buffer.from(`note ${i} of ${workspace.slug}`))));
  const parent = (await client.post('/albums', { album_name: 'Parent' }).expect(201)).body as { album_id: string };
  const { album_id } = (
    await client.post('/albums', { album_name: 'Child', album_parent: parent.album_id, album_cover_file: files[0]!.file_id }).expect(201)
  ).body as { album_id: string };
  await client.post(`/albums/${album_id}/files`, { file_ids: files.map(({ file_id }) => file_id) }).expect(200);
  await workspace.member('viewer');
  await openUpload(client, { file_name: 'never-sent.bin', file_size: 200 * 1024 * 1024 });
  await client.with({ 'Idempotency-Key': newId() }).post('/albums', { album_name: 'Once' }).expect(201);
  return workspace;
}

const tenantTables = async (): Promise<string[]> =>
  (await api.sql<{ name: string }>('SELECT tenant_tables()::text AS name')).map(({ name }) => name);

/** How many rows of a workspace each table has; tables with none are left out. */
async function rowsOf(tenant_id: string): Promise<Record<string, number>> {
  const found: Record<string, number> = {};
  for (const table of await tenantTables()) {
    const [row] = await api.sql<{ n: string }>(
      `WITH s AS (SELECT set_config('app.tenant_id', $1, true)) SELECT count(*) AS n FROM s, ${table} WHERE tenant_id = $1::uuid`,
      [tenant_id],
    );
    if (Number(row?.n) > 0) found[table] = Number(row?.n);
  }
  return found;
}

async function objectsOf(tenant_id: string): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of store().list(`t/${tenant_id}/`)) keys.push(key);
  for await (const { key } of store().openUploads(`t/${tenant_id}/`)) keys.push(`open ${key}`);
  return keys;
}

const isGone = (ws_id: string): Promise<unknown> =>
  eventually(
    () => operator.get(`/workspaces/${ws_id}`),
    ({ status }) => status === 404,
    60_000,
  );

/** When nothing of the background has anything to do for a workspace. */
const settled = (tenant_id: string): Promise<unknown> =>
  eventually(
    () =>
      api.sql(
        'SELECT ev_name FROM outbox WHERE tenant_id = $1 AND ((ev_kind = $2 AND ev_sent IS NULL) OR (ev_kind = $3 AND ev_done IS NULL))',
        [tenant_id, 'event', 'job'],
      ),
    (open) => open.length === 0,
    60_000,
  );

describe('a suspended workspace', () => {
  it('is closed to its members, who get the reason; its jobs wait, and run when it is resumed', async () => {
    const workspace = await api.workspace();
    const { client } = workspace.owner;
    await settled(workspace.tenant_id);
    const suspended = await operator
      .post(`/workspaces/${workspace.tenant_id}/suspend`, { reason: 'The invoice of May is open.' })
      .expect(200);
    expect(suspended.body).toMatchObject({ ws_status: 'suspended', ws_status_reason: 'The invoice of May is open.' });
    const refused = await client.get('/me').expect(403);
    expect(refused.body).toMatchObject({ code: 'tenant_forbidden', detail: expect.stringContaining('The invoice of May is open.') });
    await api.sql(
      `INSERT INTO outbox (tenant_id, ev_id, ev_kind, ev_name, ev_key, ev_payload, ev_actor, ev_request) SELECT $1, gen_random_uuid(), 'job', 'files.ingest', $2, jsonb_build_object('fv_id', $2::text), '{"kind":"system","user_id":null,"key_id":null}', 'test'`,
      [workspace.tenant_id, newId()],
    );
    const waiting = () =>
      api.sql<{ ev_done: string | null; ev_parked: string | null }>(
        `SELECT ev_done, ev_parked FROM outbox WHERE tenant_id = $1 AND ev_name = 'files.ingest' ORDER BY ev_created DESC LIMIT 1`,
        [workspace.tenant_id],
      );
    const [parked] = await eventually(waiting, ([row]) => row?.ev_parked !== null);
    expect(parked?.ev_done).toBeNull();
    expect((await operator.get('/health').expect(200)).body.queues).toContainEqual(
      expect.objectContaining({ queue: 'files.ingest', parked: 1 }),
    );
    await operator.post(`/workspaces/${workspace.tenant_id}/suspend`).expect(409);
    await operator.post(`/workspaces/${workspace.tenant_id}/resume`).expect(200);
    await eventually(waiting, ([row]) => row?.ev_done !== null);
    await client.get('/me').expect(200);
    await operator.post(`/workspaces/${workspace.tenant_id}/resume`).expect(409);
    const audited = await api.sql<{ aud_type: string; aud_reason: string | null }>(
      `SELECT aud_type, aud_reason FROM audit_event WHERE tenant_id = $1 AND aud_type IN ('workspace.suspended', 'workspace.resumed') ORDER BY aud_timestamp`,
      [workspace.tenant_id],
    );
    expect(audited).toEqual([
      { aud_type: 'workspace.suspended', aud_reason: 'The invoice of May is open.' },
      { aud_type: 'workspace.resumed', aud_reason: null },
    ]);
  });
});

/** Requests go on being logged, and schedules seal, count and move rows of a workspace that is at work. */
const AT_WORK = /^(?:access_log|audit_seal|file_day|file_word|outbox|retention_run|retention_check|storage_|usage_)/;

const still = (rows: Readonly<Record<string, number>>): Record<string, number> =>
  Object.fromEntries(Object.entries(rows).filter(([table]) => !AT_WORK.test(table)));

describe('a deleted workspace', () => {
  it('[identity 27] with grace 0 leaves no row in any table but its tombstone and no object; another workspace keeps all of its own', async () => {
    const [doomed, beside] = [await lived(), await lived()];
    await Promise.all([settled(doomed.tenant_id), settled(beside.tenant_id)]);
    const kept = { rows: await rowsOf(beside.tenant_id), objects: await objectsOf(beside.tenant_id) };
    expect(Object.keys(await rowsOf(doomed.tenant_id))).toEqual(
      expect.arrayContaining([
        'album',
        'album_file',
        'api_key',
        'audit_event',
        'file',
        'file_blob',
        'file_version',
        'idempotency_key',
        'licence',
        'outbox',
        'role',
        'upload',
        'user_role_link',
        'workspace',
        'workspace_user',
      ]),
    );
    expect((await objectsOf(doomed.tenant_id)).length).toBeGreaterThanOrEqual(4);
    await operator.delete(`/workspaces/${doomed.tenant_id}?grace_days=0`).expect(204);
    await doomed.owner.client.get('/me').expect(403);
    await isGone(doomed.tenant_id);
    // What was on its way when the workspace went, such as its last lines of the access log, goes with the next sweep.
    await eventually(
      async () => (await sweep(), rowsOf(doomed.tenant_id)),
      (rows) => Object.keys(rows).length === 0,
    );
    expect(await rowsOf(doomed.tenant_id)).toEqual({});
    expect(await objectsOf(doomed.tenant_id)).toEqual([]);
    const [tombstone] = await api.sql<{ deleted_at: Date; counts: Record<string, number> }>(
      'SELECT deleted_at, counts FROM workspace_tombstone WHERE ws_id = $1',
      [doomed.tenant_id],
    );
    expect(tombstone?.deleted_at).toBeInstanceOf(Date);
    expect(tombstone?.counts).toMatchObject({ file: 3, album: 3, workspace_user: 2 });
    expect(tombstone?.counts.objects).toBeGreaterThanOrEqual(4);
    expect(still(await rowsOf(beside.tenant_id))).toEqual(still(kept.rows));
    expect(await objectsOf(beside.tenant_id)).toEqual(kept.objects);
    await beside.owner.client.get('/albums').expect(200);
  });

  it('can be restored while its grace lasts, closed; then it may be resumed, and nothing of it is gone', async () => {
    const workspace = await lived();
    await settled(workspace.tenant_id);
    await operator.post(`/workspaces/${workspace.tenant_id}/restore`).expect(409);
    await operator.delete(`/workspaces/${workspace.tenant_id}`).expect(204);
    const { body } = await operator.get(`/workspaces/${workspace.tenant_id}`).expect(200);
    expect(body).toMatchObject({ ws_status: 'deleting', purge: null });
    expect(Math.round((Date.parse(body.ws_delete_after as string) - Date.now()) / 86_400_000)).toBe(30);
    await operator.delete(`/workspaces/${workspace.tenant_id}`).expect(409);
    await operator.post(`/workspaces/${workspace.tenant_id}/suspend`).expect(409);
    await operator.post(`/workspaces/${workspace.tenant_id}/resume`).expect(409);
    expect((await operator.post(`/workspaces/${workspace.tenant_id}/restore`).expect(200)).body).toMatchObject({
      ws_status: 'suspended',
      ws_delete_after: null,
    });
    await workspace.owner.client.get('/me').expect(403);
    await operator.post(`/workspaces/${workspace.tenant_id}/resume`).expect(200);
    expect((await workspace.owner.client.get('/albums').expect(200)).body.data).toHaveLength(3);
    for (const grace of ['91', '-1', 'soon', '1.5'])
      await operator.delete(`/workspaces/${workspace.tenant_id}?grace_days=${grace}`).expect(400);
  });

  it('is purged by the sweep when the job was lost, is taken up where it was cut off, and cannot be restored any more', async () => {
    const workspace = await lived();
    const { tenant_id } = workspace;
    await settled(tenant_id);
    await operator.delete(`/workspaces/${tenant_id}?grace_days=1`).expect(204);
    await api.sql(`DELETE FROM outbox WHERE tenant_id = $1 AND ev_name = 'identity.workspace-purge'`, [tenant_id]);
    await api.sql(`UPDATE workspace SET ws_delete_after = now() - interval '1 second' WHERE tenant_id = $1`, [tenant_id]);
    await operator.post(`/workspaces/${tenant_id}/restore`).expect(409);
    // As a worker leaves it that is killed between two batches: some rows gone, the rest there.
    await api.sqlAsService('SELECT ws_purge_begin($1)', [tenant_id]);
    await api.sqlAsService('SELECT ws_purge_step($1, $2, 2)', [tenant_id, 'album_file']);
    expect((await operator.get(`/workspaces/${tenant_id}`).expect(200)).body.purge).toEqual({ album_file: { done: 2, total: 3 } });
    await sweep();
    await isGone(tenant_id);
    const [tombstone] = await api.sql<{ counts: Record<string, number> }>('SELECT counts FROM workspace_tombstone WHERE ws_id = $1', [
      tenant_id,
    ]);
    expect(tombstone?.counts).toMatchObject({ album_file: 3, file: 3 });
  });

  it('is not touched by the functions of the purge before its time is over', async () => {
    const workspace = await api.workspace();
    for (const call of ["SELECT ws_purge_step($1, 'role', 1)", 'SELECT ws_purge_end($1)'])
      await expect(api.sqlAsService(call, [workspace.tenant_id])).rejects.toThrow('is not to be purged');
    await expect(api.sqlAsService("SELECT ws_purge_step($1, 'account', 1)", [workspace.tenant_id])).rejects.toThrow(
      'no table of workspaces',
    );
    await workspace.owner.client.get('/me').expect(200);
  });

  it('leaves its objects and rows to nobody: whatever reaches them late goes with the next sweep', async () => {
    const workspace = await api.workspace();
    await settled(workspace.tenant_id);
    await operator.delete(`/workspaces/${workspace.tenant_id}?grace_days=0`).expect(204);
    await isGone(workspace.tenant_id);
    await store().putObject(`t/${workspace.tenant_id}/staging/late`, Buffer.from('late'));
    await api
      .sql(
        'INSERT INTO audit_event (tenant_id, aud_id, aud_type, aud_actor_kind, aud_target_type) VALUES ($1, gen_random_uuid(), $2, $3, $4)',
        [workspace.tenant_id, 'album.deleted', 'system', 'album'],
      )
      .catch(() => undefined);
    await sweep();
    expect(await objectsOf(workspace.tenant_id)).toEqual([]);
    expect(await rowsOf(workspace.tenant_id)).toEqual({});
  });
});

describe('a purge', () => {
  it('ends whatever there is: with a row in every table, each goes, and none of their triggers lacks a right', async () => {
    const { tenant_id } = await api.workspace();
    const purged = worker.get(WorkspacePurgers, { strict: false }).all.flatMap(({ tables }) => tables);
    const refused: string[] = [];
    for (const table of purged)
      await makeUpRow(asAdmin(api.database), table, { tenant_id }).catch((error: unknown) =>
        refused.push(`${table}: ${error instanceof Error ? error.message : ''}`),
      );
    // Some tables have a row of every workspace already.
    expect(refused.filter((fault) => !fault.includes('duplicate key'))).toEqual([]);
    await api.sql("UPDATE workspace SET ws_status = 'deleting', ws_delete_after = now() - interval '1 second' WHERE tenant_id = $1", [
      tenant_id,
    ]);
    await api.sqlAsService('SELECT ws_purge_begin($1)', [tenant_id]);
    const stuck: string[] = [];
    for (const table of purged)
      await api
        .sqlAsService('SELECT ws_purge_step($1, $2, 1000)', [tenant_id, table])
        .catch((error: unknown) => stuck.push(`${table}: ${error instanceof Error ? error.message : ''}`));
    expect(stuck).toEqual([]);
    // What the triggers of rows wrote of those that went, and what is logged in the meantime.
    for (const table of purged) await api.sqlAsService('SELECT ws_purge_step($1, $2, 1000)', [tenant_id, table]);
    await api.sqlAsService('SELECT ws_purge_end($1)', [tenant_id]);
    expect(await rowsOf(tenant_id)).toEqual({});
  });

  it('by a host of the previous release, which uses the former names of tables, empties the tables of today and ends', async () => {
    const { tenant_id } = await api.workspace();
    await api.sql("UPDATE workspace SET ws_status = 'deleting', ws_delete_after = now() - interval '1 second' WHERE tenant_id = $1", [
      tenant_id,
    ]);
    await api.sqlAsService('SELECT ws_purge_begin($1)', [tenant_id]);
    const purged = worker.get(WorkspacePurgers, { strict: false }).all.flatMap(({ tables }) => tables);
    for (const table of purged) await api.sqlAsService('SELECT ws_purge_step($1, $2, 1000)', [tenant_id, table]);
    for (const table of ['usage_unreported', 'retention_check', 'consent_expiry_position'])
      await makeUpRow(asAdmin(api.database), table, { tenant_id });
    for (const formerly of ['usage_untold', 'retention_look', 'consent_look'])
      expect(await api.sqlAsService('SELECT ws_purge_step($1, $2, 1000)::integer AS gone', [tenant_id, formerly])).toEqual([{ gone: 1 }]);
    for (const table of purged) await api.sqlAsService('SELECT ws_purge_step($1, $2, 1000)', [tenant_id, table]);
    await api.sqlAsService('SELECT ws_purge_end($1)', [tenant_id]);
    expect(await rowsOf(tenant_id)).toEqual({});
  });

  it('is not held up by a deprecated document, and leaves no account, session, stream or turn of people who were nowhere else', async () => {
    const workspace = await api.workspace(['module-documents']);
    const { tenant_id, owner } = workspace;
    const { owner: elsewhere } = await api.workspace();
    await api.provisioner.addUser(tenant_id, { user_email: elsewhere.email, user_name: 'Viewer' }, ['viewer']);
    for (const { email } of [owner, elsewhere])
      await api.stranger.post('/auth/login', { email, password: TEST_PASSWORD, ws_id: tenant_id }).expect(200);
    const { file_id } = await upload(owner.client, 'old.txt', Buffer.from('of no use any more'), { file_repo: { library: ['docs'] } });
    await owner.client.post(`/documents/${file_id}/deprecate`, { file_deprecated_reason: 'out of date' }).expect(200);
    await settled(tenant_id);
    await operator.delete(`/workspaces/${tenant_id}?grace_days=0`).expect(204);
    await isGone(tenant_id);
    const accounts = (user_id: string): Promise<object[]> =>
      api.sql('SELECT acc_email IS NULL AS nameless, acc_password_hash IS NULL AS closed, acc_status FROM account WHERE acc_id = $1', [
        user_id,
      ]);
    expect(await accounts(owner.user_id)).toEqual([{ nameless: true, closed: true, acc_status: 'erased' }]);
    expect(await accounts(elsewhere.user_id)).toEqual([{ nameless: false, closed: false, acc_status: 'active' }]);
    const left = await api.sql<{ n: string }>(
      `SELECT count(*) AS n FROM account_session WHERE ses_tenant = $1 OR acc_id = $2 UNION ALL SELECT count(*) FROM account_token WHERE tok_tenant = $1 OR acc_id = $2
       UNION ALL SELECT count(*) FROM job_turn WHERE turn_workspace = $1`,
      [tenant_id, owner.user_id],
    );
    expect(left.map(({ n }) => n)).toEqual(['0', '0', '0']);
    await api.stranger.post('/auth/login', { email: owner.email, password: TEST_PASSWORD }).expect(401);
    await api.stranger.post('/auth/login', { email: elsewhere.email, password: TEST_PASSWORD }).expect(200);
  });
});

describe('every table with rows of workspaces', () => {
  it('is purged by exactly one context', async () => {
    const purged = worker.get(WorkspacePurgers, { strict: false }).tables;
    const all = (await tenantTables()).filter((name) => name !== 'workspace');
    expect({ forgotten: all.filter((name) => !purged.has(name)), unknown: [...purged].filter((name) => !all.includes(name)) }).toEqual({
      forgotten: [],
      unknown: [],
    });
  });
});
