import { Injectable } from '@nestjs/common';
import type { Sql } from '@atrium/platform/database';
import { folded } from '../../passages/domain/lexemes';
import { stemmingOf } from '../../passages/infrastructure/stemmers';
import { readQuery, spelledWordsOf, type QueryWord } from '../domain/query-words';
import { rankPassages, type Ranked } from '../domain/ranking';
import { conditionOf, type Frequencies } from '../domain/text-condition';
import { SearchRepository, type SearchedSources } from '../infrastructure/search.repository';
import { StopWordsRepository } from '../infrastructure/stop-words.repository';

/** Passages that are fetched to be ranked, for each that is wanted. */
const FETCHED = 4;
const FETCHED_AT_LEAST = 200;
/** Where rights leave too few, so many times more are fetched. */
const ONCE_MORE = 10;
const MOST_LANGUAGES = 8;

/** Finds passages by their words: the index says which have any, and they are ranked here by how much they say. */
@Injectable()
export class TextChannel {
  constructor(
    private readonly search: SearchRepository,
    private readonly stopWords: StopWordsRepository,
  ) {}

  /** The best so many; within a unit of work. */
  async find(
    text: string,
    open: { readonly condition: Sql; readonly scopes: readonly string[] },
    extent: SearchedSources,
    depth: number,
  ): Promise<Ranked[]> {
    const languages = extent.languages.slice(0, MOST_LANGUAGES);
    const stemmings = (await Promise.all(languages.map((language) => stemmingOf(language)))).flat();
    const silent = new Set([...(await this.stopWords.among(spelledWordsOf(text), languages))].map(folded));
    const query = readQuery(text, stemmings, (word) => silent.has(word));
    const lexemes = [...new Set(query.words.flatMap(({ forms }) => forms.map(({ lexeme }) => lexeme)))];
    if (lexemes.length === 0) return [];
    const frequencies = await this.search.frequencies(lexemes);
    const condition = conditionOf(query, frequencies);
    if (condition === null) return [];
    const collection = { passages: extent.passages, frequencies };
    const standing = weightsOf(query.words, collection.passages, frequencies);
    const wanted = { condition, lexemes: [...standing.keys()], weights: [...standing.values()], scopes: open.scopes };
    const most = Math.max(FETCHED * depth, FETCHED_AT_LEAST);
    let found = await this.search.candidates(open.condition, { ...wanted, most });
    if (found.passages.length < depth && found.seen === most)
      found = await this.search.candidates(open.condition, { ...wanted, most: most * ONCE_MORE });
    return rankPassages(query.words, found.passages, collection).slice(0, depth);
  }
}

/** What each lexeme that stands anywhere adds when passages are chosen: by how rare it is. */
function weightsOf(words: readonly QueryWord[], passages: number, frequencies: Frequencies): Map<string, number> {
  const weights = new Map<string, number>();
  const most = Math.max(passages, ...frequencies.values());
  for (const { forms } of words)
    for (const { lexeme, weight } of forms) {
      const found = frequencies.get(lexeme);
      if (found !== undefined)
        weights.set(lexeme, (weights.get(lexeme) ?? 0) + weight * Math.log(1 + (most - found + 0.5) / (found + 0.5)));
    }
  return weights;
}
