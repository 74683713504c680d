import type { Client, RunningApi, TestWorkspace } from '@atrium/platform/testing';
import { addTerm, makeTaxonomy } from '../objects/classifying';
import { makeBase } from '../knowledge/bases';
import { note, setTags } from '../media/tagging';
import { field, makeObject, makeSchema } from '../objects/objects';
import { sharedAtrium } from '../support/shared-atrium';

jest.setTimeout(300_000);

type Title = 'zqfolder' | 'zqdocument' | 'zqalbum' | 'zqbase' | 'zqobject' | 'zqagent' | 'zqprompt';

let api: RunningApi;
let ours: TestWorkspace;
let owner: Client;
let reader: Client;
let closed: Readonly<Record<Title, string>>;
/** What the reader may read, beside what is closed. */
let open: {
  readonly base: string;
  readonly form: string;
  readonly taxonomy: string;
  readonly term: string;
  readonly relation: string;
  readonly search: string;
};

beforeAll(async () => {
  api = await sharedAtrium();
  ours = await api.workspace(['module-documents', 'module-objects']);
  owner = ours.owner.client;
  reader = (await ours.member('editor')).client;
  await plant();
}, 120_000);
afterAll(() => api.close());

async function plant(): Promise<void> {
  const acl = { users: { [ours.owner.user_id]: 'owner' } };
  const id = async (path: string, body: object, key: string): Promise<string> =>
    (await owner.post(path, body).expect(201)).body[key] as string;

  const [file, document] = [await note(owner, 'docs'), await note(owner, 'docs')];
  await owner.put(`/files/${document}`, { file_name: 'zqdocument.txt' }).expect(200);
  for (const one of [file, document]) await setTags(owner, one, { Topic: ['harbour'] }).expect(200);
  const folder = await id('/document-folders', { album_name: 'zqfolder', album_acl: acl }, 'album_id');
  await owner.post(`/document-folders/${folder}/files`, { file_ids: [file, document] }).expect(200);
  await owner.delete(`/document-folders/${folder}/files`, { file_ids: [file] }).expect(200);
  const relation = await id('/document-relation-types', { rt_name: 'replaces' }, 'rt_id');
  await owner.post(`/documents/${file}/relations`, { rel_type: relation, document_id: document }).expect(201);
  await owner.post(`/documents/${file}/deprecate`, { superseded_by: document }).expect(200);
  const album = await id('/albums', { album_name: 'zqalbum', album_acl: acl }, 'album_id');

  const sq_query = { where: { field: 'kind', op: 'eq', value: 'image' } };
  const search = await id('/saved-searches', { sq_name: 'Pictures', sq_scope: 'media', sq_query }, 'sq_id');
  await id('/albums', { album_name: 'zqsmart', album_smart: true, album_query: search, album_acl: acl }, 'album_id');
  const [base, openBase] = [await makeBase(owner, { ds_name: 'zqbase' }), await makeBase(owner)];
  await owner.put(`/knowledge-bases/${base.ds_id}/access`, { ds_acl: acl }).expect(200);
  await owner.post(`/knowledge-bases/${openBase.ds_id}/files`, { file_ids: [document] }).expect(200);

  const taxonomy = await makeTaxonomy(owner);
  const { term_id: term } = await addTerm(owner, taxonomy, 'Lamps');
  const form = await makeSchema(owner);
  const hidden = await makeObject(owner, form.form_id, { name: 'zqobject' }, { obj_acl: acl, obj_terms: [term] });
  await makeObject(owner, form.form_id, { name: 'Lantern' }, { obj_terms: [term] });

  closed = {
    zqfolder: folder,
    zqdocument: document,
    zqalbum: album,
    zqbase: base.ds_id,
    zqobject: hidden.obj_id,
    zqagent: await id('/agents', { agent_name: 'zqagent', agent_acl: acl }, 'agent_id'),
    zqprompt: await id('/prompts', { prompt_name: 'zqprompt', prompt_text: 'x', prompt_acl: acl }, 'prompt_id'),
  };
  open = { base: openBase.ds_id, form: form.form_id, taxonomy, term, relation, search };
}

describe('rows whose access list leaves a member out', () => {
  it('count for nothing in the numbers beside what the member reads', async () => {
    const read = async (path: string): Promise<Record<string, unknown>> =>
      (await reader.get(path).expect(200)).body as Record<string, unknown>;
    const tags = (await read('/media-tags?q=harbour')).data as readonly unknown[];
    expect(tags).toEqual([expect.objectContaining({ mt_file_count: 1 })]);
    expect(await read(`/document-relation-types/${open.relation}`)).toMatchObject({ rt_link_count: 0 });
    expect(await read(`/object-schemas/${open.form}`)).toMatchObject({ form_object_count: 1 });
    expect(await read(`/object-taxonomies/${open.taxonomy}/terms/${open.term}`)).toMatchObject({ term_use_count: 1 });
    expect(await read(`/saved-searches/${open.search}`)).toMatchObject({ sq_used_by: 0 });
    await owner.delete(`/saved-searches/${open.search}`).expect(409);
    expect(await read(`/knowledge-bases/${open.base}`)).toMatchObject({ ds_file_count: 0, ds_passage_count: 0, ds_pending_count: 0 });
  });

  it('restrict a deletion without being named', async () => {
    const { form_id } = await makeSchema(owner);
    const pointing = await makeSchema(owner, [field('part', 'object', { schema: form_id, on_delete: 'restrict' })]);
    const target = await makeObject(owner, form_id, { name: 'Target' });
    const acl = { users: { [ours.owner.user_id]: 'owner' } };
    const pointer = await makeObject(owner, pointing.form_id, { name: 'zqpointer', part: target.obj_id }, { obj_acl: acl });
    const admin = await ours.member('admin');
    const refused = await admin.client.delete(`/objects/${target.obj_id}`).expect(409);
    expect(refused.body).toMatchObject({
      code: 'in_use',
      errors: [{ path: 'obj_id', code: 'in_use', message: 'Something that you may not read refers to it.' }],
    });
    expect(refused.text).not.toContain(pointer.obj_id);
    const named = await owner.delete(`/objects/${target.obj_id}`).expect(409);
    expect(named.text).toContain(pointer.obj_id);
  });

  it('are named in explanations of access by their ids, to an administrator who does not read them', async () => {
    const admin = await ours.member('admin');
    for (const [title, id] of Object.entries(closed)) {
      const type = TYPES[title as Title];
      if (!type) continue;
      const question = { user_id: admin.user_id, permission: 'media:view', resource: { type, id } };
      const { text } = await admin.client.post('/admin/access/explain', question).expect(200);
      expect([title, text.includes(title), text.includes(id)]).toEqual([title, false, true]);
    }
  });
});

const TYPES: Readonly<Partial<Record<Title, string>>> = {
  zqfolder: 'document_folder',
  zqalbum: 'album',
  zqbase: 'knowledge_base',
  zqobject: 'object',
  zqagent: 'agent',
  zqprompt: 'prompt',
};
