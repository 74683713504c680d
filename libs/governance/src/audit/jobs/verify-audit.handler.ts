import type { JsonObject } from '@atrium/platform/kernel';
import { Handles, type JobRun } from '@atrium/platform/messaging';
import { Injectable } from '@nestjs/common';
import { AuditVerification } from '../application/audit-verification';
import { verifyAudit, type VerifyAuditPayload } from './verify-audit.jobs';

/** Runs `governance.verify-audit`: the verdict is the job's result. */
@Injectable()
export class VerifyAuditHandler {
  constructor(private readonly verification: AuditVerification) {}

  @Handles(verifyAudit)
  async verifyAudit({ from, to }: VerifyAuditPayload, run: JobRun): Promise<JsonObject | void> {
    const range = { from: from === undefined ? undefined : new Date(from), to: to === undefined ? undefined : new Date(to) };
    const verdict = await this.verification.verifyRange(range, async (events, total) => {
      run.signal.throwIfAborted();
      await run.heartbeat();
      await run.reportProgress(events, total);
      return !(await run.isCancelled());
    });
    return verdict ?? undefined;
  }
}
