import { TextEngine } from '@atrium/retrieval';
import { PermanentFailure } from '@atrium/platform/messaging';
import { ObjectStore } from '@atrium/platform/storage';
import { eventually, ModelServer, type Client, type RunningApi, type TestWorkspace } from '@atrium/platform/testing';
import { Crediting } from '../governance/crediting';
import { EMBEDDING, provideModels } from '../models/providing';
import { sharedAtriumWithWorker } from '../support/shared-atrium';
import { indexed, markdownOf, readText, uploadDocument } from './documents-of';

let api: RunningApi;
let models: ModelServer;
let ours: TestWorkspace;
let client: Client;

beforeAll(async () => {
  api = await sharedAtriumWithWorker();
  models = await ModelServer.start();
  ours = await api.workspace(['module-documents']);
  ({ client } = ours.owner);
  await new Crediting(api).grant(ours, { grant_credits: 100 });
  await provideModels(api, ours, models, [{ ...EMBEDDING, model_default: true }]);
}, 120_000);
afterEach(() => void (models.embeddingTurns.length = 0));
afterAll(async () => {
  await api.close();
  await models.stop();
});

const found = async (query: string): Promise<string[]> =>
  ((await client.post('/retrieval/search', { query, mode: 'text' }).expect(200)).body.data as { text: string }[]).map(({ text }) => text);
const passages = (file_id: string): Promise<{ text: string }[]> =>
  api.sql<{ text: string }>('SELECT psg_text AS text FROM passage WHERE source_id = $1 ORDER BY psg_ordinal', [file_id]);
const scopes = (file_id: string): Promise<object[]> => api.sql('SELECT scope_key FROM passage_scope WHERE source_id = $1', [file_id]);
const bought = (words: string): number => models.embeddings.flatMap(({ input }) => input).filter((text) => text.includes(words)).length;

/** A new document whose passages are with the provider at this moment, which takes its time. */
async function beingIndexed(name: string, text: string): Promise<string> {
  models.embeddingTurns.push({ afterMs: 2_000 });
  const { file_id } = await uploadDocument(client, name, text);
  await eventually(
    () => Promise.resolve(bought(text)),
    (times) => times > 0,
    60_000,
  );
  return file_id;
}

describe('a document that changes while it is indexed', () => {
  it('is in no search after it was deprecated, and is found after its restoration with the embeddings bought before', async () => {
    const text = 'The dredger works by night.';
    const id = await beingIndexed('dredger.txt', text);
    await client.post(`/documents/${id}/deprecate`).expect(200);
    await eventually(
      () => api.sql<{ kept: number }>(`SELECT count(*)::integer AS kept FROM embedding_cache WHERE tenant_id = $1`, [ours.tenant_id]),
      ([row]) => (row?.kept ?? 0) > 0,
      30_000,
    );
    expect(await found('dredger')).toEqual([]);
    expect(await scopes(id)).toEqual([]);
    await client.post(`/documents/${id}/restore`).expect(200);
    await eventually(
      () => found('dredger'),
      (texts) => texts.length === 1,
      60_000,
    );
    expect(bought(text)).toBe(1);
  }, 120_000);

  it('is found by its new version alone', async () => {
    const id = await beingIndexed('berth.txt', 'Berth nine belongs to the pilot.');
    await client.put(`/files/${id}/content`, { content: 'Berth nine belongs to nobody.' }).expect(200);
    await eventually(
      () => passages(id),
      ([passage]) => passage?.text === 'Berth nine belongs to nobody.',
      60_000,
    );
    await indexed(api, ours);
    expect(await passages(id)).toEqual([{ text: 'Berth nine belongs to nobody.' }]);
    expect(await found('berth nine')).toEqual(['Berth nine belongs to nobody.']);
  }, 120_000);
});

describe('a document of 200 passages', () => {
  it('[documents 6] keeps all passages but those of the paragraph that its new version replaces, and three texts are bought at most', async () => {
    // Nothing but its length says where a passage ends: what changes may move all that follow.
    const paragraph = (at: number): string => `Berth ${at} is let to the owner of boat ${at * 7} for a year. `.repeat(8);
    const berths = Array.from({ length: 900 }, (_, at) => paragraph(at));
    const { file_id } = await uploadDocument(client, 'berths.md', berths.join('\n\n'));
    await readText(client, file_id);
    await indexed(api, ours);
    const ids = async (): Promise<string[]> =>
      (await api.sql<{ passage_id: string }>('SELECT passage_id FROM passage WHERE source_id = $1', [file_id])).map(
        ({ passage_id }) => passage_id,
      );
    const before = await ids();
    expect(before.length).toBeGreaterThanOrEqual(200);
    const asked = models.embeddings.flatMap(({ input }) => input).length;
    berths[450] = `${paragraph(5_000)} The pier was pulled down. ${paragraph(6_000)}`;
    await client.put(`/files/${file_id}/content`, { content: berths.join('\n\n') }).expect(200);
    await eventually(
      () => found('pier was pulled down'),
      (texts) => texts.length > 0,
      60_000,
    );
    const texts = models.embeddings.flatMap(({ input }) => input).slice(asked);
    expect(texts.filter((text) => text.includes('pulled down'))).toHaveLength(1);
    expect(texts.length).toBeLessThanOrEqual(3);
    const after = new Set(await ids());
    expect(before.filter((id) => !after.has(id)).length).toBeLessThanOrEqual(3);
  }, 120_000);
});

describe('a document whose new version cannot be read', () => {
  it('is in no search by what was in the one before, and says why', async () => {
    const { file_id } = await uploadDocument(client, 'redacted.txt', 'The salary of the harbour master is secret.');
    await readText(client, file_id);
    await indexed(api, ours);
    expect(await found('harbour master salary')).toHaveLength(1);
    const engine = api.worker.get(TextEngine, { strict: false });
    const broken = jest.spyOn(engine, 'extractText').mockRejectedValue(new PermanentFailure('The text cannot be read.'));
    await client.put(`/files/${file_id}/content`, { content: 'Nothing is said of salaries.' }).expect(200);
    const text = await eventually(
      async () =>
        (await client.get(`/documents/${file_id}`).expect(200)).body as { file_text_status: string; file_text_error: string | null },
      ({ file_text_status }) => file_text_status === 'failed',
      60_000,
    );
    broken.mockRestore();
    expect(text.file_text_error).toBe('The text cannot be read.');
    expect(await found('harbour master salary')).toEqual([]);
    expect(await scopes(file_id)).toEqual([]);
    const [words] = await api.sql<{ content: string }>('SELECT fst_content AS content FROM file_search_text WHERE file_id = $1', [file_id]);
    expect(words?.content ?? '').toBe('');
  }, 120_000);
});

describe('a document that goes while its text is read', () => {
  /** Objects with the texts of a file. */
  const stored = async (file_id: string): Promise<string[]> => {
    const keys: string[] = [];
    for await (const { key } of api.app.get(ObjectStore, { strict: false }).list(`t/${ours.tenant_id}/text/${file_id}`)) keys.push(key);
    return keys;
  };

  it('leaves nothing behind, and the job that read it ends as if nothing had been', async () => {
    const { file_id } = await uploadDocument(client, 'gone.txt', 'Words of a file that goes.');
    await readText(client, file_id);
    await indexed(api, ours);
    expect(await stored(file_id)).toHaveLength(1);

    const engine = api.worker.get(TextEngine, { strict: false });
    const read = engine.extractText.bind(engine);
    let [begun, goOn]: [() => void, () => void] = [() => undefined, () => undefined];
    const isRead = new Promise<void>((resolve) => (begun = resolve));
    const mayGoOn = new Promise<void>((resolve) => (goOn = resolve));
    const held = jest.spyOn(engine, 'extractText').mockImplementationOnce(async (...task) => {
      begun();
      await mayGoOn;
      return read(...task);
    });
    const { job_id } = (await client.post(`/documents/${file_id}/extract`, { force: true }).expect(202)).body as { job_id: string };
    await isRead;
    await client.delete(`/files/${file_id}`).expect(204);
    await client.post('/files/actions/purge', { file_ids: [file_id] }).expect(200);
    goOn();
    const job = await eventually(
      async () => (await client.get(`/jobs/${job_id}`).expect(200)).body as { status: string; error: string | null },
      ({ status }) => status === 'completed' || status === 'failed',
      60_000,
    );
    held.mockRestore();
    expect(job).toMatchObject({ status: 'completed', error: null });
    expect(await api.sql('SELECT 1 FROM file_text WHERE file_id = $1', [file_id])).toEqual([]);
    await eventually(
      () => stored(file_id),
      (keys) => keys.length === 0,
      60_000,
    );
    expect(await found('file that goes')).toEqual([]);
  }, 150_000);

  it('leaves no text of earlier versions', async () => {
    const { file_id } = await uploadDocument(client, 'twice.txt', 'First words.');
    await readText(client, file_id);
    const before = await stored(file_id);
    await client.put(`/files/${file_id}/content`, { content: 'Second words.' }).expect(200);
    await eventually(
      () => markdownOf(client, file_id),
      (text) => text === 'Second words.',
      60_000,
    );
    const after = await eventually(
      () => stored(file_id),
      (keys) => keys.length === 1,
      60_000,
    );
    expect(after).not.toEqual(before);
  }, 100_000);
});
