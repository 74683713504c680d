import { Injectable } from '@nestjs/common';
import { Database, requireScope, sql, type Sql } from '@atrium/platform/database';

/** Words of a file that a context keeps for the search: names of its tags, what an analysis said, text that was extracted. */
export type SearchTextKind = 'tags' | 'analysis' | 'content';

export interface FileWords {
  readonly file_id: string;
  readonly words: string;
}

const COLUMNS: Readonly<Record<SearchTextKind, Sql>> = { tags: sql`fst_tags`, analysis: sql`fst_analysis`, content: sql`fst_content` };
/** Characters that are looked at, per kind; the columns repeat it. */
const MOST: Readonly<Record<SearchTextKind, number>> = { tags: 10_000, analysis: 20_000, content: 60_000 };

/**
 * The words by which `text` finds files, besides name and summary, which follow the file automatically. The owner of tags,
 * analyses or extracted text puts all its words of a file here in the transaction that changes them; they are deleted with the
 * file. What is beyond the bounds is cut off.
 */
@Injectable()
export class FileSearchText {
  constructor(private readonly db: Database) {}

  /** Replaces the words of one kind, in one statement for many files; files that are not there are passed over. */
  async replaceWords(kind: SearchTextKind, files: readonly FileWords[]): Promise<void> {
    if (files.length === 0) return;
    const column = COLUMNS[kind];
    await this.db.current().execute(sql`
      UPDATE file_search_text s SET ${column} = w.words
      FROM unnest(${files.map(({ file_id }) => file_id)}::uuid[], ${files.map(({ words }) => storable(words, MOST[kind]))}::text[]) AS w (file_id, words)
      WHERE s.tenant_id = ${requireScope().tenant_id} AND s.file_id = w.file_id AND s.${column} IS DISTINCT FROM w.words`);
  }

  /**
   * Replaces the words of one kind by what an expression over the id of each file says, in one statement, so that none is overwritten
   * that was written in the meantime. `files` is a query of `file_id`; answers the ids, in order.
   */
  async renewWords(kind: SearchTextKind, files: Sql, words: (file_id: Sql) => Sql): Promise<string[]> {
    const rows = await this.db.current().query<{ file_id: string }>(sql`
      WITH meant AS MATERIALIZED (${files}),
      renewed AS (
        UPDATE file_search_text s SET ${COLUMNS[kind]} = ${words(sql`s.file_id`)} FROM meant m WHERE s.tenant_id = ${requireScope().tenant_id}::uuid AND s.file_id = m.file_id)
      SELECT file_id FROM meant ORDER BY file_id`);
    return rows.map(({ file_id }) => file_id);
  }
}

const storable = (words: string, most: number): string => words.slice(0, most).replace(/\0|[\ud800-\udbff]$/g, ' ');
