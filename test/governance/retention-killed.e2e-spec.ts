import { newId } from '@atrium/platform/kernel';
import { migrateQueue } from '@atrium/platform/messaging';
import { eventually, type RunningApi, type TestWorkspace } from '@atrium/platform/testing';
import { Hosts } from '../faults/hosts';
import { storeFile } from '../files/stored-files';
import { BRIEF_LEASES, startAtrium } from '../support/api';
import { countOf, hold, logRows, runs, zoneWhereItIs } from './retaining';
import { assertCounted } from './storing';

jest.setTimeout(180_000);

/** Enough that a run takes a while. */
const LOG_ROWS = 25_000;
const TRASHED = 5_000;
const KEPT = 500;

let api: RunningApi;
let ours: TestWorkspace;
const hosts = new Hosts();

beforeAll(async () => {
  api = await startAtrium(BRIEF_LEASES);
  await migrateQueue(api.database.ownerUrl);
  ours = await api.workspace();
  // It empties the trash as well, and counts for no run.
  await api.sql(
    `INSERT INTO schedule (sch_name, sch_due) VALUES ('files.sweep', now() + interval '1 day') ON CONFLICT (sch_name) DO UPDATE SET sch_due = excluded.sch_due`,
  );
});
afterAll(async () => {
  await hosts.close();
  await api.close();
});

/** Files in the trash whose day has come, and files that are to stay: some in the trash for another while, some in use. All are counted as stored. */
async function seedFiles(): Promise<readonly string[]> {
  const { file_id } = await storeFile(api, ours);
  const made = await api.sql<{ file_id: string }>(
    `WITH one AS (SELECT * FROM file WHERE file_id = $1),
     made AS (
       INSERT INTO file (tenant_id, file_id, file_repo, repo_type, file_name, file_type, file_size, file_processing, file_provider_id, file_bucket, file_folder, file_current_version, file_blob, file_deleted, file_purge_at)
       SELECT tenant_id, gen_random_uuid(), file_repo, repo_type, CASE WHEN n <= $2 THEN 'due' WHEN n <= $2 + $3 THEN 'waits' ELSE 'used' END, file_type, file_size, file_processing, file_provider_id, file_bucket, file_folder, gen_random_uuid(), file_blob,
              CASE WHEN n <= $2 + $3 THEN now() - interval '40 days' END, CASE WHEN n <= $2 THEN now() - interval '10 days' WHEN n <= $2 + $3 THEN now() + interval '5 days' END
       FROM one, generate_series(1, $2 + 2 * $3) n RETURNING *),
     versions AS (
       INSERT INTO file_version (tenant_id, fv_id, fv_file, fv_number, fv_name, fv_type, fv_size, fv_source, fv_blob)
       SELECT tenant_id, file_current_version, file_id, 1, file_name, file_type, file_size, 'upload', file_blob FROM made)
     SELECT file_id FROM made WHERE file_name = 'due' LIMIT 3`,
    [file_id, TRASHED, KEPT],
  );
  await api.sql(
    'UPDATE file_blob b SET blob_refs = (SELECT count(*) FROM file_version v WHERE v.tenant_id = b.tenant_id AND v.fv_blob = b.blob_id) WHERE b.tenant_id = $1',
    [ours.tenant_id],
  );
  await api.sql(
    `WITH counted AS (
       INSERT INTO storage_consumption (tenant_id, con_provider, con_class, con_repo_type, con_family, con_user, con_bytes, con_objects)
       SELECT v.tenant_id, v.tenant_id, CASE WHEN f.file_deleted IS NULL THEN 'original' ELSE 'trash' END, f.repo_type, file_family(v.fv_type), '00000000-0000-0000-0000-000000000000', sum(v.fv_size), count(*)
       FROM file_version v JOIN file f ON f.tenant_id = v.tenant_id AND f.file_id = v.fv_file WHERE v.tenant_id = $1 GROUP BY 1, 2, 3, 4, 5 RETURNING con_bytes)
     INSERT INTO storage_quota (tenant_id, quota_used, quota_reserved) SELECT $1, sum(con_bytes), 0 FROM counted ON CONFLICT (tenant_id) DO UPDATE SET quota_used = excluded.quota_used`,
    [ours.tenant_id],
  );
  return made.map((row) => row.file_id);
}

const removed = async (key: string): Promise<number> =>
  (
    await api.sql<{ removed: number }>('SELECT run_removed::int AS removed FROM retention_run WHERE tenant_id = $1 AND ret_key = $2', [
      ours.tenant_id,
      key,
    ])
  )[0]?.removed ?? 0;

/** A worker that is killed once it has begun with a policy; what it held is free again, as a minute later. */
async function killedDuring(key: string): Promise<void> {
  const worker = await hosts.worker();
  await eventually(
    () => removed(key),
    (count) => count > 0,
    60_000,
  );
  await worker.end('SIGKILL');
  // What it had sent may still be committed after its end.
  await eventually(
    () => api.sql(`SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'atrium-worker'`),
    (open) => open.length === 0,
  );
  expect(await runs(ours, key)).toMatchObject([{ run_status: 'running' }]);
  await api.sql(`UPDATE schedule SET sch_due = now() WHERE sch_name = 'governance.retention'`);
}

describe('workers that are killed in the middle of applying what is kept', () => {
  it('leave the rest to the next one: all that is due is removed and reported once, nothing else is, and every counter is what a recount gives', async () => {
    await hosts.witness(async () => {
      const member = await ours.member('editor');
      const held = await seedFiles();
      await logRows(api, ours, LOG_ROWS, 400);
      await logRows(api, ours, 200, 401, member.user_id);
      await logRows(api, ours, KEPT, 100, newId());
      await hold(ours, 'user', member.user_id);
      for (const file_id of held) await hold(ours, 'file', file_id);
      await assertCounted(api, ours);
      await api.sql('UPDATE workspace SET ws_timezone = $2 WHERE tenant_id = $1', [ours.tenant_id, zoneWhereItIs(12)]);

      await killedDuring('access_logs');
      expect((await removed('access_logs')) + (await countOf(api, 'access_log', ours, `log_url = '/old'`))).toBe(LOG_ROWS + 200 + KEPT);
      await killedDuring('trash');
      expect((await removed('trash')) + (await countOf(api, 'file', ours, `file_name = 'due'`))).toBe(TRASHED);
      await assertCounted(api, ours);

      await hosts.worker();
      await eventually(
        () => runs(ours, 'trash'),
        ([run]) => run?.run_status === 'completed',
        90_000,
      );
      expect(await runs(ours, 'access_logs')).toMatchObject([{ run_status: 'completed', run_removed: LOG_ROWS, run_held: 200 }]);
      expect(await runs(ours, 'trash')).toMatchObject([
        { run_status: 'completed', run_removed: TRASHED - held.length, run_held: held.length },
      ]);
      expect(await countOf(api, 'access_log', ours, `log_url = '/old'`)).toBe(200 + KEPT);
      const left = await api.sql<{ file_name: string; count: number }>(
        `SELECT file_name, count(*)::int AS count FROM file WHERE tenant_id = $1 AND file_name IN ('due', 'waits', 'used') GROUP BY 1 ORDER BY 1`,
        [ours.tenant_id],
      );
      expect(left).toEqual([
        { file_name: 'due', count: held.length },
        { file_name: 'used', count: KEPT },
        { file_name: 'waits', count: KEPT },
      ]);
      expect(await countOf(api, 'file', ours, `file_id = ANY('{${held.join(',')}}')`)).toBe(held.length);
      expect(await countOf(api, 'file_history', ours, `fh_action = 'purged'`)).toBe(TRASHED - held.length);
      for (const key of ['access_logs', 'trash'])
        expect([
          key,
          await countOf(api, 'outbox', ours, `ev_name = 'retention.completed' AND ev_payload ->> 'ret_key' = '${key}'`),
        ]).toEqual([key, 1]);
      await assertCounted(api, ours);
      const refs = await api.sql<{ refs: number; versions: number }>(
        `SELECT b.blob_refs::int AS refs, (SELECT count(*)::int FROM file_version v WHERE v.tenant_id = b.tenant_id AND v.fv_blob = b.blob_id) AS versions FROM file_blob b WHERE b.tenant_id = $1`,
        [ours.tenant_id],
      );
      expect(refs).toEqual(refs.map(({ versions }) => ({ refs: versions, versions })));
    });
  });
});
