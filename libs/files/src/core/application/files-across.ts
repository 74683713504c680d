import { Injectable } from '@nestjs/common';
import type { Principal } from '@atrium/platform/access';
import { Database, join, listPage, sql, type ListParameters, type Page, type Sql } from '@atrium/platform/database';
import { File } from '../domain/file';
import type { RepoType } from '../domain/repositories';
import { permitsAction } from './file-access';
import type { FileRow } from '../domain/file-row';
import { favoriteOf, LIVE } from './file-queries';
import type { LibraryList } from './library-files';
import { ReadableFiles } from './readable-files';

/** Lists of files of several repositories, for contexts that show them together. */
@Injectable()
export class FilesAcross {
  constructor(
    private readonly db: Database,
    private readonly readable: ReadableFiles,
  ) {}

  /** One page of the files of these kinds that the caller may read; quarantined ones are shown to those who may edit them. */
  listFiles<R extends object = FileRow>(
    caller: Principal,
    types: readonly RepoType[],
    query: ListParameters,
    { where = [], select, ...options }: LibraryList,
  ): Promise<Page<R>> {
    return listPage<R>(this.db.current(), File, query, {
      ...options,
      where: join(
        [LIVE, this.readable.readableCondition(caller, types), ...types.map((type) => unlessQuarantined(caller, type)), ...where],
        ' AND ',
      ),
      select: join([favoriteOf(caller), ...(select ? [select] : [])]),
    });
  }
}

function unlessQuarantined(caller: Principal, type: RepoType): Sql {
  return permitsAction(caller, type, 'edit') ? sql`true` : sql`(r.repo_type <> ${type} OR r.file_processing <> 'quarantined')`;
}
