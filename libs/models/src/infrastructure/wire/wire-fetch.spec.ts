import { Logger } from '@nestjs/common';
import type { LanguageModelV3, LanguageModelV3CallOptions, LanguageModelV3Message, LanguageModelV3StreamPart } from '@ai-sdk/provider';
import { inWorkspace } from '@atrium/platform/database';
import { HOUR, type Problem } from '@atrium/platform/kernel';
import { carriedOptions } from '../../domain/carried';
import { reasonIn } from '../../domain/model-refusal';
import type { ModelAccess } from '../../domain/model';
import { wordsOfText } from '../../domain/provider-words';
import { ChatProtocol } from '../chat-protocol';
import { MessagesProtocol } from '../messages-protocol';
import type { ModelHttp } from '../model-http';
import { carriedIn, ProviderModel } from '../provider-model';
import { LearnedParameters } from './learned-parameters';
import { refusalOf } from './refusal-of';

beforeAll(() => Logger.overrideLogger(false));
afterAll(() => Logger.overrideLogger(['error', 'warn']));

/** What the provider answers, one after the other: a body, or an error of HTTP. */
type Answer = { readonly body: string; readonly cut?: number } | { readonly status: number; readonly error: string };

const OURS = '0197a2c4-0000-7000-8000-000000000001';
const THEIRS = '0197a2c4-0000-7000-8000-000000000002';

interface Provider {
  readonly model: LanguageModelV3;
  readonly asked: Record<string, unknown>[];
}

/** A model of a provider that answers so, with the libraries of the protocols in between. */
async function provider(
  answers: readonly Answer[],
  facts: Partial<ModelAccess> = {},
  learned = new LearnedParameters(),
  workspace = OURS,
): Promise<Provider> {
  const asked: Record<string, unknown>[] = [];
  const waiting = [...answers];
  const ask: typeof fetch = (_, init) => {
    asked.push(JSON.parse(init?.body as string) as Record<string, unknown>);
    const answer = waiting.shift() ?? { body: '' };
    if ('status' in answer) {
      const words = wordsOfText(answer.error, ['sk-test']);
      return Promise.reject(refusalOf({ provider: 'lab', model: 'pen', status: answer.status, words }));
    }
    return Promise.resolve(new Response(bytesOf(answer.body, answer.cut)));
  };
  const http = { toFetch: () => ask } as unknown as ModelHttp;
  const access = {
    model: { model_id: 'lab/pen', model_provider: 'lab', model_capabilities: ['tools', 'json', 'reasoning'] },
    name: 'pen',
    protocol: 'openai',
    base_url: 'https://lab.example/v1',
    key: 'sk-test',
    headers: {},
    ...facts,
  } as unknown as ModelAccess;
  const protocol = access.protocol === 'anthropic' ? new MessagesProtocol(http, learned) : new ChatProtocol(http, learned);
  const open = () => Promise.all([protocol.openModel(access), protocol.openModel(access, { streams: true })]);
  const [whole, streaming] = await inWorkspace(workspace, open);
  return { asked, model: new ProviderModel('lab/pen', { whole, streaming }, { secrets: ['sk-test'] }) };
}

/** Bytes in pieces of so many: events and characters are cut anywhere. */
function bytesOf(text: string, size = text.length): ReadableStream<Uint8Array> {
  const bytes = new TextEncoder().encode(text);
  let at = 0;
  return new ReadableStream({
    pull: (controller) => {
      if (at >= bytes.length) return controller.close();
      controller.enqueue(bytes.slice(at, (at += Math.max(1, size))));
    },
  });
}

const QUESTION: LanguageModelV3Message[] = [{ role: 'user', content: [{ type: 'text', text: 'How many?' }] }];

interface Heard {
  readonly text: string;
  readonly reasoning: string;
  readonly calls: readonly (readonly [string, string])[];
  readonly finish: string | null;
  readonly end: LanguageModelV3StreamPart | undefined;
  readonly error: Problem | null;
}

async function hear({ model }: Provider, options: Partial<LanguageModelV3CallOptions> = {}): Promise<Heard> {
  const { stream } = await model.doStream({ prompt: QUESTION, maxOutputTokens: 100, ...options });
  const parts: LanguageModelV3StreamPart[] = [];
  const reader = stream.getReader();
  for (let next = await reader.read(); !next.done; next = await reader.read()) parts.push(next.value);
  const end = parts.at(-1);
  return {
    text: parts.map((part) => (part.type === 'text-delta' ? part.delta : '')).join(''),
    reasoning: parts.map((part) => (part.type === 'reasoning-delta' ? part.delta : '')).join(''),
    calls: parts.flatMap((part) => (part.type === 'tool-call' ? [[part.toolName, part.input] as const] : [])),
    finish: end?.type === 'finish' ? end.finishReason.unified : null,
    end,
    error: end?.type === 'error' ? (end.error as Problem) : null,
  };
}

const chunk = (delta: unknown, finish_reason: string | null = null, more: object = {}): string =>
  `data: ${JSON.stringify({ id: 'c1', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [{ index: 0, delta, finish_reason }], ...more })}\n\n`;
const DONE = 'data: [DONE]\n\n';
const CALL = { index: 0, id: 'a', type: 'function', function: { name: 'calculate', arguments: '{"expression":"6*7"}' } };
const SAID = chunk({ role: 'assistant', content: 'Forty-two.' });

describe('words of a provider within a stream', () => {
  it.each(['openai', 'anthropic'] as const)('are without its key before they are cut: %s', async (protocol) => {
    const key = '0a1b2c3d4e5f60718293a4b5c6d7e8f9';
    const error = { type: 'server_error', message: `${'The key that was sent '.repeat(22).slice(0, 478)} ${key} is not known` };
    const start = { type: 'message_start', message: { id: 'm', role: 'assistant', content: [], usage: { input_tokens: 1 } } };
    const events = protocol === 'openai' ? [{ error }] : [start, { type: 'error', error }];
    const body = events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('');
    const { error: problem } = await hear(await provider([{ body }], { protocol, key }));
    expect(reasonIn(problem)).toContain('The key that was sent');
    expect(reasonIn(problem)).not.toContain(key.slice(0, 8));
  });
});

describe('an answer of Chat Completions', () => {
  it.each<[string, string, Partial<Heard>]>([
    [
      'refuses in a member of its own',
      chunk({ content: null, refusal: null }) + chunk({ refusal: "I can't " }) + chunk({ refusal: 'help.' }) + chunk({}, 'stop') + DONE,
      { text: "I can't help.", finish: 'content-filter' },
    ],
    [
      'refuses in a part of its content',
      chunk({ content: [{ type: 'refusal', refusal: "I can't help." }] }) + chunk({}, 'stop') + DONE,
      { text: "I can't help.", finish: 'content-filter' },
    ],
    [
      'has ids that are numbers, and moments that are none',
      `data: {"id":123,"created":"now","model":null,"choices":[{"index":0,"delta":{"role":"model","content":"Forty-two."},"finish_reason":null}]}\n\n${chunk({}, 'stop')}${DONE}`,
      { text: 'Forty-two.', finish: 'stop' },
    ],
    [
      'has the input of a call as an object',
      chunk({ tool_calls: [{ ...CALL, function: { name: 'calculate', arguments: { expression: '6*7' } } }] }) +
        chunk({}, 'tool_calls') +
        DONE,
      { calls: [['calculate', '{"expression":"6*7"}']], finish: 'tool-calls' },
    ],
    [
      'has calls without ids and places',
      chunk({ tool_calls: [{ function: { name: 'calculate', arguments: '{}' } }] }) + chunk({}, 'tool_calls') + DONE,
      { calls: [['calculate', '{}']] },
    ],
    [
      'has the one call of the protocol as it was',
      chunk({ function_call: { name: 'calculate', arguments: '{}' } }) + chunk({}, 'function_call') + DONE,
      { calls: [['calculate', '{}']] },
    ],
    [
      'calls and says that it stops',
      chunk({ tool_calls: [CALL] }) + chunk({ content: '' }, 'stop') + DONE,
      { calls: [['calculate', '{"expression":"6*7"}']] },
    ],
    [
      'calls and does not say how it ends',
      chunk({ tool_calls: [CALL] }) + DONE,
      { calls: [['calculate', '{"expression":"6*7"}']], finish: 'tool-calls' },
    ],
    ['does not say how it ends', SAID + DONE, { text: 'Forty-two.', finish: 'stop' }],
    ['does not say that it is done', SAID + chunk({}, 'stop'), { text: 'Forty-two.', finish: 'stop' }],
    ['ends with the last event, without a line behind it', SAID + chunk({}, 'stop').trimEnd(), { text: 'Forty-two.', finish: 'stop' }],
    ['names its end otherwise', SAID + chunk({}, 'MAX_TOKENS') + DONE, { text: 'Forty-two.', finish: 'length' }],
    ['was withheld', chunk({}, 'SAFETY') + DONE, { text: '', finish: 'content-filter' }],
    [
      'has lines of other systems, comments and a mark of byte order',
      `\uFEFF: hello\r\n${(SAID + chunk({}, 'stop') + DONE).replaceAll('\n', '\r\n')}`,
      { text: 'Forty-two.', finish: 'stop' },
    ],
    [
      'has empty events and events of other kinds',
      `data:\n\nevent: ping\ndata: {"type":"ping"}\n\n${SAID}data: {"choices":[],"prompt_filter_results":[]}\n\n${chunk({}, 'stop')}${DONE}`,
      { text: 'Forty-two.', finish: 'stop' },
    ],
    [
      'has its content in parts',
      chunk({ content: ['Forty', { type: 'text', text: '-two.' }, { text: '' }, null, 7] }) + chunk({}, 'stop') + DONE,
      { text: 'Forty-two.7' },
    ],
    [
      'is a message in each event',
      `data: {"choices":[{"message":{"content":"Forty-two."},"finish_reason":"stop"}]}\n\n${DONE}`,
      { text: 'Forty-two.', finish: 'stop' },
    ],
    [
      'comes as JSON where a stream was asked for',
      '{"id":"c","choices":[{"index":0,"message":{"role":"assistant","content":"Forty-two."},"finish_reason":"stop"}],"usage":{"prompt_tokens":11,"completion_tokens":7}}',
      { text: 'Forty-two.', finish: 'stop' },
    ],
    [
      'comes as JSON with calls',
      `\n {"choices":[{"message":{"content":null,"tool_calls":[{"id":7,"function":{"name":"calculate","arguments":{"a":1}}}]},"finish_reason":"tool_calls"}]}`,
      { calls: [['calculate', '{"a":1}']] },
    ],
    [
      'thinks under another name',
      chunk({ reasoning: 'Six times' }) + chunk({ reasoning: ' seven.' }) + SAID + chunk({}, 'stop') + DONE,
      { reasoning: 'Six times seven.', text: 'Forty-two.' },
    ],
    [
      'thinks in the answer',
      chunk({ content: '<th' }) +
        chunk({ content: 'ink>Secret.</thi' }) +
        chunk({ content: 'nk>\n\nForty' }) +
        chunk({ content: '-two.' }) +
        chunk({}, 'stop') +
        DONE,
      { reasoning: 'Secret.', text: 'Forty-two.' },
    ],
    [
      'has calls in one place, in pieces',
      chunk({ tool_calls: [{ index: 0, id: 'a', function: { name: 'one', arguments: '{"x"' } }] }) +
        chunk({ tool_calls: [{ index: 0, function: { arguments: ':1}' } }] }) +
        chunk({ tool_calls: { index: 0, id: 'b', function: { name: 'two', arguments: '{"y"' } } }) +
        chunk({ tool_calls: [{ index: 0, function: { arguments: ':2}' } }] }) +
        chunk({}, 'tool_calls') +
        DONE,
      {
        calls: [
          ['one', '{"x":1}'],
          ['two', '{"y":2}'],
        ],
      },
    ],
    ['marks its end in quotes', `${SAID}${chunk({}, 'stop')}data: "[DONE]"\n\n`, { text: 'Forty-two.', finish: 'stop' }],
    [
      'has errors that say nothing, and places that are texts',
      `data: {"choices":[{"index":"0","delta":{"content":"Forty-two."}}],"error":{}}\n\ndata: {"choices":[{"index":"0","delta":{},"finish_reason":"stop"}],"error":false}\n\n`,
      { text: 'Forty-two.', finish: 'stop' },
    ],
    [
      'comes as a list of its pieces',
      '[{"choices":[{"delta":{"content":"Forty"}}]},{"choices":[{"delta":{"content":"-two."},"finish_reason":"stop"}]}]',
      { text: 'Forty-two.', finish: 'stop' },
    ],
    [
      'is said as a whole behind its pieces',
      `${SAID}data: {"choices":[{"delta":null,"message":{"content":"Forty-two."},"finish_reason":"stop"}]}\n\n${DONE}`,
      { text: 'Forty-two.', finish: 'stop' },
    ],
    [
      'thinks in parts of its content',
      chunk({
        content: [
          { type: 'reasoning', text: 'So.' },
          { type: 'input_text', text: 'Forty' },
        ],
      }) +
        chunk({ content: [{ type: 'text', text: { value: '-two.' } }] }) +
        chunk({}, 'stop') +
        DONE,
      { reasoning: 'So.', text: 'Forty-two.' },
    ],
    ['thinks in a list', chunk({ reasoning: [{ type: 'text', text: 'So.' }] }) + SAID + chunk({}, 'stop') + DONE, { reasoning: 'So.' }],
    [
      'has fields that are null',
      `data: {"id":null,"choices":[{"index":0,"delta":{"role":null,"content":"Forty-two.","tool_calls":null,"function_call":null,"reasoning_content":null},"finish_reason":"","logprobs":null}],"usage":null,"error":null}\n\n${chunk({}, 'stop')}${DONE}`,
      { text: 'Forty-two.', finish: 'stop' },
    ],
    [
      'has a note before it',
      `data: {"type":"status","message":"Searching"}\n\n${SAID}${chunk({}, 'stop')}${DONE}`,
      { text: 'Forty-two.', finish: 'stop' },
    ],
    [
      'has an empty piece before all of it',
      `${chunk({ role: 'assistant', content: '' })}data: {"choices":[{"index":0,"message":{"content":"Forty-two."},"finish_reason":"stop"}]}\n\n${DONE}`,
      { text: 'Forty-two.', finish: 'stop' },
    ],
    [
      'has its calls in all of it, behind its words',
      `${SAID}data: ${JSON.stringify({ choices: [{ index: 0, message: { content: 'Forty-two.', tool_calls: [CALL] }, finish_reason: 'tool_calls' }] })}\n\n${DONE}`,
      { text: 'Forty-two.', calls: [['calculate', '{"expression":"6*7"}']], finish: 'tool-calls' },
    ],
  ])('is read where it %s', async (_, body, heard) => {
    for (const cut of [body.length, 7]) expect(await hear(await provider([{ body, cut }]))).toMatchObject(heard);
  });

  it.each<[string, string, string]>([
    ['ends with an error', chunk({ content: 'The ' }) + chunk({}, 'error') + DONE, 'upstream_failed'],
    ['ends as the provider has no room', chunk({ content: 'The ' }) + chunk({}, 'insufficient_system_resource') + DONE, 'upstream_failed'],
    ['is cut', chunk({ content: 'The ' }), 'upstream_failed'],
    ['is cut within an event', chunk({ content: 'The ' }) + chunk({ content: 'answer' }).slice(0, 40), 'upstream_failed'],
    ['has an error that is a text', chunk({ content: 'The ' }) + 'data: {"error":"out of memory"}\n\n', 'upstream_failed'],
    [
      'has an error that is an object',
      chunk({ content: 'The ' }) + 'data: {"error":{"message":"slow down","type":"rate_limit_exceeded","code":429}}\n\n',
      'rate_limited',
    ],
    [
      'has an error in its choice',
      'data: {"choices":[{"delta":{"content":"The "},"finish_reason":"error","error":{"code":502,"message":"gone"}}]}\n\n',
      'upstream_failed',
    ],
    [
      'is an error with status 200',
      '{"error":{"message":"This model\'s maximum context length is 8192 tokens.","code":"context_length_exceeded"}}',
      'unprocessable_content',
    ],
    ['is one piece, as JSON', '{"choices":[{"delta":{"content":"The "},"finish_reason":null}]}', 'upstream_failed'],
    ['is cut before an end', chunk({ content: 'The ' }, 'FINISH_REASON_UNSPECIFIED'), 'upstream_failed'],
    ['is empty', '', 'upstream_failed'],
    ['is a page', '<html>Bad gateway</html>', 'upstream_failed'],
  ])('is an error where it %s', async (_, body, code) => {
    const { finish, error } = await hear(await provider([{ body }]));
    expect([finish, error?.code]).toEqual([null, code]);
  });

  it.each([
    ['words', 'data: CUDA out of memory\n\n', 'CUDA out of memory'],
    ['a message', 'event: error\ndata: {"message":"CUDA out of memory","code":500}\n\n', 'CUDA out of memory'],
    ['a state', '{"choices":null,"base_resp":{"status_code":1013,"status_msg":"CUDA out of memory"}}', 'CUDA out of memory – 1013'],
    ['a message, as JSON', '{"code":1013,"msg":"CUDA out of memory"}', 'CUDA out of memory – 1013'],
  ])('is an error with its reason where it is %s', async (_, body, reason) => {
    const lab = await provider([{ body }, { body }]);
    expect(reasonIn((await hear(lab)).error)).toContain(reason);
    if (!body.startsWith('{')) return;
    const failed: unknown = await Promise.resolve(lab.model.doGenerate({ prompt: QUESTION })).catch((thrown: unknown) => thrown);
    expect(reasonIn(failed)).toContain(reason);
  });

  it('is read whatever else one event of it holds', async () => {
    const many = Array.from({ length: 200_000 }, () => ({}));
    const body = chunk({ reasoning_details: many, tool_calls: many }) + SAID + chunk({}, 'stop') + DONE;
    expect(await hear(await provider([{ body }]))).toMatchObject({ text: 'Forty-two.', finish: 'stop', calls: [] });
  });

  it('has its tokens wherever they come', async () => {
    const usage = { prompt_tokens: 11, completion_tokens: '7', prompt_cache_hit_tokens: 4 };
    const body = SAID + `data: ${JSON.stringify({ choices: [{ index: 0, delta: {}, finish_reason: 'stop', usage }] })}\n\n${DONE}`;
    const { end } = await hear(await provider([{ body }]));
    expect(end).toMatchObject({ usage: { inputTokens: { total: 11, cacheRead: 4 }, outputTokens: { total: 7 } } });
  });

  it('is read alike where it comes as a whole', async () => {
    const message = { content: '<think>So.</think> Forty-two.', refusal: null };
    const { model } = await provider([
      { body: JSON.stringify({ id: 1, choices: [{ message, finish_reason: 'stop' }] }) },
      { body: JSON.stringify({ choices: [{ message: { content: null, refusal: 'No.' }, finish_reason: 'stop' }] }) },
      { body: JSON.stringify({ choices: [{ message: { content: [{ type: 'refusal', refusal: 'No.' }] }, finish_reason: 'stop' }] }) },
      { body: JSON.stringify({ choices: [{ message: { content: 'The ' }, finish_reason: 'error' }] }) },
      { body: JSON.stringify({ error: 'out of memory' }) },
      { body: chunk({ reasoning: 'So.' }, null, { error: null }) + SAID + chunk({ tool_calls: [CALL] }) + chunk({}, 'tool_calls') + DONE },
      { body: SAID },
      {
        body: JSON.stringify({
          choices: [
            {
              message: {
                content: [
                  { type: 'reasoning', text: 'So.' },
                  { type: 'text', text: 'Forty-two.' },
                ],
              },
              finish_reason: 'stop',
            },
          ],
        }),
      },
      { body: '{"choices":[{"delta":{"content":"The "},"finish_reason":null}]}' },
    ]);
    const ask = () => model.doGenerate({ prompt: QUESTION });
    expect((await ask()).content).toEqual([
      { type: 'reasoning', text: 'So.' },
      { type: 'text', text: 'Forty-two.' },
    ]);
    expect(await ask()).toMatchObject({ content: [{ text: 'No.' }], finishReason: { unified: 'content-filter' } });
    expect(await ask()).toMatchObject({ content: [{ text: 'No.' }], finishReason: { unified: 'content-filter' } });
    await expect(ask()).rejects.toMatchObject({ code: 'upstream_failed' });
    await expect(ask()).rejects.toMatchObject({ code: 'upstream_failed' });
    const { content } = await ask();
    expect(content).toMatchObject([
      { type: 'reasoning', text: 'So.' },
      { type: 'text', text: 'Forty-two.' },
      { type: 'tool-call', toolName: 'calculate', input: '{"expression":"6*7"}' },
    ]);
    await expect(ask()).rejects.toMatchObject({ code: 'upstream_failed' });
    expect((await ask()).content).toEqual([
      { type: 'reasoning', text: 'So.' },
      { type: 'text', text: 'Forty-two.' },
    ]);
    await expect(ask()).rejects.toMatchObject({ code: 'upstream_failed' });
  });
});

describe('an answer of the Messages protocol', () => {
  const anthropic = { protocol: 'anthropic' } as const;
  const event = (type: string, body: object = {}): string => `event: ${type}\ndata: ${JSON.stringify({ type, ...body })}\n\n`;
  const START = event('message_start', {
    message: {
      id: 'm',
      type: 'message',
      role: 'assistant',
      model: 'x',
      content: [],
      stop_reason: null,
      usage: { input_tokens: 11, output_tokens: 1 },
    },
  });
  const text = (index: number, words: string): string =>
    event('content_block_start', { index, content_block: { type: 'text', text: '' } }) +
    event('content_block_delta', { index, delta: { type: 'text_delta', text: words } }) +
    event('content_block_stop', { index });
  const END =
    event('message_delta', { delta: { stop_reason: 'end_turn', stop_sequence: null }, usage: { output_tokens: 7 } }) +
    event('message_stop');

  it.each<[string, string, Partial<Heard>]>([
    [
      'has events of an unknown type',
      START + event('future_event', { a: 1 }) + text(0, 'Forty-two.') + END,
      { text: 'Forty-two.', finish: 'stop' },
    ],
    [
      'has blocks of an unknown type',
      START +
        event('content_block_start', { index: 0, content_block: { type: 'future' } }) +
        event('content_block_delta', { index: 0, delta: { type: 'future_delta' } }) +
        event('content_block_stop', { index: 0 }) +
        text(1, 'Forty-two.') +
        END,
      { text: 'Forty-two.', finish: 'stop' },
    ],
    [
      'has deltas of an unknown type',
      START +
        event('content_block_start', { index: 0, content_block: { type: 'text', text: 'Forty' } }) +
        event('content_block_delta', { index: 0, delta: { type: 'future_delta', x: 1 } }) +
        event('content_block_delta', { index: 0, delta: { type: 'text_delta', text: '-two.' } }) +
        event('content_block_stop', { index: 0 }) +
        END,
      { text: 'Forty-two.' },
    ],
    [
      'says nothing of tokens',
      event('message_start', { message: { id: 5, role: 'assistant', content: [] } }) +
        text(0, 'Forty-two.') +
        event('message_delta', { delta: { stop_reason: 'end_turn' } }) +
        event('message_stop'),
      { text: 'Forty-two.', finish: 'stop' },
    ],
    [
      'has the input of a call at its begin',
      START +
        event('content_block_start', { index: 0, content_block: { type: 'tool_use', id: 9, name: 'calculate', input: { a: 1 } } }) +
        event('content_block_stop', { index: 0 }) +
        event('message_delta', { delta: { stop_reason: 'tool_use' }, usage: { output_tokens: 7 } }) +
        event('message_stop'),
      { calls: [['calculate', '{"a":1}']] },
    ],
    [
      'comes as JSON where a stream was asked for',
      JSON.stringify({
        id: 'm',
        type: 'message',
        role: 'assistant',
        content: [{ type: 'text', text: 'Forty-two.' }],
        stop_reason: 'end_turn',
        usage: { input_tokens: 1, output_tokens: 2 },
      }),
      { text: 'Forty-two.', finish: 'stop' },
    ],
    [
      'does not say where its text begins',
      START + event('content_block_delta', { index: 0, delta: { type: 'text_delta', text: 'Forty-two.' } }) + END,
      { text: 'Forty-two.', finish: 'stop' },
    ],
    [
      'says how it ended, and not that it stops',
      START + text(0, 'Forty-two.') + END.slice(0, END.indexOf('event: message_stop')),
      { text: 'Forty-two.', finish: 'stop' },
    ],
    [
      'names its end as others do',
      START +
        text(0, 'Forty') +
        event('message_delta', { delta: { stop_reason: 'length' }, usage: { output_tokens: 1 } }) +
        event('message_stop'),
      { text: 'Forty', finish: 'length' },
    ],
    [
      'was refused',
      START +
        text(0, 'No.') +
        event('message_delta', { delta: { stop_reason: 'refusal' }, usage: { output_tokens: 1 } }) +
        event('message_stop'),
      { text: 'No.', finish: 'content-filter' },
    ],
  ])('is read where it %s', async (_, body, heard) => {
    for (const cut of [body.length, 7]) expect(await hear(await provider([{ body, cut }], anthropic))).toMatchObject(heard);
  });

  it.each([
    ['is cut', START + text(0, 'Forty')],
    ['ends with an error', START + text(0, 'Forty') + event('message_delta', { delta: { stop_reason: 'network_error' } })],
    ['has an error that is a text', START + 'data: {"error":"overloaded"}\n\n'],
    ['has an error first', event('error', { error: { type: 'overloaded_error', message: 'Overloaded' } })],
    ['is an error, as JSON', JSON.stringify({ type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } })],
    ['has an error that is a message', 'event: error\ndata: {"message":"Overloaded"}\n\n'],
    ['has an error', START + event('error', { error: { type: 'overloaded_error', message: 'Overloaded' } })],
  ])('is an error where it %s', async (_, body) => {
    expect((await hear(await provider([{ body }], anthropic))).error).toMatchObject({ code: 'upstream_failed' });
  });

  it('is an error where it ends with one, as a whole', async () => {
    const whole = { id: 'm', type: 'message', role: 'assistant', content: [{ type: 'text', text: 'Forty' }], usage: { input_tokens: 1 } };
    const body = (stop_reason: string): string => JSON.stringify({ ...whole, stop_reason });
    const { model } = await provider([{ body: body('end_turn') }, { body: body('network_error') }], anthropic);
    expect((await model.doGenerate({ prompt: QUESTION })).content).toMatchObject([{ text: 'Forty' }]);
    await expect(model.doGenerate({ prompt: QUESTION })).rejects.toMatchObject({ code: 'upstream_failed' });
  });

  it('goes back with its signed thoughts, and the model goes on thinking', async () => {
    const thought =
      START +
      event('content_block_start', { index: 0, content_block: { type: 'thinking', thinking: '', signature: '' } }) +
      event('content_block_delta', { index: 0, delta: { type: 'thinking_delta', thinking: 'Six times ' } }) +
      event('content_block_delta', { index: 0, delta: { type: 'thinking_delta', thinking: 'seven.' } }) +
      event('content_block_delta', { index: 0, delta: { type: 'signature_delta', signature: 'SIG' } }) +
      event('content_block_stop', { index: 0 }) +
      event('content_block_start', { index: 1, content_block: { type: 'redacted_thinking', data: 'HIDDEN' } }) +
      event('content_block_stop', { index: 1 }) +
      text(2, 'So.') +
      END;
    const lab = await provider(
      [{ body: thought }, { body: START + text(0, 'Yes.') + END }, { body: START + text(0, 'Yes.') + END }],
      anthropic,
    );
    const { end } = await hear(lab);
    const carried = end?.type === 'finish' ? carriedIn(end) : null;
    expect(carried).toEqual({
      by: 'lab/pen',
      thoughts: [{ text: 'Six times seven.', signature: 'SIG' }, { redacted: 'HIDDEN' }],
      message: {},
      calls: [],
    });
    const options = { maxOutputTokens: 8_000, providerOptions: { atrium: { reasoning: 'low' } } };
    await hear(lab, { ...options, prompt: goneOn(carried) });
    expect(lab.asked[1]).toMatchObject({ thinking: { type: 'enabled' } });
    expect((lab.asked[1]?.['messages'] as { content: unknown[] }[])[1]?.content.slice(0, 2)).toEqual([
      { type: 'thinking', thinking: 'Six times seven.', signature: 'SIG' },
      { type: 'redacted_thinking', data: 'HIDDEN' },
    ]);
    await hear(lab, { ...options, prompt: goneOn(carried && { ...carried, by: 'lab/other' }) });
    expect(lab.asked[2]).toMatchObject({ thinking: { type: 'disabled' } });
    expect(JSON.stringify(lab.asked[2])).not.toMatch(/SIG|HIDDEN/);
  });
});

/** A turn that goes on behind the call of a tool. */
const goneOn = (carried: ReturnType<typeof carriedIn>): LanguageModelV3Message[] => [
  ...QUESTION,
  {
    role: 'assistant',
    content: [{ type: 'tool-call', toolCallId: 'renamed', toolName: 'calculate', input: { expression: '6*7' } }],
    ...(carried ? { providerOptions: carriedOptions(carried) } : {}),
  },
  { role: 'tool', content: [{ type: 'tool-result', toolCallId: 'renamed', toolName: 'calculate', output: { type: 'text', value: '42' } }] },
];

describe('what comes with a step of Chat Completions', () => {
  const extra_content = { google: { thought_signature: 'SIG123' } };
  const answers = [
    {
      body:
        chunk({ reasoning_content: 'Six times seven.' }) +
        chunk({ tool_calls: [{ ...CALL, extra_content }] }) +
        chunk({}, 'tool_calls') +
        DONE,
    },
    { body: SAID + chunk({}, 'stop') + DONE },
  ];

  it('goes back with it', async () => {
    const lab = await provider(answers);
    const { end } = await hear(lab);
    await hear(lab, { prompt: goneOn(end?.type === 'finish' ? carriedIn(end) : null) });
    expect((lab.asked[1]?.['messages'] as object[])[1]).toMatchObject({
      reasoning_content: 'Six times seven.',
      tool_calls: [{ id: 'renamed', extra_content }],
    });
  });

  it('goes to no other model', async () => {
    const lab = await provider(answers);
    const { end } = await hear(lab);
    const carried = end?.type === 'finish' ? carriedIn(end) : null;
    await hear(lab, { prompt: goneOn(carried && { ...carried, by: 'other/pen' }) });
    expect(JSON.stringify(lab.asked[1])).not.toMatch(/SIG123|Six times/);
  });

  it('is left out where it is more than can be kept', async () => {
    const body =
      chunk({ tool_calls: [{ ...CALL, extra_content: { google: { thought_signature: 'S'.repeat(300_000) } } }] }) +
      chunk({}, 'tool_calls') +
      DONE;
    const { end, calls } = await hear(await provider([{ body }]));
    expect([calls.length, end?.type === 'finish' && carriedIn(end)]).toEqual([1, null]);
  });

  it('is measured with the spaces that the database writes between its parts', async () => {
    const reasoning_details = [{ type: 'reasoning.encrypted', data: Array.from({ length: 45_000 }, () => 1) }];
    const body = chunk({ reasoning_details, tool_calls: [CALL] }) + chunk({}, 'tool_calls') + DONE;
    const { end, calls } = await hear(await provider([{ body }]));
    expect([calls.length, end?.type === 'finish' && carriedIn(end)]).toEqual([1, null]);
  });

  it('is kept without its thoughts where these are too long', async () => {
    const extra_content = { google: { thought_signature: 'SIG123' } };
    const body = (thoughts: number): string =>
      chunk({ reasoning_content: 'T'.repeat(thoughts) }) +
      chunk({ tool_calls: [{ ...CALL, extra_content }] }) +
      chunk({}, 'tool_calls') +
      DONE;
    for (const [thoughts, isWhole] of [
      [110_000, true],
      [300_000, false],
    ] as const) {
      const { end } = await hear(await provider([{ body: body(thoughts) }]));
      const carried = end?.type === 'finish' ? carriedIn(end) : null;
      expect(carried?.calls).toEqual([extra_content]);
      expect(carried?.message !== undefined).toBe(isWhole);
    }
  });
});

describe('a parameter that a model refuses', () => {
  const refusal = (error: object, status = 400): Answer => ({ status, error: JSON.stringify({ error }) });
  const fine: Answer = { body: SAID + chunk({}, 'stop') + DONE };
  const OPTIONS: Partial<LanguageModelV3CallOptions> = { temperature: 0.3, topP: 0.9, stopSequences: ['END'] };

  const RENAMED = {
    message: "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
    type: 'invalid_request_error',
    param: 'max_tokens',
    code: 'unsupported_parameter',
  };

  it('is named as the provider wants, is asked for once more, and is remembered for an hour', async () => {
    const learned = new LearnedParameters();
    const lab = await provider([refusal(RENAMED), fine, fine, fine], {}, learned);
    expect((await hear(lab)).text).toBe('Forty-two.');
    await hear(lab);
    const clock = jest.spyOn(Date, 'now').mockReturnValue(Date.now() + HOUR + 1_000);
    await hear(lab);
    clock.mockRestore();
    expect(lab.asked.map(({ max_tokens, max_completion_tokens }) => [max_tokens, max_completion_tokens])).toEqual([
      [100, undefined],
      [undefined, 100],
      [undefined, 100],
      [100, undefined],
    ]);
  });

  it.each<[string, Partial<ModelAccess>, string]>([
    ['of another name', { name: 'quill' }, OURS],
    ['under another address', { base_url: 'https://other.example/v1' }, OURS],
    ['of the same name and address in another workspace', {}, THEIRS],
  ])('is still sent to a model %s', async (_, facts, workspace) => {
    const learned = new LearnedParameters();
    await hear(await provider([refusal(RENAMED), fine], {}, learned));
    const other = await provider([fine], facts, learned, workspace);
    await hear(other);
    expect(other.asked[0]).toMatchObject({ max_tokens: 100 });
    expect(other.asked[0]).not.toHaveProperty('max_completion_tokens');
  });

  it('is sent again where the question was refused without it too', async () => {
    const learned = new LearnedParameters();
    const lab = await provider([refusal(RENAMED), refusal({ message: 'No.' }), fine], {}, learned);
    await expect(hear(lab)).rejects.toMatchObject({ code: 'unprocessable_content' });
    await hear(lab);
    expect(lab.asked[2]).toMatchObject({ max_tokens: 100 });
  });

  it.each<[string, object, object | undefined]>([
    [
      'a length that is too large',
      { message: 'max_tokens is too large: 100. This model supports at most 50 completion tokens.', param: 'max_tokens' },
      undefined,
    ],
    [
      'a length that does not fit beside the question',
      { message: "'max_tokens' is not supported: it exceeds the context window.", param: 'max_tokens' },
      undefined,
    ],
    [
      'a length by either of its names',
      RENAMED,
      { message: "Unsupported parameter: 'max_completion_tokens'.", param: 'max_completion_tokens', code: 'unsupported_parameter' },
    ],
    [
      'the schema of the answer',
      {
        message: "Invalid schema for response_format 'response': In context=(), 'minimum' is not permitted.",
        type: 'invalid_request_error',
        param: 'response_format',
      },
      undefined,
    ],
    ['a schema by its place', { message: "response_format.json_schema.schema: 'additionalProperties' must be false" }, undefined],
  ])('is not left out, and nothing is learned, where a provider refuses %s', async (_, first, second) => {
    const refusals = [first, ...(second ? [second] : [])].map((one) => refusal(one));
    const lab = await provider([...refusals, fine]);
    const options = { responseFormat: { type: 'json' as const, schema: { type: 'object' as const } } };
    const failed: unknown = await hear(lab, options).catch((thrown: unknown) => thrown);
    expect(failed).toMatchObject({ code: 'unprocessable_content' });
    expect(reasonIn(failed)).toContain((refusals.length === 1 ? first : second)?.['message' as never]);
    expect(lab.asked).toHaveLength(refusals.length);
    await hear(lab, options);
    expect(lab.asked.at(-1)).toEqual(lab.asked[0]);
    expect(lab.asked[0]).toMatchObject({ max_tokens: 100, response_format: { type: 'json_schema' } });
  });

  it.each<[string, string, number]>([
    [
      'temperature',
      '{"error":{"message":"Unsupported parameter: \'temperature\' is not supported with this model.","param":"temperature","code":"unsupported_parameter"}}',
      400,
    ],
    [
      'top_p',
      '{"error":{"message":"`temperature` and `top_p` cannot both be specified for this model. Please use only one.","param":"top_p"}}',
      400,
    ],
    [
      'stop',
      '{"error":{"message":"Unrecognized request argument supplied: stop","type":"invalid_request_error","param":null,"code":null}}',
      400,
    ],
    [
      'stream_options',
      '{"detail":[{"type":"extra_forbidden","loc":["body","stream_options"],"msg":"Extra inputs are not permitted"}]}',
      422,
    ],
    [
      'stream_options',
      '[{"error":{"code":400,"message":"Invalid JSON payload received. Unknown name \\"stream_options\\": Cannot find field.","status":"INVALID_ARGUMENT"}}]',
      400,
    ],
    [
      'reasoning_effort',
      '{"object":"error","message":"reasoning_effort: this model does not support it","type":"BadRequestError","code":400}',
      400,
    ],
    ['reasoning_effort', '{"error":"\\"pen\\" does not support reasoning_effort"}', 400],
    ['response_format', '{"message":"response_format is not available for this model"}', 400],
    ['reasoning_effort', '{"error":{"message":"\\"pen\\" does not support thinking","type":"api_error"}}', 400],
    ['response_format', '{"error":{"message":"This response_format type is unavailable now","type":"invalid_request_error"}}', 400],
    ['response_format', '{"error":{"message":"Function calling with a response mime type: \'application/json\' is unsupported"}}', 400],
  ])('%s is left out where the provider says %s', async (name, error, status) => {
    const lab = await provider([{ status, error }, fine]);
    const options = {
      ...OPTIONS,
      providerOptions: { atrium: { reasoning: 'low' } },
      responseFormat: { type: 'json' as const, schema: { type: 'object' as const } },
    };
    expect((await hear(lab, options)).text).toBe('Forty-two.');
    expect(Object.keys(lab.asked[0] ?? {}).filter((key) => !(key in (lab.asked[1] ?? {})))).toEqual([name]);
  });

  it('with one value is sent with another', async () => {
    const error = {
      message: "Unsupported value: 'temperature' does not support 0.3 with this model. Only the default (1) value is supported.",
      param: 'temperature',
      code: 'unsupported_value',
    };
    const lab = await provider([refusal(error), fine, fine, fine]);
    await hear(lab, OPTIONS);
    await hear(lab, { ...OPTIONS, temperature: 1 });
    await hear(lab, OPTIONS);
    expect(lab.asked.map(({ temperature }) => temperature)).toEqual([0.3, undefined, 1, undefined]);
  });

  it('with one long value is sent with another', async () => {
    const stop = 'x'.repeat(300);
    const lab = await provider([refusal({ message: "Invalid value for 'stop': too long.", param: 'stop' }), fine, fine, fine]);
    for (const one of [stop, stop, 'END']) await hear(lab, { stopSequences: [one] });
    expect(lab.asked.map((asked) => asked['stop'])).toEqual([[stop], undefined, undefined, ['END']]);
  });

  it('is not looked for in other refusals', async () => {
    const error = {
      message: "This model's maximum context length is 8192 tokens. However, your messages resulted in 9120 tokens.",
      code: 'context_length_exceeded',
    };
    const lab = await provider([refusal(error), fine]);
    const failed: unknown = await hear(lab).catch((thrown: unknown) => thrown);
    expect(failed).toMatchObject({ code: 'unprocessable_content' });
    expect(reasonIn(failed)).toContain('9120 tokens');
    expect(lab.asked).toHaveLength(1);
  });

  it.each([
    'System role not supported',
    'This model does not support the "system" role.',
    "messages.0.role: Input should be 'user' or 'assistant'",
    'Developer instruction is not enabled for models/pen',
    "Unsupported value: 'messages[0].role' does not support 'system' with this model.",
    'Error rendering prompt with jinja template: "Only user and assistant roles are supported!".',
  ])('goes with the first question where it is what the system says: %s', async (message) => {
    const lab = await provider([refusal({ message }), fine, fine]);
    const prompt: LanguageModelV3Message[] = [{ role: 'system', content: 'Be brief.' }, ...QUESTION];
    expect((await hear(lab, { prompt })).text).toBe('Forty-two.');
    await hear(lab, { prompt });
    const without = [{ role: 'user', content: 'Be brief.\n\nHow many?' }];
    expect(lab.asked.map(({ messages }) => messages)).toEqual([
      expect.arrayContaining([{ role: 'system', content: 'Be brief.' }]),
      without,
      without,
    ]);
  });

  it('is not asked without for ever', async () => {
    const lab = await provider(
      Array.from({ length: 20 }, () =>
        refusal({ message: 'Unsupported parameter: temperature, top_p, stop, max_tokens', param: 'nothing' }),
      ),
    );
    await expect(hear(lab, OPTIONS)).rejects.toMatchObject({ code: 'unprocessable_content' });
    expect(lab.asked.length).toBeLessThan(9);
  });

  it('is not one that the protocol demands', async () => {
    const lab = await provider([refusal({ message: 'max_tokens: 100 is too large', type: 'invalid_request_error' })], {
      protocol: 'anthropic',
    });
    await expect(hear(lab)).rejects.toMatchObject({ code: 'unprocessable_content' });
    expect(lab.asked).toHaveLength(1);
  });

  it.each([
    [{ dialect: 'openai' } as const, 'max_completion_tokens'],
    [{ name: 'openai/gpt-5-mini' }, 'max_completion_tokens'],
    [{ name: 'o3-mini' }, 'max_completion_tokens'],
    [{ name: 'gpt-4o' }, 'max_tokens'],
    [{ name: 'solo1' }, 'max_tokens'],
  ])('is not asked for by OpenAI and its models that reason: %j', async (facts, name) => {
    const lab = await provider([fine], facts);
    await hear(lab);
    expect(lab.asked[0]).toMatchObject({ [name]: 100 });
    expect(lab.asked[0]).not.toHaveProperty(name === 'max_tokens' ? 'max_completion_tokens' : 'max_tokens');
  });
});

describe('messages of a question', () => {
  it.each(['openai', 'anthropic'] as const)('alternate, whatever got no answer: %s', async (protocol) => {
    const lab = await provider([{ body: '' }], { protocol });
    const said = (role: 'user' | 'assistant', text: string): LanguageModelV3Message => ({ role, content: [{ type: 'text', text }] });
    const prompt = [said('user', 'One?'), said('user', 'Two?'), said('assistant', 'A.'), said('assistant', 'B.'), said('user', 'Three?')];
    await hear(lab, { prompt });
    expect((lab.asked[0]?.['messages'] as { role: string; content: unknown }[]).map(({ role }) => role)).toEqual([
      'user',
      'assistant',
      'user',
    ]);
    expect(JSON.stringify(lab.asked[0])).toContain('One?\\n\\nTwo?');
  });
});
