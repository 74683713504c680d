import { Injectable } from '@nestjs/common';
import { Database, sql } from '@atrium/platform/database';

/** Dictionaries of the database that have stop words, by language. */
const DICTIONARIES: Readonly<Record<string, string>> = {
  da: 'danish_stem',
  de: 'german_stem',
  en: 'english_stem',
  es: 'spanish_stem',
  fi: 'finnish_stem',
  fr: 'french_stem',
  hu: 'hungarian_stem',
  it: 'italian_stem',
  nb: 'norwegian_stem',
  ne: 'nepali_stem',
  nl: 'dutch_stem',
  no: 'norwegian_stem',
  pt: 'portuguese_stem',
  ru: 'russian_stem',
  sv: 'swedish_stem',
  tr: 'turkish_stem',
};

/** Words that stand in every text of a language, as the database's dictionaries know them. */
@Injectable()
export class StopWordsRepository {
  constructor(private readonly db: Database) {}

  /** Of the words those that say nothing in the language they most likely are of: the one of which they have most such words. */
  async filterStopWords(words: readonly string[], languages: readonly string[]): Promise<ReadonlySet<string>> {
    const dictionaries = languages.flatMap((language) => DICTIONARIES[language] ?? []);
    if (words.length === 0 || dictionaries.length === 0) return new Set();
    const rows = await this.db.current().query<{ words: string[] }>(sql`
      SELECT array_agg(w.word) AS words FROM unnest(${dictionaries}::text[]) AS d (name) CROSS JOIN unnest(${[...words]}::text[]) AS w (word)
      WHERE ts_lexize(d.name::regdictionary, w.word) = '{}' GROUP BY d.name ORDER BY count(*) DESC, d.name LIMIT 1`);
    return new Set(rows[0]?.words ?? []);
  }
}
