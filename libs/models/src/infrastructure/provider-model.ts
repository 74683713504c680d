import type {
  LanguageModelV3,
  LanguageModelV3CallOptions,
  LanguageModelV3GenerateResult,
  LanguageModelV3StreamPart,
  LanguageModelV3StreamResult,
  LanguageModelV3ToolCall,
} from '@ai-sdk/provider';
import { Logger } from '@nestjs/common';
import { carriedOf, keptCarried, type Carried } from '../domain/carried';
import { reasonIn } from '../domain/model-refusal';
import { sentBack } from './carried-messages';
import { SignedThoughts } from './carried-thoughts';
import { ReasoningSplitter, thoughtsAndAnswer, thoughtsBefore, type Piece, type ThoughtsAndAnswer } from './reasoning-splitter';
import { objectOf } from './wire/loose-json';
import { providerInterrupted, notAskedIn, problemOf, streamProblemOf } from './provider-problem';

/** The model of a protocol library: one that reads whole answers, and one that reads them while they arrive. */
export interface ProtocolModels {
  readonly whole: LanguageModelV3;
  readonly streaming: LanguageModelV3;
}

/** How a model is asked. */
export interface ProviderModelOptions {
  readonly signal?: AbortSignal | undefined;
  /** What no reason of the provider may repeat. */
  readonly secrets?: readonly string[];
  /** The built-in model quotes: whatever it says is the answer. */
  readonly isBuiltIn?: boolean;
}

type Finish = Extract<LanguageModelV3StreamPart, { readonly type: 'finish' }>;

const CARRIED = 'atriumCarried';

/** What goes back to the provider with the step, at its end. */
export const carriedIn = (part: Finish): Carried | null => carriedOf(part.providerMetadata?.[CARRIED]);

/**
 * Of an answer so far: its thoughts and what comes behind them, where the model wrote the end of thoughts alone. It was sent as text, as
 * it came. The built-in model quotes what it was given and thinks nothing.
 */
export const lateThoughts = (model: LanguageModelV3, text: string): ThoughtsAndAnswer | null =>
  model instanceof ProviderModel && model.isBuiltIn ? null : thoughtsBefore(text);

/**
 * A provider's model whose failures are problems of this service; what is given up before it was asked for is `NotAsked`. A stream ends with `finish` or with one `error`; what it
 * asks tools for is passed on with the end alone, so that nothing runs for an answer that was cut off.
 */
export class ProviderModel implements LanguageModelV3 {
  readonly specificationVersion = 'v3';
  readonly provider: string;
  readonly modelId: string;
  readonly supportedUrls = {};
  private readonly log = new Logger(ProviderModel.name);
  private readonly signal: AbortSignal | undefined;

  constructor(
    private readonly model_id: string,
    private readonly models: ProtocolModels,
    private readonly opened: ProviderModelOptions = {},
  ) {
    this.signal = opened.signal;
    this.provider = model_id.slice(0, model_id.indexOf('/'));
    this.modelId = model_id.slice(model_id.indexOf('/') + 1);
  }

  get isBuiltIn(): boolean {
    return this.opened.isBuiltIn ?? false;
  }

  async doGenerate(options: LanguageModelV3CallOptions): Promise<LanguageModelV3GenerateResult> {
    try {
      return this.withThoughtsApart(await this.models.whole.doGenerate(this.withSignal(options)));
    } catch (error) {
      const notAsked = notAskedIn(error);
      if (notAsked) throw notAsked;
      this.throwIfAborted(options);
      throw problemOf(error, this.provider);
    }
  }

  async doStream(options: LanguageModelV3CallOptions): Promise<LanguageModelV3StreamResult> {
    try {
      const { stream, ...result } = await this.models.streaming.doStream(this.withSignal(options));
      return { ...result, stream: this.checked(stream, options) };
    } catch (error) {
      const notAsked = notAskedIn(error);
      if (notAsked) throw notAsked;
      this.throwIfAborted(options);
      throw problemOf(error, this.provider);
    }
  }

  private checked(
    source: ReadableStream<LanguageModelV3StreamPart>,
    options: LanguageModelV3CallOptions,
  ): ReadableStream<LanguageModelV3StreamPart> {
    const reader = source.getReader();
    const calls: LanguageModelV3ToolCall[] = [];
    const [thoughts, apart] = [new SignedThoughts(), new ReasoningSplitter()];
    const next = async (): Promise<readonly LanguageModelV3StreamPart[]> => {
      for (;;) {
        const { value, done } = await reader.read();
        if (done) return [{ type: 'error', error: providerInterrupted(this.provider) }];
        thoughts.collectPart(value);
        if (value.type === 'error') return [...deltasOf(apart.releaseRest()), { type: 'error', error: this.problemIn(value.error) }];
        if (value.type === 'finish') return [...deltasOf(apart.releaseRest()), ...calls, this.withCarried(value, calls, thoughts)];
        const parts = value.type === 'text-delta' && !this.opened.isBuiltIn ? deltasOf(apart.splitText(value.delta)) : [value];
        if (value.type === 'tool-call') calls.push(value);
        else if (parts.length > 0) return parts;
      }
    };
    return new ReadableStream<LanguageModelV3StreamPart>({
      pull: async (controller) => {
        const parts = await next().catch((error: unknown): LanguageModelV3StreamPart[] => {
          this.throwIfAborted(options);
          return [{ type: 'error', error: this.problemIn(error) }];
        });
        for (const part of parts) controller.enqueue(part);
        const last = parts.at(-1)?.type;
        if (last !== 'finish' && last !== 'error') return;
        controller.close();
        await reader.cancel().catch(() => undefined);
      },
      cancel: (reason) => reader.cancel(reason),
    });
  }

  /** The provider's own reason is for those who look after the installation. */
  private problemIn(error: unknown): unknown {
    const problem = streamProblemOf(error, this.provider, this.opened.secrets);
    const { code, detail } = problem;
    this.log.warn({ msg: 'a model provider broke its answer off', model: this.model_id, code, detail, reason: reasonIn(problem) });
    return problem;
  }

  private withCarried(finish: Finish, calls: readonly LanguageModelV3ToolCall[], thoughts: SignedThoughts): Finish {
    const { message, calls: extras } = sentBack(finish.providerMetadata);
    const extraOf = ({ toolCallId }: LanguageModelV3ToolCall) => objectOf(extras[toolCallId]);
    const carried = keptCarried({ by: this.model_id, thoughts: thoughts.all, message, calls: calls.map(extraOf) });
    return carried ? { ...finish, providerMetadata: { ...finish.providerMetadata, [CARRIED]: carried as never } } : finish;
  }

  private withThoughtsApart(result: LanguageModelV3GenerateResult): LanguageModelV3GenerateResult {
    if (this.opened.isBuiltIn) return result;
    const content: LanguageModelV3GenerateResult['content'] = [];
    const isThoughtApart = result.content.some(({ type }) => type === 'reasoning');
    for (const part of result.content) {
      if (part.type !== 'text' || isThoughtApart) content.push(part);
      else for (const { kind: type, text } of thoughtsAndAnswer(part.text)) content.push({ type, text });
    }
    return { ...result, content };
  }

  private withSignal(options: LanguageModelV3CallOptions): LanguageModelV3CallOptions {
    const signals = [this.signal, options.abortSignal].filter((signal) => signal !== undefined);
    return signals.length === 0 ? options : { ...options, abortSignal: AbortSignal.any(signals) };
  }

  private throwIfAborted({ abortSignal }: LanguageModelV3CallOptions): void {
    this.signal?.throwIfAborted();
    abortSignal?.throwIfAborted();
  }
}

const deltasOf = (pieces: readonly Piece[]): LanguageModelV3StreamPart[] =>
  pieces.map(({ kind, text: delta }) => ({ type: `${kind}-delta` as const, id: kind, delta }));
