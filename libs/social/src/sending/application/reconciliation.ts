import { Injectable } from '@nestjs/common';
import { Database } from '@atrium/platform/database';
import { Clock } from '@atrium/platform/kernel';
import { ConnectionTokens } from '../../connections/application/connection-tokens';
import { SocialFailure } from '../../network/domain/social-failure';
import { SocialPort, type PostSearch } from '../../network/domain/social-port';
import { PostVariantStore } from '../../posts/application/post-variant-store';
import { ROUND_PAUSES_MS } from '../domain/next-step';
import { AssetUploads } from './asset-uploads';
import { isRefusal, SendingOrders, type SendingOrder } from './sending-order';
import { SendingStore } from './sending-store';
import { VariantCreation } from './variant-creation';

const UNFOUND = 'Whether the post was published could not be determined. Check the page or profile, then send it again if it is missing.';

/** Finds out what came of a create that was not answered. Where posts may be read it looks; else it repeats the create once, and reads the answer. */
@Injectable()
export class Reconciliation {
  constructor(
    private readonly db: Database,
    private readonly rows: PostVariantStore,
    private readonly store: SendingStore,
    private readonly orders: SendingOrders,
    private readonly uploads: AssetUploads,
    private readonly creation: VariantCreation,
    private readonly tokens: ConnectionTokens,
    private readonly port: SocialPort,
    private readonly clock: Clock,
  ) {}

  async runRound(spv_id: string, round: number, signal: AbortSignal): Promise<void> {
    const variant = await this.db.read(() => this.rows.findVariant(spv_id));
    if (variant?.spv_state !== 'unknown') return;
    const order = await this.orders.readOrder(spv_id);
    const isSettled = !isRefusal(order) && (await this.findOrRepeat(order, round, signal));
    if (!isSettled) await this.endRound(spv_id, round);
  }

  /** Ends what no round could find out. */
  giveUp(spv_id: string): Promise<void> {
    return this.endRound(spv_id, ROUND_PAUSES_MS.length);
  }

  /** Whether the outcome is known now. What the platform does not answer is asked in the next round. */
  private async findOrRepeat(order: SendingOrder, round: number, signal: AbortSignal): Promise<boolean> {
    try {
      return await this.tokens.useAccess(order.target.tgt_connection, async (access, scopes) => {
        const found = await this.lookFor(access, scopes, order);
        if (!found.isReadable) return round === 1 && (await this.repeatCreate(access, order, signal));
        return found.external_id !== null && this.creation.adoptPost({ order, hold: null }, found.external_id);
      });
    } catch (error) {
      if (!(error instanceof SocialFailure)) throw error;
      if (error.kind === 'duplicate') await this.endAsDuplicate(order.variant.spv_id, error);
      return error.kind === 'duplicate';
    }
  }

  /** The platform has the content in a post that is not this variant's: what was sent did not arrive. */
  private endAsDuplicate(spv_id: string, failure: SocialFailure): Promise<void> {
    return this.store.changeVariant(spv_id, (held) => {
      if (held.variant.spv_state === 'unknown') this.creation.failAsDuplicate(held, failure);
      return Promise.resolve();
    });
  }

  private async lookFor(access: string, scopes: readonly string[], { variant, target, rendered }: SendingOrder): Promise<PostSearch> {
    const since = (await this.db.read(() => this.rows.attempts.findUnknownSince(variant.spv_id))) ?? this.clock.now();
    const commentary = variant.spv_sent_text ?? rendered.text;
    return this.store.recordStep(variant.spv_id, variant.spv_attempts, 'verify', () =>
      this.port.findPost(access, { author: target.tgt_external_id, commentary, since }, scopes),
    );
  }

  /** The same body once more: the platform names the post that it has already, or creates the one that it does not have. */
  private async repeatCreate(access: string, order: SendingOrder, signal: AbortSignal): Promise<boolean> {
    if (order.variant.spv_body_hash !== order.body_hash) return false;
    const number = order.variant.spv_attempts;
    const assets = await this.uploads.uploadAssets(access, order, number, signal);
    await this.creation.createVariant(access, { order, number, assets, hold: null });
    return true;
  }

  private async endRound(spv_id: string, round: number): Promise<void> {
    await this.store.changeVariant(spv_id, async (held) => {
      if (held.variant.spv_state !== 'unknown') return;
      held.variant.spv_rounds = round;
      if (round < ROUND_PAUSES_MS.length) this.store.planRound(held.variant, round + 1);
      else this.store.failVariant(held, { code: 'outcome_unknown', message: UNFOUND, retryable: true });
    });
  }
}
