import { randomBytes } from 'node:crypto';
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspectIsolation, migrateDatabase, readSteps } from '@atrium/platform/database';
import { newId } from '@atrium/platform/kernel';
import { createEmptyDatabase, createTestDatabase, dropTestDatabase, type TestDatabase } from '@atrium/platform/testing';
import { ask, asAdmin } from './asking';

const MIGRATIONS = join(__dirname, '../../migrations');
/** The last step before storage is counted again. */
const LAST = '0023';

const NOBODY = '00000000-0000-0000-0000-000000000000';

let folder: string;
const rooms: TestDatabase[] = [];
const roles: string[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'atrium-steps-'));
  for (const { name } of readSteps(MIGRATIONS)) if (name.slice(0, 4) <= LAST) await copyFile(join(MIGRATIONS, name), join(folder, name));
  // The roles of the service are the server's: they are there once any database of it was migrated.
  rooms.push(await createTestDatabase());
  // Installations of that time had a definer role that sees all rows by itself.
  await ask(asAdmin(rooms[0]!), 'ALTER ROLE atrium_definer BYPASSRLS');
}, 60_000);
afterAll(async () => {
  await ask(asAdmin(rooms[0]!), 'ALTER ROLE atrium_definer NOBYPASSRLS');
  await rm(folder, { recursive: true, force: true });
  for (const role of roles) await ask(asAdmin(rooms[0]!), `DROP ROLE IF EXISTS ${role}`).catch(() => undefined);
  for (const room of rooms) await dropTestDatabase(room);
});

/** A database that belongs to a role whom policies bind like anybody else; who may be more was made by the server's administrator before. */
async function boundOwner(database: TestDatabase): Promise<string> {
  const role = `owner_${randomBytes(5).toString('hex')}`;
  await ask(
    asAdmin(database),
    `CREATE ROLE ${role} LOGIN CREATEROLE NOSUPERUSER NOBYPASSRLS PASSWORD 'owner'; GRANT atrium_search, atrium_definer TO ${role} WITH ADMIN OPTION; ALTER DATABASE ${database.name} OWNER TO ${role}`,
  );
  roles.push(role);
  return Object.assign(new URL(database.ownerUrl), { username: role, password: 'owner' }).href;
}

/** What lay in an installation before that step: a workspace with files of every class, and sums that are wrong or missing. */
async function seed(database: TestDatabase): Promise<{ readonly tenant: string; readonly empty: string; readonly person: string }> {
  const [tenant, empty, person] = [newId(), newId(), newId()];
  const [shown, old, trashed, made] = [newId(), newId(), newId(), newId()];
  const [one, two, three] = [newId(), newId(), newId()];
  const blobs = [
    [shown, 1_000, '{"small": {"size": 100}, "large": {"size": 300}}'],
    [old, 500, '{}'],
    [trashed, 70, '{}'],
    [made, 30, '{}'],
  ] as const;
  const admin = asAdmin(database);
  await ask(
    admin,
    "INSERT INTO workspace (tenant_id, ws_name, ws_slug) SELECT w.id, 'Old', 'old-' || w.n FROM unnest($1::uuid[]) WITH ORDINALITY AS w (id, n)",
    { values: [[tenant, empty]] },
  );
  for (const [blob, size, replicas] of blobs)
    await ask(
      admin,
      "INSERT INTO file_blob (tenant_id, blob_id, blob_size, blob_type, blob_key, blob_replicas, blob_refs) VALUES ($1, $2, $3, 'image/png', 'k', $4, 1)",
      { values: [tenant, blob, size, replicas] },
    );
  const files = [
    [one, 'media', shown, 1_000, null],
    [two, 'media', trashed, 70, '2026-01-01'],
    [three, 'generated', made, 30, null],
  ] as const;
  for (const [file, repo, blob, size, deleted] of files) {
    await ask(
      admin,
      `INSERT INTO file (tenant_id, file_id, file_repo, repo_type, file_name, file_type, file_kind, file_size, file_processing, file_metadata, file_provider_id, file_bucket, file_folder, file_current_version, file_blob, file_deleted)
       VALUES ($1, $2, jsonb_build_object('library', jsonb_build_array($3::text)), $3, 'old picture.png', 'image/png', 'image', $4, 'ready', '{"system": {"phash": "00ff00ff00ff00ff"}}', $1, 'disk', '', $2, $5, $6)`,
      { values: [tenant, file, repo, size, blob, deleted] },
    );
  }
  await ask(admin, 'UPDATE file_blob SET blob_refs = 2 WHERE tenant_id = $1 AND blob_id = $2', { values: [tenant, made] });
  const holds = [
    [one, null],
    [two, '2026-01-02'],
  ];
  for (const [file, released] of holds)
    await ask(
      admin,
      "INSERT INTO legal_hold (tenant_id, lh_id, lh_name, lh_target_type, lh_target_id, lh_reason, lh_released_at) VALUES ($1, $2, 'Matter', 'file', $3, 'Letter', $4)",
      { values: [tenant, newId(), file, released] },
    );
  // A current version bears the id of its file here.
  const versions = [
    [one, one, 2, shown, 1_000, 'small,large', person],
    [newId(), one, 1, old, 500, '', person],
    [two, two, 1, trashed, 70, '', person],
    [three, three, 1, made, 30, '', null],
  ] as const;
  for (const [id, file, number, blob, size, replicas, by] of versions) {
    await ask(
      admin,
      "INSERT INTO file_version (tenant_id, fv_id, fv_file, fv_number, fv_name, fv_type, fv_size, fv_replicas, fv_source, fv_blob, fv_created_by) VALUES ($1, $2, $3, $4, 'old picture.png', 'image/png', $5, $6, 'upload', $7, $8)",
      { values: [tenant, id, file, number, size, replicas, blob, by] },
    );
  }
  for (const [state, size] of [
    ['open', 5_000],
    ['finalized', 999],
  ]) {
    await ask(
      admin,
      "INSERT INTO upload (tenant_id, upl_id, upl_state, upl_mode, file_repo, file_name, file_size, upl_key, upl_expires, upl_created_by) VALUES ($1, $2, $3, 'single', '{}', 'n', $4, 'k', now() + interval '1 day', $5)",
      { values: [tenant, newId(), state, size, person] },
    );
  }
  await ask(
    admin,
    "INSERT INTO download_job (tenant_id, job_id, status, file_ids, file_count, total, archive_key, archive_size, job_created_by) VALUES ($1, $2, 'completed', '{}', 1, 1, 'k', 2000, $3)",
    { values: [tenant, newId(), person] },
  );
  await ask(admin, 'DELETE FROM storage_provider WHERE tenant_id = ANY($1::uuid[])', { values: [[tenant, empty]] });
  const wrong = "($1, $1, 'original', 'media', 'image', $2, 1, 1), ($1, $1, 'publication', 'media', 'image', $2, 77, 1)";
  await ask(
    admin,
    `INSERT INTO storage_consumption (tenant_id, con_provider, con_class, con_repo_type, con_family, con_user, con_bytes, con_objects) VALUES ${wrong}`,
    { values: [tenant, NOBODY] },
  );
  await ask(
    admin,
    "INSERT INTO storage_delta (tenant_id, con_provider, con_class, con_repo_type, con_family, con_user, con_bytes, con_objects) VALUES ($1, $1, 'original', 'media', 'image', $2, 9, 1)",
    { values: [tenant, NOBODY] },
  );
  await ask(admin, 'INSERT INTO storage_person (tenant_id, per_user, per_used, per_reserved) VALUES ($1, $2, 3, 3), ($1, $3, 4, 0)', {
    values: [tenant, person, newId()],
  });
  await ask(
    admin,
    'INSERT INTO storage_quota (tenant_id, quota_bytes, quota_used, quota_reserved) VALUES ($1, 1000000, 5, 5) ON CONFLICT (tenant_id) DO UPDATE SET quota_bytes = 1000000, quota_used = 5, quota_reserved = 5',
    { values: [tenant] },
  );
  return { tenant, empty, person };
}

describe('the step that counts storage again', () => {
  it.each([
    ['the role that migrations run as', false],
    ['a role whom policies bind', true],
  ])(
    'finds what an installation held before it, run by %s',
    async (_who, bound) => {
      const database = await createEmptyDatabase();
      rooms.push(database);
      const url = bound ? await boundOwner(database) : database.ownerUrl;
      await migrateDatabase(url, folder);
      const { tenant, empty, person } = await seed(database);
      const applied: string[] = [];
      await migrateDatabase(url, MIGRATIONS, (step) => applied.push(step));
      expect(applied[0]).toBe('0024-file-life.sql');
      expect(await migrateDatabase(url, MIGRATIONS)).toBe(0);

      const admin = asAdmin(database);
      const all = <R extends object>(text: string, id = tenant): Promise<R[]> => ask<R>(admin, text, { values: [id] });
      expect(
        await all(
          'SELECT fv_number AS n, fv_rendition_bytes::int AS bytes, fv_quarantine FROM file_version WHERE tenant_id = $1 AND fv_replicas <> $$$$',
        ),
      ).toEqual([{ n: 2, bytes: 400, fv_quarantine: null }]);
      const sums = await all<{ class: string }>(
        'SELECT con_class AS class, con_repo_type AS repo, con_family AS family, con_user AS by, con_bytes::int AS bytes, con_objects::int AS objects FROM storage_consumption WHERE tenant_id = $1 ORDER BY con_class',
      );
      expect(sums).toEqual([
        { class: 'export', repo: '', family: 'archive', by: person, bytes: 2_000, objects: 1 },
        { class: 'generated', repo: 'generated', family: 'image', by: NOBODY, bytes: 30, objects: 1 },
        { class: 'original', repo: 'media', family: 'image', by: person, bytes: 1_000, objects: 1 },
        { class: 'publication', repo: 'media', family: 'image', by: NOBODY, bytes: 77, objects: 1 },
        { class: 'rendition', repo: 'media', family: 'image', by: person, bytes: 400, objects: 2 },
        { class: 'trash', repo: 'media', family: 'image', by: person, bytes: 70, objects: 1 },
        { class: 'version', repo: 'media', family: 'image', by: person, bytes: 500, objects: 1 },
      ]);
      expect(await all('SELECT 1 FROM storage_delta WHERE tenant_id = $1')).toEqual([]);
      expect(
        await all(
          'SELECT quota_bytes::int AS most, quota_used::int AS used, quota_reserved::int AS reserved FROM storage_quota WHERE tenant_id = $1',
        ),
      ).toEqual([{ most: 1_000_000, used: 3_677, reserved: 5_000 }]);
      expect(
        await all('SELECT per_user AS who, per_used::int AS used, per_reserved::int AS reserved FROM storage_person WHERE tenant_id = $1'),
      ).toEqual([{ who: person, used: 3_570, reserved: 5_000 }]);
      expect(
        await all('SELECT quota_used::int AS used, quota_reserved::int AS reserved FROM storage_quota WHERE tenant_id = $1', empty),
      ).toEqual([{ used: 0, reserved: 0 }]);
      for (const id of [tenant, empty]) {
        expect(await all('SELECT sto_managed_by AS by, sto_default, sto_status FROM storage_provider WHERE tenant_id = $1', id)).toEqual([
          { by: 'platform', sto_default: true, sto_status: 'ok' },
        ]);
        expect(await all('SELECT msf_name FROM media_status_flow WHERE tenant_id = $1 AND msf_active', id)).toEqual([
          { msf_name: 'Standard' },
        ]);
      }
      expect(
        await all(
          'SELECT count(*)::int AS bytes FROM file_blob WHERE tenant_id = $1 AND blob_verified IS NOT NULL AND blob_malware IS NULL AND blob_corrupt IS NULL',
        ),
      ).toEqual([{ bytes: 4 }]);
      expect(
        await all(
          'SELECT repo_type AS repo, file_deleted IS NOT NULL AS trashed, file_shared AS shared, file_corrupt AS corrupt, file_held AS held FROM file WHERE tenant_id = $1 ORDER BY 1, 2',
        ),
      ).toEqual([
        { repo: 'generated', trashed: false, shared: true, corrupt: false, held: false },
        { repo: 'media', trashed: false, shared: false, corrupt: false, held: true },
        { repo: 'media', trashed: true, shared: false, corrupt: false, held: false },
      ]);
      expect(await all('SELECT count(DISTINCT file_id)::int AS looks FROM file_phash_band WHERE tenant_id = $1')).toEqual([{ looks: 2 }]);
      expect(
        await all('SELECT fd_repo AS repo, fd_quarantined AS quarantined, fd_files::int AS files FROM file_day WHERE tenant_id = $1'),
      ).toEqual([{ repo: 'media', quarantined: false, files: 1 }]);
      expect(
        await all(
          "SELECT fw_repo AS repo, string_agg(fw_word, ' ' ORDER BY fw_word) AS words, sum(fw_files)::int AS files FROM file_word WHERE tenant_id = $1 GROUP BY 1 ORDER BY 1",
        ),
      ).toEqual([
        { repo: 'generated', words: 'old picture png', files: 3 },
        { repo: 'media', words: 'old picture png', files: 3 },
      ]);
      expect(await inspectIsolation(database.appUrl)).toEqual([]);
    },
    120_000,
  );

  it('is not run by a role that would not see the rows, and says what to run first', async () => {
    const database = await createEmptyDatabase();
    rooms.push(database);
    await migrateDatabase(database.ownerUrl, folder);
    const { tenant } = await seed(database);
    await ask(asAdmin(database), 'ALTER ROLE atrium_definer NOBYPASSRLS');
    await expect(migrateDatabase(database.ownerUrl, MIGRATIONS)).rejects.toThrow('ALTER ROLE atrium_definer BYPASSRLS;');
    await ask(asAdmin(database), 'ALTER ROLE atrium_definer BYPASSRLS');
    await migrateDatabase(database.ownerUrl, MIGRATIONS);
    expect(
      await ask(asAdmin(database), 'SELECT quota_used::int AS used FROM storage_quota WHERE tenant_id = $1', { values: [tenant] }),
    ).toEqual([{ used: 3_677 }]);
  }, 120_000);
});
