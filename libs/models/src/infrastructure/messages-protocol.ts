import { Injectable } from '@nestjs/common';
import type { LanguageModelV3 } from '@ai-sdk/provider';
import type { ModelAccess } from '../domain/model';
import { alternatingMessages } from './alternating';
import { AdaptedModel } from './asked-otherwise';
import { withCarriedThoughts } from './carried-thoughts';
import { secretsOf, type ProtocolOptions } from './chat-protocol';
import { ModelHttp } from './model-http';
import { withCalledTools } from './offered-again';
import { withThinking } from './reasoning';
import { LearnedParameters, placeOf } from './wire/learned-parameters';
import { wireFetch } from './wire/wire-fetch';

/** The Messages protocol of Anthropic. The protocol library is loaded with the first question. */
@Injectable()
export class MessagesProtocol {
  constructor(
    private readonly http: ModelHttp,
    private readonly learned: LearnedParameters,
  ) {}

  async openModel(access: ModelAccess, { streams = false, ...opening }: ProtocolOptions = {}): Promise<LanguageModelV3> {
    const { model, name, base_url, key, headers } = access;
    const { createAnthropic } = await import('@ai-sdk/anthropic');
    // The library would take what is not given here from the environment of the process.
    const provider = createAnthropic({
      baseURL: base_url,
      apiKey: key ?? '',
      headers: { ...headers },
      fetch: wireFetch(
        this.http.toFetch({ provider: model.model_provider, model: name, streams, ...opening }),
        {
          protocol: 'messages',
          provider: model.model_provider,
          model: name,
          place: placeOf(access),
          streams,
          secrets: secretsOf(access),
        },
        this.learned,
      ),
    });
    const reasons = model.model_capabilities.includes('reasoning');
    return new AdaptedModel(provider(name), (options) => {
      const asked = withThinking(withCalledTools(options), reasons, model.model_id);
      return { ...asked, prompt: alternatingMessages(withCarriedThoughts(asked, model.model_id)) };
    });
  }
}
