import type { LanguageModelV3Usage } from '@ai-sdk/provider';

/** Tokens of one call, as the provider counted them, or as they were counted here because it did not say. */
export interface TokenUsage {
  /** All that was read, `cached_tokens` included. */
  readonly input_tokens: number;
  readonly cached_tokens: number;
  /** All that was written, `reasoning_tokens` included. */
  readonly output_tokens: number;
  readonly reasoning_tokens: number;
  /** Whether the provider gave no figure, so that it was counted here. */
  readonly estimated: boolean;
}

export const NO_TOKENS: TokenUsage = { input_tokens: 0, cached_tokens: 0, output_tokens: 0, reasoning_tokens: 0, estimated: false };

/**
 * The provider's figures. One that is missing, or zero where something was read or written, is the one that was counted here.
 * More reasoning than output says that the output leaves the reasoning out.
 */
export function tokenUsageOf(
  { inputTokens, outputTokens }: LanguageModelV3Usage,
  counted: { readonly input: number; readonly output: number },
): TokenUsage {
  const read = inputTokens.total ?? (inputTokens.noCache === undefined ? undefined : inputTokens.noCache + (inputTokens.cacheRead ?? 0));
  const { total: written, reasoning = 0 } = outputTokens;
  const [input, output] = [read || counted.input, written || counted.output];
  const whole = written !== undefined && reasoning > written ? written + reasoning : output;
  return {
    input_tokens: input,
    cached_tokens: Math.min(inputTokens.cacheRead ?? 0, input),
    output_tokens: whole,
    reasoning_tokens: Math.min(reasoning, whole),
    estimated: read === undefined || written === undefined || read !== input || (written !== output && whole === output),
  };
}

export const addTokens = (one: TokenUsage, other: TokenUsage): TokenUsage => ({
  input_tokens: one.input_tokens + other.input_tokens,
  cached_tokens: one.cached_tokens + other.cached_tokens,
  output_tokens: one.output_tokens + other.output_tokens,
  reasoning_tokens: one.reasoning_tokens + other.reasoning_tokens,
  estimated: one.estimated || other.estimated,
});
