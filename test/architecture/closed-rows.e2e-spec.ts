import type { Client, RunningApi, TestWorkspace } from '@atrium/platform/testing';
import { addTerm, makeTaxonomy } from '../objects/classifying';
import { makeBase } from '../knowledge/bases';
import { note, setTags } from '../media/tagging';
import { field, makeObject, makeSchema } from '../objects/objects';
import { readOperations, sightings } from '../support/planted-values';
import { sharedAtrium } from '../support/shared-atrium';

jest.setTimeout(300_000);

const TITLES = ['zqfolder', 'zqdocument', 'zqalbum', 'zqbase', 'zqobject', 'zqagent', 'zqprompt'] as const;
type Title = (typeof TITLES)[number];

/** Where rows with an access list are read, and what is beside them. */
const PREFIXES = [
  '/agents',
  '/albums',
  '/document-folders',
  '/document-relation-types',
  '/documents',
  '/files',
  '/knowledge-base-schemas',
  '/knowledge-bases',
  '/media-files',
  '/media-tags',
  '/object-schemas',
  '/object-sources',
  '/object-taxonomies',
  '/objects',
  '/prompt-categories',
  '/prompts',
  '/retrieval',
  '/saved-searches',
  '/spaces',
  '/threads',
];

let api: RunningApi;
let ours: TestWorkspace;
let owner: Client;
let reader: Client;
let closed: Readonly<Record<Title, string>>;
/** What the reader may read, beside what is closed. */
let open: {
  readonly file: string;
  readonly base: string;
  readonly object: string;
  readonly form: string;
  readonly taxonomy: string;
  readonly term: string;
  readonly relation: string;
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

  const [base, openBase] = [await makeBase(owner, { ds_name: 'zqbase' }), await makeBase(owner)];
  await owner.put(`/knowledge-bases/${base.ds_id}/access`, { ds_acl: acl }).expect(200);
  await owner.post(`/knowledge-bases/${openBase.ds_id}/files`, { file_ids: [document] }).expect(200);

  const taxonomy = await makeTaxonomy(owner);
  const { term_id: term } = await addTerm(owner, taxonomy, 'Lamps');
  const form = await makeSchema(owner);
  const hidden = await makeObject(owner, form.form_id, { name: 'zqobject' }, { obj_acl: acl, obj_terms: [term] });
  const shown = await makeObject(owner, form.form_id, { name: 'Lantern' }, { obj_terms: [term] });

  closed = {
    zqfolder: folder,
    zqdocument: document,
    zqalbum: album,
    zqbase: base.ds_id,
    zqobject: hidden.obj_id,
    zqagent: await id('/agents', { agent_name: 'zqagent', agent_acl: acl }, 'agent_id'),
    zqprompt: await id('/prompts', { prompt_name: 'zqprompt', prompt_text: 'x', prompt_acl: acl }, 'prompt_id'),
  };
  open = { file, base: openBase.ds_id, object: shown.obj_id, form: form.form_id, taxonomy, term, relation };
}

/** The parameters of an operation filled in: with what is open, and with what is closed. */
function pathsOf(operation: string): readonly string[] {
  const [, area = ''] = operation.split('/');
  const of = (opened: string | undefined, ...shut: readonly string[]): readonly string[] => [...(opened ? [opened] : []), ...shut];
  const ids: Readonly<Record<string, readonly string[]>> = {
    files: of(open.file, closed.zqdocument),
    documents: of(open.file, closed.zqdocument),
    'media-files': of(undefined, closed.zqdocument),
    albums: of(undefined, closed.zqalbum),
    'document-folders': of(undefined, closed.zqfolder),
    'document-relation-types': of(open.relation),
    'knowledge-bases': of(open.base, closed.zqbase),
    objects: of(open.object, closed.zqobject),
    'object-schemas': of(open.form),
    'object-taxonomies': of(open.taxonomy),
    agents: of(undefined, closed.zqagent),
    prompts: of(undefined, closed.zqprompt),
  };
  const filled = operation.includes('{id}') ? (ids[area] ?? []).map((id) => operation.replace('{id}', id)) : [operation];
  return filled.map((path) => path.replace('{term_id}', open.term)).filter((path) => !path.includes('{'));
}

describe('rows whose access list leaves a member out', () => {
  it('show neither title nor id in anything that the member reads', async () => {
    for (const title of TITLES) {
      const [path = ''] = pathsOf(OWN[title]).filter((own) => own.includes(closed[title]));
      expect([title, (await owner.get(path)).status, (await reader.get(path)).status]).toEqual([title, 200, 404]);
    }
    const planted = [...TITLES, ...Object.values(closed)];
    expect(await sightings({ client: reader, planted, pathsOf }, readOperations(PREFIXES))).toEqual([]);
  });

  it('count for nothing in the numbers beside what the member reads', async () => {
    const read = async (path: string): Promise<Record<string, unknown>> =>
      (await reader.get(path).expect(200)).body as Record<string, unknown>;
    const tags = (await read('/media-tags?q=harbour')).data as readonly unknown[];
    expect(tags).toEqual([expect.objectContaining({ mt_file_count: 1 })]);
    expect(await read(`/document-relation-types/${open.relation}`)).toMatchObject({ rt_link_count: 0 });
    expect(await read(`/object-schemas/${open.form}`)).toMatchObject({ form_object_count: 1 });
    expect(await read(`/object-taxonomies/${open.taxonomy}/terms/${open.term}`)).toMatchObject({ term_use_count: 1 });
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

const OWN: Readonly<Record<Title, string>> = {
  zqfolder: '/document-folders/{id}',
  zqdocument: '/documents/{id}',
  zqalbum: '/albums/{id}',
  zqbase: '/knowledge-bases/{id}',
  zqobject: '/objects/{id}',
  zqagent: '/agents/{id}',
  zqprompt: '/prompts/{id}',
};
const TYPES: Readonly<Partial<Record<Title, string>>> = {
  zqfolder: 'document_folder',
  zqalbum: 'album',
  zqbase: 'knowledge_base',
  zqobject: 'object',
  zqagent: 'agent',
  zqprompt: 'prompt',
};
