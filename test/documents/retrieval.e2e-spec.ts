import { PassageSearch } from '@atrium/retrieval';
import { inWorkspace } from '@atrium/platform/database';
import { newId } from '@atrium/platform/kernel';
import { eventually, ModelServer, type RunningApi, type TestWorkspace } from '@atrium/platform/testing';
import { upload } from '../files/uploading';
import { Crediting } from '../governance/crediting';
import { EMBEDDING, provideModels } from '../models/providing';
import { sharedAtriumWithWorker } from '../support/shared-atrium';

interface Hit {
  readonly passage_id: string;
  readonly text: string;
  readonly citation: { readonly source_id: string; readonly title: string };
  readonly explain: object | null;
}

const DOCS = { file_repo: { library: ['docs'] } };
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

/** Until the lease is indexed. */
const found = (client = ours.owner.client): Promise<object> =>
  eventually(
    () => search('termination of the lighthouse', {}, client),
    ({ data }) => data.length === 1,
  );

describe('searching passages', () => {
  it('finds what the workspace holds and nothing of another one with the same text', async () => {
    const { data } = await search('termination of the lighthouse', { explain: true });
    expect(data.map(({ citation }) => citation.source_id)).toEqual([lease]);
    expect(data[0]).toMatchObject({ text: expect.stringContaining('three months'), citation: { title: 'lease.md' }, explain: {} });
    expect((await search('termination of the lighthouse')).data[0]?.explain).toBeNull();
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

  it('names what is wrong with a query', async () => {
    for (const [path, body] of [
      ['query', { query: '' }],
      ['limit', { limit: 101 }],
      ['similarity_threshold', { similarity_threshold: 1.5 }],
      ['mode', { mode: 'guess' }],
    ] as const) {
      const answer = await ours.owner.client.post('/retrieval/search', { query: 'x', ...body }).expect(400);
      expect(answer.body.errors[0].path).toBe(path);
    }
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
    await ours.owner.client.delete(`/document-folders/${album_id}`).expect(204);
    expect((await search('termination', {}, reader.client)).data.length).toBe(1);

    await ours.owner.client.delete(`/files/${lease}`);
    expect((await search('termination')).data).toEqual([]);
    await open().expect(404);
    await ours.owner.client.post(`/files/${lease}/restore`).expect(200);
    await found();
  });

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
    const agents = await inWorkspace(workspace.tenant_id, () =>
      api.app.get(PassageSearch, { strict: false }).search({ actor: null, query: QUERY, scopes: ['docs'] }),
    );
    const client = await search(QUERY, {}, workspace.owner.client);
    return [agents.data, client.data].map((hits) => hits.map(({ citation }) => citation.source_id));
  };
  const listed = async (query = ''): Promise<string[]> =>
    ((await workspace.owner.client.get(`/documents${query}`).expect(200)).body.data as { file_id: string }[]).map(({ file_id }) => file_id);
  const nowhere = [[], []];

  it('[documents 4] is in no search from the moment it is deprecated, and in all of them once it is restored, without a new embedding', async () => {
    const { client } = workspace.owner;
    expect(await everywhere()).toEqual([[id], [id]]);
    const bought = models.embeddings.length;
    expect(bought).toBeGreaterThan(1);

    await client.post(`/documents/${id}/deprecate`, { reason: 'out of date' }).expect(200);
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

  it('[documents 5] is in no search from the moment it lies in the trash, and in all of them once it is taken out, without a new embedding', async () => {
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

  it('is closed to everybody else', async () => {
    const editor = await ours.member('editor');
    await editor.client.get('/retrieval/status').expect(403);
    await editor.client.post('/retrieval/reindex', {}).expect(403);
  });
});
