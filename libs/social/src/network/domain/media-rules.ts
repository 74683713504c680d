import type { PlatformLimits } from './platforms';

/** A file of a post as the rules see it; what is not known of it is null. */
export interface PostedFile {
  readonly file_id: string;
  readonly name: string;
  readonly type: string;
  readonly size: number;
  readonly width: number | null;
  readonly height: number | null;
  readonly seconds: number | null;
  readonly pages: number | null;
  readonly alt: string | null;
  readonly title: string | null;
}

export type MediaKind = 'image' | 'video' | 'document';
export type PlanKind = 'none' | 'image' | 'images' | 'video' | 'document' | 'article';

export interface PlannedFile {
  readonly file_id: string;
  readonly kind: MediaKind;
  readonly alt: string | null;
  readonly title: string | null;
  /** It is sent as a JPEG of its own, because the platform does not take it as it is. */
  readonly is_converted: boolean;
}

export interface PlannedLink {
  readonly source: string;
  readonly title: string;
  readonly description: string | null;
  readonly image: PlannedFile | null;
}

/** What is sent beside the text. */
export interface MediaPlan {
  readonly kind: PlanKind;
  readonly files: readonly PlannedFile[];
  readonly link: PlannedLink | null;
}

export type Severity = 'error' | 'warning' | 'info';

/** Something that keeps a post from being sent, or that its author should know. */
export interface Finding {
  readonly code: string;
  readonly severity: Severity;
  readonly path: string;
  readonly message: string;
}

const error = (code: string, path: string, message: string): Finding => ({ code, severity: 'error', path, message });

/** What kind of media a file is for the platform; null: none that it takes. */
function mediaKindOf(type: string, limits: PlatformLimits): MediaKind | null {
  if (limits.image_types.includes(type) || limits.converted_types.includes(type)) return 'image';
  if (limits.video_types.includes(type)) return 'video';
  return limits.document_types.includes(type) ? 'document' : null;
}

/** Whether a picture is sent as a JPEG made of it: another format, too many pixels, or a PNG, which may be transparent. */
function isConverted({ type, width, height }: PostedFile, limits: PlatformLimits): boolean {
  return limits.converted_types.includes(type) || type === 'image/png' || (width ?? 0) * (height ?? 0) > limits.image_pixels;
}

/** Faults of the files of a post, by the rules of the platform. */
export function checkMedia(files: readonly PostedFile[], hasLink: boolean, limits: PlatformLimits): Finding[] {
  const kinds = files.map(({ type }) => mediaKindOf(type, limits));
  const findings = files.flatMap((file, at) => fileFindings(file, kinds[at] ?? null, `sp_files[${at}]`, limits));
  const images = kinds.filter((kind) => kind === 'image').length;
  const others = kinds.filter((kind) => kind === 'video' || kind === 'document').length;
  if (images > limits.images) findings.push(error('too_many_files', 'sp_files', `A post can have at most ${limits.images} images.`));
  if (others > 1 || (others === 1 && images > 0))
    findings.push(error('mixed_media', 'sp_files', 'A post can have images, or one video, or one document, but not a mixture.'));
  if (hasLink && files.length > 0) findings.push(error('mixed_media', 'sp_link', 'A post can have files or a link card, but not both.'));
  return findings;
}

function fileFindings(file: PostedFile, kind: MediaKind | null, path: string, limits: PlatformLimits): Finding[] {
  const { name, type } = file;
  if (kind === null) return [error('unsupported_type', path, `${name} is of the type ${type}, which cannot be posted.`)];
  if (kind === 'video') return videoFindings(file, path, limits);
  if (kind === 'document') return documentFindings(file, path, limits);
  const findings: Finding[] = [];
  if (!file.alt)
    findings.push({ code: 'missing_alt', severity: 'warning', path: `${path}.alt`, message: `${name} has no alternative text.` });
  if (isConverted(file, limits))
    findings.push({ code: 'converted', severity: 'info', path, message: `${name} is sent as a JPEG made from it.` });
  return findings;
}

function videoFindings({ name, size, seconds }: PostedFile, path: string, limits: PlatformLimits): Finding[] {
  const { video_bytes, video_seconds } = limits;
  const findings: Finding[] = [];
  if (size < video_bytes.min) findings.push(error('too_small', path, `${name} is smaller than 75 KB, the minimum for videos.`));
  if (size > video_bytes.max) findings.push(error('too_large', path, `${name} is larger than 500 MB, the maximum for videos.`));
  if (seconds !== null && (seconds < video_seconds.min || seconds > video_seconds.max))
    findings.push(error('duration', path, `${name} must be between 3 seconds and 30 minutes long.`));
  return findings;
}

function documentFindings({ name, size, pages, title }: PostedFile, path: string, limits: PlatformLimits): Finding[] {
  const findings: Finding[] = [];
  if (!title) findings.push(error('missing_title', `${path}.title`, `${name} needs a title, which is shown with the document.`));
  if (size > limits.document_bytes) findings.push(error('too_large', path, `${name} is larger than 100 MB, the maximum for documents.`));
  if (pages !== null && pages > limits.document_pages)
    findings.push(error('too_many_pages', path, `${name} has more than ${limits.document_pages} pages.`));
  return findings;
}

/** What is sent of files that have passed, in their order. */
export function planMedia(files: readonly PostedFile[], limits: PlatformLimits): MediaPlan {
  const planned = files.flatMap((file): PlannedFile[] => {
    const kind = mediaKindOf(file.type, limits);
    if (kind === null) return [];
    const { file_id, alt, title } = file;
    return [{ file_id, kind, alt, title, is_converted: kind === 'image' && isConverted(file, limits) }];
  });
  const [first] = planned;
  if (!first) return { kind: 'none', files: [], link: null };
  if (first.kind !== 'image') return { kind: first.kind, files: [first], link: null };
  return { kind: planned.length === 1 ? 'image' : 'images', files: planned, link: null };
}
