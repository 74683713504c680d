import { eventually, type Client, type RunningApi, type TestWorkspace } from '@atrium/platform/testing';
import { ask, asAdmin } from '../architecture/asking';
import { startAtrium, startWorker } from '../support/api';
import { activeFlow, type Stated } from './flows';
import { endedJob, schemaOf, tableFile, type JobAnswer } from './importing';
import { THIS_DATABASE, WAITING_AT_GATE, WriteGate } from './write-gate';

const ROWS = 1_200;
/** A row of the last batch. */
const LATE = 'row-1100';
const FIELDS = [
  { key: 'name', type: 'text', label: 'Name', required: true },
  { key: 'price', type: 'number', label: 'Price' },
  { key: 'nr', type: 'auto_number', label: 'Number', filterable: true },
];
const WITHIN_MS = 240_000;

let api: RunningApi;
let ours: TestWorkspace;
let client: Client;
let gate: WriteGate;
let obj_form: string;

beforeAll(async () => {
  api = await startAtrium();
  await startWorker(api);
}, 120_000);
beforeEach(async () => {
  gate = await WriteGate.open(api);
  ours = await api.workspace(['module-objects']);
  ({ client } = ours.owner);
  obj_form = await schemaOf(client, FIELDS, { title: 'name' });
}, 60_000);
afterEach(async () => {
  await gate.release().catch(() => undefined);
  await gate.close();
}, 60_000);
afterAll(() => api.close());

const MAPPING = { 'external id': 'obj_external_id', name: 'name', price: 'price' };
const start = async (file_id: string): Promise<string> =>
  ((await client.post('/objects/import', { obj_form, file_id, mapping: MAPPING, on_error: 'abort' }).expect(202)).body as JobAnswer).job_id;
const lamps = (last: string, more: readonly string[] = []): Promise<string> => {
  const rows = Array.from({ length: ROWS }, (_, at) => `row-${at},Lamp ${at},${at}`);
  return tableFile(client, 'lamps.csv', Buffer.from(['external id,name,price', ...more, ...rows, last].join('\n')));
};

/** An import that must not fail, and has written nearly all of its rows for good; it waits before one of the last. */
async function heldImport(last = `row-${ROWS},Last,1`): Promise<string> {
  const file_id = await lamps(last);
  // In the rehearsal of a batch, which is undone, numbers begin at 1.
  const writing = `NEW.obj_external_id = '${LATE}' AND (NEW.obj_content ->> 'nr')::integer > 1000`;
  await gate.at('INSERT ON object', `NEW.tenant_id = '${ours.tenant_id}' AND ${writing}`);
  const job_id = await start(file_id);
  await gate.untilHeldUp(1);
  return job_id;
}

async function added(by = client, form = obj_form): Promise<number> {
  const { obj_content } = (await by.post('/objects', { obj_form: form, obj_content: { name: 'Beside' } }).expect(201)).body as Stated;
  return (obj_content as { nr: number }).nr;
}
const numbers = async (): Promise<number[]> =>
  (
    await api.sql<{ nr: number }>(`SELECT (obj_content ->> 'nr')::integer AS nr FROM object WHERE tenant_id = $1 ORDER BY 1`, [
      ours.tenant_id,
    ])
  ).map(({ nr }) => nr);
const upTo = (last: number): number[] => Array.from({ length: last }, (_, at) => at + 1);
const staged = (): Promise<unknown[]> => api.sql('SELECT 1 FROM import_batch WHERE tenant_id = $1', [ours.tenant_id]);
const clock = async (): Promise<Date> => (await api.sql<{ now: Date }>('SELECT clock_timestamp() AS now'))[0]!.now;
/** When the numbers of the import became its own: they are for a quarter of an hour, and a tenth of a second for each of them. */
const reservedAt = async (numbers: number): Promise<Date | undefined> =>
  (
    await api.sql<{ at: Date }>(
      `SELECT range_until - interval '15 minutes' - $2 * interval '100 milliseconds' AS at FROM form_number_range WHERE tenant_id = $1`,
      [ours.tenant_id, numbers],
    )
  )[0]?.at;
const heldNumbers = (): Promise<unknown[]> => api.sql('SELECT 1 FROM form_number_range WHERE tenant_id = $1', [ours.tenant_id]);

describe('beside an import that must not fail and is writing', () => {
  it(
    'objects of its schema are created, schema and flow are changed, other workspaces are answered, and numbers have no gap',
    async () => {
      const { olf_id } = await activeFlow(client, [obj_form]);
      const other = (await api.workspace(['module-objects'])).owner.client;
      const others = await schemaOf(other, FIELDS, { title: 'name' });
      const before = await clock();
      const job_id = await heldImport();
      // Until they lapse others count on with one statement.
      const reserved = (await reservedAt(ROWS + 1))?.getTime();
      expect(reserved).toBeGreaterThanOrEqual(before.getTime());
      expect(reserved).toBeLessThanOrEqual((await clock()).getTime());
      expect([await added(), await added(), await added()]).toEqual([ROWS + 2, ROWS + 3, ROWS + 4]);
      await client.patch(`/object-schemas/${obj_form}`, { form_description: 'Lamps of the hall.' }).expect(200);
      await client.patch(`/object-lifecycle-flows/${olf_id}`, { olf_description: 'Who approves lamps.' }).expect(200);
      expect(await added(other, others)).toBe(1);
      await gate.release();
      expect(await endedJob(client, job_id)).toMatchObject({ status: 'completed', result: { created: ROWS + 1, failed: 0 } });
      expect(await numbers()).toEqual(upTo(ROWS + 4));
      expect(await added()).toBe(ROWS + 5);
      expect([await heldNumbers(), await staged()]).toEqual([[], []]);
    },
    WITHIN_MS,
  );

  it(
    'a row whose value an earlier one frees takes a number of those that were taken before, and nobody waits for the counter',
    async () => {
      const unique = { key: 'sku', type: 'text', label: 'Sku', unique: true };
      obj_form = await schemaOf(client, [...FIELDS, unique], { title: 'name' });
      const lines = Array.from({ length: ROWS }, (_, at) => `row-${at},Lamp ${at},${at === 800 ? 'freed' : `sku-${at}`}`);
      const table = (rows: readonly string[]): Promise<string> =>
        tableFile(client, 'skus.csv', Buffer.from(['external id,name,sku', ...rows].join('\n')));
      const mapping = { 'external id': 'obj_external_id', name: 'name', sku: 'sku' };
      const before = { obj_form, file_id: await table(['row-0,First,freed']), mapping };
      await endedJob(client, ((await client.post('/objects/import', before).expect(202)).body as JobAnswer).job_id);
      await gate.at('INSERT ON object', `NEW.obj_external_id = '${LATE}' AND (NEW.obj_content ->> 'nr')::integer > 1000`);
      const order = { obj_form, file_id: await table(lines), mapping, mode: 'upsert', on_error: 'abort' };
      const { job_id } = (await client.post('/objects/import', order).expect(202)).body as JobAnswer;
      await gate.untilHeldUp(1);
      expect(await added()).toBe(ROWS + 1);
      await gate.release();
      expect(await endedJob(client, job_id)).toMatchObject({ status: 'completed', result: { created: ROWS - 1, updated: 1, failed: 0 } });
      expect(await numbers()).toEqual(upTo(ROWS + 1));
    },
    WITHIN_MS,
  );

  it(
    'numbers are given that it gives back when a row is refused',
    async () => {
      const job_id = await heldImport('row-0,Doubled,1');
      expect(await added()).toBe(ROWS + 2);
      await gate.release();
      expect(await endedJob(client, job_id)).toMatchObject({ status: 'failed', result: { created: 0, failed: 1 } });
      expect([await added(), await added()]).toEqual([1, 2]);
      await api.sql(`UPDATE form_number SET num_returned = '{[7,8),[9,10)}' WHERE tenant_id = $1`, [ours.tenant_id]);
      expect([await added(), await added(), await added()]).toEqual([7, 9, ROWS + 3]);
    },
    WITHIN_MS,
  );

  it(
    'numbers are given that it gives back when it is cancelled, or lets lapse',
    async () => {
      const job_id = await heldImport();
      await client.delete(`/jobs/${job_id}`).expect(200);
      await gate.release();
      // Those who wait for the table come after the import, which has ended.
      expect(await added()).toBe(1);
      expect(await staged()).toEqual([]);
      await api.sql(
        `INSERT INTO form_number_range (tenant_id, form_id, field_key, range_holder, range_numbers, range_until)
         SELECT tenant_id, form_id, field_key, $2, '{[5000,5002)}', now() - interval '1 second' FROM form_number WHERE tenant_id = $1`,
        [ours.tenant_id, job_id],
      );
      await api.sql(`UPDATE form_number SET num_returned = '{}' WHERE tenant_id = $1`, [ours.tenant_id]);
      expect([await added(), await added()]).toEqual([5000, 5001]);
      expect(await heldNumbers()).toEqual([]);
    },
    WITHIN_MS,
  );

  it(
    'a schema that is changed is the one by which all of its rows are judged',
    async () => {
      const job_id = await heldImport();
      const fields = FIELDS.map((field) => (field.key === 'price' ? { ...field, max: ROWS - 2 } : field));
      await client.patch(`/object-schemas/${obj_form}`, { form_config: { fields, title: 'name' } }).expect(200);
      await gate.release();
      const job = await endedJob(client, job_id);
      expect(job).toMatchObject({ status: 'failed', result: { created: 0, failed: 1 } });
      expect(job.result?.errors).toMatchObject([{ column: 'price' }]);
      expect(await numbers()).toEqual([]);
    },
    WITHIN_MS,
  );

  it(
    'a flow that becomes active is the one in which all of its objects begin, and a number whose field is renamed goes along',
    async () => {
      const job_id = await heldImport();
      await activeFlow(client, [obj_form]);
      const fields = FIELDS.map((field) => (field.key === 'nr' ? { ...field, key: 'no', renamed_from: 'nr' } : field));
      await client.patch(`/object-schemas/${obj_form}`, { form_config: { fields, title: 'name' } }).expect(200);
      await gate.release();
      expect(await endedJob(client, job_id)).toMatchObject({ status: 'completed', result: { created: ROWS + 1 } });
      expect(
        await api.sql(
          `SELECT obj_status, count(*)::integer AS objects, min((obj_content ->> 'no')::integer) AS first, max((obj_content ->> 'no')::integer) AS last
           FROM object WHERE tenant_id = $1 GROUP BY obj_status`,
          [ours.tenant_id],
        ),
      ).toEqual([{ obj_status: 'draft', objects: ROWS + 1, first: 1, last: ROWS + 1 }]);
    },
    WITHIN_MS,
  );
});

/** The locks of writers that a connection has which is held up at the gate, but for those of the gate itself. */
const LOCKS = `SELECT DISTINCT l.relation::regclass::text AS "table", l.mode FROM pg_locks l
  WHERE l.pid IN (SELECT pid ${WAITING_AT_GATE}) AND l.database = ${THIS_DATABASE} AND l.locktype = 'relation' AND l.mode <> 'AccessShareLock'
    AND l.relation IN (SELECT oid FROM pg_class WHERE relkind IN ('r', 'p')) ORDER BY 1`;

describe('an import that must not fail', () => {
  it(
    'keeps, while its rows are staged, its job alone, batch by batch, and no schema, flow or object from anybody',
    async () => {
      await activeFlow(client, [obj_form]);
      const file_id = await lamps(`row-${ROWS},Last,1`);
      await gate.at('INSERT ON import_batch', `NEW.tenant_id = '${ours.tenant_id}' AND NEW.batch_row > 1100`);
      const job_id = await start(file_id);
      await gate.untilHeldUp(1);
      // What was staged before is kept already, so that nothing of it is locked.
      expect(await staged()).toHaveLength(2);
      expect(await api.sql(LOCKS)).toEqual([
        { table: 'background_job', mode: 'RowShareLock' },
        { table: 'import_batch', mode: 'RowExclusiveLock' },
      ]);
      const idle = `SELECT query FROM pg_stat_activity WHERE datname = current_database() AND state = 'idle in transaction'`;
      // An owner sees no state of the connections that other roles have.
      await eventually(
        () => ask(asAdmin(api.database), idle),
        (idling) => idling.length === 0,
      );
      await gate.release();
      expect(await endedJob(client, job_id)).toMatchObject({ status: 'completed', result: { created: ROWS + 1, failed: 0 } });
    },
    WITHIN_MS,
  );

  it(
    'names what is wrong in all of its batches before it takes a number, and nothing of it is left',
    async () => {
      await gate.release();
      const job = await endedJob(client, await start(await lamps('last,,1', ['first,,1', 'second,Second,dear'])));
      expect(job).toMatchObject({ status: 'failed', done: 0, result: { created: 0, failed: 3 } });
      expect(job.result?.errors.map(({ row, column }) => [row, column])).toEqual([
        [2, 'name'],
        [3, 'price'],
        [ROWS + 4, 'name'],
      ]);
      expect([await numbers(), await staged(), await heldNumbers()]).toEqual([[], [], []]);
      expect(await api.sql('SELECT 1 FROM form_number WHERE tenant_id = $1', [ours.tenant_id])).toEqual([]);
    },
    WITHIN_MS,
  );
});
