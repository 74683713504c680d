import type { Severity } from '../../network/domain/media-rules';

export const LONGEST_TEXT = 10_000;
/** Of files and links of a post, in bytes as JSON. */
export const LARGEST_PARTS = 256 * 1024;

/** A file of a post. */
export interface PostFile {
  readonly file_id: string;
  readonly alt: string | null;
  readonly title: string | null;
}

/** A link that is shown as a card. */
export interface PostLink {
  readonly url: string;
  readonly title: string | null;
  readonly description: string | null;
  readonly image: string | null;
}

export interface PostSource {
  readonly kind: 'manual' | 'node' | 'file' | 'design';
  readonly ref: string | null;
}

export interface PostIssue {
  readonly code: string;
  readonly severity: Severity;
  readonly variant: string | null;
  readonly path: string;
  readonly message: string;
}

/** Why a variant was not sent, or what is not known of it. */
export interface VariantError {
  readonly code: string;
  readonly message: string;
  readonly retryable: boolean;
  readonly at: string;
}

export interface PostParts {
  readonly sp_text: string;
  readonly sp_files: readonly PostFile[];
  readonly sp_link: PostLink | null;
}

export interface VariantParts {
  readonly spv_text: string | null;
  readonly spv_files: readonly PostFile[] | null;
  readonly spv_link: PostLink | null;
}

/** What a variant sends: what is its own, else what the post has. Its own files take the place of an inherited link, and a link of its own that of files. */
export function partsToSend(
  post: PostParts,
  variant: VariantParts,
): { readonly text: string; readonly files: readonly PostFile[]; readonly link: PostLink | null } {
  const text = variant.spv_text ?? post.sp_text;
  const [ownFiles, ownLink] = [variant.spv_files, variant.spv_link];
  if (ownFiles && ownFiles.length > 0 && !ownLink) return { text, files: ownFiles, link: null };
  if (ownLink && !ownFiles) return { text, files: [], link: ownLink };
  return { text, files: ownFiles ?? post.sp_files, link: ownLink ?? post.sp_link };
}

/** All files that a post or its variants name, pictures of link cards included. */
export function fileIdsOf(post: Pick<PostParts, 'sp_files' | 'sp_link'>, variants: readonly VariantParts[]): string[] {
  const files = [post.sp_files, ...variants.map(({ spv_files }) => spv_files ?? [])].flat().map(({ file_id }) => file_id);
  const images = [post.sp_link, ...variants.map(({ spv_link }) => spv_link)].flatMap((link) => (link?.image ? [link.image] : []));
  return [...new Set([...files, ...images])];
}

/** Without the word that was cut, unless it is the only one. */
export function wholeWords(cut: string): string {
  const end = cut.lastIndexOf(' ');
  return (end > 0 ? cut.slice(0, end) : cut).trimEnd();
}

const LONGEST_TITLE = 60;

/** What a post is called that nobody named: the first words of its text. */
export function titleOf(text: string): string {
  const line = text.trim().split('\n', 1)[0]?.trim() ?? '';
  if (line === '') return 'Untitled post';
  const signs = [...line];
  if (signs.length <= LONGEST_TITLE) return line;
  return `${wholeWords(signs.slice(0, LONGEST_TITLE).join(''))}…`;
}

export const NO_SOURCE: PostSource = { kind: 'manual', ref: null };
