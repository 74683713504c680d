import { Injectable, type OnModuleInit } from '@nestjs/common';
import { RetentionTargets, type DueRows, type RemovedBatch } from '@atrium/governance';
import { requireScope, sql, type Sql } from '@atrium/platform/database';
import { planJob, Outbox } from '@atrium/platform/messaging';
import { BaseContents } from '../../bases/application/base-contents';
import { JobFaultRows } from '../infrastructure/job-faults.rows';
import { JobObjects } from '../infrastructure/job-objects';
import { JobsRepository } from '../infrastructure/jobs.repository';
import { discardObjects } from '../jobs/discard.jobs';

const AT_ONCE = 500;
/** Faults of imports that go at once, before their jobs. */
const FAULTS_AT_ONCE = 20_000;

/**
 * Finished jobs are kept as long as the workspace keeps records of background work, and exported files as long as it keeps
 * exports; those of a base go with it. What they have stored is deleted after the rows that name it.
 */
@Injectable()
export class JobRetention implements OnModuleInit {
  constructor(
    private readonly targets: RetentionTargets,
    private readonly contents: BaseContents,
    private readonly outbox: Outbox,
    private readonly objects: JobObjects,
    private readonly jobs: JobsRepository,
    private readonly faults: JobFaultRows,
  ) {}

  onModuleInit(): void {
    this.contents.register({ kind: 'job', purgeStretch: async (ds_id) => (await this.purge(ofBase(ds_id), AT_ONCE)).left });
    // They tell of work, not of content: a hold keeps the content.
    const held = (): Promise<never[]> => Promise.resolve([]);
    this.targets.register({
      key: 'job_rows',
      findHeldRows: held,
      countDue: (before) => this.count(finished(before)),
      purgeBatch: (before, batch) => this.purge(finished(before), batch),
    });
    this.targets.register({
      key: 'exports',
      findHeldRows: held,
      countDue: (before) => this.count(exported(before)),
      purgeBatch: (before, batch) => this.forget(exported(before), batch),
    });
  }

  /** Removes the jobs of a crawl that goes; within its unit of work. */
  async removeOfCrawl(crw_id: string): Promise<void> {
    while ((await this.purge(ofCrawl(crw_id), AT_ONCE)).left);
  }

  /** Deletes what jobs that are gone had stored; harmless when done twice. */
  deleteObjects(keys: readonly string[]): Promise<void> {
    return this.objects.deleteObjects(keys);
  }

  private async count(due: Sql): Promise<DueRows> {
    return { ...(await this.jobs.countDue(due)), bytes: 0, held: 0 };
  }

  private async purge(due: Sql, batch: number): Promise<RemovedBatch> {
    const ids = await this.jobs.lockDueJobs(due, batch);
    if ((await this.faults.removeSome(ids, FAULTS_AT_ONCE)) === FAULTS_AT_ONCE) return { removed: 0, bytes: 0, left: true };
    const gone = await this.jobs.deleteJobs(ids);
    this.discard(gone.flatMap(({ job_report, job_object }) => [job_report, job_object]));
    return { removed: gone.length, bytes: 0, left: gone.length === batch };
  }

  /** The job stays; its file goes. */
  private async forget(due: Sql, batch: number): Promise<RemovedBatch> {
    const gone = await this.jobs.clearObjects(due, batch);
    this.discard(gone.map(({ job_object }) => job_object));
    return { removed: gone.length, bytes: 0, left: gone.length === batch };
  }

  private discard(keys: readonly (string | null)[]): void {
    const stored = keys.filter((key) => key !== null);
    if (stored.length > 0) this.outbox.addJob(planJob(discardObjects, { keys: stored }));
  }
}

const ofBase = (ds_id: string): Sql => sql`r.tenant_id = ${requireScope().tenant_id} AND r.job_base = ${ds_id}`;
const ofCrawl = (crw_id: string): Sql => sql`r.tenant_id = ${requireScope().tenant_id} AND r.job_crawl = ${crw_id}`;
const finished = (before: Date): Sql => sql`r.tenant_id = ${requireScope().tenant_id} AND r.job_finished < ${before}`;
const exported = (before: Date): Sql => sql`${finished(before)} AND r.job_object IS NOT NULL`;
