import { Injectable } from '@nestjs/common';
import type { Principal } from '@atrium/platform/access';
import { Database } from '@atrium/platform/database';
import { Clock, DAY, notFound, Problem, SECOND } from '@atrium/platform/kernel';
import { GuardedHttp } from '@atrium/platform/outbound';
import { findLinks } from '../../network/domain/utm';
import { partsToSend, type PostIssue } from '../domain/post-parts';
import type { RenderedVariant } from '../domain/rendered-variant';
import { PostsRepository, type PostRow } from '../infrastructure/posts.repository';
import { VariantsRepository, type VariantRow } from '../infrastructure/variants.repository';
import { PostRendering } from './post-rendering';

const MOST_LINKS = 10;
const LINK_TIMES = { connect: 3 * SECOND, headers: 5 * SECOND, total: 8 * SECOND };
const MOST_LINK_BYTES = 64 * 1024;
const SAME_TEXT_MS = 30 * DAY;

export interface CheckedPost {
  readonly issues: readonly PostIssue[];
  readonly variants: readonly { readonly spv_id: string; readonly spv_target: string; readonly spv_rendered: RenderedVariant }[];
}

/** Looks at a post as it would be sent now, and at what only the network knows. */
@Injectable()
export class PostChecks {
  constructor(
    private readonly db: Database,
    private readonly posts: PostsRepository,
    private readonly variants: VariantsRepository,
    private readonly rendering: PostRendering,
    private readonly http: GuardedHttp,
    private readonly clock: Clock,
  ) {}

  async checkPost(caller: Principal, sp_id: string): Promise<CheckedPost> {
    const { post, variants, rendered, repeated } = await this.db.read(() => this.readPost(caller, sp_id));
    const links = linksOf(post, variants).slice(0, MOST_LINKS);
    const reachable = await Promise.all(links.map((url) => this.isReachable(url)));
    const broken = links.filter((_, at) => !reachable[at]);
    return {
      issues: [...rendered.issues, ...repeated, ...broken.map(brokenLink)],
      variants: variants.flatMap(({ spv_id, spv_target }) => {
        const spv_rendered = rendered.variants.get(spv_id);
        return spv_rendered ? [{ spv_id, spv_target, spv_rendered }] : [];
      }),
    };
  }

  private async readPost(caller: Principal, sp_id: string) {
    const post = await this.posts.findPostRow(caller, sp_id);
    if (!post) throw notFound('post');
    const variants = await this.variants.listVariantsOf([sp_id]);
    const rendered = await this.rendering.renderPost(post, variants);
    return { post, variants, rendered, repeated: await this.findRepeated(variants, rendered.variants) };
  }

  private async findRepeated(variants: readonly VariantRow[], rendered: ReadonlyMap<string, RenderedVariant>): Promise<PostIssue[]> {
    const since = new Date(this.clock.now().getTime() - SAME_TEXT_MS);
    const issues: PostIssue[] = [];
    for (const { spv_id, spv_target } of variants) {
      const text = rendered.get(spv_id)?.text;
      if (text === undefined || text === '' || !(await this.variants.hasSameText(spv_target, text, since, spv_id))) continue;
      const message = 'The same text was sent to this target in the last 30 days. The platform may refuse it.';
      issues.push({ code: 'same_text', severity: 'warning', variant: spv_id, path: 'sp_text', message });
    }
    return issues;
  }

  private async isReachable(url: string): Promise<boolean> {
    try {
      const { status, body } = await this.http.openStream(url, { redirects: 5, timeouts: LINK_TIMES, maxBytes: MOST_LINK_BYTES });
      body.destroy();
      return status < 400;
    } catch (error) {
      if (error instanceof Problem) return false;
      throw error;
    }
  }
}

const linksOf = (post: PostRow, variants: readonly VariantRow[]): string[] => {
  const parts =
    variants.length === 0 ? [{ text: post.sp_text, link: post.sp_link }] : variants.map((variant) => partsToSend(post, variant));
  return [...new Set(parts.flatMap(({ text, link }) => [...findLinks(text).map(({ url }) => url), ...(link ? [link.url] : [])]))];
};

const brokenLink = (url: string): PostIssue => ({
  code: 'unreachable_link',
  severity: 'warning',
  variant: null,
  path: 'sp_text',
  message: `${url.slice(0, 300)} cannot be reached.`,
});
