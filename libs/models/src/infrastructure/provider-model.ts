import type {
  LanguageModelV3,
  LanguageModelV3CallOptions,
  LanguageModelV3GenerateResult,
  LanguageModelV3StreamPart,
  LanguageModelV3StreamResult,
  LanguageModelV3ToolCall,
} from '@ai-sdk/provider';
import { interrupted, notAskedIn, problemOf, streamProblemOf } from './provider-problem';

/** The model of a protocol library: one that reads whole answers, and one that reads them while they arrive. */
export interface ProtocolModels {
  readonly whole: LanguageModelV3;
  readonly streaming: LanguageModelV3;
}

/**
 * A provider's model whose failures are problems of this service; what is given up before it was asked for is `NotAsked`. A stream ends with `finish` or with one `error`; what it
 * asks tools for is passed on with the end alone, so that nothing runs for an answer that was cut off.
 */
export class ProviderModel implements LanguageModelV3 {
  readonly specificationVersion = 'v3';
  readonly provider: string;
  readonly modelId: string;
  readonly supportedUrls = {};

  constructor(
    model_id: string,
    private readonly models: ProtocolModels,
    private readonly signal?: AbortSignal,
  ) {
    this.provider = model_id.slice(0, model_id.indexOf('/'));
    this.modelId = model_id.slice(model_id.indexOf('/') + 1);
  }

  async doGenerate(options: LanguageModelV3CallOptions): Promise<LanguageModelV3GenerateResult> {
    try {
      return await this.models.whole.doGenerate(this.withSignal(options));
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
    const next = async (): Promise<readonly LanguageModelV3StreamPart[]> => {
      for (;;) {
        const { value, done } = await reader.read();
        if (done) return [{ type: 'error', error: interrupted(this.provider) }];
        if (value.type === 'error') return [{ type: 'error', error: streamProblemOf(value.error, this.provider) }];
        if (value.type === 'finish') return [...calls, value];
        if (value.type !== 'tool-call') return [value];
        calls.push(value);
      }
    };
    return new ReadableStream<LanguageModelV3StreamPart>({
      pull: async (controller) => {
        const parts = await next().catch((error: unknown): LanguageModelV3StreamPart[] => {
          this.throwIfAborted(options);
          return [{ type: 'error', error: streamProblemOf(error, this.provider) }];
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

  private withSignal(options: LanguageModelV3CallOptions): LanguageModelV3CallOptions {
    const signals = [this.signal, options.abortSignal].filter((signal) => signal !== undefined);
    return signals.length === 0 ? options : { ...options, abortSignal: AbortSignal.any(signals) };
  }

  private throwIfAborted({ abortSignal }: LanguageModelV3CallOptions): void {
    this.signal?.throwIfAborted();
    abortSignal?.throwIfAborted();
  }
}
