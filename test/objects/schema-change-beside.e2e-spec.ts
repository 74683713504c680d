import { type Client, type RunningApi } from '@atrium/platform/testing';
import { startAtrium, startWorker } from '../support/api';
import { field, followed, listObjects, makeObject, makeSchema, readSchema, reshape } from './objects';
import { WriteGate } from './write-gate';

let api: RunningApi;
let client: Client;
let gate: WriteGate;

beforeAll(async () => {
  api = await startAtrium();
  await startWorker(api);
}, 120_000);
beforeEach(async () => {
  gate = await WriteGate.open(api);
  ({ client } = (await api.workspace(['module-objects'])).owner);
}, 60_000);
afterEach(async () => {
  await gate.release().catch(() => undefined);
  await gate.close();
}, 60_000);
afterAll(() => api.close());

const SKU = field('sku', 'text');
const UNIQUE = field('sku', 'text', { unique: true });

/** A schema whose field is about to become unique: the stored values are being looked through, and one of them holds that up. */
async function lookedThrough(unique = UNIQUE) {
  const sku = 'At the gate';
  const { form_id } = await makeSchema(client, [SKU]);
  await makeObject(client, form_id, { sku });
  await gate.atFolding(sku);
  const change = reshape(client, form_id, [unique]).then(({ status, body }) => ({ status, code: body.code as string }));
  await gate.untilHeldUp(1);
  return { form_id, change };
}

describe('while stored values are compared for a field that becomes unique', () => {
  it('objects of the schema are created, and values that are doubled then stay and are marked', async () => {
    const { form_id, change } = await lookedThrough();
    for (const name of ['First', 'Second']) await makeObject(client, form_id, { name, sku: 'Beside' });
    await gate.release();
    expect(await change).toMatchObject({ status: 200 });
    expect(await followed(client, form_id)).toMatchObject({ form_migration: { status: 'done', done: 3 }, form_object_count: 3 });
    const { data } = await listObjects(client, `?obj_form=${form_id}`);
    expect(data.map(({ obj_content }) => obj_content.sku).sort()).toEqual(['At the gate', 'Beside', 'Beside']);
    expect(data.flatMap(({ obj_issues }) => obj_issues)).toEqual([{ field: 'sku', code: 'unique' }]);
    const again = await client.post('/objects', { obj_form: form_id, obj_content: { name: 'Third', sku: 'beside' } }).expect(409);
    expect(again.body.code).toBe('already_exists');
  }, 120_000);

  it('somebody else may change the schema, and the values are compared again where that asks for others', async () => {
    // The field is to become unique under another key, which it has by then: values are compared there.
    const { form_id, change } = await lookedThrough(field('code', 'text', { renamed_from: 'sku', unique: true }));
    await reshape(client, form_id, [field('code', 'text', { renamed_from: 'sku' })]).expect(200);
    await followed(client, form_id);
    for (const name of ['First', 'Second']) await makeObject(client, form_id, { name, code: 'Other' });
    await gate.release();
    expect(await change).toEqual({ status: 409, code: 'in_use' });
    expect((await readSchema(client, form_id)).form_config.fields?.map(({ key }) => key)).toEqual(['name', 'code']);
  }, 180_000);

  it('a change that is refused without them is refused at once', async () => {
    const { form_id, change } = await lookedThrough();
    const { form_name } = await readSchema(client, (await makeSchema(client, [SKU])).form_id);
    const stale = await reshape(client, form_id, [UNIQUE]).set('If-Match', '"77"').expect(412);
    expect(stale.body.code).toBe('precondition_failed');
    const taken = await reshape(client, form_id, [UNIQUE], { form_name }).expect(409);
    expect(taken.body.code).toBe('already_exists');
    await gate.release();
    expect((await change).status).toBe(200);
  }, 120_000);
});
