import { Injectable } from '@nestjs/common';
import { pick } from '@atrium/platform/kernel';
import type { RenderedVariant } from '../domain/rendered-variant';
import type { PostState } from '../domain/post-states';
import { PostApprovals, type PostApproval } from './post-approvals';
import { PostRendering } from './post-rendering';
import type { PostRow } from '../infrastructure/posts.repository';
import { VariantsRepository, type VariantRow } from '../infrastructure/variants.repository';

export interface VariantAnswer extends VariantRow {
  /** Of a post that is read alone. */
  readonly spv_rendered: RenderedVariant | null;
}

/** A post with its variants, as clients see it. */
export interface PostAnswer extends PostRow {
  readonly sp_version: number;
  readonly sp_approval: Pick<PostApproval, 'flow' | 'state' | 'request'> | null;
  readonly variants: readonly VariantAnswer[];
}

/** Completes posts for answers, in a constant number of statements. Within a unit of work. */
@Injectable()
export class PostAnswers {
  constructor(
    private readonly variants: VariantsRepository,
    private readonly approvals: PostApprovals,
    private readonly rendering: PostRendering,
  ) {}

  async completePosts(rows: readonly PostRow[]): Promise<PostAnswer[]> {
    const ids = rows.map(({ sp_id }) => sp_id);
    const variants = await this.variants.listVariantsOf(ids);
    const approvals = await this.approvals.findStandings(ids);
    return rows.map((row) => {
      const approval = approvals.get(row.sp_id) ?? null;
      return {
        ...row,
        sp_state: shownState(row.sp_state, approval),
        sp_version: row.row_version,
        sp_approval: approval && pick(approval, ['flow', 'state', 'request']),
        variants: variants.filter(({ spv_post }) => spv_post === row.sp_id).map((variant) => ({ ...variant, spv_rendered: null })),
      };
    });
  }

  /** With what each variant sends. */
  async completePost(row: PostRow): Promise<PostAnswer> {
    const [answer] = await this.completePosts([row]);
    if (!answer) throw new Error('One row has one answer.');
    const { variants } = await this.rendering.renderPost(row, answer.variants);
    return { ...answer, variants: answer.variants.map((variant) => ({ ...variant, spv_rendered: variants.get(variant.spv_id) ?? null })) };
  }
}

const OF_THE_FLOW: readonly PostState[] = ['draft', 'in_review', 'approved'];

/** Before it is scheduled a post is where its flow has it. */
function shownState(stored: PostState, approval: PostApproval | null): PostState {
  return OF_THE_FLOW.includes(stored) ? stateBy(approval) : stored;
}

export function stateBy(approval: PostApproval | null): 'draft' | 'in_review' | 'approved' {
  if (approval === null) return 'draft';
  if (approval.request !== null) return 'in_review';
  return approval.publishable ? 'approved' : 'draft';
}
