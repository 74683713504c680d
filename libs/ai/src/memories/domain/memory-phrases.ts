import { withoutEnd } from '@atrium/platform/kernel';

/** Shorter sentences say much else. */
const SHORTEST = 8;

/** What of a memory an answer may have repeated: the text, and each of its sentences, the longest first. */
export function phrasesOf(text: string): string[] {
  const sentences = text.split(/(?<=[.!?;])\s+|\n+/u).map((sentence) => sentence.trim());
  const phrases = [text.trim(), ...sentences.flatMap((sentence) => [sentence, withoutEnd(sentence, /[.!?;]/)])];
  return [...new Set(phrases)].filter(({ length }) => length >= SHORTEST).sort((a, b) => b.length - a.length);
}
