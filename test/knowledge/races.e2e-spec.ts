import { eventually, ModelServer, type Client, type RunningApi, type TestWorkspace } from '@atrium/platform/testing';
import { Crediting } from '../governance/crediting';
import { EMBEDDING, provideModels } from '../models/providing';
import { sharedAtriumWithWorker } from '../support/shared-atrium';
import { addText, FAQ, indexed, makeBase, makeFormBase, search, titles } from './bases';
import { imported } from './importing';

let api: RunningApi;
let models: ModelServer;
let ours: TestWorkspace;
let client: Client;
let ds_id: string;

beforeAll(async () => {
  api = await sharedAtriumWithWorker();
  models = await ModelServer.start();
  ours = await api.workspace();
  ({ client } = ours.owner);
  await new Crediting(api).grant(ours, { grant_credits: 100 });
  await provideModels(api, ours, models, [{ ...EMBEDDING, model_default: true }]);
}, 120_000);
beforeEach(async () => {
  ({ ds_id } = await makeBase(client));
});
afterEach(() => void (models.embeddingTurns.length = 0));
afterAll(async () => {
  await api.close();
  await models.stop();
});

const records = (): string => `/knowledge-bases/${ds_id}/records`;
const bought = (words: string): number => models.embeddings.flatMap(({ input }) => input).filter((text) => text.includes(words)).length;
const passages = (id: string): Promise<{ text: string }[]> =>
  api.sql<{ text: string }>('SELECT psg_text AS text FROM passage WHERE source_id = $1 ORDER BY psg_ordinal', [id]);
const scopes = (id: string): Promise<object[]> => api.sql('SELECT scope_key FROM passage_scope WHERE source_id = $1', [id]);
const words = (text: string): Promise<string[]> => search(client, ds_id, text, { mode: 'text' }).then(titles);

/** A new record whose passages are with the provider at this moment, which takes its time. */
async function beingIndexed(name: string, text: string): Promise<string> {
  models.embeddingTurns.push({ afterMs: 2_000 });
  const { rec_id } = await addText(client, ds_id, name, text);
  await eventually(
    () => Promise.resolve(bought(text)),
    (times) => times > 0,
    60_000,
  );
  return rec_id;
}

describe('a record that changes while it is indexed', () => {
  it('is found by its new text alone', async () => {
    const id = await beingIndexed('Ferry', 'The ferry leaves at noon.');
    await client.patch(`${records()}/${id}`, { rec_content: { body: 'The ferry leaves at dawn.' } }).expect(200);
    await indexed(client, ds_id);
    expect((await passages(id)).map(({ text }) => text)).toEqual([expect.stringContaining('at dawn')]);
    expect(await words('noon')).toEqual([]);
    expect(await words('dawn')).toEqual(['Ferry']);
  }, 120_000);

  it('is found nowhere once it was deleted, whatever its run still writes', async () => {
    const text = 'The barge is moored at pier six.';
    const id = await beingIndexed('Barge', text);
    await client.delete(`${records()}/${id}`).expect(204);
    await eventually(
      () =>
        api.sql<{ open: number }>(
          `SELECT count(*)::integer AS open FROM outbox WHERE tenant_id = $1 AND ev_done IS NULL AND ev_name = 'retrieval.index'`,
          [ours.tenant_id],
        ),
      ([row]) => row?.open === 0,
      60_000,
    );
    expect(await scopes(id)).toEqual([]);
    expect(await words('barge')).toEqual([]);
  }, 120_000);
});

describe('an import', () => {
  const rows = Array.from({ length: 20 }, (_, n) => ({
    rec_external_id: `buoy-${n}`,
    name: `Buoy ${n}`,
    body: `Buoy number ${n} is red.`,
  }));

  it('that is repeated asks the provider of embeddings for nothing', async () => {
    expect(await imported(client, ds_id, { rows })).toMatchObject({ created: 20 });
    await indexed(client, ds_id);
    const before = models.embeddings.length;
    expect(await imported(client, ds_id, { rows, mode: 'upsert' })).toMatchObject({ unchanged: 20, created: 0, updated: 0 });
    await indexed(client, ds_id);
    expect(models.embeddings).toHaveLength(before);
  }, 120_000);

  it('and a fork of the schema at the same time take turns: every record follows the copy', async () => {
    const base = await makeFormBase(client, FAQ);
    const questions = Array.from({ length: 1_000 }, (_, n) => ({ question: `Question ${n}`, answer: `Answer ${n}` }));
    const [job, fork] = await Promise.all([
      imported(client, base.ds_id, { rows: questions }),
      client.post(`/knowledge-bases/${base.ds_id}/schema/fork`, { form_name: 'Own questions' }).expect(201),
    ]);
    expect(job).toMatchObject({ status: 'completed', created: 1_000, failed: 0 });
    expect(
      await api.sql('SELECT rec_form, count(*)::integer AS records FROM knowledge_record WHERE rec_base = $1 GROUP BY rec_form', [
        base.ds_id,
      ]),
    ).toEqual([{ rec_form: fork.body.form_id as string, records: 1_000 }]);
  }, 120_000);
});
