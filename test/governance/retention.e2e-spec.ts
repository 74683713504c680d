import { RetentionRuns, RetentionTargets } from '@atrium/governance';
import { newId } from '@atrium/platform/kernel';
import type { RunningApi, TestWorkspace } from '@atrium/platform/testing';
import { startAtrium } from '../support/api';
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
    expect(listed.map(({ ret_key }) => ret_key)).toEqual([
      'access_logs',
      'audit_events',
      'download_archives',
      'events',
      'exports',
      'file_versions',
      'job_rows',
      'objects',
      'share_events',
      'site_publications',
      'social_attempts',
      'threads_inactive',
      'trash',
      'usage_entries',
    ]);
    expect(listed.find(({ ret_key }) => ret_key === 'trash')).toEqual({
      ret_key: 'trash',
      ret_days: 30,
      ret_days_before: null,
      ret_effective_at: null,
      ret_min: 1,
      ret_max: 365,
      ret_default: 30,
      ret_removes: expect.any(String),
      ret_last_run_at: null,
      ret_last_removed: null,
      ret_updated: null,
      ret_updated_by: null,
    });
    expect((await ours.owner.client.get(RETENTION).expect(200)).body).toMatchObject({ has_more: false, next_cursor: null });
  });

  it('is kept longer at once, shorter a day later, and as before when that is taken back', async () => {
    const workspace = await api.workspace();
    const change = async (days: number): Promise<object> => {
      const { body } = await workspace.owner.client.patch(RETENTION, { access_logs: days }).expect(200);
      return (body as { data: { ret_key: string }[] }).data.find(({ ret_key }) => ret_key === 'access_logs')!;
    };
    expect(await change(400)).toMatchObject({
      ret_days: 400,
      ret_days_before: null,
      ret_effective_at: null,
      ret_updated: expect.any(String),
      ret_updated_by: workspace.owner.user_id,
    });
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
    expect(body.data).toEqual([
      expect.objectContaining({
        aud_actor: workspace.owner.user_id,
        aud_target_type: 'retention_policy',
        aud_target_id: 'events',
        aud_before: { ret_days: 30 },
        aud_after: { ret_days: 60 },
      }),
    ]);
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
    const few = await ours.owner.client.patch(RETENTION, { access_logs: 29 }).expect(400);
    expect(few.body).toMatchObject({ code: 'validation_failed', errors: [{ path: 'access_logs' }] });
    for (const key of ['nothing', 'visitors']) {
      const refused = await ours.owner.client.patch(RETENTION, { [key]: 30, events: 20 });
      expect({ key, status: refused.status, code: refused.body.code }).toEqual({ key, status: 400, code: 'validation_failed' });
      await ours.owner.client.get(`${RETENTION}/preview?ret_key=${key}&days=30`).expect(400);
    }
    for (const days of ['0', '29']) await ours.owner.client.get(`${RETENTION}/preview?ret_key=access_logs&days=${days}`).expect(400);
    await ours.owner.client.get(`${RETENTION}/runs?ret_key=nothing`).expect(400);
    expect(await policy(ours, 'events')).toMatchObject({ ret_days: 30, ret_updated: null });
  });

  it('is for who sees the settings or the storage', async () => {
    const editor = await ours.member('editor');
    for (const denied of [
      editor.client.get(RETENTION),
      editor.client.patch(RETENTION, { trash: 20 }),
      editor.client.get(`${RETENTION}/preview?ret_key=trash`),
      editor.client.get(`${RETENTION}/runs`),
      editor.client.get(`${RETENTION}/runs/${newId()}/held`),
    ]) {
      const { body } = await denied.expect(403);
      expect(body).toMatchObject({ code: 'permission_denied', detail: expect.stringMatching(/admin:settings|admin:storage/) });
    }
    for (const scope of ['admin:settings', 'admin:storage']) await (await ours.member('admin', [scope])).client.get(RETENTION).expect(200);
  });
});

describe('a run', () => {
  it('[governance 26] removes what the preview announced, of access logs older than the days that were chosen; held ones remain and are counted', async () => {
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
    expect(run).toMatchObject({
      run_status: 'completed',
      run_removed: told.rows,
      run_bytes: told.bytes,
      run_held: told.held,
      run_error: null,
      run_finished: expect.any(String),
    });
    expect(await countOf(api, 'access_log', ours, `log_url = '/old' AND log_timestamp < now() - interval '30 days'`)).toBe(5);
    expect(await countOf(api, 'access_log', ours, `log_url = '/old' AND log_user = '${member.user_id}'`)).toBe(5);
    expect(await countOf(api, 'access_log', ours, `log_url = '/old'`)).toBe(12);
    expect(await countOf(api, 'access_log', ours, `log_url <> '/old'`)).toBeGreaterThanOrEqual(others);
    expect(await countOf(api, 'access_log', theirs, `log_url = '/old'`)).toBe(9);
    expect(await runs(theirs, 'access_logs')).toEqual([]);

    const kept = await heldBy(ours, run!);
    const ids = await api.sql<{ log_id: string }>(
      `SELECT log_id FROM access_log WHERE tenant_id = $1 AND log_url = '/old' AND log_user = $2`,
      [ours.tenant_id, member.user_id],
    );
    expect(kept.map(({ held_id }) => held_id).sort()).toEqual(ids.map(({ log_id }) => log_id).sort());
    expect(new Set(kept.map(({ held_hold }) => held_hold)).size).toBe(1);
    expect(await preview(ours, 'access_logs')).toMatchObject({ rows: 0, held: 5, oldest: null });
    expect(await policy(ours, 'access_logs')).toMatchObject({ ret_last_removed: 2_500, ret_last_run_at: expect.any(String) });
    const told_of = await api.sql<{ ev_payload: object }>(
      `SELECT ev_payload FROM outbox WHERE tenant_id = $1 AND ev_name = 'retention.completed' AND ev_payload ->> 'ret_key' = 'access_logs'`,
      [ours.tenant_id],
    );
    expect(told_of).toEqual([{ ev_payload: { ret_key: 'access_logs', run_removed: 2_500, run_bytes: 0, run_held: 5 } }]);

    await theirs.owner.client.get(`${RETENTION}/runs/${run!.run_id}/held`).expect(404);
    await ours.owner.client.get(`${RETENTION}/runs/${newId()}/held`).expect(404);
    await ours.owner.client.get(`${RETENTION}/runs/none/held`).expect(404);
    const pages = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const body: object = (
        await ours.owner.client.get(`${RETENTION}/runs/${run!.run_id}/held?limit=2${cursor ? `&cursor=${cursor}` : ''}`).expect(200)
      ).body as object;
      pages.push(...(body as { data: { held_id: string }[] }).data.map(({ held_id }) => held_id));
      cursor = (body as { next_cursor: string | null }).next_cursor;
    }
    expect(pages).toEqual([...kept.map(({ held_id }) => held_id)].sort());
  });

  it('is one a day and policy, after three in the morning of the workspace', async () => {
    const [early, late] = [await api.workspace(), await api.workspace()];
    for (const workspace of [early, late]) await logRows(api, workspace, 3, 400);
    await api.sql(`UPDATE workspace SET ws_timezone = $2 WHERE tenant_id = $1`, [early.tenant_id, zoneWhereItIs(1)]);
    await api.sql(`UPDATE workspace SET ws_timezone = $2 WHERE tenant_id = $1`, [late.tenant_id, zoneWhereItIs(5)]);
    const apply = (): Promise<void> => api.app.get(RetentionRuns, { strict: false }).runDue(new AbortController().signal);
    await apply();
    await Promise.all([apply(), apply()]);
    expect(await runs(early, 'access_logs')).toEqual([]);
    expect(await runs(late, 'access_logs')).toEqual([expect.objectContaining({ run_status: 'completed', run_removed: 3 })]);
    await logRows(api, late, 2, 400);
    await apply();
    expect(await countOf(api, 'access_log', late, `log_url = '/old'`)).toBe(2);
    await api.sql(`UPDATE retention_run SET run_date = run_date - 1 WHERE tenant_id = $1 AND ret_key = 'access_logs'`, [late.tenant_id]);
    await apply();
    expect(await runs(late, 'access_logs')).toHaveLength(2);
    expect(await countOf(api, 'outbox', late, `ev_name = 'retention.completed' AND ev_payload ->> 'ret_key' = 'access_logs'`)).toBe(2);
  });

  it('is started for no policy that would remove nothing, nor is that one asked again on the day', async () => {
    const [idle, busy] = [await api.workspace(), await api.workspace()];
    await logRows(api, busy, 3, 400);
    const counted = jest.spyOn(api.app.get(RetentionTargets, { strict: false }), 'countDue');
    await applyAnew(api, idle, busy);
    const all = async ({ owner }: TestWorkspace): Promise<string[]> =>
      ((await owner.client.get(`${RETENTION}/runs`).expect(200)).body as { data: { ret_key: string }[] }).data.map(
        ({ ret_key }) => ret_key,
      );
    expect([await all(idle), await all(busy)]).toEqual([[], ['access_logs']]);
    expect(await countOf(api, 'outbox', idle, `ev_name = 'retention.completed'`)).toBe(0);
    expect(await policy(idle, 'access_logs')).toMatchObject({ ret_last_run_at: null, ret_last_removed: null });
    counted.mockClear();
    await api.app.get(RetentionRuns, { strict: false }).runDue(new AbortController().signal);
    expect(counted).not.toHaveBeenCalled();
    counted.mockRestore();
    // The next morning they are looked through again.
    await api.sql('UPDATE retention_check SET check_date = check_date - 1 WHERE tenant_id = $1', [idle.tenant_id]);
    await logRows(api, idle, 2, 400);
    await api.app.get(RetentionRuns, { strict: false }).runDue(new AbortController().signal);
    expect(await all(idle)).toEqual(['access_logs']);
  });

  it('goes on where it was cut off, counting what went before', async () => {
    const workspace = await api.workspace();
    await api.sql(`UPDATE workspace SET ws_timezone = $2 WHERE tenant_id = $1`, [workspace.tenant_id, zoneWhereItIs(12)]);
    await logRows(api, workspace, 2_200, 400);
    const service = api.app.get(RetentionRuns, { strict: false });
    const stop = new AbortController();
    const cut = service.runDue(stop.signal);
    const begun = async (): Promise<number> =>
      (
        await api.sql<{ removed: number }>(
          `SELECT run_removed::int AS removed FROM retention_run WHERE tenant_id = $1 AND ret_key = 'access_logs'`,
          [workspace.tenant_id],
        )
      )[0]?.removed ?? 0;
    while ((await begun()) === 0);
    stop.abort();
    await cut;
    const [open] = await runs(workspace, 'access_logs');
    const left = await countOf(api, 'access_log', workspace, `log_url = '/old'`);
    expect(open!.run_removed + left).toBe(2_200);
    await service.runDue(new AbortController().signal);
    expect(await runs(workspace, 'access_logs')).toEqual([
      expect.objectContaining({ run_id: open!.run_id, run_status: 'completed', run_removed: 2_200 }),
    ]);
    expect(await countOf(api, 'access_log', workspace, `log_url = '/old'`)).toBe(0);
  });

  it('that failed says so and is tried again; the other policies are applied all the same', async () => {
    const workspace = await api.workspace();
    await logRows(api, workspace, 3, 400);
    await api.sql(
      `INSERT INTO background_job (tenant_id, job_id, job_kind, job_status, job_updated) VALUES ($1, gen_random_uuid(), 'test.work', 'completed', now() - interval '91 days')`,
      [workspace.tenant_id],
    );
    await api.sql(`ALTER FUNCTION access_log_purge(timestamptz, integer) RENAME TO access_log_purge_away`);
    try {
      await applyAnew(api, workspace);
    } finally {
      await api.sql(`ALTER FUNCTION access_log_purge_away(timestamptz, integer) RENAME TO access_log_purge`);
    }
    expect(await runs(workspace, 'access_logs')).toEqual([
      expect.objectContaining({ run_status: 'failed', run_removed: 0, run_error: expect.stringContaining('tried again') }),
    ]);
    expect(await runs(workspace, 'job_rows')).toEqual([expect.objectContaining({ run_status: 'completed' })]);
    const again = (): Promise<void> => api.app.get(RetentionRuns, { strict: false }).runDue(new AbortController().signal);
    await again();
    expect(await runs(workspace, 'access_logs')).toEqual([expect.objectContaining({ run_status: 'failed' })]);
    await api.sql(
      `UPDATE retention_run SET run_finished = run_finished - interval '61 minutes' WHERE tenant_id = $1 AND run_status = 'failed'`,
      [workspace.tenant_id],
    );
    await again();
    expect(await runs(workspace, 'access_logs')).toEqual([
      expect.objectContaining({ run_status: 'completed', run_removed: 3, run_error: null }),
    ]);
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
