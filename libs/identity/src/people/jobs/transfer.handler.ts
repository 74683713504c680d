import { Injectable } from '@nestjs/common';
import { Handles, type JobResult, type JobRun } from '@atrium/platform/messaging';
import { ContentTransfer } from '../application/content-transfer';
import { userTransfer, type TransferPayload } from './transfer.jobs';

/** Runs `identity.user-transfer`. */
@Injectable()
export class TransferHandler {
  constructor(private readonly transfer: ContentTransfer) {}

  @Handles(userTransfer)
  runTransfer(move: TransferPayload, run: JobRun): Promise<JobResult> {
    return this.transfer.runTransfer(move, run);
  }
}
