import { Injectable } from '@nestjs/common';
import { LegalHolds } from '@atrium/governance';
import { Settings } from '@atrium/platform/config';
import { Database } from '@atrium/platform/database';
import { Clock, MINUTE } from '@atrium/platform/kernel';
import { PostMoves } from '../../posts/application/post-moves.service';
import { PostVariantStore } from '../../posts/application/post-variant-store';
import { isSendable } from '../../posts/domain/post-states';
import { MISSED_WINDOW } from '../domain/next-step';
import { SendingStore } from './sending-store';

/** Begins to send posts whose time has come, and removes those that were deleted long ago. However often a post is found due, it begins once. */
@Injectable()
export class DuePosts {
  constructor(
    private readonly db: Database,
    private readonly store: PostVariantStore,
    private readonly sending: SendingStore,
    private readonly moves: PostMoves,
    private readonly holds: LegalHolds,
    private readonly settings: Settings,
    private readonly clock: Clock,
  ) {}

  listDue(most: number): Promise<readonly { readonly tenant_id: string; readonly sp_id: string }[]> {
    return this.store.findDuePosts(most);
  }

  listRemoved(most: number): Promise<readonly { readonly tenant_id: string; readonly sp_id: string }[]> {
    return this.store.findRemovedPosts(most);
  }

  /** Removes a post for good that was deleted long ago, unless it was restored in the meantime or its author is under a legal hold. */
  purgePost(sp_id: string): Promise<void> {
    return this.db.write(async () => {
      const post = await this.store.lockPost(sp_id);
      const isHeld = post.sp_created_by !== null && (await this.holds.isHeld('user', post.sp_created_by));
      if (!post.sp_active && !isHeld) await this.store.purgePost(post);
    });
  }

  startPost(sp_id: string): Promise<void> {
    return this.db.write(async () => {
      const post = await this.store.lockPost(sp_id);
      const now = this.clock.now();
      if (post.sp_state !== 'scheduled' || post.sp_schedule_at === null || post.sp_schedule_at > now) return;
      const waiting = (await this.store.lockVariantsOf(sp_id)).filter(isSendable);
      const isLate = now.getTime() - post.sp_schedule_at.getTime() > this.settings.SOCIAL_LATE_MINUTES * MINUTE;
      post.beginPublishing(null, this.clock);
      if (!isLate) await this.moves.startVariants(waiting);
      else
        for (const variant of waiting) {
          variant.fail(MISSED_WINDOW, now);
          await this.store.saveVariant(variant);
        }
      await this.store.savePost(post);
      await this.sending.concludePost(post);
    });
  }
}
