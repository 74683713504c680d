import { PassageSearch, type PassageResult } from '@atrium/retrieval';
import { inWorkspace } from '@atrium/platform/database';
import { newId } from '@atrium/platform/kernel';
import { eventually, ModelServer, type RunningApi, type TestWorkspace } from '@atrium/platform/testing';
import { ask } from '../architecture/asking';
import { upload } from '../files/uploading';
import { Crediting } from '../governance/crediting';
import { makeBase } from '../knowledge/bases';
import { EMBEDDING, provideModels } from '../models/providing';
import { sharedAtriumWithWorker } from '../support/shared-atrium';
import { DOCS } from './documents-of';

interface Hit {
  readonly passage_id: string;
  readonly text: string;
  readonly citation: { readonly source_id: string; readonly title: string };
  readonly explain: object | null;
}

const TEXT = '# Lease of the lighthouse\n\nThe keeper gives notice of termination three months before the lamp is put out.\n';

let api: RunningApi;
let ours: TestWorkspace;
let theirs: TestWorkspace;
let lease: string;

beforeAll(async () => {
  api = await sharedAtriumWithWorker();
  ours = await api.workspace(['module-documents']);
  theirs = await api.workspace(['module-documents']);
  lease = (await upload(ours.owner.client, 'lease.md', Buffer.from(TEXT), DOCS)).file_id;
  await upload(theirs.owner.client, 'lease.md', Buffer.from(TEXT), DOCS);
  await found();
  await found(theirs.owner.client);
}, 120_000);
afterAll(() => api.close());

const search = async (query: string, body: object = {}, client = ours.owner.client): Promise<{ data: Hit[]; ignored_scopes: string[] }> =>
  (await client.post('/retrieval/search', { query, ...body }).expect(200)).body as { data: Hit[]; ignored_scopes: string[] };

/** What is searched without anybody's rights, as channels do. */
const nobody = (more: object = {}, { tenant_id } = ours): Promise<PassageResult> =>
  inWorkspace(tenant_id, () =>
    api.app.get(PassageSearch, { strict: false }).searchPassages({ actor: null, query: 'termination', scopes: ['docs'], ...more }),
  );

/** Until the lease is indexed. */
const found = (client = ours.owner.client): Promise<object> =>
  eventually(
    () => search('termination of the lighthouse', {}, client),
    ({ data }) => data.length === 1,
  );

describe('searching passages', () => {
  it('[documents 16] finds what the workspace holds and nothing of another one with the same text', async () => {
    const { data } = await search('termination of the lighthouse', { explain: true });
    expect(data.map(({ citation }) => citation.source_id)).toEqual([lease]);
    expect(data[0]).toMatchObject({ text: expect.stringContaining('three months'), citation: { title: 'lease.md' }, explain: {} });
    expect((await search('termination of the lighthouse')).data[0]?.explain).toBeNull();
  });

  it('[documents 16] answers nothing of a workspace to one that names its ids, nor to a connection without a workspace', async () => {
    const [hit] = (await search('termination')).data;
    const { ds_id } = await makeBase(ours.owner.client);
    await ours.owner.client.post(`/knowledge-bases/${ds_id}/files`, { file_ids: [lease] }).expect(200);
    const base = `ds:${ds_id}`;
    expect((await search('termination', { scopes: [base] })).data).toHaveLength(1);
    for (const body of [
      { scopes: ['docs', base] },
      { scopes: [base] },
      { filter: { source_ids: [lease] } },
      { mode: 'text' },
      { mode: 'vector', similarity_threshold: 0 },
    ]) {
      const answer = await search('termination of the lighthouse', body, theirs.owner.client);
      expect(JSON.stringify(answer)).not.toContain(lease);
      expect(JSON.stringify(answer)).not.toContain(hit?.passage_id);
    }
    expect((await search('termination', { scopes: ['docs', base] }, theirs.owner.client)).ignored_scopes).toEqual([base]);
    expect(JSON.stringify((await theirs.owner.client.get('/documents?lifecycle=all').expect(200)).body)).not.toContain(lease);
    for (const call of [
      `files_named_like('lease', 'docs', 10)`,
      `search_passages_words('{lighthouse}')`,
      `search_passages_text(NULL, '{lighthouse}', '{1}', '{}', false, '{docs,${base}}', NULL, 10)`,
      'passage',
      'vector_entry',
    ]) {
      expect({ call, found: await ask(api.database.appUrl, `SELECT * FROM ${call}`, { tenant: ours.tenant_id }) }).toMatchObject({
        call,
        found: expect.arrayContaining([expect.anything()]) as object[],
      });
      expect(await api.sqlAsService(`SELECT * FROM ${call}`)).toEqual([]);
    }
    await ours.owner.client.delete(`/knowledge-bases/${ds_id}`).expect(204);
  });

  it('ignores scopes that are not there, and searches nothing else in their place', async () => {
    const scope = `ds:${newId()}`;
    expect(await search('termination', { scopes: [scope] })).toMatchObject({ data: [], ignored_scopes: [scope] });
    expect((await search('termination', { scopes: ['docs', scope] })).data.length).toBe(1);
  });

  it('keeps to the filter', async () => {
    expect((await search('termination', { filter: { source_ids: [lease], file_format: ['md'] } })).data.length).toBe(1);
    expect((await search('termination', { filter: { file_format: ['pdf'] } })).data).toEqual([]);
    expect((await search('termination', { filter: { source_ids: [newId()] } })).data).toEqual([]);
  });

  it('keeps to folders, tags and fields of documents, each for those who may filter by it', async () => {
    const { client } = ours.owner;
    const finds = async (filter: object, reader = client): Promise<number> => (await search('termination', { filter }, reader)).data.length;
    const { album_id } = (await client.post('/document-folders', { album_name: 'Leases' }).expect(201)).body as { album_id: string };
    expect(await finds({ folder: 'none' })).toBe(1);
    await client.post(`/document-folders/${album_id}/files`, { file_ids: [lease] }).expect(200);
    await client.post('/documents/actions/tag', { file_ids: [lease], add: { Topic: ['Lease'], Year: ['2024'] } }).expect(200);
    await client.put(`/files/${lease}`, { file_metadata: { matter: 'H-7', year: 2024 } }).expect(200);
    for (const [filter, count] of [
      [{ folder: album_id }, 1],
      [{ folder: 'none' }, 0],
      [{ folder: newId() }, 0],
      [{ tags: { Topic: ['Lease', 'Loan'], Year: ['2024'] } }, 1],
      [{ tags: { Topic: ['Lease'], Year: ['2025'] } }, 0],
      [{ fields: { matter: { eq: 'H-7' } } }, 1],
      [{ fields: { matter: { eq: 'H-8' } } }, 0],
      [{ fields: { year: { gte: 2024, lte: 2024 }, matter: { in: ['H-6', 'H-7'] } } }, 1],
      [{ fields: { year: { gte: 2025 } } }, 0],
      [{ folder: album_id, file_format: ['md'], tags: { Topic: ['Lease'] }, fields: { year: { lte: 2030 } }, language: ['en'] }, 1],
      [{ folder: album_id, file_format: ['pdf'] }, 0],
      [{ language: ['de'] }, 0],
    ] as const)
      expect([filter, await finds(filter)]).toEqual([filter, count]);
    expect(await finds({ folder: album_id }, theirs.owner.client)).toBe(0);
    expect((await nobody({ filter: { folder: album_id } })).data.map(({ citation }) => citation.source_id)).toEqual([lease]);
    const smart = await client
      .post('/document-folders/smart', {
        album_name: 'Of 2024',
        query_search: { where: { field: 'metadata.year', op: 'eq', value: 2024 } },
      })
      .expect(201);
    expect(await finds({ folder: smart.body.album_id as string })).toBe(1);

    for (const [path, filter] of [
      ['filter.tags[Topic]', { tags: { Topic: [7] } }],
      ['filter.fields.year', { fields: { year: 2024 } }],
      ['filter.fields.year.after', { fields: { year: { after: 2024 } } }],
      ['filter.fields.year.eq', { fields: { year: { eq: [1] } } }],
      ['filter.fields.a b', { fields: { 'a b': { eq: 1 } } }],
    ] as const) {
      const refused = await client.post('/retrieval/search', { query: 'x', filter }).expect(400);
      expect(refused.body).toMatchObject({ code: 'validation_failed', errors: [{ path }] });
    }
    await client.delete(`/document-folders/${album_id}`).expect(204);
  });

  it('explains which words and channels found a passage, and how many the threshold left out', async () => {
    const { body } = await ours.owner.client
      .post('/retrieval/search', { query: 'termination of the lighthouse', similarity_threshold: 0.99, explain: true })
      .expect(200);
    expect(body).toMatchObject({
      dropped: 1,
      data: [{ similarity: null, explain: { text_rank: 1, vector_rank: null, terms: expect.arrayContaining(['lighthouse']) } }],
    });
    const all = await ours.owner.client.post('/retrieval/search', { query: 'termination of the lighthouse', explain: true }).expect(200);
    expect(all.body).toMatchObject({ dropped: 0, data: [{ explain: { vector_rank: 1 } }] });
    expect((await ours.owner.client.post('/retrieval/search', { query: 'termination' }).expect(200)).body.dropped).toBeNull();
  });

  it('names what is wrong with a query', async () => {
    const answer = await ours.owner.client.post('/retrieval/search', { query: 'x', limit: 101 }).expect(400);
    expect(answer.body).toMatchObject({ code: 'validation_failed', errors: [{ path: 'limit' }] });
  });

  it('follows trash and the access lists of folders at once, in searches and where a citation is opened', async () => {
    const [hit] = (await search('termination')).data;
    const open = (client = ours.owner.client): ReturnType<typeof client.get> => client.get(`/retrieval/passages/${hit?.passage_id}`);
    const reader = await ours.member('viewer');
    expect((await search('termination', {}, reader.client)).data.length).toBe(1);
    expect((await open(reader.client).expect(200)).body.text).toBe(hit?.text);

    const { album_id } = (
      await ours.owner.client
        .post('/document-folders', { album_name: 'Closed', album_acl: { users: { [ours.owner.user_id]: 'owner' } } })
        .expect(201)
    ).body as { album_id: string };
    await ours.owner.client.post(`/document-folders/${album_id}/files`, { file_ids: [lease] }).expect(200);
    expect((await search('termination', {}, reader.client)).data).toEqual([]);
    await open(reader.client).expect(404);
    expect((await search('termination')).data.length).toBe(1);
    await ours.owner.client.delete(`/document-folders/${album_id}`).expect(409);
    await ours.owner.client.delete(`/document-folders/${album_id}/files`, { file_ids: [lease] }).expect(200);
    await ours.owner.client.delete(`/document-folders/${album_id}`).expect(204);
    expect((await search('termination', {}, reader.client)).data.length).toBe(1);

    await ours.owner.client.delete(`/files/${lease}`);
    expect((await search('termination')).data).toEqual([]);
    await open().expect(404);
    await ours.owner.client.post(`/files/${lease}/restore`).expect(200);
    await found();
  });

  it('[documents 15] shows somebody whom a folder excludes nothing of its document, wherever it might stand', async () => {
    const workspace = await api.workspace(['module-documents']);
    const { client, user_id } = workspace.owner;
    const reader = (await workspace.member('owner')).client;
    const id = (await upload(client, 'lease.md', Buffer.from(TEXT), DOCS)).file_id;
    const other = (await upload(client, 'beside.md', Buffer.from('# Beside\n\nThe lamp of the lighthouse is polished.'), DOCS)).file_id;
    const { rt_id } = (await client.post('/document-relation-types', { rt_name: 'mentions' }).expect(201)).body as { rt_id: string };
    await client.post(`/documents/${other}/relations`, { rel_type: rt_id, document_id: id }).expect(201);
    const old = (await upload(client, 'old.md', Buffer.from('# Before\n\nWhat was agreed before.'), DOCS)).file_id;
    await client.post(`/documents/${old}/deprecate`, { file_superseded_by: id }).expect(200);
    const { ds_id } = await makeBase(client);
    await client.post(`/knowledge-bases/${ds_id}/files`, { file_ids: [id] }).expect(200);
    /** How much the reader sees of it. */
    const counted = async (): Promise<object> => {
      const base = (await reader.get(`/knowledge-bases/${ds_id}`).expect(200)).body as Record<string, unknown>;
      return {
        links: (await reader.get(`/document-relation-types/${rt_id}`).expect(200)).body.rt_link_count as number,
        of_the_other: (await reader.get(`/documents/${other}`).expect(200)).body.file_relation_count as number,
        in_base: ['ds_file_count', 'ds_passage_count', 'ds_pending_count', 'ds_failed_count'].map((count) => base[count]),
        formats: (await reader.get('/documents/formats?lifecycle=all').expect(200)).body.data as object[],
      };
    };
    await eventually(
      () => search('lighthouse', {}, reader),
      ({ data }) => data.length === 2,
      60_000,
    );
    const [hit] = (await search('termination', {}, client)).data;
    const everywhere = async (): Promise<string> =>
      JSON.stringify([
        (await reader.get('/documents?lifecycle=all').expect(200)).body,
        (await reader.get(`/documents?file_id=${id}`).expect(200)).body,
        (await reader.get('/documents?embedding_search=termination%20of%20the%20lighthouse&similarityThreshold=0').expect(200)).body,
        (await reader.get('/files?repo_type=docs').expect(200)).body,
        (await reader.get('/files/search?q=lease').expect(200)).body,
        (await reader.get(`/documents/${other}/relations`).expect(200)).body,
        (await reader.get(`/files/${other}/history`).expect(200)).body,
        (await reader.get(`/documents/${old}`).expect(200)).body,
        (await reader.get(`/knowledge-bases/${ds_id}/files`).expect(200)).body,
        await search('lighthouse', { scopes: [`ds:${ds_id}`] }, reader),
        await search('lighthouse', { neighbors: 3 }, reader),
        await search('lighthouse', { mode: 'vector', similarity_threshold: 0 }, reader),
      ]);
    const open = await everywhere();
    for (const part of JSON.parse(open) as object[]) expect(JSON.stringify(part)).toContain(id);
    expect(await counted()).toEqual({ links: 1, of_the_other: 1, in_base: [1, 1, 0, 0], formats: [{ format: 'md', count: 3 }] });
    const closed = await client
      .post('/document-folders', { album_name: 'Board', album_acl: { users: { [user_id]: 'owner' } } })
      .expect(201);
    await client.post(`/document-folders/${closed.body.album_id}/files`, { file_ids: [id] }).expect(200);
    const seen = await everywhere();
    expect(seen).toContain(other);
    expect(seen).not.toContain(id);
    expect(seen).not.toContain(hit?.passage_id);
    await reader.get(`/retrieval/passages/${hit?.passage_id}`).expect(404);
    expect(await counted()).toEqual({ links: 0, of_the_other: 0, in_base: [0, 0, 0, 0], formats: [{ format: 'md', count: 2 }] });
    expect((await nobody({}, workspace)).data.map(({ citation }) => citation.source_id)).not.toContain(id);
  }, 100_000);

  it('opens no passage of another workspace', async () => {
    const [hit] = (await search('termination')).data;
    await theirs.owner.client.get(`/retrieval/passages/${hit?.passage_id}`).expect(404);
  });

  it('needs no licence, but the scope of documents needs the module', async () => {
    const unlicensed = await api.workspace();
    expect(await search('termination', { scopes: ['docs'] }, unlicensed.owner.client)).toMatchObject({
      data: [],
      ignored_scopes: ['docs'],
    });
  });
});

describe('a document that comes and goes', () => {
  const QUERY = 'termination of the lighthouse';
  let models: ModelServer;
  let workspace: TestWorkspace;
  let id: string;

  beforeAll(async () => {
    models = await ModelServer.start();
    workspace = await api.workspace(['module-documents']);
    await new Crediting(api).grant(workspace, { grant_credits: 10 });
    await provideModels(api, workspace, models, [{ ...EMBEDDING, model_default: true }]);
    id = (await upload(workspace.owner.client, 'lease.md', Buffer.from(TEXT), DOCS)).file_id;
    await found(workspace.owner.client);
  }, 60_000);
  afterAll(() => models.stop());

  /** What agents call, and what a client asks. */
  const everywhere = async (): Promise<string[][]> => {
    const agents = await nobody({ query: QUERY }, workspace);
    const client = await search(QUERY, {}, workspace.owner.client);
    return [agents.data, client.data].map((hits) => hits.map(({ citation }) => citation.source_id));
  };
  const listed = async (query = ''): Promise<string[]> =>
    ((await workspace.owner.client.get(`/documents${query}`).expect(200)).body.data as { file_id: string }[]).map(({ file_id }) => file_id);
  const nowhere = [[], []];

  it('is found by meaning alone where the query has no words that say anything', async () => {
    const { client } = workspace.owner;
    for (const query of ['of the', '?!']) expect((await search(query, { mode: 'text' }, client)).data).toEqual([]);
    expect((await search('of the', { similarity_threshold: 0 }, client)).data).toMatchObject([{ citation: { source_id: id } }]);
    expect(await search('?!', {}, client)).toMatchObject({ data: [], fallback: null });
  });

  it('[documents 4] is in no search from the moment it is deprecated, and in all of them once it is restored, without a new embedding', async () => {
    const { client } = workspace.owner;
    expect(await everywhere()).toEqual([[id], [id]]);
    const cost = async (query: string): Promise<unknown> =>
      (await client.post('/retrieval/search', { query }).expect(200)).body.usage as unknown;
    expect(await cost('keeper of lamps')).toEqual({ embedding_tokens: 3 });
    expect(await cost('keeper of lamps')).toEqual({ embedding_tokens: 0 });
    const bought = models.embeddings.length;
    expect(bought).toBeGreaterThan(2);

    await client.post(`/documents/${id}/deprecate`, { file_deprecated_reason: 'out of date' }).expect(200);
    expect(await everywhere()).toEqual(nowhere);
    expect(await listed()).toEqual([]);
    expect(await listed('?lifecycle=deprecated')).toEqual([id]);
    expect(await listed('?lifecycle=all')).toEqual([id]);
    expect((await client.get(`/documents/${id}`).expect(200)).body).toMatchObject({ file_deprecated: true, markdown_ready: true });
    const passages = (await client.get(`/documents/${id}/passages`).expect(200)).body.data as { text: string; indexed: boolean }[];
    expect(passages).toMatchObject([{ text: expect.stringContaining('three months'), indexed: false }]);
    const { body: address } = await client.get(`/files/${id}/download-url`).expect(200);
    expect(await (await fetch(address as string)).text()).toBe(TEXT);

    await client.post(`/documents/${id}/restore`).expect(200);
    expect(await everywhere()).toEqual([[id], [id]]);
    expect(await listed()).toEqual([id]);
    expect(models.embeddings).toHaveLength(bought);
  });

  it('[documents 5] is in no search from the moment it is trashed, and in all of them once it is restored, without a new embedding', async () => {
    const { client } = workspace.owner;
    expect(await everywhere()).toEqual([[id], [id]]);
    const bought = models.embeddings.length;
    await client.delete(`/files/${id}`).expect(204);
    expect(await everywhere()).toEqual(nowhere);
    await client.post(`/files/${id}/restore`).expect(200);
    expect(await everywhere()).toEqual([[id], [id]]);
    expect(models.embeddings).toHaveLength(bought);

    // What was deprecated before it was trashed comes back as it was.
    await client.post(`/documents/${id}/deprecate`).expect(200);
    await client.delete(`/files/${id}`).expect(204);
    await client.post(`/files/${id}/restore`).expect(200);
    expect(await everywhere()).toEqual(nowhere);
    await client.post(`/documents/${id}/restore`).expect(200);
    expect(await everywhere()).toEqual([[id], [id]]);
  });
});

describe('the index', () => {
  it('is shown to administrators and made again by a job', async () => {
    expect((await ours.owner.client.get('/retrieval/status').expect(200)).body).toMatchObject({ sources: 1, failed: 0, stale_models: [] });
    const started = await ours.owner.client.post('/retrieval/reindex', { scope: 'docs', only: 'all' }).expect(202);
    expect(started.headers.location).toBe(`/api/v1/jobs/${started.body.job_id}`);
    const ended = await eventually(
      async () => (await ours.owner.client.get(`/jobs/${started.body.job_id}`).expect(200)).body as { status: string; result: object },
      ({ status }) => status === 'completed',
    );
    expect(ended.result).toEqual({ sources: 1 });
  });

  it('is shown where there is nothing in it', async () => {
    const empty = await api.workspace(['module-documents']);
    expect((await empty.owner.client.get('/retrieval/status').expect(200)).body).toMatchObject({
      sources: 0,
      passages: 0,
      stale_models: [],
    });
  });

  it('is closed to everybody else', async () => {
    const editor = await ours.member('editor');
    await editor.client.get('/retrieval/status').expect(403);
    await editor.client.post('/retrieval/reindex', {}).expect(403);
  });
});
