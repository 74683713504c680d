import { contentConditions, FormReferences, FormRows } from '@atrium/forms';
import { Database, inWorkspace, sql, UnitOfWork } from '@atrium/platform/database';
import type { RunningApi, TestWorkspace } from '@atrium/platform/testing';
import { startAtrium } from '../support/api';
import { addTerm, makeTaxonomy } from './classifying';
import { field, listObjects, makeObject, makeSchema, names } from './objects';

const MANY = 20_000;
const KEYS = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];

let api: RunningApi;
let ours: TestWorkspace;
let form_id: string;

beforeAll(async () => {
  api = await startAtrium();
  for (let n = 0; n < 4; n++) {
    const workspace = await api.workspace(['module-objects']);
    const fields = [...KEYS.map((key) => field(key, 'integer', { filterable: true })), field('text', 'long_text')];
    const schema = await makeSchema(workspace.owner.client, fields);
    // A tenth of the objects have each number, and every object has one word.
    await api.sql(
      `WITH made AS (INSERT INTO object (tenant_id, obj_id, obj_form, obj_name, obj_text, obj_created, obj_tsv)
         SELECT $1, gen_random_uuid(), $2, 'Thing ' || n, 'seeded', now() - n * interval '1 second', to_tsvector('simple', 'lamp') FROM generate_series(1, $3::integer) n RETURNING *)
       INSERT INTO form_value (tenant_id, form_id, owner_id, field_key, position, value_num)
       SELECT tenant_id, obj_form, obj_id, key, 0, floor(random() * 10) FROM made, unnest($4::text[]) key`,
      [workspace.tenant_id, schema.form_id, MANY, KEYS],
    );
    [ours, form_id] = [workspace, schema.form_id];
  }
  await api.sql('ANALYZE form_value');
  await api.sql('ANALYZE object');
}, 240_000);
afterAll(() => api.close());

/** The plan of a list by its newest objects, under the service's own role. */
async function planOf(filter: Readonly<Record<string, unknown>>): Promise<string> {
  const { text, values } = await inWorkspace(ours.tenant_id, async () => {
    const form = await api.app.get(FormRows, { strict: false }).openForm('object', form_id);
    const { where } = contentConditions(form, { id: sql`r.obj_id`, content: sql`r.obj_content`, name: 'obj_content' }, { filter });
    return sql`SELECT r.obj_id FROM object r WHERE r.tenant_id = ${ours.tenant_id} AND r.obj_form = ${form_id} AND r.obj_active AND ${where} ORDER BY r.obj_created DESC, r.obj_id DESC LIMIT 51`;
  });
  const lines = await api.sqlAsService<{ 'QUERY PLAN': string }>(`EXPLAIN ${text}`, [...values]);
  return lines.map((line) => line['QUERY PLAN']).join('\n');
}

describe('objects with a value between two ends', () => {
  it('are looked for in one stretch of the index where the value is between two ends', async () => {
    const plan = await planOf({ a: { gte: '3', lt: '5' } });
    expect(plan.match(/form_value/g)?.length).toBe(2);
    expect(plan).not.toMatch(/Seq Scan/);
  });
});

describe('objects that cells name', () => {
  it('are looked for by the indexes of their external ids, those of sources too', async () => {
    const query = jest.spyOn(UnitOfWork.prototype, 'query');
    const names = Array.from({ length: 500 }, (_, at) => ({ name: `x${at}`, settings: { schema: form_id } }));
    await inWorkspace(ours.tenant_id, () =>
      api.app
        .get(Database, { strict: false })
        .read(() => api.app.get(FormReferences, { strict: false }).resolveNames('object', names, { actor: null })),
    );
    const [asked] = query.mock.calls
      .map(([statement]) => statement)
      .filter((one) => typeof one !== 'string' && one.text.includes('obj_name_key'));
    query.mockRestore();
    if (typeof asked !== 'object') throw new Error('No objects were asked for.');
    const plan = (await api.sqlAsService<{ 'QUERY PLAN': string }>(`EXPLAIN ${asked.text}`, [...asked.values]))
      .map((line) => line['QUERY PLAN'])
      .join('\n');
    expect(plan).toMatch(/object_external/);
    expect(plan).toMatch(/object_of_source/);
    expect(plan).not.toMatch(/Seq Scan on object /);
  });
});

describe('a list of objects', () => {
  it('finds the objects with a term whether few have it or many', async () => {
    const { client } = ours.owner;
    const taxonomy = await makeTaxonomy(client);
    const [{ term_id: many }, { term_id: few }] = [await addTerm(client, taxonomy, 'Many'), await addTerm(client, taxonomy, 'Few')];
    await api.sql(
      `INSERT INTO form_value (tenant_id, form_id, owner_id, field_key, position, value_ref)
       SELECT tenant_id, obj_form, obj_id, '$terms', t.at, t.term FROM object CROSS JOIN (VALUES (0, $2::uuid, 2), (1, $3::uuid, 5000)) t (at, term, each)
       WHERE tenant_id = $1 AND obj_name ~ '^Thing ' AND substr(obj_name, 7)::integer % t.each = 0`,
      [ours.tenant_id, many, few],
    );
    const list = (term: string, more = '') => listObjects(client, `?obj_form=${form_id}&limit=3&obj_terms=${term}${more}`);
    const first = await list(many);
    expect(names(first)).toEqual(['Thing 2', 'Thing 4', 'Thing 6']);
    expect(names(await list(many, `&cursor=${first.next_cursor ?? ''}`))).toEqual(['Thing 8', 'Thing 10', 'Thing 12']);
    expect(names(await list(few))).toEqual(['Thing 5000', 'Thing 10000', 'Thing 15000']);
    const all = await listObjects(client, `?limit=3&obj_terms=${few}`);
    expect(names(all)).toEqual(names(await list(few)));
  });
});

describe('objects with words', () => {
  it('are found whether few have them or many', async () => {
    const { client } = ours.owner;
    await makeObject(client, form_id, { name: 'Made', text: 'astrolabe' });
    const list = async (words: string) => listObjects(client, `?obj_form=${form_id}&limit=10&full_text_search=${words}`);
    expect(names(await list('astrolabe'))).toEqual(['Made']);
    const first = await list('lamp');
    expect(names(first)).toEqual(Array.from({ length: 10 }, (_, n) => `Thing ${n + 1}`));
    const next = await listObjects(client, `?obj_form=${form_id}&limit=10&full_text_search=lamp&cursor=${first.next_cursor ?? ''}`);
    expect(names(next)).toEqual(Array.from({ length: 10 }, (_, n) => `Thing ${n + 11}`));
  });
});
