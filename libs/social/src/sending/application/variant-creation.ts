import { Injectable } from '@nestjs/common';
import { UsageMeter } from '@atrium/governance';
import { Database } from '@atrium/platform/database';
import { Clock, HOUR, Ids } from '@atrium/platform/kernel';
import { SocialFailure } from '../../network/domain/social-failure';
import { SocialPort, type CreatedPost } from '../../network/domain/social-port';
import { PostVariantStore } from '../../posts/application/post-variant-store';
import type { SendingOrder } from './sending-order';
import { endOf, SendingStore, type HeldVariant } from './sending-store';

/** What an attempt brings to the create. */
export interface CreationFacts {
  readonly order: SendingOrder;
  readonly number: number;
  readonly assets: Readonly<Record<string, string>>;
  readonly hold: string | null;
}

/**
 * Creates a variant at the platform, once: that the request leaves is committed before it does, so that nobody sends it again who does
 * not know what came of it.
 */
@Injectable()
export class VariantCreation {
  constructor(
    private readonly db: Database,
    private readonly store: SendingStore,
    private readonly rows: PostVariantStore,
    private readonly port: SocialPort,
    private readonly meter: UsageMeter,
    private readonly clock: Clock,
    private readonly ids: Ids,
  ) {}

  /** The platform names a post with the same content that is not adopted. Within `changeVariant`. */
  failAsDuplicate(held: HeldVariant, { duplicate_of }: SocialFailure): void {
    if (duplicate_of !== null) held.variant.spv_url = this.port.addressOf(duplicate_of);
    this.store.failVariant(held, { code: 'duplicate', message: 'LinkedIn already has a post with the same content.', retryable: false });
  }

  /** Published or adopted; every other end is a `SocialFailure`. */
  async createVariant(access: string, facts: CreationFacts): Promise<void> {
    const { order, number, assets } = facts;
    const { spv_id } = order.variant;
    const opened = await this.openCreate(order, number);
    if (opened === null) return;
    try {
      const { spv_visibility: visibility, spv_reshare: reshare } = order.variant;
      const { text: commentary, media } = order.rendered;
      const author = order.target.tgt_external_id;
      const created = await this.port.createPost(access, { author, commentary, visibility, reshare, media, assets });
      await this.store.changeVariant(spv_id, (held) => this.finish(held, facts, { spa_id: opened.spa_id, created }));
    } catch (error) {
      if (!(error instanceof SocialFailure)) throw error;
      await this.db.write(() => this.rows.attempts.endStep(opened.spa_id, endOf(error)));
      if (error.kind !== 'duplicate' || !(await this.adoptDuplicate(facts, error, opened.isRepeated))) throw error;
    }
  }

  /** The post was found at the platform: it is the one that an earlier attempt has created. */
  adoptPost(facts: Pick<CreationFacts, 'order' | 'hold'>, external_id: string): Promise<boolean> {
    return this.store.changeVariant(facts.order.variant.spv_id, async (held) => {
      if (held.variant.spv_state !== 'sending' && held.variant.spv_state !== 'unknown') return true;
      if (await this.rows.isOfAnother(external_id, held.variant.spv_id)) return false;
      this.publish(held, external_id, facts.hold);
      return true;
    });
  }

  /** Null where the variant has ended in the meantime. `isRepeated`: an unknown earlier create had the very same body. */
  private openCreate(
    { variant, rendered, body_hash }: SendingOrder,
    number: number,
  ): Promise<{ readonly spa_id: string; readonly isRepeated: boolean } | null> {
    return this.store.changeVariant(variant.spv_id, async ({ variant: held }) => {
      if ((held.spv_state !== 'sending' && held.spv_state !== 'unknown') || held.spv_attempts !== number) return null;
      const spa_id = this.ids.next();
      const since = await this.rows.attempts.findUnknownSince(held.spv_id);
      const isRepeated = since !== null && held.spv_body_hash === body_hash;
      await this.rows.attempts.insertStep(spa_id, held.spv_id, number, 'create');
      held.spv_sent_text = rendered.text;
      held.spv_body_hash = body_hash;
      return { spa_id, isRepeated };
    });
  }

  private async finish(
    held: HeldVariant,
    { hold }: CreationFacts,
    { spa_id, created }: { readonly spa_id: string; readonly created: CreatedPost },
  ): Promise<void> {
    const { http, request_id, external_id } = created;
    await this.rows.attempts.endStep(spa_id, { status: 'done', http, request_id });
    this.publish(held, external_id, hold);
  }

  private async adoptDuplicate(facts: CreationFacts, { duplicate_of }: SocialFailure, isRepeated: boolean): Promise<boolean> {
    if (!isRepeated || duplicate_of === null) return false;
    return this.adoptPost(facts, duplicate_of);
  }

  private publish({ post, variant }: HeldVariant, external_id: string, hold: string | null): void {
    const now = this.clock.now();
    variant.publish(external_id, this.port.addressOf(external_id), now);
    variant.spv_metrics_step = 0;
    variant.spv_metrics_next = new Date(now.getTime() + HOUR);
    this.meter.chargeUsage({
      param: 'social.posts',
      units: 1,
      user: post.sp_scheduled_by,
      key: post.sp_scheduled_key,
      ref: { sp_id: post.sp_id, spv_id: variant.spv_id },
      at: now,
      source: variant.spv_id,
      hold,
    });
  }
}
