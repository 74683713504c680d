import { join } from 'node:path';
import { Injectable } from '@nestjs/common';
import { Compute, defineTask } from '@atrium/platform/compute';
import { SECOND } from '@atrium/platform/kernel';
import type { PagePreview } from './page-preview.task';

const PREVIEW = defineTask<typeof import('./page-preview.task')>(join(__dirname, 'page-preview.task'), {
  what: 'page',
  timeoutMs: 2 * SECOND,
});

/** Reads pages of strangers in a bounded process. */
@Injectable()
export class PagePreviews {
  constructor(private readonly compute: Compute) {}

  readPreview(html: string, address: string): Promise<PagePreview> {
    return this.compute.runTask(PREVIEW, { html, address });
  }
}

export type { PagePreview };
