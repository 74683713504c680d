import { Injectable } from '@nestjs/common';
import type { LanguageModelV3 } from '@ai-sdk/provider';
import type { JsonObject } from '@atrium/platform/kernel';
import type { ModelAccess } from '../domain/model';
import { secretsInAddress } from '../domain/provider-words';
import type { TextModelOptions } from '../domain/text-model';
import { alternatingMessages } from './alternating';
import { AdaptedModel } from './asked-otherwise';
import { chatCarried, withCarriedMessages } from './carried-messages';
import { ModelCache } from './model-cache';
import { ModelHttp } from './model-http';
import { withEffort } from './reasoning';
import { LearnedParameters, placeOf } from './wire/learned-parameters';
import { wireFetch } from './wire/wire-fetch';

/** How the model of a protocol library is opened. */
export interface ProtocolOptions extends TextModelOptions {
  /** Whether answers are read while they arrive. */
  readonly streams?: boolean;
}

/** The chat protocol of OpenAI and of compatible providers. The protocol library is loaded with the first question. */
@Injectable()
export class ChatProtocol {
  private readonly kept = new ModelCache();

  constructor(
    private readonly http: ModelHttp,
    private readonly learned: LearnedParameters,
  ) {}

  /** The model of the protocol library: one call at a time, with neither retries nor downloads of its own. */
  async openModel(access: ModelAccess, { streams = false, ...opening }: ProtocolOptions = {}): Promise<LanguageModelV3> {
    const { model, name, base_url, key, headers } = access;
    const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
    const library = this.kept.modelFor(access, (send) =>
      createOpenAICompatible({
        name: model.model_provider,
        baseURL: base_url,
        ...(key === null ? {} : { apiKey: key }),
        headers: { ...headers },
        includeUsage: true,
        supportsStructuredOutputs: model.model_capabilities.includes('json'),
        metadataExtractor: chatCarried,
        fetch: send,
      }).chatModel(name),
    );
    const send = wireFetch(
      this.http.toFetch({ provider: model.model_provider, model: name, streams, ...opening }),
      {
        protocol: 'chat',
        provider: model.model_provider,
        model: name,
        place: placeOf(access),
        streams,
        secrets: secretsOf(access),
        ...(speaksOfCompletion(access) ? { prepare: withCompletionTokens } : {}),
      },
      this.learned,
    );
    const reasons = model.model_capabilities.includes('reasoning');
    return new AdaptedModel(
      library,
      (options) => withEffort({ ...options, prompt: alternatingMessages(withCarriedMessages(options.prompt, model.model_id)) }, reasons),
      (question) => this.kept.askWith(send, question),
    );
  }
}

/** What no reason of a provider may repeat. */
export const secretsOf = ({ key, headers, base_url }: Pick<ModelAccess, 'key' | 'headers' | 'base_url'>): readonly string[] => [
  ...(key === null ? [] : [key]),
  ...Object.values(headers),
  ...secretsInAddress(base_url),
];

/** OpenAI's models that reason, under whichever address; what else does not take the old name is learned from its refusal. */
const REASONS = /(?:^|[/.])(?:o[1-9]|gpt-[5-9])(?:$|[^a-z0-9])/;

const speaksOfCompletion = ({ dialect, name }: ModelAccess): boolean => dialect === 'openai' || REASONS.test(name.toLowerCase());

/** The length of an answer by the name that OpenAI has given it since its models reason; the old one is refused by them. */
function withCompletionTokens(body: JsonObject): JsonObject {
  const { max_tokens, ...rest } = body;
  return max_tokens === undefined ? body : { ...rest, max_completion_tokens: max_tokens };
}
