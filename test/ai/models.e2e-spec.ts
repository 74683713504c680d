import { newId } from '@atrium/platform/kernel';
import { ModelServer, type Client, type RunningApi, type TestWorkspace } from '@atrium/platform/testing';
import { MODELS_ON_LOOPBACK } from '../models/providing';
import { startAtrium } from '../support/api';
import { makeAgent } from './agents';

let api: RunningApi;
let server: ModelServer;
let ours: TestWorkspace;
let owner: Client;

beforeAll(async () => {
  server = await ModelServer.start();
  api = await startAtrium({ ...MODELS_ON_LOOPBACK, MODEL_PROVIDER: 'house', MODEL_BASE_URL: server.url, MODEL_EMBEDDING: 'vectors-1' });
});
beforeEach(async () => {
  ours = await api.workspace();
  owner = ours.owner.client;
});
afterAll(async () => {
  await api.close();
  await server.stop();
});

interface Provider {
  readonly mp_id: string;
  readonly mp_name: string;
  readonly mp_managed: boolean;
  readonly mp_models: readonly { readonly model: string }[];
}
interface Listed<T> {
  readonly data: readonly T[];
  readonly has_more: boolean;
  readonly next_cursor: string | null;
}

const PEN = { model: 'pen-1', model_name: 'Pen', model_kind: 'text', model_capabilities: ['tools', 'streaming'], model_context: 32_000 };
const facts = (more: object = {}): object => ({
  mp_name: 'own',
  mp_type: 'openai-compatible',
  mp_base_url: server.url,
  mp_models: [PEN],
  ...more,
});
const add = async (client = owner, more: object = {}): Promise<Provider> =>
  (await client.post('/model-providers', facts(more)).expect(201)).body as Provider;
const models = async (
  client = owner,
  query = '',
): Promise<Listed<{ model_id: string; model_default: boolean; model_price_input: number | null }>> =>
  (await client.get(`/models${query}`).expect(200)).body as never;
const modelIds = async (query = '', client = owner): Promise<string[]> =>
  (await models(client, query)).data.map(({ model_id }) => model_id);
const providers = async (query = ''): Promise<Listed<Provider>> =>
  (await owner.get(`/model-providers${query}`).expect(200)).body as Listed<Provider>;

describe('the catalog of models', () => {
  it('has the built-in model, as the default while none that writes is configured, with prices', async () => {
    expect(await modelIds()).toEqual(['house/vectors-1', 'atrium/extract-1']);
    const { data } = await models();
    expect(data[1]).toMatchObject({
      model_kind: 'text',
      model_default: true,
      model_configured: true,
      model_context: 32_768,
      model_capabilities: ['tools', 'json', 'streaming'],
      model_price_input: 0.00002,
      model_price_output: 0.00006,
      model_price_cached: 0.000005,
    });
    expect(data[0]).toMatchObject({ model_kind: 'embedding', model_price_input: 0.000002, model_price_output: null });
    await add();
    expect((await models()).data.map(({ model_id, model_default }) => [model_id, model_default])).toEqual([
      ['own/pen-1', false],
      ['house/vectors-1', true],
      ['atrium/extract-1', false],
    ]);
  });

  it('is filtered by kind and read in pages', async () => {
    await add();
    expect(await modelIds('?model_kind=text')).toEqual(['own/pen-1', 'atrium/extract-1']);
    expect(await modelIds('?model_configured=false')).toEqual([]);
    const first = await models(owner, '?limit=1');
    expect(first).toMatchObject({ has_more: true });
    expect(await modelIds(`?limit=2&cursor=${first.next_cursor}`)).toEqual(['house/vectors-1', 'atrium/extract-1']);
    await owner.get('/models?model_kind=smell').expect(400);
  });

  it('is for those who see or run agents or begin threads', async () => {
    expect(await modelIds('', (await ours.member('viewer')).client)).toContain('atrium/extract-1');
    await (await ours.member('owner', ['media:view'])).client.get('/models').expect(403);
    await api.stranger.get('/models').expect(401);
  });
});

describe('a model provider', () => {
  it('is added, shown without its secrets, changed under If-Match and removed', async () => {
    const made = await owner.post('/model-providers', facts({ mp_key: 'sk-secret', mp_headers: { 'X-Project': 'hidden' } })).expect(201);
    const { mp_id } = made.body as Provider;
    expect(made.headers.location).toBe(`/api/v1/model-providers/${mp_id}`);
    expect(made.body).toMatchObject({ mp_name: 'own', mp_key_set: true, mp_headers: ['X-Project'], mp_models: [PEN], mp_managed: false });
    const read = await owner.get(`/model-providers/${mp_id}`).expect(200);
    expect(JSON.stringify([made.body, read.body, await providers()])).not.toMatch(/sk-secret|hidden/);
    const etag = read.headers.etag as string;
    const changed = await owner
      .with({ 'If-Match': etag })
      .patch(`/model-providers/${mp_id}`, { mp_key: null, mp_active: false })
      .expect(200);
    expect(changed.body).toMatchObject({ mp_key_set: false, mp_active: false });
    await owner.with({ 'If-Match': etag }).patch(`/model-providers/${mp_id}`, { mp_active: true }).expect(412);
    expect(await modelIds()).not.toContain('own/pen-1');
    await owner.delete(`/model-providers/${mp_id}`).expect(204);
    await owner.get(`/model-providers/${mp_id}`).expect(404);
    expect(await api.sql('SELECT 1 FROM model_provider WHERE mp_id = $1', [mp_id])).toEqual([]);
  });

  it('of the installation is listed last, and is read only', async () => {
    const { mp_id } = await add();
    const { data } = await providers();
    expect(data.map(({ mp_name, mp_managed }) => [mp_name, mp_managed])).toEqual([
      ['own', false],
      ['house', true],
      ['atrium', true],
    ]);
    const first = await providers('?limit=1');
    expect(first.data.map((one) => one.mp_id)).toEqual([mp_id]);
    expect((await providers(`?limit=1&cursor=${first.next_cursor}`)).data.map(({ mp_name }) => mp_name)).toEqual(['house']);
    const house = data[1]?.mp_id ?? '';
    expect((await owner.get(`/model-providers/${house}`).expect(200)).body).toMatchObject({ mp_name: 'house', mp_base_url: null });
    expect((await owner.patch(`/model-providers/${house}`, { mp_active: false }).expect(409)).body).toMatchObject({
      code: 'invalid_state',
    });
    expect((await owner.delete(`/model-providers/${house}`).expect(409)).body).toMatchObject({ code: 'invalid_state' });
  });

  it('stays while an active agent names one of its models', async () => {
    const { mp_id } = await add();
    const { agent_id } = await makeAgent(owner, { agent_name: 'Desk', agent_model: 'own/pen-1' });
    const refused = (await owner.delete(`/model-providers/${mp_id}`).expect(409)).body as { code: string; detail: string };
    expect(refused).toMatchObject({ code: 'in_use' });
    expect(refused.detail).toContain('agent "Desk"');
    await owner.delete(`/agents/${agent_id}`).expect(204);
    await owner.delete(`/model-providers/${mp_id}`).expect(204);
  });

  it('is rejected with what is wrong', async () => {
    await add();
    const codes = async (more: object): Promise<unknown> => {
      const { body } = await owner.post('/model-providers', facts({ mp_name: 'other', ...more }));
      const { code, errors = [] } = body as { code: string; errors?: { path: string }[] };
      return [code, ...errors.map(({ path }) => path)];
    };
    expect(await codes({ mp_name: 'own' })).toEqual(['already_exists']);
    expect(await codes({ mp_name: 'atrium' })).toEqual(['already_exists']);
    expect(await codes({ mp_name: 'Own Name' })).toEqual(['validation_failed', 'mp_name']);
    expect(await codes({ mp_type: 'smoke' })).toEqual(['validation_failed', 'mp_type']);
    expect(await codes({ mp_base_url: null })).toEqual(['validation_failed', 'mp_base_url']);
    expect(await codes({ mp_base_url: 'http://10.0.0.1/v1' })).toEqual(['unprocessable_content']);
    expect(await codes({ mp_models: [PEN, PEN] })).toEqual(['validation_failed', 'mp_models[1].model']);
    expect(await codes({ mp_models: [{ ...PEN, model_capabilities: ['sing'] }] })).toEqual([
      'validation_failed',
      'mp_models[0].model_capabilities',
    ]);
    expect(await codes({ mp_models: [{ ...PEN, model_kind: 'smell' }] })).toEqual(['validation_failed', 'mp_models[0].model_kind']);
    expect(await codes({ mp_headers: { 'X-Note': 'a\r\nX-Admin: 1' } })).toEqual(['validation_failed', 'mp_headers.X-Note']);
    expect(await codes({ mp_headers: { 'X-Note': 5 } })).toEqual(['validation_failed', 'mp_headers.X-Note']);
    expect(await codes({ mp_type: 'local', mp_base_url: null })).toEqual(['validation_failed', 'mp_models[0].model']);
    expect((await providers()).data.filter(({ mp_managed }) => !mp_managed)).toHaveLength(1);
  });

  it('of another workspace, and for those who may not administer settings, is not there', async () => {
    const { mp_id } = await add();
    const theirs = (await api.workspace()).owner.client;
    expect(await modelIds('', theirs)).not.toContain('own/pen-1');
    for (const id of [mp_id, newId(), 'none']) {
      await theirs.get(`/model-providers/${id}`).expect(404);
      await theirs.patch(`/model-providers/${id}`, { mp_active: false }).expect(404);
      await theirs.delete(`/model-providers/${id}`).expect(404);
    }
    const editor = (await ours.member('editor')).client;
    await editor.get('/model-providers').expect(403);
    await editor.get(`/model-providers/${mp_id}`).expect(403);
    await editor.post('/model-providers', facts({ mp_name: 'other' })).expect(403);
    await editor.patch(`/model-providers/${mp_id}`, { mp_active: false }).expect(403);
    await editor.delete(`/model-providers/${mp_id}`).expect(403);
    expect(await modelIds()).toContain('own/pen-1');
  });

  it('has its name once, however many ask for it at the same time', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => owner.post('/model-providers', facts())));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array.from({ length: 7 }, () => 409)]);
  });
});
