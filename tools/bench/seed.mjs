// 100,000 files over 20 workspaces, one of which holds 60,000; 2,000 albums in that one.
import pg from 'pg';
import { operateJson } from '../start/operator.mjs';

const WORKSPACES = 20;
const LARGEST = 60_000;
const OTHERS = 40_000 / (WORKSPACES - 1);
const ALBUMS = 2_000;

const SQL = `
  INSERT INTO file (tenant_id, file_id, file_repo, repo_type, file_name, file_type, file_kind, file_size, file_hash, file_status, file_processing, file_metadata, file_provider_id, file_bucket, file_folder,
                    file_replicas, file_added_by, file_current_version, file_blob, file_created, file_updated)
  SELECT $1, gen_random_uuid(), '{"library":["media"]}', 'media', 'photo ' || n || '.jpg', 'image/jpeg', 'image', 500000 + (n * 7919) % 4000000, md5(n::text) || md5(n::text),
         (ARRAY['active','in_review','approved','archived'])[1 + n % 4], 'ready',
         '{"system":{"width":4032,"height":3024,"orientation":"landscape","taken":"2026-05-04T10:11:12.000Z","camera":"Camera 7","thumbhash":"3OcRJYB4d3h/iIeHeEh3eIhw+j2w"}}',
         '00000000-0000-7000-8000-000000000001', 'atrium', 't/x/blobs', 'small,medium,large', $2, gen_random_uuid(), $3,
         now() - n * interval '1 second', now() - n * interval '1 second'
  FROM generate_series(1, $4) n`;

/** Adds `count` files to a workspace, as the owner of the database. */
export async function seedFiles(owner, { ws_id, owner_user_id }, count) {
  const blob = (
    await owner.query(
      "INSERT INTO file_blob (tenant_id, blob_id, blob_hash, blob_size, blob_type, blob_key) VALUES ($1, gen_random_uuid(), 'bench', 1, 'image/jpeg', 't/x') RETURNING blob_id",
      [ws_id],
    )
  ).rows[0].blob_id;
  await owner.query(SQL, [ws_id, owner_user_id, blob, count]);
}

/** Seeds through the operator's commands and plain SQL as the owner; answers the largest workspace with a key. */
export async function seed(env, ownerUrl) {
  const owner = new pg.Client({ connectionString: ownerUrl });
  await owner.connect();
  await owner.query('SET row_security = off').catch(() => undefined);
  let largest;
  for (let n = 0; n < WORKSPACES; n++) {
    const email = `owner@bench-${n}.example`;
    const made = await operateJson(
      [
        'workspace',
        'create',
        '--name',
        `Bench ${n}`,
        '--slug',
        `bench-${n}`,
        '--owner-email',
        email,
        '--owner-name',
        'Owner',
        '--all-modules',
      ],
      { env, input: 'a password for the bench\n' },
    );
    await seedFiles(owner, made, n === 0 ? LARGEST : Math.floor(OTHERS));
    if (n === 0) largest = { ...made, email };
  }
  await owner.query(
    "INSERT INTO album (tenant_id, album_id, album_name, album_created_by) SELECT $1, gen_random_uuid(), 'Album ' || n, $2 FROM generate_series(1, $3) n",
    [largest.ws_id, largest.owner_user_id, ALBUMS],
  );
  await owner.query('VACUUM ANALYZE');
  const files = (await owner.query('SELECT file_id FROM file WHERE tenant_id = $1 ORDER BY random() LIMIT 2000', [largest.ws_id])).rows.map(
    (row) => row.file_id,
  );
  const albums = (await owner.query('SELECT album_id FROM album WHERE tenant_id = $1', [largest.ws_id])).rows.map((row) => row.album_id);
  await owner.end();
  const { key_secret } = await operateJson(
    ['key', 'create', '--workspace', largest.ws_id, '--user-email', largest.email, '--name', 'bench'],
    { env },
  );
  return { ...largest, key: key_secret, files, albums };
}
