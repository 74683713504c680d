import type {
  LanguageModelV3,
  LanguageModelV3CallOptions,
  LanguageModelV3FunctionTool,
  LanguageModelV3Prompt,
  LanguageModelV3StreamPart,
} from '@ai-sdk/provider';
import { ModelProviders, NotAsked, TextModels, tokenUsageOf, type ProvidedModel, type TextModelOptions } from '@atrium/models';
import { inWorkspace } from '@atrium/platform/database';
import { MessagesServer, ModelServer, type RunningApi, type StreamedTurn, type TestWorkspace } from '@atrium/platform/testing';
import { startAtrium } from '../support/api';
import { MODELS_ON_LOOPBACK } from './providing';

let api: RunningApi;
let chat: ModelServer;
let messages: MessagesServer;
let ours: TestWorkspace;

const WRITER: ProvidedModel = { model: 'pen-1', model_kind: 'text', model_capabilities: ['tools', 'streaming'], model_max_output: 1_000 };

beforeAll(async () => {
  [chat, messages] = [await ModelServer.start(), await MessagesServer.start()];
  api = await startAtrium({ ...MODELS_ON_LOOPBACK, MODEL_TIMEOUT_SECONDS: '2' });
  ours = await api.workspace();
  const providers = api.app.get(ModelProviders, { strict: false });
  for (const [mp_name, mp_type, mp_base_url] of [
    ['chat', 'openai-compatible', chat.url],
    ['messages', 'anthropic', messages.url],
  ] as const)
    await inWorkspace(ours.tenant_id, () => providers.create({ mp_name, mp_type, mp_base_url, mp_key: 'sk-test', mp_models: [WRITER] }));
});
afterEach(() => {
  chat.turns.length = 0;
  messages.turns.length = 0;
});
afterAll(async () => {
  await api.close();
  await Promise.all([chat.stop(), messages.stop()]);
});

const PROTOCOLS = ['chat', 'messages'] as const;
type Protocol = (typeof PROTOCOLS)[number];

const open = (protocol: Protocol, options?: TextModelOptions): Promise<LanguageModelV3> =>
  inWorkspace(ours.tenant_id, async () =>
    (await api.app.get(TextModels, { strict: false }).resolveModel(`${protocol}/pen-1`)).openModel(options),
  );

const answer = (protocol: Protocol, ...turns: (StreamedTurn | { readonly status: number; readonly retryAfter?: string })[]): void => {
  if (protocol === 'messages') messages.turns.push(...turns);
  else chat.turns.push(...turns.map((turn) => ('status' in turn ? turn : { stream: turn })));
};

const QUESTION: LanguageModelV3Prompt = [
  { role: 'system', content: 'Be brief.' },
  { role: 'user', content: [{ type: 'text', text: 'When are the fees due?' }] },
];
const TOOLS: LanguageModelV3FunctionTool[] = ['search', 'clock'].map((name) => ({
  type: 'function',
  name,
  description: name,
  inputSchema: { type: 'object', properties: { q: { type: 'string' } } },
}));

async function streamed(model: LanguageModelV3, options: Partial<LanguageModelV3CallOptions> = {}): Promise<LanguageModelV3StreamPart[]> {
  const { stream } = await model.doStream({ prompt: QUESTION, maxOutputTokens: 500, ...options });
  const parts: LanguageModelV3StreamPart[] = [];
  const reader = stream.getReader();
  for (let next = await reader.read(); !next.done; next = await reader.read()) parts.push(next.value);
  return parts;
}
const textOf = (parts: readonly LanguageModelV3StreamPart[]): string =>
  parts.map((part) => (part.type === 'text-delta' ? part.delta : '')).join('');
const reasoningOf = (parts: readonly LanguageModelV3StreamPart[]): string =>
  parts.map((part) => (part.type === 'reasoning-delta' ? part.delta : '')).join('');
const callsOf = (parts: readonly LanguageModelV3StreamPart[]) =>
  parts.flatMap((part) => (part.type === 'tool-call' ? [{ id: part.toolCallId, name: part.toolName, input: part.input }] : []));
const endOf = (parts: readonly LanguageModelV3StreamPart[]) => {
  const ends = parts.filter((part) => part.type === 'finish' || part.type === 'error');
  expect(ends).toHaveLength(1);
  expect(parts.at(-1)).toBe(ends[0]);
  return ends[0];
};

describe.each(PROTOCOLS)('[ai 22] the protocol %s', (protocol) => {
  it('streams text and reasoning, and reports tokens with those from the cache', async () => {
    answer(protocol, {
      reasoning: 'The invoice says so.',
      text: 'The fees are due within 30 days.',
      usage: { input: 120, cached: 100, output: 20, reasoning: protocol === 'chat' ? 5 : 0 },
    });
    const parts = await streamed(await open(protocol));
    expect(textOf(parts)).toBe('The fees are due within 30 days.');
    expect(reasoningOf(parts)).toBe('The invoice says so.');
    const end = endOf(parts);
    expect(end).toMatchObject({ type: 'finish', finishReason: { unified: 'stop' } });
    expect(end?.type === 'finish' && tokenUsageOf(end.usage, { input: 1, output: 1 })).toEqual({
      input_tokens: 120,
      cached_tokens: 100,
      output_tokens: 20,
      reasoning_tokens: protocol === 'chat' ? 5 : 0,
      estimated: false,
    });
  });

  it('asks for tools side by side, and takes their results', async () => {
    const calls = [
      { id: 'c1', name: 'search', input: '{"q":"fees"}' },
      { id: 'c2', name: 'clock', input: '{"q":"UTC"}' },
    ];
    answer(protocol, { text: 'Let me see.', calls }, { text: 'On Friday.' });
    const model = await open(protocol);
    const parts = await streamed(model, { tools: TOOLS });
    expect(callsOf(parts)).toEqual(calls);
    expect(endOf(parts)).toMatchObject({ type: 'finish', finishReason: { unified: 'tool-calls' } });
    const prompt: LanguageModelV3Prompt = [
      ...QUESTION,
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'Let me see.' },
          ...calls.map(({ id, name, input }) => ({
            type: 'tool-call' as const,
            toolCallId: id,
            toolName: name,
            input: JSON.parse(input) as unknown,
          })),
        ],
      },
      {
        role: 'tool',
        content: calls.map(({ id, name }) => ({
          type: 'tool-result' as const,
          toolCallId: id,
          toolName: name,
          output: { type: 'text' as const, value: 'Friday' },
        })),
      },
    ];
    expect(textOf(await streamed(model, { prompt, tools: TOOLS }))).toBe('On Friday.');
  });

  it('passes on what a model wrote for a tool, also where it is no JSON', async () => {
    answer(protocol, { calls: [{ id: 'c1', name: 'search', input: '{"q": "fe' }] });
    const parts = await streamed(await open(protocol), { tools: TOOLS });
    expect(callsOf(parts)).toEqual([{ id: 'c1', name: 'search', input: '{"q": "fe' }]);
    expect(endOf(parts)).toMatchObject({ type: 'finish' });
  });

  it.each([
    ['length', 'length'],
    ['filter', 'content-filter'],
  ] as const)('reports that an answer ended by %s, and keeps its text', async (finish, unified) => {
    answer(protocol, { text: 'The fees', finish });
    const parts = await streamed(await open(protocol));
    expect(textOf(parts)).toBe('The fees');
    expect(endOf(parts)).toMatchObject({ type: 'finish', finishReason: { unified } });
  });

  it('asks again while the provider is busy or fails, as often as it may, and never after the first token', async () => {
    answer(protocol, { status: 429, retryAfter: '0' }, { status: 503 }, { text: 'At last.' });
    expect(textOf(await streamed(await open(protocol, { tries: 3 })))).toBe('At last.');
    answer(protocol, { status: 429, retryAfter: '0' }, { status: 429, retryAfter: '0' });
    await expect(streamed(await open(protocol, { tries: 2 }))).rejects.toMatchObject({
      code: 'rate_limited',
      headers: { 'Retry-After': '0' },
    });
    answer(protocol, { text: 'The fees are due.', wrong: { after: 4, how: 'cut' } }, { text: 'again' });
    expect(endOf(await streamed(await open(protocol, { tries: 3 })))).toMatchObject({ type: 'error' });
    expect((protocol === 'chat' ? chat : messages).turns).toHaveLength(1);
  });

  it.each([
    ['cut within an event', 'cut', 'upstream_failed'],
    ['ended without an end', 'ended', 'upstream_failed'],
    ['silent', 'silent', 'upstream_timeout'],
    ['ended by the provider, which is busy', 'rate_limit', 'rate_limited'],
    ['ended by the provider, which is overloaded', 'overloaded', 'upstream_failed'],
  ] as const)('ends with one error and without finish when the stream is %s', async (_, how, code) => {
    answer(protocol, { text: 'The fees are due within 30 days.', wrong: { after: protocol === 'chat' ? 3 : 4, how } });
    const parts = await streamed(await open(protocol));
    expect(textOf(parts)).not.toBe('');
    expect('The fees are due within 30 days.'.startsWith(textOf(parts))).toBe(true);
    const end = endOf(parts);
    expect(end).toMatchObject({ type: 'error', error: { code } });
    const { message } = (end as { error: Error }).error;
    expect(message).toContain(protocol);
    expect(message).not.toContain('sk-test');
  });

  it('hands out no tool call of an answer that was cut off', async () => {
    answer(protocol, {
      calls: [{ id: 'c1', name: 'search', input: '{"q":"fees"}' }],
      wrong: { after: protocol === 'chat' ? 4 : 6, how: 'cut' },
    });
    const parts = await streamed(await open(protocol), { tools: TOOLS });
    expect(callsOf(parts)).toEqual([]);
    expect(endOf(parts)).toMatchObject({ type: 'error' });
  });

  it('says which provider rejected its key, and never quotes it', async () => {
    answer(protocol, { status: 401 });
    const refused = (await streamed(await open(protocol)).catch((error: unknown) => error)) as Error & { code: string };
    expect(refused).toMatchObject({ code: 'upstream_failed' });
    expect(refused.message).toContain(`${protocol} rejected the credential`);
    expect(refused.message).not.toContain('sk-test');
  });

  it('stops with the reason of the caller, before and during the answer', async () => {
    const stop = new AbortController();
    const model = await open(protocol, { signal: stop.signal });
    answer(protocol, { text: 'one two three four five six seven', gapMs: 20 });
    const { stream } = await model.doStream({ prompt: QUESTION, maxOutputTokens: 500 });
    const reader = stream.getReader();
    for (let next = await reader.read(); next.value?.type !== 'text-delta'; next = await reader.read()) expect(next.done).toBe(false);
    stop.abort(new Error('the run was stopped'));
    const rest = async (): Promise<void> => {
      for (let next = await reader.read(); !next.done; next = await reader.read()) expect(next.value.type).not.toBe('finish');
    };
    await expect(rest()).rejects.toThrow('the run was stopped');
    await expect(model.doGenerate({ prompt: QUESTION })).rejects.toMatchObject({ cause: stop.signal.reason as Error });
    await expect(model.doStream({ prompt: QUESTION })).rejects.toBeInstanceOf(NotAsked);
  });
});
