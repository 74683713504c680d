import { newId } from '@atrium/platform/kernel';
import { RetentionTargets, type RetentionKey } from '@atrium/governance';
import type { RunningApi, TestWorkspace } from '@atrium/platform/testing';
import { storeFile } from '../files/stored-files';
import { startAtrium } from '../support/api';
import { hold, preview, undone } from './retaining';

/** So many that no plan reads a table as a whole for want of rows. */
const ROWS = 40_000;
/** Files are many enough with fewer: each has two versions, and their rows are long. */
const FILES = 16_000;
/** Every so-manieth row is due. */
const DUE_EACH = 8;
const BATCH = 1_000;

let api: RunningApi;
let ours: TestWorkspace;

/** When row `n` was made: most lately, some long ago. */
const MADE = `CASE WHEN n % ${DUE_EACH} = 0 THEN now() - interval '3000 days' - n * interval '1 second' ELSE now() - (n % 5) * interval '1 day' END`;

/** So many rows of everything that is kept for a time. */
async function seed(): Promise<void> {
  const tenant = ours.tenant_id;
  const numbers = `generate_series(1, ${ROWS}) n`;
  for (const [table, key] of [
    ['access_log', 'log_timestamp'],
    ['audit_event', 'aud_timestamp'],
    ['usage_entry', 'usage_timestamp'],
  ] as const) {
    await api.sql(
      `SELECT make_month('${table}', '${key}', now() - interval '3000 days' - m * interval '28 days') FROM generate_series(0, 2) m`,
    );
  }
  await api.sql(
    `INSERT INTO access_log (tenant_id, log_id, log_timestamp, log_user, log_principal, log_method, log_url, log_status, log_duration_ms, log_request_id)
     SELECT $1, gen_random_uuid(), ${MADE}, $2, 'person', 'GET', '/', 200, 1, 'r' FROM ${numbers}`,
    [tenant, newId()],
  );
  await api.sql(
    `WITH s AS (INSERT INTO audit_seal (tenant_id, seal_id, seal_seq, seal_from, seal_to, seal_count, seal_root, seal_signature, seal_created)
       SELECT $1, gen_random_uuid(), n, now() - interval '3100 days', now() - interval '2990 days', 1, '', '', now() FROM generate_series(1, 1) n RETURNING seal_id)
     INSERT INTO audit_event (tenant_id, aud_id, aud_timestamp, aud_type, aud_actor, aud_actor_kind, aud_target_type, aud_seal)
     SELECT $1, gen_random_uuid(), ${MADE}, 'settings.updated', gen_random_uuid(), 'person', 'user', s.seal_id FROM s, ${numbers}`,
    [tenant],
  );
  await api.sql(
    `INSERT INTO usage_entry (tenant_id, usage_id, usage_timestamp, usage_user, usage_param, usage_consumed_units, usage_consumed_credits, usage_cost_id)
     SELECT $1, gen_random_uuid(), ${MADE}, gen_random_uuid(), 'ai.tool_calls', 1, 1, $1 FROM ${numbers}`,
    [tenant],
  );
  await api.sql(
    `INSERT INTO outbox (tenant_id, ev_id, ev_kind, ev_name, ev_key, ev_payload, ev_actor, ev_request, ev_created, ev_sent)
     SELECT $1, gen_random_uuid(), 'event', 'test.happened', 'k', '{}', '{"kind": "system", "user_id": null}', 'r', ${MADE}, now() FROM ${numbers}`,
    [tenant],
  );
  await api.sql(
    `INSERT INTO background_job (tenant_id, job_id, job_kind, job_status, job_updated) SELECT $1, gen_random_uuid(), 'test.work', 'completed', ${MADE} FROM ${numbers}`,
    [tenant],
  );
  await api.sql(
    `INSERT INTO download_job (tenant_id, job_id, status, file_ids, file_count, total, expires_at, job_created_by) SELECT $1, gen_random_uuid(), 'completed', '{}', 1, 1, ${MADE} + interval '6 days', $1 FROM ${numbers}`,
    [tenant],
  );
  await files(tenant, `generate_series(1, ${FILES}) n`);
}

/**
 * Every file has two versions; of some the second is old, and some are in the trash, due or not. What is kept beside files to
 * find and count them is of no matter here.
 */
async function files(tenant: string, numbers: string): Promise<void> {
  const { file_id } = await storeFile(api, ours);
  await api.sql('ALTER TABLE file DISABLE TRIGGER USER; ALTER TABLE file_blob DISABLE TRIGGER USER');
  await api.sql(
    `WITH one AS (SELECT * FROM file WHERE file_id = $1),
     made AS (
       INSERT INTO file (tenant_id, file_id, file_repo, repo_type, file_name, file_type, file_size, file_processing, file_provider_id, file_bucket, file_folder, file_current_version, file_blob, file_shared, file_deleted, file_purge_at)
       SELECT tenant_id, gen_random_uuid(), file_repo, repo_type, 'n' || n, file_type, file_size, file_processing, file_provider_id, file_bucket, file_folder, gen_random_uuid(), file_blob, true,
              CASE WHEN n % 4 = 0 THEN now() END, CASE WHEN n % 4 = 0 THEN ${MADE} + interval '6 days' END FROM one, ${numbers} RETURNING *),
     first AS (
       INSERT INTO file_version (tenant_id, fv_id, fv_file, fv_number, fv_name, fv_type, fv_size, fv_source, fv_blob, fv_created, fv_superseded)
       SELECT m.tenant_id, gen_random_uuid(), m.file_id, 1, m.file_name, m.file_type, m.file_size, 'upload', m.file_blob, now() - interval '3200 days', ${MADE} FROM (SELECT m.*, row_number() OVER () AS n FROM made m) m)
     INSERT INTO file_version (tenant_id, fv_id, fv_file, fv_number, fv_name, fv_type, fv_size, fv_source, fv_blob, fv_created)
     SELECT m.tenant_id, m.file_current_version, m.file_id, 2, m.file_name, m.file_type, m.file_size, 'edit', m.file_blob, ${MADE} FROM (SELECT m.*, row_number() OVER () AS n FROM made m) m`,
    [file_id],
  );
  await api.sql(`UPDATE file_blob SET blob_refs = blob_refs + 2 * ${FILES} WHERE tenant_id = $1`, [tenant]);
  await api.sql('ALTER TABLE file ENABLE TRIGGER USER; ALTER TABLE file_blob ENABLE TRIGGER USER');
}

beforeAll(async () => {
  api = await startAtrium();
  ours = await api.workspace();
  const album = (await ours.owner.client.post('/albums', { album_name: 'Evidence' }).expect(201)).body as { album_id: string };
  await hold(ours, 'album', album.album_id);
  await hold(ours, 'user', ours.owner.user_id);
  await seed();
  for (const table of [
    'access_log',
    'audit_event',
    'usage_entry',
    'outbox',
    'background_job',
    'download_job',
    'file',
    'file_version',
    'legal_hold',
    'audit_seal',
  ])
    await api.sql(`ANALYZE ${table}`);
}, 240_000);
afterAll(() => api.close());

describe('among tens of thousands of rows', () => {
  const KEYS: readonly (readonly [RetentionKey, string])[] = [
    ['access_logs', 'access_log'],
    ['audit_events', 'audit_event'],
    ['usage_entries', 'usage_entry'],
    ['events', 'outbox'],
    ['job_rows', 'background_job'],
    ['download_archives', 'download_job'],
    ['trash', 'file'],
    ['file_versions', 'file_version'],
  ];

  it.each(KEYS)('what is due of %s is counted and removed along an index, as the service', async (key, table) => {
    const rows = table === 'file' || table === 'file_version' ? FILES : ROWS;
    const due = await preview(ours, key);
    expect(due.rows).toBeGreaterThanOrEqual(rows / DUE_EACH);
    expect(due.rows).toBeLessThan(rows / 4);
    await undone(api, ours, async (db) => {
      const [target] = api.app.get(RetentionTargets, { strict: false }).findTargets(key);
      const before = new Date(Date.now() - 2_555 * 86_400_000);
      const { removed } = await target!.purgeBatch(before, BATCH);
      expect(removed).toBeGreaterThanOrEqual(BATCH);
      expect(removed).toBeLessThan(2 * BATCH);
      // A month that is due as a whole may be read as a whole.
      const scanned = await db
        .current()
        .query<{ relname: string; rows: number }>(
          `SELECT relname, seq_tup_read AS rows FROM pg_stat_xact_user_tables WHERE seq_tup_read > $2 AND (relname = $1 OR relname LIKE $1 || '\\_%') AND relname NOT LIKE '%\\_seal'`,
          [table, rows === FILES ? 100 : due.rows],
        );
      expect(scanned).toEqual([]);
    });
    expect(await preview(ours, key)).toEqual(due);
  });
});
