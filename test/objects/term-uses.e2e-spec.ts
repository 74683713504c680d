import { newId } from '@atrium/platform/kernel';
import type { Client, RunningApi, TestWorkspace } from '@atrium/platform/testing';
import { sharedAtriumWithWorker } from '../support/shared-atrium';
import { addTerm, lampTree, makeTaxonomy, readTerm } from './classifying';
import { endedJob, schemaOf, type JobAnswer } from './importing';

// Ten thousand objects change in the background.
jest.setTimeout(240_000);

let api: RunningApi;
let ours: TestWorkspace;
let client: Client;
let tax: string;
let tree: Readonly<Record<'lamps' | 'desk' | 'clamp' | 'ceiling', string>>;
let obj_form: string;

beforeAll(async () => {
  api = await sharedAtriumWithWorker();
}, 120_000);
beforeEach(async () => {
  ours = await api.workspace(['module-objects']);
  ({ client } = ours.owner);
  tax = await makeTaxonomy(client);
  tree = await lampTree(client, tax);
  obj_form = await schemaOf(
    client,
    [
      { key: 'name', type: 'text', label: 'Name', required: true },
      { key: 'kind', type: 'taxonomy', label: 'Kind', taxonomy: tax, filterable: true },
      { key: 'also', type: 'taxonomy', label: 'Also', taxonomy: tax, multiple: true },
      { key: 'leaf', type: 'taxonomy', label: 'Leaf', taxonomy: tax, leaf_only: true },
    ],
    { title: 'name' },
  );
});
afterAll(() => api.close());

interface ObjectAnswer {
  readonly obj_id: string;
  readonly obj_name: string;
  readonly obj_content: Record<string, unknown>;
  readonly obj_terms: readonly string[];
  readonly obj_version: number;
}

const make = async (name: string, content: object = {}, obj_terms: readonly string[] = []): Promise<string> =>
  ((await client.post('/objects', { obj_form, obj_content: { name, ...content }, obj_terms }).expect(201)).body as ObjectAnswer).obj_id;
const read = async (obj_id: string): Promise<ObjectAnswer> => (await client.get(`/objects/${obj_id}`).expect(200)).body as ObjectAnswer;
const named = async (query: string): Promise<string[]> =>
  ((await client.get(`/objects?sort=obj_name&obj_form=${obj_form}&${query}`).expect(200)).body as { data: ObjectAnswer[] }).data.map(
    ({ obj_name }) => obj_name,
  );
const deletionsRecorded = async (): Promise<number> =>
  (await api.sql(`SELECT 1 FROM audit_event WHERE tenant_id = $1 AND aud_type = 'object_term.deleted'`, [ours.tenant_id])).length;
const term = (id: string): string => `/object-taxonomies/${tax}/terms/${id}`;
const faultsOf = (body: unknown): string[] =>
  (body as { errors: { path: string; code: string; message: string }[] }).errors.map(
    ({ path, code, message }) => `${path} ${code} ${message}`,
  );

describe('terms of objects', () => {
  it('[objects 15] find objects by whole branches, and give their uses to another term when they are deleted', async () => {
    const { lamps, desk, clamp, ceiling } = tree;
    await make('Clamp', { kind: clamp }, [clamp]);
    await make('Desk', {}, [desk]);
    await make('Ceiling', {}, [ceiling]);
    await make('Chair');
    expect(await named(`obj_terms=${lamps}`)).toEqual(['Ceiling', 'Clamp', 'Desk']);
    expect(await named(`obj_terms=${desk}`)).toEqual(['Clamp', 'Desk']);
    expect((await client.patch(term(lamps), { term_parent: clamp }).expect(409)).body.code).toBe('invalid_move');
    expect(await readTerm(client, tax, clamp)).toMatchObject({ term_use_count: 2, term_use_count_exact: true });
    await client.delete(`${term(clamp)}?reassign_to=${ceiling}`).expect(204);
    await client.get(term(clamp)).expect(404);
    expect((await readTerm(client, tax, ceiling)).term_use_count).toBe(3);
    expect(await named(`obj_terms=${ceiling}`)).toEqual(['Ceiling', 'Clamp']);
    expect(await named(`obj_content[kind]=${ceiling}`)).toEqual(['Clamp']);
    expect(await named(`obj_terms=${desk}`)).toEqual(['Desk']);
  });

  it('move with their branch in the filter at once', async () => {
    const { lamps, desk, clamp } = tree;
    await make('Clamp', {}, [clamp]);
    await client.patch(term(desk), { term_parent: null }).expect(200);
    expect(await named(`obj_terms=${lamps}`)).toEqual([]);
    expect(await named(`obj_terms=${desk}`)).toEqual(['Clamp']);
  });

  it('stay on objects, inactive and given to no other one, where nothing takes their place', async () => {
    const { lamps, desk, clamp, ceiling } = tree;
    const obj_id = await make('Clamp', { kind: clamp }, [ceiling]);
    await client.delete(`${term(lamps)}?children=delete`).expect(204);
    // What is above a term that stays, stays too; the rest is gone.
    for (const id of [lamps, desk, clamp, ceiling]) expect((await readTerm(client, tax, id)).term_active).toBe(false);
    expect(await read(obj_id)).toMatchObject({ obj_content: { kind: clamp }, obj_terms: [ceiling] });
    await client.patch(`/objects/${obj_id}`, { obj_content: { name: 'Clamp 2' } }).expect(200);
    const refused = await client.post('/objects', { obj_form, obj_content: { name: 'New', kind: clamp } }).expect(400);
    expect(faultsOf(refused.body)).toEqual(['obj_content.kind reference Kind refers to an inactive term.']);
    await client.post('/objects', { obj_form, obj_content: { name: 'New' }, obj_terms: [ceiling] }).expect(400);
    expect((await client.patch(term(clamp), { term_active: true }).expect(409)).body.code).toBe('invalid_state');
    const before = await deletionsRecorded();
    const { etag } = (await client.get(term(clamp)).expect(200)).headers as { etag: string };
    await client.with({ 'If-Match': etag }).delete(term(clamp)).expect(204);
    expect((await client.get(term(clamp)).expect(200)).headers['etag']).toBe(etag);
    expect(await deletionsRecorded()).toBe(before);
    expect((await client.patch(term(clamp), { term_color: '#2b6cb0' }).expect(409)).body).toMatchObject({
      code: 'invalid_state',
      detail: 'The term was deleted. Set term_active to true to restore it.',
    });
    for (const id of [lamps, desk, clamp]) await client.patch(term(id), { term_active: true }).expect(200);
    await make('New', { kind: clamp });
  });

  it('are recorded as deleted when what is left of them is removed, or moved one level up', async () => {
    const { lamps, desk, clamp, ceiling } = tree;
    const deletions = async (): Promise<unknown[]> =>
      (
        await api.sql<{ aud_target_id: string }>(
          `SELECT aud_target_id FROM audit_event WHERE tenant_id = $1 AND aud_type = 'object_term.deleted' ORDER BY aud_timestamp, aud_id`,
          [ours.tenant_id],
        )
      ).map(({ aud_target_id }) => aud_target_id);
    const used = [await make('Clamp', {}, [clamp]), await make('Lamp', {}, [lamps])];
    await make('Ceiling', {}, [ceiling]);
    await client.delete(`${term(lamps)}?children=delete`).expect(204);
    expect(await deletions()).toEqual([lamps]);

    await client.delete(term(clamp)).expect(204);
    expect(await deletions()).toEqual([lamps]);
    await client.patch(`/objects/${used[0]}`, { obj_terms: [] }).expect(200);
    await client.delete(term(clamp)).expect(204);
    await client.get(term(clamp)).expect(404);
    expect(await deletions()).toEqual([lamps, clamp]);

    await client.delete(`${term(lamps)}?children=reparent`).expect(204);
    expect([await readTerm(client, tax, desk), await readTerm(client, tax, ceiling)]).toMatchObject([
      { term_parent: null },
      { term_parent: null },
    ]);
    await client.delete(`${term(lamps)}?children=reparent`).expect(204);
    expect(await deletions()).toEqual([lamps, clamp, lamps]);
  });

  it('are checked by the taxonomy of the field, and by whether others are below', async () => {
    const { lamps, clamp } = tree;
    const other = await addTerm(client, await makeTaxonomy(client), 'Elsewhere');
    const theirs = await api.workspace(['module-objects']);
    const foreign = await addTerm(theirs.owner.client, await makeTaxonomy(theirs.owner.client), 'Foreign');
    const faults = async (content: object): Promise<string[]> =>
      faultsOf((await client.post('/objects', { obj_form, obj_content: { name: 'x', ...content } }).expect(400)).body);
    expect(await faults({ kind: other.term_id })).toEqual(['obj_content.kind reference Kind refers to a term of another taxonomy.']);
    const unknown = ['obj_content.kind reference Kind refers to a term that does not exist or that you cannot use.'];
    expect([await faults({ kind: foreign.term_id }), await faults({ kind: newId() })]).toEqual([unknown, unknown]);
    expect(await faults({ leaf: lamps })).toEqual([
      'obj_content.leaf reference Leaf refers to a term with terms below it; choose one of those.',
    ]);
    for (const id of [foreign.term_id, newId()])
      await client.post('/objects', { obj_form, obj_content: { name: 'x' }, obj_terms: [id] }).expect(400);
    await make('Fits', { leaf: clamp, also: [lamps, clamp] }, [other.term_id]);
  });

  it('stay on deleted objects and on those that cannot be written, and so the term does', async () => {
    const { clamp, ceiling } = tree;
    const gone = await make('Gone', { kind: clamp });
    const kept = await make('Kept', { also: [clamp, ceiling] });
    await client.delete(`/objects/${gone}`).expect(204);
    await client.delete(`${term(clamp)}?reassign_to=${ceiling}`).expect(204);
    expect((await read(kept)).obj_content.also).toEqual([ceiling]);
    expect(await readTerm(client, tax, clamp)).toMatchObject({ term_active: false, term_use_count: 1 });
    const { etag } = (await client.get(term(clamp)).expect(200)).headers as { etag: string };
    await client.delete(`${term(clamp)}?reassign_to=${ceiling}`).expect(204);
    expect((await client.get(term(clamp)).expect(200)).headers['etag']).toBe(etag);
    expect(await deletionsRecorded()).toBe(1);
    await client.post(`/objects/${gone}/restore`).expect(200);
    expect((await read(gone)).obj_content.kind).toBe(clamp);
    await client.delete(`${term(clamp)}?reassign_to=${ceiling}`).expect(204);
    expect((await read(gone)).obj_content.kind).toBe(ceiling);
    await client.get(term(clamp)).expect(404);
    expect(await deletionsRecorded()).toBe(2);
  });

  it('of more than 20 terms move in the background, and unused terms beside them take no longer', async () => {
    const { desk, ceiling } = tree;
    const used: string[] = [];
    for (let at = 0; at < 21; at++) {
      const { term_id } = await addTerm(client, tax, `Arm ${at}`, { term_parent: desk });
      used.push(await make(`Object ${at}`, {}, [term_id]));
      await addTerm(client, tax, `Spare ${at}`, { term_parent: desk });
    }
    const answer = await client.delete(`${term(desk)}?children=delete&reassign_to=${ceiling}`).expect(202);
    const job = await endedJob(client, (answer.body as JobAnswer).job_id, 60_000);
    expect(job).toMatchObject({ status: 'completed', result: { moved: 21, kept: 0 } });
    for (const obj_id of used) expect((await read(obj_id)).obj_terms).toEqual([ceiling]);
    await client.get(term(desk)).expect(404);
    expect(await deletionsRecorded()).toBe(1);
  });

  it('keep their taxonomy active while fields of active schemas take them', async () => {
    const refused = await client.delete(`/object-taxonomies/${tax}`).expect(409);
    expect([refused.body.code, faultsOf(refused.body)[0]]).toEqual(['in_use', expect.stringContaining(obj_form)]);
    await client.patch(`/object-taxonomies/${tax}`, { tax_active: false }).expect(409);
    await client.delete(`/object-schemas/${obj_form}`).expect(204);
    await client.delete(`/object-taxonomies/${tax}`).expect(204);
  });

  it('more than 10,000 move in the background', async () => {
    const { clamp, ceiling } = tree;
    const first = await make('First', {}, [clamp]);
    await api.sql(
      `INSERT INTO object (tenant_id, obj_id, obj_form, obj_name, obj_content, obj_terms, obj_hash, obj_text)
       SELECT o.tenant_id, gen_random_uuid(), o.obj_form, 'Object ' || n, jsonb_build_object('name', 'Object ' || n), o.obj_terms, o.obj_hash, o.obj_text
       FROM object o, generate_series(1, 10000) n WHERE o.tenant_id = $1 AND o.obj_id = $2`,
      [ours.tenant_id, first],
    );
    await api.sql(
      `INSERT INTO form_value (tenant_id, owner_id, field_key, position, form_id, value_ref)
       SELECT tenant_id, obj_id, '$terms', 0, obj_form, $2 FROM object WHERE tenant_id = $1 AND obj_id <> $3`,
      [ours.tenant_id, clamp, first],
    );
    await api.sql('ANALYZE object');
    await api.sql('ANALYZE form_value');
    expect(await readTerm(client, tax, clamp)).toMatchObject({ term_use_count: 10_000, term_use_count_exact: false });
    const answer = await client.delete(`${term(clamp)}?reassign_to=${ceiling}`).expect(202);
    const { job_id } = answer.body as JobAnswer;
    expect(answer.headers.location).toBe(`/api/v1/jobs/${job_id}`);
    expect(
      await readTerm(client, tax, clamp).then(
        ({ term_active }) => term_active,
        () => false,
      ),
    ).toBe(false);
    const job = await endedJob(client, job_id, 200_000);
    expect(job).toMatchObject({ status: 'completed', result: { moved: 10_001, kept: 0 } });
    await client.get(term(clamp)).expect(404);
    const [counts] = await api.sql<{ moved: number; left: number }>(
      `SELECT count(*) FILTER (WHERE value_ref = $2)::int AS moved, count(*) FILTER (WHERE value_ref = $3)::int AS left FROM form_value WHERE tenant_id = $1`,
      [ours.tenant_id, ceiling, clamp],
    );
    expect(counts).toEqual({ moved: 10_001, left: 0 });
    expect((await read(first)).obj_terms).toEqual([ceiling]);
  });
});
