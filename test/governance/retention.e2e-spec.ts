import { RetentionRuns } from '@atrium/governance';
import { newId } from '@atrium/platform/kernel';
import { ScheduleHost } from '@atrium/platform/messaging';
import type { RunningApi, TestWorkspace } from '@atrium/platform/testing';
import type { INestApplicationContext } from '@nestjs/common';
import { startAtrium, startWorker } from '../support/api';
import { seedUsage } from '../support/usage';
import { applyAnew, countOf, heldBy, hold, logRows, policies, policy, preview, runs, shorten, zoneWhereItIs } from './retaining';

const RETENTION = '/admin/retention';
const DAY = 86_400_000;

let api: RunningApi;
let ours: TestWorkspace;
let theirs: TestWorkspace;

beforeAll(async () => {
  api = await startAtrium();
  ours = await api.workspace();
  theirs = await api.workspace();
});
afterAll(() => api.close());

describe('what is kept for a time', () => {
  it('is listed with its bounds, as far as something here keeps it', async () => {
    const listed = await policies(ours);
    expect(listed.map(({ ret_key }) => ret_key)).toEqual(['access_logs', 'audit_events', 'download_archives', 'events', 'exports', 'file_versions', 'job_rows', 'share_events', 'trash', 'usage_entries']);
    expect(listed.find(({ ret_key }) => ret_key === 'trash')).toEqual({
      ret_key: 'trash', ret_days: 30, ret_days_before: null, ret_effective_at: null, ret_min: 1, ret_max: 365, ret_default: 30, ret_removes: expect.any(String),
      ret_last_run_at: null, ret_last_removed: null, ret_updated: null, ret_updated_by: null,
    });
    expect((await ours.owner.client.get(RETENTION).expect(200)).body).toMatchObject({ has_more: false, next_cursor: null });
  });

  it('is kept longer at once, shorter a day later, and as before when that is taken back', async () => {
    const workspace = await api.workspace();
    const change = async (days: number): Promise<object> => {
      const { body } = await workspace.owner.client.patch(RETENTION, { access_logs: days }).expect(200);
      return (body as { data: { ret_key: string }[] }).data.find(({ ret_key }) => ret_key === 'access_logs')!;
    };
    expect(await change(400)).toMatchObject({ ret_days: 400, ret_days_before: null, ret_effective_at: null, ret_updated: expect.any(String), ret_updated_by: workspace.owner.user_id });
    const shorter = (await change(40)) as { ret_effective_at: string };
    expect(shorter).toMatchObject({ ret_days: 40, ret_days_before: 400 });
    expect(Math.abs(Date.parse(shorter.ret_effective_at) - Date.now() - DAY)).toBeLessThan(60_000);
    await logRows(api, workspace, 3, 50);
    expect(await preview(workspace, 'access_logs')).toMatchObject({ rows: 0 });
    expect(await change(50)).toMatchObject({ ret_days: 50, ret_days_before: 400, ret_effective_at: shorter.ret_effective_at });
    expect(await change(400)).toMatchObject({ ret_days: 400, ret_days_before: null, ret_effective_at: null });
    await change(40);
    await api.sql(`UPDATE retention_policy SET ret_effective_at = now() WHERE tenant_id = $1`, [workspace.tenant_id]);
    expect(await policy(workspace, 'access_logs')).toMatchObject({ ret_days: 40, ret_days_before: null, ret_effective_at: null });
    expect(await preview(workspace, 'access_logs')).toMatchObject({ rows: 3 });
    expect(await policy(theirs, 'access_logs')).toMatchObject({ ret_days: 365, ret_updated: null });
  });

  it('is changed for the audit trail to see, once a change', async () => {
    const workspace = await api.workspace();
    await workspace.owner.client.patch(RETENTION, { events: 60, job_rows: 90 }).expect(200);
    await workspace.owner.client.patch(RETENTION, { events: 60 }).expect(200);
    const { body } = await workspace.owner.client.get('/admin/audit-events?aud_type=retention.updated').expect(200);
    expect(body.data).toEqual([expect.objectContaining({ aud_actor: workspace.owner.user_id, aud_target_type: 'retention_policy', aud_target_id: 'events', aud_before: { ret_days: 30 }, aud_after: { ret_days: 60 } })]);
  });

  it('holds one number for the trash, by whichever name it is asked for', async () => {
    const workspace = await api.workspace();
    await workspace.owner.client.patch('/admin/settings', { ws_options: { trash_retention_days: 44 } }).expect(200);
    expect(await policy(workspace, 'trash')).toMatchObject({ ret_days: 44 });
    await workspace.owner.client.patch(RETENTION, { trash: 3 }).expect(200);
    expect((await workspace.owner.client.get('/admin/settings').expect(200)).body.ws_options).toMatchObject({ trash_retention_days: 3 });
    await workspace.owner.client.patch('/admin/settings', { ws_options: { trash_retention_days: null } }).expect(200);
    expect(await policy(workspace, 'trash')).toMatchObject({ ret_days: 30, ret_days_before: 44 });
  });

  it('refuses numbers out of bounds and what nobody keeps here', async () => {
    for (const days of [0, -1, 1e9, 29, 1826, 30.5, '40', null]) {
      const refused = await ours.owner.client.patch(RETENTION, { access_logs: days });
      expect({ days, status: refused.status, code: refused.body.code, path: refused.body.errors?.[0]?.path }).toEqual({ days, status: 400, code: 'validation_failed', path: 'access_logs' });
    }
    for (const key of ['nothing', 'threads_inactive', 'Access_logs']) {
      const refused = await ours.owner.client.patch(RETENTION, { [key]: 30, events: 20 });
      expect({ key, status: refused.status, code: refused.body.code }).toEqual({ key, status: 400, code: 'validation_failed' });
      await ours.owner.client.get(`${RETENTION}/preview?ret_key=${key}&days=30`).expect(400);
    }
    for (const days of ['0', '-1', '1000000000', '29', 'ten']) await ours.owner.client.get(`${RETENTION}/preview?ret_key=access_logs&days=${days}`).expect(400);
    await ours.owner.client.get(`${RETENTION}/preview?days=30`).expect(400);
    await ours.owner.client.get(`${RETENTION}/runs?ret_key=nothing`).expect(400);
    expect(await policy(ours, 'events')).toMatchObject({ ret_days: 30, ret_updated: null });
  });

  it('is for who sees the settings or the storage', async () => {
    const editor = await ours.member('editor');
    for (const denied of [editor.client.get(RETENTION), editor.client.patch(RETENTION, { trash: 20 }), editor.client.get(`${RETENTION}/preview?ret_key=trash`), editor.client.get(`${RETENTION}/runs`), editor.client.get(`${RETENTION}/runs/${newId()}/held`)]) {
      const { body } = await denied.expect(403);
      expect(body).toMatchObject({ code: 'permission_denied', detail: expect.stringMatching(/admin:settings|admin:storage/) });
    }
    for (const scope of ['admin:settings', 'admin:storage']) await (await ours.member('admin', [scope])).client.get(RETENTION).expect(200);
  });
});

describe('a run', () => {
  it('[governance 26] removes what the preview told, of access logs older than the days that were chosen; held ones remain and are counted', async () => {
    const member = await ours.member('editor');
    await logRows(api, ours, 2_500, 40);
    await logRows(api, ours, 5, 40, member.user_id);
    await logRows(api, ours, 7, 20);
    await logRows(api, theirs, 9, 40);
    await hold(ours, 'user', member.user_id);
    const told = await preview(ours, 'access_logs', 30);
    expect(told).toMatchObject({ rows: 2_500, bytes: 0, held: 5 });
    expect(Math.abs(Date.parse(told.oldest!) - Date.now() + 40 * DAY + 2_500_000)).toBeLessThan(60_000);

    await shorten(api, ours, { access_logs: 30 });
    const others = await countOf(api, 'access_log', ours, `log_url <> '/old'`);
    await applyAnew(api, ours, theirs);
    const [run] = await runs(ours, 'access_logs');
    expect(run).toMatchObject({ run_status: 'completed', run_removed: told.rows, run_bytes: told.bytes, run_held: told.held, run_error: null, run_finished: expect.any(String) });
    expect(await countOf(api, 'access_log', ours, `log_url = '/old' AND log_timestamp < now() - interval '30 days'`)).toBe(5);
    expect(await countOf(api, 'access_log', ours, `log_url = '/old' AND log_user = '${member.user_id}'`)).toBe(5);
    expect(await countOf(api, 'access_log', ours, `log_url = '/old'`)).toBe(12);
    expect(await countOf(api, 'access_log', ours, `log_url <> '/old'`)).toBeGreaterThanOrEqual(others);
    expect(await countOf(api, 'access_log', theirs, `log_url = '/old'`)).toBe(9);
    expect(await runs(theirs, 'access_logs')).toEqual([expect.objectContaining({ run_removed: 0, run_held: 0 })]);

    const kept = await heldBy(ours, run!);
    const ids = await api.sql<{ log_id: string }>(`SELECT log_id FROM access_log WHERE tenant_id = $1 AND log_url = '/old' AND log_user = $2`, [ours.tenant_id, member.user_id]);
    expect(kept.map(({ held_id }) => held_id).sort()).toEqual(ids.map(({ log_id }) => log_id).sort());
    expect(new Set(kept.map(({ held_hold }) => held_hold)).size).toBe(1);
    expect(await preview(ours, 'access_logs')).toMatchObject({ rows: 0, held: 5, oldest: null });
    expect(await policy(ours, 'access_logs')).toMatchObject({ ret_last_removed: 2_500, ret_last_run_at: expect.any(String) });
    const told_of = await api.sql<{ ev_payload: object }>(`SELECT ev_payload FROM outbox WHERE tenant_id = $1 AND ev_name = 'retention.completed' AND ev_payload ->> 'ret_key' = 'access_logs'`, [ours.tenant_id]);
    expect(told_of).toEqual([{ ev_payload: { ret_key: 'access_logs', run_removed: 2_500, run_bytes: 0, run_held: 5 } }]);

    await theirs.owner.client.get(`${RETENTION}/runs/${run!.run_id}/held`).expect(404);
    await ours.owner.client.get(`${RETENTION}/runs/${newId()}/held`).expect(404);
    await ours.owner.client.get(`${RETENTION}/runs/none/held`).expect(404);
    const pages = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const body: object = (await ours.owner.client.get(`${RETENTION}/runs/${run!.run_id}/held?limit=2${cursor ? `&cursor=${cursor}` : ''}`).expect(200)).body as object;
      pages.push(...(body as { data: { held_id: string }[] }).data.map(({ held_id }) => held_id));
      cursor = (body as { next_cursor: string | null }).next_cursor;
    }
    expect(pages).toEqual([...kept.map(({ held_id }) => held_id)].sort());
  });

  it('is one a day and policy, after three in the morning of the workspace', async () => {
    const [early, late] = [await api.workspace(), await api.workspace()];
    await api.sql(`UPDATE workspace SET ws_timezone = $2 WHERE tenant_id = $1`, [early.tenant_id, zoneWhereItIs(1)]);
    await api.sql(`UPDATE workspace SET ws_timezone = $2 WHERE tenant_id = $1`, [late.tenant_id, zoneWhereItIs(5)]);
    const apply = (): Promise<void> => api.app.get(RetentionRuns, { strict: false }).runDue(new AbortController().signal);
    await apply();
    await Promise.all([apply(), apply()]);
    expect(await runs(early, 'trash')).toEqual([]);
    expect(await runs(late, 'trash')).toHaveLength(1);
    const all = (await late.owner.client.get(`${RETENTION}/runs`).expect(200)).body as { data: { ret_key: string; run_status: string }[] };
    expect(all.data.map(({ ret_key }) => ret_key).sort()).toEqual((await policies(late)).map(({ ret_key }) => ret_key));
    expect(new Set(all.data.map(({ run_status }) => run_status))).toEqual(new Set(['completed']));
    await api.sql(`UPDATE retention_run SET run_date = run_date - 1 WHERE tenant_id = $1 AND ret_key = 'trash'`, [late.tenant_id]);
    await apply();
    expect(await runs(late, 'trash')).toHaveLength(2);
    expect(await countOf(api, 'outbox', late, `ev_name = 'retention.completed' AND ev_payload ->> 'ret_key' = 'trash'`)).toBe(2);
  });

  it('goes on where it was cut off, counting what went before', async () => {
    const workspace = await api.workspace();
    await api.sql(`UPDATE workspace SET ws_timezone = $2 WHERE tenant_id = $1`, [workspace.tenant_id, zoneWhereItIs(12)]);
    await logRows(api, workspace, 2_200, 400);
    const service = api.app.get(RetentionRuns, { strict: false });
    const stop = new AbortController();
    const cut = service.runDue(stop.signal);
    const begun = async (): Promise<number> => (await api.sql<{ removed: number }>(`SELECT run_removed::int AS removed FROM retention_run WHERE tenant_id = $1 AND ret_key = 'access_logs'`, [workspace.tenant_id]))[0]?.removed ?? 0;
    while ((await begun()) === 0);
    stop.abort();
    await cut;
    const [open] = await runs(workspace, 'access_logs');
    const left = await countOf(api, 'access_log', workspace, `log_url = '/old'`);
    expect(open!.run_removed + left).toBe(2_200);
    await service.runDue(new AbortController().signal);
    expect(await runs(workspace, 'access_logs')).toEqual([expect.objectContaining({ run_id: open!.run_id, run_status: 'completed', run_removed: 2_200 })]);
    expect(await countOf(api, 'access_log', workspace, `log_url = '/old'`)).toBe(0);
  });

  it('that failed says so and is tried again; the other policies are applied all the same', async () => {
    const workspace = await api.workspace();
    await logRows(api, workspace, 3, 400);
    await api.sql(`ALTER FUNCTION access_log_purge(timestamptz, integer) RENAME TO access_log_purge_away`);
    try {
      await applyAnew(api, workspace);
    } finally {
      await api.sql(`ALTER FUNCTION access_log_purge_away(timestamptz, integer) RENAME TO access_log_purge`);
    }
    expect(await runs(workspace, 'access_logs')).toEqual([expect.objectContaining({ run_status: 'failed', run_removed: 0, run_error: expect.stringContaining('tried again') })]);
    expect(await runs(workspace, 'trash')).toEqual([expect.objectContaining({ run_status: 'completed' })]);
    const again = (): Promise<void> => api.app.get(RetentionRuns, { strict: false }).runDue(new AbortController().signal);
    await again();
    expect(await runs(workspace, 'access_logs')).toEqual([expect.objectContaining({ run_status: 'failed' })]);
    await api.sql(`UPDATE retention_run SET run_finished = run_finished - interval '61 minutes' WHERE tenant_id = $1 AND run_status = 'failed'`, [workspace.tenant_id]);
    await again();
    expect(await runs(workspace, 'access_logs')).toEqual([expect.objectContaining({ run_status: 'completed', run_removed: 3, run_error: null })]);
  });

  it('leaves workspaces at rest alone', async () => {
    const workspace = await api.workspace();
    await logRows(api, workspace, 3, 400);
    await api.sql(`UPDATE workspace SET ws_status = 'suspended' WHERE tenant_id = $1`, [workspace.tenant_id]);
    await applyAnew(api, workspace);
    expect(await countOf(api, 'retention_run', workspace)).toBe(0);
    expect(await countOf(api, 'access_log', workspace, `log_url = '/old'`)).toBe(3);
  });
});

describe('what goes', () => {
  it('of usage are the entries, never the sums', async () => {
    const workspace = await api.workspace();
    const member = await workspace.member('editor');
    await seedUsage(api, workspace.tenant_id, { entries: 1_500, days: 900, users: [member.user_id, newId()], agents: [newId()] });
    await hold(workspace, 'user', member.user_id);
    const total = async (): Promise<object> => {
      const since = new Date(Date.now() - 1_000 * DAY).toISOString();
      const { body } = await workspace.owner.client.get(`/admin/usage/pivot?group_by=usage_param&time_granularity=month&usage_timestamp=${since}`).expect(200);
      return (body as { total: object }).total;
    };
    const before = await total();
    const told = await preview(workspace, 'usage_entries', 400);
    expect(told.rows).toBeGreaterThan(100);
    expect(told.held).toBeGreaterThan(100);
    await shorten(api, workspace, { usage_entries: 400 });
    await api.sql(`SELECT usage_roll(100000)`);
    await applyAnew(api, workspace);
    expect(await runs(workspace, 'usage_entries')).toEqual([expect.objectContaining({ run_removed: told.rows, run_held: told.held })]);
    expect(await countOf(api, 'usage_entry', workspace)).toBe(1_500 - told.rows);
    expect(await total()).toEqual(before);
  });

  it('of the audit trail are whole seals, which stay and verify; events of a held person, and about one, remain', async () => {
    const worker = await startWorker(api);
    const workspace = await api.workspace();
    const [held, other] = [newId(), newId()];
    const user = (await workspace.member('editor')).user_id;
    const write = (days: number, actor: string, target: string): Promise<unknown> =>
      api.sql(
        `INSERT INTO audit_event (tenant_id, aud_id, aud_timestamp, aud_type, aud_actor, aud_actor_kind, aud_target_type, aud_target_id)
         SELECT $1, gen_random_uuid(), now() - make_interval(days => $2) + n * interval '1 second', 'settings.updated', $3::uuid, 'person', 'user', $4::text FROM generate_series(1, 10) n`,
        [workspace.tenant_id, days, actor, target],
      );
    const seal = (): Promise<void> => worker.get(ScheduleHost).runNow('governance.seal');
    await seal();
    await write(3_000, other, other);
    await write(3_000, user, other);
    await write(3_000, other, user);
    await write(2_900, held, other);
    await seal();
    await write(100, other, other);
    await seal();
    await hold(workspace, 'user', user);
    const told = await preview(workspace, 'audit_events');
    expect(told).toMatchObject({ rows: 20, held: 20 });
    await applyAnew(api, workspace);
    expect(await runs(workspace, 'audit_events')).toEqual([expect.objectContaining({ run_removed: 20, run_held: 20 })]);
    expect(await countOf(api, 'audit_event', workspace, `aud_timestamp < now() - interval '2800 days' AND (aud_actor = '${user}' OR aud_target_id = '${user}')`)).toBe(20);
    expect(await countOf(api, 'audit_event', workspace, `aud_timestamp < now() - interval '2800 days'`)).toBe(20);
    const { body } = await workspace.owner.client.post('/admin/audit-events/verify').expect(200);
    expect(body).toMatchObject({ valid: true });
    expect(await countOf(api, 'audit_seal', workspace, 'seal_removed IS NOT NULL')).toBe(1);
    expect(await countOf(api, 'audit_seal', workspace)).toBe(3);
  });

  it('of events are those delivered, of finished work its records', async () => {
    const workspace = await api.workspace();
    const member = await workspace.member('editor');
    const event = (days: number, sent: boolean, user: string | null): Promise<unknown> =>
      api.sql(
        `INSERT INTO outbox (tenant_id, ev_id, ev_kind, ev_name, ev_key, ev_payload, ev_actor, ev_request, ev_created, ev_sent, ev_due)
         VALUES ($1, gen_random_uuid(), 'event', 'test.happened', 'k', '{}', jsonb_build_object('kind', 'person', 'user_id', $4::uuid), 'r', now() - make_interval(days => $2), CASE WHEN $3 THEN now() END, now() + interval '1 day')`,
        [workspace.tenant_id, days, sent, user],
      );
    for (const [days, sent, user] of [[31, true, null], [31, true, newId()], [31, true, member.user_id], [31, false, null], [29, true, null]] as const) await event(days, sent, user);
    for (const [status, days, user] of [['completed', 91, null], ['failed', 91, newId()], ['cancelled', 91, member.user_id], ['running', 91, null], ['completed', 89, null]] as const) {
      await api.sql(`INSERT INTO background_job (tenant_id, job_id, job_kind, job_status, job_updated, job_created_by) VALUES ($1, gen_random_uuid(), 'test.work', $2, now() - make_interval(days => $3), $4)`, [workspace.tenant_id, status, days, user]);
    }
    await hold(workspace, 'user', member.user_id);
    expect(await preview(workspace, 'events')).toMatchObject({ rows: 2, held: 1 });
    expect(await preview(workspace, 'job_rows')).toMatchObject({ rows: 2, held: 1 });
    await applyAnew(api, workspace);
    expect(await runs(workspace, 'events')).toEqual([expect.objectContaining({ run_removed: 2, run_held: 1 })]);
    expect(await runs(workspace, 'job_rows')).toEqual([expect.objectContaining({ run_removed: 2, run_held: 1 })]);
    expect(await countOf(api, 'outbox', workspace, `ev_name = 'test.happened'`)).toBe(3);
    expect(await countOf(api, 'background_job', workspace)).toBe(3);
  });

  it('of runs are those as old as other records of work', async () => {
    const workspace = await api.workspace();
    await applyAnew(api, workspace);
    await api.sql(`UPDATE retention_run SET run_date = run_date - 100, run_started = run_started - interval '100 days' WHERE tenant_id = $1 AND ret_key <> 'job_rows'`, [workspace.tenant_id]);
    const [{ before }] = (await api.sql<{ before: number }>(`SELECT count(*)::int AS before FROM retention_run WHERE tenant_id = $1`, [workspace.tenant_id])) as [{ before: number }];
    await api.sql(`DELETE FROM retention_run WHERE tenant_id = $1 AND ret_key = 'job_rows'`, [workspace.tenant_id]);
    await api.app.get(RetentionRuns, { strict: false }).runDue(new AbortController().signal);
    expect(await runs(workspace, 'job_rows')).toEqual([expect.objectContaining({ run_removed: before - 1 })]);
  });
});

describe('the months of a table', () => {
  let worker: INestApplicationContext;
  const months = async (table: string): Promise<string[]> =>
    (await api.sql<{ name: string }>(`SELECT c.relname AS name FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid WHERE i.inhparent = $1::regclass ORDER BY 1`, [table])).map(({ name }) => name);
  const monthOf = async (table: string, days: number): Promise<string> =>
    (await api.sql<{ name: string }>(`SELECT $1 || '_' || to_char(now() AT TIME ZONE 'UTC' - make_interval(days => $2), 'YYYY_MM') AS name`, [table, days]))[0]!.name;

  beforeAll(async () => {
    worker = await startWorker(api);
  });

  it('go when no workspace keeps them any longer, and stay while one does or a hold keeps a row of them', async () => {
    const [long, held] = [await api.workspace(), await api.workspace()];
    const member = await held.member('editor');
    await logRows(api, long, 1, 500);
    await logRows(api, held, 1, 700, member.user_id);
    await logRows(api, held, 1, 900);
    const [five, seven, nine] = [await monthOf('access_log', 500), await monthOf('access_log', 700), await monthOf('access_log', 900)];
    await long.owner.client.patch(RETENTION, { access_logs: 800 }).expect(200);
    const lh_id = await hold(held, 'user', member.user_id);
    const keep = (): Promise<void> => worker.get(ScheduleHost).runNow('governance.partitions');
    await keep();
    expect(await months('access_log')).toEqual(expect.arrayContaining([five, seven]));
    expect(await months('access_log')).not.toContain(nine);
    await shorten(api, long, { access_logs: 400 });
    await keep();
    expect(await months('access_log')).toContain(seven);
    expect(await months('access_log')).not.toContain(five);
    await held.owner.client.delete(`/admin/legal-holds/${lh_id}`).expect(204);
    await keep();
    expect(await months('access_log')).not.toContain(seven);
  });
});
