import { Injectable, type OnModuleInit } from '@nestjs/common';
import { FileOwners, type FileAction, type FileOwner, type FileRefusal, type Repository } from '@atrium/files';
import { ClosedAlbums } from '@atrium/media';
import type { AclLevel, Principal } from '@atrium/platform/access';
import { sql, type Sql } from '@atrium/platform/database';

const LEVELS: Readonly<Record<FileAction, AclLevel>> = { view: 'view', download: 'view', upload: 'edit', edit: 'edit', delete: 'edit' };

/**
 * Who may do what with one document, beside the permissions: filing it in a folder that is closed to somebody closes it to
 * them, wherever else it is filed. The one rule of every route that answers or changes a document, and of lists and searches.
 */
@Injectable()
export class DocumentAccess implements FileOwner, OnModuleInit {
  readonly type = 'docs' as const;

  constructor(
    private readonly owners: FileOwners,
    private readonly folders: ClosedAlbums,
  ) {}

  onModuleInit(): void {
    this.owners.register(this);
  }

  /** The library is always there. */
  hasOwner(): Promise<boolean> {
    return Promise.resolve(true);
  }

  /** The permissions decide about the library, its folders about single documents. */
  assertAccess(): Promise<void> {
    return Promise.resolve();
  }

  readableCondition(caller: Principal, _repository: Repository, action: FileAction = 'view'): Sql {
    return this.folders.openCondition(caller, 'docs', LEVELS[action]);
  }

  /** Condition on `r`: the reader may read the document; nobody (null) reads what is in no folder with an access list. */
  readerCondition(reader: Principal | null): Sql {
    return reader ? this.folders.openCondition(reader, 'docs', 'view') : sql`(${this.folders.openToAll('docs')})`;
  }

  async findRefusals(caller: Principal, file_ids: readonly string[], action: FileAction): Promise<ReadonlyMap<string, FileRefusal>> {
    const hidden = await this.folders.findClosedFiles(caller, 'docs', 'view', file_ids);
    const kept =
      LEVELS[action] === 'view' ? new Set<string>() : await this.folders.findClosedFiles(caller, 'docs', LEVELS[action], file_ids);
    return new Map([...[...kept].map((id) => [id, 'permission_denied'] as const), ...[...hidden].map((id) => [id, 'not_found'] as const)]);
  }
}
