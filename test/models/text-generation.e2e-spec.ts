import { ModelRefusal, TextGeneration, type TextAnswer, type TextRequest } from '@atrium/models';
import { inWorkspace } from '@atrium/platform/database';
import { newId } from '@atrium/platform/kernel';
import { ModelServer, type RunningApi, type TestWorkspace } from '@atrium/platform/testing';
import { Crediting } from '../governance/crediting';
import { OPERATOR_TOKENS } from '../support/operating';
import { startAtrium } from '../support/api';
import { MODELS_ON_LOOPBACK, provideModels } from './providing';

let api: RunningApi;
let server: ModelServer;
let crediting: Crediting;
let ours: TestWorkspace;

beforeAll(async () => {
  server = await ModelServer.start();
  api = await startAtrium({ ...MODELS_ON_LOOPBACK, OPERATOR_TOKENS });
  crediting = new Crediting(api);
});
beforeEach(async () => {
  server.turns.length = server.chats.length = 0;
  ours = await api.workspace();
  await crediting.grant(ours, { grant_credits: 1_000 });
  await provideModels(api, ours, server, [
    { model: 'pen-1', model_kind: 'text', model_capabilities: ['json'], model_max_output: 700 },
    { model: 'quill-1', model_kind: 'text' },
  ]);
});
afterAll(async () => {
  await api.close();
  await server.stop();
});

const SCHEMA = { type: 'object', additionalProperties: false, properties: { due: { type: 'integer' } }, required: ['due'] };

const generate = (request: Partial<TextRequest> = {}, workspace = ours): Promise<TextAnswer> =>
  inWorkspace(workspace.tenant_id, () =>
    api.app.get(TextGeneration, { strict: false }).generateText({
      messages: [{ role: 'user', text: 'When are the fees due?' }],
      param: 'ai.assist_tokens',
      model_id: 'lab/pen-1',
      user: workspace.owner.user_id,
      call: newId(),
      ref: { test: true },
      ...request,
    }),
  );
const charged = async (workspace = ours): Promise<{ units: number; details: string; user_id: string }[]> =>
  api.sql(
    `SELECT usage_consumed_units::float AS units, usage_details AS details, usage_user AS user_id FROM usage_entry
     WHERE tenant_id = $1 AND usage_param = 'ai.assist_tokens' ORDER BY usage_id`,
    [workspace.tenant_id],
  );
const reserved = async (): Promise<number> =>
  (
    await api.sql<{ count: number }>(
      'SELECT count(*)::integer AS count FROM credit_hold WHERE tenant_id = $1 AND hold_settled_at IS NULL',
      [ours.tenant_id],
    )
  )[0]?.count ?? -1;

describe('the generation of texts', () => {
  it('answers in words, and charges what the provider counted to the person and the model', async () => {
    server.turns.push({ say: 'Within 30 days.' });
    expect(await generate({ system: 'Be brief.' })).toEqual({
      text: 'Within 30 days.',
      finish: 'stop',
      usage: { input_tokens: 120, cached_tokens: 0, output_tokens: 20, reasoning_tokens: 0, estimated: false },
      model_id: 'lab/pen-1',
    });
    expect(server.chats[0]).toMatchObject({ model: 'pen-1', system: 'Be brief.', text: 'When are the fees due?' });
    expect(await charged()).toEqual([{ units: 140, details: 'lab/pen-1', user_id: ours.owner.user_id }]);
    expect(await reserved()).toBe(0);
  });

  it('answers an object of the schema, which models that know schemas are given as one', async () => {
    server.turns.push({ say: { due: 30 } }, { say: { due: 31 } });
    expect((await generate({ schema: SCHEMA })).data).toEqual({ due: 30 });
    expect((await generate({ schema: SCHEMA, model_id: 'lab/quill-1' })).data).toEqual({ due: 31 });
    expect(JSON.stringify(server.chats[0]?.response_format)).toContain('"due"');
    expect(JSON.stringify(server.chats[1]?.response_format)).not.toContain('"due"');
    for (const { system } of server.chats) expect(system).toContain('"due"');
  });

  it('asks once more for an answer that does not fit, says what is wrong, and charges both', async () => {
    server.turns.push({ say: { due: 'soon' } }, { say: { due: 30 } });
    const answer = await generate({ schema: SCHEMA });
    expect(answer.data).toEqual({ due: 30 });
    expect(answer.usage).toMatchObject({ input_tokens: 240, output_tokens: 40 });
    expect(server.chats[1]?.text).toMatch(/does not fit the JSON Schema: .*due/);
    expect((await charged()).map(({ units }) => units)).toEqual([280]);
  });

  it('refuses what does not fit twice or what the provider filters, and charges that too', async () => {
    server.turns.push({ say: 'Soon.' }, { say: '[30]' });
    await expect(generate({ schema: SCHEMA })).rejects.toMatchObject({ code: 'unprocessable_content' });
    server.turns.push({ refuse: 'content_filter' });
    await expect(generate({ schema: SCHEMA })).rejects.toBeInstanceOf(ModelRefusal);
    expect((await charged()).map(({ units }) => units)).toEqual([280, 140]);
    expect(await reserved()).toBe(0);
    expect(server.chats).toHaveLength(3);
  });

  it('charges one call once, however often its work is done again', async () => {
    const call = newId();
    server.turns.push({ say: 'Within 30 days.' }, { say: 'Within 30 days.' });
    await generate({ call });
    await generate({ call });
    expect(await charged()).toHaveLength(1);
    expect(await reserved()).toBe(0);
  });

  it('asks nobody without credits, and charges nothing for a failure, whose reservation ends', async () => {
    const poor = await api.workspace();
    await provideModels(api, poor, server, [{ model: 'pen-1', model_kind: 'text' }]);
    await expect(generate({}, poor)).rejects.toMatchObject({ code: 'credits_exhausted' });
    expect(server.chats).toEqual([]);
    server.turns.push({ status: 401 });
    await expect(generate()).rejects.toMatchObject({
      code: 'upstream_failed',
      detail: 'The model provider lab rejected the credential. Check its API key.',
    });
    server.turns.push({ status: 503 });
    await expect(generate({ tries: 1 })).rejects.toMatchObject({ code: 'upstream_failed' });
    expect([await charged(), await reserved()]).toEqual([[], 0]);
  });

  it('stops with its signal, and is charged for what the provider read until then', async () => {
    const stop = new AbortController();
    server.answering = () => {
      stop.abort(new Error('The job was cancelled.'));
      return new Promise<never>(() => undefined);
    };
    await expect(generate({ signal: stop.signal })).rejects.toThrow('The job was cancelled.');
    server.answering = () => ({ say: {} });
    expect([await charged(), await reserved()]).toEqual([[expect.objectContaining({ details: 'lab/pen-1', units: 6 })], 0]);
  });

  it('rejects a model that the workspace does not have', async () => {
    await expect(generate({ model_id: 'lab/none' })).rejects.toMatchObject({ code: 'validation_failed' });
    const theirs = await api.workspace();
    await crediting.grant(theirs, { grant_credits: 10 });
    await expect(generate({}, theirs)).rejects.toMatchObject({ code: 'validation_failed' });
    expect(server.chats).toEqual([]);
  });

  it('reads values from the message with the built-in model, where no other is configured', async () => {
    const plain = await api.workspace();
    await crediting.grant(plain, { grant_credits: 10 });
    const messages = [{ role: 'user' as const, text: 'The fees are due within 30 days.' }];
    const answer = await generate({ schema: SCHEMA, messages, model_id: null }, plain);
    expect(answer).toMatchObject({ data: { due: 30 }, model_id: 'atrium/extract-1', finish: 'stop' });
    expect((await charged(plain)).map(({ units }) => units)).toEqual([answer.usage.input_tokens + answer.usage.output_tokens]);
  });
});
