import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { Database, empty, sql } from '@atrium/platform/database';
import { Problem, type JsonObject, type ProblemCode } from '@atrium/platform/kernel';
import { ObjectMissing } from '@atrium/platform/storage';
import { optionalTextIn, textIn, type FileJobBatch, type FileJobError } from '../../bulk/domain/file-job';
import { listedRepository, repoKey, type Repository, type RepoType } from '../../core/domain/repositories';
import { FileAccess } from '../../core/application/file-access';
import { FileJobKinds, type FileJobStep } from '../../bulk/application/file-job-kinds';
import { Ingest } from '../../ingest/ingest.service';
import { ReindexedFileRows, type ReindexedFile } from '../infrastructure/reindexed-files.rows';
import { REINDEX_STEPS, ReindexSteps, type ReindexStep } from './reindex-steps';
import { REINDEX } from './reindexing';

const FILES_AT_ONCE = 50;

/** Does the batches of a reindex, in the order in which the files were added. */
@Injectable()
export class ReindexRun implements OnModuleInit {
  private readonly log = new Logger(ReindexRun.name);

  constructor(
    private readonly db: Database,
    private readonly access: FileAccess,
    private readonly kinds: FileJobKinds,
    private readonly steps: ReindexSteps,
    private readonly ingest: Ingest,
    private readonly rows: ReindexedFileRows,
  ) {}

  onModuleInit(): void {
    this.kinds.register({ kind: REINDEX, runStep: (step) => this.step(step) });
  }

  /** The checkpoint is the last file of the batch: `<created> <id>`. */
  private async step(step: FileJobStep): Promise<FileJobBatch> {
    const { params, signal } = step;
    const repository = listedRepository(textIn(params, 'repo_type') as RepoType, optionalTextIn(params, 'repo_id') ?? undefined);
    await this.db.read(() => this.access.assertRepository(step.caller, repository, 'edit'));
    const files = await this.db.read(() => this.some(repository, step));
    const wanted = stepsOf(params);
    const own = wanted.includes('metadata') || wanted.includes('renditions') ? await this.lookAgain(files, step) : [];
    const failed = new Set(own.map(({ file_id }) => file_id));
    const others = await this.steps.runSteps(
      wanted,
      files.flatMap(({ file_id }) => (failed.has(file_id) ? [] : [file_id])),
      signal,
    );
    const errors = [...own, ...others];
    const last = files.at(-1);
    return {
      checkpoint: last && files.length === FILES_AT_ONCE ? `${last.file_created} ${last.file_id}` : null,
      done: files.length - errors.length,
      failed: errors.length,
      errors,
    };
  }

  /** Of the files that the caller may still edit. */
  private some(repository: Repository, { caller, params, checkpoint }: FileJobStep): Promise<ReindexedFile[]> {
    const file_ids = idsOf(params);
    const [created, id] = checkpoint?.split(' ') ?? [];
    const behind = created && id ? sql`AND (r.file_created, r.file_id) > (${created}::timestamptz, ${id}::uuid)` : empty;
    const among = file_ids === null ? empty : sql`AND r.file_id = ANY(${[...file_ids]}::uuid[])`;
    return this.rows.findBatch(
      repoKey(repository),
      { readable: this.access.readableCondition(caller, repository, 'edit'), rest: sql`${among} ${behind}` },
      FILES_AT_ONCE,
    );
  }

  /** One after the other: each is looked into by a process of its own kind, and the rest of the worker goes on. */
  private async lookAgain(files: readonly ReindexedFile[], step: FileJobStep): Promise<FileJobError[]> {
    const { signal } = step;
    const errors: FileJobError[] = [];
    for (const { file_id, fv_id } of files) {
      signal.throwIfAborted();
      const code = await this.ingest
        .reingestVersion({ file_id, fv_id }, signal)
        .catch((error: unknown) => this.codeOf(error, file_id, step));
      if (code) errors.push({ file_id, code });
      await step.heartbeat();
    }
    return errors;
  }

  private codeOf(error: unknown, file_id: string, step: FileJobStep): ProblemCode | 'storage_lost' {
    step.signal.throwIfAborted();
    if (step.waitsFor(error)) throw error;
    this.log.warn({ msg: 'a file could not be looked into again', file_id, err: error });
    if (error instanceof ObjectMissing) return 'storage_lost';
    return error instanceof Problem ? error.code : 'internal_error';
  }
}

/** The files that were named; null where none were. */
const idsOf = ({ file_ids }: JsonObject): string[] | null =>
  Array.isArray(file_ids) ? file_ids.filter((id) => typeof id === 'string') : null;

const stepsOf = ({ steps }: JsonObject): ReindexStep[] => REINDEX_STEPS.filter((step) => Array.isArray(steps) && steps.includes(step));
