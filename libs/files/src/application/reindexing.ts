import { Injectable } from '@nestjs/common';
import type { Principal } from '@atrium/platform/access';
import { Database, requireScope, sql } from '@atrium/platform/database';
import { listedRepository, repoKey, type RepoType } from '../domain/repositories';
import { FileAccess } from './file-access';
import { FileJobs, type FileJobRow } from './file-jobs.service';
import { REINDEX_STEPS, type ReindexStep } from './reindex-steps';

/** The kind of the job. */
export const REINDEX = 'reindex';

/** A repository of which something is to be made anew; without steps: everything. */
export interface WantedReindex {
  readonly repo_type: RepoType;
  readonly repo_id?: string | null;
  readonly steps?: readonly ReindexStep[] | null;
}

/** Asks for facts, renditions, text and likeness of all files of a repository to be made anew; one such job a repository. */
@Injectable()
export class Reindexing {
  constructor(
    private readonly db: Database,
    private readonly access: FileAccess,
    private readonly jobs: FileJobs,
  ) {}

  start(caller: Principal, { repo_type, repo_id, steps }: WantedReindex): Promise<FileJobRow> {
    const repository = listedRepository(repo_type, repo_id ?? undefined);
    const key = repoKey(repository);
    return this.db.write(async (tx) => {
      await this.access.assertRepository(caller, repository, 'edit');
      const row = await tx.first<{ count: number }>(sql`SELECT count(*) FROM file WHERE tenant_id = ${requireScope().tenant_id} AND repo_key = ${key} AND file_deleted IS NULL`);
      const params = { repo_type, repo_id: repository.id, steps: [...new Set(steps ?? REINDEX_STEPS)] };
      return this.jobs.start(caller, { kind: REINDEX, params, total: row?.count ?? 0, subject: `${REINDEX}:${key}` });
    });
  }
}
