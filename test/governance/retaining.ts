import { RetentionRuns } from '@atrium/governance';
import { Database, inWorkspace } from '@atrium/platform/database';
import { newId } from '@atrium/platform/kernel';
import type { RunningApi, TestWorkspace } from '@atrium/platform/testing';

/** A run as customers see it. */
export interface Run {
  readonly run_id: string;
  readonly ret_key: string;
  readonly run_status: string;
  readonly run_removed: number;
  readonly run_bytes: number;
  readonly run_held: number;
  readonly run_finished: string | null;
  readonly run_error: string | null;
}

export interface Policy {
  readonly ret_key: string;
  readonly ret_days: number;
  readonly ret_days_before: number | null;
  readonly ret_effective_at: string | null;
  readonly ret_min: number;
  readonly ret_max: number;
  readonly ret_default: number;
  readonly ret_last_run_at: string | null;
  readonly ret_last_removed: number | null;
  readonly ret_updated: string | null;
  readonly ret_updated_by: string | null;
}

export interface Preview {
  readonly rows: number;
  readonly bytes: number;
  readonly held: number;
  readonly oldest: string | null;
}

const RETENTION = '/admin/retention';

export const policies = async ({ owner }: TestWorkspace): Promise<Policy[]> =>
  ((await owner.client.get(RETENTION).expect(200)).body as { data: Policy[] }).data;

export const policy = async (workspace: TestWorkspace, key: string): Promise<Policy> =>
  (await policies(workspace)).find(({ ret_key }) => ret_key === key)!;

export const preview = async ({ owner }: TestWorkspace, key: string, days?: number): Promise<Preview> =>
  (await owner.client.get(`${RETENTION}/preview?ret_key=${key}${days === undefined ? '' : `&days=${days}`}`).expect(200)).body as Preview;

export const runs = async ({ owner }: TestWorkspace, key: string): Promise<Run[]> =>
  ((await owner.client.get(`${RETENTION}/runs?ret_key=${key}`).expect(200)).body as { data: Run[] }).data;

export const heldBy = async ({ owner }: TestWorkspace, run: Run): Promise<{ held_id: string; held_hold: string }[]> =>
  (
    (await owner.client.get(`${RETENTION}/runs/${run.run_id}/held?limit=1000`).expect(200)).body as {
      data: { held_id: string; held_hold: string }[];
    }
  ).data;

/** Shortens, and lets the day pass that a shortening waits. */
export async function shorten(api: RunningApi, workspace: TestWorkspace, days: Readonly<Record<string, number>>): Promise<void> {
  await workspace.owner.client.patch(RETENTION, days).expect(200);
  await api.sql(
    `UPDATE retention_policy SET ret_effective_at = now() - interval '1 second' WHERE tenant_id = $1 AND ret_effective_at IS NOT NULL`,
    [workspace.tenant_id],
  );
}

/** Applies what is due everywhere, whatever the hour; as if no run of these workspaces had been yet. */
export async function applyAnew(api: RunningApi, ...workspaces: readonly TestWorkspace[]): Promise<void> {
  const ids = workspaces.map(({ tenant_id }) => tenant_id);
  await api.sql(`DELETE FROM retention_run WHERE tenant_id = ANY($1::uuid[])`, [ids]);
  await api.sql(`DELETE FROM retention_check WHERE tenant_id = ANY($1::uuid[])`, [ids]);
  await api.sql(`UPDATE workspace SET ws_timezone = $2 WHERE tenant_id = ANY($1::uuid[])`, [ids, zoneWhereItIs(12)]);
  await api.app.get(RetentionRuns, { strict: false }).runDue(new AbortController().signal);
}

/** Name of a zone where the local hour is about this one now. */
export function zoneWhereItIs(hour: number): string {
  const offset = ((hour - new Date().getUTCHours() + 36) % 24) - 12;
  return offset === 0 ? 'UTC' : `Etc/GMT${offset > 0 ? '-' : '+'}${Math.abs(offset)}`;
}

/** Rows of the access log, so many days old. */
export async function logRows(
  api: RunningApi,
  { tenant_id }: TestWorkspace,
  count: number,
  days: number,
  user: string | null = null,
): Promise<void> {
  await api.sql(`SELECT make_month('access_log', 'log_timestamp', now() - make_interval(days => $1))`, [days]);
  await api.sql(
    `INSERT INTO access_log (tenant_id, log_id, log_timestamp, log_user, log_principal, log_method, log_url, log_status, log_duration_ms, log_request_id)
     SELECT $1, gen_random_uuid(), now() - make_interval(days => $3) - n * interval '1 second', $4::uuid, 'person', 'GET', '/old', 200, 1, 'r' FROM generate_series(1, $2::integer) n`,
    [tenant_id, count, days, user],
  );
}

export const countOf = async (api: RunningApi, table: string, { tenant_id }: TestWorkspace, where = 'true'): Promise<number> =>
  (await api.sql<{ count: number }>(`SELECT count(*)::int AS count FROM ${table} WHERE tenant_id = $1 AND ${where}`, [tenant_id]))[0]!
    .count;

export const hold = async ({ owner }: TestWorkspace, lh_target_type: string, lh_target_id: string): Promise<string> =>
  (
    (
      await owner.client
        .post('/admin/legal-holds', { lh_name: 'Harbour v. Quay', lh_target_type, lh_target_id, lh_reason: 'Preservation letter' })
        .expect(201)
    ).body as { lh_id: string }
  ).lh_id;

/** A later version of a file, and how many days ago it took the place of the one before; it shares the bytes. */
export async function laterVersion(
  api: RunningApi,
  { tenant_id }: TestWorkspace,
  file_id: string,
  number: number,
  days: number,
  by: string | null = null,
): Promise<string> {
  const fv_id = newId();
  await api.sql(
    `WITH made AS (
       INSERT INTO file_version (tenant_id, fv_id, fv_file, fv_number, fv_name, fv_type, fv_size, fv_hash, fv_source, fv_blob, fv_created, fv_created_by)
       SELECT tenant_id, $3, file_id, $4, file_name, file_type, file_size, file_hash, 'edit', file_blob, now() - make_interval(days => $5), $6 FROM file WHERE tenant_id = $1 AND file_id = $2 RETURNING fv_blob),
     counted AS (UPDATE file_blob SET blob_refs = blob_refs + 1 WHERE tenant_id = $1 AND blob_id = (SELECT fv_blob FROM made))
     UPDATE file SET file_current_version = $3, file_version = $4 WHERE tenant_id = $1 AND file_id = $2`,
    [tenant_id, file_id, fv_id, number, days, by],
  );
  return fv_id;
}

/** Within a unit of work of the service in a workspace that is undone at its end. */
export async function undone(api: RunningApi, { tenant_id }: TestWorkspace, work: (db: Database) => Promise<void>): Promise<void> {
  const db = api.app.get(Database, { strict: false });
  const undo = new Error('undo');
  await inWorkspace(tenant_id, () =>
    db.write(async () => {
      await work(db);
      throw undo;
    }),
  ).catch((error: unknown) => {
    if (error !== undo) throw error;
  });
}
