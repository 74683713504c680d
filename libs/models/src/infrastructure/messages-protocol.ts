import { Injectable } from '@nestjs/common';
import type { LanguageModelV3 } from '@ai-sdk/provider';
import type { ModelAccess } from '../domain/model';
import type { ProtocolOptions } from './chat-protocol';
import { AskedOtherwise } from './asked-otherwise';
import { ModelHttp } from './model-http';
import { withCalledTools } from './offered-again';
import { withThinking } from './reasoning';

/** The Messages protocol of Anthropic. The protocol library is loaded with the first question. */
@Injectable()
export class MessagesProtocol {
  constructor(private readonly http: ModelHttp) {}

  async modelOf({ model, name, base_url, key, headers }: ModelAccess, opening: ProtocolOptions = {}): Promise<LanguageModelV3> {
    const { createAnthropic } = await import('@ai-sdk/anthropic');
    // The library would take what is not given here from the environment of the process.
    const provider = createAnthropic({
      baseURL: base_url,
      apiKey: key ?? '',
      headers: { ...headers },
      fetch: this.http.fetch({ provider: model.model_provider, ...opening }),
    });
    const reasons = model.model_capabilities.includes('reasoning');
    return new AskedOtherwise(provider(name), (options) => withThinking(withCalledTools(options), reasons));
  }
}
