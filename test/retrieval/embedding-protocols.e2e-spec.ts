import { Embedder } from '@atrium/retrieval';
import { inWorkspace } from '@atrium/platform/database';
import { ModelServer, type EmbeddingTurn, type RunningApi, type TestWorkspace } from '@atrium/platform/testing';
import { Crediting } from '../governance/crediting';
import { OPERATOR_TOKENS } from '../support/operating';
import { EMBEDDING, MODELS_ON_LOOPBACK, provideModels } from '../models/providing';
import { startAtrium } from '../support/api';

const OWN = { ...EMBEDDING, model_default: true };

let api: RunningApi;
let server: ModelServer;
let crediting: Crediting;
/** By what each workspace has its texts embedded. */
const spoken = new Map<string, TestWorkspace>();

beforeAll(async () => {
  server = await ModelServer.start();
  api = await startAtrium({
    ...MODELS_ON_LOOPBACK,
    OPERATOR_TOKENS,
    MODEL_PROVIDER: 'house',
    MODEL_EMBEDDING: 'nomic-embed-text',
    MODEL_EMBEDDING_PROTOCOL: 'ollama',
    MODEL_EMBEDDING_BASE_URL: `${server.origin}/`,
    MODEL_API_KEY: 'sk-house',
  });
  crediting = new Crediting(api);
  const [house, own] = [await crediting.workspace(10), await crediting.workspace(10)];
  await provideModels(api, own, server, [OWN]);
  spoken.set('ollama', house).set('openai', own);
});
afterEach(() => {
  server.embeddingTurns.length = 0;
});
afterAll(async () => {
  await api.close();
  await server.stop();
});

const embed = (protocol: string, texts: readonly string[], kind: 'query' | 'passage' = 'query', workspace = spoken.get(protocol)) =>
  inWorkspace(workspace?.tenant_id ?? '', () => api.app.get(Embedder, { strict: false }).embedTexts(texts, kind));
/** What becomes of a text when the provider answers so. */
async function outcome(protocol: string, turn: EmbeddingTurn, text: string): Promise<unknown> {
  server.embeddingTurns.push(turn);
  return embed(protocol, [text]).catch((error: unknown) => error);
}

describe.each([
  { protocol: 'ollama', path: '/api/embed', model: 'house/nomic-embed-text', authorization: 'Bearer sk-house' },
  { protocol: 'openai', path: '/v1/embeddings', model: 'lab/vectors-1', authorization: 'Bearer sk-test' },
])('the protocol of $protocol', ({ protocol, path, model, authorization }) => {
  it('takes many texts at once and answers a vector of unit length for each, in their order', async () => {
    const asked = server.embeddings.length;
    const texts = ['one dog', 'two cats on a sofa'];
    const { vectors, ...told } = await embed(protocol, texts, 'passage');
    expect(told).toEqual({ model, dims: 64, tokens: 7 });
    expect(server.embeddings.slice(asked)).toEqual([{ path, authorization, model: model.split('/')[1], input: texts }]);
    for (const vector of vectors) expect(Math.hypot(...vector)).toBeCloseTo(1, 6);
    const [dog, cats] = [await embed(protocol, ['one dog']), await embed(protocol, ['two cats on a sofa'])];
    expect([dog.vectors[0]?.[0], cats.vectors[0]?.[0]]).toEqual([
      expect.closeTo(vectors[0]?.[0] ?? NaN, 6),
      expect.closeTo(vectors[1]?.[0] ?? NaN, 6),
    ]);
  });

  it('is patient with a provider that is busy, and reports its failures in words of this service', async () => {
    server.embeddingTurns.push({ status: 503 }, { status: 429, retryAfter: '0' });
    expect((await embed(protocol, ['patience'], 'passage')).vectors).toHaveLength(1);
    expect(server.embeddingTurns).toEqual([]);
    for (const [status, code] of [
      [404, 'unprocessable_content'],
      [400, 'unprocessable_content'],
      [401, 'upstream_failed'],
      [500, 'upstream_failed'],
      [429, 'rate_limited'],
    ] as const) {
      const refused = (await outcome(protocol, { status }, `refused ${status}`)) as Error;
      expect(refused).toMatchObject({ code });
      expect(refused.message).not.toContain('sk-');
    }
  });

  it('counts an answer only when it is a vector of the usual length for every text', async () => {
    await embed(protocol, ['usual']);
    expect(await outcome(protocol, 'wrong dims', 'shorter')).toMatchObject({
      code: 'upstream_failed',
      detail: expect.stringContaining('32'),
    });
    expect(await outcome(protocol, 'partial', 'missing')).toMatchObject({ code: 'upstream_failed' });
    const answers = [
      '',
      'no json',
      'null',
      '[]',
      '{}',
      '{"embeddings": {}, "data": {}}',
      '{"embeddings": [null], "data": [null]}',
      '{"embeddings": [[1, "2"]], "data": [{"embedding": [1, "2"]}]}',
      '{"embeddings": [[]], "data": [{"embedding": []}]}',
    ];
    for (const [at, say] of answers.entries())
      expect(await outcome(protocol, { say }, `odd ${at}`)).toMatchObject({ code: 'upstream_failed' });
    const unmetered = '{"embeddings": [[3, 4]], "data": [{"embedding": [3, 4]}], "prompt_eval_count": "many", "usage": null}';
    const other = await crediting.workspace(10);
    if (protocol === 'openai') await provideModels(api, other, server, [OWN]);
    server.embeddingTurns.push({ say: unmetered });
    // Another workspace's model of the same name may be another one.
    expect(await embed(protocol, ['odd tokens'], 'query', other)).toEqual({ vectors: [[0.6, 0.8]], model, dims: 2, tokens: 0 });
  });

  it('does not wait for a provider that does not answer', async () => {
    const began = Date.now();
    expect(await outcome(protocol, { afterMs: 6_000 }, 'slow')).toMatchObject({ code: 'upstream_timeout' });
    expect(Date.now() - began).toBeLessThan(5_900);
    await crediting.audit(spoken.get(protocol) as TestWorkspace);
  });
});
