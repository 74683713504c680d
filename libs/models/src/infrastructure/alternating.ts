import type { LanguageModelV3Message, LanguageModelV3Prompt } from '@ai-sdk/provider';

/**
 * Messages of which no two of one role follow each other, as templates of many models demand: questions that got no answer are joined
 * with the next one. Texts that are side by side in a question are one text, since some servers read no lists.
 */
export function alternatingMessages(prompt: LanguageModelV3Prompt): LanguageModelV3Prompt {
  const joined: LanguageModelV3Message[] = [];
  for (const message of prompt) {
    const before = joined.at(-1);
    const both = before && joinedOf(before, message);
    if (both) joined.splice(-1, 1, both);
    else joined.push(message);
  }
  return joined.map((message) => (message.role === 'user' ? { ...message, content: inOneText(message.content) } : message));
}

function joinedOf(before: LanguageModelV3Message, message: LanguageModelV3Message): LanguageModelV3Message | null {
  if (before.role === 'user' && message.role === 'user') return { ...before, content: [...before.content, ...message.content] };
  if (before.role !== 'assistant' || message.role !== 'assistant') return null;
  // What came with a step goes back with it alone.
  if (before.providerOptions || message.providerOptions) return null;
  const [last, ...rest] = [before.content.at(-1), ...message.content];
  const [next, ...others] = rest;
  if (last?.type === 'text' && next?.type === 'text')
    return { ...before, content: [...before.content.slice(0, -1), { type: 'text', text: `${last.text}\n\n${next.text}` }, ...others] };
  return { ...before, content: [...before.content, ...rest] };
}

type UserContent = Extract<LanguageModelV3Message, { role: 'user' }>['content'];

function inOneText(content: UserContent): UserContent {
  const parts: UserContent = [];
  for (const part of content) {
    const before = parts.at(-1);
    if (part.type === 'text' && before?.type === 'text') parts.splice(-1, 1, { ...before, text: `${before.text}\n\n${part.text}` });
    else parts.push(part);
  }
  return parts;
}
