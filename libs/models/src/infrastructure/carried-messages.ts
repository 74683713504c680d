import type { LanguageModelV3Prompt, SharedV3ProviderMetadata } from '@ai-sdk/provider';
import type { JsonObject, JsonValue } from '@atrium/platform/kernel';
import { carriedInOptions } from '../domain/carried';
import { CARRIED } from './wire/chat-events';
import { objectOf } from './wire/loose-json';

/** Where the end of an answer says what goes back with it. */
const METADATA = 'atrium';

/** Hands what the wire found on from the library to `sentBack`. */
export const chatCarried = {
  extractMetadata: () => Promise.resolve(undefined),
  createStreamExtractor: () => {
    let found: JsonValue | undefined;
    return {
      processChunk: (chunk: unknown): void => {
        found = objectOf(chunk)?.[CARRIED] ?? found;
      },
      buildMetadata: (): SharedV3ProviderMetadata | undefined =>
        found === undefined ? undefined : { [METADATA]: { carried: found as never } },
    };
  },
};

/** What came with an answer of Chat Completions: members of its message, and of its calls by their ids. */
export function sentBack(metadata: SharedV3ProviderMetadata | undefined): { readonly message: JsonObject; readonly calls: JsonObject } {
  const found = objectOf(metadata?.[METADATA]?.['carried']);
  return { message: objectOf(found?.['message']) ?? {}, calls: objectOf(found?.['calls']) ?? {} };
}

/** Steps with what their model sent along: their calls with what came with them, and their message, where it has calls. */
export function withCarriedMessages(prompt: LanguageModelV3Prompt, model_id: string): LanguageModelV3Prompt {
  return prompt.map((message) => {
    const carried = message.role === 'assistant' ? carriedInOptions(message.providerOptions) : null;
    if (message.role !== 'assistant' || !carried) return message;
    const { providerOptions: _, ...bare } = message;
    if (carried.by !== model_id) return bare;
    let nth = 0;
    const content = message.content.map((part) => {
      const extra = part.type === 'tool-call' ? carried.calls?.[nth++] : undefined;
      return part.type === 'tool-call' && extra
        ? { ...part, providerOptions: { openaiCompatible: { extra_content: extra as never } } }
        : part;
    });
    // Thoughts belong to the calls that they led to; with an answer that made none, some providers refuse them.
    const { extra_content, ...thoughts } = carried.message ?? {};
    const members = { ...(nth > 0 ? thoughts : {}), ...(extra_content === undefined ? {} : { extra_content }) };
    return { ...bare, content, ...(Object.keys(members).length > 0 ? { providerOptions: { openaiCompatible: members as never } } : {}) };
  });
}
