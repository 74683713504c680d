import { SECOND } from '@atrium/platform/kernel';

/** What becomes of a request of a public page: a row of its own, a row for ten, or none. */
export type Sampling = 'kept' | 'sampled' | 'left';

const ALL_PER_SECOND = 50;
const ONE_IN = 10;

/** Rows of public pages, so that a flood of visitors does not fill a workspace's log: all up to 50 a second, then every tenth. */
export class PublicSampler {
  private second = 0;
  private readonly seen = new Map<string, number>();

  sampleRequest(tenant_id: string, now: number): Sampling {
    const second = Math.floor(now / SECOND);
    if (second !== this.second) this.seen.clear();
    this.second = second;
    const before = this.seen.get(tenant_id) ?? 0;
    this.seen.set(tenant_id, before + 1);
    if (before < ALL_PER_SECOND) return 'kept';
    return (before - ALL_PER_SECOND) % ONE_IN === 0 ? 'sampled' : 'left';
  }
}
