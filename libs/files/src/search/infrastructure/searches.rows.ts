import { Injectable } from '@nestjs/common';
import { Database, join, sql, type Sql } from '@atrium/platform/database';

/** Conditions on `r`, a row of `file`: what a reader sees of a library, and what a query asks for. */
export interface SearchedFiles {
  readonly visible: Sql;
  readonly where: Sql;
}

/** What queries of the search language find; each of the statements is one for however many queries. */
@Injectable()
export class SearchRows {
  constructor(private readonly db: Database) {}

  /** Which of the conditions are true of a file; nothing if it is not visible. */
  async findMatches(file_id: string, visible: Sql, conditions: readonly Sql[]): Promise<readonly boolean[] | undefined> {
    const matches =
      conditions.length === 0 ? sql`'{}'::boolean[]` : sql`ARRAY[${join(conditions.map((where) => sql`(${where}) IS TRUE`))}]`;
    const row = await this.db
      .current()
      .first<{ matched: boolean[] }>(sql`SELECT ${matches} AS matched FROM file r WHERE ${visible} AND r.file_id = ${file_id}::uuid`);
    return row?.matched;
  }

  /** The newest so many are counted: the order keeps PostgreSQL to the index of the workspace's files where many match. */
  async countMatches(searches: readonly SearchedFiles[], most: number): Promise<readonly number[]> {
    const each = searches.map(
      ({ visible, where }) =>
        sql`(SELECT count(*) FROM (SELECT FROM file r WHERE ${visible} AND (${where}) ORDER BY r.file_created DESC, r.file_id DESC LIMIT ${most}) x)`,
    );
    const row = await this.db.current().first<{ counts: number[] }>(sql`SELECT ARRAY[${join(each)}]::integer[] AS counts`);
    return row?.counts ?? [];
  }

  /** The values of expressions of moments. */
  async readInstants(moments: readonly Sql[]): Promise<readonly string[]> {
    const row = await this.db.current().first<{ instants: string[] }>(sql`SELECT to_json(ARRAY[${join([...moments])}]) AS instants`);
    return row?.instants ?? [];
  }

  /** The ids that each of the queries answers. */
  async findCandidates(queries: readonly Sql[]): Promise<readonly (readonly string[])[]> {
    const row = await this.db
      .current()
      .first<{ found: string[][] }>(sql`SELECT ARRAY[${join(queries.map((ids) => sql`to_json(ARRAY(${ids}))`))}] AS found`);
    return row?.found ?? [];
  }
}
