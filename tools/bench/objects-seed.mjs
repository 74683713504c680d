// Objects by the hundred thousand, written by SQL as the service writes one: the object with its words, its rows in the value
// index, its unique value, its revisions and the states it came into. A fifth of them have been published, a tenth lack a date.
const AT_ONCE = 50_000;
const VOCABULARY = 20_000;
const WORDS = 8;
const KINDS = "(ARRAY['lamp','buoy','anchor','rope','sail','chart','bell','mast','winch','flag'])";
const NOUNS = "(ARRAY['Harbour','Pier','Bridge','Market','Garden'])";
const LOWEST = "'-1.7976931348623157e308'::float8";
const HIGHEST = "'1.7976931348623157e308'::float8";

/** Tables that hold objects, in the order in which their rows may go. */
export const TABLES = ['object_transition', 'object_revision', 'form_unique', 'form_value', 'object'];

/** The n-th word of the vocabulary: it occurs half as often as the one of half its rank. */
export const wordAt = (rank) => `w${rank.toString(16)}`;

const chance = (seed) => `(hashint8extended(n, ${seed}) & 1073741823)::integer`;
const word = (seed) => `'w' || to_hex(floor(${VOCABULARY}::float8 ^ (${chance(seed)} / 1073741824::float8))::integer)`;

/** What objects number $2 to $3 say, as the client would; $1 are the terms. Without OFFSET each use of a word would make it again. */
const SAID = `
  SELECT n, ${NOUNS}[1 + ${chance(1)} % 5] || ' ' || n AS name, 'SKU-' || n AS sku, ${KINDS}[1 + ${chance(2)} % 10] AS kind, ${chance(3)} % 100000 / 100.0 AS price,
         ${chance(4)} % 1000 AS stock, CASE WHEN ${chance(5)} % 10 > 0 THEN DATE '2024-01-01' + (${chance(6)} % 2000)::integer END AS due, ${chance(7)} % 3 = 0 AS open,
         ($1::uuid[])[1 + ${chance(8)} % 100] AS category, ARRAY[($1::uuid[])[1 + ${chance(9)} % 100], ($1::uuid[])[1 + (${chance(9)} + 37) % 100]] AS terms,
         ${Array.from({ length: WORDS }, (_, at) => word(20 + at)).join(" || ' ' || ")} AS notes, n % 5 = 0 AS live
  FROM generate_series($2::bigint, $3::bigint) n OFFSET 0`;

const CONTENT = `jsonb_strip_nulls(jsonb_build_object('name', name, 'sku', sku, 'kind', kind, 'price', trim_scale(price), 'stock', stock, 'due', due, 'open', open, 'category', category, 'notes', notes))`;

/** Contents and terms of objects as a client sends them. */
export async function wishes(owner, { leaves }, from, to) {
  const { rows } = await owner.query(`SELECT ${CONTENT} AS obj_content, terms AS obj_terms, live FROM (${SAID}) s ORDER BY n`, [
    leaves,
    from,
    to,
  ]);
  return rows;
}

const OBJECTS = `
  INSERT INTO object (tenant_id, obj_id, row_version, obj_form, obj_name, obj_content, obj_status, obj_flow, obj_status_since, obj_terms, obj_created, obj_updated, obj_created_by, obj_updated_by, obj_text, obj_tsv)
  SELECT $4::uuid, (lpad(to_hex((extract(epoch FROM made) * 1000)::bigint), 12, '0') || '7' || substr(md5($4::text || n), 1, 3) || '8' || substr(md5($4::text || n), 4, 15))::uuid, CASE WHEN live THEN 2 ELSE 1 END, $5::uuid, name, ${CONTENT},
         CASE WHEN live THEN 'live' ELSE 'draft' END, $6::uuid, last, terms, made, last, $7::uuid, $7::uuid, rtrim(translate(encode(sha256(convert_to(sku, 'UTF8')), 'base64'), '+/', '-_'), '='),
         setweight(to_tsvector('simple', name), 'A') || setweight(to_tsvector('simple', initcap(kind) || E'\\n' || trim_scale(price)), 'B') || setweight(to_tsvector('simple', sku || E'\\n' || notes), 'C')
  FROM (SELECT *, CASE WHEN live THEN made + interval '1 minute' ELSE made END AS last FROM (SELECT *, TIMESTAMPTZ '2026-01-01' + n * interval '1 second' AS made FROM (${SAID}) said) dated) s`;

const VALUES = `
  INSERT INTO form_value (tenant_id, owner_id, field_key, position, form_id, value_text, value_num, value_ref)
  SELECT o.tenant_id, o.obj_id, v.key, v.position, o.obj_form, v.text, v.num, v.ref
  FROM object o CROSS JOIN LATERAL (VALUES
    ('$terms', 0, NULL, NULL::float8, o.obj_terms[1]), ('$terms', 1, NULL, NULL, o.obj_terms[2]), ('category', 0, NULL, NULL, (o.obj_content ->> 'category')::uuid),
    ('due', -2, NULL, CASE WHEN o.obj_content ? 'due' THEN NULL ELSE ${HIGHEST} END, NULL), ('due', -1, NULL, CASE WHEN o.obj_content ? 'due' THEN NULL ELSE ${LOWEST} END, NULL),
    ('due', 0, NULL, extract(epoch FROM (o.obj_content ->> 'due')::date::timestamp) * 1000, NULL), ('kind', 0, o.obj_content ->> 'kind', NULL, NULL),
    ('name', 0, lower(o.obj_name), NULL, NULL), ('open', 0, NULL, (o.obj_content ->> 'open')::boolean::integer, NULL), ('price', 0, NULL, (o.obj_content ->> 'price')::float8, NULL),
    ('sku', 0, lower(o.obj_content ->> 'sku'), NULL, NULL), ('stock', 0, NULL, (o.obj_content ->> 'stock')::float8, NULL)) AS v (key, position, text, num, ref)
  WHERE o.tenant_id = ANY($1::uuid[]) AND num_nonnulls(v.text, v.num, v.ref) > 0`;

const UNIQUES = `
  INSERT INTO form_unique (tenant_id, form_id, field_key, value_hash, owner_id)
  SELECT tenant_id, obj_form, 'sku', sha256(convert_to(obj_content ->> 'sku', 'UTF8')), obj_id FROM object WHERE tenant_id = ANY($1::uuid[])`;

const change = (name, from, to) => `jsonb_build_object('field', ${name}, 'from', ${from}, 'to', ${to})`;
const REVISIONS = `
  INSERT INTO object_revision (tenant_id, rev_object, rev_version, rev_id, rev_action, rev_changes, rev_content, rev_created, rev_created_by)
  SELECT o.tenant_id, o.obj_id, v.version, gen_random_uuid(), v.action, v.changes, o.obj_content, CASE WHEN v.version = 1 THEN o.obj_created ELSE o.obj_updated END, o.obj_created_by
  FROM object o CROSS JOIN LATERAL (VALUES
    (1, 'created', jsonb_build_array(${change("'obj_form'", 'NULL', 'o.obj_form')}, ${change("'obj_name'", 'NULL', 'o.obj_name')}, ${change("'obj_status'", 'NULL', "'draft'")}, ${change("'obj_terms'", 'NULL', 'o.obj_terms')})
      || (SELECT jsonb_agg(${change("'obj_content.' || c.key", 'NULL', 'c.value')}) FROM jsonb_each(o.obj_content) c)),
    (2, 'transitioned', jsonb_build_array(${change("'obj_status'", "'draft'", 'o.obj_status')}))) AS v (version, action, changes)
  WHERE o.tenant_id = ANY($1::uuid[]) AND v.version <= o.row_version`;

const TRANSITIONS = `
  INSERT INTO object_transition (tenant_id, otr_id, otr_object, otr_flow, otr_transition, otr_from, otr_to, otr_by, otr_created)
  SELECT o.tenant_id, gen_random_uuid(), o.obj_id, o.obj_flow, v.key, v.state, v.next, o.obj_created_by, CASE WHEN v.version = 1 THEN o.obj_created ELSE o.obj_updated END
  FROM object o CROSS JOIN LATERAL (VALUES (1, NULL, NULL, 'draft'), (2, 'publish', 'draft', 'live')) AS v (version, key, state, next)
  WHERE o.tenant_id = ANY($1::uuid[]) AND v.version <= o.row_version`;

/** Fills furnished workspaces with so many objects each, `[[world, rows], …]`. The connections share the work. */
export async function seedObjects(connections, sizes) {
  const [owner] = connections;
  for (const connection of connections)
    await connection.query(
      "SET session_replication_role = replica; SET maintenance_work_mem = '1GB'; SET work_mem = '256MB'; SET jit = off; SET max_parallel_maintenance_workers = 1",
    );
  const { rows: indexes } = await owner.query(
    "SELECT indexname, indexdef FROM pg_indexes WHERE schemaname = 'public' AND tablename = ANY($1) AND indexdef NOT LIKE 'CREATE UNIQUE %'",
    [TABLES],
  );
  for (const { indexname } of indexes) await owner.query(`DROP INDEX ${indexname}`);
  const primary = (
    await owner.query(
      "SELECT conrelid::regclass AS of, pg_get_constraintdef(oid) AS def, conname FROM pg_constraint WHERE conrelid = 'form_value'::regclass AND contype = 'p'",
    )
  ).rows[0];
  await owner.query(`ALTER TABLE form_value DROP CONSTRAINT ${primary.conname}`);
  const stretches = sizes.flatMap(([world, rows]) =>
    Array.from({ length: Math.ceil(rows / AT_ONCE) }, (_, at) => [world, at * AT_ONCE + 1, Math.min((at + 1) * AT_ONCE, rows)]),
  );
  await sharedAmong(connections, stretches, (connection, [{ ws_id, form_id, olf_id, leaves, owner_user_id }, from, to]) =>
    connection.query(OBJECTS, [leaves, from, to, ws_id, form_id, olf_id, owner_user_id]),
  );
  const tenants = sizes.map(([{ ws_id }]) => ws_id);
  await sharedAmong(connections, [VALUES, UNIQUES, REVISIONS, TRANSITIONS], (connection, statement) =>
    connection.query(statement, [tenants]),
  );
  // While the primary key is made, nobody else makes indexes of its table.
  const definitions = [
    `ALTER TABLE form_value ADD CONSTRAINT ${primary.conname} ${primary.def}`,
    ...indexes.map(({ indexdef }) => indexdef).sort((a, b) => a.includes('form_value') - b.includes('form_value')),
  ];
  await sharedAmong(connections, definitions, (connection, definition) => connection.query(definition));
  for (const connection of connections) await connection.query('SET session_replication_role = origin');
  await owner.query('VACUUM ANALYZE');
}

/** Each piece of work on whichever connection is free. */
async function sharedAmong(connections, pieces, work) {
  const left = [...pieces];
  await Promise.all(
    connections.map(async (connection) => {
      for (let piece = left.shift(); piece !== undefined; piece = left.shift()) await work(connection, piece);
    }),
  );
}
