import { Injectable } from '@nestjs/common';
import { columnsOf, Database, requireScope, sql, type Sql } from '@atrium/platform/database';
import { File } from '../domain/file';
import type { FileRow, OwnedRow } from '../domain/file-row';
import type { RepoType } from '../domain/repositories';

/** A file of a library, for the context that lists it. */
export type LibraryFileRow = FileRow & { readonly file_kind: string; readonly row_version: number };

/** Names that are looked for in repositories of these kinds. */
export interface NameLookup {
  readonly name: string;
  readonly types: readonly RepoType[];
  /** Candidates of each kind. */
  readonly most: number;
  readonly limit: number;
}

/** What depends on the caller: conditions on `r`, a row of `file`, and the column with their favorite. */
export interface ShownParts {
  readonly where: Sql;
  readonly favorite: Sql;
}

/** Files as answers show them. */
@Injectable()
export class ShownFileRows {
  constructor(private readonly db: Database) {}

  /** The live file; its metadata are an expression over `r`. */
  findLiveFile(
    id: string,
    { metadata, favorite }: { readonly metadata: Sql; readonly favorite: Sql },
  ): Promise<(FileRow & OwnedRow) | undefined> {
    return this.db.current().first<FileRow & OwnedRow>(sql`
      SELECT ${columnsOf(File, { file_metadata: metadata })}, r.row_version, r.repo_type, r.repo_id, ${favorite}
      FROM file r WHERE r.tenant_id = ${requireScope().tenant_id} AND r.file_id = ${id} AND r.file_deleted IS NULL`);
  }

  findFiles(ids: readonly string[], { where, favorite }: ShownParts): Promise<FileRow[]> {
    return this.db.current().query<FileRow>(sql`
      SELECT ${columnsOf(File)}, ${favorite}
      FROM file r WHERE r.tenant_id = ${requireScope().tenant_id} AND r.file_id = ANY(${[...ids]}::uuid[]) AND ${where}`);
  }

  /** Beginnings first, then substrings, then typing errors. */
  searchNames({ name, types, most, limit }: NameLookup, { where, favorite }: ShownParts): Promise<FileRow[]> {
    return this.db.current().query<FileRow>(sql`
      SELECT ${columnsOf(File)}, ${favorite}
      FROM unnest(${[...types]}::text[]) AS t (repo_type)
      CROSS JOIN LATERAL files_named_like(${name}, t.repo_type, ${most}) AS m
      JOIN file r ON r.tenant_id = ${requireScope().tenant_id} AND r.file_id = m.file_id
      WHERE ${where}
      ORDER BY m.rank DESC, r.file_name, r.file_id LIMIT ${limit}`);
  }

  /** The condition names workspace and library. */
  findLibraryFiles(ids: readonly string[], { where, favorite }: ShownParts): Promise<LibraryFileRow[]> {
    return this.db
      .current()
      .query<LibraryFileRow>(
        sql`SELECT ${columnsOf(File)}, r.file_kind, r.row_version, ${favorite} FROM file r WHERE ${where} AND r.file_id = ANY(${[...ids]}::uuid[])`,
      );
  }
}
