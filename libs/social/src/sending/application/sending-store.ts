import { Injectable } from '@nestjs/common';
import { Database } from '@atrium/platform/database';
import { Clock, Ids } from '@atrium/platform/kernel';
import { Outbox, planJob } from '@atrium/platform/messaging';
import { SocialFailure } from '../../network/domain/social-failure';
import { PostJournal } from '../../posts/application/post-journal';
import { PostNotices } from '../../posts/application/post-notices';
import type { VariantError } from '../../posts/domain/post-parts';
import type { SocialPost } from '../../posts/domain/social-post';
import type { SocialVariant } from '../../posts/domain/social-variant';
import { PostVariantStore } from '../../posts/application/post-variant-store';
import { publishVariant, reconcileVariant } from '../../posts/jobs/publishing.jobs';
import { ROUND_PAUSES_MS } from '../domain/next-step';

/** A post and one of its variants, both locked. */
export interface HeldVariant {
  readonly post: SocialPost;
  readonly variant: SocialVariant;
}

const LOST_SIGHT = 'LinkedIn did not respond to the request that creates the post. Whether it was published is being determined.';

/** Changes variants on their way, each in a unit of work that holds its post; the last one that ends, ends the post. */
@Injectable()
export class SendingStore {
  constructor(
    private readonly db: Database,
    private readonly store: PostVariantStore,
    private readonly notices: PostNotices,
    private readonly journal: PostJournal,
    private readonly outbox: Outbox,
    private readonly clock: Clock,
    private readonly ids: Ids,
  ) {}

  /** The post first, so that all who change both wait in one order. */
  changeVariant<T>(spv_id: string, work: (held: HeldVariant) => Promise<T>): Promise<T> {
    return this.db.write(async () => {
      const held = await this.store.lockVariant(spv_id);
      const result = await work(held);
      await this.store.saveVariant(held.variant);
      await this.concludePost(held.post);
      return result;
    });
  }

  /** Within `changeVariant`. */
  failVariant({ variant }: HeldVariant, error: Omit<VariantError, 'at'>): void {
    variant.fail(error, this.clock.now());
  }

  loseSight({ variant }: HeldVariant): void {
    variant.loseSight(LOST_SIGHT, this.clock.now());
    this.planRound(variant, 1);
  }

  planRound({ spv_id }: SocialVariant, round: number): void {
    this.outbox.addJob(planJob(reconcileVariant, { spv_id, round }, { delayMs: ROUND_PAUSES_MS[round - 1] ?? 0 }));
  }

  planNextAttempt({ variant }: HeldVariant, delayMs: number): void {
    const number = variant.beginNextAttempt();
    this.outbox.addJob(planJob(publishVariant, { spv_id: variant.spv_id, number }, { delayMs }));
  }

  /** Does one step of an attempt outside of any unit of work, with a row that says how it ended. */
  async recordStep<T>(spv_id: string, number: number, step: 'token' | 'upload' | 'verify', work: () => Promise<T>): Promise<T> {
    const spa_id = this.ids.next();
    await this.db.write(() => this.store.attempts.insertStep(spa_id, spv_id, number, step));
    try {
      const result = await work();
      await this.db.write(() => this.store.attempts.endStep(spa_id, { status: 'done' }));
      return result;
    } catch (error) {
      if (error instanceof SocialFailure) await this.db.write(() => this.store.attempts.endStep(spa_id, endOf(error)));
      throw error;
    }
  }

  /** Ends the post with its last variant. */
  async concludePost(post: SocialPost): Promise<void> {
    if (post.sp_state !== 'publishing') return;
    const variants = await this.store.listStates(post.sp_id);
    const outcome = post.conclude(variants.map(({ spv_state }) => spv_state));
    if (outcome === null) return;
    post.sp_updated = this.clock.now();
    await this.store.savePost(post);
    this.journal.emitEvent(outcome === 'failed' ? 'failed' : 'published', post);
    if (outcome === 'partial') this.journal.emitEvent('failed', post);
    if (outcome !== 'published') await this.notices.notifyFailed(post);
  }
}

export const endOf = ({ kind, message, http, request_id }: SocialFailure) => ({
  status: kind === 'unknown' ? ('unknown' as const) : ('failed' as const),
  error: message,
  http,
  request_id,
});
