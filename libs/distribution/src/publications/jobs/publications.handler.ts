import { Injectable, Logger } from '@nestjs/common';
import { Problem } from '@atrium/platform/kernel';
import { Handles, WhenGivenUp, type GivenUpJob, type JobRun } from '@atrium/platform/messaging';
import { EdgePolicies } from '../application/edge-policies';
import { PublicCopies, type WantedCopy } from '../application/public-copies';
import { PublicationFollowing } from '../application/publication-following';
import { copy, policy, window, type CopyPayload, type PolicyPayload, type WindowPayload } from './publications.jobs';

/** What publications have done in the background. Every job brings things to what they are to be now, so that one that was cut off is simply done again. */
@Injectable()
export class PublicationsHandler {
  private readonly log = new Logger(PublicationsHandler.name);

  constructor(
    private readonly copies: PublicCopies,
    private readonly edges: EdgePolicies,
    private readonly following: PublicationFollowing,
  ) {}

  @Handles(copy)
  async copyPublication({ pub_id, pub_key }: CopyPayload, run: JobRun): Promise<void> {
    const wanted = await this.copies.beginCopy(pub_id);
    if (wanted) await this.make(wanted, run);
    await this.copies.deleteStaleCopies(pub_id, pub_key);
  }

  @WhenGivenUp(copy)
  endCopy({ pub_id }: CopyPayload, { reason }: GivenUpJob): Promise<void> {
    return this.copies.giveUp(pub_id, reason);
  }

  @Handles(policy)
  async sendPolicies({ pub_id, es_id }: PolicyPayload, run: JobRun): Promise<void> {
    if (pub_id) await this.edges.sendPolicy(pub_id, run.signal);
    if (es_id) await this.edges.syncEdges(es_id, run);
  }

  @Handles(window)
  applyWindow({ pub_id }: WindowPayload): Promise<void> {
    return this.following.applyWindow(pub_id);
  }

  /** What waiting cannot help fails at once, an outage is waited for, and the rest fails after the last attempt. */
  private async make(wanted: WantedCopy, run: JobRun): Promise<void> {
    try {
      await this.copies.settleCopy(wanted, await this.copies.makeCopy(wanted, run));
    } catch (error) {
      if (run.signal.aborted) throw error;
      const outage = run.waitsFor(error);
      if (outage) await this.copies.recordWait(wanted, outage);
      const isFinal = error instanceof Problem && (error.code === 'not_found' || error.code === 'invalid_state');
      if (!isFinal && !(await run.givesUpOn(error))) throw error;
      this.log.warn({ msg: 'a public copy could not be made', pub_id: wanted.pub_id, err: error });
      await this.copies.failCopy(wanted, error instanceof Problem ? error.detail : 'The file could not be copied.');
    }
  }
}
