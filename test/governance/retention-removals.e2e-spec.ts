import { RetentionRuns } from '@atrium/governance';
import { newId } from '@atrium/platform/kernel';
import { ScheduleHost } from '@atrium/platform/messaging';
import { eventually, type RunningApi } from '@atrium/platform/testing';
import type { INestApplicationContext } from '@nestjs/common';
import { startAtrium, startWorker } from '../support/api';
import { seedUsage } from '../support/usage';
import { applyAnew, countOf, hold, logRows, preview, runs, shorten, zoneWhereItIs } from './retaining';

const RETENTION = '/admin/retention';
const DAY = 86_400_000;

let api: RunningApi;
let worker: INestApplicationContext;

beforeAll(async () => {
  api = await startAtrium();
  worker = await startWorker(api);
  // What it applies by itself it has applied before the first workspace is there: a run that still goes on would take part in it.
  await eventually(
    () =>
      api.sql(
        `SELECT 1 FROM schedule WHERE sch_name = 'governance.retention' AND sch_holder IS NULL AND sch_due > now() + interval '2 minutes'`,
      ),
    (done) => done.length > 0,
    30_000,
  );
});
afterAll(() => api.close());

describe('what goes', () => {
  it('of usage are the entries, never the sums', async () => {
    const workspace = await api.workspace();
    const member = await workspace.member('editor');
    // Nothing is older than the 760 days of the standard: the schedule, which may come at any moment, finds nothing to remove.
    await seedUsage(api, workspace.tenant_id, { entries: 1_500, days: 700, users: [member.user_id, newId()], agents: [newId()] });
    await hold(workspace, 'user', member.user_id);
    const total = async (): Promise<object> => {
      const since = new Date(Date.now() - 1_000 * DAY).toISOString();
      const { body } = await workspace.owner.client
        .get(`/admin/usage/pivot?group_by=usage_param&time_granularity=month&usage_timestamp=${since}`)
        .expect(200);
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
    expect(
      await countOf(
        api,
        'audit_event',
        workspace,
        `aud_timestamp < now() - interval '2800 days' AND (aud_actor = '${user}' OR aud_target_id = '${user}')`,
      ),
    ).toBe(20);
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
    for (const [days, sent, user] of [
      [31, true, null],
      [31, true, newId()],
      [31, true, member.user_id],
      [31, false, null],
      [29, true, null],
    ] as const)
      await event(days, sent, user);
    for (const [status, days, user] of [
      ['completed', 91, null],
      ['failed', 91, newId()],
      ['cancelled', 91, member.user_id],
      ['running', 91, null],
      ['completed', 89, null],
    ] as const) {
      await api.sql(
        `INSERT INTO background_job (tenant_id, job_id, job_kind, job_status, job_updated, job_created_by) VALUES ($1, gen_random_uuid(), 'test.work', $2, now() - make_interval(days => $3), $4)`,
        [workspace.tenant_id, status, days, user],
      );
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
    const old = [91, 95, 100];
    for (const days of old) {
      await api.sql(
        `INSERT INTO retention_run (tenant_id, run_id, ret_key, run_date, run_before, run_started, run_finished, run_status)
         VALUES ($1, gen_random_uuid(), 'trash', current_date - $2::integer, now(), now() - make_interval(days => $2), now() - make_interval(days => $2), 'completed')`,
        [workspace.tenant_id, days],
      );
    }
    await api.sql(`UPDATE workspace SET ws_timezone = $2 WHERE tenant_id = $1`, [workspace.tenant_id, zoneWhereItIs(12)]);
    await api.app.get(RetentionRuns, { strict: false }).runDue(new AbortController().signal);
    expect(await runs(workspace, 'job_rows')).toEqual([expect.objectContaining({ run_removed: old.length })]);
    expect(await runs(workspace, 'trash')).toEqual([]);
  });
});

describe('the months of a table', () => {
  const months = async (table: string): Promise<string[]> =>
    (
      await api.sql<{ name: string }>(
        `SELECT c.relname AS name FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid WHERE i.inhparent = $1::regclass ORDER BY 1`,
        [table],
      )
    ).map(({ name }) => name);
  const monthOf = async (table: string, days: number): Promise<string> =>
    (
      await api.sql<{ name: string }>(
        `SELECT $1 || '_' || to_char(now() AT TIME ZONE 'UTC' - make_interval(days => $2), 'YYYY_MM') AS name`,
        [table, days],
      )
    )[0]!.name;

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
