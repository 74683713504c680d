import { Injectable } from '@nestjs/common';
import type { Principal } from '@atrium/platform/access';
import { Database, join, requireScope, sql, type Sql } from '@atrium/platform/database';
import { invalidField } from '@atrium/platform/kernel';
import { LibraryFiles, SavedSearches, SearchLanguage } from '@atrium/files';
import type { MediaAnalysisSchema } from '../domain/analysis-schema';

/** Files that were named, or that a saved search finds. */
export interface Selected {
  readonly file_ids: readonly string[] | undefined;
  readonly saved_search: string | undefined;
}

/** Which files are analysed by a file job, and which are indexed by their meaning. Everything here runs within a unit of work. */
@Injectable()
export class AnalysisSelection {
  constructor(
    private readonly db: Database,
    private readonly library: LibraryFiles,
    private readonly language: SearchLanguage,
    private readonly searches: SavedSearches,
  ) {}

  /** Library files of the caller that were named or found, as a condition on `r`. */
  async selectFiles(caller: Principal, { file_ids, saved_search }: Selected): Promise<Sql> {
    const visible = this.library.visibleCondition(caller, 'media');
    if (saved_search === undefined) return sql`${visible} AND r.file_id = ANY(${[...(file_ids ?? [])]}::uuid[])`;
    const query =
      (await this.searches.findScope(saved_search)) === 'media'
        ? (await this.searches.findQueries([saved_search])).get(saved_search.toLowerCase())
        : undefined;
    if (!query) throw invalidField('saved_search', 'must be a saved search of the media library', 'reference');
    const { where } = await this.language.compileQuery({ scope: 'media', query, reader: caller });
    return join([visible, sql`(${where})`], ' AND ');
  }

  /** How many of them an analysis by the schema is for; with `onlyMissing` those alone that have none of this version. */
  async countFiles(
    chosen: Sql,
    { schema, onlyMissing }: { readonly schema: MediaAnalysisSchema; readonly onlyMissing: boolean },
  ): Promise<number> {
    const fitting = schema.mas_kinds.length === 0 ? sql`true` : sql`r.file_kind = ANY(${[...schema.mas_kinds]}::text[])`;
    const missing = onlyMissing
      ? sql`NOT EXISTS (SELECT FROM file_analysis a WHERE a.tenant_id = r.tenant_id AND a.fa_file = r.file_id AND a.fa_schema = ${schema.mas_id} AND a.fa_live AND a.fa_status IN ('completed', 'partial') AND a.fa_version = r.file_version AND a.fa_schema_version = ${schema.mas_version})`
      : sql`true`;
    const row = await this.db
      .current()
      .first<{ count: number }>(sql`SELECT count(*) FROM file r WHERE ${chosen} AND ${fitting} AND ${missing}`);
    return Number(row?.count ?? 0);
  }

  /** The next of them behind a file, in the order of ids. */
  async findNextFiles(last: string | null, most: number, chosen: Sql): Promise<string[]> {
    const rows = await this.db
      .current()
      .query<{ file_id: string }>(
        sql`SELECT r.file_id FROM file r WHERE r.tenant_id = ${requireScope().tenant_id} AND ${chosen} AND (${last}::uuid IS NULL OR r.file_id > ${last}::uuid) ORDER BY r.file_id LIMIT ${most}`,
      );
    return rows.map(({ file_id }) => file_id);
  }

  /** The next files of the library behind one of them, in the order of ids. */
  async findLibraryFiles(last: string | null, most: number): Promise<string[]> {
    const rows = await this.db.current().query<{ file_id: string }>(sql`
        SELECT file_id FROM file WHERE tenant_id = ${requireScope().tenant_id} AND repo_type = 'media' AND file_deleted IS NULL AND (${last}::uuid IS NULL OR file_id > ${last}::uuid) ORDER BY file_id LIMIT ${most}`);
    return rows.map(({ file_id }) => file_id);
  }

  /** Of named ids those that are no library files of the caller. */
  async findAbsent(caller: Principal, file_ids: readonly string[]): Promise<string[]> {
    const known = new Set((await this.library.findVisible(caller, 'media', file_ids)).map(({ file_id }) => file_id));
    return file_ids.filter((id) => !known.has(id));
  }
}
