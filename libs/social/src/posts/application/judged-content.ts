import { Injectable } from '@nestjs/common';
import { contentHash, type JudgedPost, type JudgedVariant } from '../domain/content-hash';
import { fileIdsOf } from '../domain/post-parts';
import { PostedFileRows } from '../infrastructure/posted-files.rows';

/** What is judged when a post is approved: its content, with the bytes that its files have now. Within a unit of work. */
@Injectable()
export class JudgedContent {
  constructor(private readonly files: PostedFileRows) {}

  async hashContent(post: JudgedPost, variants: readonly JudgedVariant[]): Promise<string> {
    const files = await this.files.findFiles(fileIdsOf(post, variants));
    return contentHash(post, variants, new Map([...files].map(([file_id, { hash }]) => [file_id, hash])));
  }
}
