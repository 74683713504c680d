import { Embedder, PassageReindexing, PassageUpkeep, PASSAGE_VECTORS, VectorIndex } from '@atrium/retrieval';
import { newId } from '@atrium/platform/kernel';
import { eventually, ModelServer, type RunningApi, type TestWorkspace } from '@atrium/platform/testing';
import type { INestApplicationContext } from '@nestjs/common';
import { Crediting } from '../governance/crediting';
import { EMBEDDING, MODELS_ON_LOOPBACK, provideModels } from '../models/providing';
import { startAtrium, startWorker } from '../support/api';
import { OPERATOR_TOKENS } from '../support/operating';
import { Notes, type Note } from './notes';

let api: RunningApi;
let worker: INestApplicationContext;
let server: ModelServer;
let notes: Notes;
let crediting: Crediting;

beforeAll(async () => {
  server = await ModelServer.start();
  api = await startAtrium({ ...MODELS_ON_LOOPBACK, OPERATOR_TOKENS });
  worker = await startWorker(api);
  notes = new Notes(api, [api.app, worker]);
  crediting = new Crediting(api);
}, 120_000);
afterEach(() => {
  server.embeddingTurns.length = 0;
});
afterAll(async () => {
  await api.close();
  await server.stop();
});

const embedding = async (credits?: number): Promise<TestWorkspace> => {
  const workspace = await crediting.workspace(credits);
  await provideModels(api, workspace, server, [{ ...EMBEDDING, model_default: true }]);
  return workspace;
};

interface Source {
  readonly source_status: string;
  readonly source_error: string | null;
  readonly source_model: string | null;
  readonly [column: string]: unknown;
}

const sourceOf = async ({ tenant_id }: TestWorkspace, { id }: Pick<Note, 'id'>): Promise<Source | undefined> =>
  (
    await api.sql<Source>('SELECT source_status, source_error, source_model FROM passage_source WHERE tenant_id = $1 AND source_id = $2', [
      tenant_id,
      id,
    ])
  )[0];
const untilLive = (workspace: TestWorkspace, note: Pick<Note, 'id'>): Promise<Source | undefined> =>
  eventually(
    () => sourceOf(workspace, note),
    (source) => source?.source_status === 'live',
    60_000,
  );

const OUT_OF_ORDER = Array.from({ length: 12 }, () => ({ status: 503 }) as const);

describe('a provider of embeddings that is away', () => {
  it('leaves searches to words, which say so, and refuses those by meaning alone', async () => {
    const workspace = await embedding(100);
    await notes.made(workspace, { markdown: 'The lighthouse keeper counts the ships.' });
    server.embeddingTurns.push(...OUT_OF_ORDER);
    expect(await notes.search(workspace, 'keeper of the lighthouse')).toMatchObject({
      fallback: 'embedding_unavailable',
      model: null,
      data: [{ similarity: null, text: 'The lighthouse keeper counts the ships.' }],
    });
    await expect(notes.search(workspace, 'who keeps the light', { mode: 'vector' })).rejects.toMatchObject({ code: 'upstream_failed' });
    server.embeddingTurns.length = 0;
    expect(await notes.search(workspace, 'keeper of ships')).toMatchObject({ fallback: null, model: 'lab/vectors-1' });
  });

  it('has what is to be indexed wait until it is back, and then buys each text once', async () => {
    const workspace = await embedding(100);
    server.embeddingTurns.push(...OUT_OF_ORDER.slice(0, 4));
    const note = await notes.put(workspace, { markdown: 'Kelp grows below the jetty.' });
    await eventually(
      () => Promise.resolve(server.embeddingTurns.length),
      (left) => left < 4,
      30_000,
    );
    expect(await sourceOf(workspace, note)).toMatchObject({ source_status: 'pending' });
    await untilLive(workspace, note);
    const known = await api.sql('SELECT 1 FROM embedding_cache WHERE tenant_id = $1', [workspace.tenant_id]);
    expect(known).toHaveLength(1);
    await crediting.audit(workspace);
  }, 120_000);

  it('and refuses a text for good leaves it failed with a reason, and indexes the next one', async () => {
    const workspace = await embedding(100);
    server.embeddingTurns.push({ status: 400 });
    const bad = await notes.put(workspace, { markdown: 'A text that the provider refuses.' });
    await eventually(
      () => sourceOf(workspace, bad),
      (source) => source?.source_status === 'failed',
      30_000,
    );
    expect((await sourceOf(workspace, bad))?.source_error).toMatch(/\.$/);
    const good = await notes.made(workspace, { markdown: 'A text that it takes.' });
    expect(await sourceOf(workspace, good)).toMatchObject({ source_status: 'live' });
  });
});

describe('a workspace without credits', () => {
  it('has its sources wait, and goes on when credits are granted', async () => {
    const workspace = await embedding();
    const note = await notes.put(workspace, { markdown: 'Barnacles cling to the hull.' });
    await eventually(
      () => sourceOf(workspace, note),
      (source) => source?.source_error !== null,
      30_000,
    );
    expect(await sourceOf(workspace, note)).toMatchObject({
      source_status: 'pending',
      source_error: expect.stringContaining('no credits'),
    });
    await crediting.grant(workspace, { grant_credits: 10 });
    await untilLive(workspace, note);
    await crediting.audit(workspace);
  }, 120_000);
});

describe('another model of embeddings', () => {
  it('leaves what the old one embedded to be found by its words until it is embedded again', async () => {
    const workspace = await api.workspace();
    const note = await notes.made(workspace, { markdown: 'The harbour master rings the bell.' });
    expect(await sourceOf(workspace, note)).toMatchObject({ source_model: 'atrium/hash-384' });
    await crediting.grant(workspace, { grant_credits: 100 });
    await provideModels(api, workspace, server, [{ ...EMBEDDING, model_default: true }]);
    expect(await notes.in(workspace, () => worker.get(Embedder, { strict: false }).getCurrentModel())).toMatchObject({
      model: 'lab/vectors-1',
    });
    expect((await notes.search(workspace, 'harbour bell')).data).toMatchObject([{ similarity: null }]);
    expect((await notes.search(workspace, 'harbour bell', { mode: 'vector' })).data).toEqual([]);
    await notes.in(workspace, () => api.app.get(PassageReindexing, { strict: false }).startReindexing({ only: 'stale' }));
    await eventually(
      () => sourceOf(workspace, note),
      (source) => source?.source_model === 'lab/vectors-1' && source.source_status === 'live',
      30_000,
    );
    expect((await notes.search(workspace, 'harbour bell')).data).toMatchObject([{ similarity: expect.any(Number) }]);
  }, 60_000);
});

describe('the sweep', () => {
  const signal = new AbortController().signal;

  it('asks once more for a source that was lost', async () => {
    const workspace = await api.workspace();
    const note = await notes.made(workspace, { markdown: 'Nets dry in the sun.' });
    await api.sql(
      `UPDATE passage_source SET source_status = 'pending', source_wanted = '9', source_updated = now() - interval '11 minutes' WHERE tenant_id = $1`,
      [workspace.tenant_id],
    );
    const written = notes.notes.get(note.id);
    if (written) written.version = 9;
    await notes.in(workspace, () => worker.get(PassageUpkeep, { strict: false }).retryPending(600, signal));
    await untilLive(workspace, note);
  }, 60_000);

  it('takes what lost its thing out of the index, and vectors that no passage has', async () => {
    const workspace = await api.workspace();
    const [lost, kept] = [
      await notes.made(workspace, { markdown: 'Ropes of hemp.' }),
      await notes.made(workspace, { markdown: 'Ropes of nylon.' }),
    ];
    notes.notes.delete(lost.id);
    const orphan = { id: newId(), vector: Array.from({ length: 384 }, (_, at) => (at === 0 ? 1 : 0)) };
    await notes.in(workspace, () =>
      notes.db.write(() => api.app.get(VectorIndex, { strict: false }).putVectors(PASSAGE_VECTORS, 'atrium/hash-384', [orphan])),
    );
    await api.sql(`UPDATE vector_entry SET ve_updated = now() - interval '2 days' WHERE tenant_id = $1 AND ve_id = $2`, [
      workspace.tenant_id,
      orphan.id,
    ]);
    await notes.in(workspace, () => worker.get(PassageUpkeep, { strict: false }).removeLost(signal));
    expect((await notes.search(workspace, 'ropes')).data.map(({ citation }) => citation.source_id)).toEqual([kept.id]);
    await eventually(
      () => notes.passages(workspace, lost),
      (rows) => rows.length === 0,
      30_000,
    );
    await notes.in(workspace, () => worker.get(PassageUpkeep, { strict: false }).removeOrphans(signal));
    const vectors = await api.sql(`SELECT 1 FROM vector_entry WHERE tenant_id = $1 AND ve_kind = 'passage'`, [workspace.tenant_id]);
    expect(vectors).toHaveLength(1);
    expect(await sourceOf(workspace, { id: kept.id })).toMatchObject({ source_status: 'live' });
  }, 60_000);
});
