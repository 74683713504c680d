import { Injectable, type OnModuleInit } from '@nestjs/common';
import { BaseContents } from '../../bases/application/base-contents';
import { CrawlPagesRepository } from '../infrastructure/crawl-pages.repository';

const AT_ONCE = 1_000;

/** Crawls go with their base: their pages first, some at a time. */
@Injectable()
export class CrawlsOfBases implements OnModuleInit {
  constructor(
    private readonly contents: BaseContents,
    private readonly pages: CrawlPagesRepository,
  ) {}

  onModuleInit(): void {
    this.contents.register({ kind: 'crawl', purgeStretch: async (ds_id) => (await this.pages.removeOfBase(ds_id, AT_ONCE)) === AT_ONCE });
  }
}
