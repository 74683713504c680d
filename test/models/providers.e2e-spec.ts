import { ModelProviders, ModelRegistry, VisionModel, type ProviderFacts } from '@atrium/models';
import { inWorkspace } from '@atrium/platform/database';
import { ModelServer, type RunningApi, type TestWorkspace } from '@atrium/platform/testing';
import { startAtrium } from '../support/api';
import { MODELS_ON_LOOPBACK, provideModels, VISION } from './providing';

let api: RunningApi;
let server: ModelServer;
let ours: TestWorkspace;
let theirs: TestWorkspace;

beforeAll(async () => {
  server = await ModelServer.start();
  api = await startAtrium({
    ...MODELS_ON_LOOPBACK,
    MODEL_PROVIDER: 'house',
    MODEL_BASE_URL: `${server.url}/`,
    MODEL_VISION: 'eye-1',
    MODEL_TEXT: 'pen-1',
    MODEL_API_KEY: 'sk-house',
  });
  [ours, theirs] = [await api.workspace(), await api.workspace()];
});
afterEach(() => {
  server.turns.length = 0;
});
afterAll(async () => {
  await api.close();
  await server.stop();
});

const inOurs = <T>(work: () => Promise<T>): Promise<T> => inWorkspace(ours.tenant_id, work);
const providers = () => api.app.get(ModelProviders, { strict: false });
const registry = () => api.app.get(ModelRegistry, { strict: false });
const look = () =>
  api.app
    .get(VisionModel, { strict: false })
    .describeImages({ images: [], prompt: 'What is it?', schema: { type: 'object' }, onCutOff: () => Promise.resolve() });
const create = (facts: Partial<ProviderFacts>) =>
  providers().create({ mp_name: 'own', mp_type: 'openai-compatible', mp_base_url: server.url, ...facts });

describe('models', () => {
  it('are those of the installation in every workspace, and those of a workspace in it alone and before them', async () => {
    const names = async (tenant: string): Promise<string[]> =>
      (await inWorkspace(tenant, () => registry().listModels())).map(({ model_id }) => model_id);
    expect(await names(ours.tenant_id)).toEqual(['house/pen-1', 'house/eye-1', 'atrium/extract-1']);
    const mp_id = await provideModels(api, ours, server, [{ ...VISION, model_default: true }]);
    expect(await names(ours.tenant_id)).toEqual(['lab/seer-1', 'house/pen-1', 'house/eye-1', 'atrium/extract-1']);
    expect(await names(theirs.tenant_id)).toEqual(['house/pen-1', 'house/eye-1', 'atrium/extract-1']);
    server.turns.push({ say: { it: 'a boat' } });
    expect(await inOurs(look)).toEqual({
      fields: { it: 'a boat' },
      model: 'lab/seer-1',
      usage: { images: 0, input_tokens: 120, cached_tokens: 0, output_tokens: 20, reasoning_tokens: 0, estimated: false },
    });
    server.turns.push({ say: '```json\n{"it": "a ship"}\n```' });
    expect(await inWorkspace(theirs.tenant_id, look)).toMatchObject({ fields: { it: 'a ship' }, model: 'house/eye-1' });
    expect(server.chats.map(({ authorization }) => authorization)).toEqual(['Bearer sk-test', 'Bearer sk-house']);
    await inOurs(() => providers().change(mp_id, { mp_active: false }));
    expect(await names(ours.tenant_id)).toEqual(['house/pen-1', 'house/eye-1', 'atrium/extract-1']);
    await ours.owner.client.delete(`/model-providers/${mp_id}`).expect(204);
  });

  it('answer prose as no fields, and tell what a provider does in words of this service', async () => {
    server.turns.push({ say: 'A boat.' });
    expect(await inOurs(look)).toMatchObject({ fields: null });
    for (const [status, code] of [
      [401, 'upstream_failed'],
      [400, 'unprocessable_content'],
    ] as const) {
      server.turns.push({ status });
      const refused = (await inOurs(look).catch((error: unknown) => error)) as Error & { code: string };
      expect(refused).toMatchObject({ code });
      expect(refused.message).not.toContain('sk-test');
    }
    for (let at = 0; at < 4; at++) server.turns.push({ status: 429, retryAfter: '0' });
    await expect(inOurs(look)).rejects.toMatchObject({ code: 'rate_limited', headers: { 'Retry-After': '0' } });
    expect(server.turns).toEqual([]);
    server.turns.push({ status: 429, retryAfter: '3600' });
    await expect(inOurs(look)).rejects.toMatchObject({ code: 'rate_limited', headers: { 'Retry-After': '3600' } });
  });
});

describe('a model provider', () => {
  it('keeps its key sealed, shows names of headers alone, and is recorded in the audit trail without secrets', async () => {
    const { mp_id, ...shown } = await inOurs(() =>
      create({ mp_key: 'sk-very-secret', mp_headers: { 'X-Project': 'hidden-value' }, mp_models: [VISION] }),
    );
    expect(shown).toMatchObject({ mp_name: 'own', mp_key_set: true, mp_headers: ['X-Project'] });
    expect(JSON.stringify(shown)).not.toMatch(/very-secret|hidden-value/);
    const [row] = await api.sql<object>('SELECT * FROM model_provider WHERE mp_id = $1', [mp_id]);
    expect(JSON.stringify(row)).not.toMatch(/very-secret|hidden-value/);
    await inOurs(() => providers().change(mp_id, { mp_key: null }));
    expect(await inOurs(() => providers().get(mp_id))).toMatchObject({ mp_key_set: false, mp_headers: ['X-Project'] });
    await ours.owner.client.delete(`/model-providers/${mp_id}`).expect(204);
    const told = await api.sql<{ aud_type: string }>(
      'SELECT aud_type, aud_after FROM audit_event WHERE tenant_id = $1 AND aud_target_id = $2 ORDER BY aud_timestamp, aud_id',
      [ours.tenant_id, mp_id],
    );
    expect(told.map(({ aud_type }) => aud_type)).toEqual(['model_provider.created', 'model_provider.updated', 'model_provider.deleted']);
    expect(JSON.stringify(told)).not.toMatch(/very-secret|hidden-value/);
  });

  it('is refused under a name that is taken, at an address of a private network, and with models that are none', async () => {
    await expect(inOurs(() => create({ mp_name: 'house' }))).rejects.toMatchObject({ code: 'already_exists' });
    await expect(inOurs(() => create({ mp_name: 'Own Name' }))).rejects.toMatchObject({ code: 'validation_failed' });
    await expect(inOurs(() => create({ mp_base_url: 'http://10.0.0.1/v1' }))).rejects.toMatchObject({ code: 'unprocessable_content' });
    await expect(inOurs(() => create({ mp_base_url: null }))).rejects.toMatchObject({ code: 'validation_failed' });
    await expect(inOurs(() => create({ mp_models: [VISION, VISION] }))).rejects.toMatchObject({
      errors: [{ path: 'mp_models[1].model', code: 'duplicate' }],
    });
    await expect(inOurs(() => create({ mp_models: [{ model: 'bad name', model_kind: 'text' }] }))).rejects.toMatchObject({
      errors: [{ path: 'mp_models[0].model' }],
    });
    expect((await inOurs(() => providers().list())).filter(({ mp_managed }) => !mp_managed)).toEqual([]);
  });
});
