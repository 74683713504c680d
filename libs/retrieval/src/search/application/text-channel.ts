import { Injectable } from '@nestjs/common';
import type { Sql } from '@atrium/platform/database';
import { folded } from '../../passages/domain/lexemes';
import { stemmingOf } from '../../passages/infrastructure/stemmers';
import { choiceOf, readChoiceOf, MOST_READ } from '../domain/choice';
import { readQuery, spelledWordsOf } from '../domain/query-words';
import { rankPassages, type Ranked, type RankedPassage } from '../domain/ranking';
import { SearchRepository, type SearchedSources, type TextCandidates } from '../infrastructure/search.repository';
import { StopWordsRepository } from '../infrastructure/stop-words.repository';

/** Passages that are fetched to be ranked, for each that is wanted. */
const FETCHED = 4;
const FETCHED_AT_LEAST = 200;
/** Where rights leave too few, so many times more are fetched. */
const ONCE_MORE = 10;
/** So few passages are all ranked. */
const ALL_RANKED = 400;
const MOST_LANGUAGES = 8;

/** Where so few passages are searched, they are read themselves, and not what the index has of a word in the whole workspace. */
const isNarrow = ({ passages, is_whole }: SearchedSources): boolean => is_whole && passages <= MOST_READ;

/** Finds passages by their words: the index says which have any, and they are ranked here by how much they say. */
@Injectable()
export class TextChannel {
  constructor(
    private readonly search: SearchRepository,
    private readonly stopWords: StopWordsRepository,
  ) {}

  /** The best so many; within a unit of work. */
  async findPassages(
    text: string,
    open: { readonly condition: Sql; readonly scopes: readonly string[] },
    extent: SearchedSources,
    depth: number,
  ): Promise<Ranked[]> {
    const languages = extent.languages.slice(0, MOST_LANGUAGES);
    const stemmings = (await Promise.all(languages.map((language) => stemmingOf(language)))).flat();
    const silent = new Set([...(await this.stopWords.filterStopWords(spelledWordsOf(text), languages))].map(folded));
    const query = readQuery(text, stemmings, (word) => silent.has(word));
    const lexemes = [...new Set(query.words.flatMap(({ forms }) => forms.map(({ lexeme }) => lexeme)))];
    if (lexemes.length === 0) return [];
    const frequencies = await this.search.findFrequencies(lexemes);
    const choice = choiceOf(query, { passages: extent.passages, isNarrow: isNarrow(extent) }, frequencies);
    if (choice === null) return [];
    const found = await this.found(
      { ...choice, lexemes, scopes: open.scopes, source_ids: extent.source_ids },
      open.condition,
      extent,
      depth,
    );
    return rankPassages(query.words, found, { passages: extent.passages, frequencies }).slice(0, depth);
  }

  private async found(
    wanted: Omit<TextCandidates, 'most'>,
    open: Sql,
    extent: SearchedSources,
    depth: number,
  ): Promise<readonly RankedPassage[]> {
    if (extent.passages <= ALL_RANKED) return this.search.findAllPassages(open, wanted);
    const most = Math.max(FETCHED * depth, FETCHED_AT_LEAST);
    if (isNarrow(extent)) return this.search.findChosenPassages(open, readChoiceOf(wanted), wanted.lexemes, most);
    const found = await this.search.findCandidates(open, { ...wanted, most });
    if (found.passages.length >= depth || found.seen < most) return found.passages;
    return (await this.search.findCandidates(open, { ...wanted, most: most * ONCE_MORE })).passages;
  }
}
