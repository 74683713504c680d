import { ScheduleHost } from '@atrium/platform/messaging';
import { eventually, type Client, type RunningApi } from '@atrium/platform/testing';
import { WriteGate } from '../objects/write-gate';
import { startAtrium, startWorker } from '../support/api';
import { addRecord, makeFormBase, PRODUCT, readRecord } from './bases';

/** More than follow within the request. */
const MORE = 1_200;

interface Schema {
  readonly form_id: string;
  readonly form_migration: { readonly status: string; readonly done: number; readonly total: number } | null;
}

let api: RunningApi;
let worker: Awaited<ReturnType<typeof startWorker>>;
let client: Client;
let gate: WriteGate;

beforeAll(async () => {
  api = await startAtrium();
  worker = await startWorker(api);
}, 120_000);
beforeEach(async () => {
  gate = await WriteGate.open(api);
  ({ client } = (await api.workspace()).owner);
}, 60_000);
afterEach(async () => {
  await gate.release().catch(() => undefined);
  await gate.close();
}, 60_000);
afterAll(() => api.close());

const lamp = (ds_id: string, sku: string) =>
  addRecord(client, ds_id, { rec_content: { name: `Lamp ${sku}`, description: 'Brass.', sku }, rec_status: 'draft' });

/** A base with one record that was made by the service, and many with the same values that were written beside it. */
async function largeBase() {
  const { ds_id } = await makeFormBase(client, PRODUCT);
  const { rec_id } = await lamp(ds_id, 'first');
  await api.sql(
    `WITH fresh AS (
       INSERT INTO knowledge_record (tenant_id, rec_id, rec_base, rec_form, rec_name, rec_content, rec_status, rec_hash, rec_text)
       SELECT tenant_id, gen_random_uuid(), rec_base, rec_form, 'Lamp ' || n, rec_content, rec_status, rec_hash, rec_text
       FROM knowledge_record, generate_series(1, $2::integer) n WHERE rec_id = $1 RETURNING tenant_id, rec_id)
     INSERT INTO form_value (tenant_id, owner_id, field_key, position, form_id, value_text, value_num, value_ref)
     SELECT v.tenant_id, f.rec_id, v.field_key, v.position, v.form_id, v.value_text, v.value_num, v.value_ref
     FROM form_value v JOIN fresh f USING (tenant_id) WHERE v.owner_id = $1`,
    [rec_id, MORE],
  );
  return { ds_id, rec_id };
}

const formsOf = (ds_id: string): Promise<{ form: string; records: number }[]> =>
  api.sql('SELECT rec_form AS form, count(*)::integer AS records FROM knowledge_record WHERE rec_base = $1 GROUP BY 1 ORDER BY 2', [ds_id]);
const valuesOf = (ds_id: string): Promise<{ form: string }[]> =>
  api.sql('SELECT DISTINCT v.form_id AS form FROM form_value v JOIN knowledge_record r ON r.rec_id = v.owner_id WHERE r.rec_base = $1', [
    ds_id,
  ]);

const refold = (): Promise<void> => worker.get(ScheduleHost, { strict: false }).runNow('forms.refold');
const foldedOf = (rec_id: string): Promise<{ form: string; folded: boolean }[]> =>
  api.sql('SELECT form_id AS form, value_folded AS folded FROM form_unique WHERE owner_id = $1', [rec_id]);

const followed = (form_id: string): Promise<Schema> =>
  eventually(
    async () => (await client.get(`/knowledge-base-schemas/${form_id}`).expect(200)).body as Schema,
    ({ form_migration }) => form_migration?.status === 'done',
    60_000,
  );

describe('a schema that is forked for a large base', () => {
  it('is that of the base at once; its records follow in batches, and others write into the base beside', async () => {
    const { ds_id, rec_id } = await largeBase();
    await gate.at(
      'UPDATE ON knowledge_record',
      `NEW.rec_base = '${ds_id}' AND NEW.rec_form <> '${PRODUCT}' AND OLD.rec_form = '${PRODUCT}'`,
    );
    const { form_id, form_migration } = (await client.post(`/knowledge-bases/${ds_id}/schema/fork`, { form_name: 'Own' }).expect(201))
      .body as Schema;
    expect(form_migration).toEqual({ status: 'queued', done: 0, total: MORE + 1 });
    await gate.untilHeldUp(1);
    const { rec_id: beside } = await lamp(ds_id, 'beside');
    expect(await formsOf(ds_id)).toEqual([
      { form: form_id, records: 1 },
      { form: PRODUCT, records: MORE + 1 },
    ]);
    const taken = { rec_content: { name: 'Other', description: 'Tin.', sku: 'FIRST' } };
    expect((await client.post(`/knowledge-bases/${ds_id}/records`, taken).expect(409)).body.code).toBe('already_exists');
    expect((await readRecord(client, ds_id, rec_id)).rec_content).toMatchObject({ sku: 'first' });
    const early = await client.get(`/knowledge-bases/${ds_id}/records?rec_content[sku]=beside`).expect(409);
    expect(early.body.code).toBe('invalid_state');
    await gate.release();
    expect((await followed(form_id)).form_migration?.done).toBe(MORE + 1);
    expect(await formsOf(ds_id)).toEqual([{ form: form_id, records: MORE + 2 }]);
    expect(await valuesOf(ds_id)).toEqual([{ form: form_id }]);
    const found = await client.get(`/knowledge-bases/${ds_id}/records?rec_content[sku]=beside`).expect(200);
    expect((found.body as { data: { rec_id: string }[] }).data.map((row) => row.rec_id)).toEqual([beside]);
  }, 120_000);

  it('is not changed before its records have followed: where that was given up, the change has it go on', async () => {
    const { ds_id, rec_id } = await largeBase();
    const { form_id } = (await client.post(`/knowledge-bases/${ds_id}/schema/fork`, { form_name: 'Own' }).expect(201)).body as Schema;
    await followed(form_id);
    // As the queue leaves it that gives up before the first batch, of a schema without fields that lists use.
    await api.sql('UPDATE knowledge_record SET rec_form = $2 WHERE rec_base = $1', [ds_id, PRODUCT]);
    await api.sql('UPDATE form_value SET form_id = $2 WHERE form_id = $1', [form_id, PRODUCT]);
    await api.sql(
      `UPDATE form_migration SET mig_status = 'failed', mig_from = $2, mig_within = $3, mig_keys = '{}', mig_done = 0 WHERE mig_form = $1`,
      [form_id, PRODUCT, ds_id],
    );
    // What says the same is not written, and unique values are not folded by the form that a record still names.
    const path = `/knowledge-bases/${ds_id}/records/${rec_id}`;
    const read = await client.get(path).expect(200);
    const { rec_content, rec_status } = read.body as { rec_content: object; rec_status: string };
    const same = await client.patch(path, { rec_content, rec_status }).expect(200);
    expect(same.headers.etag).toBe(read.headers.etag);
    await api.sql('UPDATE form_unique SET value_folded = false WHERE owner_id = $1', [rec_id]);
    await refold();
    expect(await foldedOf(rec_id)).toEqual([{ form: form_id, folded: false }]);
    expect(await formsOf(ds_id)).toEqual([{ form: PRODUCT, records: MORE + 1 }]);
    // A change that stored values refuse, of which the copy has none yet.
    const retyped = [{ key: 'name', type: 'number', label: 'Name', required: true }];
    const early = await client.patch(`/knowledge-base-schemas/${form_id}`, { form_config: { fields: retyped } }).expect(409);
    expect([early.body.code, Number(early.headers['retry-after'])]).toEqual(['invalid_state', 5]);
    expect((await followed(form_id)).form_migration).toMatchObject({ done: MORE + 1, total: MORE + 1 });
    expect(await formsOf(ds_id)).toEqual([{ form: form_id, records: MORE + 1 }]);
    const late = await client.patch(`/knowledge-base-schemas/${form_id}`, { form_config: { fields: retyped } }).expect(409);
    expect(late.body.code).toBe('in_use');
    expect((await client.get(path).expect(200)).headers.etag).toBe(read.headers.etag);
    await refold();
    expect(await foldedOf(rec_id)).toEqual([{ form: form_id, folded: true }]);
    const fields = [{ key: 'label', type: 'text', label: 'Label', required: true, renamed_from: 'name' }];
    await client.patch(`/knowledge-base-schemas/${form_id}`, { form_config: { title: 'label', fields } }).expect(200);
    expect((await followed(form_id)).form_migration).toMatchObject({ done: MORE + 1, total: MORE + 1 });
    expect(await formsOf(ds_id)).toEqual([{ form: form_id, records: MORE + 1 }]);
    expect(
      await api.sql(`SELECT count(*)::integer AS records FROM knowledge_record WHERE rec_base = $1 AND rec_content ? 'label'`, [ds_id]),
    ).toEqual([{ records: MORE + 1 }]);
  }, 120_000);
});
