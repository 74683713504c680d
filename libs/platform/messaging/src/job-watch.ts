import { Injectable, Optional } from '@nestjs/common';
import { AppLogger, Metrics, type JobOutcome } from '@atrium/platform/observability';
import { PermanentFailure } from './job-handling';
import type { ReceivedJob } from './queue-backend';

/** Reports the outcome and duration of every run of a job: one line on the process log, and metrics by the job's name. */
@Injectable()
export class JobWatch {
  constructor(
    @Optional() private readonly metrics?: Metrics,
    @Optional() private readonly logger?: AppLogger,
  ) {}

  async watchRun(job: string, received: ReceivedJob, work: (received: ReceivedJob) => Promise<JobOutcome>): Promise<void> {
    const began = performance.now();
    let outcome: JobOutcome = 'retried';
    const handBack = (): Promise<Error> => {
      outcome = 'handed_back';
      return received.returnToQueue();
    };
    this.metrics?.jobsRunning.inc({ job });
    try {
      outcome = await work({ ...received, returnToQueue: handBack });
    } catch (error) {
      if (error instanceof PermanentFailure) outcome = 'failed';
      throw error;
    } finally {
      this.metrics?.jobsRunning.dec({ job });
      this.report(job, received, { outcome, milliseconds: performance.now() - began });
    }
  }

  private report(
    job: string,
    { envelope, attempt }: ReceivedJob,
    { outcome, milliseconds }: { readonly outcome: JobOutcome; readonly milliseconds: number },
  ): void {
    this.metrics?.jobs.observe({ job, outcome }, milliseconds / 1_000);
    const { job_id, tenant_id, request_id, traceparent } = envelope;
    this.logger?.info(
      {
        job,
        job_id,
        tenant_id,
        request_id,
        traceparent: traceparent ?? undefined,
        attempt,
        outcome,
        ms: Math.round(milliseconds * 10) / 10,
      },
      'job',
    );
  }
}
