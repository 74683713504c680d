import type { LanguageModelV3CallOptions, LanguageModelV3Prompt, LanguageModelV3StreamPart } from '@ai-sdk/provider';
import { carriedInOptions, type CarriedThought } from '../domain/carried';

/** Gathers the signed thoughts of an answer of the Messages protocol, in their order. */
export class SignedThoughts {
  private readonly blocks = new Map<string, { text: string; signature: string; redacted: string | null }>();

  collectPart(part: LanguageModelV3StreamPart): void {
    if (part.type !== 'reasoning-start' && part.type !== 'reasoning-delta') return;
    const block = this.blocks.get(part.id) ?? { text: '', signature: '', redacted: null };
    const { signature, redactedData } = part.providerMetadata?.['anthropic'] ?? {};
    if (part.type === 'reasoning-delta') block.text += part.delta;
    if (typeof signature === 'string') block.signature += signature;
    if (typeof redactedData === 'string') block.redacted = redactedData;
    this.blocks.set(part.id, block);
  }

  /** Thoughts without a signature are not taken back. */
  get all(): readonly CarriedThought[] {
    return [...this.blocks.values()].flatMap(({ text, signature, redacted }): CarriedThought[] => {
      if (redacted !== null) return [{ redacted }];
      return signature === '' ? [] : [{ text, signature }];
    });
  }
}

/** Whether each step of the turn that called tools has its thoughts: only then may the model go on thinking. */
export function hasThoughts(prompt: LanguageModelV3Prompt, model_id: string): boolean {
  const since = prompt.slice(prompt.findLastIndex(({ role }) => role === 'user') + 1);
  return since.every(({ role, providerOptions }) => role !== 'assistant' || (thoughtsOf(providerOptions, model_id)?.length ?? 0) > 0);
}

/** The steps of the turn with their thoughts before them, while the model thinks; it takes none otherwise. */
export function withCarriedThoughts({ prompt, providerOptions }: LanguageModelV3CallOptions, model_id: string): LanguageModelV3Prompt {
  const thinks = (providerOptions?.['anthropic']?.['thinking'] as { readonly type?: string } | undefined)?.type !== 'disabled';
  return prompt.map((message) => {
    const thoughts = message.role === 'assistant' ? thoughtsOf(message.providerOptions, model_id) : undefined;
    if (message.role !== 'assistant' || !carriedInOptions(message.providerOptions)) return message;
    const { providerOptions: _, ...bare } = message;
    if (!thinks || !thoughts) return bare;
    const blocks = thoughts.map((thought) => ({
      type: 'reasoning' as const,
      text: 'redacted' in thought ? '' : thought.text,
      providerOptions: { anthropic: 'redacted' in thought ? { redactedData: thought.redacted } : { signature: thought.signature } },
    }));
    return { ...bare, content: [...blocks, ...message.content] };
  });
}

function thoughtsOf(options: LanguageModelV3CallOptions['providerOptions'], model_id: string): readonly CarriedThought[] | undefined {
  const carried = carriedInOptions(options);
  return carried?.by === model_id ? carried.thoughts : undefined;
}
