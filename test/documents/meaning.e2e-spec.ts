import { ModelServer, type Client, type RunningApi, type TestWorkspace } from '@atrium/platform/testing';
import { storeFile } from '../files/stored-files';
import { Crediting } from '../governance/crediting';
import { EMBEDDING, provideModels } from '../models/providing';
import { makeGroup } from '../media/tagging';
import { sharedAtriumWithWorker } from '../support/shared-atrium';
import { indexed, uploadDocument } from './documents-of';

interface Found {
  readonly file_id: string;
  readonly file_name: string;
  readonly similarity: number | null;
}

interface Listed {
  readonly mode: string | undefined;
  readonly data: readonly Found[];
  readonly next_cursor: string | null;
}

const QUERY = 'notice of termination for the keeper of the lighthouse';
const TEXTS = {
  'lease.md': '# Lease\n\nThe keeper of the lighthouse gives notice of termination three months before the lamp is put out.',
  'wages.md': '# Wages\n\nThe keeper of the lighthouse is paid by the month, and by the day in the weeks of notice.',
  'paint.md': '# Paint\n\nThe lighthouse is painted white every second year, its door and its gallery red.',
  'long.md': `# Menu\n\n${'Soup of carrots and onions with bread. '.repeat(60)}\n\n# Appendix\n\nThe lighthouse has a keeper; notice of termination is given in writing.`,
  'menu.md': '# Menu\n\nSoup of carrots and onions with bread, then fish from the bay.',
};

let api: RunningApi;
let ours: TestWorkspace;
let ids: ReadonlyMap<string, string>;

beforeAll(async () => {
  api = await sharedAtriumWithWorker();
  ours = await api.workspace(['module-documents']);
  const made = new Map<string, string>();
  for (const [name, text] of Object.entries(TEXTS)) made.set(name, (await uploadDocument(ours.owner.client, name, text)).file_id);
  ids = made;
  await indexed(api, ours);
}, 120_000);
afterAll(() => api.close());

async function list(query: object, client: Client = ours.owner.client): Promise<Listed> {
  const { headers, body } = await client.get(`/documents?${new URLSearchParams(query as Record<string, string>).toString()}`).expect(200);
  return { mode: headers['x-search-mode'], ...(body as Omit<Listed, 'mode'>) };
}
const names = ({ data }: Listed): string[] => data.map(({ file_name }) => file_name);

/** The best passage of each document, by the search of passages. */
async function bestPassages(): Promise<Map<string, number>> {
  const { body } = await ours.owner.client
    .post('/retrieval/search', { query: QUERY, mode: 'vector', limit: 100, max_per_source: 20, similarity_threshold: 0 })
    .expect(200);
  const best = new Map<string, number>();
  for (const { similarity, citation } of body.data as { similarity: number; citation: { source_id: string } }[])
    best.set(citation.source_id, Math.max(similarity, best.get(citation.source_id) ?? 0));
  return best;
}

describe('[documents 3] documents listed by meaning', () => {
  it('come once each, by their best passage, with scores between 0 and 1', async () => {
    const found = await list({ embedding_search: QUERY, similarityThreshold: 0 });
    expect(found.mode).toBe('meaning');
    expect(names(found).slice(0, 2).sort()).toEqual(['lease.md', 'long.md']);
    const expected = [...(await bestPassages())].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1));
    expect(found.data.length).toBeGreaterThan(2);
    expect(found.data.map(({ file_id }) => file_id)).toEqual(expected.map(([id]) => id));
    for (const [at, { similarity }] of found.data.entries()) {
      expect(similarity).toBeCloseTo(expected[at]?.[1] ?? NaN, 6);
      expect(similarity).toBeGreaterThan(0);
      expect(similarity).toBeLessThanOrEqual(1);
    }
  });

  it('are read page after page without one missing or coming twice, whatever `sort` says', async () => {
    const all = await list({ embedding_search: QUERY, similarityThreshold: 0 });
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const page = await list({
        embedding_search: QUERY,
        similarityThreshold: 0,
        limit: 2,
        sort: 'file_name',
        ...(cursor === null ? {} : { cursor }),
      });
      seen.push(...names(page));
      cursor = page.next_cursor;
    } while (cursor !== null);
    expect(seen).toEqual(names(all));
    expect(names(await list({ embedding_search: QUERY, similarityThreshold: 0, offset: 1, limit: 2 }))).toEqual(names(all).slice(1, 3));
  });

  it('begin at the threshold, which is that of the model when none is given', async () => {
    const all = await list({ embedding_search: QUERY, similarityThreshold: 0 });
    const [, second] = all.data;
    expect(names(await list({ embedding_search: QUERY, similarityThreshold: ((second?.similarity ?? 0) - 1e-6).toFixed(6) }))).toEqual(
      names(all).slice(0, 2),
    );
    expect(names(await list({ embedding_search: QUERY }))).toEqual(
      all.data.filter(({ similarity }) => (similarity ?? 0) >= 0.12).map(({ file_name }) => file_name),
    );
    expect(names(await list({ embedding_search: QUERY, similarityThreshold: 1 }))).toEqual([]);
  });

  it('keep to all other filters, and to what the reader may see', async () => {
    const { client } = ours.owner;
    const found = async (filter: object = {}, reader = client): Promise<string[]> =>
      names(await list({ embedding_search: QUERY, similarityThreshold: 0, ...filter }, reader)).sort();
    const all = await found();
    expect(await found({ search: 'LEAS' })).toEqual(['lease.md']);
    expect(await found({ file_format: 'pdf' })).toEqual([]);
    await makeGroup(client, { mtg_name: 'Rent', mtg_scope: 'docs' });
    await client.post('/documents/actions/tag', { file_ids: [ids.get('wages.md')], add: { Rent: ['Paid'] } }).expect(200);
    expect(await found({ 'tags[Rent]': 'Paid' })).toEqual(['wages.md']);

    const reader = await ours.member('viewer');
    const closed = await client
      .post('/document-folders', { album_name: 'Closed', album_acl: { users: { [ours.owner.user_id]: 'owner' } } })
      .expect(201);
    await client.post(`/document-folders/${closed.body.album_id}/files`, { file_ids: [ids.get('lease.md')] }).expect(200);
    expect(await found({ folder: closed.body.album_id as string })).toEqual(['lease.md']);
    expect(await found({ folder: closed.body.album_id as string }, reader.client)).toEqual([]);
    expect(await found({}, reader.client)).toEqual(all.filter((name) => name !== 'lease.md'));
    await client.delete(`/document-folders/${closed.body.album_id}/files`, { file_ids: [ids.get('lease.md')] }).expect(200);
    await client.delete(`/document-folders/${closed.body.album_id}`).expect(204);

    const id = ids.get('paint.md');
    await client.post(`/documents/${id}/deprecate`).expect(200);
    for (const lifecycle of ['active', 'all', 'deprecated']) expect(await found({ lifecycle })).not.toContain('paint.md');
    await client.post(`/documents/${id}/restore`).expect(200);
    await client.delete(`/files/${id}`).expect(204);
    expect(await found()).not.toContain('paint.md');
    await client.post(`/files/${id}/restore`).expect(200);
    expect(await found()).toEqual(all);

    const theirs = await api.workspace(['module-documents']);
    expect(await list({ embedding_search: QUERY, similarityThreshold: 0 }, theirs.owner.client)).toMatchObject({
      data: [],
      mode: 'meaning',
    });
  });

  it('are asked for by a text of 1 to 2,000 characters and a threshold between 0 and 1', async () => {
    const refused = await ours.owner.client.get('/documents?embedding_search=x&similarityThreshold=1.01').expect(400);
    expect(refused.body).toMatchObject({ code: 'validation_failed', errors: [{ path: 'similarityThreshold' }] });
    await ours.owner.client.get(`/documents?embedding_search=${'🚣'.repeat(200)}`).expect(200);
  });
});

describe('[documents 3] when the provider of embeddings', () => {
  let models: ModelServer;
  let workspace: TestWorkspace;
  let newer: string;

  beforeAll(async () => {
    models = await ModelServer.start();
    workspace = await api.workspace(['module-documents']);
    await new Crediting(api).grant(workspace, { grant_credits: 10 });
    await provideModels(api, workspace, models, [{ ...EMBEDDING, model_default: true }]);
    await storeFile(api, workspace, { repo: 'docs', name: 'Harbour plan.txt', created: new Date('2026-01-01') });
    newer = (await storeFile(api, workspace, { repo: 'docs', name: 'notes.txt', created: new Date('2026-02-01') })).file_id;
    await api.sql(`UPDATE file SET file_summary = 'About the HARBOUR PLAN' WHERE file_id = $1`, [newer]);
    await storeFile(api, workspace, { repo: 'docs', name: 'menu.txt' });
  }, 60_000);
  afterAll(() => models.stop());

  /** The text in a name or a summary, newest first, although another order is asked for. */
  const inWords = async (text: string): Promise<void> => {
    const found = await list({ embedding_search: text, sort: 'file_created' }, workspace.owner.client);
    expect(found.mode).toBe('text');
    expect(names(found)).toEqual(['notes.txt', 'Harbour plan.txt']);
    expect(found.data.map(({ similarity }) => similarity)).toEqual([null, null]);
    expect(names(await list({ embedding_search: text, search: 'plan.txt' }, workspace.owner.client))).toEqual(['Harbour plan.txt']);
  };

  it('does not answer in time, refuses or is down, the same text is looked for in names and summaries', async () => {
    expect((await list({ embedding_search: 'harbour plan' }, workspace.owner.client)).mode).toBe('meaning');
    models.embeddingTurns.push({ status: 500 }, { status: 500 });
    await inWords('harbour pla');
    models.embeddingTurns.push({ afterMs: 6_000 }, { afterMs: 6_000 });
    await inWords('arbour plan');
    await models.stop();
    await inWords('Harbour Plan');
  }, 30_000);

  it('is not there, lists without meaning are what they were', async () => {
    const plain = await list({}, workspace.owner.client);
    expect([plain.mode, plain.data.length]).toEqual([undefined, 3]);
    expect(plain.data[0]).not.toHaveProperty('similarity');
  });
});
