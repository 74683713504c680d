// A media library of so many files: photos and others of six years, tags in three groups, an album of a tenth of them,
// thirty small ones and twenty smart ones, a perceptual hash for every picture, and a publication of every file.
import { withoutIndexes } from './indexes.mjs';

const AT_ONCE = 100_000;
const TAGS = 60;

const FILES = `
  INSERT INTO file (tenant_id, file_id, file_repo, repo_type, file_name, file_type, file_kind, file_size, file_hash, file_status, file_processing, file_metadata, file_provider_id, file_bucket, file_folder,
                    file_replicas, file_added_by, file_current_version, file_blob, file_created, file_updated)
  SELECT $1, gen_random_uuid(), '{"library":["media"]}', 'media', (ARRAY['harbour','pier','bridge','market','garden'])[1 + n % 5] || ' ' || n || (ARRAY['.jpg','.png','.mp4','.pdf'])[1 + kind],
         (ARRAY['image/jpeg','image/png','video/mp4','application/pdf'])[1 + kind], (ARRAY['image','image','video','document'])[1 + kind], 500000 + (n::bigint * 7919) % 4000000, md5(n::text) || md5(n::text),
         (ARRAY['active','in_review','approved','archived'])[1 + n % 4], 'ready',
         jsonb_build_object('system', jsonb_build_object('width', 4032, 'height', 3024, 'orientation', 'landscape', 'camera', 'Camera ' || n % 40,
           'taken', to_char(now() - (n % 2190) * interval '1 day', 'YYYY-MM-DD"T"HH24:MI:SS".000Z"'))
           || CASE WHEN kind < 2 THEN jsonb_build_object('phash', lpad(to_hex((random() * 4294967295)::bigint), 8, '0') || lpad(to_hex((random() * 4294967295)::bigint), 8, '0')) ELSE '{}' END),
         '00000000-0000-7000-8000-000000000001', 'atrium', 't/x/blobs', '', $2, gen_random_uuid(), $3, now() - n * interval '1 second', now() - n * interval '1 second'
  FROM (SELECT n, CASE WHEN n % 10 < 7 THEN 0 WHEN n % 10 = 7 THEN 1 WHEN n % 10 = 8 THEN 2 ELSE 3 END AS kind FROM generate_series($4::integer, $5::integer) n) x`;

const PUBLICATIONS = `
  INSERT INTO publication (tenant_id, pub_id, pub_file, pub_state, pub_version, pub_key, pub_hostname, pub_name, pub_url, pub_distribution, pub_file_name, pub_file_version, pub_repo_type, pub_created, pub_updated)
  SELECT tenant_id, gen_random_uuid(), file_id, CASE WHEN file_size % 20 = 0 THEN 'scheduled' ELSE 'published' END, 1, key, 'localhost', file_name, 'http://localhost/p/' || key || '/' || file_name, 'worldwide', file_name,
         CASE WHEN file_size % 1000 = 0 THEN 2 ELSE 1 END, 'media', file_created, file_created
  FROM (SELECT *, translate(left(md5(file_id::text), 16), '0', 'g') AS key FROM file WHERE tenant_id = $1) f`;

/** Large tables, whose indexes are made when their rows are there. */
const FILLED = ['file', 'file_search_text', 'file_phash_band', 'file_tag', 'publication'];

/** Fills workspaces of so many files each (with publications or without) and leaves in each what requests need: the album, a picture, and a smart album that holds files. */
export async function seedLibraries(owner, sizes, { publications = true } = {}) {
  const makeIndexes = await withoutIndexes(owner, FILLED);
  for (const [world, rows] of sizes) Object.assign(world, await seedFiles(owner, world, rows, publications));
  await makeIndexes();
  for (const [world, rows] of sizes) Object.assign(world, await seedAlbums(owner, world, rows));
  await owner.query('SELECT file_tallies_roll(1000000000)');
  await owner.query('VACUUM ANALYZE');
}

async function seedFiles(owner, { ws_id, owner_user_id }, rows, publications) {
  const run = (text, ...values) => owner.query(text, [ws_id, ...values]);
  await owner.query('SELECT set_config($1, $2, false)', ['app.tenant_id', ws_id]);
  const blob = (
    await run(
      "INSERT INTO file_blob (tenant_id, blob_id, blob_hash, blob_size, blob_type, blob_key) VALUES ($1, gen_random_uuid(), 'bench', 1, 'image/jpeg', 't/x') RETURNING blob_id",
    )
  ).rows[0].blob_id;
  for (let from = 1; from <= rows; from += AT_ONCE) await run(FILES, owner_user_id, blob, from, Math.min(from + AT_ONCE - 1, rows));
  await run(
    "INSERT INTO media_tag_group (tenant_id, mtg_id, mtg_name) SELECT $1, gen_random_uuid(), g FROM unnest(ARRAY['Subject','Season','Client']) g",
  );
  await run(
    "INSERT INTO media_tag (tenant_id, mt_id, mt_group, mt_value) SELECT $1, gen_random_uuid(), g.mtg_id, 'Value ' || n FROM media_tag_group g, generate_series(0, $2::integer - 1) n WHERE g.tenant_id = $1",
    TAGS,
  );
  await owner.query('ANALYZE file, media_tag, media_tag_group');
  // A file at a time the counts of tags are cheap to keep; for a million at once they are made afterwards.
  await owner.query('SET session_replication_role = replica');
  await run(
    `INSERT INTO file_tag (tenant_id, ft_tag, ft_file, ft_group)
     SELECT $1, t.mt_id, f.file_id, t.mt_group
     FROM (SELECT file_id, row_number() OVER () AS n FROM file WHERE tenant_id = $1) f
     CROSS JOIN (SELECT mt_id, mt_group, mt_value, dense_rank() OVER (ORDER BY mt_group) AS place FROM media_tag WHERE tenant_id = $1) t
     WHERE t.mt_value = 'Value ' || (f.n * (1 + 6 * t.place)) % $2::integer`,
    TAGS,
  );
  await run(
    'UPDATE media_tag t SET mt_file_count = (SELECT count(*) FROM file_tag f WHERE f.tenant_id = $1 AND f.ft_tag = t.mt_id) WHERE t.tenant_id = $1',
  );
  if (publications) await run(PUBLICATIONS);
  await owner.query('SET session_replication_role = origin');
  return { picture: (await run("SELECT file_id FROM file WHERE tenant_id = $1 AND file_kind = 'image' LIMIT 1")).rows[0].file_id };
}

async function seedAlbums(owner, { ws_id }, rows) {
  const run = (text, ...values) => owner.query(text, [ws_id, ...values]);
  await owner.query('SELECT set_config($1, $2, false)', ['app.tenant_id', ws_id]);
  const album = await addAlbum(run, 'Large');
  await run(
    'INSERT INTO album_file (tenant_id, af_album, af_file, af_file_created) SELECT $1, $2, file_id, file_created FROM file WHERE tenant_id = $1 ORDER BY random() LIMIT $3::integer',
    album,
    Math.ceil(rows / 10),
  );
  for (let n = 0; n < 30; n++)
    await run(
      'INSERT INTO album_file (tenant_id, af_album, af_file, af_file_created) SELECT $1, $2, file_id, file_created FROM file WHERE tenant_id = $1 LIMIT 20',
      await addAlbum(run, `Small ${n}`),
    );
  const smart = [];
  for (let n = 0; n < 20; n++) {
    const query = {
      where: {
        all: [
          { field: 'kind', op: 'eq', value: n % 2 ? 'image' : 'video' },
          { field: 'camera', op: 'eq', value: `Camera ${n}` },
        ],
      },
    };
    const search = (
      await run(
        "INSERT INTO saved_search (tenant_id, sq_id, sq_name, sq_scope, sq_query) VALUES ($1, gen_random_uuid(), 'bench', 'media', $2::jsonb) RETURNING sq_id",
        JSON.stringify(query),
      )
    ).rows[0].sq_id;
    smart.push(
      (
        await run(
          "INSERT INTO album (tenant_id, album_id, album_name, album_smart, album_query) VALUES ($1, gen_random_uuid(), 'Smart', true, $2) RETURNING album_id",
          search,
        )
      ).rows[0].album_id,
    );
  }
  return { album, smart: smart[1] };
}

async function addAlbum(run, name) {
  return (await run('INSERT INTO album (tenant_id, album_id, album_name) VALUES ($1, gen_random_uuid(), $2) RETURNING album_id', name))
    .rows[0].album_id;
}
