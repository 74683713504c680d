import { ModelProviders, type ProvidedModel } from '@atrium/models';
import sharp from 'sharp';
import { inWorkspace } from '@atrium/platform/database';
import { Metrics } from '@atrium/platform/observability';
import {
  drawPicture,
  eventually,
  MessagesServer,
  ModelServer,
  type Client,
  type MessagesTurn,
  type RunningApi,
  type TestWorkspace,
} from '@atrium/platform/testing';
import { upload } from '../files/uploading';
import { Crediting } from '../governance/crediting';
import { MODELS_ON_LOOPBACK } from '../models/providing';
import { startAtriumWithWorker } from '../support/api';
import { OPERATOR_TOKENS } from '../support/operating';
import { makeAgent } from './agents';
import { answerOf, ask, foldedParts, heardOf, messageOf, newThread, post, type Said } from './answering';
import { Follower, type HeardEvent } from './following';

const PROTOCOLS = [
  ['chat', 'openai-compatible'],
  ['messages', 'anthropic'],
] as const;
const WRITER: ProvidedModel = {
  model: 'pen-1',
  model_kind: 'text',
  model_capabilities: ['tools', 'streaming', 'json'],
  model_max_output: 1_000,
};
const SEER: ProvidedModel = { model: 'eye-1', model_kind: 'text', model_capabilities: ['vision', 'reasoning'], model_max_output: 8_000 };
/** Times that a provider is asked in all. */
const TRIES = 3;

/** Failed answers that the worker has counted, by the code of their error. */
const failures = async (): Promise<Record<string, number>> => {
  const { values } = await api.worker.get(Metrics, { strict: false }).answersFailed.get();
  return Object.fromEntries(values.map(({ labels, value }) => [labels.code, value]));
};

let api: RunningApi;
let chat: ModelServer;
let messages: MessagesServer;
let ours: TestWorkspace;
let client: Client;
const open: Follower[] = [];

beforeAll(async () => {
  [chat, messages] = await Promise.all([ModelServer.start(), MessagesServer.start()]);
  api = await startAtriumWithWorker({ ...MODELS_ON_LOOPBACK, OPERATOR_TOKENS, MODEL_TIMEOUT_SECONDS: '1' });
}, 120_000);
beforeEach(async () => {
  ours = await api.workspace(['module-documents']);
  client = ours.owner.client;
  await new Crediting(api).grant(ours, { grant_credits: 10_000 });
  const providers = api.app.get(ModelProviders, { strict: false });
  for (const [mp_name, mp_type] of PROTOCOLS)
    await inWorkspace(ours.tenant_id, () =>
      providers.create({ mp_name, mp_type, mp_base_url: urls[mp_name](), mp_key: 'sk-test', mp_models: [WRITER, SEER] }),
    );
  for (const list of [chat.chats, chat.turns, chat.arrivals, messages.asked, messages.turns, messages.arrivals]) list.length = 0;
});
afterEach(() => {
  for (const follower of open.splice(0)) follower.leave();
});
afterAll(async () => {
  await api.close();
  await Promise.all([chat.stop(), messages.stop()]);
});

const urls = { chat: () => chat.url, messages: () => messages.url };

const settled = (of: Client, file_id: string): Promise<{ file_processing: string }> =>
  eventually(
    async () => (await of.get(`/files/${file_id}`).expect(200)).body as { file_processing: string },
    ({ file_processing }) => file_processing === 'ready',
    60_000,
  );

describe.each(PROTOCOLS)('[ai 22] a run with a model of the protocol %s', (protocol) => {
  const turns = (...all: readonly MessagesTurn[]): void => {
    if (protocol === 'messages') messages.turns.push(...all);
    else chat.turns.push(...all.map((turn) => ('status' in turn ? turn : { stream: turn })));
  };
  const questions = (): readonly object[] => (protocol === 'messages' ? messages.asked : chat.chats);

  async function answered(
    text: string,
    agent: object = {},
    more: object = {},
  ): Promise<{ answer: Said; heard: readonly HeardEvent[]; thread: string }> {
    const { agent_id } = await makeAgent(client, { agent_model: `${protocol}/pen-1`, agent_tools: [], ...agent });
    const thread = await newThread(client, { thread_agent: agent_id });
    const follower = await Follower.connect(api, client, thread);
    open.push(follower);
    await follower.until((heard) => heard.length >= 2);
    const { assistant_message } = await post(client, thread, text, more);
    await answerOf(client, thread, assistant_message.msg_id);
    const heard = await heardOf(follower, assistant_message.msg_id);
    const answer = await messageOf(client, thread, assistant_message.msg_id);
    expect(foldedParts(heard, answer.msg_id)).toEqual(answer.msg_parts);
    expect(JSON.stringify(answer)).not.toContain('sk-test');
    expect(await api.sql('SELECT 1 FROM credit_hold WHERE tenant_id = $1 AND hold_settled_at IS NULL', [ours.tenant_id])).toEqual([]);
    return { answer, heard, thread };
  }
  const resets = (heard: readonly HeardEvent[]): HeardEvent[] => heard.filter(({ data }) => data.op === 'reset');

  it('calls tools side by side, goes on with their results, and counts all tokens, those from the cache too', async () => {
    const usage = { input: 120, cached: 100, output: 20 };
    turns(
      {
        text: 'Let me see.',
        calls: [
          { id: 'c1', name: 'calculate', input: '{"expression":"6 * 7"}' },
          { id: 'c2', name: 'current_time', input: '{"tz":"UTC"}' },
        ],
        usage,
      },
      { reasoning: 'Both are there.', text: '42 berths.', usage },
    );
    const { answer } = await answered('How many berths?', { agent_tools: [{ tool: 'calculate' }, { tool: 'current_time' }] });
    expect(answer).toMatchObject({
      msg_status: 'complete',
      msg_finish: 'stop',
      msg_usage: { input_tokens: 240, cached_tokens: 200, output_tokens: 40, estimated: false },
    });
    expect(answer.msg_parts.map(({ kind, tool, state }) => [kind, tool, state].filter(Boolean).join(' '))).toEqual([
      'text',
      'tool calculate done',
      'tool current_time done',
      'reasoning',
      'text',
    ]);
  }, 60_000);

  it('answers in the last step, in which no tools are offered', async () => {
    turns({ calls: [{ id: 'c1', name: 'calculate', input: '{"expression":"6 * 7"}' }] }, { text: '42 berths.' });
    const { answer } = await answered('How many berths?', { agent_tools: [{ tool: 'calculate' }] }, { run_options: { max_steps: 2 } });
    expect(answer).toMatchObject({ msg_status: 'complete', msg_text: '42 berths.' });
  }, 60_000);

  it('waits as long as a busy provider says', async () => {
    turns({ status: 429, retryAfter: '2' }, { text: 'At last.' });
    expect((await answered('When?')).answer).toMatchObject({ msg_status: 'complete', msg_text: 'At last.' });
    const [first = NaN, second = NaN, ...more] = protocol === 'messages' ? messages.arrivals : chat.arrivals;
    // Without the header it is asked again after a second. Timers may be a moment early, and never by so much.
    expect(second - first).toBeGreaterThan(1_950);
    expect(more).toEqual([]);
  }, 60_000);

  it('asks three times in all where its provider stays busy', async () => {
    turns({ status: 429, retryAfter: '0' }, { status: 429, retryAfter: '0' }, { text: 'At last.' });
    expect((await answered('When?')).answer).toMatchObject({ msg_status: 'complete', msg_text: 'At last.' });
    expect(questions()).toHaveLength(TRIES);
    turns(...Array.from({ length: 2 * TRIES }, () => ({ status: 429, retryAfter: '0' })));
    const { answer } = await answered('When?');
    expect(answer).toMatchObject({ msg_status: 'failed', msg_error: { code: 'rate_limited' } });
    expect(answer.msg_error?.detail).toContain(protocol);
    expect(questions()).toHaveLength(2 * TRIES);
  }, 60_000);

  it.each([
    ['cut', 'upstream_failed'],
    ['ended', 'upstream_failed'],
    ['overloaded', 'upstream_failed'],
    ['rate_limit', 'rate_limited'],
    ['silent', 'upstream_timeout'],
  ] as const)(
    'takes back what a stream said that was %s, and asks again; three times is the end',
    async (how, code) => {
      const broken = { text: 'This is lost in the middle of a sentence.', wrong: { after: protocol === 'chat' ? 3 : 5, how } };
      turns(broken, { text: 'The whole answer.' });
      const { answer, heard } = await answered('What?');
      expect(answer).toMatchObject({ msg_status: 'complete', msg_text: 'The whole answer.' });
      expect(resets(heard).map(({ data }) => data)).toMatchObject([{ reason: 'provider_retry', parts: [] }]);
      turns(...Array.from({ length: 2 * TRIES }, () => broken));
      const counted = await failures();
      const failed = await answered('What?');
      expect(failed.answer).toMatchObject({ msg_status: 'failed', msg_finish: 'error', msg_error: { code } });
      expect(failed.answer.msg_error?.detail).toContain(protocol);
      expect(questions()).toHaveLength(2 + TRIES);
      expect(await failures()).toEqual({ ...counted, [code]: (counted[code] ?? 0) + 1 });
      // What failed is not billed.
      expect(failed.answer.msg_usage).toMatchObject({ credits: 0 });
    },
    90_000,
  );

  it('is shown pictures as the protocol has them, those of earlier messages too, and reads of them in words where it sees none', async () => {
    const bytes = await drawPicture({ width: 64, height: 48, format: 'png', seed: 1 });
    const pictures = (question: number): Promise<string[]> =>
      Promise.all(
        (protocol === 'messages'
          ? (messages.asked[question]?.messages ?? []).flatMap(({ content }) =>
              typeof content === 'string'
                ? []
                : content.flatMap(({ type, source }) =>
                    type === 'image' ? [[source?.media_type, Buffer.from(source?.data ?? '', 'base64')] as const] : [],
                  ),
            )
          : (chat.chats[question]?.images ?? []).map((image) => [image.type, image.bytes] as const)
        ).map(async ([type, picture]) => {
          const { format, width, height } = await sharp(picture).metadata();
          expect(type).toBe(`image/${format}`);
          return `${width} x ${height}`;
        }),
      );
    const { file_id } = await upload(client, 'quay.png', bytes);
    await settled(client, file_id);
    await api.sql(`UPDATE file SET file_summary = 'A crane on the quay' WHERE file_id = $1`, [file_id]);
    const { agent_id } = await makeAgent(client, { agent_model: `${protocol}/eye-1`, agent_tools: [] });
    const thread = await newThread(client, { thread_agent: agent_id });
    turns({ text: 'A crane.' }, { text: 'Red.' }, { text: 'I cannot see it.' });
    const seen = await ask(client, thread, 'What is this?', { msg_files: [file_id] });
    expect(seen).toMatchObject({ msg_status: 'complete', msg_text: 'A crane.' });
    await ask(client, thread, 'Which colour?');
    expect([await pictures(0), await pictures(1)]).toEqual([['64 x 48'], ['64 x 48']]);

    const { answer } = await answered('What is this?', {}, { msg_files: [file_id] });
    expect(answer).toMatchObject({ msg_text: 'I cannot see it.' });
    expect(answer.msg_parts.map(({ kind }) => kind)).toEqual(['text']);
    expect(await pictures(2)).toEqual([]);
    expect(JSON.stringify(questions()[2])).toMatch(/quay\.png.*A crane on the quay/);
  }, 60_000);

  it('thinks as much as the agent says', async () => {
    const params = { max_output_tokens: 8_000, temperature: 0.3 };
    for (const reasoning of ['high', 'off', undefined])
      await answered('Why?', { agent_model: `${protocol}/eye-1`, agent_params: { ...params, ...(reasoning ? { reasoning } : {}) } });
    if (protocol === 'chat') expect(chat.chats.map(({ reasoning_effort }) => reasoning_effort)).toEqual(['high', 'none', undefined]);
    else
      expect(messages.asked.map(({ max_tokens, temperature, thinking }) => ({ max_tokens, temperature, thinking }))).toEqual([
        { max_tokens: 8_000, thinking: { type: 'enabled', budget_tokens: 4_000 } },
        { max_tokens: 8_000, temperature: 0.3, thinking: { type: 'disabled' } },
        { max_tokens: 8_000, temperature: 0.3 },
      ]);
  }, 60_000);

  it('answers without a word of reasoning where the model does not reason', async () => {
    chat.unreasoning.add('pen-1');
    turns({ text: '42 berths.' });
    const { answer } = await answered('Why?', { agent_params: { max_output_tokens: 1_000, reasoning: 'off' } });
    expect(answer).toMatchObject({ msg_status: 'complete', msg_text: '42 berths.' });
    expect([chat.chats[0]?.reasoning_effort, messages.asked[0]?.thinking]).toEqual([undefined, undefined]);
  }, 60_000);

  it('keeps what a refusing model said', async () => {
    turns({ text: 'So far', finish: 'filter' });
    expect((await answered('What?')).answer).toMatchObject({ msg_status: 'complete', msg_finish: 'filter', msg_text: 'So far' });
  }, 60_000);

  it('stores and shows text of every kind, also where it is cut within a character or cannot be stored', async () => {
    const emoji = `a${'\u{1f600}'.repeat(60)}`;
    turns(
      { text: `${emoji}\u0000 \ud800`, gapMs: 25, calls: [{ id: 'c\u0000', name: 'calculate', input: '{"expression":"1 + 1\\u0000"}' }] },
      { text: emoji },
    );
    const { answer } = await answered('Smile', { agent_tools: [{ tool: 'calculate' }] });
    expect(answer).toMatchObject({ msg_status: 'complete', msg_text: `${emoji} \n\n${emoji}` });
    expect(answer.msg_parts[1]).toMatchObject({ kind: 'tool', state: 'done', output: { value: '2' } });
  }, 60_000);
});
