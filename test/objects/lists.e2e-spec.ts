import { FormRows } from '@atrium/forms';
import { Database, inWorkspace } from '@atrium/platform/database';
import { ObjectWrites } from '@atrium/objects';
import { eventually, type Client, type RunningApi, type TestWorkspace } from '@atrium/platform/testing';
import { applyAnew, shorten } from '../governance/retaining';
import { sharedAtriumWithWorker } from '../support/shared-atrium';
import { field, followed, listObjects, makeObject, makeSchema, names, NAME, readObject } from './objects';

let api: RunningApi;
let ours: TestWorkspace;
let client: Client;

beforeAll(async () => {
  api = await sharedAtriumWithWorker();
}, 120_000);
beforeEach(async () => {
  ours = await api.workspace(['module-objects', 'module-documents']);
  ({ client } = ours.owner);
});
afterAll(() => api.close());

/** Writes objects as an import does, 500 in one unit of work. */
async function fill(form_id: string, count: number, contentOf: (n: number) => Record<string, number | string>): Promise<void> {
  const [db, forms, writes] = [
    api.app.get(Database, { strict: false }),
    api.app.get(FormRows, { strict: false }),
    api.app.get(ObjectWrites, { strict: false }),
  ];
  for (let from = 0; from < count; from += 500)
    await inWorkspace(ours.tenant_id, () =>
      db.write(async () => {
        const form = await forms.openForm('object', form_id, 'share');
        const changes = Array.from({ length: 500 }, (_, n) => ({ op: 'create' as const, facts: { obj_content: contentOf(from + n) } }));
        const outcomes = await writes.applyChanges(form, changes, { by: null, action: 'created' });
        expect(outcomes.filter(({ action }) => action !== 'created')).toEqual([]);
      }),
    );
}

describe('lists of objects', () => {
  it('[objects 10] filter and sort 10,000 by content without a repeat or a gap while others insert', async () => {
    const { form_id } = await makeSchema(client, [
      field('price', 'number', { filterable: true }),
      field('size', 'integer', { filterable: true }),
    ]);
    await fill(form_id, 10_000, (n) => ({ name: `No ${n}`, price: n % 100, size: (n * 7) % 50 }));
    for (const key of ['price', 'size']) {
      const seen: string[] = [];
      const values: number[] = [];
      let cursor: string | null = '';
      for (let page = 0; cursor !== null; page += 1) {
        // Before the place that was reached, and behind it.
        for (const one of [0, 45]) {
          const late = { name: 'Late', price: 10 + ((page + one) % 90), size: (page + one) % 50 };
          await makeObject(client, form_id, late);
        }
        const found = await listObjects(
          client,
          `?obj_form=${form_id}&obj_content[price][gte]=10&sort=obj_content_${key}&limit=1000${cursor === '' ? '' : `&cursor=${cursor}`}`,
        );
        for (const { obj_id, obj_name, obj_content } of found.data)
          if (obj_name !== 'Late') {
            seen.push(obj_id);
            values.push(obj_content[key] as number);
          }
        cursor = found.next_cursor;
      }
      expect({ key, seen: seen.length, different: new Set(seen).size }).toEqual({ key, seen: 9_000, different: 9_000 });
      expect(values).toEqual([...values].sort((one, other) => one - other));
    }
  }, 240_000);

  it('narrow by operators, words, names and several schemas, and show the fields that are asked for', async () => {
    const fields = [
      field('price', 'number', { filterable: true }),
      field('kind', 'select', {
        filterable: true,
        options: [
          { value: 'a', label: 'A' },
          { value: 'b', label: 'B' },
        ],
      }),
      field('text', 'long_text'),
    ];
    const one = await makeSchema(client, fields);
    const two = await makeSchema(client, []);
    await makeObject(client, one.form_id, { name: 'Lamp', price: 1, kind: 'a', text: 'polished brass' });
    await makeObject(client, one.form_id, { name: 'Buoy', price: 2, kind: 'b' });
    await makeObject(client, two.form_id, { name: 'Gull' });
    const of = async (query: string): Promise<string[]> => names(await listObjects(client, `?${query}`)).sort();
    const form = `obj_form=${one.form_id}`;
    expect(await of(`${form}&obj_form=${two.form_id}`)).toEqual(['Buoy', 'Gull', 'Lamp']);
    expect(await of(`${form}&obj_content[price][lt]=2`)).toEqual(['Lamp']);
    expect(await of(`${form}&obj_content[kind][in]=a,b`)).toEqual(['Buoy', 'Lamp']);
    expect(await of(`${form}&obj_content[kind][ne]=a`)).toEqual(['Buoy']);
    expect(await of('full_text_search=brass')).toEqual(['Lamp']);
    expect(await of('full_text_search=gull')).toEqual(['Gull']);
    expect(await of('obj_name=UO')).toEqual(['Buoy']);
    expect(names(await listObjects(client, '?sort=obj_name'))).toEqual(['Buoy', 'Gull', 'Lamp']);
    expect(names(await listObjects(client))).toEqual(['Gull', 'Buoy', 'Lamp']);
    expect((await listObjects(client, `?${form}&fields=price&sort=obj_name`)).data.map(({ obj_content }) => obj_content)).toEqual([
      { price: 2 },
      { price: 1 },
    ]);
    const refused = async (query: string): Promise<unknown> => (await client.get(`/objects?${query}`).expect(400)).body.errors[0];
    expect(await refused(`${form}&fields=colour`)).toMatchObject({ path: 'fields', code: 'unknown_field' });
    expect(await refused(`${form}&obj_content[text]=x`)).toMatchObject({ path: 'obj_content[text]', code: 'unknown_field' });
    expect(await refused('obj_content[price]=1')).toMatchObject({ path: 'obj_content[price]', code: 'unknown_field' });
    expect(await refused(`${form}&obj_form=${two.form_id}&sort=obj_content_price`)).toMatchObject({ code: 'unknown_field' });
    expect(await refused('colour=red')).toMatchObject({ path: 'colour' });
  });
});

describe('objects in searches of passages', () => {
  const search = async (who: Client, query: string, scopes?: string[]) =>
    (
      (await who.post('/retrieval/search', { query, ...(scopes ? { scopes } : {}) }).expect(200)).body as {
        data: { citation: { source_id: string; source_kind: string; title: string } }[];
      }
    ).data.map(({ citation }) => citation.title);
  const indexed = () =>
    eventually(
      () =>
        api.sql<{ open: number }>(
          `SELECT count(*)::integer AS open FROM passage_source WHERE tenant_id = $1 AND source_status = 'pending'`,
          [ours.tenant_id],
        ),
      ([row]) => row?.open === 0,
      60_000,
    );

  it('are found where their schema asks for it, by those who may read them, until they are deleted', async () => {
    const { form_id } = await makeSchema(client, [field('text', 'long_text'), field('secret', 'text', { sensitive: true })], {
      form_metadata: { retrieval: true },
    });
    const lamp = await makeObject(client, form_id, { name: 'Lamp', text: 'The keeper polishes the brass lamp.', secret: 'foghorn' });
    const closed = await makeObject(
      client,
      form_id,
      { name: 'Closed', text: 'A brass lamp below deck.' },
      { obj_acl: { users: { [ours.owner.user_id]: 'owner' } } },
    );
    const silent = await makeSchema(client, [field('text', 'long_text')]);
    await makeObject(client, silent.form_id, { name: 'Silent', text: 'A brass lamp that nobody finds.' });
    await indexed();
    expect((await search(client, 'brass lamp', [`object:${form_id}`])).sort()).toEqual(['Closed', 'Lamp']);
    expect(await search(client, 'brass lamp', [`object:${silent.form_id}`])).toEqual([]);
    expect(await search(client, 'foghorn', [`object:${form_id}`])).toEqual([]);
    const reader = (await ours.member('owner', ['object:view', 'document:view', 'knowledge-base:view'])).client;
    expect(await search(reader, 'brass lamp')).toEqual(['Lamp']);
    const stranger = (await ours.member('owner', ['document:view'])).client;
    expect(await search(stranger, 'brass lamp')).toEqual([]);
    await client.delete(`/objects/${lamp.obj_id}`).expect(204);
    expect(await search(client, 'brass lamp')).toEqual(['Closed']);
    await client.post(`/objects/${lamp.obj_id}/restore`, {}).expect(200);
    await indexed();
    expect((await search(client, 'brass lamp')).sort()).toEqual(['Closed', 'Lamp']);
    await client.patch(`/objects/${closed.obj_id}`, { obj_content: { text: 'An anchor.' } }).expect(200);
    await indexed();
    expect(await search(client, 'anchor')).toContain('Closed');
    await client.patch(`/object-schemas/${form_id}`, { form_metadata: {} }).expect(200);
    await followed(client, form_id);
    expect(await search(client, 'brass lamp', [`object:${form_id}`])).toEqual([]);
  }, 120_000);

  it('are found after the schema has begun to ask for it', async () => {
    const { form_id } = await makeSchema(client, [field('text', 'long_text')]);
    await makeObject(client, form_id, { name: 'Buoy', text: 'A bell buoy rings in the swell.' });
    await client.patch(`/object-schemas/${form_id}`, { form_metadata: { retrieval: true } }).expect(200);
    await followed(client, form_id);
    await indexed();
    expect(await search(client, 'bell buoy', [`object:${form_id}`])).toEqual(['Buoy']);
  }, 60_000);
});

describe('objects that are deleted for long', () => {
  it('are purged with the references to them, and not before', async () => {
    const { form_id } = await makeSchema(client, []);
    const pointing = await makeSchema(client, [
      field('part', 'object', { schema: form_id }),
      field('lines', 'list', { fields: [field('part', 'object', { schema: form_id })] }),
    ]);
    const [old, young] = [await makeObject(client, form_id, { name: 'Old' }), await makeObject(client, form_id, { name: 'Young' })];
    const pointer = await makeObject(client, pointing.form_id, { part: old.obj_id, lines: [{ part: old.obj_id }, { part: young.obj_id }] });
    await client.delete(`/objects/${old.obj_id}`).expect(204);
    await client.delete(`/objects/${young.obj_id}`).expect(204);
    await api.sql(`UPDATE object SET obj_deleted = now() - interval '31 days' WHERE obj_id = $1`, [old.obj_id]);
    await applyAnew(api, ours);
    const there = await api.sql<{ obj_name: string }>('SELECT obj_name FROM object WHERE tenant_id = $1 ORDER BY 1', [ours.tenant_id]);
    expect(there.map(({ obj_name }) => obj_name)).toEqual(['Thing', 'Young']);
    const [stored] = await api.sql<{ obj_content: { lines: { part?: string }[] } }>('SELECT obj_content FROM object WHERE obj_id = $1', [
      pointer.obj_id,
    ]);
    expect(JSON.stringify(stored)).not.toContain(old.obj_id);
    expect(JSON.stringify(stored)).toContain(young.obj_id);
    await client.post(`/objects/${old.obj_id}/restore`, {}).expect(404);
    await client.post(`/objects/${young.obj_id}/restore`, {}).expect(200);
    expect((await readObject(client, pointer.obj_id)).obj_content.lines).toMatchObject([{}, { part: young.obj_id }]);
    await client.delete(`/objects/${young.obj_id}`).expect(204);
    await api.sql(`UPDATE object SET obj_deleted = now() - interval '2 days' WHERE obj_id = $1`, [young.obj_id]);
    await shorten(api, ours, { objects: 1 });
    await applyAnew(api, ours);
    await client.post(`/objects/${young.obj_id}/restore`, {}).expect(404);
  }, 60_000);
});

describe('objects elsewhere', () => {
  it('are handed over with the content of their author', async () => {
    const author = await ours.member('editor');
    const heir = await ours.member('editor');
    const { form_id } = await makeSchema(client, []);
    const { obj_id } = await makeObject(author.client, form_id);
    await makeObject(client, form_id, { name: NAME.key });
    await client.delete(`/admin/users/${author.user_id}`).expect(204);
    await client.post(`/admin/users/${author.user_id}/transfer`, { to_user: heir.user_id }).expect(202);
    await eventually(
      () => readObject(client, obj_id) as unknown as Promise<{ obj_created_by: string }>,
      ({ obj_created_by }) => obj_created_by === heir.user_id,
      30_000,
    );
    expect((await listObjects(client, `?obj_created_by=${heir.user_id}`)).data).toHaveLength(1);
  }, 60_000);

  it('release the fields that are locked against their source', async () => {
    const { form_id } = await makeSchema(client, [field('price', 'number')]);
    const { obj_id } = await makeObject(client, form_id, { price: 1 });
    await api.sql(`UPDATE object SET obj_locked_fields = '{price,name}' WHERE obj_id = $1`, [obj_id]);
    const released = await client.delete(`/objects/${obj_id}/locks/price`).expect(200);
    expect(released.body).toMatchObject({ obj_locked_fields: ['name'], obj_version: 2 });
    await client.delete(`/objects/${obj_id}/locks/price`).expect(404);
  });
});
