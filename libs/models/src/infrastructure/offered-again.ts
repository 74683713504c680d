import type { LanguageModelV3CallOptions, LanguageModelV3FunctionTool, LanguageModelV3Prompt } from '@ai-sdk/provider';

/**
 * For a protocol that refuses earlier calls of tools where no tools are offered: the tools that were called are named again, and the
 * model is not to call them.
 */
export function withCalledTools(options: LanguageModelV3CallOptions): LanguageModelV3CallOptions {
  if (options.tools && options.tools.length > 0) return options;
  const tools = calledIn(options.prompt);
  return tools.length === 0 ? options : { ...options, tools, toolChoice: { type: 'none' } };
}

const calledIn = (prompt: LanguageModelV3Prompt): LanguageModelV3FunctionTool[] =>
  [
    ...new Set(
      prompt.flatMap(({ role, content }) =>
        role === 'assistant' ? content.flatMap((part) => (part.type === 'tool-call' ? [part.toolName] : [])) : [],
      ),
    ),
  ].map((name) => ({ type: 'function', name, inputSchema: { type: 'object' } }));
