import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import type { Utm } from '../../network/domain/utm';
import type { PostParts, VariantParts } from './post-parts';

/** What is judged when a post is approved: everything that is sent, and to whom. */
export function contentHash(
  post: PostParts & { readonly sp_utm: Utm | null },
  variants: readonly (VariantParts & { readonly spv_target: string; readonly spv_visibility: string; readonly spv_reshare: boolean })[],
): string {
  const sent = variants
    .map(({ spv_target, spv_text, spv_files, spv_link, spv_visibility, spv_reshare }) => ({
      ...{ spv_target, spv_text, spv_files, spv_link },
      ...{ spv_visibility, spv_reshare },
    }))
    .sort((a, b) => (a.spv_target < b.spv_target ? -1 : 1));
  const { sp_text, sp_files, sp_link, sp_utm } = post;
  return createHash('sha256')
    .update(canonicalize({ sp_text, sp_files, sp_link, sp_utm, sent }) ?? '')
    .digest('hex');
}
