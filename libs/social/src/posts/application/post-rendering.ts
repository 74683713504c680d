import { Injectable } from '@nestjs/common';
import { SocialPort } from '../../network/domain/social-port';
import { refusalOfTarget, ServedTargets, type ServedTarget } from '../../connections/application/served-targets';
import { fileIdsOf, type PostIssue } from '../domain/post-parts';
import { renderVariant, type RenderedVariant } from '../domain/rendered-variant';
import type { SocialPost } from '../domain/social-post';
import type { SocialVariant } from '../domain/social-variant';
import { PostedFiles, type FileStanding } from './posted-files';

type Post = Pick<SocialPost, 'sp_text' | 'sp_files' | 'sp_link' | 'sp_utm' | 'sp_targets'>;
type Variant = Pick<SocialVariant, 'spv_id' | 'spv_target' | 'spv_text' | 'spv_files' | 'spv_link' | 'spv_visibility'>;

/** A post as it would be sent now. */
export interface RenderedPost {
  readonly issues: readonly PostIssue[];
  /** By the ids of the variants. */
  readonly variants: ReadonlyMap<string, RenderedVariant>;
}

/** Renders posts with what their files and targets allow now. Within a unit of work. */
@Injectable()
export class PostRendering {
  constructor(
    private readonly port: SocialPort,
    private readonly targets: ServedTargets,
    private readonly files: PostedFiles,
  ) {}

  async renderPost(post: Post, variants: readonly Variant[]): Promise<RenderedPost> {
    const standing = await this.files.findStanding(fileIdsOf(post, variants));
    const served = await this.targets.findTargets(post.sp_targets);
    const rendered = variants.map((variant) => ({ variant, parts: this.renderOne(post, variant, standing) }));
    const ofPost = variants.length === 0 ? this.renderOne(post, null, standing).issues : [];
    const issues = [
      ...ofPost,
      ...rendered.flatMap(({ parts }) => parts.issues),
      ...rendered.flatMap(({ variant }) => targetIssues(variant, served)),
    ];
    return {
      issues: [...new Map(issues.map((issue) => [JSON.stringify(issue), issue])).values()],
      variants: new Map(rendered.map(({ variant, parts: { text, length, media } }) => [variant.spv_id, { text, length, media }])),
    };
  }

  private renderOne(post: Post, variant: Variant | null, { files, refusals }: FileStanding) {
    return renderVariant(post, variant, { limits: this.port.limits, files, refusals, writeText: (text) => this.port.renderText(text) });
  }
}

function targetIssues({ spv_id, spv_target, spv_visibility }: Variant, served: ReadonlyMap<string, ServedTarget>): PostIssue[] {
  const target = served.get(spv_target);
  const refusal = target ? refusalOfTarget(target) : { code: 'disconnected', message: 'The target no longer exists.' };
  const issues: PostIssue[] = refusal ? [{ ...refusal, severity: 'error', variant: spv_id, path: 'sp_targets' }] : [];
  if (target?.tgt_kind === 'organization' && spv_visibility !== 'public')
    issues.push({
      code: 'visibility',
      severity: 'error',
      variant: spv_id,
      path: 'spv_visibility',
      message: 'Posts of organizations are always public.',
    });
  return issues;
}
