import { auditTypes } from '@atrium/platform/access';
import { Database, listPage, sql, type ListParameters, type Page } from '@atrium/platform/database';
import { notFound } from '@atrium/platform/kernel';
import { BackgroundJobs, planJob, type Job } from '@atrium/platform/messaging';
import { Injectable } from '@nestjs/common';
import { AuditEvent } from '../domain/audit-event';
import { AuditSeal, type Verdict } from '../domain/audit-seal';
import { AuditEventRows } from '../infrastructure/audit-events.rows';
import { verifyAudit } from '../jobs/verify-audit.jobs';
import { AuditVerification, type VerifiedRange } from './audit-verification';

/** Verifications of more events than this run in the background. */
const AT_ONCE = 1_000_000;

export interface AuditFilters extends ListParameters {
  readonly aud_type?: string;
}

/** What administrators read of the audit trail, and its proof. */
@Injectable()
export class AuditEventsService {
  constructor(
    private readonly db: Database,
    private readonly rows: AuditEventRows,
    private readonly verification: AuditVerification,
    private readonly jobs: BackgroundJobs,
  ) {}

  list(query: AuditFilters): Promise<Page<AuditEvent>> {
    const { aud_type: type } = query;
    const where =
      type === undefined ? sql`true` : type.endsWith('.*') ? sql`starts_with(r.aud_type, ${type.slice(0, -1)})` : sql`r.aud_type = ${type}`;
    return this.db.read((tx) => listPage<AuditEvent>(tx, AuditEvent, query, { where }));
  }

  async get(id: string): Promise<AuditEvent> {
    const event = await this.rows.findEvent(id);
    if (!event) throw notFound('audit event');
    return event;
  }

  listTypes(): ReturnType<typeof auditTypes> {
    return auditTypes();
  }

  listSeals(query: ListParameters): Promise<Page<AuditSeal>> {
    return this.db.read((tx) => listPage<AuditSeal>(tx, AuditSeal, query));
  }

  /** The verdict, or the job that will have it. */
  async verifyRange(range: VerifiedRange): Promise<{ readonly verdict: Verdict } | { readonly job: Job }> {
    const total = await this.verification.countEvents(range);
    const { from, to } = range;
    if (total > AT_ONCE)
      return {
        job: await this.jobs.startJob(
          planJob(verifyAudit, { ...(from ? { from: from.toISOString() } : {}), ...(to ? { to: to.toISOString() } : {}) }),
          { total },
        ),
      };
    const verdict = await this.verification.verifyRange(range);
    if (!verdict) throw new Error('A verification without checkpoints ends with a verdict.');
    return { verdict };
  }
}
