import { Injectable } from '@nestjs/common';
import { FormerMembers } from '@atrium/identity';
import { Audit, defineAuditTypes } from '@atrium/platform/access';
import { Database } from '@atrium/platform/database';
import { Clock, MINUTE, type JsonObject } from '@atrium/platform/kernel';
import { planJob, Outbox } from '@atrium/platform/messaging';
import { LegalHolds } from '../../retention/application/legal-holds';
import type { PrivacyRequest } from '../domain/privacy-request';
import type { PersonSubject } from '../../shared/domain/person-subject';
import { PrivacyRequestsRepository } from '../infrastructure/privacy-requests.repository';
import { privacy } from '../jobs/privacy.jobs';

/** What is kept of requests for the data of people. */
export const PRIVACY_AUDIT = defineAuditTypes({
  'privacy_request.created': 'The export or erasure of a person was requested.',
  'privacy_request.approved': 'The erasure of a person was approved.',
  'privacy_request.cancelled': 'A privacy request was withdrawn before it began.',
  'privacy_request.retried': 'A privacy request that was blocked or had failed was retried.',
  'privacy_request.blocked': 'The erasure of a person was blocked by a legal hold.',
  'privacy_request.downloaded': 'A download URL for the archive of a person was issued.',
  'privacy_request.completed': 'A privacy request was completed.',
  'privacy_request.failed': 'A privacy request failed.',
});

type Change = (running: PrivacyRequest) => void | Promise<void>;

/**
 * The record of requests that run: each change is one transaction on the locked row, reported with it, and none is made
 * to a request that runs no more. A person who is to be erased can do nothing here from the moment it begins.
 */
@Injectable()
export class RunningRequests {
  constructor(
    private readonly db: Database,
    private readonly requests: PrivacyRequestsRepository,
    private readonly members: FormerMembers,
    private readonly holds: LegalHolds,
    private readonly audit: Audit,
    private readonly outbox: Outbox,
    private readonly clock: Clock,
  ) {}

  /** The request, now running; null when it is not due, no longer wanted, or held. */
  beginRequest(dsr_id: string): Promise<PrivacyRequest | null> {
    return this.db.write(async () => {
      await this.holds.blockNewHolds();
      const request = await this.requests.lock(dsr_id);
      if (request.isRunning) return request;
      if (request.dsr_status !== 'scheduled') return null;
      if (!request.isDue(this.clock)) return this.postpone(request);
      if (request.dsr_kind === 'erasure' && request.dsr_user !== null) {
        if (await this.holds.isHeld('user', request.dsr_user)) return this.block(request);
        await this.members.suspendMember(request.dsr_user);
      }
      request.begin(this.clock);
      await this.requests.save(request);
      return request;
    });
  }

  /** Whether the erasure was done once, but for what legal holds kept. */
  hasWaited(dsr_id: string): Promise<boolean> {
    return this.db.read(async () => (await this.requests.findStoredSubject(dsr_id)) !== undefined);
  }

  recordProgress(dsr_id: string, done: number, total: number): Promise<void> {
    return this.db.write(() => this.requests.recordProgress(dsr_id, done, total));
  }

  /** Changes the request while it runs; false when it does not run any more. */
  amendRequest(dsr_id: string, change: Change): Promise<boolean> {
    return this.db.write(async () => {
      const request = await this.requests.lock(dsr_id);
      if (!request.isRunning) return false;
      await change(request);
      return this.requests.save(request);
    });
  }

  completeRequest(dsr_id: string, complete: Change): Promise<boolean> {
    return this.amendRequest(dsr_id, async (request) => {
      await complete(request);
      this.tellCompleted(request);
    });
  }

  /**
   * The erasure is done; or legal holds keep rows of it, and it waits for their end. Until then it knows whom it is about. A hold that
   * was released while it ran is not overlooked.
   */
  finishErasure(dsr_id: string, subject: PersonSubject): Promise<void> {
    return this.db.write(async () => {
      await this.holds.blockNewHolds();
      const request = await this.requests.lock(dsr_id);
      if (!request.isRunning) return;
      if (!request.awaitsHolds) return this.end(request);
      await this.requests.saveSubject(dsr_id, subject);
      const isReleased = await this.requests.hasReleaseSince(new Date(request.dsr_updated.getTime() - MINUTE));
      request.block(this.clock);
      this.record(request, 'privacy_request.blocked', { dsr_status: request.dsr_status });
      if (isReleased) this.takeUp(request, MINUTE);
      await this.requests.save(request);
    });
  }

  /** Takes up erasures of the workspace that wait for legal holds. */
  resumeHeldErasures(): Promise<void> {
    return this.db.write(async () => {
      for (const dsr_id of await this.requests.findBlockedErasures()) {
        const request = await this.requests.lock(dsr_id);
        if (request.dsr_status !== 'blocked' || !request.awaitsHolds) continue;
        this.takeUp(request, 0);
        await this.requests.save(request);
      }
    });
  }

  failRequest(dsr_id: string, reason: string): Promise<void> {
    return this.db.write(async () => {
      const request = await this.requests.lock(dsr_id);
      if (request.dsr_status === 'scheduled') request.begin(this.clock);
      if (!request.isRunning) return;
      request.fail(reason, this.clock);
      await this.requests.save(request);
      this.record(request, 'privacy_request.failed', { dsr_status: request.dsr_status, dsr_error: reason });
      this.outbox.emitEvent({ name: 'privacy_request.failed', subject_id: dsr_id, payload: { dsr_kind: request.dsr_kind } });
    });
  }

  private async end(request: PrivacyRequest): Promise<void> {
    request.complete(this.clock);
    await this.requests.forgetSubject(request.dsr_id);
    await this.requests.save(request);
    this.tellCompleted(request);
  }

  private takeUp(request: PrivacyRequest, delayMs: number): void {
    request.retry(this.clock);
    this.outbox.addJob(planJob(privacy, { dsr_id: request.dsr_id }, { delayMs }));
  }

  private tellCompleted(request: PrivacyRequest): void {
    const { dsr_id, dsr_kind, dsr_status } = request;
    this.record(request, 'privacy_request.completed', { dsr_kind, dsr_status });
    this.outbox.emitEvent({ name: 'privacy_request.completed', subject_id: dsr_id, payload: { dsr_kind } });
  }

  private postpone({ dsr_id, dsr_execute_after }: PrivacyRequest): null {
    this.outbox.addJob(planJob(privacy, { dsr_id }, { delayMs: dsr_execute_after.getTime() - this.clock.now().getTime() }));
    return null;
  }

  private async block(request: PrivacyRequest): Promise<null> {
    request.block(this.clock);
    await this.requests.save(request);
    this.record(request, 'privacy_request.blocked');
    return null;
  }

  private record({ dsr_id }: PrivacyRequest, type: keyof typeof PRIVACY_AUDIT, after: JsonObject | null = null): void {
    this.audit.record({ type: PRIVACY_AUDIT[type], target: { type: 'privacy_request', id: dsr_id }, after });
  }
}
