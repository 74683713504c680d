import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Principal } from '@atrium/platform/access';
import { assertCurrent, sql, versionOf, type Precondition, type Sql } from '@atrium/platform/database';
import { JobDirectory, type JobRows } from '@atrium/platform/messaging';
import { jobStatusOf, PRIVACY_KINDS } from '../domain/privacy-request';
import { PrivacyRequestsRepository } from '../infrastructure/privacy-requests.repository';
import { privacy } from '../jobs/privacy.jobs';
import { PrivacyRequests } from './privacy-requests.service';

const KINDS: readonly string[] = PRIVACY_KINDS.map((kind) => `governance.${kind}`);

/** Exports and erasures among all jobs: for who requested their own, and for those who answer for them. */
@Injectable()
export class PrivacyJobSource implements OnModuleInit {
  constructor(
    private readonly directory: JobDirectory,
    private readonly repository: PrivacyRequestsRepository,
    private readonly requests: PrivacyRequests,
  ) {}

  onModuleInit(): void {
    this.directory.register({
      mayShow: (kind) => KINDS.includes(kind),
      rowsFor: (caller) => {
        if (isResponsible(caller)) return [rowsOf(caller, sql`true`, 'admin')];
        const own = sql`r.dsr_user = ${caller.user_id}::uuid AND r.dsr_requested_by = ${caller.user_id}::uuid`;
        return caller.key_id === null ? [rowsOf(caller, own, 'me')] : [];
      },
      cancelJob: (caller, job_id, precondition) => this.cancel(caller, job_id, precondition),
    });
  }

  private async cancel(caller: Principal, job_id: string, precondition?: Precondition): Promise<void> {
    const { dsr_status } = await this.repository.lock(job_id);
    const status = jobStatusOf(dsr_status);
    assertCurrent(precondition, versionOf(status), 'job');
    if (status !== 'queued' && status !== 'running') return;
    await (isResponsible(caller) ? this.requests.cancel(caller, job_id) : this.requests.cancelOwn(caller, job_id));
  }
}

const isResponsible = ({ permissions }: Principal): boolean => permissions.has('admin:users') && permissions.has('admin:audit');

const rowsOf = ({ tenant_id }: Principal, where: Sql, at: 'admin' | 'me'): JobRows => ({
  from: sql`privacy_request r`,
  where: sql`r.tenant_id = ${tenant_id} AND ${where}`,
  job_kind: sql`'governance.' || r.dsr_kind`,
  queue: { name: sql`${privacy.name}` },
  subject: { type: sql`CASE WHEN r.dsr_user IS NOT NULL THEN 'user' END`, id: sql`r.dsr_user` },
  href: sql`${`/api/v1/${at}/privacy-requests/`} || r.dsr_id`,
  columns: {
    job_id: sql`r.dsr_id`,
    status: sql`CASE WHEN r.dsr_status IN ('pending_approval', 'scheduled', 'blocked') THEN 'queued' ELSE r.dsr_status END`,
    done: sql`r.dsr_done`,
    failed: sql`0`,
    total: sql`nullif(r.dsr_total, 0)`,
    error: sql`r.dsr_error`,
    job_created: sql`r.dsr_created`,
    job_started: sql`NULL::timestamptz`,
    job_finished: sql`CASE WHEN r.dsr_status IN ('completed', 'failed', 'cancelled') THEN r.dsr_updated END`,
    job_updated: sql`r.dsr_updated`,
  },
});
