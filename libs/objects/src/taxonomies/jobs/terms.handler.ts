import { Injectable } from '@nestjs/common';
import { Handles, type JobResult, type JobRun } from '@atrium/platform/messaging';
import { TermRemoval } from '../application/term-removal';
import { reassignTerms, type ReassignTermsPayload } from './terms.jobs';

/** Background work about terms. */
@Injectable()
export class TermsHandler {
  constructor(private readonly removal: TermRemoval) {}

  @Handles(reassignTerms)
  reassignTerms(payload: ReassignTermsPayload, run: JobRun): Promise<JobResult> {
    return this.removal.reassignTerms(payload, run);
  }
}
