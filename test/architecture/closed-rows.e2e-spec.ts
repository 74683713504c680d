import { buildOpenApi } from '@atrium/platform/http';
import { newId } from '@atrium/platform/kernel';
import type { Client, RunningApi, TestWorkspace } from '@atrium/platform/testing';
import { addTerm, makeTaxonomy } from '../objects/classifying';
import { makeBase } from '../knowledge/bases';
import { note, setTags } from '../media/tagging';
import { field, makeObject, makeSchema } from '../objects/objects';
import { sharedAtrium } from '../support/shared-atrium';
import { makeLibrary, makeSite, Pages } from '../website/pages';

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
  readonly file: string;
  readonly album: string;
  readonly folder: string;
  readonly category: string;
  readonly wildcard: string;
  readonly rule: string;
  readonly schema: string;
};

beforeAll(async () => {
  api = await sharedAtrium();
  ours = await api.workspace(['module-documents', 'module-objects']);
  owner = ours.owner.client;
  reader = (await ours.member('editor')).client;
  await plant();
}, 120_000);
afterAll(() => api.close());

interface Counted {
  readonly path: () => string;
  /** A list that shows the row as well, found by the id that ends the path. */
  readonly list?: () => string;
  readonly closed: number;
  readonly whole: number;
}

/** What the reader finds who is shown none of the closed rows, and what the owner finds. */
const COUNTS: readonly (readonly [field: string, counted: Counted])[] = [
  ['mt_file_count', { path: () => '/media-tags?q=harbour', closed: 1, whole: 2 }],
  [
    'rt_link_count',
    { path: () => `/document-relation-types/${open.relation}`, list: () => '/document-relation-types', closed: 0, whole: 1 },
  ],
  ['file_relation_count', { path: () => `/documents/${open.file}`, closed: 0, whole: 1 }],
  ['form_object_count', { path: () => `/object-schemas/${open.form}`, closed: 1, whole: 2 }],
  [
    'term_use_count',
    {
      path: () => `/object-taxonomies/${open.taxonomy}/terms/${open.term}`,
      list: () => `/object-taxonomies/${open.taxonomy}/terms`,
      closed: 1,
      whole: 2,
    },
  ],
  ['sq_used_by', { path: () => `/saved-searches/${open.search}`, list: () => '/saved-searches', closed: 0, whole: 1 }],
  ['ds_file_count', { path: () => `/knowledge-bases/${open.base}`, list: () => '/knowledge-bases', closed: 0, whole: 1 }],
  ['ds_passage_count', { path: () => `/knowledge-bases/${open.base}`, list: () => '/knowledge-bases', closed: 0, whole: 3 }],
  ['ds_pending_count', { path: () => `/knowledge-bases/${open.base}`, list: () => '/knowledge-bases', closed: 0, whole: 1 }],
  ['ds_failed_count', { path: () => `/knowledge-bases/${open.base}`, list: () => '/knowledge-bases', closed: 0, whole: 1 }],
  ['album_child_count', { path: () => `/albums/${open.album}`, list: () => '/albums', closed: 0, whole: 1 }],
  ['album_folder_count', { path: () => `/document-folders/${open.folder}`, closed: 0, whole: 1 }],
  ['pcat_prompt_count', { path: () => `/prompt-categories/${open.category}`, list: () => '/prompt-categories', closed: 0, whole: 1 }],
  ['wildcard_prompt_count', { path: () => `/wildcards/${open.wildcard}`, list: () => '/wildcards', closed: 0, whole: 1 }],
  ['tpl_use_count', { path: () => `/content-schemas/${open.schema}`, list: () => '/content-schemas', closed: 1, whole: 2 }],
  [
    'dr_publication_count',
    { path: () => `/distribution/restrictions/${open.rule}`, list: () => '/distribution/restrictions', closed: 0, whole: 1 },
  ],
];

const LISTED = COUNTS.flatMap(([field, { list, ...counted }]) => (list ? [[field, { list, ...counted }] as const] : []));

/** Counts of the document that hold nothing of a closed row, and why. */
const WHOLE: Readonly<Record<string, readonly string[]>> = {
  'of what has no access list of its own, and is read with what it belongs to': [
    'crw_page_count',
    'ds_record_count',
    'file_passage_count',
    'mtg_tag_count',
    'msf_counts',
    'person_face_count',
    'person_file_count',
    'space_member_count',
    'space_thread_count',
    'tax_term_count',
    'term_child_count',
    'thread_member_count',
    'version_count',
    'lib_template_count',
    'site_counts',
    'counts',
  ],
  'of files that are in what the caller reads, and are read with it': ['album_document_count', 'album_file_count'],
  'of rows that the answer itself finds for its caller': ['count', 'record_count'],
  'of what happened, which names nothing': ['prompt_run_count', 'pub_hit_count', 'seal_count', 'upl_part_count'],
  'of what the caller made, or orders': [
    'file_count',
    'share_approved_count',
    'share_download_count',
    'share_file_count',
    'share_rejected_count',
    'share_upload_count',
    'share_view_count',
  ],
  'shown to administrators of the vocabulary': ['mtg_file_count'],
  'shown to administrators of people': ['role_user_count', 'user_key_count', 'user_session_count'],
};

async function plant(): Promise<void> {
  const acl = { users: { [ours.owner.user_id]: 'owner' } };
  const id = async (path: string, body: object, key: string): Promise<string> =>
    (await owner.post(path, body).expect(201)).body[key] as string;

  const [file, document, waiting] = [await note(owner, 'docs'), await note(owner, 'docs'), await note(owner, 'docs')];
  await owner.put(`/files/${document}`, { file_name: 'zqdocument.txt' }).expect(200);
  for (const one of [file, document]) await setTags(owner, one, { Topic: ['harbour'] }).expect(200);
  const folder = await id('/document-folders', { album_name: 'zqfolder', album_acl: acl }, 'album_id');
  await owner.post(`/document-folders/${folder}/files`, { file_ids: [file, document, waiting] }).expect(200);
  await owner.delete(`/document-folders/${folder}/files`, { file_ids: [file] }).expect(200);
  const relation = await id('/document-relation-types', { rt_name: 'replaces' }, 'rt_id');
  await owner.post(`/documents/${file}/relations`, { rel_type: relation, document_id: document }).expect(201);
  await owner.post(`/documents/${file}/deprecate`, { file_superseded_by: document }).expect(200);
  const album = await id('/albums', { album_name: 'zqalbum', album_acl: acl }, 'album_id');

  const sq_query = { where: { field: 'kind', op: 'eq', value: 'image' } };
  const search = await id('/saved-searches', { sq_name: 'Pictures', sq_scope: 'media', sq_query }, 'sq_id');
  await id('/albums', { album_name: 'zqsmart', album_smart: true, album_query: search, album_acl: acl }, 'album_id');
  const [base, openBase] = [await makeBase(owner, { ds_name: 'zqbase' }), await makeBase(owner)];
  await owner.put(`/knowledge-bases/${base.ds_id}/access`, { ds_acl: acl }).expect(200);
  await owner.post(`/knowledge-bases/${openBase.ds_id}/files`, { file_ids: [document] }).expect(200);

  // As a worker leaves them that could read the one, and has not come to the other.
  for (const [source, status, passages] of [
    [document, 'failed', 3],
    [waiting, 'pending', 0],
  ] as const) {
    await api.sql(
      `INSERT INTO passage_source (tenant_id, source_kind, source_id, source_wanted, source_status, source_passages) VALUES ($1, 'file', $2, '1', $3, $4)
       ON CONFLICT (tenant_id, source_kind, source_id) DO UPDATE SET source_status = EXCLUDED.source_status, source_passages = EXCLUDED.source_passages`,
      [ours.tenant_id, source, status, passages],
    );
    await api.sql(
      `INSERT INTO passage_scope (tenant_id, source_kind, source_id, scope_key) VALUES ($1, 'file', $2, $3) ON CONFLICT DO NOTHING`,
      [ours.tenant_id, source, `ds:${openBase.ds_id}`],
    );
  }

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
  const [above, aboveFolder] = [
    await id('/albums', { album_name: 'Above' }, 'album_id'),
    await id('/document-folders', { album_name: 'Above' }, 'album_id'),
  ];
  await id('/albums', { album_name: 'zqbelow', album_parent: above, album_acl: acl }, 'album_id');
  await id('/document-folders', { album_name: 'zqbelow', album_parent: aboveFolder, album_acl: acl }, 'album_id');
  const category = await id('/prompt-categories', { pcat_name: 'Letters' }, 'pcat_id');
  const wildcard = await id('/wildcards', { wildcard_name: 'berth', wildcard_control_type: 'text' }, 'wildcard_id');
  const prompt = { prompt_name: 'zqletter', prompt_text: 'Write of {{berth}}.', prompt_categories: [category], prompt_acl: acl };
  await id('/prompts', prompt, 'prompt_id');
  const dr = { dr_name: 'France', dr_kind: 'territory', dr_effect: 'deny', dr_values: ['FR'] };
  const rule = await id('/distribution/restrictions', dr, 'dr_id');
  await api.sql(
    `INSERT INTO publication (tenant_id, pub_id, pub_file, pub_file_name, pub_repo_type, pub_state, pub_version, pub_file_version, pub_distribution, pub_restrictions)
     VALUES ($1, $2, $3, 'zqdocument.txt', 'docs', 'draft', 1, 1, 'restricted', ARRAY[$4]::uuid[])`,
    [ours.tenant_id, newId(), document, rule],
  );
  const library = await makeLibrary(owner);
  for (const more of [{ site_acl: acl }, {}]) await new Pages(owner, await makeSite(owner, library, more), library).make('Lamps');
  open = {
    schema: library.article,
    ...{ base: openBase.ds_id, form: form.form_id, taxonomy, term, relation, search },
    ...{ file, album: above, folder: aboveFolder, category, wildcard, rule },
  };
}

describe('rows whose access list leaves a member out', () => {
  it.each(COUNTS)('count for nothing in %s', async (field, { path, closed: without, whole }) => {
    const read = async (client: Client): Promise<unknown> => {
      const body = (await client.get(path()).expect(200)).body as { readonly data?: readonly object[] };
      return ((body.data?.[0] ?? body) as Record<string, unknown>)[field];
    };
    // What the owner reads shows that there is something to leave out.
    expect([await read(reader), await read(owner)]).toEqual([without, whole]);
  });

  it.each(LISTED)('count for nothing in %s of lists', async (field, { path, list, closed: without, whole }) => {
    const id = path().split('/').at(-1) ?? '';
    const read = async (client: Client): Promise<unknown> => {
      const { data } = (await client.get(`${list()}?limit=100`).expect(200)).body as { readonly data: readonly Record<string, unknown>[] };
      return data.find((row) => row[`${field.split('_')[0]}_id`] === id)?.[field];
    };
    expect([await read(reader), await read(owner)]).toEqual([without, whole]);
  });

  it('are in a count that is tested here, or in one that has a reason to be whole', () => {
    const schemas = buildOpenApi(api.app, 'http://localhost').components?.schemas ?? {};
    const counts = Object.values(schemas).flatMap((schema) =>
      Object.keys(('properties' in schema && schema.properties) || {}).filter((name) => /(?:^|_)counts?$/.test(name)),
    );
    const placed = [...COUNTS.map(([field]) => field), ...Object.values(WHOLE).flat()].filter((field) => field !== 'sq_used_by');
    expect(placed.sort()).toEqual([...new Set(counts)].sort());
  });

  it('keep a search that they use from being deleted', async () => {
    await owner.delete(`/saved-searches/${open.search}`).expect(409);
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
      errors: [{ path: 'obj_id', code: 'in_use', message: 'Something that you cannot view refers to it.' }],
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
