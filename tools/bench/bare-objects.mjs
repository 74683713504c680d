// What writing objects is compared with: node:http and pg, nothing between. It writes the rows that the service writes for an object
// of the bench's schema (the object, its values, its revision, its first state, its event) by prepared statements under the same
// policies, and checks nothing. Of a changed object it writes the values that have changed alone.
import { createHash, randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import pg from 'pg';

const [port, databaseUrl, facts] = process.argv.slice(2);
const { tenant, user, form, flow } = JSON.parse(facts);
const pool = new pg.Pool({ connectionString: databaseUrl, max: 20 });

const SHOWN = `obj_id, obj_form, obj_name, obj_content, obj_status, obj_flow, obj_status_since, obj_terms, obj_cover_file, obj_acl, obj_metadata, obj_source, obj_external_id,
  obj_external_url, obj_synced, obj_locked_fields, obj_issues, obj_active, obj_created, obj_updated, obj_created_by, obj_updated_by, row_version AS obj_version`;
const TSV = (name, content) =>
  `setweight(to_tsvector('simple', ${name}), 'A') || setweight(to_tsvector('simple', ${content} ->> 'kind' || ' ' || (${content} ->> 'price')), 'B') || setweight(to_tsvector('simple', ${content} ->> 'sku' || ' ' || (${content} ->> 'notes')), 'C')`;

const STATEMENTS = {
  insert: `INSERT INTO object (tenant_id, obj_id, obj_form, obj_name, obj_content, obj_status, obj_flow, obj_status_since, obj_terms, obj_created_by, obj_updated_by, obj_text, obj_tsv)
    VALUES ($1, $2, $3, $4::text, $5::jsonb, 'draft', $6, now(), $7, $8, $8, $9, ${TSV('$4::text', '$5::jsonb')}) RETURNING ${SHOWN}`,
  values: `INSERT INTO form_value (tenant_id, form_id, owner_id, field_key, position, value_text, value_num, value_ref)
    SELECT $1, $2, $3, v.* FROM unnest($4::text[], $5::integer[], $6::text[], $7::float8[], $8::uuid[]) v`,
  unique: `INSERT INTO form_unique (tenant_id, form_id, field_key, value_hash, owner_id) VALUES ($1, $2, 'sku', $3, $4)`,
  revision: `INSERT INTO object_revision (tenant_id, rev_object, rev_version, rev_id, rev_action, rev_changes, rev_content, rev_created, rev_created_by) VALUES ($1, $2, $3, $4, $5, $6, $7, now(), $8)`,
  entered: `INSERT INTO object_transition (tenant_id, otr_id, otr_object, otr_flow, otr_to, otr_by) VALUES ($1, $2, $3, $4, 'draft', $5)`,
  event: `INSERT INTO outbox (tenant_id, ev_id, ev_kind, ev_name, ev_subject, ev_key, ev_payload, ev_actor, ev_request) VALUES ($1, $2::uuid, 'event', $3, $4, $2::text, $5, '{}', 'bare')`,
  lock: `SELECT obj_content FROM object WHERE tenant_id = $1 AND obj_id = $2 FOR UPDATE`,
  update: `UPDATE object SET obj_content = $3::jsonb, obj_updated = now(), obj_updated_by = $4, obj_tsv = ${TSV('obj_name', '$3::jsonb')}, row_version = row_version + 1 WHERE tenant_id = $1 AND obj_id = $2 RETURNING ${SHOWN}`,
  revalue: `UPDATE form_value v SET value_text = n.text, value_num = n.num FROM (VALUES ('kind', $3::text, NULL::float8), ('price', NULL, $4::float8)) n (key, text, num)
    WHERE v.tenant_id = $1 AND v.owner_id = $2 AND v.field_key = n.key AND v.position = 0`,
};

/** Ids in the order of time, as the service makes them. */
function newId() {
  const time = Date.now().toString(16).padStart(12, '0');
  const hex = `${time}7${randomBytes(2).toString('hex').slice(1)}8${randomBytes(8).toString('hex').slice(1)}`;
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

const routes = {
  async create(run, _, { obj_content: content, obj_terms: terms }) {
    const id = newId();
    const hash = createHash('sha256').update(content.sku).digest();
    const { rows } = await run('insert', [
      tenant,
      id,
      form,
      content.name,
      JSON.stringify(content),
      flow,
      terms,
      user,
      hash.toString('base64url'),
    ]);
    const values = valuesOf(content, terms);
    const column = (at) => values.map((value) => value[at]);
    await run('values', [tenant, form, id, column(0), column(1), column(2), column(3), column(4)]);
    await run('unique', [tenant, form, hash, id]);
    const changes = [
      { field: 'obj_form', from: null, to: form },
      { field: 'obj_name', from: null, to: content.name },
      { field: 'obj_terms', from: null, to: terms },
      ...Object.entries(content).map(([key, to]) => ({ field: `obj_content.${key}`, from: null, to })),
    ];
    await run('revision', [tenant, id, 1, newId(), 'created', JSON.stringify(changes), JSON.stringify(content), user]);
    await run('entered', [tenant, newId(), id, flow, user]);
    await run('event', [tenant, newId(), 'object.created', id, JSON.stringify({ form_id: form })]);
    return rows[0];
  },
  async update(run, { id }, { obj_content: said }) {
    const before = (await run('lock', [tenant, id])).rows[0].obj_content;
    const content = { ...before, ...said };
    const { rows } = await run('update', [tenant, id, JSON.stringify(content), user]);
    await run('revalue', [tenant, id, content.kind, content.price]);
    const changes = Object.entries(said).map(([key, to]) => ({ field: `obj_content.${key}`, from: before[key] ?? null, to }));
    await run('revision', [tenant, id, rows[0].obj_version, newId(), 'updated', JSON.stringify(changes), JSON.stringify(content), user]);
    await run('event', [tenant, newId(), 'object.updated', id, JSON.stringify({ form_id: form })]);
    return rows[0];
  },
};

/** `[key, position, text, number, reference]` of each value. */
function valuesOf({ name, sku, kind, price, stock, due, open, category }, terms) {
  const bounds = [
    ['due', -1, null, -Number.MAX_VALUE, null],
    ['due', -2, null, Number.MAX_VALUE, null],
  ];
  return [
    ['name', 0, name.toLowerCase(), null, null],
    ['sku', 0, sku.toLowerCase(), null, null],
    ['kind', 0, kind, null, null],
    ['price', 0, null, price, null],
    ['stock', 0, null, stock, null],
    ...(due ? [['due', 0, null, Date.parse(due), null]] : bounds),
    ['open', 0, null, open ? 1 : 0, null],
    ['category', 0, null, null, category],
    ...terms.map((id, at) => ['$terms', at, null, null, id]),
  ];
}

const server = createServer(async (request, response) => {
  const url = new URL(request.url, 'http://localhost');
  const client = await pool.connect();
  const run = (name, values) => client.query({ name, text: STATEMENTS[name], values });
  try {
    const body = await json(request);
    await client.query(`BEGIN; SET LOCAL app.tenant_id = '${tenant}'`);
    const row = await routes[url.pathname.slice(1)](run, Object.fromEntries(url.searchParams), body);
    await client.query('COMMIT');
    response.writeHead(200, { 'Content-Type': 'application/json; charset=utf-8' });
    response.end(JSON.stringify(row));
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined);
    response.writeHead(500).end(String(error));
  } finally {
    client.release();
  }
});
server.listen(Number(port), '127.0.0.1', () => console.log('ready'));
