import { Client as Postgres } from 'pg';
import { ModelRegistry } from '@atrium/models';
import { inWorkspace } from '@atrium/platform/database';
import { newId } from '@atrium/platform/kernel';
import { eventually, ModelServer, type Client, type RunningApi, type TestWorkspace } from '@atrium/platform/testing';
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
      ['own/pen-1', true],
      ['house/vectors-1', true],
      ['atrium/extract-1', false],
    ]);
  });

  it('has one default of each kind, which is the model that is used where none is named', async () => {
    const defaults = async (): Promise<string[]> =>
      (await models()).data.filter(({ model_default }) => model_default).map(({ model_id }) => model_id);
    const used = (): Promise<(string | null)[]> =>
      inWorkspace(ours.tenant_id, () =>
        Promise.all(
          (['text', 'embedding'] as const).map(async (model_kind) => {
            const found = await api.app.get(ModelRegistry, { strict: false }).findModel({ model_kind });
            return found?.model.model_id ?? null;
          }),
        ),
      );
    const assisting = async (): Promise<string | null | undefined> => {
      const { data } = (await owner.get('/assist/tasks').expect(200)).body as Listed<{ task: string; model_id: string | null }>;
      return data.find(({ task }) => task === 'summarize')?.model_id;
    };
    const agree = async (text: string, embedding: string): Promise<void> => {
      expect((await defaults()).sort()).toEqual([embedding, text].sort());
      expect(await used()).toEqual([text, embedding]);
      expect(await assisting()).toBe(text);
    };
    await agree('atrium/extract-1', 'house/vectors-1');
    await add(owner, { mp_name: 'quotes', mp_type: 'local', mp_base_url: null, mp_models: [{ model: 'extract-1', model_kind: 'text' }] });
    await agree('quotes/extract-1', 'house/vectors-1');
    const vectors = { model: 'own-vectors', model_kind: 'embedding', model_default: true };
    await add(owner, { mp_models: [{ ...PEN, model_default: true }, { ...PEN, model: 'pen-2', model_default: true }, vectors] });
    await agree('own/pen-1', 'own/own-vectors');
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
    await owner.patch(`/model-providers/${mp_id}`, { mp_models: [] }).expect(200);
    await owner.delete(`/model-providers/${mp_id}`).expect(409);
    await owner.delete(`/agents/${agent_id}`).expect(204);
    await owner.delete(`/model-providers/${mp_id}`).expect(204);
  });

  it('in use is shown with the agents that the caller can see, and the number of the others', async () => {
    const { mp_id } = await add();
    const other = await ours.member('owner');
    const agent_acl = { users: { [other.user_id]: 'owner' } };
    const hidden = async (agent_name: string) => makeAgent(other.client, { agent_name, agent_model: 'own/pen-1', agent_acl });
    const detail = async (client = owner): Promise<string> =>
      ((await client.delete(`/model-providers/${mp_id}`).expect(409)).body as { detail: string }).detail;
    await hidden('Secret one');
    expect(await detail()).toContain('used by 1 agent.');
    await hidden('Secret two');
    await makeAgent(owner, { agent_name: 'Desk', agent_model: 'own/pen-1' });
    expect(await detail()).toContain('used by agent "Desk", 2 other agents.');
    expect(await detail((await ours.member('owner', ['admin:settings'])).client)).toContain('used by 3 agents.');
  });

  it('that was removed while an agent was inactive keeps the agent from coming back with its model', async () => {
    const { mp_id } = await add();
    const { agent_id } = await makeAgent(owner, { agent_model: 'own/pen-1' });
    await owner.delete(`/agents/${agent_id}`).expect(204);
    await owner.delete(`/model-providers/${mp_id}`).expect(204);
    const refused = await owner.patch(`/agents/${agent_id}`, { agent_active: true }).expect(400);
    expect(refused.body.errors).toMatchObject([{ path: 'agent_model', code: 'reference' }]);
    await owner.patch(`/agents/${agent_id}`, { agent_active: true, agent_model: null }).expect(200);
  });

  it('that is being removed is named by no agent: the agent waits for the end of the removal, and is rejected', async () => {
    const { mp_id } = await add();
    const removal = new Postgres({ connectionString: api.database.ownerUrl });
    await removal.connect();
    try {
      await removal.query('BEGIN');
      await removal.query('DELETE FROM model_provider WHERE mp_id = $1', [mp_id]);
      let status = 0;
      const made = owner.post('/agents', { agent_name: 'Late', agent_model: 'own/pen-1' }).then((answer) => (status = answer.status));
      const waits = 'SELECT 1 FROM pg_locks l JOIN pg_stat_activity a USING (pid) WHERE NOT l.granted AND a.datname = current_database()';
      await eventually(async () => status !== 0 || (await api.sql(waits)).length > 0, Boolean);
      await removal.query('COMMIT');
      expect(await made).toBe(400);
    } finally {
      await removal.end();
    }
  });

  it('keeps its key and headers for the host that they were entered for', async () => {
    const { mp_id } = await add(owner, { mp_key: 'sk-secret', mp_headers: { 'X-Project': 'hidden' } });
    const elsewhere = await ModelServer.start();
    try {
      const move = async (more: object): Promise<[number, string | undefined]> => {
        const { status, body } = await owner.patch(`/model-providers/${mp_id}`, { mp_base_url: elsewhere.url, ...more });
        return [status, (body as { errors?: { path: string }[] }).errors?.[0]?.path];
      };
      expect(await move({})).toEqual([400, 'mp_key']);
      expect(await move({ mp_headers: {} })).toEqual([400, 'mp_key']);
      expect(await move({ mp_key: 'sk-other' })).toEqual([400, 'mp_headers']);
      expect((await owner.get(`/model-providers/${mp_id}`).expect(200)).body).toMatchObject({ mp_base_url: server.url, mp_key_set: true });
      await owner.patch(`/model-providers/${mp_id}`, { mp_base_url: `${server.url}/deeper` }).expect(200);
      await owner.patch(`/model-providers/${mp_id}`, { mp_type: 'local', mp_base_url: null, mp_models: [] }).expect(200);
      expect(await move({ mp_type: 'openai' })).toEqual([400, 'mp_key']);
      expect(await move({ mp_type: 'openai', mp_key: null, mp_headers: {} })).toEqual([200, undefined]);
      expect((await owner.get(`/model-providers/${mp_id}`).expect(200)).body).toMatchObject({ mp_key_set: false, mp_headers: [] });
      await owner.patch(`/model-providers/${mp_id}`, { mp_base_url: server.url }).expect(200);
      expect(await move({ mp_key: 'sk-other', mp_headers: { 'X-Project': 'other' } })).toEqual([200, undefined]);
    } finally {
      await elsewhere.stop();
    }
  });

  it('is not moved to an address in a private network', async () => {
    const { mp_id } = await add();
    for (const mp_base_url of ['http://10.0.0.1/v1', 'http://169.254.169.254/latest', 'http://[fd00::1]/v1'])
      expect((await owner.patch(`/model-providers/${mp_id}`, { mp_base_url }).expect(422)).body).toMatchObject({
        code: 'unprocessable_content',
      });
    expect((await owner.get(`/model-providers/${mp_id}`).expect(200)).body).toMatchObject({ mp_base_url: server.url });
  });

  it('is one of at most 100 of a workspace, also where several are added at the same time', async () => {
    await api.sql(
      `INSERT INTO model_provider (tenant_id, mp_id, mp_name, mp_type) SELECT $1, gen_random_uuid(), 'p-' || n, 'local' FROM generate_series(1, 98) n`,
      [ours.tenant_id],
    );
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, at) => owner.post('/model-providers', facts({ mp_name: `late-${at}` }))),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 409, 409, 409, 409]);
    expect(answers.map(({ body }) => (body as { code?: string }).code)).toContain('limit_reached');
  });

  it('is rejected with what is wrong', async () => {
    await add();
    const codes = async (more: object): Promise<unknown> => {
      const { body } = await owner.post('/model-providers', facts({ mp_name: 'other', ...more }));
      const { code, errors = [] } = body as { code: string; errors?: { path: string }[] };
      return [code, ...errors.map(({ path }) => path)];
    };
    expect(await codes({ mp_name: 'own' })).toEqual(['already_exists', 'mp_name']);
    expect(await codes({ mp_name: 'atrium' })).toEqual(['already_exists', 'mp_name']);
    expect(await codes({ mp_name: 'Own Name' })).toEqual(['validation_failed', 'mp_name']);
    expect(await codes({ mp_type: 'smoke' })).toEqual(['validation_failed', 'mp_type']);
    expect(await codes({ mp_base_url: null })).toEqual(['validation_failed', 'mp_base_url']);
    expect(await codes({ mp_base_url: 'http://10.0.0.1/v1' })).toEqual(['unprocessable_content']);
    expect(await codes({ mp_models: null })).toEqual(['validation_failed', 'mp_models']);
    expect(await codes({ mp_headers: null })).toEqual(['validation_failed', 'mp_headers']);
    expect(await codes({ mp_models: [{ ...PEN, model_name: null, model_active: null }] })).toEqual([
      'validation_failed',
      'mp_models[0].model_name',
      'mp_models[0].model_active',
    ]);
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
