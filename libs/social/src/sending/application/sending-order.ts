import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import { Injectable } from '@nestjs/common';
import { ActingCallers } from '@atrium/identity';
import { Database } from '@atrium/platform/database';
import { Problem } from '@atrium/platform/kernel';
import { refusalOfTarget, ServedTargets, type ServedTarget } from '../../connections/application/served-targets';
import { contentHash } from '../../posts/domain/content-hash';
import { fileIdsOf, partsToSend } from '../../posts/domain/post-parts';
import type { Asker } from '../../posts/domain/social-post';
import type { RenderedVariant } from '../../posts/domain/rendered-variant';
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
  ) {}

  async readOrder(spv_id: string): Promise<SendingOrder | SendingRefusal> {
    const found = await this.db.read(async () => {
      const variant = await this.store.findVariant(spv_id);
      const post = variant && (await this.store.findPost(variant.spv_post));
      return variant && post ? { variant, post } : null;
    });
    if (!found) return refusal('gone', 'The post no longer exists.');
    const denied = await this.denialOf({ user_id: found.post.sp_scheduled_by, key_id: found.post.sp_scheduled_key });
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
    try {
      await this.approvals.demandApproval(post.sp_id, contentHash(post, await this.store.listStates(post.sp_id)));
      return null;
    } catch (error) {
      if (error instanceof Problem && error.code === 'invalid_state') return error.detail;
      throw error;
    }
  }

  private async denialOf({ user_id, key_id }: Asker): Promise<SendingRefusal | null> {
    if (user_id === null) return refusal('permission_denied', 'Nobody is known who scheduled the post.');
    try {
      const caller = await this.callers.resolvePrincipal({ user_id, key_id });
      if (!caller.modules.has('module-social-post'))
        return refusal('license_required', 'The workspace no longer has the module for social posts.');
      return caller.permissions.has('social:publish')
        ? null
        : refusal('permission_denied', 'The person who scheduled the post may no longer publish posts.');
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
