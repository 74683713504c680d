import { Injectable } from '@nestjs/common';
import type { Clock, DomainEvent } from '@atrium/platform/kernel';
import { SteppedRuns, WorkEngine } from '@atrium/platform/messaging';
import type { JobCount, JobOutcome, KnowledgeJob } from '../domain/knowledge-job';
import { JobsRepository } from '../infrastructure/jobs.repository';

/** How a run ended, and what it has stored. */
export type RunOutcome = JobOutcome & { readonly report?: string | null; readonly object?: string | null };

/** The runs of the jobs of bases. */
@Injectable()
export class JobRuns extends SteppedRuns<KnowledgeJob, JobCount, RunOutcome> {
  constructor(engine: WorkEngine, jobs: JobsRepository) {
    super(engine, jobs);
  }

  protected labelOf({ job_kind }: KnowledgeJob): string {
    return job_kind;
  }

  protected eventsOf({ job_id, job_base, job_kind, status }: KnowledgeJob): readonly DomainEvent[] {
    return [{ name: 'knowledge.job_finished', subject_id: job_base, payload: { job_id, job_kind, status } }];
  }

  protected override writeOutcome(job: KnowledgeJob, { report = null, object = null, ...outcome }: RunOutcome, clock: Clock): void {
    super.writeOutcome(job, outcome, clock);
    job.job_report = report;
    job.job_object = object;
  }
}
