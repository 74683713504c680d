import { Logger } from '@nestjs/common';
import { MINUTE } from '@atrium/platform/kernel';

/**
 * Warns that an address has taken all that one address may have. A load balancer or proxy whose address is not trusted looks like one
 * caller, although it brings many.
 */
export class ShareNotice {
  private readonly log = new Logger(ShareNotice.name);
  private quietUntil = -Infinity;

  /** `what` an address has a share of, such as `connections`. */
  constructor(private readonly what: string) {}

  /** Warns at most once a minute. */
  warnShareReached(network: string): void {
    if (performance.now() < this.quietUntil) return;
    this.quietUntil = performance.now() + MINUTE;
    this.log.warn({
      msg: `one address has its whole share of the ${this.what}, and more of it is refused; if it is that of a proxy or load balancer, add it to TRUSTED_PROXIES`,
      network,
    });
  }
}
