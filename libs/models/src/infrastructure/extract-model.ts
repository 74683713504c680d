import { setTimeout as pause } from 'node:timers/promises';
import type {
  LanguageModelV3,
  LanguageModelV3CallOptions,
  LanguageModelV3Content,
  LanguageModelV3FinishReason,
  LanguageModelV3GenerateResult,
  LanguageModelV3StreamPart,
  LanguageModelV3StreamResult,
  LanguageModelV3Usage,
} from '@ai-sdk/provider';
import type { JsonObject } from '@atrium/platform/kernel';
import { filledSchema } from '../domain/extract/filled-schema';
import { answerOf, nextCall } from '../domain/extract/next-move';
import { turnOf } from '../domain/extract/turn';
import { loadReader } from '../domain/extract/words';
import { textOfPrompt } from './prompt-text';
import { loadTokenCount, type TokenCount } from './token-count';

/** The groups in which the answer streams. */
const THREE_WORDS = /^\s+|\S+\s*(?:\S+\s*){0,2}/g;

interface Made {
  readonly content: LanguageModelV3Content;
  readonly finishReason: LanguageModelV3FinishReason;
  readonly usage: LanguageModelV3Usage;
}

/**
 * The built-in model: it quotes sentences of the sources, or calls a tool that is offered. It knows neither a clock nor chance, so
 * the same prompt has the same answer, byte by byte. It does not write, reason, translate or paraphrase.
 */
export class ExtractModel implements LanguageModelV3 {
  readonly specificationVersion = 'v3';
  readonly supportedUrls = {};

  constructor(
    readonly provider: string,
    readonly modelId: string,
    private readonly delayMs: number,
  ) {}

  async doGenerate(options: LanguageModelV3CallOptions): Promise<LanguageModelV3GenerateResult> {
    options.abortSignal?.throwIfAborted();
    const { content, finishReason, usage } = await this.make(options);
    return { content: [content], finishReason, usage, warnings: [] };
  }

  async doStream(options: LanguageModelV3CallOptions): Promise<LanguageModelV3StreamResult> {
    options.abortSignal?.throwIfAborted();
    const parts = this.parts(await this.make(options), options.abortSignal);
    return {
      stream: new ReadableStream<LanguageModelV3StreamPart>({
        async pull(controller) {
          const { value, done } = await parts.next();
          if (done) controller.close();
          else controller.enqueue(value);
        },
        async cancel() {
          await parts.return(undefined);
        },
      }),
    };
  }

  private async *parts(
    { content, finishReason, usage }: Made,
    signal: AbortSignal | undefined,
  ): AsyncGenerator<LanguageModelV3StreamPart, void, undefined> {
    yield { type: 'stream-start', warnings: [] };
    if (content.type === 'tool-call') {
      const { toolCallId: id, toolName, input } = content;
      yield { type: 'tool-input-start', id, toolName };
      yield { type: 'tool-input-delta', id, delta: input };
      yield { type: 'tool-input-end', id };
      yield content;
    } else if (content.type === 'text') {
      yield { type: 'text-start', id: '0' };
      for (const delta of content.text.match(THREE_WORDS) ?? []) {
        if (this.delayMs > 0) await pause(this.delayMs, undefined, signal ? { signal } : {});
        signal?.throwIfAborted();
        yield { type: 'text-delta', id: '0', delta };
      }
      yield { type: 'text-end', id: '0' };
    }
    yield { type: 'finish', finishReason, usage };
  }

  private async make(options: LanguageModelV3CallOptions): Promise<Made> {
    const count = await loadTokenCount();
    const input = count(textOfPrompt(options));
    const turn = turnOf(options);
    const call = nextCall(turn);
    if (call) {
      const written = JSON.stringify(call.input);
      return {
        content: { type: 'tool-call', toolCallId: `call_${turn.calls + 1}`, toolName: call.tool, input: written },
        finishReason: { unified: 'tool-calls', raw: 'tool_calls' },
        usage: usageOf(input, count(written)),
      };
    }
    const reader = await loadReader(turn.question);
    const { responseFormat } = options;
    const text =
      responseFormat?.type === 'json' && responseFormat.schema
        ? JSON.stringify(filledSchema(responseFormat.schema as JsonObject, sourcesToFill(turn), reader))
        : answerOf(turn, reader);
    const { kept, finish } = withinLimits(text, options, count);
    return { content: { type: 'text', text: kept }, finishReason: { unified: finish, raw: finish }, usage: usageOf(input, count(kept)) };
  }
}

/** Where nothing else is to be read, the message itself is. */
const sourcesToFill = ({ sources, question }: ReturnType<typeof turnOf>): ReturnType<typeof turnOf>['sources'] =>
  sources.length > 0 ? sources : [{ n: null, kind: 'attachment', text: question }];

function withinLimits(
  text: string,
  { maxOutputTokens, stopSequences = [] }: LanguageModelV3CallOptions,
  count: TokenCount,
): { readonly kept: string; readonly finish: 'stop' | 'length' } {
  const stops = stopSequences.map((stop) => text.indexOf(stop)).filter((at) => at >= 0);
  const stopped = stops.length > 0 ? text.slice(0, Math.min(...stops)) : text;
  if (maxOutputTokens === undefined || count(stopped) <= maxOutputTokens) return { kept: stopped, finish: 'stop' };
  let kept = '';
  for (const group of stopped.match(THREE_WORDS) ?? []) {
    if (count((kept + group).trimEnd()) > maxOutputTokens) break;
    kept += group;
  }
  return { kept: kept.trimEnd(), finish: 'length' };
}

const usageOf = (input: number, output: number): LanguageModelV3Usage => ({
  inputTokens: { total: input, noCache: input, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: output, text: output, reasoning: 0 },
});
