// Objects from a table, by the import and by single requests of eight callers; and the rows that the import has made, written once
// more into tables of the same shape by COPY, by INSERT of 500 objects a statement, and by single requests to a bare server.
import { setTimeout as pause } from 'node:timers/promises';
import { HOST_FLAGS, hostProgram } from '../start/operator.mjs';
import { load } from './load.mjs';
import { TABLES, wishes } from './objects-seed.mjs';
import { newObjects, request, startBareObjects } from './objects-writes.mjs';

const BARE_PORT = 3957;
const CALLERS = { connections: 8, seconds: 3 };
const TURNS = 3;
const AT_ONCE = 500;
const POLLED_MS = 100;
const PATIENCE_MS = 5 * 60_000;
/** Behind all numbers of seeded objects. */
const FIRST = 100_000_001;
const COLUMNS = ['name', 'sku', 'kind', 'price', 'stock', 'due', 'open', 'category', 'notes'];
const OWNER = {
  object: 'obj_id',
  form_value: 'owner_id',
  form_unique: 'owner_id',
  object_revision: 'rev_object',
  object_transition: 'otr_object',
};

export async function measureImport({ env, owner, launch, port }, world, rows) {
  const worker = launch([...HOST_FLAGS, hostProgram('worker')]);
  const fieldsNow = (await world.call('GET', `/object-schemas/${world.form_id}`)).form_config.fields.map(({ key }) => key);
  if (COLUMNS.some((column) => !fieldsNow.includes(column))) throw new Error('The schema of the import has been changed.');
  const table = tableOf(await wishes(owner, world, FIRST, FIRST + rows - 1));
  const began = (await owner.query('SELECT clock_timestamp() AS now')).rows[0].now;
  const rates = { import: rows / (await imported(world, table, rows)) };
  worker.kill('SIGTERM');
  Object.assign(rates, await bareRates(owner, world, began, rows));
  Object.assign(rates, await singleRates({ env, owner, launch, port }, world));
  const results = {
    rows,
    rows_a_second: Object.fromEntries(Object.entries(rates).map(([name, rate]) => [name, Math.round(rate)])),
    import_of_copy: round(rates.import / rates.copy),
    import_of_insert: round(rates.import / rates.insert),
    import_of_single: round(rates.import / rates.single),
    single_of_bare: round(rates.single / rates.bare),
  };
  console.log(
    `import       ${rows.toLocaleString('en')} rows, ${Math.round(rates.import)} a second: ${results.import_of_copy}x of COPY, ${results.import_of_insert}x of INSERT by ${AT_ONCE}, ${results.import_of_single}x of single requests; ` +
      `those ${results.single_of_bare}x of the bare server's`,
  );
  return results;
}

const cell = (value) => (/[",\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value);

function tableOf(all) {
  const lines = all.map(({ obj_content, obj_terms }) =>
    [...COLUMNS.map((key) => cell(String(obj_content[key] ?? ''))), obj_terms.join(';')].join(','),
  );
  return Buffer.from([[...COLUMNS, 'obj_terms'].join(','), ...lines, ''].join('\n'));
}

/** Seconds that the service takes, from the request to the end of the job. */
async function imported(world, table, rows) {
  const file_id = await world.upload('objects.csv', table);
  await until(world, `/files/${file_id}`, ({ file_processing }) => file_processing === 'ready');
  const started = performance.now();
  const { job_id } = await world.call('POST', '/objects/import', { obj_form: world.form_id, file_id });
  const job = await until(world, `/jobs/${job_id}`, ({ status }) => ['completed', 'failed', 'cancelled'].includes(status));
  if (job.status !== 'completed' || job.result.created !== rows)
    throw new Error(`The import ended otherwise: ${JSON.stringify(job).slice(0, 1_000)}`);
  return (performance.now() - started) / 1_000;
}

async function until(world, path, isOver) {
  for (const began = Date.now(); Date.now() - began < PATIENCE_MS; await pause(POLLED_MS)) {
    const answer = await world.call('GET', path);
    if (isOver(answer)) return answer;
  }
  throw new Error(`${path} is not over after ${PATIENCE_MS / 60_000} minutes.`);
}

/** COPY and INSERT of all that was made since, table after table, and how many objects that is a second. */
async function bareRates(owner, { ws_id }, began, rows) {
  const folder = (await owner.query('SHOW data_directory')).rows[0].data_directory;
  const made = `SELECT obj_id FROM object WHERE tenant_id = '${ws_id}' AND obj_created >= '${began.toISOString()}'`;
  const spent = { copy: 0, insert: 0 };
  for (const table of TABLES.toReversed()) {
    const columns = (
      await owner.query(
        "SELECT string_agg(quote_ident(attname), ', ' ORDER BY attnum) AS names FROM pg_attribute WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped AND attgenerated = ''",
        [table],
      )
    ).rows[0].names;
    const file = `${folder}/bench-${table}`;
    const rowsOf = `SELECT ${columns} FROM ${table} WHERE tenant_id = '${ws_id}' AND ${OWNER[table]} IN (${made})`;
    await owner.query(`COPY (${rowsOf}) TO '${file}'`);
    await owner.query(`CREATE TABLE bare_${table} (LIKE ${table} INCLUDING ALL)`);
    spent.copy += await timed(() => owner.query(`COPY bare_${table} (${columns}) FROM '${file}'`));
    const size = AT_ONCE * Math.ceil(Number((await owner.query(`SELECT count(*) FROM bare_${table}`)).rows[0].count) / rows);
    const batches = (
      await owner.query(
        `SELECT jsonb_agg(to_jsonb(r))::text AS batch FROM (SELECT t.*, (row_number() OVER () - 1) / ${size} AS batch_no FROM bare_${table} t) r GROUP BY batch_no ORDER BY batch_no`,
      )
    ).rows;
    await owner.query(`TRUNCATE bare_${table}`);
    spent.insert += await timed(async () => {
      for (const { batch } of batches)
        await owner.query({
          name: `bare_${table}`,
          text: `INSERT INTO bare_${table} (${columns}) SELECT ${columns} FROM jsonb_populate_recordset(NULL::${table}, $1)`,
          values: [batch],
        });
    });
    await owner.query(`DROP TABLE bare_${table}`);
  }
  return { copy: rows / spent.copy, insert: rows / spent.insert };
}

/** Single requests to the service and to a bare server, in turn. */
async function singleRates(service, world) {
  const made = await newObjects(service.owner, world);
  const bare = await startBareObjects(service, world, { port: BARE_PORT });
  const ours = () => request('POST', '/api/v1/objects', world.headers, made());
  const theirs = () => request('POST', '/create', {}, made());
  const rates = { single: [], bare: [] };
  for (let n = 0; n <= TURNS; n++) {
    const turn = {
      bare: await load(`http://127.0.0.1:${BARE_PORT}`, theirs, CALLERS),
      single: await load(`http://127.0.0.1:${service.port}`, ours, CALLERS),
    };
    if (n > 0) for (const side of ['single', 'bare']) rates[side].push(turn[side]);
  }
  bare.kill('SIGTERM');
  return Object.fromEntries(Object.entries(rates).map(([side, all]) => [side, all.sort((a, b) => a - b)[Math.floor(TURNS / 2)]]));
}

async function timed(work) {
  const started = performance.now();
  await work();
  return (performance.now() - started) / 1_000;
}

const round = (value) => Math.round(value * 1_000) / 1_000;
