// npm run bench -- import [--rows N] [--json]: N records (100,000) with a schema, imported into a knowledge base from a CSV through the
// operation, beside the same rows and their index values written by a bare client: 500 rows a transaction, as the service does, with the
// same indexes, references and policies. Records as drafts; the same file once more, which changes nothing; and published records, while
// the worker makes their passages. Rows a second, ratios, and the memory of the worker at N rows beside a tenth of them.
import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { HOST_FLAGS, hostProgram } from '../start/operator.mjs';
import { benchClient } from './client.mjs';
import { onBenchService } from './service.mjs';

const PORT = 3971;
/** As many rows as one import takes; more are imported by several. */
const A_FILE = 100_000;
const AT_ONCE = 500;
const BARE_TURNS = 3;
const POLLED_EVERY_MS = 100;
/** An import takes at most so many times as long as the bare writing. */
const CEILING = 3;
/** Ten times the rows take at most so much more memory. */
const GROWTH = 1.2;

const { values: options } = parseArgs({
  allowPositionals: true,
  options: { rows: { type: 'string', default: '100000' }, json: { type: 'boolean' } },
});
const rows = Number(options.rows);

/** What the columns of records refer to. */
const REFERENCES = { rec_base: 'knowledge_base', rec_form: 'form' };

const KINDS = ['desk', 'floor', 'wall', 'ceiling', 'garden'];
const FOUND_BY = { filterable: true };
const SCHEMA = {
  title: 'name',
  fields: [
    { key: 'name', type: 'text', label: 'Name', required: true },
    { key: 'number', type: 'text', label: 'Item number', ...FOUND_BY },
    { key: 'kind', type: 'select', label: 'Kind', options: KINDS.map((value) => ({ value, label: value })), ...FOUND_BY },
    { key: 'price', type: 'number', label: 'Price', ...FOUND_BY },
    { key: 'released', type: 'date', label: 'Released', ...FOUND_BY },
    { key: 'about', type: 'long_text', label: 'About' },
  ],
};
const COLUMNS = ['id', 'name', 'number', 'kind', 'price', 'released', 'about'];
const MAPPING = { ...Object.fromEntries(COLUMNS.map((name) => [name, name])), id: 'rec_external_id' };

const settings = { RATE_LIMITS: 'read=100000000,write=100000000,workspace=100000000' };
await onBenchService({ port: PORT, settings }, run);

async function run({ env, owner, connect, launch, startApi, workspace }) {
  await startApi();
  const worker = launch([...HOST_FLAGS, hostProgram('worker')], { env: { PORT: String(PORT + 1) } });
  const made = await workspace('Import', ['--module', 'module-documents']);
  const { call } = benchClient(PORT, made);
  const world = { ...made, owner, call, worker };
  const schema = await call('POST', '/knowledge-base-schemas', { form_name: 'Lamp', form_config: SCHEMA });
  const base = async (ds_name) =>
    (await call('POST', '/knowledge-bases', { ds_name, ds_type: 'form', ds_config: { form_id: schema.form_id } })).ds_id;
  const [tenth, drafts, published] = [await base('A tenth'), await base('Drafts'), await base('Published')];

  const few = await imported(world, tenth, { count: Math.ceil(rows / 10), order: { rec_status: 'draft' } });
  const many = await imported(world, drafts, { count: rows, order: { rec_status: 'draft' } });
  const again = await imported(world, drafts, { count: rows, order: { mode: 'upsert', rec_status: 'draft' } });
  const service = await connect(env.DATABASE_URL);
  const bare = await bareRate(world, service, drafts);
  await service.end();
  const found = await imported(world, published, { count: rows, order: {} });
  if (many.created !== rows || again.unchanged !== rows || found.created !== rows) throw new Error('Not all rows were imported.');

  const results = { bare_rate: Math.round(bare), memory: round(many.peak_mib / few.peak_mib), memory_mib: many.peak_mib };
  console.log(`${rows.toLocaleString('en')} rows of ${COLUMNS.length} columns; bare ${Math.round(bare)} rows a second`);
  for (const [name, { rate }, bounded] of [
    ['drafts', many, true],
    ['published', found, true],
    ['unchanged', again, false],
  ]) {
    const ratio = round(bare / rate);
    results[name] = { rate: Math.round(rate), of_bare: ratio };
    console.log(
      `${name.padEnd(10)} ${Math.round(rate).toString().padStart(7)} rows a second, ${ratio.toFixed(2)}x the time of the bare writing${bounded && ratio > CEILING ? `  OVER ${CEILING}` : ''}`,
    );
  }
  console.log(
    `the worker has ${many.peak_mib} MiB at most, ${results.memory.toFixed(2)}x of what a tenth of the rows takes${results.memory > GROWTH ? `  OVER ${GROWTH}` : ''}`,
  );
  if (options.json) console.log(JSON.stringify(results));
}

/** Imports so many rows into a base, a file after the other: rows a second while the jobs ran, what they did, and the memory of the worker. */
async function imported({ owner, call, worker, ...world }, ds_id, { count, order }) {
  const sum = { created: 0, unchanged: 0, seconds: 0, peak_mib: 0 };
  for (let from = 0; from < count; from += A_FILE) {
    const file_id = await uploadTable({ call, ...world }, ds_id, csvOf(from, Math.min(from + A_FILE, count)));
    await untilSent(owner);
    let job = await call('POST', `/knowledge-bases/${ds_id}/records/import`, { file_id, mapping: MAPPING, ...order });
    while (job.job_finished === null) {
      await pause(POLLED_EVERY_MS);
      sum.peak_mib = Math.max(sum.peak_mib, residentMib(worker.pid));
      job = await call('GET', `/knowledge-bases/${ds_id}/jobs/${job.job_id}`);
    }
    if (job.status !== 'completed') throw new Error(`The import is ${job.status}: ${job.error ?? 'see its report'}.`);
    sum.created += job.created;
    sum.unchanged += job.unchanged;
    sum.seconds += (Date.parse(job.job_finished) - Date.parse(job.job_started)) / 1000;
  }
  return { ...sum, rate: count / sum.seconds };
}

function csvOf(from, to) {
  const lines = [COLUMNS.join(',')];
  for (let n = from; n < to; n++)
    lines.push(
      [
        `lamp-${n}`,
        `Lamp ${n}`,
        `L-${String(n * 7919).padStart(9, '0')}`,
        KINDS[n % KINDS.length],
        ((n * 37) % 90_000) / 100,
        `20${10 + (n % 15)}-0${1 + (n % 9)}-1${n % 9}`,
        `"A lamp for rooms of ${10 + (n % 60)} square metres, with a shade of linen and a cable of ${1 + (n % 5)} metres. It is switched at the socket, and its bulb of ${n % 40} watts is changed without tools."`,
      ].join(','),
    );
  return Buffer.from(`${lines.join('\n')}\n`);
}

async function uploadTable({ call }, ds_id, bytes) {
  const opened = await call('POST', '/uploads', {
    file_repo: { ds: ds_id },
    file_name: `lamps-${performance.now()}.csv`,
    file_size: bytes.length,
    file_metadata: { purpose: 'import' },
  });
  const sent = await fetch(opened.upl_url, { method: 'PUT', headers: opened.upl_headers, body: bytes });
  if (!sent.ok) throw new Error(`Storage answered ${sent.status} to the table.`);
  const { file_id } = await call('POST', `/uploads/${opened.upl_id}/finalize`);
  while ((await call('GET', `/files/${file_id}`)).file_processing !== 'ready') await pause(POLLED_EVERY_MS);
  return file_id;
}

/** Until the events of earlier imports are on their way, which the worker would send during the next one. */
async function untilSent(owner) {
  for (;;) {
    const { rows: waiting } = await owner.query(
      'SELECT 1 FROM outbox WHERE ev_sent IS NULL AND ev_done IS NULL AND ev_due <= clock_timestamp() LIMIT 1',
    );
    if (waiting.length === 0) return;
    await pause(POLLED_EVERY_MS);
  }
}

/** Rows a second of a client that has the rows in memory, as they were imported, and writes them with their values. */
async function bareRate({ owner, ws_id }, service, ds_id) {
  const tables = [
    await bareTable(owner, { table: 'knowledge_record', generated: ['rec_name_key'], references: ['rec_base', 'rec_form'] }),
    await bareTable(owner, { table: 'form_value', generated: [], references: [] }),
  ];
  const batches = await batchesOf(owner, ws_id, { ds_id, columns: tables.map(({ columns }) => columns) });
  const count = batches.reduce((sum, [{ length }]) => sum + length, 0);
  const rates = [];
  for (let n = 0; n <= BARE_TURNS; n++) {
    await owner.query('TRUNCATE bare_knowledge_record, bare_form_value');
    const began = performance.now();
    for (const batch of batches) {
      await service.query(`BEGIN; SET LOCAL app.tenant_id = '${ws_id}'`);
      for (const [at, { text }] of tables.entries()) await service.query({ text, name: `bare-${at}`, values: [JSON.stringify(batch[at])] });
      await service.query('COMMIT');
    }
    if (n > 0) rates.push(count / ((performance.now() - began) / 1000));
  }
  return rates.sort((a, b) => a - b)[Math.floor(BARE_TURNS / 2)];
}

/** A table of the same shape, with its indexes, policy and references, and what writes many rows into it. */
async function bareTable(owner, { table, generated, references }) {
  await owner.query(`CREATE TABLE bare_${table} (LIKE ${table} INCLUDING ALL)`);
  await owner.query(`CALL make_tenant_table('bare_${table}')`);
  for (const column of references)
    await owner.query(`ALTER TABLE bare_${table} ADD FOREIGN KEY (tenant_id, ${column}) REFERENCES ${REFERENCES[column]}`);
  const { rows: found } = await owner.query(
    'SELECT attname FROM pg_attribute WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped AND attname <> ALL($2) ORDER BY attnum',
    [table, generated],
  );
  const columns = found.map(({ attname }) => attname).join(', ');
  const text = `INSERT INTO bare_${table} (${columns}) SELECT ${columns} FROM jsonb_populate_recordset(NULL::bare_${table}, $1::jsonb)`;
  return { columns, text };
}

/** The records of the base and their values, as many as one file has, 500 records a batch. */
async function batchesOf(owner, ws_id, { ds_id, columns: [ofRecords, ofValues] }) {
  const batches = [];
  for (let last = null; ;) {
    const { rows: records } = await owner.query(
      `SELECT ${ofRecords.replace('rec_tsv', 'rec_tsv::text')} FROM knowledge_record WHERE tenant_id = $1 AND rec_base = $2 AND ($3::uuid IS NULL OR rec_id > $3) ORDER BY rec_id LIMIT ${AT_ONCE}`,
      [ws_id, ds_id, last],
    );
    if (records.length === 0 || batches.length * AT_ONCE >= A_FILE) return batches;
    const ids = records.map(({ rec_id }) => rec_id);
    const { rows: values } = await owner.query(`SELECT ${ofValues} FROM form_value WHERE tenant_id = $1 AND owner_id = ANY($2)`, [
      ws_id,
      ids,
    ]);
    batches.push([records, values]);
    last = ids.at(-1);
  }
}

function residentMib(pid) {
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) / 1024);
}

function round(value) {
  return Math.round(value * 100) / 100;
}
