import { Injectable } from '@nestjs/common';
import { KnownMembers, Mail, type Addressee } from '@atrium/identity';
import { publicOrigin, Settings } from '@atrium/platform/config';
import { withoutEnd } from '@atrium/platform/kernel';
import { ServedTargets } from '../../connections/application/served-targets';
import { PostVariantStore, type SocialPost, type SocialVariant } from './post-variant-store';

const MOST_NAMED = 10;

/** Mails to the creator of a post. Within the unit of work of the change. */
@Injectable()
export class PostNotices {
  constructor(
    private readonly members: KnownMembers,
    private readonly mail: Mail,
    private readonly targets: ServedTargets,
    private readonly store: PostVariantStore,
    private readonly settings: Settings,
  ) {}

  /** Once a sending: which targets it did not reach, and why. */
  async notifyFailed(post: SocialPost): Promise<void> {
    const failed = (await this.store.listStates(post.sp_id)).filter(({ spv_state }) => spv_state === 'failed');
    const reasons = [...new Set(failed.flatMap(({ spv_error }) => (spv_error ? [spv_error.message] : [])))];
    await this.notifyUnsent(post, { targets: failed.map(({ spv_target }) => spv_target), reason: reasons.join(' ') });
  }

  /** Which targets a post does not go to, and why. */
  async notifyUnsent(
    post: SocialPost,
    { targets, reason }: { readonly targets: readonly string[]; readonly reason: string },
  ): Promise<void> {
    const names = await this.namesOf(targets);
    for (const addressee of await this.creatorOf(post))
      this.mail.queueMail({
        template: 'social_post_failed',
        ...addressOf(addressee),
        key: `social-failed-${post.sp_id}-${post.row_version}`,
        vars: { ws_name: addressee.ws_name, post: post.sp_title, targets: names, reason, link: this.linkTo(post) },
      });
  }

  async notifyRemoved(post: SocialPost, { spv_id, spv_target }: SocialVariant): Promise<void> {
    const target = await this.namesOf([spv_target]);
    for (const addressee of await this.creatorOf(post))
      this.mail.queueMail({
        template: 'social_post_removed',
        ...addressOf(addressee),
        key: `social-removed-${spv_id}`,
        vars: { ws_name: addressee.ws_name, platform: 'LinkedIn', post: post.sp_title, target, link: this.linkTo(post) },
      });
  }

  private creatorOf({ sp_created_by }: SocialPost): Promise<Addressee[]> {
    return this.members.resolveAddressees(sp_created_by ? [sp_created_by] : [], 1);
  }

  private async namesOf(ids: readonly string[]): Promise<string> {
    const targets = await this.targets.findTargets(ids);
    return [...targets.values()]
      .slice(0, MOST_NAMED)
      .map(({ tgt_name }) => tgt_name)
      .join(', ');
  }

  private linkTo({ sp_id }: SocialPost): string {
    return `${withoutEnd(this.settings.APP_URL, /\//) || publicOrigin(this.settings)}/social/posts/${sp_id}`;
  }
}

const addressOf = ({ user_email, user_locale, user_id }: Addressee) => ({ to: user_email, locale: user_locale, user_id });
