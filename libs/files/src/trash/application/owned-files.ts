import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Database, sql, type Sql } from '@atrium/platform/database';
import type { JsonObject } from '@atrium/platform/kernel';
import { optionalTextIn, textIn, type FileJobBatch } from '../../bulk/domain/file-job';
import { repoKey, type Repository, type RepoType } from '../../core/domain/repositories';
import { defineFileJob } from '../../bulk/application/file-job-definition';
import { FileJobKinds, type FileJobStep } from '../../bulk/application/file-job-kinds';
import { FileJobs } from '../../bulk/application/file-jobs.service';
import { FileOwners } from '../../core/application/file-owners';
import { TrashRows } from '../infrastructure/trash-rows';
import { Trash } from './trash';

const KIND = defineFileJob('owner-deleted', { seenWith: [] });
const BACK = defineFileJob('owner-restored', { seenWith: [] });
const FIRST = '00000000-0000-0000-0000-000000000000';
const FILES_AT_ONCE = 200;

/** What becomes of files whose owner is deleted or comes back: they go to the trash, and out of it again, in one pass in the background. */
@Injectable()
export class OwnedFiles implements OnModuleInit {
  constructor(
    private readonly db: Database,
    private readonly jobs: FileJobs,
    private readonly kinds: FileJobKinds,
    private readonly trash: Trash,
    private readonly owners: FileOwners,
    private readonly rows: TrashRows,
  ) {}

  onModuleInit(): void {
    this.kinds.register({ kind: KIND, whole: true, runStep: (step) => this.discard(step) });
    this.kinds.register({ kind: BACK, whole: true, runStep: (step) => this.recover(step) });
  }

  /** Called by the owning context, in the unit of work that deletes the owner. */
  async onOwnerDeleted({ type, id }: Repository): Promise<void> {
    await this.jobs.startJob(null, { kind: KIND, params: { repo_type: type, repo_id: id }, total: null });
  }

  /** Called by the owning context, in the unit of work that restores the owner: what was trashed because of its deletion comes back, and nothing else. */
  async onOwnerRestored({ type, id }: Repository, deleted: Date): Promise<void> {
    await this.jobs.startJob(null, { kind: BACK, params: { repo_type: type, repo_id: id, since: deleted.toISOString() }, total: null });
  }

  /** The same for many owners of one type; those without files cost nothing. */
  async onOwnersDeleted(type: RepoType, ids: readonly string[]): Promise<void> {
    for (const id of await this.filterOwners(type, ids, sql`file_deleted IS NULL`)) await this.onOwnerDeleted({ type, id });
  }

  async onOwnersRestored(type: RepoType, ids: readonly string[], deleted: Date): Promise<void> {
    const owners = await this.filterOwners(type, ids, sql`file_deleted >= ${deleted} AND file_deleted_by IS NULL`);
    for (const id of owners) await this.onOwnerRestored({ type, id }, deleted);
  }

  private async filterOwners(type: RepoType, ids: readonly string[], condition: Sql): Promise<readonly string[]> {
    const keys = new Map(ids.map((id) => [repoKey({ type, id }), id]));
    return (await this.rows.findOwningRepositories([...keys.keys()], condition)).flatMap((key) => keys.get(key) ?? []);
  }

  /** An owner that was restored in the meantime keeps its files. */
  private async discard({ params, checkpoint }: FileJobStep): Promise<FileJobBatch> {
    const repository = repositoryIn(params);
    if (await this.isThere(repository)) return batchOf([]);
    const files = await this.page(repository, checkpoint, sql`file_deleted IS NULL`);
    await this.trash.trashUnchecked(files, null);
    return batchOf(files);
  }

  private async recover({ params, checkpoint }: FileJobStep): Promise<FileJobBatch> {
    const repository = repositoryIn(params);
    if (!(await this.isThere(repository))) return batchOf([]);
    const since = new Date(textIn(params, 'since'));
    const files = await this.page(repository, checkpoint, sql`file_deleted >= ${since} AND file_deleted_by IS NULL`);
    await this.trash.restoreUnchecked(files);
    return batchOf(files);
  }

  private isThere(repository: Repository): Promise<boolean> {
    return this.db.read(() => this.owners.findOwner(repository.type)?.hasOwner(repository) ?? Promise.resolve(false));
  }

  /** The next files of the repository; processed files are not found again, and the checkpoint only says that there may be more. */
  private page(repository: Repository, after: string | null, condition: Sql): Promise<string[]> {
    return this.db.read(() => this.rows.findOwnedFiles(repoKey(repository), condition, { after: after ?? FIRST, most: FILES_AT_ONCE }));
  }
}

const repositoryIn = (params: JsonObject): Repository => ({
  type: textIn(params, 'repo_type') as RepoType,
  id: optionalTextIn(params, 'repo_id'),
});

const batchOf = (files: readonly string[]): FileJobBatch => ({
  checkpoint: files.length === FILES_AT_ONCE ? (files.at(-1) ?? null) : null,
  done: files.length,
  failed: 0,
  errors: [],
});
