import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { migrateQueue } from '@atrium/platform/messaging';
import { eventually, RowsServer, type RunningApi, type TestWorkspace } from '@atrium/platform/testing';
import { storeFile } from '../files/stored-files';
import { BRIEF_LEASES, startAtrium } from '../support/api';
import { spawnWorker } from '../support/built-hosts';
import { repeated } from '../support/repeated';
import { addTerm, makeTaxonomy, readTerm } from './classifying';
import { flowOf, type Flow } from './flows';
import { endedJob, type JobAnswer } from './importing';
import { field, makeObject, makeSchema, readSchema, reshape } from './objects';
import { sourceBody } from './syncing';
import { WriteGate } from './write-gate';

/** How often a worker is killed while all of these jobs are in the middle of a batch, each time at other objects. */
const KILLS = repeated('OBJECT_KILLS', { usual: 1, deep: 3 });
const OBJECTS = repeated('KILLED_OBJECTS', { usual: 1_200, deep: 2_000 });
/** Of the rows of the import every one of so many is not valid. */
const BAD_EVERY = 300;
/** An object that has a term in six places counts six times: more than 10,000 uses are moved in the background. */
const PLACES = ['first', 'second', 'third', 'fourth', 'fifth', '$terms'];
const CLASSIFIED = Math.max(OBJECTS, Math.ceil(10_001 / PLACES.length));
const WITHIN_MS = 5 * 60_000;

let api: RunningApi;
let server: RowsServer;
let gate: WriteGate;
let worker: ChildProcess | undefined;

beforeAll(async () => {
  server = await RowsServer.start();
  api = await startAtrium({ ...BRIEF_LEASES, OUTBOUND_ALLOW: '127.0.0.1/32', WORKER_CONCURRENCY: '8', DATABASE_POOL: '16' });
  await migrateQueue(api.database.ownerUrl);
  gate = await WriteGate.open(api);
}, 120_000);
afterEach(() => gate.clear());
afterAll(async () => {
  worker?.kill('SIGKILL');
  await gate.close();
  await api.close();
  await server.stop();
});

/** A job over many objects of a workspace. */
interface Work {
  readonly workspace: TestWorkspace;
  /** The external id of an object that the job has not reached, chosen by chance. */
  readonly ahead: () => Promise<string>;
  readonly ends: () => Promise<unknown>;
}

async function count({ tenant_id }: TestWorkspace, from: string, where = 'true'): Promise<number> {
  const [row] = await api.sql<{ count: number }>(`SELECT count(*)::int AS count FROM ${from} WHERE tenant_id = $1 AND ${where}`, [
    tenant_id,
  ]);
  return row?.count ?? 0;
}
const events = (workspace: TestWorkspace, name: string): Promise<number> =>
  count(workspace, 'outbox', `ev_kind = 'event' AND ev_name = '${name}'`);
const audited = (workspace: TestWorkspace, type: string): Promise<number> => count(workspace, 'audit_event', `aud_type = '${type}'`);
const revisions = (workspace: TestWorkspace, action: string): Promise<number[]> =>
  Promise.all([
    count(workspace, 'object_revision', `rev_action = '${action}'`),
    count(workspace, `(SELECT DISTINCT tenant_id, rev_object FROM object_revision WHERE rev_action = '${action}') x`),
  ]);

/** As many objects as one that was made, itself included, each with an external id of its own and found by the same values. */
async function multiply({ tenant_id }: TestWorkspace, obj_id: string, objects: number): Promise<void> {
  await api.sql(`UPDATE object SET obj_external_id = 'row-1' WHERE tenant_id = $1 AND obj_id = $2`, [tenant_id, obj_id]);
  await api.sql(
    `INSERT INTO object (tenant_id, obj_id, obj_form, obj_name, obj_content, obj_terms, obj_text, obj_external_id)
     SELECT tenant_id, gen_random_uuid(), obj_form, obj_name, obj_content, obj_terms, obj_text, 'row-' || n
     FROM object, generate_series(2, $3::integer) n WHERE tenant_id = $1 AND obj_id = $2`,
    [tenant_id, obj_id, objects],
  );
  await api.sql(
    `INSERT INTO form_value (tenant_id, form_id, owner_id, field_key, position, value_text, value_num, value_ref)
     SELECT v.tenant_id, v.form_id, o.obj_id, v.field_key, v.position, v.value_text, v.value_num, v.value_ref
     FROM form_value v JOIN object o USING (tenant_id) WHERE v.tenant_id = $1 AND v.owner_id = $2 AND o.obj_id <> $2`,
    [tenant_id, obj_id],
  );
}

const oneOf =
  ({ tenant_id }: TestWorkspace, where: string) =>
  async (): Promise<string> => {
    const [row] = await api.sql<{ id: string }>(
      `SELECT obj_external_id AS id FROM object WHERE tenant_id = $1 AND obj_active AND ${where} ORDER BY random() LIMIT 1`,
      [tenant_id],
    );
    if (!row) throw new Error('The job has reached all of its objects.');
    return row.id;
  };

/** A table of objects with a number each; some rows are not valid. */
async function importing(): Promise<Work & { readonly job_id: string }> {
  const workspace = await api.workspace(['module-objects']);
  const { client } = workspace.owner;
  const { form_id } = await makeSchema(client, [field('price', 'number', { min: 0 }), field('no', 'auto_number')]);
  const lines = Array.from({ length: OBJECTS }, (_, at) => `row-${at + 1},Lamp ${at + 1},${(at + 1) % BAD_EVERY === 0 ? -1 : at}`);
  const bytes = Buffer.from(['external id,name,price', ...lines].join('\n'));
  const { file_id } = await storeFile(api, workspace, { name: 'lamps.csv', type: 'text/csv', bytes, read: true });
  const { job_id } = (await client.post('/objects/import', { obj_form: form_id, file_id }).expect(202)).body as JobAnswer;
  const ahead = async (): Promise<string> => {
    const [place] = await api.sql<{ row: number }>('SELECT imp_row AS row FROM object_import WHERE tenant_id = $1 AND job_id = $2', [
      workspace.tenant_id,
      job_id,
    ]);
    const reached = Math.max(0, (place?.row ?? 1) - 1);
    const at = reached + 1 + Math.floor(Math.random() * (OBJECTS - reached));
    return `row-${at % BAD_EVERY === 0 ? at - 1 : at}`;
  };
  return { workspace, job_id, ahead, ends: () => endedJob(client, job_id, WITHIN_MS) };
}

/** Objects without a state, and a flow for them. */
async function adopting(): Promise<Work & { readonly job_id: string }> {
  const workspace = await api.workspace(['module-objects']);
  const { client } = workspace.owner;
  const { form_id } = await makeSchema(client);
  await multiply(workspace, (await makeObject(client, form_id)).obj_id, OBJECTS);
  const { olf_id } = (await client.post('/object-lifecycle-flows', flowOf({ olf_forms: [form_id] })).expect(201)).body as Flow;
  const { job_id } = (await client.post(`/object-lifecycle-flows/${olf_id}/activate`, { adopt: true }).expect(202)).body as JobAnswer;
  return { workspace, job_id, ahead: oneOf(workspace, 'obj_status IS NULL'), ends: () => endedJob(client, job_id, WITHIN_MS) };
}

/** Objects that have a term in six places, one of them deleted; the term is deleted in favour of another one. */
async function reassigning(): Promise<
  Work & { readonly job_id: string; readonly tax: string; readonly from: string; readonly into: string }
> {
  const workspace = await api.workspace(['module-objects']);
  const { client } = workspace.owner;
  const tax = await makeTaxonomy(client);
  const [{ term_id: from }, { term_id: into }] = [await addTerm(client, tax, 'Oil lamps'), await addTerm(client, tax, 'Lamps')];
  const fields = PLACES.slice(0, -1);
  const { form_id } = await makeSchema(
    client,
    fields.map((key) => field(key, 'taxonomy', { taxonomy: tax })),
  );
  const content = Object.fromEntries(fields.map((key) => [key, from]));
  await multiply(workspace, (await makeObject(client, form_id, content, { obj_terms: [from] })).obj_id, CLASSIFIED + 1);
  await api.sql(`UPDATE object SET obj_active = false, obj_deleted = now() WHERE tenant_id = $1 AND obj_external_id = $2`, [
    workspace.tenant_id,
    `row-${CLASSIFIED + 1}`,
  ]);
  const { job_id } = (await client.delete(`/object-taxonomies/${tax}/terms/${from}?reassign_to=${into}`).expect(202)).body as JobAnswer;
  const ahead = oneOf(workspace, `'${from}' = ANY(obj_terms)`);
  return { workspace, job_id, tax, from, into, ahead, ends: () => endedJob(client, job_id, WITHIN_MS) };
}

/** Objects whose field is renamed. */
async function migrating(): Promise<Work & { readonly form_id: string }> {
  const workspace = await api.workspace(['module-objects']);
  const { client } = workspace.owner;
  const { form_id } = await makeSchema(client, [field('colour', 'text', { filterable: true })]);
  await multiply(workspace, (await makeObject(client, form_id, { colour: 'red' })).obj_id, OBJECTS);
  await reshape(client, form_id, [field('shade', 'text', { filterable: true, renamed_from: 'colour' })]).expect(200);
  const done = () =>
    eventually(
      () => readSchema(client, form_id),
      ({ form_migration }) => form_migration?.status === 'done',
      WITHIN_MS,
    );
  return { workspace, form_id, ahead: oneOf(workspace, `obj_content ? 'colour'`), ends: done };
}

/** Objects of a source that is deleted; the first thousand are let go with it. */
async function detaching(): Promise<Work> {
  const workspace = await api.workspace(['module-objects']);
  const { client, user_id } = workspace.owner;
  const { form_id } = await makeSchema(client, [field('price', 'number'), field('note', 'text'), field('secret', 'text')]);
  const { osr_id } = (await client.post('/object-sources', sourceBody(server, form_id)).expect(201)).body as { osr_id: string };
  await multiply(workspace, (await makeObject(client, form_id)).obj_id, OBJECTS);
  await api.sql(`UPDATE object SET obj_source = $2, obj_locked_fields = '{price}', obj_hash = 'x' WHERE tenant_id = $1`, [
    workspace.tenant_id,
    osr_id,
  ]);
  await api.sql(
    `WITH run AS (INSERT INTO object_sync_run (tenant_id, job_id, job_source, status, trigger, started, finished, job_created_by)
       VALUES ($1, gen_random_uuid(), $2, 'completed', 'manual', now(), now(), $3) RETURNING tenant_id, job_id)
     INSERT INTO object_sync_row (tenant_id, row_id, job_id, external_id, action)
     SELECT tenant_id, gen_random_uuid(), job_id, 'row-' || n, 'created' FROM run, generate_series(1, 10001) n`,
    [workspace.tenant_id, osr_id, user_id],
  );
  await client.delete(`/object-sources/${osr_id}`).expect(204);
  await client.get(`/object-sources/${osr_id}`).expect(404);
  expect(await count(workspace, 'object', 'obj_source IS NOT NULL')).toBe(OBJECTS - 1_000);
  const gone = () =>
    eventually(
      () => count(workspace, 'object_source'),
      (sources) => sources === 0,
      WITHIN_MS,
    );
  return { workspace, ahead: oneOf(workspace, 'obj_source IS NOT NULL'), ends: gone };
}

/** Kills a worker once all of the jobs are held up. */
async function killWhenHeldUp(jobs: number): Promise<void> {
  worker = spawnWorker();
  await gate.untilHeldUp(jobs);
  worker.kill('SIGKILL');
  await once(worker, 'close');
  await gate.clear();
}

describe('a worker that is killed in the middle of jobs over thousands of objects', () => {
  it(
    'leaves them to the next one: nothing is lost, nothing doubled, and everything is counted once',
    async () => {
      const [imported, adopted, reassigned, migrated, detached] = [
        await importing(),
        await adopting(),
        await reassigning(),
        await migrating(),
        await detaching(),
      ];
      const works: readonly Work[] = [imported, adopted, reassigned, migrated, detached];
      for (let kill = 0; kill < KILLS; kill++) {
        for (const { workspace, ahead } of works)
          await gate.at(
            'INSERT OR UPDATE ON object',
            `NEW.tenant_id = '${workspace.tenant_id}' AND NEW.obj_external_id = '${await ahead()}'`,
          );
        await killWhenHeldUp(works.length);
      }
      worker = spawnWorker();
      for (const { ends } of works) await ends();

      const bad = Math.floor(OBJECTS / BAD_EVERY);
      const good = OBJECTS - bad;
      const { workspace: ours } = imported;
      const job = await endedJob(ours.owner.client, imported.job_id);
      expect(job).toMatchObject({ status: 'partial', done: good, failed: bad, total: OBJECTS });
      expect(job.result).toMatchObject({ created: good, updated: 0, unchanged: 0, failed: bad });
      expect(job.result?.errors.map(({ row }) => row)).toEqual(Array.from({ length: bad }, (_, at) => (at + 1) * BAD_EVERY + 1));
      const [rows] = await api.sql(
        `SELECT count(*)::int AS objects, count(DISTINCT obj_external_id)::int AS ids, max(row_version) AS version, count(DISTINCT obj_content ->> 'no')::int AS numbers,
           max((obj_content ->> 'no')::int) AS highest FROM object WHERE tenant_id = $1`,
        [ours.tenant_id],
      );
      expect(rows).toEqual({ objects: good, ids: good, version: 1, numbers: good, highest: good });
      expect(await revisions(ours, 'created')).toEqual([good, good]);
      expect(await events(ours, 'object.created')).toBe(good);

      const { workspace: flowing } = adopted;
      expect(await endedJob(flowing.owner.client, adopted.job_id)).toMatchObject({
        ...{ status: 'completed', done: OBJECTS, failed: 0, total: OBJECTS },
        result: { adopted: OBJECTS },
      });
      expect(await count(flowing, 'object', `obj_status = 'draft' AND row_version = 2`)).toBe(OBJECTS);
      expect([await count(flowing, 'object_transition'), await events(flowing, 'object.transitioned')]).toEqual([OBJECTS, OBJECTS]);
      expect(await revisions(flowing, 'transitioned')).toEqual([OBJECTS, OBJECTS]);
      expect([await events(flowing, 'object.updated'), await audited(flowing, 'object_flow.activated')]).toEqual([0, 1]);

      const { workspace: classified, tax, from, into } = reassigned;
      const moved = CLASSIFIED * PLACES.length;
      expect(await endedJob(classified.owner.client, reassigned.job_id)).toMatchObject({
        ...{ status: 'partial', done: moved, failed: PLACES.length, total: moved + PLACES.length },
        result: { moved, kept: PLACES.length },
      });
      expect(await count(classified, 'form_value', `value_ref = '${into}'`)).toBe(moved);
      expect(await readTerm(classified.owner.client, tax, from)).toMatchObject({ term_active: false, term_use_count: PLACES.length });
      expect(await count(classified, 'object', `obj_terms = '{${into}}' AND obj_content ->> 'fifth' = '${into}' AND row_version = 2`)).toBe(
        CLASSIFIED,
      );
      expect(await revisions(classified, 'updated')).toEqual([CLASSIFIED, CLASSIFIED]);
      expect([await events(classified, 'object.updated'), await audited(classified, 'object_term.deleted')]).toEqual([CLASSIFIED, 1]);

      const { workspace: renamed, form_id } = migrated;
      expect((await readSchema(renamed.owner.client, form_id)).form_migration).toEqual({ status: 'done', done: OBJECTS, total: OBJECTS });
      expect(await count(renamed, 'object', `obj_content = '{"name": "Thing", "shade": "red"}' AND row_version = 2`)).toBe(OBJECTS);
      expect([
        await count(renamed, 'form_value', `field_key = 'shade'`),
        await count(renamed, 'form_value', `field_key = 'colour'`),
      ]).toEqual([OBJECTS, 0]);
      expect(await revisions(renamed, 'schema_changed')).toEqual([OBJECTS, OBJECTS]);
      expect([await events(renamed, 'object_schema.changed'), await audited(renamed, 'object_schema.updated')]).toEqual([2, 1]);
      expect(await events(renamed, 'object.updated')).toBe(0);

      const { workspace: freed } = detached;
      expect(
        await count(
          freed,
          'object',
          `obj_source IS NULL AND obj_hash IS NULL AND obj_locked_fields = '{}' AND obj_external_id LIKE 'row-%' AND row_version = 2`,
        ),
      ).toBe(OBJECTS);
      expect([await count(freed, 'object_sync_run'), await count(freed, 'object_sync_row')]).toEqual([0, 0]);
      expect(await audited(freed, 'object_source.deleted')).toBe(1);
      worker.kill('SIGTERM');
      await once(worker, 'close');
    },
    WITHIN_MS * 2,
  );

  it(
    'leaves nothing of an import that must not fail, and in its last moment leaves one that is only to be reported',
    async () => {
      const workspace = await api.workspace(['module-objects']);
      const { client } = workspace.owner;
      const { form_id } = await makeSchema(client);
      const rows = Array.from({ length: 1_000 }, (_, at) => ({ external_id: `row-${at}`, name: `Lamp ${at}` }));
      const wrong = [...rows.slice(1), { external_id: 'row-0' }];
      const start = async (given: readonly object[]): Promise<string> =>
        ((await client.post('/objects/import', { obj_form: form_id, rows: given, on_error: 'abort' }).expect(202)).body as JobAnswer)
          .job_id;
      const job_id = await start(rows);
      const own = `NEW.tenant_id = '${workspace.tenant_id}'`;
      const staged = (): Promise<{ batch_row: number }[]> =>
        api.sql('SELECT batch_row FROM import_batch WHERE job_id = $1 ORDER BY batch_row', [job_id]);
      await gate.at('INSERT ON import_batch', `${own} AND NEW.batch_row = 1000`);
      await killWhenHeldUp(1);
      expect(await staged()).toEqual([{ batch_row: 500 }]);
      // All rows are staged, those of the first batch not again, and of what is written in the rehearsal nothing is left.
      await gate.at('INSERT ON import_batch', `${own} AND NEW.batch_row < 1000`);
      await gate.at('INSERT ON object', `${own} AND NEW.obj_external_id = 'row-700'`);
      await killWhenHeldUp(1);
      expect(await staged()).toEqual([{ batch_row: 500 }, { batch_row: 1_000 }]);
      expect(await count(workspace, 'object')).toBe(0);
      await gate.at('UPDATE ON object_import', `${own} AND NEW.imp_row > 0`);
      await killWhenHeldUp(1);
      expect(await count(workspace, 'object')).toBe(0);
      await gate.at('UPDATE ON background_job', `${own} AND NEW.job_status = 'completed'`);
      await killWhenHeldUp(1);
      expect(await count(workspace, 'object')).toBe(1_000);

      const failing = await start(wrong.map((row) => ({ ...row, external_id: `${row.external_id}-again` })));
      await gate.at('UPDATE ON background_job', `${own} AND NEW.job_status = 'failed'`);
      await killWhenHeldUp(1);
      worker = spawnWorker();
      expect(await endedJob(client, job_id, WITHIN_MS)).toMatchObject({
        ...{ status: 'completed', done: 1_000, failed: 0, total: 1_000 },
        result: { created: 1_000, updated: 0, unchanged: 0, failed: 0, errors: [] },
      });
      const failed = await endedJob(client, failing, WITHIN_MS);
      expect(failed).toMatchObject({
        status: 'failed',
        done: 0,
        failed: 1,
        total: 1_000,
        error: expect.stringContaining('1 of 1000 rows'),
      });
      expect(failed.result).toMatchObject({ created: 0, failed: 1, errors: [{ row: 1_000, column: 'name' }] });
      expect([await count(workspace, 'object'), await events(workspace, 'object.created')]).toEqual([1_000, 1_000]);
      expect(await count(workspace, 'import_batch')).toBe(0);
      worker.kill('SIGTERM');
      await once(worker, 'close');
    },
    WITHIN_MS * 2,
  );
});
