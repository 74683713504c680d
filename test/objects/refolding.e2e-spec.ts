import { createHash } from 'node:crypto';
import { newId } from '@atrium/platform/kernel';
import { ScheduleHost } from '@atrium/platform/messaging';
import { eventually, testDatabase, type Client, type RunningApi } from '@atrium/platform/testing';
import { ask, asAdmin } from '../architecture/asking';
import { startAtriumWithWorker } from '../support/api';
import { field, makeObject, makeSchema, readObject, type Obj } from './objects';

const LONG = `${'Am Hafen '.repeat(60)}Große Bucht`;
const STREET = field('street', 'text', { unique: true, filterable: true });
const NOTE = field('note', 'long_text', { filterable: true });
const sha = (text: string): Buffer => createHash('sha256').update(text).digest();

let api: RunningApi;
let client: Client;
let form_id: string;
let admin: string;
beforeAll(async () => {
  api = await startAtriumWithWorker();
  client = (await api.workspace(['module-objects'])).owner.client;
  admin = asAdmin(await testDatabase());
  // It also runs by itself when the worker starts, which is not to meet what a test has planted.
  await eventually(
    () => run(`SELECT 1 FROM schedule WHERE sch_name = 'forms.refold' AND sch_last_run IS NOT NULL`),
    (rows) => rows.length > 0,
    60_000,
  );
}, 120_000);
afterAll(() => api.close());
beforeEach(async () => {
  form_id = (await makeSchema(client, [STREET, NOTE])).form_id;
});

const refold = (): Promise<void> => api.worker.get(ScheduleHost, { strict: false }).runNow('forms.refold');
const run = (text: string, ...values: unknown[]): Promise<unknown[]> => ask(admin, text, { values });
const rowsOf = (obj_id: string): Promise<unknown[]> =>
  run(
    `SELECT field_key, value_text, value_folded, xmin::text FROM form_value WHERE owner_id = $1
     UNION ALL SELECT field_key, encode(value_hash, 'hex'), value_folded, xmin::text FROM form_unique WHERE owner_id = $1 ORDER BY 1, 2`,
    obj_id,
  );
const claimed = (obj_id: string): Promise<unknown[]> => run('SELECT value_hash FROM form_unique WHERE owner_id = $1', obj_id);

/** What a host of the release before leaves of an object: by small letters, without a word of folding. */
async function writeAsBefore({ obj_id }: Obj, street: string, note: string): Promise<void> {
  const digest = `${note.toLowerCase().slice(0, 165)}~${createHash('sha256').update(note.toLowerCase()).digest('base64url').slice(0, 22)}`;
  await run(
    'UPDATE object SET obj_content = obj_content || $2 WHERE obj_id = $1',
    obj_id,
    JSON.stringify(note === '' ? { street } : { street, note }),
  );
  await run(
    `WITH gone AS (DELETE FROM form_value WHERE owner_id = $1 AND field_key IN ('street', 'note') RETURNING *)
     INSERT INTO form_value (tenant_id, owner_id, field_key, position, form_id, value_text)
     SELECT DISTINCT ON (field_key) tenant_id, owner_id, field_key, 0, form_id, CASE field_key WHEN 'street' THEN $2 ELSE $3 END FROM gone`,
    obj_id,
    street.toLowerCase(),
    digest,
  );
  await run(
    `WITH gone AS (DELETE FROM form_unique WHERE owner_id = $1 RETURNING *)
     INSERT INTO form_unique (tenant_id, form_id, field_key, value_hash, owner_id) SELECT tenant_id, form_id, field_key, $2, owner_id FROM gone`,
    obj_id,
    sha(street.normalize('NFC')),
  );
}

const found = async (filter: object): Promise<string[]> =>
  (
    (
      await client
        .get('/objects')
        .query({ obj_form: form_id, ...filter })
        .expect(200)
    ).body as { data: Obj[] }
  ).data.map(({ obj_id }) => obj_id);

describe('values of content that a host of the release before wrote', () => {
  it('are folded by a worker: found, taken, and left in the content as they were written', async () => {
    const object = await makeObject(client, form_id, { street: 'Erste', note: 'short' });
    await writeAsBefore(object, 'Straße', LONG);
    expect(await found({ 'obj_content[street]': 'STRASSE' })).toEqual([]);
    expect(await found({ 'obj_content[note]': LONG.toUpperCase() })).toEqual([]);
    await refold();
    expect(await found({ 'obj_content[street]': 'STRASSE' })).toEqual([object.obj_id]);
    expect(await found({ 'obj_content[note]': LONG.toUpperCase() })).toEqual([object.obj_id]);
    await client.post('/objects', { obj_form: form_id, obj_content: { name: 'Two', street: 'STRASSE' } }).expect(409);
    expect((await readObject(client, object.obj_id)).obj_content).toMatchObject({ street: 'Straße', note: LONG });
  });

  it('that say the same stay two rows: the first has the value, and a change of the other says so', async () => {
    const [one, two] = [await makeObject(client, form_id, { street: 'Erste' }), await makeObject(client, form_id, { street: 'Zweite' })];
    await writeAsBefore(two, 'STRASSE', '');
    await writeAsBefore(one, 'Straße', '');
    await refold();
    expect(await claimed(one.obj_id)).toEqual([{ value_hash: sha('strasse') }]);
    expect(await claimed(two.obj_id)).toEqual([{ value_hash: sha('STRASSE') }]);
    expect(await found({ 'obj_content[street]': 'strasse', sort: 'obj_created' })).toEqual([one.obj_id, two.obj_id]);
    await client.patch(`/objects/${two.obj_id}`, { obj_content: { name: 'Two', street: 'STRASSE' } }).expect(409);
    await client.patch(`/objects/${two.obj_id}`, { obj_content: { name: 'Two', street: 'Gasse' } }).expect(200);
    expect(await claimed(two.obj_id)).toEqual([{ value_hash: sha('gasse') }]);
  });

  it('stay with the row that has taken the value since, however old the other is', async () => {
    const old = await makeObject(client, form_id, { street: 'Erste' });
    await writeAsBefore(old, 'Straße', '');
    const newer = await makeObject(client, form_id, { street: 'STRASSE' });
    await refold();
    expect(await claimed(newer.obj_id)).toEqual([{ value_hash: sha('strasse') }]);
    expect(await claimed(old.obj_id)).toEqual([{ value_hash: sha('Straße') }]);
  });

  it('are folded once: neither a second run nor rows that are folded as they are written are touched', async () => {
    const object = await makeObject(client, form_id, { street: 'Erste', note: 'short' });
    const fresh = await makeObject(client, form_id, { street: 'Größe', note: LONG });
    await writeAsBefore(object, 'Straße', LONG);
    const before = await rowsOf(fresh.obj_id);
    await refold();
    const after = await rowsOf(object.obj_id);
    expect(after.filter((row) => !(row as { value_folded: boolean }).value_folded)).toEqual([]);
    await refold();
    expect(await rowsOf(object.obj_id)).toEqual(after);
    expect(await rowsOf(fresh.obj_id)).toEqual(before);
  });

  it('are folded where an object has gone or the schema is not in use any more', async () => {
    const [object, gone] = [
      await makeObject(client, form_id, { street: 'Erste' }),
      await makeObject(client, form_id, { street: 'Zweite' }),
    ];
    await writeAsBefore(object, 'Straße', '');
    await run('UPDATE form_unique SET owner_id = $2, value_folded = false WHERE owner_id = $1', gone.obj_id, newId());
    await client.delete(`/object-schemas/${form_id}`).expect(204);
    await refold();
    expect(await claimed(object.obj_id)).toEqual([{ value_hash: sha('strasse') }]);
    expect(await run('SELECT FROM form_unique WHERE form_id = $1 AND NOT value_folded', form_id)).toEqual([]);
  });
});
