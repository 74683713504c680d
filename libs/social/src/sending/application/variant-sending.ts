import { Injectable } from '@nestjs/common';
import { CreditLedger } from '@atrium/governance';
import { Settings } from '@atrium/platform/config';
import { Database } from '@atrium/platform/database';
import { Clock, MINUTE, Problem } from '@atrium/platform/kernel';
import { ConnectionTokens } from '../../connections/application/connection-tokens';
import { SocialFailure } from '../../network/domain/social-failure';
import { SocialPort } from '../../network/domain/social-port';
import { PostVariantStore, type SocialPost } from '../../posts/application/post-variant-store';
import { MISSED_WINDOW, nextStepAfter } from '../domain/next-step';
import { AssetUploads } from './asset-uploads';
import { isRefusal, SendingOrders, type SendingOrder, type SendingRefusal } from './sending-order';
import { SendingStore } from './sending-store';
import { VariantCreation } from './variant-creation';

/** One attempt to send a variant: token, uploads, create. It ends in a state that says what follows. */
@Injectable()
export class VariantSending {
  constructor(
    private readonly db: Database,
    private readonly rows: PostVariantStore,
    private readonly store: SendingStore,
    private readonly orders: SendingOrders,
    private readonly uploads: AssetUploads,
    private readonly creation: VariantCreation,
    private readonly tokens: ConnectionTokens,
    private readonly port: SocialPort,
    private readonly ledger: CreditLedger,
    private readonly settings: Settings,
    private readonly clock: Clock,
  ) {}

  async sendVariant(spv_id: string, number: number, signal: AbortSignal): Promise<void> {
    if (!(await this.beginAttempt(spv_id, number))) return;
    const order = await this.orders.readOrder(spv_id);
    if (!isRefusal(order) && this.clock.now() > this.lateAt(order.post)) return this.refuse(spv_id, number, MISSED_WINDOW);
    if (isRefusal(order)) return this.refuse(spv_id, number, order);
    const hold = await this.reserve(order);
    if (typeof hold !== 'string') return this.refuse(spv_id, number, hold);
    try {
      await this.tokens.useAccess(order.target.tgt_connection, (access, scopes) =>
        this.attempt(access, scopes, { order, number, hold, signal }),
      );
    } catch (error) {
      await this.ledger.releaseHold(hold);
      if (!(error instanceof SocialFailure)) throw error;
      await this.follow(order.post, spv_id, number, error);
    }
  }

  /** Ends an attempt that its queue has given up; a create that may have left is looked for. */
  async giveUp(spv_id: string, number: number, reason: string): Promise<void> {
    if (!(await this.beginAttempt(spv_id, number))) return;
    await this.refuse(spv_id, number, { code: 'unavailable', message: reason, retryable: true });
  }

  /** False where it is not this attempt's turn any more, or an earlier run of it may have created the post. */
  private beginAttempt(spv_id: string, number: number): Promise<boolean> {
    return this.store.changeVariant(spv_id, async (held) => {
      const { spv_state, spv_attempts } = held.variant;
      if (spv_state !== 'sending' || spv_attempts !== number) return false;
      const mayBeThere = await this.rows.attempts.findOpenCreate(spv_id, number);
      await this.rows.attempts.endLostSteps(spv_id, number);
      if (mayBeThere === null) return true;
      this.store.loseSight(held);
      return false;
    });
  }

  private async attempt(
    access: string,
    scopes: readonly string[],
    {
      order,
      number,
      hold,
      signal,
    }: { readonly order: SendingOrder; readonly number: number; readonly hold: string; readonly signal: AbortSignal },
  ): Promise<void> {
    if (await this.findEarlier(access, scopes, { order, number, hold })) return;
    const assets = await this.uploads.uploadAssets(access, order, number, signal);
    await this.creation.createVariant(access, { order, number, assets, hold });
  }

  /** A create whose outcome was never known is looked for before anything is sent again. */
  private async findEarlier(
    access: string,
    scopes: readonly string[],
    { order, number, hold }: { readonly order: SendingOrder; readonly number: number; readonly hold: string },
  ): Promise<boolean> {
    const { spv_id, spv_sent_text } = order.variant;
    const since = await this.db.read(() => this.rows.attempts.findUnknownSince(spv_id));
    if (since === null || spv_sent_text === null) return false;
    const author = order.target.tgt_external_id;
    const found = await this.store.recordStep(spv_id, number, 'verify', () =>
      this.port.findPost(access, { author, commentary: spv_sent_text, since }, scopes),
    );
    return found.external_id !== null && this.creation.adoptPost({ order, hold }, found.external_id);
  }

  private async follow(post: SocialPost, spv_id: string, number: number, failure: SocialFailure): Promise<void> {
    await this.store.changeVariant(spv_id, async (held) => {
      if (held.variant.spv_state !== 'sending' || held.variant.spv_attempts !== number) return;
      const next = nextStepAfter(failure, { before: held.variant.spv_tries - 1, now: this.clock.now(), lateAt: this.lateAt(post) });
      if (next.kind === 'unknown') return this.store.loseSight(held);
      if (next.kind === 'retry') return this.store.planNextAttempt(held, next.delayMs);
      if (failure.kind === 'duplicate') this.creation.failAsDuplicate(held, failure);
      else this.store.failVariant(held, { code: next.code, message: failure.message, retryable: next.retryable });
    });
  }

  /** When the post is too late to be sent, however long it has waited for its turn. */
  private lateAt({ sp_started }: SocialPost): Date {
    return new Date((sp_started ?? this.clock.now()).getTime() + this.settings.SOCIAL_LATE_MINUTES * MINUTE);
  }

  private async refuse(spv_id: string, number: number, { code, message, retryable }: SendingRefusal): Promise<void> {
    await this.store.changeVariant(spv_id, async (held) => {
      if (held.variant.spv_state !== 'sending' || held.variant.spv_attempts !== number) return;
      this.store.failVariant(held, { code, message, retryable });
    });
  }

  private async reserve({ post, variant }: SendingOrder): Promise<string | SendingRefusal> {
    try {
      const { hold_id } = await this.ledger.reserveCredits({
        lines: [{ param: 'social.posts', units: 1 }],
        user: post.sp_scheduled_by,
        key: post.sp_scheduled_key,
        source: variant.spv_id,
      });
      return hold_id;
    } catch (error) {
      if (error instanceof Problem && error.code === 'credits_exhausted')
        return { code: error.code, message: error.detail, retryable: true };
      throw error;
    }
  }
}
