import { Injectable } from '@nestjs/common';
import { Clock, Ids, SECOND } from '@atrium/platform/kernel';
import { reasonToStop, withoutRetry, type JobRun } from '@atrium/platform/messaging';
import { RetentionPolicies } from '../../retention/application/retention-policies';
import type { PersonSubject } from '../../shared/domain/person-subject';
import { privacyArchiveKey, type PrivacyRequest } from '../domain/privacy-request';
import { PersonErasure } from './person-erasure';
import { PersonExport, type Reached } from './person-export';
import { PrivacyArchives } from './privacy-archives';
import { PrivacySubjects } from './privacy-subjects';
import { RunningRequests } from './running-requests';

const PARTS_A_CHECKPOINT = 25;
const TIME_A_CHECKPOINT = 2 * SECOND;

type Run = Pick<JobRun, 'signal' | 'heartbeat' | 'givesUpOn'>;

/**
 * Carries out privacy requests that are due. A worker may be lost anywhere: an export begins again, an erasure goes on
 * with the first context that has not reported. One that has waited for legal holds goes through all contexts again.
 */
@Injectable()
export class PrivacyRuns {
  constructor(
    private readonly running: RunningRequests,
    private readonly subjects: PrivacySubjects,
    private readonly exports: PersonExport,
    private readonly erasures: PersonErasure,
    private readonly archives: PrivacyArchives,
    private readonly policies: RetentionPolicies,
    private readonly ids: Ids,
    private readonly clock: Clock,
  ) {}

  async runRequest(dsr_id: string, run: Run): Promise<void> {
    try {
      const request = await this.running.beginRequest(dsr_id);
      if (!request) return;
      const subject = await this.subjects.resolveRequestedPerson(request);
      await (request.dsr_kind === 'export' ? this.export(request, subject, run) : this.erase(request, subject, run));
    } catch (error) {
      const reason = await reasonToStop(error, run);
      if (reason !== undefined) await this.running.failRequest(dsr_id, reason);
      throw withoutRetry(error);
    }
  }

  /** The queue has given the request up, and no run can say so. */
  giveUp(dsr_id: string, reason: string): Promise<void> {
    return this.running.failRequest(dsr_id, reason);
  }

  private async export(request: PrivacyRequest, subject: PersonSubject, run: Run): Promise<void> {
    const { tenant_id, dsr_id } = request;
    const key = privacyArchiveKey(tenant_id, dsr_id, this.ids.next());
    const { size, report } = await this.exports.writeExport(
      request,
      subject,
      { signal: run.signal, heartbeat: () => run.heartbeat(), key },
      this.checkpoints(dsr_id, run),
    );
    const won = await this.running.completeRequest(dsr_id, async (running) => {
      for (const [context, tables] of Object.entries(report)) running.report(context, tables);
      running.complete(this.clock, { key, size, days: await this.policies.readDays('exports') });
      this.archives.recordStoredBytes(size);
    });
    await (won ? this.archives.discardArchives(tenant_id, dsr_id, key) : this.archives.deleteArchive(key));
  }

  private async erase(request: PrivacyRequest, subject: PersonSubject, run: Run): Promise<void> {
    const contexts = await this.erasures.listContexts();
    const total = contexts.reduce((sum, [, tables]) => sum + tables, 0);
    const hasWaited = await this.running.hasWaited(request.dsr_id);
    let done = 0;
    for (const [context, tables] of contexts) {
      done += tables;
      const before = request.dsr_report[context];
      if (before && !hasWaited) continue;
      const report = await this.erasures.eraseFromContext(context, subject, run, before ?? null);
      await this.running.amendRequest(request.dsr_id, (running) => {
        running.report(context, report);
        running.reach(done, total);
      });
    }
    await this.running.finishErasure(request.dsr_id, subject);
  }

  /** Every 25 parts or 2 seconds: reports the progress and keeps the job. */
  private checkpoints(dsr_id: string, run: Run): Reached {
    let [recorded, at] = [0, this.clock.now().getTime()];
    return async (done, total) => {
      const now = this.clock.now().getTime();
      if (done - recorded < PARTS_A_CHECKPOINT && now - at < TIME_A_CHECKPOINT) return;
      [recorded, at] = [done, now];
      await run.heartbeat();
      await this.running.recordProgress(dsr_id, done, total);
    };
  }
}
