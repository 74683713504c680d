import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { piecesOf, streamEvents, USUAL_USAGE, type StreamedTurn } from './streamed-turn';

/** What the server does with one question. */
export type MessagesTurn = StreamedTurn | { readonly status: number; readonly retryAfter?: string };

interface Block {
  readonly type: string;
  readonly text?: string;
  readonly thinking?: string;
  readonly signature?: string;
  readonly id?: string;
  readonly tool_use_id?: string;
  readonly source?: { readonly type: string; readonly media_type?: string; readonly data?: string };
}

interface Asked {
  readonly model?: string;
  readonly max_tokens?: number;
  readonly temperature?: number;
  readonly thinking?: { readonly type: string; readonly budget_tokens?: number };
  readonly stream?: boolean;
  readonly system?: unknown;
  readonly messages?: readonly { readonly role: string; readonly content: string | readonly Block[] }[];
  readonly tools?: readonly { readonly name?: string; readonly input_schema?: { readonly type?: string } }[];
}

const STOP = { stop: 'end_turn', length: 'max_tokens', filter: 'refusal' } as const;

/** A model provider on loopback that speaks the Messages protocol of Anthropic, strictly: what the real one rejects, it rejects. */
export class MessagesServer {
  readonly asked: Asked[] = [];
  /** When each of them came, in milliseconds of a clock that only goes forward. */
  readonly arrivals: number[] = [];
  /** Or a stream as some server sends it. */
  readonly turns: (MessagesTurn | { readonly raw: string })[] = [];

  private constructor(private readonly server: Server) {}

  static async start(): Promise<MessagesServer> {
    const server = createServer();
    const messages = new MessagesServer(server);
    server.on('request', (request, response) => void messages.serve(request, response).catch(() => response.destroy()));
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    return messages;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/v1`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((done) => this.server.close(done));
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece as Buffer);
    if (request.url !== '/v1/messages') return fail(response, { status: 404 });
    if (!request.headers['x-api-key'] || request.headers['anthropic-version'] === undefined) return fail(response, { status: 401 });
    const asked = JSON.parse(Buffer.concat(pieces).toString('utf8')) as Asked;
    const fault = faultIn(asked);
    if (fault !== null) return fail(response, { status: 400 }, fault);
    this.asked.push(asked);
    this.arrivals.push(performance.now());
    const turn = this.turns.shift() ?? { text: 'Yes.' };
    if ('status' in turn) return fail(response, turn);
    if ('raw' in turn) return void response.writeHead(200, { 'content-type': 'text/event-stream' }).end(turn.raw);
    if (asked.stream) return streamEvents(response, eventsOf(turn, asked.model ?? ''), turn, ERRORS);
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(wholeOf(turn, asked.model ?? '')));
  }
}

const fail = (
  response: ServerResponse,
  { status, retryAfter }: { readonly status: number; readonly retryAfter?: string },
  message = 'sk-test',
): void =>
  void response
    .writeHead(status, { 'content-type': 'application/json', ...(retryAfter === undefined ? {} : { 'retry-after': retryAfter }) })
    .end(JSON.stringify({ type: 'error', error: { type: status === 429 ? 'rate_limit_error' : 'api_error', message } }));

const event = (type: string, body: object = {}): string => `event: ${type}\ndata: ${JSON.stringify({ type, ...body })}\n\n`;

const ERRORS = {
  rate_limit: event('error', { error: { type: 'rate_limit_error', message: 'slow down, sk-test' } }),
  overloaded: event('error', { error: { type: 'overloaded_error', message: 'Overloaded, sk-test' } }),
};

function eventsOf(turn: StreamedTurn, model: string): string[] {
  const { text = '', reasoning = '', signature, calls = [] } = turn;
  const usage = turn.usage ?? USUAL_USAGE;
  let index = -1;
  const block = (start: object, deltas: readonly object[]): string[] => {
    index++;
    return [
      event('content_block_start', { index, content_block: start }),
      ...deltas.map((delta) => event('content_block_delta', { index, delta })),
      event('content_block_stop', { index }),
    ];
  };
  return [
    event('message_start', { message: { ...head(model), content: [], stop_reason: null, stop_sequence: null, usage: read(usage, 1) } }),
    event('ping'),
    ...(reasoning === ''
      ? []
      : block({ type: 'thinking', thinking: '', signature: '' }, [
          ...piecesOf(reasoning).map((thinking) => ({ type: 'thinking_delta', thinking })),
          ...(signature === undefined ? [] : [{ type: 'signature_delta', signature }]),
        ])),
    ...(text === ''
      ? []
      : block(
          { type: 'text', text: '' },
          piecesOf(text).map((piece) => ({ type: 'text_delta', text: piece })),
        )),
    ...calls.flatMap(({ id = `toolu_${calls.length}`, name, input }) =>
      block(
        { type: 'tool_use', id, name, input: {} },
        piecesOf(input).map((partial_json) => ({ type: 'input_json_delta', partial_json })),
      ),
    ),
    event('message_delta', { delta: { stop_reason: stopOf(turn), stop_sequence: null }, usage: { output_tokens: usage.output } }),
    event('message_stop'),
  ];
}

const wholeOf = (turn: StreamedTurn, model: string): object => {
  const usage = turn.usage ?? USUAL_USAGE;
  return {
    ...head(model),
    content: [
      ...(turn.text === undefined ? [] : [{ type: 'text', text: turn.text }]),
      ...(turn.calls ?? []).map(({ id = 'toolu_1', name, input }) => ({ type: 'tool_use', id, name, input: JSON.parse(input) as object })),
    ],
    stop_reason: stopOf(turn),
    stop_sequence: null,
    usage: read(usage, usage.output),
  };
};

const head = (model: string): object => ({ id: 'msg_test', type: 'message', role: 'assistant', model });
const stopOf = ({ calls = [], finish = 'stop' }: StreamedTurn): string => (calls.length > 0 ? 'tool_use' : STOP[finish]);
/** The provider counts what it read from its cache apart. */
const read = ({ input, cached = 0 }: NonNullable<StreamedTurn['usage']>, output_tokens: number): object => ({
  input_tokens: input - cached,
  cache_read_input_tokens: cached,
  cache_creation_input_tokens: 0,
  output_tokens,
});

/** What a strict provider rejects; null: nothing. */
function faultIn({ model, max_tokens = 0, temperature, thinking, messages = [], tools = [] }: Asked): string | null {
  if (!model || !Number.isInteger(max_tokens) || max_tokens < 1) return 'model and max_tokens are required';
  const { type: thinks, budget_tokens = 0 } = thinking ?? {};
  if (thinks === 'enabled' && (budget_tokens < 1_024 || budget_tokens >= max_tokens))
    return 'the budget of thinking must be below max_tokens';
  if (thinks === 'enabled' && temperature !== undefined) return 'temperature is not taken with thinking';
  if (messages[0]?.role !== 'user') return 'the first message must be of the user';
  if (tools.some(({ name = '', input_schema }) => !/^[a-zA-Z0-9_-]{1,128}$/.test(name) || input_schema?.type !== 'object'))
    return 'a tool is not valid';
  let open: string[] = [];
  for (const [at, { role, content }] of messages.entries()) {
    if (role === messages[at - 1]?.role) return 'roles must alternate';
    const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : content;
    if (blocks.length === 0 || blocks.some(({ type, text }) => type === 'text' && !text?.trim())) return 'a message is empty';
    const answered = blocks.flatMap(({ tool_use_id }) => tool_use_id ?? []);
    if (open.some((id) => !answered.includes(id)) || answered.some((id) => !open.includes(id))) return 'tool results do not fit the calls';
    const [start] = blocks;
    if (role === 'assistant' && thinks === 'enabled' && blocks.some(({ type }) => type === 'tool_use') && !start?.signature)
      return 'Expected `thinking` or `redacted_thinking`, but found `tool_use`: a final assistant message must start with a thinking block';
    open = role === 'assistant' ? blocks.flatMap(({ type, id }) => (type === 'tool_use' && id ? [id] : [])) : [];
    if (open.length > 0 && tools.length === 0) return 'tools are required where messages have tool calls';
  }
  return null;
}
