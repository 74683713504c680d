import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import { Injectable } from '@nestjs/common';
import { ActingCallers } from '@atrium/identity';
import { ACL_LEVELS, aclLevel } from '@atrium/platform/access';
import { Database } from '@atrium/platform/database';
import { Problem } from '@atrium/platform/kernel';
import { refusalOfTarget, ServedTargets, type ServedTarget } from '../../connections/application/served-targets';
import { fileIdsOf, partsToSend } from '../../posts/domain/post-parts';
import type { RenderedVariant } from '../../posts/domain/rendered-variant';
import { JudgedContent } from '../../posts/application/judged-content';
import { PostApprovals } from '../../posts/application/post-approvals';
import { PostedFiles } from '../../posts/application/posted-files';
import { PostRendering } from '../../posts/application/post-rendering';
import { PostVariantStore, type SocialPost, type SocialVariant } from '../../posts/application/post-variant-store';

/** Everything that an attempt needs, as it is now. */
export interface SendingOrder {
  readonly post: SocialPost;
  readonly variant: SocialVariant;
  readonly target: ServedTarget;
  readonly rendered: RenderedVariant;
  /** By file. */
  readonly hashes: ReadonlyMap<string, { readonly hash: string; readonly type: string; readonly size: number }>;
  readonly body_hash: string;
}

/** Why a variant is not sent. */
export interface SendingRefusal {
  readonly code: string;
  readonly message: string;
  readonly retryable: boolean;
}

const refusal = (code: string, message: string): SendingRefusal => ({ code, message, retryable: true });

/** Puts together what is sent, and finds what keeps it from being sent now: the target, the rights of who scheduled it, its files. */
@Injectable()
export class SendingOrders {
  constructor(
    private readonly db: Database,
    private readonly store: PostVariantStore,
    private readonly callers: ActingCallers,
    private readonly targets: ServedTargets,
    private readonly files: PostedFiles,
    private readonly rendering: PostRendering,
    private readonly approvals: PostApprovals,
    private readonly content: JudgedContent,
  ) {}

  async readOrder(spv_id: string): Promise<SendingOrder | SendingRefusal> {
    const found = await this.db.read(async () => {
      const variant = await this.store.findVariant(spv_id);
      const post = variant && (await this.store.findPost(variant.spv_post));
      return variant && post ? { variant, post } : null;
    });
    if (!found) return refusal('gone', 'The post no longer exists.');
    const denied = await this.denialOf(found.post);
    if (denied) return denied;
    return this.db.read(() => this.composeOrder(found.post, found.variant));
  }

  private async composeOrder(post: SocialPost, variant: SocialVariant): Promise<SendingOrder | SendingRefusal> {
    const target = (await this.targets.findTargets([variant.spv_target])).get(variant.spv_target);
    const unserved = target ? refusalOfTarget(target) : { code: 'disconnected', message: 'The target no longer exists.' };
    if (!target || unserved) return refusal(unserved?.code ?? 'disconnected', unserved?.message ?? '');
    const { files, link } = partsToSend(post, variant);
    const standing = await this.files.findStanding(fileIdsOf({ sp_files: files, sp_link: link }, []));
    const [barred] = standing.refusals.values();
    if (barred !== undefined) return refusal('file_unavailable', barred);
    const unapproved = await this.unapprovedReason(post);
    if (unapproved !== null) return refusal('approval_missing', unapproved);
    const { variants, issues } = await this.rendering.renderPost(post, [variant]);
    const rendered = variants.get(variant.spv_id);
    const error = issues.find(({ severity }) => severity === 'error');
    if (!rendered || error) return refusal('invalid_content', error?.message ?? 'The post cannot be rendered.');
    const hashes = new Map(
      [...standing.files.values()].map(({ file_id, hash, type, size }) => [file_id, { hash: hash ?? '', type, size }]),
    );
    const facts = {
      author: target.tgt_external_id,
      text: rendered.text,
      media: rendered.media,
      files: [...hashes].map(([id, { hash }]) => [id, hash]),
    };
    const { spv_visibility, spv_reshare } = variant;
    return { post, variant, target, rendered, hashes, body_hash: hashOf({ ...facts, spv_visibility, spv_reshare }) };
  }

  /** What may be sent has been approved as it is. */
  private async unapprovedReason(post: SocialPost): Promise<string | null> {
    const hash = await this.content.hashContent(post, await this.store.listStates(post.sp_id));
    return this.approvals.findRefusal(post.sp_id, hash);
  }

  private async denialOf({ sp_acl, sp_scheduled_by: user_id, sp_scheduled_key: key_id }: SocialPost): Promise<SendingRefusal | null> {
    if (user_id === null) return refusal('permission_denied', 'Nobody is known who scheduled the post.');
    try {
      const caller = await this.callers.resolvePrincipal({ user_id, key_id });
      if (!caller.modules.has('module-social-post'))
        return refusal('license_required', 'The workspace no longer has the module for social posts.');
      const level = aclLevel(sp_acl, caller);
      return caller.permissions.has('social:publish') && (level === null || level >= ACL_LEVELS.edit)
        ? null
        : refusal('permission_denied', 'The person who scheduled the post may no longer publish it.');
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      return refusal('permission_denied', 'The person who scheduled the post is no longer an active member of the workspace.');
    }
  }
}

export const isRefusal = (order: SendingOrder | SendingRefusal): order is SendingRefusal => 'retryable' in order;

const hashOf = (value: object): string =>
  createHash('sha256')
    .update(canonicalize(value) ?? '')
    .digest('hex');
