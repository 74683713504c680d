// Records of knowledge bases with their passages and vectors: in one workspace in a hundred bases, each about topics of its own, and the
// same in another workspace in one base.
import { randomUUID } from 'node:crypto';
import { withoutIndexes } from './indexes.mjs';

export const BASES = 100;
export const MODEL = 'atrium/hash-384';
const AT_ONCE = 2_000;
const FILLED = ['knowledge_record', 'passage_source', 'passage_scope', 'passage', 'vector_entry'];

const OF_BASE = `
  INSERT INTO knowledge_base (tenant_id, ds_id, ds_name, ds_type, ds_created_by) SELECT $1, b.id, 'Base ' || b.at, 'text', $2 FROM unnest($3::uuid[]) WITH ORDINALITY b (id, at)`;

const RECORDS = `
  INSERT INTO knowledge_record (tenant_id, rec_id, rec_base, rec_name, rec_content, rec_source, rec_hash, rec_text)
  SELECT $1, rec_id, ds_id, left(words, 60), jsonb_build_object('body', words), 'import', md5(words), md5(words) FROM fresh`;
const SOURCES = `
  INSERT INTO passage_source (tenant_id, source_kind, source_id, source_wanted, source_version, source_title, source_status, source_model, source_passages)
  SELECT $1, 'record', rec_id, md5(words), md5(words), left(words, 60), 'live', '${MODEL}', 1 FROM fresh`;
const SCOPES = `INSERT INTO passage_scope (tenant_id, source_kind, source_id, scope_key) SELECT $1, 'record', rec_id, 'ds:' || ds_id FROM fresh`;
const PASSAGES = `
  INSERT INTO passage (tenant_id, passage_id, source_kind, source_id, psg_ordinal, psg_text, psg_char_start, psg_char_end, psg_tokens, psg_hash, psg_tsv, psg_length)
  SELECT $1, passage_id, 'record', rec_id, 0, words, 0, length(words), 120, md5(words), to_tsvector('simple', words), array_length(string_to_array(words, ' '), 1) FROM fresh`;
const VECTORS = `
  INSERT INTO vector_entry (tenant_id, ve_kind, ve_model, ve_id, ve_hash, ve_sig, ve_chunks)
  SELECT $1, 'passage', '${MODEL}', passage_id, md5(words), sig, pieces FROM fresh`;

const allOf = (fresh) => `
  WITH fresh AS MATERIALIZED (${fresh}), r AS (${RECORDS}), s AS (${SOURCES}), k AS (${SCOPES}), p AS (${PASSAGES}) ${VECTORS}`;
const FRESH = allOf(
  'SELECT rec_id, passage_id, ds_id, words, sig::bit(512) AS sig, pieces::cube[] AS pieces FROM unnest($2::uuid[], $3::uuid[], $4::uuid[], $5::text[], $6::text[], $7::text[]) AS f (rec_id, passage_id, ds_id, words, sig, pieces)',
);
const COPIED = allOf(`
  SELECT md5(p.source_id || 'copy')::uuid AS rec_id, md5(p.passage_id || 'copy')::uuid AS passage_id, $3::uuid AS ds_id, p.psg_text AS words, v.ve_sig AS sig, v.ve_chunks AS pieces
  FROM passage p JOIN vector_entry v ON v.tenant_id = p.tenant_id AND v.ve_kind = 'passage' AND v.ve_model = '${MODEL}' AND v.ve_id = p.passage_id WHERE p.tenant_id = $2`);

/** Fills both workspaces and leaves in each the ids of its bases. */
export async function seedBases(owner, { many, one, texts, count }) {
  await owner.query('SET synchronous_commit = off; SET jit = off; SET session_replication_role = replica');
  const makeIndexes = await withoutIndexes(owner, FILLED);
  for (const [world, bases] of [
    [many, BASES],
    [one, 1],
  ]) {
    world.bases = Array.from({ length: bases }, () => randomUUID());
    await owner.query(OF_BASE, [world.ws_id, world.owner_user_id, world.bases]);
  }
  for (let from = 0; from < count; from += AT_ONCE) {
    const numbers = Array.from({ length: Math.min(AT_ONCE, count - from) }, (_, at) => from + at);
    await owner.query(FRESH, [many.ws_id, ...(await columnsOf(numbers, many, texts))]);
  }
  await owner.query('ANALYZE passage, vector_entry');
  await owner.query(COPIED, [one.ws_id, many.ws_id, one.bases[0]]);
  await owner.query(
    `UPDATE knowledge_base b SET ds_record_count = n.records FROM (SELECT tenant_id, rec_base, count(*) AS records FROM knowledge_record GROUP BY 1, 2) n WHERE b.tenant_id = n.tenant_id AND b.ds_id = n.rec_base`,
  );
  await makeIndexes();
  await owner.query('SET session_replication_role = origin');
  await owner.query('VACUUM ANALYZE');
}

/** Which base a text is in. */
export const baseOf = ({ bases }, texts, n) => bases[texts.topicOf(n) % bases.length];

async function columnsOf(numbers, world, texts) {
  const words = numbers.map((n) => texts.text(n));
  const vectors = await texts.vectors(words);
  return [
    numbers.map(() => randomUUID()),
    numbers.map(() => randomUUID()),
    numbers.map((n) => baseOf(world, texts, n)),
    words,
    vectors.map((vector) => texts.signatureOf(vector)),
    vectors.map((vector) => cubes(texts.piecesOf(vector))),
  ];
}

/** Pieces of a vector as PostgreSQL writes an array of cubes. */
export const cubes = (pieces) => `{${pieces.map((piece) => `"${piece}"`).join(',')}}`;
