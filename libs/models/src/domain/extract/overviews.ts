import type { ModelSource } from '../grounding';
import { byPlace, distinctRanked } from './candidates';
import { quotablesOf, type Quotable, type Quote } from './quotes';
import { isAboutThis, type SideRequest } from './wishes';
import type { Reader } from './words';

const MOST_SENTENCES = 5;
const MOST_FILES = 20;
/** Shorter sentences say little of a whole. */
const FEWEST_WORDS = 4;
const FOR_FIRST = 0.2;
const ENDING = /\.[a-z0-9]{1,5}$/i;

/** A file that mentions something, and the sentence that does. */
export interface Mention {
  readonly title: string;
  readonly quote: Quotable;
}

/** The files that have all words of what is asked about, each with its best sentence. */
export function mentionsOf({ about }: SideRequest, sources: readonly ModelSource[], reader: Reader): Mention[] {
  const stems = reader.stemsOf(about);
  if (stems.length === 0) return [];
  const quotables = quotablesOf(sources, reader);
  const found = new Map<string, Mention>();
  for (const [at, { title = '', text }] of sources.entries()) {
    const has = new Set(reader.stemsOf(text));
    if (title === '' || found.has(title) || !stems.every((stem) => has.has(stem))) continue;
    const [quote] = quotables
      .filter(({ place }) => place[0] === at)
      .map((one) => ({ one, count: stems.filter((stem) => one.stems.has(stem)).length }))
      .filter(({ count }) => count > 0)
      .sort((one, other) => other.count - one.count || byPlace(one.one, other.one))
      .map(({ one }) => one);
    if (quote) found.set(title, { title, quote });
  }
  return [...found.values()].slice(0, MOST_FILES);
}

/** Sentences that share most with the others of the document that is named, or of all that is said of a subject; in their order. */
export function summaryOf(wish: SideRequest, sources: readonly ModelSource[], reader: Reader): Quote[] {
  const about = among(quotablesOf(sources, reader), wish, sources, reader).filter(({ words }) => words >= FEWEST_WORDS);
  const within = new Map<string, number>();
  for (const { stems } of about) for (const stem of stems) within.set(stem, (within.get(stem) ?? 0) + 1);
  const scored = about.map((one): Quote => {
    const shared = [...one.stems].reduce((sum, stem) => sum + (within.get(stem) ?? 1) - 1, 0);
    return { ...one, score: shared / Math.sqrt(1 + one.stems.size) / about.length + (one.place[1] === 0 ? FOR_FIRST : 0) };
  });
  return distinctRanked(scored, MOST_SENTENCES).sort(byPlace);
}

/** What a summary is made of: what came with the message, the document of that name, or the sentences that have the words. */
function among(quotables: readonly Quotable[], wish: SideRequest, sources: readonly ModelSource[], reader: Reader): readonly Quotable[] {
  const given = quotables.filter(({ place }) => ['attachment', 'subject'].includes(sources[place[0]]?.kind ?? ''));
  if (isAboutThis(wish)) return given;
  const stems = reader.stemsOf(wish.about.replace(ENDING, ''));
  if (stems.length === 0) return given;
  const hasAll = (known: ReadonlySet<string>): boolean => stems.every((stem) => known.has(stem));
  const named = new Set(sources.flatMap(({ title = '' }, at) => (hasAll(new Set(reader.stemsOf(title.replace(ENDING, '')))) ? [at] : [])));
  const ofNamed = quotables.filter(({ place }) => named.has(place[0]));
  if (ofNamed.length > 0) return ofNamed;
  return quotables.filter(({ stems: own, near }) => hasAll(new Set([...own, ...near])));
}
