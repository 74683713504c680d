import { newId } from '@atrium/platform/kernel';
import { migrateQueue } from '@atrium/platform/messaging';
import { eventually, type Client, type RunningApi, type TestWorkspace } from '@atrium/platform/testing';
import { Client as Postgres } from 'pg';
import { ask, asAdmin } from '../architecture/asking';
import { field } from '../objects/objects';
import { startAtrium, startWorker } from '../support/api';
import { WebSite } from '../support/web-site';
import { addText, makeBase, makeFormBase, PRODUCT } from './bases';
import { ended } from './filling';

/** The holder of this lock keeps units of work that publish a record from ending. */
const GATE = 4_715;

let api: RunningApi;
let gate: Postgres;
let ours: TestWorkspace;
let client: Client;

beforeAll(async () => {
  api = await startAtrium({ OUTBOUND_ALLOW: '127.0.0.1/32' });
  await migrateQueue(api.database.ownerUrl);
  gate = new Postgres({ connectionString: api.database.ownerUrl });
  await gate.connect();
  await gate.query(`
    CREATE FUNCTION wait_at_gate() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_advisory_xact_lock(${GATE}); RETURN NEW; END $$;
    CREATE TRIGGER gate BEFORE INSERT ON passage_source FOR EACH ROW EXECUTE FUNCTION wait_at_gate()`);
  await startWorker(api);
}, 120_000);
beforeEach(async () => {
  ours = await api.workspace();
  ({ client } = ours.owner);
  await gate.query(`SELECT pg_advisory_lock(${GATE})`);
});
const open = (): Promise<unknown> => gate.query(`SELECT pg_advisory_unlock_all()`);
afterEach(open);
afterAll(async () => {
  await gate.end();
  await api.close();
});

const waiting = async (condition: string): Promise<number> =>
  (
    await api.sql<{ n: number }>(
      `SELECT count(*)::integer AS n FROM pg_locks l JOIN pg_stat_activity a USING (pid) WHERE NOT l.granted AND a.datname = current_database() AND ${condition}`,
    )
  )[0]?.n ?? 0;
/** Something waits that is not held up by the gate. */
const QUEUED = `(l.locktype = 'transactionid' OR (l.locktype = 'advisory' AND l.objid <> ${GATE}))`;
const until = (condition: string): Promise<number> =>
  eventually(
    () => waiting(condition),
    (count) => count > 0,
    60_000,
  );
const start = async (ds_id: string, body: object): Promise<string> =>
  ((await client.post(`/knowledge-bases/${ds_id}/records/import`, body).expect(202)).body as { job_id: string }).job_id;

/** An import that has written its record and has not committed it, because something else holds it up. */
async function heldWriting(ds_id: string, row: object): Promise<string> {
  const job_id = await start(ds_id, { rows: [row], mode: 'upsert' });
  await until(`l.locktype = 'advisory' AND l.objid = ${GATE}`);
  return job_id;
}
const ROW = { rec_external_id: 'held', name: 'Held', body: 'The ferry leaves at noon.' };
const draft = (ds_id: string, name: string): ReturnType<typeof addText> =>
  addText(client, ds_id, name, 'Gulls nest on the pier.', { rec_status: 'draft' });
const countOf = async (ds_id: string): Promise<number> =>
  ((await client.get(`/knowledge-bases/${ds_id}`).expect(200)).body as { ds_record_count: number }).ds_record_count;

describe('records of one base', () => {
  it('are made, changed and deleted beside a writer whose unit of work is open, and all of them are counted', async () => {
    const { ds_id } = await makeBase(client);
    const [kept, gone] = [await draft(ds_id, 'Kept'), await draft(ds_id, 'Gone')];
    const job_id = await heldWriting(ds_id, ROW);
    await draft(ds_id, 'Beside');
    await client.patch(`/knowledge-bases/${ds_id}/records/${kept.rec_id}`, { rec_name: 'Kept and renamed' }).expect(200);
    await client.delete(`/knowledge-bases/${ds_id}/records/${gone.rec_id}`).expect(204);
    expect(await countOf(ds_id)).toBe(2);
    await open();
    expect(await ended(client, ds_id, job_id)).toMatchObject({ status: 'completed', created: 1 });
    expect(await countOf(ds_id)).toBe(3);
  }, 120_000);

  it('are written by one schema beside each other', async () => {
    const { ds_id } = await makeFormBase(client, PRODUCT);
    const job_id = await heldWriting(ds_id, { rec_external_id: 'held', name: 'Lamp', description: 'Brass.' });
    const body = { rec_content: { name: 'Rope', description: 'Hemp.' }, rec_status: 'draft' };
    await client.post(`/knowledge-bases/${ds_id}/records`, body).expect(201);
    await open();
    expect(await ended(client, ds_id, job_id)).toMatchObject({ status: 'completed', created: 1 });
    expect(await countOf(ds_id)).toBe(2);
  }, 120_000);

  it('that are written at once with one external id are one record, whichever way they come', async () => {
    const { ds_id } = await makeBase(client);
    const first = await heldWriting(ds_id, ROW);
    const second = await start(ds_id, { rows: [{ ...ROW, body: 'The ferry leaves at dawn.' }], mode: 'upsert' });
    const body = { rec_name: 'Third', rec_content: { body: 'Nets.' }, rec_external_id: 'held', rec_status: 'draft' };
    const third = client.post(`/knowledge-bases/${ds_id}/records`, body).then((answer) => answer);
    await eventually(
      () => waiting(`l.locktype = 'transactionid'`),
      (count) => count >= 2,
      60_000,
    );
    await open();
    expect(await ended(client, ds_id, first)).toMatchObject({ status: 'completed', created: 1 });
    expect(await ended(client, ds_id, second)).toMatchObject({ status: 'completed', created: 0, updated: 1 });
    const { status, body: answer } = await third;
    expect({ status, code: answer.code as string }).toEqual({ status: 409, code: 'already_exists' });
    expect(await countOf(ds_id)).toBe(1);
  }, 120_000);

  it('take turns where the base is nearly full, and keep to its limit', async () => {
    const { ds_id } = await makeBase(client);
    await api.sql('UPDATE knowledge_base SET ds_record_count = 999999 WHERE ds_id = $1', [ds_id]);
    const job_id = await heldWriting(ds_id, ROW);
    const body = { rec_name: 'Beyond', rec_content: { body: 'Nets.' }, rec_status: 'draft' };
    const beyond = client.post(`/knowledge-bases/${ds_id}/records`, body).then((answer) => answer);
    await until(`l.locktype = 'transactionid'`);
    await open();
    expect(await ended(client, ds_id, job_id)).toMatchObject({ status: 'completed', created: 1 });
    const { status, body: answer } = await beyond;
    expect({ status, code: answer.code as string }).toEqual({ status: 409, code: 'limit_reached' });
  }, 120_000);
});

describe('records that go with their workspace', () => {
  it('are counted off by the hand of the purge, which leaves no tally behind', async () => {
    const { ds_id } = await makeBase(client);
    await draft(ds_id, 'Gone');
    await ask(asAdmin(api.database), `SET ROLE atrium_definer; DELETE FROM knowledge_record WHERE rec_base = '${ds_id}'`);
    expect(await api.sql('SELECT sum(tally_records)::integer AS records FROM knowledge_base_tally WHERE ds_id = $1', [ds_id])).toEqual([
      { records: 0 },
    ]);
    await ask(
      asAdmin(api.database),
      `SET ROLE atrium_definer; DELETE FROM knowledge_base_tally WHERE ds_id = '${ds_id}'; DELETE FROM knowledge_base WHERE ds_id = '${ds_id}'`,
    );
    expect(await api.sql('SELECT FROM knowledge_base_tally WHERE ds_id = $1', [ds_id])).toEqual([]);
  }, 60_000);
});

describe('a base that is changed while a record is written into it', () => {
  it('holds up those who write for about a second only, and its change is to be asked for again', async () => {
    const { ds_id } = await makeBase(client);
    await heldWriting(ds_id, ROW);
    const change = client.patch(`/knowledge-bases/${ds_id}`, { ds_description: 'The harbour.' }).then((answer) => answer);
    await until(QUEUED);
    const began = performance.now();
    await draft(ds_id, 'Later');
    expect(performance.now() - began).toBeLessThan(4_000);
    const { status, headers } = await change;
    expect({ status, retry: headers['retry-after'] as string }).toEqual({ status: 503, retry: expect.any(String) as string });
  }, 120_000);

  it('takes a new crawl beside the record', async () => {
    const site = await WebSite.start();
    const { ds_id } = await makeBase(client);
    await heldWriting(ds_id, ROW);
    await client.post(`/knowledge-bases/${ds_id}/crawls`, { crw_url: `${site.url}/`, start: false }).expect(201);
    await site.stop();
  }, 120_000);

  it('is changed before those who came later write, so that none who write can keep it from being changed', async () => {
    const { ds_id } = await makeBase(client);
    await heldWriting(ds_id, ROW);
    const deletion = client.delete(`/knowledge-bases/${ds_id}`).then(({ status }) => status);
    await until(QUEUED);
    const body = { rec_name: 'Later', rec_content: { body: 'Nets.' }, rec_status: 'draft' };
    const later = client.post(`/knowledge-bases/${ds_id}/records`, body).then(({ status }) => status);
    await eventually(
      () => waiting(QUEUED),
      (count) => count === 2,
      60_000,
    );
    await open();
    expect([await deletion, await later]).toEqual([204, 404]);
    expect(await api.sql('SELECT rec_name FROM knowledge_record WHERE rec_base = $1', [ds_id])).toEqual([{ rec_name: 'Held' }]);
  }, 120_000);

  it('keeps its type: the first record counts as soon as the change has waited for it', async () => {
    const { ds_id } = await makeBase(client);
    await heldWriting(ds_id, ROW);
    const change = client.patch(`/knowledge-bases/${ds_id}`, { ds_type: 'form', ds_config: { form_id: PRODUCT } }).then((answer) => answer);
    await until(QUEUED);
    await open();
    const { status, body } = await change;
    expect({ status, code: body.code as string }).toEqual({ status: 409, code: 'invalid_state' });
  }, 120_000);

  it('is deleted behind the record, which is there when the base comes back, and takes none after', async () => {
    const { ds_id } = await makeBase(client);
    const job_id = await heldWriting(ds_id, ROW);
    const deletion = client.delete(`/knowledge-bases/${ds_id}`).then(({ status }) => status);
    await until(QUEUED);
    await open();
    expect(await deletion).toBe(204);
    const late = { rec_name: 'Late', rec_content: { body: 'Nets.' } };
    expect((await client.post(`/knowledge-bases/${ds_id}/records`, late)).status).toBe(404);
    await client.post(`/knowledge-bases/${ds_id}/restore`, {}).expect(200);
    expect(await ended(client, ds_id, job_id)).toMatchObject({ created: 1 });
    expect(await countOf(ds_id)).toBe(1);
    expect((await client.get(`/knowledge-bases/${ds_id}/records`).expect(200)).body).toMatchObject({ data: [{ rec_name: 'Held' }] });
  }, 120_000);
});

describe('an import that must not fail', () => {
  it('writes thousands of records while others write into the base, and the base and its schema are changed', async () => {
    const fields = [field('name', 'text', { required: true }), field('no', 'auto_number', { filterable: true })];
    const schema = { form_name: `Schema ${newId()}`, form_config: { title: 'name', fields } };
    const { form_id } = (await client.post('/knowledge-base-schemas', schema).expect(201)).body as { form_id: string };
    const { ds_id } = await makeFormBase(client, form_id);
    const rows = Array.from({ length: 1_000 }, (_, at) => ({ name: `Berth ${at}` }));
    // Its last statement, when all of them are written.
    await gate.query(
      `CREATE TRIGGER gate_of_jobs BEFORE UPDATE ON knowledge_job FOR EACH ROW WHEN (NEW.created > 0 AND NEW.tenant_id = '${ours.tenant_id}') EXECUTE FUNCTION wait_at_gate()`,
    );
    const job_id = await start(ds_id, { rows, on_error: 'abort', rec_status: 'draft' });
    await until(`l.locktype = 'advisory' AND l.objid = ${GATE}`);
    const beside = { rec_content: { name: 'Beside' }, rec_status: 'draft' };
    const { body } = await client.post(`/knowledge-bases/${ds_id}/records`, beside).expect(201);
    expect((body as { rec_content: { no: number } }).rec_content.no).toBe(1_001);
    await client.patch(`/knowledge-bases/${ds_id}`, { ds_description: 'The harbour.' }).expect(200);
    await client.patch(`/knowledge-base-schemas/${form_id}`, { form_description: 'Berths.' }).expect(200);
    expect(await countOf(ds_id)).toBe(1);
    await open();
    expect(await ended(client, ds_id, job_id)).toMatchObject({ status: 'completed', created: 1_000, done: 1_000 });
    expect(
      await api.sql(
        `SELECT count(DISTINCT rec_content ->> 'no')::integer AS numbers, max((rec_content ->> 'no')::integer) AS last FROM knowledge_record WHERE rec_base = $1`,
        [ds_id],
      ),
    ).toEqual([{ numbers: 1_001, last: 1_001 }]);
    expect(await api.sql('SELECT 1 FROM import_batch WHERE tenant_id = $1', [ours.tenant_id])).toEqual([]);
  }, 120_000);

  it('begins again where its base is deleted beside it, and writes nothing', async () => {
    const { ds_id } = await makeBase(client);
    await gate.query(
      `CREATE TRIGGER gate_of_deletion BEFORE UPDATE ON knowledge_job FOR EACH ROW WHEN (NEW.created > 0 AND NEW.tenant_id = '${ours.tenant_id}') EXECUTE FUNCTION wait_at_gate()`,
    );
    await start(ds_id, { rows: [ROW], on_error: 'abort', rec_status: 'draft' });
    await until(`l.locktype = 'advisory' AND l.objid = ${GATE}`);
    await client.delete(`/knowledge-bases/${ds_id}`).expect(204);
    await open();
    const [job] = await eventually(
      () => api.sql<{ status: string; created: number }>('SELECT status, created FROM knowledge_job WHERE job_base = $1', [ds_id]),
      ([job]) => job !== undefined && !['queued', 'running'].includes(job.status),
      60_000,
    );
    expect(job).toMatchObject({ created: 0 });
    expect(job?.status).not.toBe('completed');
    expect(await api.sql('SELECT 1 FROM knowledge_record WHERE rec_base = $1', [ds_id])).toEqual([]);
  }, 120_000);
});
