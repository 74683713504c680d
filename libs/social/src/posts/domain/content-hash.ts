import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import type { Utm } from '../../network/domain/utm';
import { fileIdsOf, type PostParts, type VariantParts } from './post-parts';

export type JudgedPost = PostParts & { readonly sp_utm: Utm | null };
export type JudgedVariant = VariantParts & {
  readonly spv_target: string;
  readonly spv_visibility: string;
  readonly spv_reshare: boolean;
};

/** What is judged when a post is approved: everything that is sent, and to whom. Files count by their bytes, whose hashes are given by file. */
export function contentHash(post: JudgedPost, variants: readonly JudgedVariant[], bytes: ReadonlyMap<string, string | null>): string {
  const sent = variants
    .map(({ spv_target, spv_text, spv_files, spv_link, spv_visibility, spv_reshare }) => ({
      ...{ spv_target, spv_text, spv_files, spv_link },
      ...{ spv_visibility, spv_reshare },
    }))
    .sort((a, b) => (a.spv_target < b.spv_target ? -1 : 1));
  const { sp_text, sp_files, sp_link, sp_utm } = post;
  const files = Object.fromEntries(fileIdsOf(post, variants).map((file_id) => [file_id, bytes.get(file_id) ?? null]));
  return createHash('sha256')
    .update(canonicalize({ sp_text, sp_files, sp_link, sp_utm, sent, files }) ?? '')
    .digest('hex');
}
