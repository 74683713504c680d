import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Principal } from '@atrium/platform/access';
import { assertCurrent, sql, versionOf, type Precondition } from '@atrium/platform/database';
import { JobDirectory, type JobRows } from '@atrium/platform/messaging';
import { jobStatusOf, PRIVACY_KINDS } from '../domain/privacy-request';
import { PrivacyRequestsRepository } from '../infrastructure/privacy-requests.repository';
import { privacy } from '../jobs/privacy.jobs';
import { PrivacyRequests } from './privacy-requests.service';

const KINDS: readonly string[] = PRIVACY_KINDS.map((kind) => `governance.${kind}`);

/**
 * Exports and erasures among all jobs: for those who answer for them, and for who requested their own. That another person's data was requested
 * is itself data of that person: who answers for it no more does not see it any longer.
 */
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
      rowsFor: (caller) => [rowsOf(caller)],
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

const visibleTo = (
  caller: Principal,
): Pick<JobRows, 'where' | 'requester' | 'permitted' | 'subjects'> & { readonly at: 'admin' | 'me' } => {
  const where = sql`r.tenant_id = ${caller.tenant_id}`;
  if (isResponsible(caller)) return { where, requester: null, permitted: true, subjects: 'all', at: 'admin' };
  const own = sql`${where} AND r.dsr_requested_by = r.dsr_user`;
  return { where: own, requester: sql`r.dsr_user`, permitted: caller.key_id === null, subjects: null, at: 'me' };
};

const rowsOf = (caller: Principal): JobRows => {
  const { at, ...visible } = visibleTo(caller);
  return { ...ROWS, ...visible, href: sql`${`/api/v1/${at}/privacy-requests/`} || r.dsr_id` };
};

const ROWS: Omit<JobRows, 'where' | 'requester' | 'permitted' | 'subjects' | 'href'> = {
  from: sql`privacy_request r`,
  job_kind: sql`'governance.' || r.dsr_kind`,
  queue: { name: sql`${privacy.name}` },
  subject: { type: sql`CASE WHEN r.dsr_user IS NOT NULL THEN 'user' END`, id: sql`r.dsr_user` },
  states: {
    unfinished: sql`r.dsr_status IN ('pending_approval', 'scheduled', 'running', 'blocked')`,
    failing: sql`r.dsr_status = 'failed'`,
  },
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
};
