import { ModelProviders, type ProvidedModel } from '@atrium/models';
import { inWorkspace } from '@atrium/platform/database';
import { eventually, MessagesServer, ModelServer, type Client, type RunningApi, type TestWorkspace } from '@atrium/platform/testing';
import { Crediting } from '../governance/crediting';
import { MODELS_ON_LOOPBACK } from '../models/providing';
import { startAtriumWithWorker } from '../support/api';
import { OPERATOR_TOKENS } from '../support/operating';
import { makeAgent } from './agents';
import { ask, answerOf, newThread, post, runOf, type Said } from './answering';

const MODEL: ProvidedModel = {
  model: 'pen-1',
  model_kind: 'text',
  model_capabilities: ['tools', 'streaming', 'json', 'reasoning'],
  model_max_output: 8_000,
};

let api: RunningApi;
let chat: ModelServer;
let messages: MessagesServer;
let ours: TestWorkspace;
let client: Client;

beforeAll(async () => {
  [chat, messages] = await Promise.all([ModelServer.start(), MessagesServer.start()]);
  api = await startAtriumWithWorker({ ...MODELS_ON_LOOPBACK, OPERATOR_TOKENS, MODEL_TIMEOUT_SECONDS: '5' });
}, 120_000);
beforeEach(async () => {
  ours = await api.workspace(['module-documents']);
  client = ours.owner.client;
  await new Crediting(api).grant(ours, { grant_credits: 10_000 });
  const providers = api.app.get(ModelProviders, { strict: false });
  for (const [mp_name, mp_type, mp_base_url] of [
    ['chat', 'openai-compatible', chat.url],
    ['openai', 'openai', chat.url],
    ['messages', 'anthropic', messages.url],
  ] as const)
    await inWorkspace(ours.tenant_id, () => providers.create({ mp_name, mp_type, mp_base_url, mp_key: 'sk-test', mp_models: [MODEL] }));
  for (const list of [chat.chats, chat.turns, messages.asked, messages.turns]) list.length = 0;
  chat.habits.clear();
});
afterAll(async () => {
  await api.close();
  await Promise.all([chat.stop(), messages.stop()]);
});

const CHUNK = { id: 'c1', object: 'chat.completion.chunk', created: 1_700_000_000, model: 'm' };
/** The events of an answer: deltas, and how it ends. */
const raw = (deltas: readonly object[], finish_reason: string, more: object = {}): { readonly raw: string } => {
  const choices = [
    ...deltas.map((delta) => ({ index: 0, delta, finish_reason: null as string | null })),
    { index: 0, delta: {}, finish_reason },
  ];
  const events = choices.map((choice, at) => ({ ...CHUNK, choices: [choice], ...(at === choices.length - 1 ? more : {}) }));
  return { raw: [...events.map((event) => JSON.stringify(event)), '[DONE]'].map((data) => `data: ${data}\n\n`).join('') };
};

async function threadOf(agent: object = {}): Promise<string> {
  const { agent_id } = await makeAgent(client, { agent_model: 'chat/pen-1', agent_tools: [], ...agent });
  return newThread(client, { thread_agent: agent_id });
}
const answered = async (text: string, agent: object = {}): Promise<Said> => ask(client, await threadOf(agent), text);
const kinds = ({ msg_parts }: Said): string[] => msg_parts.map(({ kind, text = '' }) => `${kind} ${text}`.trim());

describe('an answer in the shape of some provider', () => {
  it('is asked for once more without what the model refuses, and the next one at once', async () => {
    chat.habits.set('pen-1', { refuses: ['max_tokens', 'temperature'] });
    const agent = { agent_params: { temperature: 0.2, max_output_tokens: 500 } };
    chat.turns.push({ stream: { text: 'One.' } }, { stream: { text: 'Two.' } });
    expect(await answered('How many?', agent)).toMatchObject({ msg_status: 'complete', msg_text: 'One.' });
    expect(chat.chats).toHaveLength(3);
    expect(await answered('How many?', agent)).toMatchObject({ msg_status: 'complete', msg_text: 'Two.' });
    expect(chat.chats).toHaveLength(4);
    expect(chat.chats[3]?.body).toMatchObject({ max_completion_tokens: 500 });
    chat.turns.push({ stream: { text: 'Three.' } });
    await answered('How many?', { agent_model: 'openai/pen-1' });
    expect(chat.chats[4]?.body).toHaveProperty('max_completion_tokens');
  }, 60_000);

  it.each<[string, { readonly raw: string }, Partial<Said>, string[]]>([
    ['refuses', raw([{ refusal: "I can't help." }], 'stop'), { msg_status: 'complete', msg_finish: 'filter' }, ["text I can't help."]],
    ['was withheld', raw([], 'content_filter'), { msg_status: 'complete', msg_finish: 'filter' }, ['notice']],
    [
      'thinks in the answer',
      raw([{ content: '<th' }, { content: 'ink>Secret.</thi' }, { content: 'nk>\n\nForty-two.' }], 'stop'),
      { msg_status: 'complete', msg_text: 'Forty-two.' },
      ['reasoning Secret.', 'text Forty-two.'],
    ],
    [
      'ends thoughts that its question began',
      raw([{ content: 'Six times' }, { content: ' seven.\n</thi' }, { content: 'nk>\n\nForty-two.' }], 'stop'),
      { msg_status: 'complete', msg_text: 'Forty-two.' },
      ['reasoning Six times seven.', 'text Forty-two.'],
    ],
  ])(
    'is stored as what it is where it %s',
    async (_, turn, answer, parts) => {
      chat.turns.push(turn);
      const said = await answered('How many?');
      expect(said).toMatchObject(answer);
      expect(kinds(said)).toEqual(parts);
    },
    60_000,
  );

  it('is counted by its words where its provider counts none', async () => {
    chat.turns.push(raw([{ content: 'Forty-two.' }], 'stop', { usage: { prompt_tokens: 0, completion_tokens: 0 } }));
    const { msg_usage } = await answered('How many?');
    expect(msg_usage).toMatchObject({ estimated: true });
    expect(msg_usage?.input_tokens).toBeGreaterThan(0);
    expect(msg_usage?.output_tokens).toBeGreaterThan(0);
    expect(msg_usage?.credits).toBeGreaterThan(0);
    chat.turns.push(raw([{ content: 'Forty-two.' }], 'stop', { usage: { prompt_tokens: 11, completion_tokens: 7 } }));
    expect((await answered('How many?')).msg_usage).toMatchObject({ estimated: false, input_tokens: 11, output_tokens: 7 });
  }, 60_000);

  it('is asked for again where it is blank, and has failed where it stays so', async () => {
    const [blank, thought] = [raw([{ content: '' }], 'stop'), raw([{ reasoning_content: 'Hm.' }], 'stop')];
    chat.turns.push(blank, raw([{ content: 'Forty-two.' }], 'stop'));
    expect(await answered('How many?')).toMatchObject({ msg_status: 'complete', msg_text: 'Forty-two.' });
    chat.turns.push(thought, blank);
    const failed = await answered('How many?');
    expect(failed).toMatchObject({ msg_status: 'failed', msg_error: { code: 'upstream_failed' }, msg_usage: { credits: 0 } });
    expect(failed.msg_error?.detail).toContain('gave no answer');
    chat.turns.push(raw([{ reasoning_content: 'Hm.' }], 'length'));
    expect(await answered('How many?')).toMatchObject({ msg_status: 'failed', msg_error: { code: 'unprocessable_content' } });
    expect(chat.turns).toEqual([]);
  }, 60_000);

  it('has failed, with what was said, where its provider ends it with an error three times', async () => {
    chat.turns.push(...Array.from({ length: 3 }, () => raw([{ content: 'The answer ' }], 'error')));
    const failed = await answered('How many?');
    expect(failed).toMatchObject({ msg_status: 'failed', msg_error: { code: 'upstream_failed' } });
    expect(kinds(failed)).toEqual(['text The answer']);
    expect(chat.turns).toEqual([]);
  }, 60_000);

  it('has calls whose input is an object, and calls go on', async () => {
    const call = { index: 0, id: 'a', type: 'function', function: { name: 'calculate', arguments: { expression: '6*7' } } };
    chat.turns.push(raw([{ tool_calls: [call] }], 'tool_calls'), { stream: { text: 'It is 42.' } });
    const said = await answered('How many?', { agent_tools: [{ tool: 'calculate' }] });
    expect(said).toMatchObject({ msg_status: 'complete', msg_text: 'It is 42.' });
    expect(said.msg_parts[0]).toMatchObject({ kind: 'tool', state: 'done', output: { value: '42' } });
  }, 60_000);

  it('has events that came later than the protocol library', async () => {
    const events = [
      {
        type: 'message_start',
        message: { id: 'm', type: 'message', role: 'assistant', model: 'x', content: [], usage: { input_tokens: 11 } },
      },
      { type: 'future_event' },
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Forty-two.' } },
      { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 7 } },
      { type: 'message_stop' },
    ];
    messages.turns.push({ raw: events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('') });
    expect(await answered('How many?', { agent_model: 'messages/pen-1' })).toMatchObject({
      msg_status: 'complete',
      msg_text: 'Forty-two.',
    });
  }, 60_000);

  it('joins questions that got no answer', async () => {
    chat.habits.set('pen-1', { alternates: true });
    const thread = await threadOf();
    chat.turns.push({ status: 400, error: { message: 'No.' } }, { stream: { text: 'Two.' } });
    expect(await ask(client, thread, 'The first?')).toMatchObject({ msg_status: 'failed' });
    expect(await ask(client, thread, 'The second?')).toMatchObject({ msg_status: 'complete', msg_text: 'Two.' });
    expect(chat.chats.at(-1)?.text).toContain('The first?\n\nThe second?');
  }, 60_000);
});

describe('what a provider sends with a step', () => {
  const CALL = { id: 'c1', name: 'calculate', input: '{"expression":"6 * 7"}' };
  const agent = { agent_tools: [{ tool: 'calculate', approval: 'always' }] };
  const carried = (): Promise<{ carried: unknown }[]> =>
    api.sql('SELECT s.carried FROM run_step s WHERE s.tenant_id = $1 AND s.carried IS NOT NULL', [ours.tenant_id]);

  it.each([
    ['extra_content.google.thought_signature', { calls: [CALL], signature: 'SIG123' }, 'SIG123'],
    ['reasoning_content', { reasoning: 'Six times seven.', calls: [CALL] }, 'Six times seven.'],
  ] as const)(
    '%s goes back with it, also after a consent, and is kept no longer than the run',
    async (wantsBack, stream, secret) => {
      chat.habits.set('pen-1', { wantsBack });
      chat.turns.push({ stream }, { stream: { text: 'It is 42.' } });
      const thread = await threadOf(agent);
      const { assistant_message, run } = await post(client, thread, 'How many?');
      expect(await answerOf(client, thread, assistant_message.msg_id)).toMatchObject({ msg_status: 'waiting' });
      expect(JSON.stringify(await carried())).toContain(secret);
      if (secret === 'SIG123') expect(JSON.stringify(await runOf(client, thread, run.run_id))).not.toContain(secret);
      const { tool_calls } = await runOf(client, thread, run.run_id);
      const results = tool_calls.map(({ call_id }) => ({ call_id, approve: true }));
      await client.post(`/threads/${thread}/runs/${run.run_id}/tool-results`, { results }).expect(200);
      await eventually(
        () => answerOf(client, thread, assistant_message.msg_id),
        ({ msg_status }) => msg_status !== 'waiting',
        30_000,
      );
      expect(await answerOf(client, thread, assistant_message.msg_id)).toMatchObject({ msg_status: 'complete', msg_text: 'It is 42.' });
      expect(JSON.stringify(chat.chats.at(-1)?.messages)).toContain(secret);
      expect(await carried()).toEqual([]);
    },
    60_000,
  );

  it('goes back with each of several steps', async () => {
    chat.habits.set('pen-1', { wantsBack: 'extra_content.google.thought_signature' });
    const more = { ...CALL, id: 'c2', input: '{"expression":"6 * 8"}' };
    chat.turns.push(
      { stream: { calls: [CALL], signature: 'SIG1' } },
      { stream: { calls: [more], signature: 'SIG2' } },
      { stream: { text: '42 and 48.' } },
    );
    expect(await answered('How many?', { agent_tools: [{ tool: 'calculate' }] })).toMatchObject({
      msg_status: 'complete',
      msg_text: '42 and 48.',
    });
    expect(chat.chats.map(({ messages: sent }) => JSON.stringify(sent).match(/SIG\d/g) ?? [])).toEqual([[], ['SIG1'], ['SIG1', 'SIG2']]);
    expect(await carried()).toEqual([]);
  }, 60_000);

  it('are signed thoughts of the Messages protocol, and the model goes on thinking', async () => {
    messages.turns.push({ reasoning: 'Six times seven.', signature: 'SIG', calls: [CALL] }, { text: 'It is 42.' });
    const said = await answered('How many?', {
      agent_model: 'messages/pen-1',
      agent_tools: [{ tool: 'calculate' }],
      agent_params: { reasoning: 'low', max_output_tokens: 8_000 },
    });
    expect(said).toMatchObject({ msg_status: 'complete', msg_text: 'It is 42.' });
    expect(messages.asked[1]).toMatchObject({ thinking: { type: 'enabled' } });
    expect(JSON.stringify(messages.asked[1]?.messages)).toContain('"signature":"SIG"');
  }, 60_000);
});

describe('the reason of a provider', () => {
  it('is known to those who manage models or own the agent, in full where they asked, without its secrets, and to nobody else', async () => {
    const words = "This model's maximum context length is 8192 tokens (key sk-test).";
    const error = { message: words, type: 'invalid_request_error', code: 'context_length_exceeded' };
    chat.turns.push({ status: 400, error });
    const member = await ours.member('editor');
    const { agent_id } = await makeAgent(client, { agent_model: 'chat/pen-1', agent_tools: [] });
    const thread = await newThread(member.client, { thread_agent: agent_id, thread_acl: { users: { [ours.owner.user_id]: 'view' } } });
    const { assistant_message, run } = await post(member.client, thread, 'How many?');
    const failed = await answerOf(member.client, thread, assistant_message.msg_id);
    expect(failed).toMatchObject({ msg_status: 'failed', msg_error: { code: 'unprocessable_content' } });
    expect(failed.msg_error?.detail).toMatch(/does not accept a request of this length/);
    const reason = (of: Client) => runOf(of, thread, run.run_id);
    expect(await reason(client)).toMatchObject({ run_reason: 'context_length_exceeded, invalid_request_error' });
    expect(await reason(member.client)).toMatchObject({ run_reason: null });
    chat.turns.push({ status: 400, error });
    const own = await newThread(client, { thread_agent: agent_id });
    const asked = await post(client, own, 'How many?');
    await answerOf(client, own, asked.assistant_message.msg_id);
    expect(await runOf(client, own, asked.run.run_id)).toMatchObject({
      run_reason: expect.stringMatching(/^This model's maximum context length is 8192 tokens \(key \[secret\]/),
    });
  }, 60_000);
});
