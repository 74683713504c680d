import { Injectable } from '@nestjs/common';
import { notFound } from '@atrium/platform/kernel';
import type { SocialPost } from '../domain/social-post';
import type { SocialVariant } from '../domain/social-variant';
import { AttemptRows } from '../infrastructure/attempts.rows';
import { PostsRepository } from '../infrastructure/posts.repository';
import { VariantsRepository, type VariantRow } from '../infrastructure/variants.repository';

/** Posts and variants for areas that send them. Within a unit of work. */
@Injectable()
export class PostVariantStore {
  constructor(
    private readonly posts: PostsRepository,
    private readonly variants: VariantsRepository,
    readonly attempts: AttemptRows,
  ) {}

  /** A variant and its post, locked: the post first. */
  async lockVariant(spv_id: string): Promise<{ readonly post: SocialPost; readonly variant: SocialVariant }> {
    const found = await this.variants.findRow(spv_id);
    if (!found) throw notFound('variant');
    const post = await this.posts.lock(found.spv_post);
    return { post, variant: await this.variants.lock(spv_id) };
  }

  lockPost(sp_id: string): Promise<SocialPost> {
    return this.posts.lock(sp_id);
  }

  lockVariantsOf(sp_id: string): Promise<SocialVariant[]> {
    return this.variants.lockVariantsOf(sp_id);
  }

  listStates(sp_id: string): Promise<VariantRow[]> {
    return this.variants.listVariantsOf([sp_id]);
  }

  findVariant(spv_id: string): Promise<SocialVariant | null> {
    return this.variants.findRow(spv_id);
  }

  findPost(sp_id: string): Promise<SocialPost | null> {
    return this.posts.findRow(sp_id);
  }

  isOfAnother(external_id: string, spv_id: string): Promise<boolean> {
    return this.variants.isOfAnother(external_id, spv_id);
  }

  saveVariant(variant: SocialVariant): Promise<boolean> {
    return this.variants.save(variant);
  }

  savePost(post: SocialPost): Promise<boolean> {
    return this.posts.save(post);
  }

  findRemovedPosts(most: number): Promise<readonly { readonly tenant_id: string; readonly sp_id: string }[]> {
    return this.posts.findRemovedPosts(most);
  }

  /** For good, with its variants, attempts and numbers. */
  async purgePost(post: SocialPost): Promise<void> {
    await this.posts.remove(post);
  }

  findDuePosts(most: number): Promise<readonly { readonly tenant_id: string; readonly sp_id: string }[]> {
    return this.posts.findDuePosts(most);
  }
}

export type { SocialPost, SocialVariant };
