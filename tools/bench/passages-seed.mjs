// Passages to search in: made of words of which a few are frequent and most are rare, as in texts that people write, with vectors.
import { join } from 'node:path';
import { createRequire } from 'node:module';
import { projectRoot } from '../project.mjs';
import { withoutIndexes } from './indexes.mjs';

const A_SOURCE = 50;
const AT_ONCE = 10_000;
const WORDS = 120;
const VOCABULARY = 200_000;
const VECTORS = 1_000;
const DIMS = 384;
const MODEL = 'atrium/hash-384';

/** The word of a rank: the n-th occurs half as often as the one of half the rank. */
export const wordAt = (rank) => `w${rank.toString(16)}`;

/** A word, the rarer the less often; between two ranks. */
export const anyWord = (from = 1, to = VOCABULARY) => wordAt(Math.floor(from * (to / from) ** Math.random()));

/** Fills `large` with so many passages, `small` with a tenth of them, and others beside them with as many together as `large` has. */
export async function seedPassages(owner, { large, small, passages, others }) {
  const makeIndexes = await withoutIndexes(owner, ['passage', 'vector_entry']);
  await owner.query('SET synchronous_commit = off; SET jit = off');
  await fillPool(owner);
  await seedSources(owner, large, passages);
  for (let from = 0; from < passages; from += AT_ONCE) await writePassages(owner, large, from, Math.min(from + AT_ONCE, passages));
  await copyPassages(owner, large, small, passages / 10);
  for (const ws_id of await neighbours(owner, others))
    await copyPassages(owner, large, { ...large, ws_id }, Math.floor(passages / others / A_SOURCE) * A_SOURCE);
  await makeIndexes();
  await owner.query('DROP TABLE vector_pool');
  await owner.query('VACUUM ANALYZE');
}

/** Vectors in no direction in particular, each of which many passages have. */
async function fillPool(owner) {
  const { piecesOf, signatureOf, unit } = createRequire(import.meta.url)(
    join(projectRoot, 'dist/libs/retrieval/src/embeddings/domain/unit-vector.js'),
  );
  const rows = Array.from({ length: VECTORS }, (_, n) => {
    const vector = unit(Array.from({ length: DIMS }, () => Math.random() + Math.random() - 1));
    return { n, sig: signatureOf(vector), pieces: piecesOf(vector), vec: `[${vector.join(',')}]` };
  });
  await owner.query(
    `CREATE TABLE vector_pool AS SELECT r.n, r.sig::bit(512) AS sig, r.vec, ARRAY(SELECT p.piece::cube FROM jsonb_array_elements_text(r.pieces) WITH ORDINALITY AS p (piece, at) ORDER BY p.at) AS pieces
     FROM jsonb_to_recordset($1::jsonb) AS r (n integer, sig text, vec text, pieces jsonb)`,
    [JSON.stringify(rows)],
  );
}

/** Sources are files, which have to be there to be searched. */
async function seedSources(owner, { ws_id, owner_user_id = null }, passages) {
  await owner.query('SELECT set_config($1, $2, false)', ['app.tenant_id', ws_id]);
  const blob = (
    await owner.query(
      `INSERT INTO file_blob (tenant_id, blob_id, blob_hash, blob_size, blob_type, blob_key) VALUES ($1, gen_random_uuid(), 'bench', 1, 'text/plain', 't/x') RETURNING blob_id`,
      [ws_id],
    )
  ).rows[0].blob_id;
  await owner.query(
    `WITH f AS (INSERT INTO file (tenant_id, file_id, file_repo, repo_type, file_name, file_type, file_kind, file_size, file_hash, file_status, file_processing, file_provider_id, file_bucket, file_folder, file_added_by, file_current_version, file_blob)
       SELECT $1, gen_random_uuid(), '{"library":["docs"]}', 'docs', 'Text ' || n || '.txt', 'text/plain', 'document', 1, 'bench', 'active', 'ready', '00000000-0000-7000-8000-000000000001', 'atrium', 't/x/blobs', $2, gen_random_uuid(), $3 FROM generate_series(1, $4::integer) n RETURNING file_id, file_name),
     s AS (INSERT INTO passage_source (tenant_id, source_kind, source_id, source_wanted, source_version, source_title, source_status, source_model, source_passages)
       SELECT $1, 'file', file_id, '1', '1', file_name, 'live', '${MODEL}', ${A_SOURCE} FROM f RETURNING source_id)
     INSERT INTO passage_scope (tenant_id, source_kind, source_id, scope_key) SELECT $1, 'file', source_id, 'docs' FROM s`,
    [ws_id, owner_user_id, blob, Math.ceil(passages / A_SOURCE)],
  );
}

const COLUMNS =
  'tenant_id, passage_id, source_kind, source_id, psg_ordinal, psg_text, psg_char_start, psg_char_end, psg_tokens, psg_hash, psg_tsv, psg_length';

async function writePassages(owner, { ws_id }, from, to) {
  await owner.query(
    `WITH texts AS (SELECT n, string_agg('w' || to_hex(floor(${VOCABULARY} ^ random())::integer), ' ') AS words FROM generate_series($2::integer, $3::integer - 1) n CROSS JOIN generate_series(1, ${WORDS}) GROUP BY n),
          sources AS (SELECT source_id, row_number() OVER (ORDER BY source_id) - 1 AS at FROM passage_source WHERE tenant_id = $1)
     INSERT INTO passage (${COLUMNS})
     SELECT $1, gen_random_uuid(), 'file', s.source_id, t.n % ${A_SOURCE}, t.words, 0, length(t.words), 200, md5(t.words), to_tsvector('simple', t.words), ${WORDS} FROM texts t JOIN sources s ON s.at = t.n / ${A_SOURCE}`,
    [ws_id, from, to],
  );
  await addVectors(owner, ws_id);
}

/** The same texts in another workspace. */
async function copyPassages(owner, { ws_id: large }, to, count) {
  await seedSources(owner, to, count);
  await owner.query(
    `WITH sources AS (SELECT source_id, row_number() OVER (ORDER BY source_id) - 1 AS at FROM passage_source WHERE tenant_id = $2),
          texts AS (SELECT p.*, row_number() OVER (ORDER BY passage_id) - 1 AS n FROM passage p WHERE p.tenant_id = $1 ORDER BY passage_id LIMIT $3)
     INSERT INTO passage (${COLUMNS})
     SELECT $2, gen_random_uuid(), 'file', s.source_id, t.n % ${A_SOURCE}, t.psg_text, 0, t.psg_char_end, t.psg_tokens, t.psg_hash, t.psg_tsv, t.psg_length FROM texts t JOIN sources s ON s.at = t.n / ${A_SOURCE}`,
    [large, to.ws_id, count],
  );
  await addVectors(owner, to.ws_id);
}

async function addVectors(owner, ws_id) {
  const { rows } = await owner.query(
    `SELECT 1 FROM pg_attribute WHERE attrelid = 'vector_entry'::regclass AND attname = 've_vec' AND NOT attisdropped`,
  );
  const [columns, values] = rows.length > 0 ? ['ve_vec', 'v.vec::vector'] : ['ve_sig, ve_chunks', 'v.sig, v.pieces'];
  await owner.query(
    `INSERT INTO vector_entry (tenant_id, ve_kind, ve_model, ve_id, ve_hash, ${columns})
     SELECT p.tenant_id, 'passage', '${MODEL}', p.passage_id, p.psg_hash, ${values} FROM passage p JOIN vector_pool v ON v.n = abs(hashtext(p.passage_id::text)::bigint) % ${VECTORS}
     WHERE p.tenant_id = $1 ON CONFLICT DO NOTHING`,
    [ws_id],
  );
}

/** Workspaces that nobody is a member of. */
async function neighbours(owner, count) {
  const { rows } = await owner.query(
    `INSERT INTO workspace (tenant_id, ws_name, ws_slug) SELECT gen_random_uuid(), 'Neighbour ' || n, 'neighbour-' || n FROM generate_series(1, $1::integer) n RETURNING tenant_id`,
    [count],
  );
  return rows.map(({ tenant_id }) => tenant_id);
}
