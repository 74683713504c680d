import { Injectable } from '@nestjs/common';
import type { Principal } from '@atrium/platform/access';
import { empty, sql } from '@atrium/platform/database';
import { normalized } from '@atrium/platform/kernel';
import { REPOSITORIES, type RepoType } from '../domain/repositories';
import { ReadableFileRows } from '../infrastructure/readable-files.rows';
import { ReadableFiles } from './readable-files';

/** What a person who searches is shown of a file. */
export interface FoundFile {
  readonly file_id: string;
  readonly file_name: string;
  readonly file_type: string;
}

const EVERY = Object.keys(REPOSITORIES) as RepoType[];

/** Files that contexts read on behalf of somebody: by words of their names, or by their ids. Within a unit of work. */
@Injectable()
export class FoundFiles {
  constructor(
    private readonly rows: ReadableFileRows,
    private readonly readable: ReadableFiles,
  ) {}

  /** The newest files of these kinds whose names have all the words and which the caller may read. */
  findByName(caller: Principal, types: readonly RepoType[], words: readonly string[], most: number): Promise<FoundFile[]> {
    return this.rows.findUsableFiles(
      sql`${this.readable.readableCondition(caller, types)} AND (SELECT coalesce(bool_and(strpos(dotless(lower(r.file_name)), dotless(lower(w))) > 0), true) FROM unnest(${words.map((word) => normalized(word, 'NFC'))}::text[]) w)
          ORDER BY r.file_id DESC LIMIT ${most}`,
    );
  }

  /** Of the ids those of files that the caller may read, of whatever repository. With `lock`, they stay until the unit of work ends. */
  async findReadable(
    caller: Principal,
    ids: readonly string[],
    { lock = false }: { readonly lock?: boolean } = {},
  ): Promise<ReadonlyMap<string, FoundFile>> {
    if (ids.length === 0) return new Map();
    const found = await this.rows.findUsableFiles(
      sql`r.file_id = ANY(${[...ids]}::uuid[]) AND ${this.readable.readableCondition(caller, EVERY)} ORDER BY r.file_id${lock ? sql` FOR KEY SHARE OF r` : empty}`,
    );
    return new Map(found.map((file) => [file.file_id, file]));
  }
}
