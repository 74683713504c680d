import type { LanguageModelV3CallOptions } from '@ai-sdk/provider';
import { groundingOf, type ReasoningEffort } from '../domain/grounding';
import { hasThoughts } from './carried-thoughts';

/** Tokens of thinking for each effort; the least that the Messages protocol takes is 1,024. */
const THINKING: Readonly<Record<Exclude<ReasoningEffort, 'off'>, number>> = { low: 2_048, medium: 8_192, high: 24_576 };
const LEAST_THINKING = 1_024;
const USUAL_OUTPUT = 4_096;

/**
 * The effort of reasoning as Chat Completions says it: `reasoning_effort`, `none` where it is to be off. Models that do not reason refuse
 * the word, and there is nothing to turn off; another effort is sent as it was chosen, since the capabilities may be incomplete.
 */
export function withEffort(options: LanguageModelV3CallOptions, reasons: boolean): LanguageModelV3CallOptions {
  const { reasoning } = groundingOf(options.providerOptions);
  if (reasoning === undefined || (reasoning === 'off' && !reasons)) return options;
  const openaiCompatible = { reasoningEffort: reasoning === 'off' ? 'none' : reasoning };
  return { ...options, providerOptions: { ...options.providerOptions, openaiCompatible } };
}

/**
 * The effort of reasoning as the Messages protocol says it: `thinking` with a budget of at most half of what the model may write. While it
 * thinks, temperature and top_p are not taken. Models that do not reason refuse the word.
 */
export function withThinking(options: LanguageModelV3CallOptions, reasons: boolean, model_id: string): LanguageModelV3CallOptions {
  const { reasoning } = groundingOf(options.providerOptions);
  if (reasoning === undefined || !reasons) return options;
  const most = options.maxOutputTokens ?? USUAL_OUTPUT;
  const budgetTokens = reasoning === 'off' || !mayThink(options, model_id) ? 0 : Math.min(THINKING[reasoning], Math.floor(most / 2));
  const thinks = budgetTokens >= LEAST_THINKING;
  const anthropic = { thinking: thinks ? { type: 'enabled', budgetTokens } : { type: 'disabled' } };
  const asked = { ...options, providerOptions: { ...options.providerOptions, anthropic } };
  if (!thinks) return asked;
  const { temperature: _, topP: __, topK: ___, ...rest } = asked;
  // The protocol library adds the budget to what the model may write.
  return { ...rest, maxOutputTokens: most - budgetTokens };
}

/** A turn with calls of tools goes on only with the signed thoughts before them; answers by a schema may be forced calls. */
const mayThink = ({ prompt, responseFormat }: LanguageModelV3CallOptions, model_id: string): boolean =>
  responseFormat?.type !== 'json' && hasThoughts(prompt, model_id);
