import { Injectable } from '@nestjs/common';
import type { Principal } from '@atrium/platform/access';
import { Database, requireScope, type ListParameters, type Page } from '@atrium/platform/database';
import { Clock, Ids, notFound, type JsonObject } from '@atrium/platform/kernel';
import { planJob, Outbox, type JobDefinition } from '@atrium/platform/messaging';
import type { KeptAnswer } from '@atrium/platform/http';
import { BaseAccess } from '../../bases/application/base-access';
import { JobObjects } from '../infrastructure/job-objects';
import { JobsRepository, type JobRow } from '../infrastructure/jobs.repository';
import { KnowledgeJob, type JobKind } from '../domain/knowledge-job';
import { JobRuns } from './job-runs';
import { KnowledgeJobPayload } from '../jobs/payload.jobs';

export type { JobRow };

/** A job as answers show it. */
export type JobAnswer = Omit<JobRow, 'job_key' | 'job_report' | 'job_object'> & { readonly report_url: string | null };

/** Work that is asked for. */
export interface JobOrder {
  readonly kind: JobKind;
  readonly ds_id: string;
  readonly definition: JobDefinition<KnowledgeJobPayload>;
  readonly order: JsonObject;
  readonly asker: { readonly user_id: string | null; readonly key_id: string | null };
  readonly crw_id?: string | undefined;
}

/** Work that is done already. */
export interface FinishedWork extends Omit<JobOrder, 'definition' | 'order' | 'crw_id'> {
  readonly job_id: string;
  readonly object: string;
  readonly result: JsonObject;
  readonly done: number;
}

/** What an export answers besides its address. */
interface ExportedFile {
  readonly file_name: string;
  readonly file_type: string;
}

/** The jobs of a base: everybody sees them who sees the base. */
@Injectable()
export class JobsService {
  constructor(
    private readonly db: Database,
    private readonly jobs: JobsRepository,
    private readonly runs: JobRuns,
    private readonly access: BaseAccess,
    private readonly objects: JobObjects,
    private readonly outbox: Outbox,
    private readonly clock: Clock,
    private readonly ids: Ids,
  ) {}

  async list(caller: Principal, ds_id: string, query: ListParameters): Promise<Page<JobAnswer>> {
    const page = await this.db.read(async () => {
      await this.access.requireReadable(caller, ds_id);
      return this.jobs.listJobs(ds_id, query);
    });
    return { ...page, data: await Promise.all(page.data.map((row) => this.toAnswer(caller, row))) };
  }

  async get(caller: Principal, ds_id: string, job_id: string): Promise<JobAnswer> {
    const row = await this.db.read(async () => {
      await this.access.requireReadable(caller, ds_id);
      return this.stored(ds_id, job_id);
    });
    return this.toAnswer(caller, row);
  }

  /** What is done stays; the worker stops at its next step. */
  async cancel(caller: Principal, ds_id: string, job_id: string): Promise<JobAnswer> {
    const row = await this.db.write(async () => {
      await this.access.requireReadable(caller, ds_id, 'edit');
      await this.stored(ds_id, job_id);
      await this.runs.cancelWork(job_id);
      return this.stored(ds_id, job_id);
    });
    return this.toAnswer(caller, row);
  }

  /** Asks for work within the unit of work that demands it; the row is the body of the 202 answer. */
  async startJob({ kind, ds_id, definition, order, asker, crw_id }: JobOrder): Promise<JobRow> {
    const work = this.made({ job_id: this.ids.next(), kind, ds_id, asker, order, crw_id });
    await this.jobs.insert(work);
    this.outbox.addJob(planJob(definition, { job_id: work.job_id }));
    return this.stored(ds_id, work.job_id);
  }

  /** Keeps what was done while the caller waited, as a job that has finished. */
  async insertFinished({ job_id, kind, ds_id, asker, object, result, done }: FinishedWork): Promise<JobRow> {
    const now = this.clock.now();
    const work = Object.assign(this.made({ job_id, kind, ds_id, asker, order: {} }), {
      status: 'completed' as const,
      done,
      total: done,
      result,
      job_object: object,
      job_started: now,
      job_finished: now,
    });
    await this.jobs.insert(work);
    return this.stored(ds_id, job_id);
  }

  private made({ job_id, kind, ds_id, asker, order, crw_id }: Omit<JobOrder, 'definition'> & { readonly job_id: string }): KnowledgeJob {
    return KnowledgeJob.blank(
      {
        tenant_id: requireScope().tenant_id,
        job_id,
        job_kind: kind,
        job_base: ds_id,
        job_created_by: asker.user_id,
        job_key: asker.key_id,
        job_order: order,
        job_crawl: crw_id ?? null,
      },
      this.clock.now(),
    );
  }

  /** The row with addresses of what the work has stored; outside of any unit of work. */
  async toAnswer(caller: Principal, { job_key, job_report, job_object, ...row }: JobRow): Promise<JobAnswer> {
    const report = job_report ? await this.objects.signAddress(job_report, { name: `report-${row.job_id}.csv`, type: 'text/csv' }) : null;
    return {
      ...row,
      result: await this.resultOf(row.result, mayFetch(caller, { ...row, job_key }) ? job_object : null),
      report_url: report?.download_url ?? null,
    };
  }

  private async resultOf(result: JsonObject | null, object: string | null): Promise<JsonObject | null> {
    if (result === null || object === null) return result;
    const { file_name, file_type } = result as JsonObject & ExportedFile;
    const { download_url, expires_at } = await this.objects.signAddress(object, { name: file_name, type: file_type });
    return { ...result, download_url, expires_at: expires_at.toISOString() };
  }

  private async stored(ds_id: string, job_id: string): Promise<JobRow> {
    const row = await this.jobs.findJobRow(ds_id, job_id);
    if (!row) throw notFound('job');
    return row;
  }
}

/** An export shows what its asker sees: it is for the asker, not for another key of theirs, and for those who see sensitive values anyway. */
const mayFetch = (
  { user_id, key_id, permissions }: Principal,
  { job_created_by, job_key }: Pick<JobRow, 'job_created_by' | 'job_key'>,
): boolean =>
  permissions.has('knowledge-base:write') || (user_id !== null && user_id === job_created_by && (key_id === null || key_id === job_key));

/** A job that has just been asked for, as answers show it: it has stored nothing yet. */
export const newJob = ({ job_key: _, job_report: __, job_object: ___, ...row }: JobRow): JobAnswer => ({ ...row, report_url: null });

/** The answer to a request for work, as it is kept under an idempotency key. */
export const keptJob = (row: Partial<JobRow>): KeptAnswer | undefined =>
  row.job_id === undefined || row.job_kind === undefined ? undefined : { status: 202, body: newJob(row as JobRow) };
