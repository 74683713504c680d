// What objects need before there are any: a schema with filterable fields of several types, a taxonomy of three levels and a
// lifecycle flow; over HTTP in a workspace that is measured, as copies of its rows in those beside it.
import { benchClient } from './client.mjs';

export const KINDS = ['lamp', 'buoy', 'anchor', 'rope', 'sail', 'chart', 'bell', 'mast', 'winch', 'flag'];
/** Terms at the top, below each of them, and below each of those. */
const TERMS = [5, 5, 4];

const label = (key) => key[0].toUpperCase() + key.slice(1);
const field = (key, type, more = {}) => ({ key, type, label: label(key), ...more });

/** The fields of the schema; `changed` names those of a later revision by the keys they replace. */
export const fieldsOf = (tax_id) => [
  field('name', 'text', { required: true, filterable: true }),
  field('sku', 'text', { unique: true, filterable: true }),
  field('kind', 'select', { filterable: true, options: KINDS.map((value) => ({ value, label: label(value) })) }),
  field('price', 'number', { filterable: true, min: 0, decimals: 2 }),
  field('stock', 'integer', { filterable: true, min: 0 }),
  field('due', 'date', { filterable: true }),
  field('open', 'boolean', { filterable: true }),
  field('category', 'taxonomy', { filterable: true, taxonomy: tax_id }),
  field('notes', 'long_text'),
];

export const configOf = (fields) => ({ fields, title: 'name', summary: ['kind', 'price'] });

const FLOW = {
  olf_name: 'Publishing',
  olf_states: [
    { key: 'draft', name: 'Draft', initial: true },
    { key: 'live', name: 'Live' },
  ],
  olf_transitions: [
    { key: 'publish', name: 'Publish', from: ['draft'], to: 'live' },
    { key: 'withdraw', name: 'Withdraw', from: ['live'], to: 'draft' },
  ],
};

/** A workspace in which objects can be: `{ form_id, tax_id, olf_id, root, leaves }` beside what is known of it. */
export async function furnish(port, made) {
  const client = benchClient(port, made);
  const { tax_id } = await client.call('POST', '/object-taxonomies', { tax_name: 'Range' });
  const tops = await addTerms(client, tax_id, [null], TERMS[0]);
  const leaves = await addTerms(client, tax_id, await addTerms(client, tax_id, tops, TERMS[1]), TERMS[2]);
  const { form_id } = await client.call('POST', '/object-schemas', { form_name: 'Product', form_config: configOf(fieldsOf(tax_id)) });
  const { olf_id } = await client.call('POST', '/object-lifecycle-flows', { ...FLOW, olf_forms: [form_id] });
  await client.call('POST', `/object-lifecycle-flows/${olf_id}/activate`);
  return { ...made, ...client, origin: `http://127.0.0.1:${port}/api/v1`, form_id, tax_id, olf_id, root: tops[0], leaves };
}

async function addTerms({ call }, tax_id, parents, each) {
  const ids = [];
  for (const term_parent of parents)
    for (let n = 1; n <= each; n++) {
      const under = term_parent === null ? {} : { term_parent };
      ids.push((await call('POST', `/object-taxonomies/${tax_id}/terms`, { term_name: `Term ${n}`, ...under })).term_id);
    }
  return ids;
}

const own = (id) => `md5(w.tenant_id::text || ${id})::uuid`;

/** Workspaces that nobody is a member of, each with rows of its own for schema, terms and flow. */
export async function neighboursOf(owner, { ws_id, form_id, tax_id, olf_id, leaves }, count) {
  const made = `(SELECT tenant_id FROM workspace WHERE ws_slug LIKE 'neighbour-%') w`;
  await owner.query(
    `INSERT INTO workspace (tenant_id, ws_name, ws_slug) SELECT gen_random_uuid(), 'Neighbour ' || n, 'neighbour-' || n FROM generate_series(1, $1::integer) n`,
    [count],
  );
  await owner.query(
    `INSERT INTO taxonomy (tenant_id, tax_id, tax_name, tax_slug, tax_term_count)
     SELECT w.tenant_id, ${own('t.tax_id')}, t.tax_name, t.tax_slug, t.tax_term_count FROM taxonomy t, ${made} WHERE t.tenant_id = $1 AND t.tax_id = $2`,
    [ws_id, tax_id],
  );
  await owner.query(
    `INSERT INTO term (tenant_id, term_id, term_taxonomy, term_parent, term_name, term_slug, term_order, term_lineage, term_words)
     SELECT w.tenant_id, ${own('t.term_id')}, ${own('t.term_taxonomy')}, ${own('t.term_parent')}, t.term_name, t.term_slug, t.term_order,
            (SELECT string_agg(md5(w.tenant_id::text || substr(t.term_lineage, 32 * at + 1, 32)::uuid::text), '' ORDER BY at) FROM generate_series(0, length(t.term_lineage) / 32 - 1) at), t.term_words
     FROM term t, ${made} WHERE t.tenant_id = $1 AND t.term_taxonomy = $2 ORDER BY length(t.term_lineage)`,
    [ws_id, tax_id],
  );
  await owner.query(
    `INSERT INTO form (tenant_id, form_id, form_kind, form_name, form_config)
     SELECT w.tenant_id, ${own('f.form_id')}, f.form_kind, f.form_name, replace(f.form_config::text, $3, ${own('$3')}::text)::jsonb FROM form f, ${made} WHERE f.tenant_id = $1 AND f.form_id = $2`,
    [ws_id, form_id, tax_id],
  );
  await owner.query(
    `INSERT INTO object_flow (tenant_id, olf_id, olf_name, olf_active, olf_forms, olf_states, olf_transitions)
     SELECT w.tenant_id, ${own('f.olf_id')}, f.olf_name, f.olf_active, ARRAY[${own('f.olf_forms[1]')}], f.olf_states, f.olf_transitions FROM object_flow f, ${made} WHERE f.tenant_id = $1 AND f.olf_id = $2`,
    [ws_id, olf_id],
  );
  const { rows } = await owner.query(
    `SELECT w.tenant_id AS ws_id, ${own('$1')} AS form_id, ${own('$2')} AS olf_id, ARRAY(SELECT ${own('leaf')} FROM unnest($3::text[]) leaf) AS leaves, NULL AS owner_user_id FROM ${made}`,
    [form_id, olf_id, leaves],
  );
  return rows;
}
