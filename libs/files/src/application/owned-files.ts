import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Database, requireScope, sql } from '@atrium/platform/database';
import { optionalTextIn, textIn, type FileJobBatch } from '../domain/file-job';
import { repoKey, type Repository, type RepoType } from '../domain/repositories';
import { FileJobKinds, type FileJobStep } from './file-job-kinds';
import { FileJobs } from './file-jobs.service';
import { Trash } from './trash';

const KIND = 'owner-deleted';
const FILES_AT_ONCE = 200;

/** What becomes of files whose owner is deleted: they go to the trash in one pass in the background. */
@Injectable()
export class OwnedFiles implements OnModuleInit {
  constructor(
    private readonly db: Database,
    private readonly jobs: FileJobs,
    private readonly kinds: FileJobKinds,
    private readonly trash: Trash,
  ) {}

  onModuleInit(): void {
    this.kinds.register({ kind: KIND, whole: true, step: (step) => this.step(step) });
  }

  /** Called by the owning context, in the unit of work that deletes the owner. */
  async ownerDeleted({ type, id }: Repository): Promise<void> {
    await this.jobs.start(null, { kind: KIND, params: { repo_type: type, repo_id: id }, total: null });
  }

  /** Processed files are in the trash and are not found again: the checkpoint only says that there may be more. */
  private async step({ params, checkpoint }: FileJobStep): Promise<FileJobBatch> {
    const repository: Repository = { type: textIn(params, 'repo_type') as RepoType, id: optionalTextIn(params, 'repo_id') };
    const after = checkpoint ?? '00000000-0000-0000-0000-000000000000';
    const files = await this.db.read((tx) =>
      tx.query<{ file_id: string }>(sql`
        SELECT file_id FROM file WHERE tenant_id = ${requireScope().tenant_id} AND repo_key = ${repoKey(repository)} AND file_deleted IS NULL AND file_id > ${after}::uuid ORDER BY file_id LIMIT ${FILES_AT_ONCE}`),
    );
    await this.trash.discard(
      files.map(({ file_id }) => file_id),
      null,
    );
    return {
      checkpoint: files.length === FILES_AT_ONCE ? (files.at(-1)?.file_id ?? null) : null,
      done: files.length,
      failed: 0,
      errors: [],
    };
  }
}
