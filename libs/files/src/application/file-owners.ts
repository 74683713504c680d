import { Injectable } from '@nestjs/common';
import type { Principal } from '@atrium/platform/access';
import { empty, type Sql } from '@atrium/platform/database';
import type { FileAction, RepoType, Repository } from '../domain/repositories';

/** Port for the contexts whose objects own files (threads, knowledge bases, designs, …): each registers one at start. */
export interface FileOwner {
  readonly type: RepoType;
  /** Whether the owning row exists; called within the unit of work. */
  exists(repository: Repository): Promise<boolean>;
  /** Throws `not_found` or `permission_denied` when the owner's own ACL says so. */
  assertAccess(caller: Principal, repository: Repository, action: FileAction): Promise<void>;
  /** Condition on `r` that leaves unreadable owners' files out of lists. */
  readable(caller: Principal, repository: Repository): Sql;
}

const unrestricted = (type: RepoType): FileOwner => ({
  type,
  exists: () => Promise.resolve(true),
  assertAccess: () => Promise.resolve(),
  readable: () => empty,
});

/** The owners known to this process. The libraries own their files without rows of their own; other kinds exist once their context registers. */
@Injectable()
export class FileOwners {
  private readonly owners = new Map<RepoType, FileOwner>(
    (['media', 'docs', 'generated'] as const).map((type) => [type, unrestricted(type)]),
  );

  register(owner: FileOwner): void {
    if (this.owners.has(owner.type)) throw new Error(`Two owners are registered for ${owner.type}.`);
    this.owners.set(owner.type, owner);
  }

  /** The owner of a kind, or undefined when no context of this installation has such owners. */
  of(type: RepoType): FileOwner | undefined {
    return this.owners.get(type);
  }
}
