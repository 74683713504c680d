import { newId } from '@atrium/platform/kernel';
import type { Client, RunningApi, TestWorkspace } from '@atrium/platform/testing';
import request from 'supertest';
import { sharedAtriumWithWorker } from '../support/shared-atrium';
import { storeFile } from '../files/stored-files';
import { field, listObjects, makeObject, makeSchema, names, NAME, readObject, type Obj } from './objects';

let api: RunningApi;
let ours: TestWorkspace;
let client: Client;

beforeAll(async () => {
  api = await sharedAtriumWithWorker();
}, 120_000);
beforeEach(async () => {
  ours = await api.workspace(['module-objects']);
  ({ client } = ours.owner);
});
afterAll(() => api.close());

const problem = async (answer: Promise<{ body: { code: string; errors?: { path: string; code: string; message: string }[] } }>) =>
  (await answer).body;
const revisions = async (obj_id: string) =>
  (await client.get(`/objects/${obj_id}/revisions`).expect(200)).body as {
    data: { rev_version: number; rev_action: string; rev_changes: { field: string; from: unknown; to: unknown }[] }[];
  };

describe('objects that were deleted', () => {
  it('are found as long as they can be restored, whatever keeps their rows for longer', async () => {
    const { form_id } = await makeSchema(client);
    const { obj_id } = await makeObject(client, form_id);
    const path = `/objects/${obj_id}`;
    await client.delete(path).expect(204);
    await client.get(path).expect(200);
    await api.sql(`UPDATE object SET obj_deleted = now() - interval '31 days' WHERE obj_id = $1`, [obj_id]);
    for (const read of [path, `${path}/revisions`, `${path}/transitions`, `${path}/history`]) await client.get(read).expect(404);
    await client.delete(path).expect(404);
    await client.patch(path, { obj_metadata: { note: 'x' } }).expect(404);
    await client.post(`${path}/restore`, {}).expect(404);
    await client.put(`/admin/access-lists/object/${obj_id}`, { acl: {} }).expect(404);
    expect((await listObjects(client, `?obj_form=${form_id}&obj_active=false`)).data).toEqual([]);
    expect(await api.sql('SELECT obj_active FROM object WHERE obj_id = $1', [obj_id])).toEqual([{ obj_active: false }]);
  });
});

describe('objects', () => {
  it('are created by their schema, read, changed by key and kept as revisions', async () => {
    const { form_id, form_name } = await makeSchema(client, [field('price', 'number', { min: 0 }), field('tags', 'tags')]);
    const made = await makeObject(client, form_id, { name: 'Lamp', price: 12 }, { obj_metadata: { by: 'us' } });
    expect(made).toMatchObject({
      obj_form: form_id,
      form_name,
      obj_name: 'Lamp',
      obj_content: { name: 'Lamp', price: 12 },
      obj_status: null,
      state: null,
      cover: null,
      obj_version: 1,
      obj_issues: [],
      obj_metadata: { by: 'us' },
      obj_active: true,
    });
    const path = `/objects/${made.obj_id}`;
    const changed = await client.patch(path, { obj_content: { name: 'Lantern', tags: ['brass'] } }).expect(200);
    expect(changed.body).toMatchObject({
      obj_name: 'Lantern',
      obj_version: 2,
      obj_content: { name: 'Lantern', price: 12, tags: ['brass'] },
    });
    await client.patch(path, { obj_content: { name: 'Lantern' } }).expect(200);
    const cleared = await client.patch(path, { obj_content: { price: null }, obj_metadata: {} }).expect(200);
    expect(cleared.body).toMatchObject({ obj_version: 3, obj_content: { name: 'Lantern', tags: ['brass'] }, obj_metadata: {} });
    expect((await revisions(made.obj_id)).data).toMatchObject([
      { rev_version: 3, rev_action: 'updated' },
      { rev_version: 2, rev_action: 'updated' },
      { rev_version: 1, rev_action: 'created' },
    ]);
    expect((await revisions(made.obj_id)).data[0]?.rev_changes).toEqual([
      { field: 'obj_metadata', from: { by: 'us' }, to: {} },
      { field: 'obj_content.price', from: 12, to: null },
    ]);
  });

  it('keep their newest 200 revisions', async () => {
    const { form_id } = await makeSchema(client, [field('n', 'integer')]);
    const { obj_id } = await makeObject(client, form_id, { n: 0 });
    for (let n = 1; n <= 205; n += 1) await client.patch(`/objects/${obj_id}`, { obj_content: { n } }).expect(200);
    const kept = await api.sql<{ n: number; oldest: number }>(
      'SELECT count(*)::integer AS n, min(rev_version) AS oldest FROM object_revision WHERE rev_object = $1',
      [obj_id],
    );
    expect(kept).toEqual([{ n: 200, oldest: 7 }]);
  }, 120_000);

  it('answer 412 to a change of another version, and apply both changes by key without one', async () => {
    const { form_id } = await makeSchema(client, [field('a', 'integer'), field('b', 'integer')]);
    const { obj_id } = await makeObject(client, form_id);
    const path = `/objects/${obj_id}`;
    await Promise.all([
      client.patch(path, { obj_content: { a: 1 } }).expect(200),
      client.patch(path, { obj_content: { b: 2 } }).expect(200),
    ]);
    expect((await readObject(client, obj_id)).obj_content).toEqual({ name: 'Thing', a: 1, b: 2 });
    const { etag } = (await client.get(path).expect(200)).headers as { etag: string };
    const answers = await Promise.all([3, 4].map((a) => client.patch(path, { obj_content: { a } }).set('If-Match', etag)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 412]);
    await client.delete(path).set('If-Match', etag).expect(412);
  });

  it('are named by their writer where the schema has no title field', async () => {
    const { form_id } = (await client.post('/object-schemas', { form_name: `Bare ${newId()}` }).expect(201)).body as { form_id: string };
    const refused = await problem(client.post('/objects', { obj_form: form_id }).expect(400));
    expect(refused.errors).toMatchObject([{ path: 'obj_name', code: 'required' }]);
    const { obj_id } = (await client.post('/objects', { obj_form: form_id, obj_name: ' Bollard ' }).expect(201)).body as Obj;
    expect((await client.patch(`/objects/${obj_id}`, { obj_name: 'Cleat' }).expect(200)).body.obj_name).toBe('Cleat');
  });

  it.each<[string, (ids: { form_id: string }) => object, string, string]>([
    ['an unknown field', () => ({ obj_content: { name: 'x', colour: 'red' } }), 'obj_content.colour', 'unknown_field'],
    ['a read-only field', () => ({ obj_content: { name: 'x', code: 'y' } }), 'obj_content.code', 'read_only'],
    ['a missing required field', () => ({ obj_content: {} }), 'obj_content.name', 'required'],
    ['a day that does not exist', () => ({ obj_content: { name: 'x', day: '2025-02-30' } }), 'obj_content.day', 'format'],
    ['an integer beyond the safe ones', () => ({ obj_content: { name: 'x', n: 2 ** 53 + 2 } }), 'obj_content.n', 'inexact'],
    ['a file that is unknown', () => ({ obj_content: { name: 'x', paper: newId() } }), 'obj_content.paper', 'reference'],
    ['a cover that is unknown', () => ({ obj_content: { name: 'x' }, obj_cover_file: newId() }), 'obj_cover_file', 'reference'],
    ['a term that is unknown', () => ({ obj_content: { name: 'x' }, obj_terms: [newId()] }), 'obj_terms[0]', 'reference'],
    ['a schema that is unknown', () => ({ obj_form: newId(), obj_content: { name: 'x' } }), 'obj_form', 'reference'],
  ])('are refused with %s', async (_, wish, path, code) => {
    const schema = await makeSchema(client, [
      field('code', 'text', { read_only: true }),
      field('day', 'date'),
      field('n', 'integer'),
      field('paper', 'file'),
    ]);
    const refused = await problem(client.post('/objects', { obj_form: schema.form_id, ...wish(schema) }).expect(400));
    expect(refused).toMatchObject({ code: 'validation_failed', errors: [{ path, code }] });
  });

  it('are refused when their content is too large, and numbers that JSON cannot say are no content', async () => {
    const { form_id } = await makeSchema(client, [
      field('text', 'long_text', { max_length: 100_000 }),
      field('more', 'long_text', { max_length: 100_000 }),
      field('rest', 'long_text', { max_length: 100_000 }),
      field('n', 'number'),
    ]);
    const long = 'x'.repeat(90_000);
    const refused = await problem(
      client.post('/objects', { obj_form: form_id, obj_content: { name: 'x', text: long, more: long, rest: long } }).expect(413),
    );
    expect(refused.code).toBe('payload_too_large');
    const raw = (n: string) =>
      client
        .post('/objects', `{"obj_form":"${form_id}","obj_content":{"name":"x","n":${n}}}` as unknown as object)
        .set('Content-Type', 'application/json');
    await raw('1e400').expect(400);
    await raw('NaN').expect(400);
    expect((await raw('-0').expect(201)).body.obj_content.n).toBe(0);
  });

  it('are classified and shown with a cover', async () => {
    const { form_id } = await makeSchema(client);
    const { file_id } = await storeFile(api, ours, { name: 'lamp.jpg' });
    const made = await makeObject(client, form_id, {}, { obj_cover_file: file_id });
    expect(made).toMatchObject({ obj_cover_file: file_id });
    const places = (await client.get(`/files/${file_id}/references`).expect(200)).body as { data: object[] };
    expect(places.data).toMatchObject([{ ref_type: 'object', ref_id: made.obj_id, ref_name: 'Thing' }]);
  });
});

describe('fields of objects', () => {
  it('[objects 7] are not required while show_if hides them, and a rule refuses by its message', async () => {
    const { form_id } = await makeSchema(
      client,
      [
        field('sold', 'boolean'),
        field('buyer', 'text', { required: true, show_if: 'content.sold == true' }),
        field('price', 'number'),
        field('approver', 'text'),
      ],
      {},
      {
        rules: [
          {
            when: 'has(content.price) && content.price > 100.0',
            assert: 'has(content.approver)',
            message: 'Needs an approver',
            field: 'approver',
          },
        ],
      },
    );
    await makeObject(client, form_id, { sold: false });
    const hidden = await problem(client.post('/objects', { obj_form: form_id, obj_content: { name: 'x', sold: true } }).expect(400));
    expect(hidden.errors).toMatchObject([{ path: 'obj_content.buyer', code: 'required' }]);
    const ruled = await problem(
      client.post('/objects', { obj_form: form_id, obj_content: { name: 'x', sold: false, price: 101 } }).expect(400),
    );
    expect(ruled.errors).toMatchObject([{ path: 'obj_content.approver', code: 'rule', message: 'Needs an approver' }]);
    await makeObject(client, form_id, { sold: false, price: 101, approver: 'Ada' });
  });

  it('[objects 8] are unique when 20 ask for one value at once: one 201', async () => {
    const { form_id } = await makeSchema(client, [field('sku', 'text', { unique: true })]);
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => client.post('/objects', { obj_form: form_id, obj_content: { name: 'x', sku: 'A-1' } })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array.from({ length: 19 }, () => 409)]);
    const refused = answers.find(({ status }) => status === 409);
    expect(refused?.body).toMatchObject({ code: 'already_exists', errors: [{ path: 'obj_content.sku', code: 'unique' }] });
    expect(await listObjects(client, `?obj_form=${form_id}`)).toMatchObject({ data: [{ obj_content: { sku: 'A-1' } }] });
  }, 60_000);

  it('[objects 9] are numbered without a gap or a repeat when 50 are created at once', async () => {
    const { form_id } = await makeSchema(client, [field('no', 'auto_number', { filterable: true })]);
    const made = await Promise.all(Array.from({ length: 50 }, () => makeObject(client, form_id)));
    expect(made.map(({ obj_content }) => obj_content.no as number).sort((a, b) => a - b)).toEqual(
      Array.from({ length: 50 }, (_, n) => n + 1),
    );
    expect((await listObjects(client, `?obj_form=${form_id}&obj_content[no]=17`)).data).toHaveLength(1);
  }, 60_000);

  it('that are sensitive are masked for those who may not change objects, in revisions too, and serve neither filters nor orders', async () => {
    const { form_id } = await makeSchema(client, [field('secret', 'text', { sensitive: true, filterable: true })]);
    const { obj_id } = await makeObject(client, form_id, { secret: 'gold' });
    const viewer = (await ours.member('viewer')).client;
    expect((await readObject(viewer, obj_id)).obj_content).toEqual({ name: 'Thing', secret: '•••' });
    expect((await listObjects(viewer, `?obj_form=${form_id}`)).data[0]?.obj_content.secret).toBe('•••');
    expect(JSON.stringify((await viewer.get(`/objects/${obj_id}/revisions`).expect(200)).body)).not.toContain('gold');
    await viewer.get(`/objects?obj_form=${form_id}&obj_content[secret]=gold`).expect(400);
    await viewer.get(`/objects?obj_form=${form_id}&sort=obj_content_secret`).expect(400);
    expect((await listObjects(viewer, '?full_text_search=gold')).data).toEqual([]);
    expect((await listObjects(client, `?obj_form=${form_id}&obj_content[secret]=gold`)).data).toHaveLength(1);
  });

  it('that are hidden are left out of reads unless those who may change schemas ask for them', async () => {
    const { form_id } = await makeSchema(client, [field('note', 'text', { hidden: true })]);
    const { obj_id } = await makeObject(client, form_id, { note: 'inside' });
    expect((await readObject(client, obj_id)).obj_content).toEqual({ name: 'Thing' });
    expect((await readObject(client, obj_id, '?include_hidden=true')).obj_content.note).toBe('inside');
    expect(JSON.stringify(await revisions(obj_id))).not.toContain('inside');
    const editor = await ours.member('owner', ['object:view', 'object:edit']);
    await editor.client.get(`/objects/${obj_id}?include_hidden=true`).expect(403);
    await editor.client.get('/objects?include_hidden=true').expect(403);
  });
});

describe('references between objects', () => {
  const pair = async (on_delete: string): Promise<{ target: Obj; pointer: Obj; form_id: string }> => {
    const { form_id } = await makeSchema(client);
    const pointing = await makeSchema(client, [
      field('part', 'object', { schema: form_id, on_delete }),
      field('more', 'objects', { schema: form_id }),
    ]);
    const target = await makeObject(client, form_id, { name: 'Target' });
    const pointer = await makeObject(client, pointing.form_id, { name: 'Pointer', part: target.obj_id, more: [target.obj_id] });
    return { target, pointer, form_id };
  };
  /** The same, pointed to from within a group and the rows of a list, and from a list of references. */
  const within = async (on_delete: string): Promise<{ target: Obj; pointer: Obj }> => {
    const { form_id } = await makeSchema(client);
    const part = field('part', 'object', { schema: form_id, on_delete });
    const pointing = await makeSchema(client, [
      field('box', 'group', { fields: [field('label', 'text'), part] }),
      field('rows', 'list', { fields: [field('label', 'text'), part] }),
      field('all', 'objects', { schema: form_id, on_delete }),
    ]);
    const target = await makeObject(client, form_id, { name: 'Target' });
    const other = await makeObject(client, form_id, { name: 'Other' });
    const pointer = await makeObject(client, pointing.form_id, {
      name: 'Pointer',
      box: { label: 'A', part: target.obj_id },
      rows: [
        { label: 'B', part: other.obj_id },
        { label: 'C', part: target.obj_id },
      ],
      all: [other.obj_id, target.obj_id],
    });
    return { target, pointer };
  };

  it('[objects 11] restrict a deletion by the names of the pointers, or disappear with their target and come back with it', async () => {
    const restricted = await pair('restrict');
    const refused = await problem(client.delete(`/objects/${restricted.target.obj_id}`).expect(409));
    expect(refused).toMatchObject({ code: 'in_use', errors: [{ path: `${restricted.pointer.obj_id}.part`, code: 'in_use' }] });
    await client.delete(`/objects/${restricted.pointer.obj_id}`).expect(204);
    await client.delete(`/objects/${restricted.target.obj_id}`).expect(204);

    const { target, pointer } = await pair('clear');
    await client.delete(`/objects/${target.obj_id}`).expect(204);
    expect(await readObject(client, target.obj_id)).toMatchObject({ obj_active: false });
    expect((await readObject(client, pointer.obj_id)).obj_content).toEqual({ name: 'Pointer', more: [] });
    const listed = await listObjects(client, `?obj_form=${pointer.obj_form}`);
    expect(listed.data[0]?.obj_content).toEqual({ name: 'Pointer', more: [] });
    await client.post(`/objects/${target.obj_id}/restore`, {}).expect(200);
    expect((await readObject(client, pointer.obj_id)).obj_content).toEqual({ name: 'Pointer', part: target.obj_id, more: [target.obj_id] });
    expect((await client.post(`/objects/${target.obj_id}/restore`, {}).expect(409)).body.code).toBe('invalid_state');
  });

  it('[objects 11] do so from within groups, rows of lists and lists of references', async () => {
    const restricted = await within('restrict');
    const refused = await problem(client.delete(`/objects/${restricted.target.obj_id}`).expect(409));
    expect(refused.code).toBe('in_use');
    const paths = (refused.errors ?? []).map(({ path }) => path.replace(`${restricted.pointer.obj_id}.`, ''));
    expect(paths.sort()).toEqual(['all', 'box.part', 'rows.part']);

    const { target, pointer } = await within('clear');
    const before = (await readObject(client, pointer.obj_id)).obj_content;
    await client.delete(`/objects/${target.obj_id}`).expect(204);
    const cleared = await readObject(client, pointer.obj_id);
    expect(JSON.stringify(cleared)).not.toContain(target.obj_id);
    expect(cleared.obj_content).toMatchObject({ box: { label: 'A' }, rows: [{ label: 'B' }, { label: 'C' }] });
    expect(cleared.obj_content.all).toHaveLength(1);
    await client.post(`/objects/${target.obj_id}/restore`, {}).expect(200);
    expect((await readObject(client, pointer.obj_id)).obj_content).toEqual(before);
  });

  it('take objects of their schema that the writer may read, and not the object itself where they are acyclic', async () => {
    const { form_id } = await makeSchema(client);
    const other = await makeSchema(client);
    const { form_id: tree } = await makeSchema(client);
    await client
      .patch(`/object-schemas/${tree}`, {
        form_config: {
          title: 'name',
          fields: [NAME, field('part', 'object', { schema: form_id }), field('parent', 'object', { schema: tree, acyclic: true })],
        },
      })
      .expect(200);
    const stranger = await makeObject(client, other.form_id);
    const closed = await makeObject(client, form_id, {}, { obj_acl: { users: { [ours.owner.user_id]: 'owner' } } });
    const writer = (await ours.member('owner', ['object:view', 'object:create', 'object:edit'])).client;
    for (const part of [stranger.obj_id, closed.obj_id, newId()]) {
      const refused = await problem(writer.post('/objects', { obj_form: tree, obj_content: { name: 'x', part } }).expect(400));
      expect(refused.errors).toMatchObject([{ path: 'obj_content.part', code: 'reference' }]);
    }
    const own = await makeObject(client, tree, { part: closed.obj_id });
    await client.patch(`/objects/${own.obj_id}`, { obj_content: { parent: own.obj_id } }).expect(400);
  });

  it('are shown in short with expand, as far as the caller may read them', async () => {
    const { target, pointer, form_id } = await pair('clear');
    const closed = await makeObject(client, form_id, {}, { obj_acl: { users: { [ours.owner.user_id]: 'owner' } } });
    await client.patch(`/objects/${pointer.obj_id}`, { obj_content: { more: [target.obj_id, closed.obj_id] } }).expect(200);
    const viewer = (await ours.member('viewer')).client;
    const read = (await viewer.get(`/objects/${pointer.obj_id}?expand=more`).expect(200)).body as { expanded: Record<string, object> };
    expect(read.expanded).toEqual({ [target.obj_id]: { kind: 'object', obj_id: target.obj_id, obj_name: 'Target', obj_form: form_id } });
    expect(
      Object.keys(((await client.get(`/objects/${pointer.obj_id}?expand=*`).expect(200)).body as typeof read).expanded).sort(),
    ).toEqual([target.obj_id, closed.obj_id].sort());
    await viewer.get(`/objects/${pointer.obj_id}?expand=name`).expect(400);
  });

  it('never point to what is deleted at the same time', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { form_id } = await makeSchema(client);
      const pointing = await makeSchema(client, [field('part', 'object', { schema: form_id, on_delete: 'restrict' })]);
      const { obj_id } = await makeObject(client, form_id);
      const [made, gone] = await Promise.all([
        client.post('/objects', { obj_form: pointing.form_id, obj_content: { name: 'x', part: obj_id } }),
        client.delete(`/objects/${obj_id}`),
      ]);
      expect([
        [201, 409],
        [400, 204],
      ]).toContainEqual([made.status, gone.status]);
    }
  });
});

describe('deleted objects', () => {
  it('free their unique values, and are not restored over who has taken them', async () => {
    const { form_id } = await makeSchema(client, [field('sku', 'text', { unique: true })]);
    const first = await makeObject(client, form_id, { sku: 'A' });
    await client.delete(`/objects/${first.obj_id}`).expect(204);
    expect((await listObjects(client, `?obj_form=${form_id}`)).data).toEqual([]);
    expect((await listObjects(client, `?obj_form=${form_id}&obj_active=false`)).data).toHaveLength(1);
    expect((await client.patch(`/objects/${first.obj_id}`, { obj_name: 'x' }).expect(409)).body.code).toBe('invalid_state');
    const second = await makeObject(client, form_id, { sku: 'A' });
    expect((await client.post(`/objects/${first.obj_id}/restore`, {}).expect(409)).body.code).toBe('already_exists');
    await client.delete(`/objects/${second.obj_id}`).expect(204);
    const back = await client.post(`/objects/${first.obj_id}/restore`, {}).expect(200);
    expect(back.body).toMatchObject({ obj_active: true, obj_content: { sku: 'A' } });
    await client.post('/objects', { obj_form: form_id, obj_content: { name: 'x', sku: 'A' } }).expect(409);
  });
});

describe('access lists', () => {
  it('decide who reads, changes and deletes an object, in lists too', async () => {
    const { form_id } = await makeSchema(client);
    const [reader, editor, stranger] = [await ours.member('editor'), await ours.member('editor'), await ours.member('editor')];
    const obj_acl = { users: { [ours.owner.user_id]: 'owner', [reader.user_id]: 'view', [editor.user_id]: 'edit' } };
    const { obj_id } = await makeObject(client, form_id, { name: 'Closed' }, { obj_acl });
    const path = `/objects/${obj_id}`;
    expect(names(await listObjects(reader.client))).toEqual(['Closed']);
    expect(names(await listObjects(stranger.client))).toEqual([]);
    await stranger.client.get(path).expect(404);
    await stranger.client.get(`${path}/revisions`).expect(404);
    await stranger.client.patch(path, { obj_name: 'x' }).expect(404);
    await stranger.client.delete(path).expect(404);
    await stranger.client.delete(`${path}/locks/name`).expect(404);
    await reader.client.patch(path, { obj_content: { name: 'x' } }).expect(403);
    await editor.client.patch(path, { obj_content: { name: 'Open' } }).expect(200);
    await editor.client.patch(path, { obj_acl: {} }).expect(403);
    await editor.client.delete(path).expect(403);
    expect((await client.patch(path, { obj_acl: { users: { [reader.user_id]: 'view' } } }).expect(400)).body.errors[0].code).toBe('owner');
    await client.patch(path, { obj_acl: {} }).expect(200);
    expect(names(await listObjects(stranger.client))).toEqual(['Open']);
  });

  it('of new objects come from their schema', async () => {
    const acl = { users: { [ours.owner.user_id]: 'owner' } };
    const { form_id } = await makeSchema(client, [], { form_metadata: { acl } });
    expect((await makeObject(client, form_id)) as unknown).toMatchObject({ obj_acl: acl });
    await client.post('/object-schemas', { form_name: 'x', form_metadata: { acl: { users: { nobody: 'owner' } } } }).expect(400);
  });
});

type Route = readonly [method: string, path: string, body?: object];
const ask = (who: Client, [method, path, body = {}]: Route) =>
  method === 'get'
    ? who.get(path)
    : method === 'delete'
      ? who.delete(path)
      : method === 'post'
        ? who.post(path, body)
        : who.patch(path, body);

describe('other workspaces and fewer rights', () => {
  it('meet 403 on every route of the context without its module', async () => {
    const bare = (await api.workspace([])).owner.client;
    const { paths } = (await request(api.url).get('/openapi.json').expect(200)).body as { paths: Record<string, Record<string, object>> };
    const routes = Object.entries(paths)
      .filter(([path]) => /^\/(api\/v1\/)?object(s|-)/.test(path))
      .flatMap(([path, operations]) => Object.keys(operations).map((method) => [method, path] as const));
    expect(routes.length).toBeGreaterThanOrEqual(13);
    for (const [method, path] of routes) {
      const answer = await ask(bare, [method, path.replace('/api/v1', '').replace(/\{[^}]+\}/g, newId()), {}]);
      expect([method, path, answer.status, answer.body.code]).toEqual([method, path, 403, 'license_required']);
    }
  }, 60_000);

  it('[objects 20] meet 403 without the module or the permission, and 404 or a reference fault for ids of others', async () => {
    const bare = await api.workspace([]);
    const theirs = await api.workspace(['module-objects']);
    const { form_id } = await makeSchema(client);
    const { obj_id } = await makeObject(client, form_id, { name: 'Ours' });
    const routes: Route[] = [
      ['get', '/objects'],
      ['post', '/objects', { obj_form: form_id, obj_content: { name: 'x' } }],
      ['get', `/objects/${obj_id}`],
      ['patch', `/objects/${obj_id}`, { obj_name: 'x' }],
      ['delete', `/objects/${obj_id}`],
      ['post', `/objects/${obj_id}/restore`, {}],
      ['get', `/objects/${obj_id}/revisions`],
      ['delete', `/objects/${obj_id}/locks/name`],
      ['get', '/object-schemas'],
      ['post', '/object-schemas', { form_name: 'x' }],
      ['get', `/object-schemas/${form_id}`],
      ['patch', `/object-schemas/${form_id}`, { form_name: 'x' }],
      ['delete', `/object-schemas/${form_id}`],
    ];
    const nobody = (await ours.member('owner', ['media:view'])).client;
    for (const route of routes) {
      const unlicensed = await ask(bare.owner.client, route);
      expect([route, unlicensed.status, unlicensed.body.code]).toEqual([route, 403, 'license_required']);
      const denied = await ask(nobody, route);
      expect([route, denied.status, denied.body.code]).toEqual([route, 403, 'permission_denied']);
      const foreign = await ask(theirs.owner.client, route);
      const [, path, body] = route;
      if (path.includes(form_id) || path.includes(obj_id)) expect([route, foreign.status]).toEqual([route, 404]);
      else if (body && 'obj_form' in body)
        expect(foreign.body).toMatchObject({ code: 'validation_failed', errors: [{ path: 'obj_form', code: 'reference' }] });
      else if (route[0] === 'get') expect(foreign.body).toMatchObject({ data: [] });
    }
    const own = await makeSchema(theirs.owner.client, [field('part', 'object', { schema: form_id }), field('paper', 'file')]);
    const { file_id } = await storeFile(api, ours, { name: 'ours.txt' });
    for (const content of [{ part: obj_id }, { paper: file_id }]) {
      const refused = await theirs.owner.client
        .post('/objects', { obj_form: own.form_id, obj_content: { name: 'x', ...content } })
        .expect(400);
      expect(refused.body.errors).toMatchObject([{ code: 'reference' }]);
    }
    expect((await listObjects(theirs.owner.client, `?obj_form=${form_id}`)).data).toEqual([]);
    expect(names(await listObjects(client))).toEqual(['Ours']);
  }, 60_000);
});
