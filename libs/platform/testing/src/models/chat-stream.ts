import { piecesOf, USUAL_USAGE, type StreamedTurn } from './streamed-turn';

const FINISH = { stop: 'stop', length: 'length', filter: 'content_filter' } as const;

/** An answer as the events of Chat Completions. Usage comes only where the question asked for it. */
export function chatEvents(turn: StreamedTurn, model: string, wantsUsage: boolean): string[] {
  const { text = '', reasoning = '', signature, calls = [], finish = 'stop', usage = USUAL_USAGE } = turn;
  const signed = (index: number): object =>
    index === 0 && signature !== undefined ? { extra_content: { google: { thought_signature: signature } } } : {};
  const chunk = (delta: object, finish_reason: string | null = null): string =>
    event({ model, choices: [{ index: 0, delta, finish_reason }] });
  return [
    chunk({ role: 'assistant', content: '' }),
    ...piecesOf(reasoning).map((piece) => chunk({ reasoning_content: piece })),
    ...piecesOf(text).map((content) => chunk({ content })),
    ...calls.flatMap(({ id = `call_${calls.length}`, name, input }, index) => [
      chunk({ tool_calls: [{ index, id, type: 'function', function: { name, arguments: '' }, ...signed(index) }] }),
      ...piecesOf(input).map((piece) => chunk({ tool_calls: [{ index, function: { arguments: piece } }] })),
    ]),
    chunk({}, calls.length > 0 ? 'tool_calls' : FINISH[finish]),
    ...(usage && wantsUsage ? [event({ model, choices: [], usage: usageOf(usage) })] : []),
    'data: [DONE]\n\n',
  ];
}

export const CHAT_ERRORS = {
  rate_limit: `data: ${JSON.stringify({ error: { message: 'slow down, sk-test', type: 'rate_limit_exceeded', code: 'rate_limit_exceeded' } })}\n\n`,
  overloaded: `data: ${JSON.stringify({ error: { message: 'server error, sk-test', type: 'server_error', code: null } })}\n\n`,
};

const event = (body: object): string =>
  `data: ${JSON.stringify({ id: 'chatcmpl-test', object: 'chat.completion.chunk', created: 1_700_000_000, ...body })}\n\n`;

export const usageOf = ({ input, cached = 0, output, reasoning = 0 }: NonNullable<StreamedTurn['usage']>): object => ({
  prompt_tokens: input,
  completion_tokens: output,
  total_tokens: input + output,
  prompt_tokens_details: { cached_tokens: cached },
  completion_tokens_details: { reasoning_tokens: reasoning },
});

interface Asked {
  readonly messages?: readonly {
    readonly role: string;
    readonly content?: unknown;
    readonly tool_call_id?: string;
    readonly tool_calls?: readonly { readonly id: string; readonly function: { readonly arguments: string } }[];
  }[];
  readonly tools?: readonly { readonly type: string; readonly function?: { readonly name?: string; readonly parameters?: object } }[];
}

/** What a strict provider rejects of a question; null: nothing. */
export function chatFault({ messages = [], tools = [] }: Asked): string | null {
  if (messages.length === 0) return 'messages is empty';
  if (tools.some(({ type, function: one }) => type !== 'function' || !/^[a-zA-Z0-9_-]{1,64}$/.test(one?.name ?? '') || !one?.parameters))
    return 'a tool is not valid';
  const open = new Set<string>();
  for (const { role, tool_calls = [], tool_call_id, content } of messages) {
    if (!['system', 'user', 'assistant', 'tool'].includes(role)) return `unknown role ${role}`;
    if (role !== 'tool' && open.size > 0) return 'a tool call has no result';
    if (role === 'tool' && !open.delete(tool_call_id ?? '')) return 'a tool result belongs to no call';
    if (role === 'user' && (content === '' || content === undefined)) return 'a message of the user is empty';
    for (const { id } of tool_calls) open.add(id);
  }
  return open.size > 0 ? 'a tool call has no result' : null;
}
