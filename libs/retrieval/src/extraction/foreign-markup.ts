import { join } from 'node:path';
import { Injectable } from '@nestjs/common';
import { Compute, defineTask, type ComputeOptions } from '@atrium/platform/compute';
import type { ReadPage } from './html/read-page';
import type { PageToRead } from './html/read-page.task';

/** A page of at most 5 MB that takes longer was made to. */
const PAGE_TIMEOUT_MS = 20_000;

const READ_PAGE = defineTask<typeof import('./html/read-page.task')>(join(__dirname, 'html/read-page.task'), {
  what: 'page',
  timeoutMs: PAGE_TIMEOUT_MS,
});
const SELECTOR = defineTask<typeof import('./html/selector.task')>(join(__dirname, 'html/selector.task'), { what: 'selector' });
const WITHOUT_HTML = defineTask<typeof import('./text/without-html.task')>(join(__dirname, 'text/without-html.task'), { what: 'text' });

const MAY_HOLD_HTML = /<[a-z/!?]/i;

/**
 * Reads pages and markdown that users and strangers wrote, in bounded processes. What takes too long or cannot be read is a problem
 * `unprocessable_content`, whose sentence can be shown.
 */
@Injectable()
export class ForeignMarkup {
  constructor(private readonly compute: Compute) {}

  /** A page of HTML: its text as markdown, its links, and what it asks of programs. */
  readPage(page: PageToRead, options?: ComputeOptions): Promise<ReadPage> {
    return this.compute.runTask(READ_PAGE, page, options);
  }

  isSelector(text: string): Promise<boolean> {
    return this.compute.runTask(SELECTOR, text);
  }

  /** Markdown whose HTML gave way to what it shows, for each of the texts. Those without HTML need no process. */
  async removeHtml(markdowns: readonly string[], options?: ComputeOptions): Promise<readonly string[]> {
    const marked = markdowns.filter((text) => MAY_HOLD_HTML.test(text));
    if (marked.length === 0) return markdowns;
    const cleaned = await this.compute.runTask(WITHOUT_HTML, marked, options);
    let next = 0;
    return markdowns.map((text) => (MAY_HOLD_HTML.test(text) ? (cleaned[next++] ?? '') : text));
  }
}
