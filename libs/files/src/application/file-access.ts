import { Injectable } from '@nestjs/common';
import { licenseRequired, permissionDenied, type Permission, type Principal } from '@atrium/platform/access';
import { notFound } from '@atrium/platform/kernel';
import type { File } from '../domain/file';
import { ownerGone, ruleOf, type FileAction, type Repository } from '../domain/repositories';
import { FileOwners } from './file-owners';

/**
 * The second step of authorization: after the route's fixed list, the row of the file's own repository decides, then
 * the owner's ACL.
 */
@Injectable()
export class FileAccess {
  constructor(private readonly owners: FileOwners) {}

  /** Whether the repository's row of permissions and licenses lets the caller act there (owners' ACLs apart). */
  allows(caller: Principal, { type }: Repository, action: FileAction): boolean {
    const { permissions, license } = ruleOf(type);
    const needed = permissions[action];
    return needed !== null && caller.permissions.has(needed as Permission) && (!license || caller.modules.has(license));
  }

  /** For acting on what exists: an unreadable file answers like an absent one. */
  async assertFile(caller: Principal, repository: Repository, action: FileAction): Promise<void> {
    if (!this.allows(caller, repository, 'view') && !this.allows(caller, repository, action))
      throw this.refusal(caller, repository, action);
    await this.assertRepository(caller, repository, action, () => notFound('file'));
  }

  /** For changing a file that is not in the trash. */
  async assertLive(caller: Principal, file: Pick<File, 'isInTrash' | 'repository'>, action: FileAction): Promise<void> {
    if (file.isInTrash) throw notFound('file');
    await this.assertFile(caller, file.repository, action);
  }

  /** For adding to or listing a repository: an absent owner is `not_found`. */
  async assertRepository(caller: Principal, repository: Repository, action: FileAction, absent: () => Error = ownerGone): Promise<void> {
    if (!this.allows(caller, repository, action)) throw this.refusal(caller, repository, action);
    const owner = this.owners.of(repository.type);
    if (!owner || !(await owner.exists(repository))) throw absent();
    await owner.assertAccess(caller, repository, action);
  }

  private refusal(caller: Principal, { type }: Repository, action: FileAction): Error {
    const { permissions, license } = ruleOf(type);
    const needed = permissions[action];
    if (license && !caller.modules.has(license)) return licenseRequired(license);
    return permissionDenied([needed ?? `(files of ${type} are added by the platform)`]);
  }
}
