import { Injectable } from '@nestjs/common';
import { licenseRequired, permissionDenied, type Permission, type Principal } from '@atrium/platform/access';
import { empty, sql, type Sql } from '@atrium/platform/database';
import { accessDenied, notFound, resolveReference } from '@atrium/platform/kernel';
import type { File } from '../domain/file';
import { ownerGone, ownerPath, ruleOf, type FileAction, type RepoType, type Repository } from '../domain/repositories';
import { FileOwners, type FileRefusal } from './file-owners';

/** A file as far as rights follow from it. */
export type OwnedFile = Pick<File, 'file_id' | 'repository'>;

/** Whether the permissions of a caller let them act so on files of this kind; licences and owners apart. */
export const permitsAction = ({ permissions }: Principal, type: RepoType, action: FileAction): boolean =>
  ruleOf(type).permissions[action].some((needed) => permissions.has(needed as Permission));

/**
 * The second step of authorization: after the route's fixed list, the row of the file's own repository decides, then
 * the owner's ACL, then the owner about the single file.
 */
@Injectable()
export class FileAccess {
  constructor(private readonly owners: FileOwners) {}

  /** Whether the repository's row of permissions and licenses lets the caller act there (owners' ACLs apart). */
  isAllowed(caller: Principal, { type }: Repository, action: FileAction): boolean {
    const { license } = ruleOf(type);
    return permitsAction(caller, type, action) && (!license || caller.modules.has(license));
  }

  /** For acting on what exists: an unreadable file answers like an absent one, also to those who may do nothing of the kind to any file. */
  async assertFile(caller: Principal, { file_id, repository }: OwnedFile, action: FileAction): Promise<void> {
    const refused = await this.findRefusals(caller, repository.type, [file_id], action);
    if (refused.get(file_id) === 'not_found') throw notFound('file');
    await this.assertOpen(caller, repository, action);
    if (refused.has(file_id)) throw accessDenied(`You need ${action} access to this file.`);
  }

  /** For acting on files of one repository, each of which its owner may still refuse. */
  async assertOpen(caller: Principal, repository: Repository, action: FileAction): Promise<void> {
    if (!this.isAllowed(caller, repository, 'view') && !this.isAllowed(caller, repository, action))
      throw this.refusal(caller, repository, action);
    await this.assertRepository(caller, repository, action, () => notFound('file'));
  }

  /** Condition on `r` (a row of `file`): the owner lets the caller act on the file; `true` where it decides about none of its own. */
  readableCondition(caller: Principal, repository: Repository, action: FileAction = 'view'): Sql {
    const owner = this.owners.findOwner(repository.type);
    if (!owner) return sql`false`;
    const condition = owner.readableCondition(caller, repository, action);
    return condition === empty ? sql`true` : condition;
  }

  /** For those who act on files whatever their permissions on the repository: a file that its owner hides from them answers like an absent one. */
  async assertNotHidden(caller: Principal, { file_id, repository }: OwnedFile): Promise<void> {
    const refused = await this.findRefusals(caller, repository.type, [file_id], 'view');
    if (refused.has(file_id)) throw notFound('file');
  }

  /** Of files of one kind of repositories those that its owner refuses the caller one by one, and why. */
  async findRefusals(
    caller: Principal,
    type: RepoType,
    file_ids: readonly string[],
    action: FileAction,
  ): Promise<ReadonlyMap<string, FileRefusal>> {
    return (await this.owners.findOwner(type)?.findRefusals?.(caller, file_ids, action)) ?? new Map();
  }

  /** For changing a file that is not in the trash. */
  async assertLive(caller: Principal, file: Pick<File, 'file_id' | 'isInTrash' | 'repository'>, action: FileAction): Promise<void> {
    if (file.isInTrash) throw notFound('file');
    await this.assertFile(caller, file, action);
  }

  /** For adding to or listing a repository: an absent owner is `not_found`. */
  async assertRepository(caller: Principal, repository: Repository, action: FileAction, absent: () => Error = ownerGone): Promise<void> {
    if (!this.isAllowed(caller, repository, action)) throw this.refusal(caller, repository, action);
    const owner = this.owners.findOwner(repository.type);
    if (!owner || !(await owner.hasOwner(repository))) throw absent();
    await owner.assertAccess(caller, repository, action);
  }

  /** The same for a repository that a body names: an absent owner is a fault of its field. */
  assertNamed(caller: Principal, repository: Repository, action: FileAction, field = ownerPath(repository)): Promise<void> {
    return resolveReference(field, 'owner of files', () => this.assertRepository(caller, repository, action));
  }

  private refusal(caller: Principal, { type }: Repository, action: FileAction): Error {
    const { permissions, license } = ruleOf(type);
    const needed = permissions[action];
    if (license && !caller.modules.has(license)) return licenseRequired(license);
    return needed.length === 0 ? accessDenied(`Only the platform adds files to ${type}.`) : permissionDenied(needed, 'any');
  }
}
