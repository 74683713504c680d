import { Injectable } from '@nestjs/common';
import type { DraftRef, PageDraft, SiteOfDrafts } from '../domain/page-draft';

/** Drafts as previews and publications show them: resolved, with their hash and their issues. */
@Injectable()
export class PageDrafts {
  /** Within the unit of work of the caller, in the order of the references; those of unknown nodes are missing. A constant number of statements. */
  findDrafts(_site: SiteOfDrafts, _refs: readonly DraftRef[]): Promise<readonly PageDraft[]> {
    return Promise.reject(new Error('Not built yet.'));
  }
}
