import type { LanguageModelV3CallOptions, LanguageModelV3Prompt } from '@ai-sdk/provider';
import { carriedInOptions } from '../domain/carried';
import { NO_TOKENS, type TokenUsage } from '../domain/token-usage';
import { loadTokenCount } from './token-count';

/** What of a prompt is text: the basis of figures that a provider does not give. Pictures and other files are left out. */
export function textOfPrompt({ prompt, tools = [] }: Pick<LanguageModelV3CallOptions, 'prompt' | 'tools'>): string {
  return [
    ...prompt.flatMap(textsOfMessage),
    ...tools.map((tool) => (tool.type === 'function' ? JSON.stringify([tool.name, tool.description, tool.inputSchema]) : '')),
  ].join('\n');
}

/** What a question that got no answer took. */
export const readOf = async (asked: Pick<LanguageModelV3CallOptions, 'prompt' | 'tools'>): Promise<TokenUsage> => ({
  ...NO_TOKENS,
  input_tokens: (await loadTokenCount())(textOfPrompt(asked)),
  estimated: true,
});

function textsOfMessage({ content, providerOptions }: LanguageModelV3Prompt[number]): string[] {
  if (typeof content === 'string') return [content];
  const carried = carriedInOptions(providerOptions);
  return [...(carried ? [JSON.stringify(carried)] : []), ...textsOfParts(content)];
}

function textsOfParts(content: Exclude<LanguageModelV3Prompt[number]['content'], string>): string[] {
  return content.map((part) => {
    if (part.type === 'text' || part.type === 'reasoning') return part.text;
    if (part.type === 'tool-call') return `${part.toolName} ${JSON.stringify(part.input)}`;
    if (part.type !== 'tool-result') return '';
    const { output } = part;
    if (output.type === 'execution-denied') return output.reason ?? '';
    if (output.type === 'content') return output.value.map((one) => (one.type === 'text' ? one.text : '')).join('\n');
    return typeof output.value === 'string' ? output.value : JSON.stringify(output.value);
  });
}
