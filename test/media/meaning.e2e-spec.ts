import { Embedder, EmbeddingUpkeep } from '@atrium/retrieval';
import { inWorkspace } from '@atrium/platform/database';
import { eventually, ModelServer, type RunningApi, type TestWorkspace } from '@atrium/platform/testing';
import { upload } from '../files/uploading';
import { Crediting } from '../governance/crediting';
import { EMBEDDING, provideModels } from '../models/providing';
import { sharedAtriumWithWorker } from '../support/shared-atrium';

let api: RunningApi;
let models: ModelServer;
let crediting: Crediting;

beforeAll(async () => {
  models = await ModelServer.start();
  api = await sharedAtriumWithWorker();
  crediting = new Crediting(api);
}, 120_000);
afterEach(() => {
  models.embeddingTurns.length = 0;
});
afterAll(async () => {
  await api.close();
  await models.stop();
});

interface Found {
  readonly file_id: string;
  readonly similarity: number;
}

const SUMMARIES = ['A dog plays on a beach in the evening', 'Quarterly figures of the finance department', 'Two cats asleep on a sofa'];

/** Files whose meaning is in the index. */
async function described(workspace: TestWorkspace): Promise<string[]> {
  const { client } = workspace.owner;
  const files = await Promise.all(SUMMARIES.map((_, at) => upload(client, `scan-${at}.txt`, Buffer.from(`scan ${at}`))));
  for (const [at, { file_id }] of files.entries()) await client.put(`/files/${file_id}`, { file_summary: SUMMARIES[at] }).expect(200);
  return files.map(({ file_id }) => file_id);
}

async function search({ owner }: TestWorkspace, text: string, more = ''): Promise<{ mode: string | undefined; data: Found[] }> {
  const answer = await owner.client.get(`/media-files?embedding_search=${encodeURIComponent(text)}${more}`).expect(200);
  return { mode: answer.headers['x-search-mode'], data: answer.body.data as Found[] };
}

const embed = ({ tenant_id }: TestWorkspace, texts: readonly string[], kind: 'query' | 'passage' = 'passage') =>
  inWorkspace(tenant_id, () => api.app.get(Embedder, { strict: false }).embedTexts(texts, kind));

describe('searching by meaning', () => {
  it('[media 10] ranks the file whose summary says so above others with the local embedder, and searches words when the embedder is down', async () => {
    const ours = await api.workspace();
    const [dog] = await described(ours);
    const found = await eventually(
      () => search(ours, 'dog on a beach'),
      ({ data }) => data[0]?.file_id === dog,
      30_000,
    );
    expect(found.mode).not.toBe('text');
    expect(found.data.every(({ similarity }) => similarity >= 0 && similarity <= 1)).toBe(true);
    expect(found.data.slice(1).every(({ similarity }) => similarity < (found.data[0]?.similarity ?? 0))).toBe(true);

    await provideModels(api, ours, models, [EMBEDDING]);
    models.embeddingTurns.push({ status: 500 });
    const words = await search(ours, 'beach');
    expect(words.mode).toBe('text');
    expect(words.data.map(({ file_id }) => file_id)).toEqual([dog]);
  }, 60_000);

  it('follows tags, summaries and the trash, and reports which files mean the same', async () => {
    const ours = await api.workspace();
    const { client } = ours.owner;
    const [dog, figures] = await described(ours);
    await client.put(`/files/${figures}/media-tags`, { media_tags: { Subject: ['Accounting spreadsheet'] } }).expect(200);
    await eventually(
      () => search(ours, 'accounting spreadsheets'),
      ({ data }) => data[0]?.file_id === figures,
      30_000,
    );
    const twin = await upload(client, 'other.txt', Buffer.from('other'));
    await client.put(`/files/${twin.file_id}`, { file_summary: 'A dog playing on the beach, evening' }).expect(200);
    const near = await eventually(
      async () => (await client.get(`/files/${dog}/similar?by=meaning&threshold=0.4`).expect(200)).body.data as Found[],
      (data) => data.length > 0,
      30_000,
    );
    expect(near.map(({ file_id }) => file_id)).toEqual([twin.file_id]);
    await client.delete(`/files/${dog}`).expect(204);
    expect((await search(ours, 'dog on a beach')).data.map(({ file_id }) => file_id)).not.toContain(dog);
  }, 60_000);
});

describe('embeddings of a provider', () => {
  it('are bought once a text, charged once, and remembered until nobody needs them', async () => {
    const ours = await crediting.workspace(10);
    await provideModels(api, ours, models, [EMBEDDING]);
    const asked = models.embeddings.length;
    const first = await embed(ours, ['one dog', 'two cats', 'one dog']);
    expect(first).toMatchObject({ model: 'lab/vectors-1', dims: 64, tokens: 4 });
    expect(first.vectors[0]).toEqual(first.vectors[2]);
    expect(models.embeddings.slice(asked).map(({ path, input }) => ({ path, input }))).toEqual([
      { path: '/v1/embeddings', input: ['one dog', 'two cats'] },
    ]);
    expect((await embed(ours, ['two cats'])).tokens).toBe(0);
    expect(models.embeddings).toHaveLength(asked + 1);
    const entries = await api.sql<{ usage_details: string; units: number }>(
      "SELECT usage_details, usage_consumed_units::float AS units FROM usage_entry WHERE tenant_id = $1 AND usage_param = 'ai.embedding_tokens'",
      [ours.tenant_id],
    );
    expect(entries).toEqual([{ usage_details: 'lab/vectors-1', units: 4 }]);
    await api.sql("UPDATE embedding_cache SET emb_used = now() - interval '91 days' WHERE tenant_id = $1", [ours.tenant_id]);
    await api.app.get(EmbeddingUpkeep, { strict: false }).forgetUnused(90 * 86_400, AbortSignal.timeout(10_000));
    expect(await api.sql('SELECT 1 FROM embedding_cache WHERE tenant_id = $1', [ours.tenant_id])).toEqual([]);
    await crediting.audit(ours);
  });

  it('count only when all came back in one length, after a busy provider was given its time', async () => {
    const ours = await crediting.workspace(10);
    await provideModels(api, ours, models, [EMBEDDING]);
    models.embeddingTurns.push({ status: 429, retryAfter: '0' });
    expect((await embed(ours, ['alpha', 'beta'])).vectors).toHaveLength(2);
    models.embeddingTurns.push('partial');
    await expect(embed(ours, ['one more', 'and another'])).rejects.toMatchObject({ code: 'upstream_failed' });
    models.embeddingTurns.push('wrong dims');
    await expect(embed(ours, ['gamma'])).rejects.toMatchObject({ code: 'upstream_failed' });
    models.embeddingTurns.push({ afterMs: 4_000 });
    const began = Date.now();
    await expect(embed(ours, ['delta'], 'query')).rejects.toMatchObject({ code: 'upstream_timeout' });
    expect(Date.now() - began).toBeLessThan(3_900);
  }, 30_000);

  it('are not bought without credits', async () => {
    const poor = await crediting.workspace();
    await provideModels(api, poor, models, [EMBEDDING]);
    const asked = models.embeddings.length;
    await expect(embed(poor, ['epsilon'])).rejects.toMatchObject({ code: 'credits_exhausted' });
    expect(models.embeddings).toHaveLength(asked);
  });

  it('wait in the library until there are credits, and are bought once a text then', async () => {
    const poor = await crediting.workspace();
    await provideModels(api, poor, models, [EMBEDDING]);
    const [dog, figures, cats] = await described(poor);
    const waits = (): Promise<object[]> =>
      api.sql("SELECT 1 FROM outbox WHERE tenant_id = $1 AND ev_name = 'media.embed-waiting' AND ev_done IS NULL", [poor.tenant_id]);
    await eventually(
      () =>
        api.sql("SELECT 1 FROM outbox WHERE tenant_id = $1 AND ev_kind = 'job' AND ev_done IS NULL AND ev_name <> 'media.embed-waiting'", [
          poor.tenant_id,
        ]),
      (open) => open.length === 0,
      60_000,
    );
    expect(await waits()).not.toEqual([]);
    expect(await api.sql('SELECT ev_name, ev_error FROM outbox WHERE tenant_id = $1 AND ev_error IS NOT NULL', [poor.tenant_id])).toEqual(
      [],
    );
    const vectors = (): Promise<{ id: string }[]> =>
      api.sql<{ id: string }>("SELECT ve_id AS id FROM vector_entry WHERE tenant_id = $1 AND ve_model = 'lab/vectors-1'", [poor.tenant_id]);
    expect(await vectors()).toEqual([]);

    await crediting.grant(poor, { grant_credits: 10 });
    const there = await eventually(vectors, (rows) => rows.length === SUMMARIES.length, 60_000);
    expect(there.map(({ id }) => id).sort()).toEqual([dog, figures, cats].sort());
    await eventually(waits, (open) => open.length === 0, 60_000);
    const charged = await api.sql<{ units: number }>(
      "SELECT sum(usage_consumed_units)::float AS units FROM usage_entry WHERE tenant_id = $1 AND usage_param = 'ai.embedding_tokens'",
      [poor.tenant_id],
    );
    const texts = SUMMARIES.map((summary, at) => `scan ${at}\n${summary}`);
    expect(charged).toEqual([{ units: texts.join(' ').split(/\s+/).length }]);
    expect((await search(poor, 'dog on a beach')).data[0]).toMatchObject({ file_id: dog });
    await crediting.audit(poor);
  }, 120_000);
});
