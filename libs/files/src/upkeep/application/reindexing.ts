import { Injectable } from '@nestjs/common';
import { type Principal } from '@atrium/platform/access';
import { Database } from '@atrium/platform/database';
import { accessDenied, invalidField, resolveReference, unknownReference, unknownReferences } from '@atrium/platform/kernel';
import { listedRepository, repoKey, repositoryOf, type Repository, type RepoType } from '../../core/domain/repositories';
import { FileAccess } from '../../core/application/file-access';
import { EDIT } from '../../core/application/route-permissions';
import { defineFileJob } from '../../bulk/application/file-job-definition';
import { FileJobs, type FileJobRow } from '../../bulk/application/file-jobs.service';
import { ReindexedFileRows } from '../infrastructure/reindexed-files.rows';
import { REINDEX_STEPS, type ReindexStep } from './reindex-steps';

/** The kind of the job. */
export const REINDEX = defineFileJob('reindex', { seenWith: EDIT });

/** A repository of which something is to be made again, or some of its files; without steps: everything. */
export interface WantedReindex {
  /** May be left out where files are named: they name their repository. */
  readonly repo_type?: RepoType | null;
  readonly repo_id?: string | null;
  readonly file_ids?: readonly string[] | null;
  readonly steps?: readonly ReindexStep[] | null;
}

/** Asks for facts, renditions, text and likeness of all files of a repository, or of some, to be made again; one such job a repository. */
@Injectable()
export class Reindexing {
  constructor(
    private readonly db: Database,
    private readonly access: FileAccess,
    private readonly jobs: FileJobs,
    private readonly rows: ReindexedFileRows,
  ) {}

  startReindexing(caller: Principal, wanted: WantedReindex): Promise<FileJobRow> {
    const file_ids = wanted.file_ids ? [...new Set(wanted.file_ids)] : null;
    return this.db.write(async () => {
      const repository = await this.repository(caller, wanted, file_ids);
      const key = repoKey(repository);
      const total = file_ids === null ? await this.count(caller, repository) : await this.demand(caller, repository, wanted.file_ids ?? []);
      const params = {
        repo_type: repository.type,
        repo_id: repository.id,
        steps: [...new Set(wanted.steps ?? REINDEX_STEPS)],
        ...(file_ids === null ? {} : { file_ids }),
      };
      return this.jobs.startJob(caller, { kind: REINDEX, params, total, subject: `${REINDEX.name}:${key}` });
    });
  }

  /** The one that is named, else that of the first of the files; one that the caller may edit. */
  private async repository(
    caller: Principal,
    { repo_type, repo_id }: WantedReindex,
    file_ids: readonly string[] | null,
  ): Promise<Repository> {
    if (repo_type) {
      const named = listedRepository(repo_type, repo_id ?? undefined);
      await this.access.assertNamed(caller, named, 'edit', 'repo_id');
      return named;
    }
    if (file_ids === null) throw invalidField('repo_type', 'is required unless file_ids are given', 'required');
    const file_id = file_ids[0] ?? null;
    const row = await this.rows.findRepository(file_id);
    if (!row || file_id === null) throw unknownReference('file_ids[0]', 'file');
    const repository = repositoryOf(row);
    await resolveReference('file_ids[0]', 'file', () => this.access.assertFile(caller, { file_id, repository }, 'edit'));
    return repository;
  }

  /** Of files that are named every one has to be there, in the repository of the first, for the caller to edit. Answers how many they are. */
  private async demand(caller: Principal, repository: Repository, file_ids: readonly string[]): Promise<number> {
    const known = new Set(await this.rows.filterFiles(repoKey(repository), file_ids));
    const refused = await this.access.findRefusals(caller, repository.type, [...known], 'edit');
    for (const [file_id, refusal] of refused) if (refusal === 'not_found') known.delete(file_id);
    if (file_ids.some((id) => !known.has(id.toLowerCase()))) throw unknownReferences('file_ids', 'file', file_ids, known);
    if (refused.size > 0) throw accessDenied('You need edit access to all of the files.');
    return known.size;
  }

  private count(caller: Principal, repository: Repository): Promise<number> {
    return this.rows.countFiles(repoKey(repository), this.access.readableCondition(caller, repository, 'edit'));
  }
}
