import { Injectable } from '@nestjs/common';
import { Problem } from '@atrium/platform/kernel';
import { PageDrafts } from '../../nodes/application/page-drafts';
import type { PageDraft } from '../../nodes/domain/page-draft';
import type { Site } from '../../sites/domain/site';
import { fullPath } from '../domain/live-path';
import { assertPublishable, localesToPublish, PublishWork, type PublishWish } from '../domain/publish-work';
import { LivePagesRows } from '../infrastructure/live-pages.rows';
import { LiveChanges } from './live-changes';
import { PublishChecks } from './publish-checks';
import { prefixOf } from './site-prefix';
import { Snapshots } from './snapshots';

/** Bytes of contents that are published together: a page of the largest size in all the locales that a site may have. */
const MOST_BYTES = 100 * 1024 * 1024;

/** What went live, with the number of the site from which on it is. */
export interface PublishOutcome {
  readonly site_seq: number;
  readonly published: readonly PublishedPage[];
  readonly redirects: readonly { readonly red_from: string; readonly node_id: string }[];
  /** Pages that got another path because something above them did. */
  readonly repathed: number;
}

export interface PublishedPage {
  readonly node_id: string;
  readonly locale: string;
  readonly path: string;
  readonly hash: string;
}

/**
 * The one way in which content goes live, no matter who asks for it: a person, a schedule, an approval or a CMS. All or nothing in
 * the unit of work of the caller, and under one number of the site.
 */
@Injectable()
export class Publishing {
  constructor(
    private readonly rows: LivePagesRows,
    private readonly drafts: PageDrafts,
    private readonly checks: PublishChecks,
    private readonly snapshots: Snapshots,
    private readonly changes: LiveChanges,
  ) {}

  /** `by`: whose publish it is; null for a CMS. */
  async publishNodes(site: Site, wishes: readonly PublishWish[], by: string | null): Promise<PublishOutcome> {
    const codes = site.site_locales.filter(({ active }) => active).map(({ code }) => code);
    const node_ids = wishes.map(({ node_id }) => node_id);
    await this.rows.lockNodes(site.site_id, node_ids);
    const own = await this.rows.findStructures(site.site_id, node_ids, codes);
    assertPublishable(wishes, own);
    const refs = wishes.flatMap((wish) =>
      localesToPublish(wish, own, codes).map((locale) => ({ node_id: wish.node_id, locale, ...(wish.ver_id && { ver_id: wish.ver_id }) })),
    );
    if ((await this.rows.measureDrafts(refs)) > MOST_BYTES) throw tooLarge();
    const drafts = await this.drafts.findDrafts(site, refs);
    const files = await this.checks.assertReady(drafts);
    const work = await this.planWork(site, drafts, codes);
    const changed = await this.snapshots.findChanged(work.pages, files);
    const published = shownPages(site, work);
    if (changed.length === 0) return { site_seq: site.site_seq, published, redirects: [], repathed: 0 };
    return { published, ...(await this.changes.openPages(site, { work, changed, files, by })) };
  }

  /** A version may have another parent than the draft, so what is above the drafts is read once they are known. */
  private async planWork(site: Site, drafts: readonly PageDraft[], codes: readonly string[]): Promise<PublishWork> {
    const involved = new Set(drafts.flatMap(({ node_id, parent }) => (parent === null ? [node_id] : [node_id, parent])));
    const structures = await this.rows.findStructures(site.site_id, [...involved], codes);
    const live = await this.rows.findLiveWithAncestors([...new Set(structures.map(({ node_id }) => node_id))], codes);
    return new PublishWork(drafts, structures, live);
  }
}

const tooLarge = (): Problem =>
  new Problem(
    'limit_reached',
    'The contents of these pages are too large to be published at once. Publish fewer pages or locales at a time.',
  );

const shownPages = (site: Site, { pages }: PublishWork): PublishedPage[] =>
  pages.map(({ draft: { node_id, locale, hash }, place }) => ({
    node_id,
    locale,
    hash,
    path: fullPath(prefixOf(site, locale), place.path),
  }));
