import { withoutEnd, type JsonObject } from '@atrium/platform/kernel';
import { hashOf, saysAll } from './memory';

/** Tools that write memories down and forget them. */
export const MEMORY_CALLS = ['remember', 'forget'] as const;

/** Shorter sentences say much else. */
const SHORTEST = 8;

/** What of a memory any answer may have repeated: the text, and each of its sentences, the longest first. */
export function phrasesOf(text: string): string[] {
  const sentences = text.split(/(?<=[.!?;])\s+|\n+/u).map((sentence) => sentence.trim());
  const phrases = [text.trim(), ...sentences.flatMap((sentence) => [sentence, withoutEnd(sentence, /[.!?;]/)])];
  return [...new Set(phrases)].filter(({ length }) => length >= SHORTEST).sort((a, b) => b.length - a.length);
}

/** A memory so short that it means much else: an answer that rests on memories may have repeated it as a word of its own. */
export function shortTextOf(text: string): string[] {
  const whole = text.trim();
  return [whole, withoutEnd(whole, /[.!?;]/)].filter((word) => word.length < SHORTEST && /[\p{L}\p{N}]/u.test(word));
}

/** Whether a call of `remember` or `forget` says what a memory said: it wrote the text down, or its words are those of the text. */
export function saysForgotten(text: string, tool: string, { value, query }: JsonObject): boolean {
  if (tool === 'remember') return typeof value === 'string' && hashOf(value) === hashOf(text);
  return typeof query === 'string' && saysAll(text, query);
}
