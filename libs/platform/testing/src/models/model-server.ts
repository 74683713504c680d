import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { ChatMessage } from './chat-message';
import { habitFault, type ChatHabits } from './chat-habits';
import { CHAT_ERRORS, chatEvents, chatFault, usageOf } from './chat-stream';
import { streamEvents, type StreamedTurn } from './streamed-turn';

/** A question that reached the server, as far as tests ask about it. */
export interface AskedChat {
  readonly model: string;
  readonly authorization: string | undefined;
  readonly system: string;
  readonly text: string;
  /** The pictures that came along, decoded. */
  readonly images: readonly { readonly type: string; readonly bytes: Buffer }[];
  readonly response_format: unknown;
  readonly tools: unknown;
  /** Results of tools among its messages. */
  readonly results: number;
  readonly reasoning_effort: unknown;
  /** All of the question as it came. */
  readonly body: Readonly<Record<string, unknown>>;
  /** Its messages as they came. */
  readonly messages: readonly ChatMessage[];
}

export interface AskedEmbeddings {
  readonly path: string;
  readonly authorization: string | undefined;
  readonly model: string;
  readonly input: readonly string[];
}

/** What the server does with one question: an answer in words, or what goes wrong. */
export type ChatTurn =
  | { readonly say: string | object; readonly afterMs?: number }
  | { readonly refuse: 'content_filter' }
  | { readonly stream: StreamedTurn }
  /** An answer as some server sends it. */
  | { readonly raw: string; readonly type?: string }
  | { readonly status: number; readonly retryAfter?: string; readonly error?: object; readonly headers?: Readonly<Record<string, string>> };

export type EmbeddingTurn =
  | 'wrong dims'
  | 'partial'
  | { readonly say: string }
  | { readonly status: number; readonly retryAfter?: string }
  | { readonly afterMs: number };

interface Request {
  readonly model: string;
  readonly messages?: readonly ChatMessage[];
  readonly input?: string | readonly string[];
  readonly response_format?: unknown;
  readonly reasoning_effort?: unknown;
  readonly tools?: readonly { readonly type: string; readonly function?: { readonly name?: string; readonly parameters?: object } }[];
  readonly stream?: boolean;
  readonly stream_options?: { readonly include_usage?: boolean };
}

const DIMS = 64;

/**
 * A model provider on loopback that speaks the chat and embedding protocols of OpenAI and the embedding protocol of
 * Ollama. What it answers is decided by the test: the turns that wait go first, then `answering` is asked.
 */
export class ModelServer {
  readonly chats: AskedChat[] = [];
  /** When each of them came, in milliseconds of a clock that only goes forward. */
  readonly arrivals: number[] = [];
  readonly embeddings: AskedEmbeddings[] = [];
  readonly turns: ChatTurn[] = [];
  readonly embeddingTurns: EmbeddingTurn[] = [];
  /** The answer to a question for which no turn waits. */
  answering: (asked: AskedChat) => ChatTurn | Promise<ChatTurn> = () => ({ say: {} });

  /** Words that it takes at most, in messages and tools; a longer question is refused as real providers refuse it. */
  context = Infinity;

  /** Its models that do not reason: a question with an effort of reasoning is refused, as real providers refuse it. */
  readonly unreasoning = new Set<string>();

  /** What its models are particular about, by their names. */
  readonly habits = new Map<string, ChatHabits>();

  private constructor(private readonly server: Server) {}

  static async start(): Promise<ModelServer> {
    const server = createServer();
    const models = new ModelServer(server);
    server.on(
      'request',
      (request: IncomingMessage, response: ServerResponse) => void models.serve(request, response).catch(() => response.destroy()),
    );
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    return models;
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** The endpoint as it is configured. */
  get url(): string {
    return `${this.origin}/v1`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((done) => this.server.close(done));
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece as Buffer);
    const body = JSON.parse(Buffer.concat(pieces).toString('utf8')) as Request;
    if (request.url === '/v1/chat/completions') return this.chat(body, request, response);
    if (request.url === '/v1/embeddings' || request.url === '/api/embed')
      return this.embed({ path: request.url, authorization: request.headers.authorization }, body, response);
    send(response, 404, { error: { message: 'no such path' } });
  }

  private async chat(body: Request, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const asked = askedOf(body, request.headers.authorization);
    this.chats.push(asked);
    this.arrivals.push(performance.now());
    const { model, messages = [] } = body;
    const habit = habitFault({ ...body }, messages as readonly (ChatMessage & Record<string, unknown>)[], this.habits.get(model) ?? {});
    if (habit) return send(response, 400, { error: habit });
    const turn = this.turns.shift() ?? (await this.answering(asked));
    if ('status' in turn) return fail(response, turn);
    const fault = this.faultOf(body);
    if (fault !== null) return send(response, 400, { error: { message: fault, type: 'invalid_request_error', param: null, code: null } });
    if ('raw' in turn) return void response.writeHead(200, { 'content-type': turn.type ?? 'text/event-stream' }).end(turn.raw);
    if (body.stream) return this.stream(body, turn, response);
    if ('stream' in turn) return send(response, 200, completion(body.model, turn.stream.text ?? '', 'stop', turn.stream.usage));
    if ('refuse' in turn) return send(response, 200, completion(body.model, '', turn.refuse));
    if (turn.afterMs) await pause(turn.afterMs);
    send(response, 200, completion(body.model, typeof turn.say === 'string' ? turn.say : JSON.stringify(turn.say), 'stop'));
  }

  private faultOf(body: Request): string | null {
    if (wordsIn(body) > this.context) return 'the messages are longer than the context of the model';
    if (body.reasoning_effort !== undefined && this.unreasoning.has(body.model)) return 'the model does not take reasoning_effort';
    return chatFault(body);
  }

  private async stream(
    { model, stream_options }: Request,
    turn: Exclude<ChatTurn, { status: number } | { raw: string }>,
    response: ServerResponse,
  ): Promise<void> {
    const streamed: StreamedTurn =
      'stream' in turn
        ? turn.stream
        : 'refuse' in turn
          ? { finish: 'filter' }
          : { text: typeof turn.say === 'string' ? turn.say : JSON.stringify(turn.say) };
    if ('afterMs' in turn && turn.afterMs) await pause(turn.afterMs);
    await streamEvents(response, chatEvents(streamed, model, stream_options?.include_usage === true), streamed, CHAT_ERRORS);
  }

  private async embed(
    { path, authorization }: Pick<AskedEmbeddings, 'path' | 'authorization'>,
    { model, input = [] }: Request,
    response: ServerResponse,
  ): Promise<void> {
    const texts = typeof input === 'string' ? [input] : input;
    this.embeddings.push({ path, authorization, model, input: texts });
    const turn = this.embeddingTurns.shift();
    if (typeof turn === 'object' && 'status' in turn) return fail(response, turn);
    if (typeof turn === 'object' && 'say' in turn)
      return void response.writeHead(200, { 'content-type': 'application/json' }).end(turn.say);
    if (typeof turn === 'object') await pause(turn.afterMs, undefined, { ref: false });
    const dims = turn === 'wrong dims' ? DIMS / 2 : DIMS;
    const vectors = texts.slice(0, turn === 'partial' ? Math.max(0, texts.length - 1) : undefined).map((text) => vectorOf(text, dims));
    const tokens = texts.reduce((sum, text) => sum + text.split(/\s+/).length, 0);
    if (path === '/api/embed') return send(response, 200, { model, embeddings: vectors, prompt_eval_count: tokens });
    send(response, 200, {
      object: 'list',
      model,
      data: vectors.map((embedding, index) => ({ object: 'embedding', index, embedding })),
      usage: { prompt_tokens: tokens, total_tokens: tokens },
    });
  }
}

function send(response: ServerResponse, status: number, body: object, headers: Readonly<Record<string, string>> = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}

const fail = (response: ServerResponse, { status, retryAfter, error, headers = {} }: Extract<ChatTurn, { status: number }>): void =>
  send(
    response,
    status,
    { error: error ?? { message: `status ${status}; the key was sk-test`, type: 'error', param: null, code: null } },
    { ...headers, ...(retryAfter === undefined ? {} : { 'retry-after': retryAfter }) },
  );

const wordsIn = ({ messages, tools }: Request): number => JSON.stringify([messages, tools]).match(/[\p{L}\p{N}]+/gu)?.length ?? 0;

function askedOf(body: Request, authorization: string | undefined): AskedChat {
  const { model, messages = [], response_format, reasoning_effort, tools } = body;
  const parts = messages
    .filter(({ role }) => role === 'user')
    .flatMap(({ content }) => (typeof content === 'string' ? [{ type: 'text', text: content }] : content));
  const pictures = parts.flatMap((part) =>
    part.type === 'image_url' && 'image_url' in part && part.image_url ? [part.image_url.url] : [],
  );
  return {
    model,
    authorization,
    system: messages
      .filter(({ role }) => role === 'system')
      .map(({ content }) => (typeof content === 'string' ? content : ''))
      .join('\n'),
    text: parts.map(({ text = '' }) => text).join(''),
    images: pictures.map((url) => ({
      type: url.slice(5, url.indexOf(';')),
      bytes: Buffer.from(url.slice(url.indexOf(',') + 1), 'base64'),
    })),
    response_format,
    tools,
    results: messages.filter(({ role }) => role === 'tool').length,
    reasoning_effort,
    body: { ...body },
    messages,
  };
}

const completion = (model: string, content: string, finish_reason: string, usage?: StreamedTurn['usage']): object => ({
  id: 'chatcmpl-test',
  object: 'chat.completion',
  created: 1_700_000_000,
  model,
  choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason }],
  ...(usage === null ? {} : { usage: usageOf(usage ?? { input: 120, output: 20 }) }),
});

/** One direction a word, so that texts with common words are near each other. */
function vectorOf(text: string, dims: number): number[] {
  const sum = new Array<number>(dims).fill(0);
  for (const word of text.toLowerCase().match(/[a-z0-9]+/g) ?? []) {
    const digest = createHash('sha256').update(word).digest();
    for (let at = 0; at < dims; at++) sum[at] = (sum[at] ?? 0) + ((digest[at % 32] ?? 0) / 127.5 - 1) * (at < 32 ? 1 : -1);
  }
  const length = Math.hypot(...sum) || 1;
  return sum.map((value) => value / length);
}
