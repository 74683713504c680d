import { SECOND } from '@atrium/platform/kernel';

/** How often a claim is renewed; it lapses after three of these. */
const RENEW_MS = 2 * SECOND;

/**
 * The claim of one finalize call on an upload, renewed for as long as the call is at work: joining and hashing may take minutes,
 * and the claim of a process that has ended lapses within seconds.
 */
export class UploadClaim {
  private readonly timer: NodeJS.Timeout;
  private renewing: Promise<void> = Promise.resolve();

  /** `renew` claims the upload again where it is still held since the moment, and answers the new moment; null: it is lost. */
  constructor(
    private moment: Date,
    private readonly renew: (since: Date) => Promise<Date | null>,
  ) {
    this.timer = setInterval(() => (this.renewing = this.renewing.then(() => this.again())), RENEW_MS).unref();
  }

  /** Ends the renewals, so that what is stored does not change any more; answers since when the upload is held. */
  async stopRenewals(): Promise<Date> {
    clearInterval(this.timer);
    await this.renewing;
    return this.moment;
  }

  private async again(): Promise<void> {
    const renewed = await this.renew(this.moment).catch(() => null);
    if (renewed) this.moment = renewed;
  }
}
