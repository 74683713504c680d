import { newId } from '@atrium/platform/kernel';
import { ModelServer, type Client, type RunningApi, type TestWorkspace } from '@atrium/platform/testing';
import { upload } from '../files/uploading';
import { Crediting } from '../governance/crediting';
import { provideModels } from '../models/providing';
import { sharedAtriumWithWorker } from '../support/shared-atrium';
import { makeAgent, UNFOLDING_SCHEMA } from './agents';
import { answerOf, ask, messageOf, newThread, post, type Asked, type Said } from './answering';
import { makePrompt, makeWildcard } from './prompts';

let api: RunningApi;
let ours: TestWorkspace;
let client: Client;
let crediting: Crediting;
let server: ModelServer;

beforeAll(async () => {
  [api, server] = await Promise.all([sharedAtriumWithWorker(), ModelServer.start()]);
  crediting = new Crediting(api);
}, 120_000);
beforeEach(async () => {
  ours = await api.workspace(['module-documents']);
  client = ours.owner.client;
  server.chats.length = server.turns.length = 0;
});
afterAll(async () => {
  await api.close();
  await server.stop();
});

const credits = () => crediting.grant(ours, { grant_credits: 10_000 });
const rows = async (table: string): Promise<number> =>
  (await api.sql<{ count: number }>(`SELECT count(*)::integer AS count FROM ${table} WHERE tenant_id = $1`, [ours.tenant_id]))[0]?.count ??
  0;
const messages = (thread: string, body: object, by = client) => by.post(`/threads/${thread}/messages`, body);
const path = async (thread: string, body: object): Promise<string> =>
  ((await messages(thread, body).expect(400)).body as { errors: { path: string }[] }).errors[0]?.path ?? '';
/** A thread with a model that the test plays. */
async function played(agent: object = {}): Promise<string> {
  await provideModels(api, ours, server, [{ model: 'played-1', model_kind: 'text', model_capabilities: ['tools', 'json'] }]);
  const { agent_id } = await makeAgent(client, { agent_model: 'lab/played-1', agent_tools: [], ...agent });
  return newThread(client, { thread_agent: agent_id });
}

describe('asking', () => {
  it('[ai 4] without credits answers 402, and nothing is written', async () => {
    const thread = await newThread(client);
    expect((await messages(thread, { msg_text: 'Hello' }).expect(402)).body.code).toBe('credits_exhausted');
    expect([await rows('message'), await rows('run'), await rows('credit_hold')]).toEqual([0, 0, 0]);
    await messages(thread, { msg_text: 'Hello', run_options: { run: false } }).expect(201);
    expect(await rows('message')).toBe(1);
  });

  it('answers 202 with the run, and 200 where the answer came in time', async () => {
    await credits();
    const thread = await newThread(client);
    const now = await messages(thread, { msg_text: 'Hello', run_options: { wait: 30 } }).expect(200);
    expect(now.body).toMatchObject({ run: { run_status: 'completed' }, assistant_message: { msg_status: 'complete' } });
    const later = await messages(thread, { msg_text: 'Hello' }).expect(202);
    const { run, user_message, assistant_message } = later.body as Asked;
    expect(later.headers.location).toBe(`/api/v1/threads/${thread}/runs/${run.run_id}`);
    expect(assistant_message.msg_parent).toBe(user_message.msg_id);
    const answer = await answerOf(client, thread, assistant_message.msg_id);
    expect((await client.get(later.headers.location?.replace('/api/v1', '') ?? '').expect(200)).body).toMatchObject({
      run_status: 'completed',
    });
    expect(answer.msg_text.length).toBeGreaterThan(0);
  });

  it('[ai 12] again makes versions beside each other; an edited question begins a branch, and the branches can be switched', async () => {
    await credits();
    const thread = await newThread(client);
    const first = await post(client, thread, 'Hello');
    await answerOf(client, thread, first.assistant_message.msg_id);
    const again = async (): Promise<Asked> => {
      const asked = (await client.post(`/threads/${thread}/messages/${first.assistant_message.msg_id}/regenerate`, {}).expect(202))
        .body as Asked;
      await answerOf(client, thread, asked.assistant_message.msg_id);
      return asked;
    };
    const [second, third] = [await again(), await again()];
    const versions = [first, second, third].map(({ assistant_message }) => assistant_message.msg_id);
    expect((await messageOf(client, thread, versions[2] ?? '')).msg_siblings).toEqual({ index: 2, ids: versions });
    const edited = await post(client, thread, 'Hello there', { msg_parent: null });
    await answerOf(client, thread, edited.assistant_message.msg_id);
    expect((await messageOf(client, thread, edited.user_message.msg_id)).msg_siblings).toEqual({
      index: 1,
      ids: [first.user_message.msg_id, edited.user_message.msg_id],
    });
    const branch = async (): Promise<string[]> =>
      ((await client.get(`/threads/${thread}/messages`).expect(200)).body as { data: Said[] }).data.map(({ msg_id }) => msg_id);
    expect(await branch()).toEqual([edited.user_message.msg_id, edited.assistant_message.msg_id]);
    await client.put(`/threads/${thread}/leaf`, { msg_id: versions[1] }).expect(200);
    expect(await branch()).toEqual([first.user_message.msg_id, versions[1]]);
  }, 60_000);

  it('refuses what it does not take, naming the field, and writes nothing', async () => {
    await credits();
    const thread = await newThread(client);
    const other = await newThread(client);
    const fixed = await newThread(client, { thread_agent: (await makeAgent(client)).agent_id });
    const { user_message } = (await messages(other, { msg_text: 'x', run_options: { run: false } }).expect(201)).body as Asked;
    expect(await path(thread, {})).toBe('msg_text');
    expect(await path(thread, { msg_text: '   ' })).toBe('msg_text');
    expect(await path(thread, { msg_text: 'x'.repeat(100_001) })).toBe('msg_text');
    expect(await path(thread, { msg_text: '\u0000' })).toBe('msg_text');
    expect(await path(thread, { msg_text: '\ud800' })).toBe('msg_text');
    expect(await path(thread, { msg_text: 'x', msg_parts: [{ kind: 'text', text: 'y' }] })).toBe('msg_parts');
    expect(await path(thread, { msg_parts: [{ kind: 'tool' }] })).toBe('msg_parts[0].kind');
    expect(await path(thread, { msg_parts: [{ kind: 'text' }] })).toBe('msg_parts[0].text');
    expect(await path(thread, { msg_text: 'x', msg_parent: newId() })).toBe('msg_parent');
    expect(await path(thread, { msg_text: 'x', msg_parent: user_message.msg_id })).toBe('msg_parent');
    expect(await path(thread, { msg_text: 'x', msg_files: Array.from({ length: 21 }, () => newId()) })).toBe('msg_files');
    const options = (run_options: object) => path(thread, { msg_text: 'x', run_options });
    expect(await options({ agent_id: newId() })).toBe('run_options.agent_id');
    expect(await options({ on_busy: 'enqueue' })).toBe('run_options.on_busy');
    expect(await options({ max_steps: 26 })).toBe('run_options.max_steps');
    expect(await options({ wait: 61 })).toBe('run_options.wait');
    expect(await options({ schema: { type: 'nothing' } })).toBe('run_options.schema');
    expect(await options({ schema: { type: 'array' } })).toBe('run_options.schema');
    expect(await options({ schema: UNFOLDING_SCHEMA })).toBe('run_options.schema');
    for (const [key, value] of Object.entries({
      model_id: 'atrium/extract-1',
      params: { temperature: 1 },
      knowledge: [newId()],
      tools: [],
    }))
      expect(await path(fixed, { msg_text: 'x', run_options: { [key]: value } })).toBe(`run_options.${key}`);
    await messages(thread, { msg_text: 'x', msg_files: [newId()] }).expect(400);
    await messages(newId(), { msg_text: 'x' }).expect(404);
    await client.patch(`/threads/${thread}`, { thread_status: 'closed' }).expect(200);
    expect((await messages(thread, { msg_text: 'x' }).expect(409)).body.code).toBe('invalid_state');
    expect([await rows('message'), await rows('run')]).toEqual([1, 0]);
  }, 60_000);

  it('names the model that is not there where the message names it, and the agent that names it otherwise', async () => {
    await credits();
    const { agent_id } = await makeAgent(client, { agent_overrides: ['model'] });
    const thread = await newThread(client, { thread_agent: agent_id });
    expect((await messages(thread, { msg_text: 'x', run_options: { model_id: 'no/such' } }).expect(400)).body).toMatchObject({
      errors: [{ path: 'run_options.model_id', code: 'reference' }],
    });
    await api.sql(`UPDATE agent SET agent_model = 'gone/one', agent_name = 'Harbour' WHERE agent_id = $1`, [agent_id]);
    const said = { code: 'invalid_state', detail: expect.stringMatching(/gone\/one.*agent Harbour.*another model/) };
    expect((await messages(thread, { msg_text: 'x' }).expect(409)).body).toMatchObject(said);
    expect((await client.post(`/agents/${agent_id}/run`, { input: 'x' }).expect(409)).body).toMatchObject(said);
    await messages(thread, { msg_text: 'x', run_options: { model_id: 'atrium/extract-1' } }).expect(202);
  }, 60_000);

  it('is for members who may write in the thread and may run agents', async () => {
    await credits();
    const thread = await newThread(client);
    const asked = await post(client, thread, 'Hello');
    await answerOf(client, thread, asked.assistant_message.msg_id);
    const theirs = await api.workspace(['module-documents']);
    const [stranger, reader, keyed] = [
      (await ours.member('editor')).client,
      await ours.member('editor'),
      await api.memberWithKey(ours.tenant_id, ours.owner.user_id, ours.owner.email, ['thread:view', 'thread:edit', 'thread:create']),
    ];
    await client.post(`/threads/${thread}/members`, { member_type: 'user', member_id: reader.user_id, member_level: 'view' }).expect(201);
    const { msg_id } = asked.assistant_message;
    for (const [by, status] of [
      [theirs.owner.client, 404],
      [stranger, 404],
      [reader.client, 403],
    ] as const) {
      await messages(thread, { msg_text: 'x' }, by).expect(status);
      await by.post(`/threads/${thread}/messages/${msg_id}/regenerate`, {}).expect(status);
      await by.post(`/threads/${thread}/stop`, {}).expect(status);
    }
    for (const [by, status] of [
      [theirs.owner.client, 404],
      [stranger, 404],
      [reader.client, 200],
    ] as const) {
      await by.get(`/threads/${thread}/runs/${asked.run.run_id}`).expect(status);
      await by.get(`/threads/${thread}/messages/${msg_id}/citations/check`).expect(status);
    }
    expect((await messages(thread, { msg_text: 'x' }, keyed.client).expect(403)).body.code).toBe('permission_denied');
    await messages(thread, { msg_text: 'x', run_options: { run: false } }, keyed.client).expect(201);
    await client.get(`/threads/${await newThread(client)}/runs/${asked.run.run_id}`).expect(404);
    const foreign = await makeAgent(theirs.owner.client);
    expect(await path(thread, { msg_text: 'x', run_options: { agent_id: foreign.agent_id } })).toBe('run_options.agent_id');
  }, 60_000);

  it('has the text of attachments, once it was read', async () => {
    await credits();
    const thread = await newThread(client);
    const { file_id } = await upload(client, 'tariff.md', Buffer.from('The berth of a sailing boat costs twelve euros a day.'), {
      file_repo: { library: ['docs'] },
    });
    const answer = await ask(client, thread, 'What does the berth of a sailing boat cost?', { msg_files: [file_id] });
    expect(answer.msg_text).toContain('twelve euros a day');
  }, 60_000);
});

describe('what a provider does wrong', () => {
  it.each([
    [{ status: 401 } as const, 'upstream_failed'],
    [{ status: 400 } as const, 'unprocessable_content'],
    [{ stream: { text: 'Half of', wrong: { after: 2, how: 'overloaded' } } } as const, 'upstream_failed'],
  ])(
    '%j ends the run as %s says, and the thread is free',
    async (turn, code) => {
      await credits();
      const thread = await played();
      server.turns.push(turn, turn, turn, turn, turn, turn, turn, turn, turn);
      const answer = await ask(client, thread, 'What does it cost?');
      expect(answer).toMatchObject({ msg_status: 'failed', msg_finish: 'error', msg_error: { code } });
      expect(JSON.stringify(answer)).not.toContain('sk-test');
      server.turns.length = 0;
      server.turns.push({ stream: { text: 'Better.' } });
      expect((await ask(client, thread, 'Again?')).msg_text).toBe('Better.');
      expect(await api.sql('SELECT 1 FROM credit_hold WHERE tenant_id = $1 AND hold_settled_at IS NULL', [ours.tenant_id])).toEqual([]);
    },
    120_000,
  );

  it('a stream that is cut is asked for again, and what it said is taken back', async () => {
    await credits();
    const thread = await played();
    server.turns.push(
      { stream: { text: 'This is lost in the middle', wrong: { after: 3, how: 'cut' } } },
      { stream: { text: 'The whole answer.' } },
    );
    expect(await ask(client, thread, 'What does it cost?')).toMatchObject({ msg_status: 'complete', msg_text: 'The whole answer.' });
  }, 60_000);

  it('a filter keeps the text that came before it', async () => {
    await credits();
    const thread = await played();
    server.turns.push({ stream: { text: 'So far', finish: 'filter' } });
    expect(await ask(client, thread, 'What?')).toMatchObject({ msg_status: 'complete', msg_finish: 'filter', msg_text: 'So far' });
  }, 60_000);
});

describe('answers by a schema', () => {
  const agent_schema = { type: 'object', properties: { price: { type: 'number' } }, required: ['price'], additionalProperties: false };

  it('are data, and are asked for once more when they do not follow it', async () => {
    await credits();
    const thread = await played({ agent_schema });
    server.turns.push({ stream: { text: 'It costs twelve.' } }, { stream: { text: '{"price": 12}' } });
    const answer = await ask(client, thread, 'What does it cost?');
    expect(answer).toMatchObject({ msg_status: 'complete', msg_parts: [{ kind: 'data', value: { price: 12 } }] });
    expect(server.chats.at(-1)?.text).toContain('does not follow the JSON Schema');
  }, 60_000);

  it('that do not follow it twice fail once, also where what is kept of them ends within a character', async () => {
    await credits();
    const thread = await played({ agent_schema });
    const text = `${'x'.repeat(9_999)}\u{1f600}`;
    server.turns.push({ stream: { text } }, { stream: { text } });
    const answer = await ask(client, thread, 'What does it cost?');
    expect(answer).toMatchObject({ msg_status: 'failed', msg_error: { code: 'unprocessable_content' } });
    expect(answer.msg_parts).toMatchObject([{ kind: 'notice', detail: 'x'.repeat(9_999) }]);
    expect(server.chats).toHaveLength(2);
  }, 60_000);

  it('that do not follow it twice fail, and keep what the model said', async () => {
    await credits();
    const thread = await played({ agent_schema });
    server.turns.push({ stream: { text: 'It costs twelve.' } }, { stream: { text: '{"price": "twelve"}' } });
    const answer = await ask(client, thread, 'What does it cost?');
    expect(answer).toMatchObject({ msg_status: 'failed', msg_error: { code: 'unprocessable_content' } });
    expect(answer.msg_parts).toMatchObject([{ kind: 'notice', code: 'unprocessable_content', detail: '{"price": "twelve"}' }]);
  }, 60_000);
});

describe('prompts that are run', () => {
  it('[ai 20] fill in labels, name what is missing, follow changes of a wildcard, and never fill in what a value says', async () => {
    await credits();
    const tone = await makeWildcard(client, 'Tone', 'select', { options: [{ value: 'f', label: 'friendly' }], required: true });
    await makeWildcard(client, 'Day', 'date', { format: 'iso', required: true });
    const { prompt_id } = await makePrompt(client, 'Write a {{Tone}} note for {{Day}} to {{Who}}.');
    const run = (values: object, more: object = {}) => client.post(`/prompts/${prompt_id}/run`, { values, ...more });
    const missing = (await run({ Tone: 'f', Day: '2026-11-23' }).expect(400)).body as { errors: { path: string }[] };
    expect(missing.errors.map(({ path: at }) => at)).toEqual(['values.Who']);
    expect(await rows('thread')).toBe(0);
    const asked = (await run({ Tone: 'f', Day: '2026-11-23', Who: '{{Tone}}' }).expect(202)).body as Asked & {
      thread: { thread_id: string };
    };
    expect(asked.user_message.msg_text).toBe('Write a friendly note for 2026-11-23 to {{Tone}}.');
    const { thread_id } = asked.thread;
    expect(asked.thread).not.toHaveProperty('row_version');
    await answerOf(client, thread_id, asked.assistant_message.msg_id);
    await client
      .patch(`/wildcards/${tone.wildcard_id}`, {
        wildcard_control_props: { options: [{ value: 'f', label: 'warm' }], required: true },
      })
      .expect(200);
    const next = (await run({ Tone: 'f', Day: '2026-11-23', Who: 'Ann' }, { thread_id, run_options: { wait: 30 } })).body as Asked;
    expect(next.user_message.msg_text).toBe('Write a warm note for 2026-11-23 to Ann.');
    await client.delete(`/wildcards/${tone.wildcard_id}`).expect(204);
    const free = (await run({ Tone: 'any words', Day: '2026-11-23', Who: 'Ann' }, { thread_id, run_options: { wait: 30 } })).body as Asked;
    expect(free.user_message.msg_text).toBe('Write a any words note for 2026-11-23 to Ann.');
    const viewer = (await ours.member('viewer')).client;
    const theirs = (await api.workspace()).owner.client;
    await viewer.post(`/prompts/${prompt_id}/run`, { values: {} }).expect(403);
    await theirs.post(`/prompts/${prompt_id}/run`, { values: {} }).expect(404);
  }, 90_000);
});

describe('agents that are asked without a thread', () => {
  it('answer with the problem when they fail in time, and the run says the same', async () => {
    await credits();
    await provideModels(api, ours, server, [{ model: 'played-1', model_kind: 'text' }]);
    const { agent_id } = await makeAgent(client, { agent_model: 'lab/played-1', agent_tools: [] });
    server.turns.push(...Array<{ status: 401 }>(9).fill({ status: 401 }));
    const failed = await client.post(`/agents/${agent_id}/run`, { input: 'Hello' }).expect(502);
    server.turns.length = 0;
    expect(failed.body).toMatchObject({ code: 'upstream_failed' });
    const [, run_id = ''] = /The run is ([0-9a-f-]{36})/.exec((failed.body as { detail: string }).detail) ?? [];
    expect((await client.get(`/agents/${agent_id}/runs/${run_id}`).expect(200)).body).toMatchObject({
      run_status: 'failed',
      run_error: { code: 'upstream_failed' },
    });
  }, 120_000);

  it('answer at once, or later under the run; only who asked may read it', async () => {
    await credits();
    const { agent_id } = await makeAgent(client, { agent_tools: [] });
    const question = { messages: [{ role: 'user', text: 'Hello' }] };
    const now = await client.post(`/agents/${agent_id}/run`, question).expect(200);
    expect(now.body).toMatchObject({ data: null, citations: [], usage: { estimated: false } });
    expect((now.body as { output: string }).output.length).toBeGreaterThan(0);
    const later = await client.post(`/agents/${agent_id}/run`, { input: 'Hello', wait: 0 }).expect(202);
    const { run_id } = later.body as { run_id: string };
    expect(later.headers.location).toBe(`/api/v1/agents/${agent_id}/runs/${run_id}`);
    const other = await ours.member('owner');
    await other.client.get(`/agents/${agent_id}/runs/${run_id}`).expect(404);
    const theirs = (await api.workspace()).owner.client;
    await theirs.get(`/agents/${agent_id}/runs/${run_id}`).expect(404);
    await theirs.post(`/agents/${agent_id}/run`, question).expect(404);
    await client.post(`/agents/${newId()}/run`, question).expect(404);
    await client.post(`/agents/${agent_id}/run`, { ...question, schema: UNFOLDING_SCHEMA }).expect(400);
    await (await ours.member('viewer')).client.post(`/agents/${agent_id}/run`, question).expect(403);
    await client.get(`/agents/${agent_id}/runs/${run_id}`).expect(200);
    for (const body of [{}, { input: 'x', ...question }, { messages: [{ role: 'assistant', text: 'x' }] }, { input: ' ' }])
      await client.post(`/agents/${agent_id}/run`, body).expect(400);
    const long = { messages: ['user', 'assistant', 'user'].map((role) => ({ role, text: '語'.repeat(70_000) })) };
    expect((await client.post(`/agents/${agent_id}/run`, long).expect(400)).body.errors).toMatchObject([
      { path: 'messages', code: 'too_long' },
    ]);
    const refused = await client.post(`/agents/${agent_id}/run`, { input: 'x', schema: { type: 'nothing' } }).expect(400);
    expect(refused.body.errors[0].path).toBe('schema');
  }, 60_000);
});
