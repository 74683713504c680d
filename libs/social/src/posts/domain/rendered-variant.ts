import { checkMedia, planMedia, type Finding, type MediaPlan, type PostedFile } from '../../network/domain/media-rules';
import type { PlatformLimits } from '../../network/domain/platforms';
import { taggedText, taggedUrl, type Utm } from '../../network/domain/utm';
import { partsToSend, type PostIssue, type PostParts, type VariantParts } from './post-parts';

/** What is sent of a variant: the text as it goes out, its length before escaping, and the media. */
export interface RenderedVariant {
  readonly text: string;
  readonly length: number;
  readonly media: MediaPlan;
}

export interface RenderedParts extends RenderedVariant {
  readonly issues: readonly PostIssue[];
}

/** What a variant is rendered with. */
export interface RenderFacts {
  readonly limits: PlatformLimits;
  readonly files: ReadonlyMap<string, Omit<PostedFile, 'alt' | 'title'>>;
  /** Why files may not be used, by their ids. */
  readonly refusals: ReadonlyMap<string, string>;
  writeText(text: string): { readonly commentary: string; readonly malformed: readonly string[] };
}

type Post = PostParts & { readonly sp_utm: Utm | null };
type Variant = VariantParts & { readonly spv_id: string | null };

const INHERITED: Variant = { spv_id: null, spv_text: null, spv_files: null, spv_link: null };

/** Renders a variant, or the post as one that has nothing of its own would send it. */
export function renderVariant(post: Post, variant: Variant | null, facts: RenderFacts): RenderedParts {
  const own = variant ?? INHERITED;
  const { text, files, link } = partsToSend(post, own);
  const sent = taggedText(text, post.sp_utm);
  const { commentary, malformed } = facts.writeText(sent);
  const known = files.flatMap((file) => {
    const stored = facts.files.get(file.file_id);
    return stored ? [{ ...stored, alt: file.alt, title: file.title }] : [];
  });
  const textOwner = own.spv_text === null ? null : own.spv_id;
  const mediaOwner = own.spv_files === null && own.spv_link === null ? null : own.spv_id;
  const textIssues = textFindings(sent, malformed, files.length > 0 || link !== null, facts.limits);
  const media = [
    ...checkMedia(known, link !== null, facts.limits),
    ...files.flatMap(({ file_id }, at) => refusalFindings(file_id, `sp_files[${at}]`, facts)),
    ...(link ? linkFindings(link.title, link.image, facts) : []),
  ];
  const plan = link && files.length === 0 ? planLink(link, post.sp_utm, facts) : planMedia(known, facts.limits);
  return {
    text: commentary,
    length: sent.length,
    media: plan,
    issues: [
      ...textIssues.map((issue) => ({ ...issue, variant: textOwner })),
      ...media.map((issue) => ({ ...issue, variant: mediaOwner })),
    ],
  };
}

function textFindings(text: string, malformed: readonly string[], hasMedia: boolean, { text_units }: PlatformLimits): Finding[] {
  const findings: Finding[] = [];
  const path = 'sp_text';
  if (text.length > text_units)
    findings.push({
      code: 'too_long',
      severity: 'error',
      path,
      message: `The text has ${text.length} characters; the maximum is ${text_units}.`,
    });
  if (text.trim() === '' && !hasMedia)
    findings.push({ code: 'empty', severity: 'error', path, message: 'A post needs a text, files or a link.' });
  for (const mention of malformed)
    findings.push({
      code: 'malformed_mention',
      severity: 'warning',
      path,
      message: `${mention.slice(0, 100)} does not name an account and is sent as text.`,
    });
  return findings;
}

function refusalFindings(file_id: string, path: string, { files, refusals }: RenderFacts): Finding[] {
  const reason = refusals.get(file_id) ?? (files.has(file_id) ? null : 'The file does not exist.');
  return reason === null ? [] : [{ code: 'file_unavailable', severity: 'error', path, message: reason }];
}

function linkFindings(title: string | null, image: string | null, facts: RenderFacts): Finding[] {
  const findings: Finding[] = [];
  if (!title)
    findings.push({
      code: 'missing_title',
      severity: 'error',
      path: 'sp_link.title',
      message: 'A link card needs a title, because the platform does not read it from the page.',
    });
  if (!image) findings.push({ code: 'missing_image', severity: 'warning', path: 'sp_link.image', message: 'The link card has no image.' });
  const type = image ? facts.files.get(image)?.type : undefined;
  if (type !== undefined && !facts.limits.image_types.includes(type) && !facts.limits.converted_types.includes(type))
    findings.push({
      code: 'unsupported_type',
      severity: 'error',
      path: 'sp_link.image',
      message: `A file of the type ${type} cannot be the image of a link card.`,
    });
  return image ? [...findings, ...refusalFindings(image, 'sp_link.image', facts)] : findings;
}

function planLink(link: NonNullable<PostParts['sp_link']>, utm: Utm | null, { files, limits }: RenderFacts): MediaPlan {
  const stored = link.image ? files.get(link.image) : undefined;
  const [image = null] = stored ? planMedia([{ ...stored, alt: null, title: null }], limits).files : [];
  const planned = { source: taggedUrl(link.url, utm), title: link.title ?? '', description: link.description, image };
  return { kind: 'article', files: [], link: planned };
}
