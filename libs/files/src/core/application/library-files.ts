import { Injectable } from '@nestjs/common';
import type { Principal } from '@atrium/platform/access';
import {
  Database,
  empty,
  filtersOf,
  join,
  listPage,
  raw,
  requireScope,
  sql,
  type ListOptions,
  type ListParameters,
  type Page,
  type Sql,
} from '@atrium/platform/database';
import { File } from '../domain/file';
import type { FileRow } from '../domain/file-row';
import { permitsAction } from './file-access';
import { ReadableFileRows } from '../infrastructure/readable-files.rows';
import { ShownFileRows, type LibraryFileRow } from '../infrastructure/shown-files.rows';
import { FileOwners } from './file-owners';
import { favoriteOf, LIVE } from './file-queries';

/** A library whose contents another context lists itself. */
export type Library = 'media' | 'docs';

/** What a list of a library adds to the rows of files: conditions on `r`, joins that never multiply, orders of its own. */
export interface LibraryList extends Pick<ListOptions, 'join' | 'orders' | 'ignore' | 'select'> {
  readonly where?: readonly Sql[];
}

/**
 * The files of a library for the context that organises it: it says which, this says how a row looks and that neither
 * trash nor, to those who may not edit, quarantined files are ever among them, nor any that the library's owner closes.
 */
@Injectable()
export class LibraryFiles {
  constructor(
    private readonly db: Database,
    private readonly owners: FileOwners,
    private readonly shown: ShownFileRows,
    private readonly readable: ReadableFileRows,
  ) {}

  /** Condition on `r` (a row of `file`): a file of the library that the caller may see. */
  visibleCondition(caller: Principal, library: Library): Sql {
    const quarantined = this.seesQuarantined(caller, library) ? [] : [sql`r.file_processing <> 'quarantined'`];
    const readable = this.owners.findOwner(library)?.readableCondition(caller, { type: library, id: null }) ?? sql`false`;
    const closed = readable === empty ? [] : [readable];
    return join([sql`r.tenant_id = ${requireScope().tenant_id} AND r.repo_key = ${library}`, LIVE, ...quarantined, ...closed], ' AND ');
  }

  /** One page, in one statement; the declared filters of files are applied as in `GET /files`. */
  listFiles<R extends object = FileRow>(
    caller: Principal,
    library: Library,
    query: ListParameters,
    { where = [], select, ...options }: LibraryList,
  ): Promise<Page<R>> {
    return listPage<R>(this.db.current(), File, query, {
      steady: where.length === 0,
      ...options,
      where: join([this.visibleCondition(caller, library), ...where], ' AND '),
      select: join([favoriteOf(caller), ...(select ? [select] : [])]),
    });
  }

  /** The ids of all that a list would show, as a query. */
  selectionQuery(caller: Principal, library: Library, query: ListParameters, list: LibraryList): Sql {
    const { from, where } = this.countClauses(caller, library, query, list);
    return sql`SELECT r.file_id FROM ${from} WHERE ${where}`;
  }

  /** The rows that a list would show, as FROM and WHERE clauses. */
  countClauses(
    caller: Principal,
    library: Library,
    query: ListParameters,
    { where = [], join: joined = empty, ignore = [] }: LibraryList,
  ): { readonly from: Sql; readonly where: Sql } {
    return {
      from: sql`file r ${joined}`,
      where: join([this.visibleCondition(caller, library), ...where, ...filtersOf(File, query, ignore)], ' AND '),
    };
  }

  /** Of all that a list without filters would show, how many were taken on each day (UTC), in rows of `day` and `files` that are to be added up: no file is looked at. */
  dayQuery(caller: Principal, library: 'media'): Sql {
    const counted = (table: string): Sql =>
      sql`SELECT fd_day AS day, fd_files AS files FROM ${raw(table)} WHERE tenant_id = ${requireScope().tenant_id} AND fd_repo = ${library}${this.seesQuarantined(caller, library) ? empty : sql` AND NOT fd_quarantined`}`;
    return sql`${counted('file_day')} UNION ALL ${counted('file_day_delta')}`;
  }

  /** Those of the ids that a query of ids answers. */
  filterChosen(chosen: Sql, ids: readonly string[]): Promise<Set<string>> {
    return ids.length === 0 ? Promise.resolve(new Set()) : this.readable.filterChosen(chosen, ids);
  }

  /** The files among the ids, in the order of the ids; what the caller may not see is left out. */
  async findVisible(caller: Principal, library: Library, ids: readonly string[], where: readonly Sql[] = []): Promise<LibraryFileRow[]> {
    if (ids.length === 0) return [];
    const rows = await this.shown.findLibraryFiles(ids, {
      where: join([this.visibleCondition(caller, library), ...where], ' AND '),
      favorite: favoriteOf(caller),
    });
    const byId = new Map(rows.map((row) => [row.file_id, row]));
    return ids.flatMap((id) => byId.get(id) ?? []);
  }

  private seesQuarantined(caller: Principal, library: Library): boolean {
    return permitsAction(caller, library, 'edit');
  }
}
