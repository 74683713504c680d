import { Injectable } from '@nestjs/common';
import type { Principal } from '@atrium/platform/access';
import { empty, type Sql } from '@atrium/platform/database';
import type { FileAction, RepoType, Repository } from '../domain/repositories';

/** Port for the contexts whose objects own files (threads, knowledge bases, designs, …): each registers one at start. */
export interface FileOwner {
  readonly type: RepoType;
  /** Whether the owning row exists; called within the unit of work. */
  hasOwner(repository: Repository): Promise<boolean>;
  /** Throws `not_found` or `permission_denied` when the owner's own ACL says so. */
  assertAccess(caller: Principal, repository: Repository, action: FileAction): Promise<void>;
  /** Condition on `r` that leaves out of lists the files that the caller may not act on, because of their owner or of themselves. */
  readableCondition(caller: Principal, repository: Repository, action?: FileAction): Sql;
  /**
   * For owners that decide file by file: of these files of the kind, in the trash too, those that the caller may not act on
   * although their repository allows it. What cannot be read is `not_found`. Within the unit of work.
   */
  findRefusals?(caller: Principal, file_ids: readonly string[], action: FileAction): Promise<ReadonlyMap<string, FileRefusal>>;
}

/** Why a caller may not act on one file of a repository that is open to them. */
export type FileRefusal = 'not_found' | 'permission_denied';

/** Libraries whose files everybody reads who reads the library. */
export const UNGUARDED = ['media', 'generated'] as const;

const unrestricted = (type: RepoType): FileOwner => ({
  type,
  hasOwner: () => Promise.resolve(true),
  assertAccess: () => Promise.resolve(),
  readableCondition: () => empty,
});

/** The owners known to this process. The media libraries own their files without rows of their own; other kinds exist once their context registers. */
@Injectable()
export class FileOwners {
  private readonly owners = new Map<RepoType, FileOwner>(UNGUARDED.map((type) => [type, unrestricted(type)]));

  register(owner: FileOwner): void {
    if (this.owners.has(owner.type)) throw new Error(`Two owners are registered for ${owner.type}.`);
    this.owners.set(owner.type, owner);
  }

  /** The owner of a kind, or undefined when no context of this installation has such owners. */
  findOwner(type: RepoType): FileOwner | undefined {
    return this.owners.get(type);
  }
}
