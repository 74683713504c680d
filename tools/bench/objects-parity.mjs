// Seeded objects are what the service writes: two are made over HTTP, one of them is published, their rows are kept in mind and
// taken away again; once seeded, the same two objects must have the same rows in every table, and no other table may have grown.
import { isDeepStrictEqual } from 'node:util';
import { TABLES, wishes } from './objects-seed.mjs';

/** A draft, and one that is published. */
const NUMBERS = [1, 5];
/** Tables of messages and traffic: what is in them passes. */
const PASSING = /^(outbox|audit|api_|rate_|idempot|session|access_|usage|retry|outbox_|limit)/;
const OWNER = {
  object: 'obj_id',
  form_value: 'owner_id',
  form_unique: 'owner_id',
  object_revision: 'rev_object',
  object_transition: 'otr_object',
};
/** What differs from one object to the next although it says the same. */
const OWN = /^(obj_id|owner_id|rev_id|rev_object|otr_id|otr_object)$|_created$|_updated$|_since$/;

/** The rows of both objects as the service writes them. */
export async function writtenByService(owner, world) {
  const before = await sizesOf(owner);
  const written = [];
  const ids = [];
  for (const number of NUMBERS) {
    const [{ live, ...wish }] = await wishes(owner, world, number, number);
    const { obj_id } = await world.call('POST', '/objects', { obj_form: world.form_id, ...wish });
    if (live) await world.call('POST', `/objects/${obj_id}/transitions`, { transition: 'publish' });
    ids.push(obj_id);
    written.push(await rowsOf(owner, world, obj_id));
  }
  const after = await sizesOf(owner);
  const grown = [...after.keys()].filter(
    (table) => after.get(table) > before.get(table) && !TABLES.includes(table) && !PASSING.test(table),
  );
  if (grown.length > 0) throw new Error(`Objects have rows in tables that the seed leaves empty: ${grown.join(', ')}.`);
  for (const table of TABLES)
    await owner.query(`DELETE FROM ${table} WHERE tenant_id = $1 AND ${OWNER[table]} = ANY($2::uuid[])`, [world.ws_id, ids]);
  return written;
}

/** Compares them with the seeded ones, table by table. */
export async function demandParity(owner, world, written) {
  for (const [at, number] of NUMBERS.entries()) {
    const found = await owner.query(`SELECT obj_id FROM object WHERE tenant_id = $1 AND obj_content ->> 'sku' = 'SKU-' || $2::text`, [
      world.ws_id,
      number,
    ]);
    const seeded = await rowsOf(owner, world, found.rows[0].obj_id);
    for (const table of TABLES)
      if (!isDeepStrictEqual(seeded[table], written[at][table]))
        throw new Error(
          `Seeded rows of ${table} are not those that the service writes.\nservice: ${JSON.stringify(written[at][table])}\nseeded:  ${JSON.stringify(seeded[table])}`,
        );
  }
}

async function rowsOf(owner, { ws_id }, id) {
  const all = {};
  for (const table of TABLES) {
    const { rows } = await owner.query(`SELECT to_jsonb(t) AS row FROM ${table} t WHERE tenant_id = $1 AND ${OWNER[table]} = $2`, [
      ws_id,
      id,
    ]);
    all[table] = rows.map(({ row }) => plain(row)).sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
  }
  return all;
}

const plain = (row) =>
  Object.fromEntries(
    Object.entries(row).map(([key, value]) => {
      if (OWN.test(key)) return [key, value !== null];
      if (key === 'obj_text') return [key, value.length];
      return [key, key === 'rev_changes' ? value.toSorted((a, b) => (a.field < b.field ? -1 : 1)) : value];
    }),
  );

async function sizesOf(owner) {
  const { rows } = await owner.query(
    "SELECT table_name FROM information_schema.tables WHERE table_schema = 'public' AND table_type = 'BASE TABLE'",
  );
  const counted = rows.map(({ table_name }) => `SELECT '${table_name}' AS name, count(*)::integer AS rows FROM "${table_name}"`);
  const sizes = await owner.query(counted.join(' UNION ALL '));
  return new Map(sizes.rows.map(({ name, rows: count }) => [name, count]));
}
