import { Injectable } from '@nestjs/common';
import type { LanguageModelV3 } from '@ai-sdk/provider';
import type { ModelAccess } from '../domain/model';
import type { TextModelOptions } from '../domain/text-model';
import { AskedOtherwise } from './asked-otherwise';
import { ModelHttp } from './model-http';
import { withEffort } from './reasoning';

/** How the model of a protocol library is opened. */
export interface ProtocolOptions extends TextModelOptions {
  /** Whether answers are read while they arrive. */
  readonly streams?: boolean;
}

/** The chat protocol of OpenAI and of compatible providers. The protocol library is loaded with the first question. */
@Injectable()
export class ChatProtocol {
  constructor(private readonly http: ModelHttp) {}

  /** The model of the protocol library: one call at a time, with neither retries nor downloads of its own. */
  async modelOf({ model, name, base_url, key, headers }: ModelAccess, opening: ProtocolOptions = {}): Promise<LanguageModelV3> {
    const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
    const provider = createOpenAICompatible({
      name: model.model_provider,
      baseURL: base_url,
      ...(key === null ? {} : { apiKey: key }),
      headers: { ...headers },
      includeUsage: true,
      supportsStructuredOutputs: model.model_capabilities.includes('json'),
      fetch: this.http.fetch({ provider: model.model_provider, ...opening }),
    });
    const reasons = model.model_capabilities.includes('reasoning');
    return new AskedOtherwise(provider.chatModel(name), (options) => withEffort(options, reasons));
  }
}
