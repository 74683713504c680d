import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Principal } from '@atrium/platform/access';
import { Database, empty, sql } from '@atrium/platform/database';
import { Clock, resolveReference, type JsonObject } from '@atrium/platform/kernel';
import { optionalTextIn, textIn, type FileJobBatch } from '../../bulk/domain/file-job';
import type { RepoType } from '../../core/domain/repositories';
import { defineFileJob } from '../../bulk/application/file-job-definition';
import { DELETE } from '../../core/application/route-permissions';
import { FileJobKinds, type FileJobStep } from '../../bulk/application/file-job-kinds';
import { FileJobs, type FileJobRow } from '../../bulk/application/file-jobs.service';
import { TrashRows, type DeletedFile } from '../infrastructure/trash-rows';
import { Trash } from './trash';

/** Whose trash is to be emptied: of one repository, or of all that the caller may delete from. */
export interface EmptiedTrash {
  readonly repo_type?: RepoType;
  readonly repo_id?: string;
}

const KIND = defineFileJob('empty-trash', { seenWith: DELETE });
const FILES_AT_ONCE = 200;

/** Empties the trash in the background: what lay in it when it was asked for goes for good, but for what a hold keeps. */
@Injectable()
export class TrashEmptying implements OnModuleInit {
  constructor(
    private readonly db: Database,
    private readonly jobs: FileJobs,
    private readonly kinds: FileJobKinds,
    private readonly trash: Trash,
    private readonly clock: Clock,
    private readonly rows: TrashRows,
  ) {}

  onModuleInit(): void {
    this.kinds.register({ kind: KIND, whole: true, runStep: (step) => this.step(step) });
  }

  startEmptying(caller: Principal, { repo_type, repo_id }: EmptiedTrash): Promise<FileJobRow> {
    return this.db.write(async () => {
      const asked = { ...(repo_type ? { repo_type } : {}), ...(repo_id ? { repo_id } : {}) };
      const scope = await resolveReference('repo_id', 'owner of files', () => this.trash.buildScopeCondition(caller, asked));
      const until = this.clock.now();
      const total = await this.rows.countDeleted(until, scope);
      return this.jobs.startJob(caller, { kind: KIND, params: { ...asked, until: until.toISOString() }, total });
    });
  }

  /** The checkpoint is the last file that was processed: `<deleted> <id>`. */
  private async step({ caller, params, checkpoint }: FileJobStep): Promise<FileJobBatch> {
    const files = await this.db.read(() => this.some(caller, params, checkpoint));
    const outcomes = await this.trash.purgeMany(
      caller,
      files.map(({ file_id }) => file_id),
    );
    const errors = outcomes.flatMap(({ file_id, code }) => (code ? [{ file_id, code }] : []));
    const last = files.at(-1);
    return {
      checkpoint: last && files.length === FILES_AT_ONCE ? `${last.file_deleted} ${last.file_id}` : null,
      done: outcomes.length - errors.length,
      failed: errors.length,
      errors,
    };
  }

  private async some(caller: Principal, params: JsonObject, checkpoint: string | null): Promise<DeletedFile[]> {
    const [repo_type, repo_id] = [optionalTextIn(params, 'repo_type'), optionalTextIn(params, 'repo_id')];
    const scope = await this.trash.buildScopeCondition(caller, {
      ...(repo_type ? { repo_type: repo_type as RepoType } : {}),
      ...(repo_id ? { repo_id } : {}),
    });
    const [deleted, id] = checkpoint?.split(' ') ?? [];
    const behind = deleted && id ? sql`AND (r.file_deleted, r.file_id) > (${deleted}::timestamptz, ${id}::uuid)` : empty;
    return this.rows.findDeleted(textIn(params, 'until'), { behind, scope }, FILES_AT_ONCE);
  }
}
