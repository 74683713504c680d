import { LRUCache } from 'lru-cache';
import type { Stemming } from '../domain/lexemes';

/** Languages whose words have stems here, by ISO 639-1. */
const STEMMERS: Readonly<Record<string, string>> = {
  ar: 'arabic',
  ca: 'catalan',
  cs: 'czech',
  da: 'danish',
  de: 'german',
  en: 'english',
  es: 'spanish',
  eu: 'basque',
  fi: 'finnish',
  fr: 'french',
  ga: 'irish',
  hu: 'hungarian',
  hy: 'armenian',
  it: 'italian',
  nb: 'norwegian',
  nl: 'dutch',
  no: 'norwegian',
  pt: 'portuguese',
  ro: 'romanian',
  ru: 'russian',
  sl: 'slovene',
  sv: 'swedish',
  ta: 'tamil',
  tr: 'turkish',
};
const REMEMBERED = 20_000;

const known = new Map<string, Stemming>();

/** How the words of a language are brought to their stems; nothing for a language that is not known here. */
export async function stemmingOf(language: string | null): Promise<readonly Stemming[]> {
  const name = language === null ? undefined : STEMMERS[language];
  if (language === null || !name) return [];
  const ready = known.get(language);
  if (ready) return [ready];
  const { newStemmer } = await import('snowball-stemmers');
  const stemmer = newStemmer(name);
  const remembered = new LRUCache<string, string>({ max: REMEMBERED });
  const stem = (word: string): string => {
    const seen = remembered.get(word);
    if (seen !== undefined) return seen;
    const made = stemmer.stem(word);
    remembered.set(word, made);
    return made;
  };
  const stemming = { language, stem };
  known.set(language, stemming);
  return [stemming];
}
