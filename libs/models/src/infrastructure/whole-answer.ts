import type { LanguageModelV3, LanguageModelV3CallOptions } from '@ai-sdk/provider';
import { tokenUsageOf, type TokenUsage } from '../domain/token-usage';
import { textOfPrompt } from './prompt-text';
import { loadTokenCount } from './token-count';

/** An answer that came as a whole. */
export interface CompleteAnswer {
  readonly text: string;
  readonly finish: 'stop' | 'length' | 'filter';
  readonly usage: TokenUsage;
}

/** Asks a model once, without tools. */
export async function wholeAnswer(model: LanguageModelV3, options: LanguageModelV3CallOptions): Promise<CompleteAnswer> {
  const { content, finishReason, usage } = await model.doGenerate(options);
  const text = content.map((part) => (part.type === 'text' ? part.text : '')).join('');
  const { unified } = finishReason;
  // Nothing is counted where the provider says both.
  const isCounted = Boolean(usage.inputTokens.total) && Boolean(usage.outputTokens.total);
  const count = isCounted ? () => 0 : await loadTokenCount();
  return {
    text,
    finish: unified === 'content-filter' ? 'filter' : unified === 'length' ? 'length' : 'stop',
    usage: tokenUsageOf(usage, { input: count(textOfPrompt(options)), output: count(text) }),
  };
}
