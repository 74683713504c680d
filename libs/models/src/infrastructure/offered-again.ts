import type { LanguageModelV3, LanguageModelV3CallOptions, LanguageModelV3FunctionTool, LanguageModelV3Prompt } from '@ai-sdk/provider';

/**
 * A model of a protocol that refuses earlier calls of tools where no tools are offered. The tools that were called are named again,
 * and the model is not to call them.
 */
export class OfferedAgain implements LanguageModelV3 {
  readonly specificationVersion = 'v3';
  readonly provider: string;
  readonly modelId: string;

  constructor(private readonly model: LanguageModelV3) {
    this.provider = model.provider;
    this.modelId = model.modelId;
  }

  get supportedUrls(): LanguageModelV3['supportedUrls'] {
    return this.model.supportedUrls;
  }

  doGenerate(options: LanguageModelV3CallOptions): ReturnType<LanguageModelV3['doGenerate']> {
    return this.model.doGenerate(withCalledTools(options));
  }

  doStream(options: LanguageModelV3CallOptions): ReturnType<LanguageModelV3['doStream']> {
    return this.model.doStream(withCalledTools(options));
  }
}

function withCalledTools(options: LanguageModelV3CallOptions): LanguageModelV3CallOptions {
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
