import { Injectable } from '@nestjs/common';
import type { LanguageModelV3, LanguageModelV3Prompt } from '@ai-sdk/provider';
import { Problem, type JsonObject } from '@atrium/platform/kernel';
import type { ModelAccess } from '../domain/model';
import { ModelRefusal } from '../domain/model-refusal';
import { ModelHttp } from './model-http';

/** A question with pictures, whose answer is to be JSON. */
export interface Question {
  readonly system: string;
  readonly text: string;
  readonly images: readonly { readonly bytes: Uint8Array; readonly type: string }[];
  readonly schema: JsonObject;
  readonly signal?: AbortSignal | undefined;
  readonly tries?: number | undefined;
}

export interface Reply {
  readonly text: string;
  readonly finish: 'stop' | 'length' | 'filter';
  readonly input_tokens: number;
  readonly output_tokens: number;
}

const MOST_OUTPUT_TOKENS = 8_000;

/** The chat protocol of OpenAI and of compatible providers. The protocol library is loaded with the first question. */
@Injectable()
export class ChatProtocol {
  constructor(private readonly http: ModelHttp) {}

  async ask(access: ModelAccess, { system, text, images, schema, signal, tries }: Question): Promise<Reply> {
    const model = await this.modelOf(access, { signal, tries });
    const prompt: LanguageModelV3Prompt = [
      { role: 'system', content: system },
      {
        role: 'user',
        content: [{ type: 'text', text }, ...images.map(({ bytes, type }) => ({ type: 'file' as const, data: bytes, mediaType: type }))],
      },
    ];
    const structured = access.model.model_capabilities.includes('json');
    const answering = model.doGenerate({
      prompt,
      temperature: 0,
      maxOutputTokens: access.model.model_max_output ?? MOST_OUTPUT_TOKENS,
      responseFormat: { type: 'json', ...(structured ? { schema, name: 'answer' } : {}) },
      ...(signal ? { abortSignal: signal } : {}),
    });
    const { content, finishReason, usage } = await Promise.resolve(answering).catch(unwrapped);
    return {
      text: content.map((part) => (part.type === 'text' ? part.text : '')).join(''),
      finish: finishReason.unified === 'content-filter' ? 'filter' : finishReason.unified === 'length' ? 'length' : 'stop',
      input_tokens: usage.inputTokens.total ?? 0,
      output_tokens: usage.outputTokens.total ?? 0,
    };
  }

  /** The model of the protocol library: one call at a time, with neither retries nor downloads of its own. */
  async modelOf(
    { model, name, base_url, key, headers }: ModelAccess,
    options: { readonly signal?: AbortSignal | undefined; readonly tries?: number | undefined } = {},
  ): Promise<LanguageModelV3> {
    const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
    const provider = createOpenAICompatible({
      name: model.model_provider,
      baseURL: base_url,
      ...(key === null ? {} : { apiKey: key }),
      headers: { ...headers },
      supportsStructuredOutputs: model.model_capabilities.includes('json'),
      fetch: this.http.fetch({ provider: model.model_provider, ...options }),
    });
    return provider.chatModel(name);
  }
}

/** The library wraps errors of its `fetch`; when it cannot read an answer itself, the answer cannot be used. */
function unwrapped(error: unknown): never {
  for (let at: unknown = error; at instanceof Error; at = at.cause) if (at instanceof Problem) throw at;
  if (error instanceof Error && error.name === 'AbortError') throw error;
  throw new ModelRefusal('unprocessable_content', 'The response of the model provider does not follow its protocol.');
}
