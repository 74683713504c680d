import { Injectable } from '@nestjs/common';
import { DAY } from '@atrium/platform/kernel';
import { Every, Handles, type JobRun, type ScheduledRun } from '@atrium/platform/messaging';
import { StorageVerification } from '../application/storage-verification';
import { verify, type VerifyPayload } from './verify.jobs';

/** Has stored bytes sampled once a day, and runs `files.verify`. */
@Injectable()
export class VerifyHandler {
  constructor(private readonly verification: StorageVerification) {}

  @Every(DAY, 'files.verify')
  queueVerification({ signal }: ScheduledRun): Promise<void> {
    return this.verification.askAll(signal);
  }

  @Handles(verify)
  async verifySample(_payload: VerifyPayload, run: JobRun): Promise<void> {
    await this.verification.verifySample(run);
  }
}
