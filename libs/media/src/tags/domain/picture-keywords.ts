import { folded, type JsonObject } from '@atrium/platform/kernel';
import { tagValueFault, tidiedText } from './tag-words';

/** A keyword of a picture; `root` is the widest word of the path it was found in. */
export interface PictureKeyword {
  readonly word: string;
  readonly root: string | null;
}

/** The keywords of a picture, each once, as far as they can be tags; where a path says what a word belongs to, that holds for the plain word too. */
export function pictureKeywords(metadata: JsonObject): PictureKeyword[] {
  const embedded = objectOf(objectOf(metadata.system).embedded);
  const found = new Map<string, PictureKeyword>();
  for (const word of textsOf(embedded.keywords)) add(found, word, null);
  for (const path of textsOf(embedded.keyword_paths)) {
    const words = path.split('|').map(tidiedText);
    const root = words.length > 1 ? (words[0] ?? null) : null;
    for (const word of words.slice(1, -1)) if (found.has(folded(word))) add(found, word, root);
    add(found, words.at(-1) ?? '', root);
  }
  return [...found.values()];
}

function add(found: Map<string, PictureKeyword>, written: string, root: string | null): void {
  const word = tidiedText(written);
  if (tagValueFault(word) === null) found.set(folded(word), { word, root });
}

const objectOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};

const textsOf = (value: unknown): string[] => (Array.isArray(value) ? value.filter((text) => typeof text === 'string') : []);
