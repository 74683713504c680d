import { Injectable } from '@nestjs/common';
import { FormerMembers } from '@atrium/identity';
import { Audit } from '@atrium/platform/access';
import { Database } from '@atrium/platform/database';
import { Clock, Ids, Problem, SECOND, type JsonObject } from '@atrium/platform/kernel';
import { job, Outbox, PermanentFailure, type JobRun } from '@atrium/platform/messaging';
import { privacyArchiveKey, type PrivacyRequest } from '../domain/privacy-request';
import { PrivacyRequestsRepository } from '../infrastructure/privacy-requests.repository';
import { privacy } from '../jobs/privacy.jobs';
import { LegalHolds } from '../../retention/application/legal-holds';
import type { PersonSubject } from '../../shared/application/person-data';
import { PersonErasure } from './person-erasure';
import { PersonExport, type Reached } from './person-export';
import { PrivacySubjects } from './privacy-subjects';
import { PrivacyArchives } from './privacy-archives';
import { PRIVACY_AUDIT } from './privacy.audit';
import { RetentionPolicies } from '../../retention/application/retention-policies';

const PARTS_A_CHECKPOINT = 25;
const TIME_A_CHECKPOINT = 2 * SECOND;

type Run = Pick<JobRun, 'signal' | 'heartbeat' | 'givesUpOn'>;

/**
 * Carries out privacy requests that are due. A worker may be lost anywhere: an export begins again, an erasure goes on
 * with the first context that has not reported. Whoever is to be erased can do nothing here from the first moment on.
 */
@Injectable()
export class PrivacyRuns {
  constructor(
    private readonly db: Database,
    private readonly requests: PrivacyRequestsRepository,
    private readonly subjects: PrivacySubjects,
    private readonly members: FormerMembers,
    private readonly exports: PersonExport,
    private readonly erasures: PersonErasure,
    private readonly holds: LegalHolds,
    private readonly archives: PrivacyArchives,
    private readonly policies: RetentionPolicies,
    private readonly audit: Audit,
    private readonly outbox: Outbox,
    private readonly ids: Ids,
    private readonly clock: Clock,
  ) {}

  async run(dsr_id: string, run: Run): Promise<void> {
    try {
      const request = await this.begin(dsr_id);
      if (!request) return;
      const subject = await this.subjects.known(request);
      await (request.dsr_kind === 'export' ? this.export(request, subject, run) : this.erase(request, subject, run));
    } catch (error) {
      const refusal = error instanceof Problem && error.status < 500 ? error.detail : null;
      if (refusal !== null || (await run.givesUpOn(error)))
        await this.fail(dsr_id, refusal ?? 'It could not be carried out; the service knows why. Try it again.');
      throw refusal === null ? error : new PermanentFailure(refusal);
    }
  }

  /** The request, now running; null when it is not due, not wanted any more, or held. */
  private begin(dsr_id: string): Promise<PrivacyRequest | null> {
    return this.db.write(async () => {
      await this.holds.settle();
      const request = await this.requests.lock(dsr_id);
      if (request.isRunning) return request;
      if (request.dsr_status !== 'scheduled') return null;
      if (!request.isDue(this.clock)) return this.later(request);
      if (request.dsr_kind === 'erasure' && request.dsr_user !== null) {
        if (await this.holds.isHeld('user', request.dsr_user)) return this.block(request);
        await this.members.suspend(request.dsr_user);
      }
      request.begin(this.clock);
      await this.requests.save(request);
      return request;
    });
  }

  private later({ dsr_id, dsr_execute_after }: PrivacyRequest): null {
    this.outbox.add(job(privacy, { dsr_id }, { delayMs: dsr_execute_after.getTime() - this.clock.now().getTime() }));
    return null;
  }

  private async block(request: PrivacyRequest): Promise<null> {
    request.block(this.clock);
    await this.requests.save(request);
    this.tell(request, 'privacy_request.blocked');
    return null;
  }

  private async export(request: PrivacyRequest, subject: PersonSubject, run: Run): Promise<void> {
    const { tenant_id, dsr_id } = request;
    const key = privacyArchiveKey(tenant_id, dsr_id, this.ids.next());
    const { size, report } = await this.exports.write(
      request,
      subject,
      { signal: run.signal, heartbeat: () => run.heartbeat(), key },
      this.checkpoints(dsr_id, run),
    );
    const won = await this.end(dsr_id, async (running) => {
      for (const [context, tables] of Object.entries(report)) running.report(context, tables);
      running.complete(this.clock, { key, size, days: await this.policies.daysOf('exports') });
      this.archives.stored(size);
    });
    await (won ? this.archives.discard(tenant_id, dsr_id, key) : this.archives.drop(key));
  }

  private async erase(request: PrivacyRequest, subject: PersonSubject, run: Run): Promise<void> {
    const contexts = this.erasures.contexts();
    const total = contexts.reduce((sum, [, tables]) => sum + tables, 0);
    let done = 0;
    for (const [context, tables] of contexts) {
      done += tables;
      if (request.dsr_report[context]) continue;
      const report = await this.erasures.erase(context, subject, run);
      await this.amend(request.dsr_id, (running) => {
        running.report(context, report);
        running.reach(done, total);
      });
    }
    await this.end(request.dsr_id, (running) => running.complete(this.clock));
  }

  /** Every 25 parts or 2 seconds: says how far it is and keeps the job. */
  private checkpoints(dsr_id: string, run: Run): Reached {
    let [recorded, at] = [0, this.clock.now().getTime()];
    return async (done, total) => {
      const now = this.clock.now().getTime();
      if (done - recorded < PARTS_A_CHECKPOINT && now - at < TIME_A_CHECKPOINT) return;
      [recorded, at] = [done, now];
      await run.heartbeat();
      await this.db.write(() => this.requests.recordProgress(dsr_id, done, total));
    };
  }

  private amend(dsr_id: string, change: (running: PrivacyRequest) => void | Promise<void>): Promise<boolean> {
    return this.db.write(async () => {
      const request = await this.requests.lock(dsr_id);
      if (!request.isRunning) return false;
      await change(request);
      return this.requests.save(request);
    });
  }

  private end(dsr_id: string, complete: (running: PrivacyRequest) => void | Promise<void>): Promise<boolean> {
    return this.amend(dsr_id, async (request) => {
      await complete(request);
      this.tell(request, 'privacy_request.completed', { dsr_kind: request.dsr_kind, dsr_status: request.dsr_status });
      this.outbox.emit({ name: 'privacy_request.completed', subject_id: dsr_id, payload: { dsr_kind: request.dsr_kind } });
    });
  }

  private fail(dsr_id: string, reason: string): Promise<void> {
    return this.db.write(async () => {
      const request = await this.requests.lock(dsr_id);
      if (request.dsr_status === 'scheduled') request.begin(this.clock);
      if (!request.isRunning) return;
      request.fail(reason, this.clock);
      await this.requests.save(request);
      this.tell(request, 'privacy_request.failed', { dsr_status: request.dsr_status, dsr_error: reason });
      this.outbox.emit({ name: 'privacy_request.failed', subject_id: dsr_id, payload: { dsr_kind: request.dsr_kind } });
    });
  }

  private tell({ dsr_id }: PrivacyRequest, type: keyof typeof PRIVACY_AUDIT, after: JsonObject | null = null): void {
    this.audit.record({ type: PRIVACY_AUDIT[type], target: { type: 'privacy_request', id: dsr_id }, after });
  }
}
