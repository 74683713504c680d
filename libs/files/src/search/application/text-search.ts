import { sql, type Sql } from '@atrium/platform/database';

/** Whether the words of a file match a web search text: quotes, `or` and `-` as people know them. */
export const textCondition = (text: string): Sql =>
  sql`EXISTS (SELECT FROM file_search_text s WHERE s.tenant_id = r.tenant_id AND s.file_id = r.file_id AND s.fst_words @@ websearch_to_tsquery('simple', dotless(${text}::text)))`;

export const textCandidates = (text: string, most: number): Sql => sql`SELECT files_with_words(${text}, ${most})`;
