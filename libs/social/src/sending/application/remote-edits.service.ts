import { Injectable } from '@nestjs/common';
import { assertAclLevel, permissionDenied, type Principal } from '@atrium/platform/access';
import { Database, type Precondition } from '@atrium/platform/database';
import { invalidField, invalidState, notFound, Problem } from '@atrium/platform/kernel';
import { refusalOf } from '../../connections/application/authorizations.service';
import { ConnectionTokens } from '../../connections/application/connection-tokens';
import { ServedTargets } from '../../connections/application/served-targets';
import { SocialFailure } from '../../network/domain/social-failure';
import { SocialPort } from '../../network/domain/social-port';
import { taggedText } from '../../network/domain/utm';
import { JudgedContent } from '../../posts/application/judged-content';
import { PostApprovals } from '../../posts/application/post-approvals';
import { PostJournal } from '../../posts/application/post-journal';
import { PostNotices } from '../../posts/application/post-notices';
import { PostVariantStore, type SocialPost, type SocialVariant } from '../../posts/application/post-variant-store';
import { PostsService } from '../../posts/application/posts.service';
import type { VariantAnswer } from '../../posts/application/post-answers';
import { SendingStore } from './sending-store';

interface PublishedVariant {
  readonly post: SocialPost;
  readonly variant: SocialVariant;
  readonly external_id: string;
  readonly con_id: string;
}

/** Edits and deletes posts where they were published. */
@Injectable()
export class RemoteEdits {
  constructor(
    private readonly db: Database,
    private readonly rows: PostVariantStore,
    private readonly store: SendingStore,
    private readonly posts: PostsService,
    private readonly targets: ServedTargets,
    private readonly tokens: ConnectionTokens,
    private readonly port: SocialPort,
    private readonly journal: PostJournal,
    private readonly notices: PostNotices,
    private readonly approvals: PostApprovals,
    private readonly content: JudgedContent,
  ) {}

  async editText(caller: Principal, sp_id: string, spv_id: string, text: string): Promise<VariantAnswer> {
    const found = await this.requirePublished(caller, sp_id, spv_id);
    const sent = taggedText(text, found.post.sp_utm);
    if (sent.length > this.port.limits.text_units)
      throw invalidField('spv_text', `must have at most ${this.port.limits.text_units} characters`, 'too_long');
    const { commentary } = this.port.renderText(sent);
    await this.assertApproved(found, text);
    await this.callRemote(found, (access) => this.port.editPost(access, found.external_id, commentary));
    await this.store.changeVariant(spv_id, async ({ post, variant }) => {
      variant.spv_text = text;
      variant.spv_sent_text = commentary;
      this.journal.record('social_post.changed_remotely', post, null);
    });
    const variant = (await this.posts.get(caller, sp_id)).variants.find((one) => one.spv_id === spv_id);
    if (!variant) throw notFound('variant');
    return variant;
  }

  async removeRemote(caller: Principal, sp_id: string, spv_id: string): Promise<void> {
    await this.removeThere(await this.requirePublished(caller, sp_id, spv_id));
  }

  /** What has been published was approved as it is; another text is content that nobody has approved. */
  private assertApproved({ post, variant: { spv_id } }: PublishedVariant, spv_text: string): Promise<void> {
    return this.db.read(async () => {
      const variants = await this.rows.listStates(post.sp_id);
      const changed = variants.map((variant) => (variant.spv_id === spv_id ? { ...variant, spv_text } : variant));
      if ((await this.approvals.findRefusal(post.sp_id, await this.content.hashContent(post, changed))) !== null)
        throw invalidState(await this.unapprovedText(post));
    });
  }

  private async unapprovedText({ sp_id }: SocialPost): Promise<string> {
    const standing = (await this.approvals.findStandings([sp_id])).get(sp_id);
    return `The flow ${standing?.flow_name ?? ''} has not approved this text. Delete the post at the platform, and have a new one approved.`;
  }

  /** With `remote` what was published is deleted at the platform first. */
  async removePost(
    caller: Principal,
    sp_id: string,
    { remote, precondition }: { readonly remote: boolean; readonly precondition?: Precondition | undefined },
  ): Promise<void> {
    if (remote) {
      if (!caller.permissions.has('social:publish')) throw permissionDenied(['social:publish']);
      await this.posts.assertRemovable(caller, sp_id, precondition);
      for (const { spv_id, spv_state, spv_removed } of (await this.posts.get(caller, sp_id)).variants)
        if (spv_state === 'published' && !spv_removed) await this.removeUnlessGone(await this.requirePublished(caller, sp_id, spv_id));
    }
    await this.posts.remove(caller, sp_id, precondition);
  }

  private async removeUnlessGone(found: PublishedVariant): Promise<void> {
    try {
      await this.removeThere(found);
    } catch (error) {
      if (!(error instanceof Problem) || error.code !== 'gone') throw error;
    }
  }

  private async removeThere(found: PublishedVariant): Promise<void> {
    const wasThere = await this.callRemote(found, (access) => this.port.removePost(access, found.external_id));
    if (!wasThere) throw await this.recordGone(found);
    await this.store.changeVariant(found.variant.spv_id, async ({ post, variant }) => {
      variant.markRemoved(true);
      this.journal.record('social_post.changed_remotely', post, null);
    });
  }

  private async callRemote<T>(found: PublishedVariant, call: (access: string) => Promise<T>): Promise<T> {
    try {
      return await this.tokens.useAccess(found.con_id, call);
    } catch (error) {
      if (!(error instanceof SocialFailure)) throw error;
      throw error.kind === 'gone' ? await this.recordGone(found) : refusalOf(error);
    }
  }

  private async recordGone({ variant: { spv_id } }: PublishedVariant): Promise<Problem> {
    await this.store.changeVariant(spv_id, async ({ post, variant }) => {
      if (variant.spv_removed) return;
      variant.markRemoved(false);
      await this.notices.notifyRemoved(post, variant);
    });
    return new Problem('gone', 'The post was deleted at the platform.');
  }

  private requirePublished(caller: Principal, sp_id: string, spv_id: string): Promise<PublishedVariant> {
    return this.db.read(async () => {
      const post = await this.rows.findPost(sp_id);
      if (!post) throw notFound('post');
      assertAclLevel(post.sp_acl, caller, 'edit', 'post');
      const variant = await this.rows.findVariant(spv_id);
      if (variant?.spv_post !== sp_id) throw notFound('variant');
      if (variant.spv_removed) throw new Problem('gone', 'The post was deleted at the platform.');
      if (variant.spv_state !== 'published' || variant.spv_external_id === null)
        throw invalidState(`The variant is ${variant.spv_state}; only published variants can be changed at the platform.`);
      const target = (await this.targets.findTargets([variant.spv_target])).get(variant.spv_target);
      if (!target) throw notFound('target');
      return { post, variant, external_id: variant.spv_external_id, con_id: target.tgt_connection };
    });
  }
}
