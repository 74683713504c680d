import { Injectable } from '@nestjs/common';
import { Ids, invalidField, invalidFields, pick } from '@atrium/platform/kernel';
import type { Principal } from '@atrium/platform/access';
import { ServedTargets } from '../../connections/application/served-targets';
import type { Visibility } from '../../network/domain/platforms';
import { fileIdsOf, type PostFile, type PostLink } from '../domain/post-parts';
import { type SocialPost } from '../domain/social-post';
import { SocialVariant } from '../domain/social-variant';
import { PostsRepository } from '../infrastructure/posts.repository';
import { VariantsRepository } from '../infrastructure/variants.repository';
import { PostedFiles, type NamedPlace } from './posted-files';
import { PostRendering } from './post-rendering';

/** A file in a request. */
export interface WrittenFile {
  readonly file_id: string;
  readonly alt?: string | null;
  readonly title?: string | null;
}

export interface WrittenLink {
  readonly url: string;
  readonly title?: string | null;
  readonly description?: string | null;
  readonly image?: string | null;
}

/** A variant in a request; null is what the post has. */
export interface WrittenVariant {
  readonly spv_target: string;
  readonly spv_text?: string | null;
  readonly spv_files?: readonly WrittenFile[] | null;
  readonly spv_link?: WrittenLink | null;
  readonly spv_visibility?: Visibility;
  readonly spv_reshare?: boolean;
}

export interface WrittenContent {
  readonly sp_text?: string;
  readonly sp_files?: readonly WrittenFile[];
  readonly sp_link?: WrittenLink | null;
  readonly sp_targets?: readonly string[];
  readonly variants?: readonly WrittenVariant[];
}

const fileOf = ({ file_id, alt = null, title = null }: WrittenFile): PostFile => ({ file_id: file_id.toLowerCase(), alt, title });
const linkOf = ({ url, title = null, description = null, image = null }: WrittenLink): PostLink => ({
  ...{ url, title, description },
  image: image?.toLowerCase() ?? null,
});

/** Writes the content of posts: what they say and show, to whom. Within a unit of work that holds the post. */
@Injectable()
export class PostContent {
  constructor(
    private readonly posts: PostsRepository,
    private readonly variants: VariantsRepository,
    private readonly targets: ServedTargets,
    private readonly files: PostedFiles,
    private readonly rendering: PostRendering,
    private readonly ids: Ids,
  ) {}

  /** Takes over what a request says; the post is not saved yet, its variants are. `isNew`: it has none so far. */
  async writeContent(caller: Principal, post: SocialPost, wish: WrittenContent, isNew: boolean): Promise<void> {
    assertLinks(wish);
    await this.files.assertReadable(caller, placesOf(wish));
    if (wish.sp_text !== undefined) post.sp_text = wish.sp_text;
    if (wish.sp_files !== undefined) post.sp_files = wish.sp_files.map(fileOf);
    if (wish.sp_link !== undefined) post.sp_link = wish.sp_link && linkOf(wish.sp_link);
    if (wish.sp_targets !== undefined) post.sp_targets = await this.knownTargets(wish.sp_targets);
    const known = isNew ? [] : await this.variants.lockVariantsOf(post.sp_id);
    const kept = await this.writeVariants(post, known, wish.variants ?? []);
    post.sp_issues = (await this.rendering.renderPost(post, kept)).issues;
  }

  /** Once the post is stored: its variants and the files it names. */
  async writeReferences(post: SocialPost): Promise<void> {
    const variants = await this.variants.listVariantsOf([post.sp_id]);
    await this.posts.replaceFiles(post.sp_id, fileIdsOf(post, variants));
  }

  private async writeVariants(
    post: SocialPost,
    known: readonly SocialVariant[],
    wishes: readonly WrittenVariant[],
  ): Promise<SocialVariant[]> {
    assertVariants(wishes, post.sp_targets);
    for (const variant of known) if (!post.sp_targets.includes(variant.spv_target)) await this.variants.remove(variant);
    const kept: SocialVariant[] = [];
    for (const target of post.sp_targets) {
      const found = known.find(({ spv_target }) => spv_target === target);
      const variant = found ?? SocialVariant.blank({ spv_id: this.ids.next(), spv_post: post.sp_id, spv_target: target });
      applyWish(
        variant,
        wishes.find(({ spv_target }) => spv_target.toLowerCase() === target),
      );
      if (found) await this.variants.save(variant);
      else await this.variants.insert(variant);
      kept.push(variant);
    }
    return kept;
  }

  private async knownTargets(given: readonly string[]): Promise<string[]> {
    const ids = [...new Set(given.map((id) => id.toLowerCase()))];
    const known = await this.targets.findTargets(ids);
    const faults = given.flatMap((id, at) =>
      known.has(id.toLowerCase()) ? [] : [{ path: `sp_targets[${at}]`, code: 'reference', message: 'must be a target of this workspace' }],
    );
    if (faults.length > 0) throw invalidFields(faults);
    return ids;
  }
}

function applyWish(variant: SocialVariant, wish: WrittenVariant | undefined): void {
  if (!wish) return;
  if (wish.spv_text !== undefined) variant.spv_text = wish.spv_text;
  if (wish.spv_files !== undefined) variant.spv_files = wish.spv_files && wish.spv_files.map(fileOf);
  if (wish.spv_link !== undefined) variant.spv_link = wish.spv_link && linkOf(wish.spv_link);
  Object.assign(variant, pick(wish, given(wish)));
}

const given = (wish: WrittenVariant): ('spv_visibility' | 'spv_reshare')[] =>
  (['spv_visibility', 'spv_reshare'] as const).filter((name) => wish[name] !== undefined);

function assertVariants(wishes: readonly WrittenVariant[], targets: readonly string[]): void {
  const seen = new Set<string>();
  for (const [at, { spv_target }] of wishes.entries()) {
    const id = spv_target.toLowerCase();
    if (!targets.includes(id)) throw invalidField(`variants[${at}].spv_target`, 'must be one of sp_targets', 'reference');
    if (seen.has(id)) throw invalidField(`variants[${at}].spv_target`, 'must not be repeated', 'duplicate');
    seen.add(id);
  }
}

function assertLinks({ sp_link, variants = [] }: WrittenContent): void {
  const links = [
    { path: 'sp_link', link: sp_link },
    ...variants.map(({ spv_link }, at) => ({ path: `variants[${at}].spv_link`, link: spv_link })),
  ];
  for (const { path, link } of links)
    if (link && !(URL.canParse(link.url) && /^https?:$/.test(new URL(link.url).protocol)))
      throw invalidField(`${path}.url`, 'must be an absolute http or https URL', 'url');
}

function placesOf({ sp_files = [], sp_link, variants = [] }: WrittenContent): NamedPlace[] {
  const ofParts = (
    files: readonly WrittenFile[],
    link: WrittenLink | null | undefined,
    [inFiles, inLink]: readonly [string, string],
  ): NamedPlace[] => [
    ...files.map(({ file_id }, at) => ({ path: `${inFiles}[${at}].file_id`, file_id: file_id.toLowerCase() })),
    ...(link?.image ? [{ path: `${inLink}.image`, file_id: link.image.toLowerCase() }] : []),
  ];
  return [
    ...ofParts(sp_files, sp_link, ['sp_files', 'sp_link']),
    ...variants.flatMap(({ spv_files, spv_link }, at) =>
      ofParts(spv_files ?? [], spv_link, [`variants[${at}].spv_files`, `variants[${at}].spv_link`]),
    ),
  ];
}
