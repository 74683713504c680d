import { Injectable, type OnModuleInit } from '@nestjs/common';
import { permissionDenied, type Principal } from '@atrium/platform/access';
import { assertCurrent, sql, versionOf, type Precondition } from '@atrium/platform/database';
import { JobDirectory, type JobRows } from '@atrium/platform/messaging';
import { FileAnalysesRepository } from '../infrastructure/file-analyses.repository';
import { analysis } from '../jobs/analysis.jobs';
import { Analyses } from './analyses.service';

const KIND = analysis.name;

/**
 * Analyses that members requested, among all jobs, for them and for who sees the file. Those that the service makes of new files were requested by
 * nobody, and those of many files are a file job.
 */
@Injectable()
export class AnalysisJobSource implements OnModuleInit {
  constructor(
    private readonly directory: JobDirectory,
    private readonly repository: FileAnalysesRepository,
    private readonly analyses: Analyses,
  ) {}

  onModuleInit(): void {
    this.directory.register({
      mayShow: (kind) => kind === KIND,
      rowsFor: (caller) => [this.rowsOf(caller)],
      cancelJob: (caller, job_id, precondition) => this.cancel(caller, job_id, precondition),
    });
  }

  /** The member who requested it needs no permission; a key needs one, and so does a member who joined an analysis of the service. */
  private async cancel(caller: Principal, job_id: string, precondition?: Precondition): Promise<void> {
    const { fa_status, isFinished, fa_created_by } = await this.repository.lock(job_id);
    assertCurrent(precondition, versionOf(fa_status), 'job');
    if (isFinished) return;
    const isOwn = caller.key_id === null && fa_created_by !== null && fa_created_by === caller.user_id;
    if (!isOwn && !caller.permissions.has('media:edit')) throw permissionDenied(['media:edit']);
    await this.analyses.cancelAnalysis(job_id);
  }

  private rowsOf(caller: Principal): JobRows {
    return {
      from: sql`file_analysis r`,
      where: sql`r.tenant_id = ${caller.tenant_id} AND (r.fa_created_by IS NOT NULL OR r.fa_joined_by IS NOT NULL) AND r.fa_job IS NULL`,
      requester: sql`coalesce(r.fa_created_by, r.fa_joined_by)`,
      permitted: caller.permissions.has('media:view'),
      subjects: this.analyses.visibleCondition(caller),
      job_kind: sql`${KIND}::text`,
      queue: { name: sql`${KIND}` },
      subject: { type: sql`'file'`, id: sql`r.fa_file` },
      href: sql`'/api/v1/file-analyses/' || r.fa_id`,
      states: { unfinished: sql`r.fa_status IN ('queued', 'running')`, failing: sql`r.fa_status IN ('failed', 'partial')` },
      columns: {
        job_id: sql`r.fa_id`,
        status: sql`r.fa_status`,
        done: sql`CASE WHEN r.fa_status IN ('completed', 'partial') THEN 1 ELSE 0 END`,
        failed: sql`CASE WHEN r.fa_status = 'failed' THEN 1 ELSE 0 END`,
        total: sql`1`,
        error: sql`r.fa_error`,
        job_created: sql`r.fa_created`,
        job_started: sql`NULL::timestamptz`,
        job_finished: sql`CASE WHEN r.fa_status NOT IN ('queued', 'running') THEN r.fa_updated END`,
        job_updated: sql`r.fa_updated`,
      },
    };
  }
}
