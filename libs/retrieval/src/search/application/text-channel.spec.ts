import { sql } from '@atrium/platform/database';
import type { SearchedSources, SearchRepository } from '../infrastructure/search.repository';
import type { StopWordsRepository } from '../infrastructure/stop-words.repository';
import { TextChannel } from './text-channel';

/** What is asked of the database for a search of so much, in a workspace where every word is frequent. */
async function askedFor(extent: Pick<SearchedSources, 'passages' | 'is_whole'>): Promise<readonly string[]> {
  const asked: string[] = [];
  const note = <T>(name: string, answer: T): Promise<T> => {
    asked.push(name);
    return Promise.resolve(answer);
  };
  const search = {
    findFrequencies: (lexemes: readonly string[]) => Promise.resolve(new Map(lexemes.map((lexeme) => [lexeme, 300_000]))),
    findAllPassages: () => note('all', []),
    findChosenPassages: () => note('chosen', []),
    findCandidates: () => note('candidates', { passages: [], seen: 0 }),
  };
  const channel = new TextChannel(
    search as unknown as SearchRepository,
    { filterStopWords: () => Promise.resolve([]) } as unknown as StopWordsRepository,
  );
  await channel.findPassages(
    'company report',
    { condition: sql`true`, scopes: ['ds:1'] },
    { sources: 9, languages: [], source_ids: null, ...extent },
    50,
  );
  return asked;
}

describe('a search by words', () => {
  it.each([
    ['few passages ranks them all', 400, true, 'all'],
    ['some thousand passages reads these, and not what the index has of frequent words', 15_000, true, 'chosen'],
    ['many passages asks the index', 100_001, true, 'candidates'],
    ['sources that were not all counted asks the index', 15_000, false, 'candidates'],
  ])('of %s', async (_, passages, is_whole, expected) => {
    expect(await askedFor({ passages, is_whole })).toEqual([expected]);
  });
});
