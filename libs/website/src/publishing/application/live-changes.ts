import { Injectable } from '@nestjs/common';
import { violatesConstraint } from '@atrium/platform/database';
import { alreadyExists, Clock, Ids } from '@atrium/platform/kernel';
import { Outbox } from '@atrium/platform/messaging';
import { PageVersions } from '../../nodes/application/page-versions';
import { SiteNumbers } from '../../sites/application/site-numbers';
import type { SiteOfDrafts } from '../../nodes/domain/page-draft';
import type { DraftStructure, LivePage, NewLivePage } from '../domain/live-page';
import { fullPath } from '../domain/live-path';
import { ownChanges, pathTooLong } from '../domain/publish-plan';
import type { PageToPublish, PublishWork } from '../domain/publish-work';
import { LivePagesRows } from '../infrastructure/live-pages.rows';
import { RedirectsRepository, type LeftBehind } from '../infrastructure/redirects.repository';
import { prefixOf } from './site-prefix';
import { Snapshots, type ReadyFiles } from './snapshots';

/** What is published: all of the plan, and which of its pages differ from what is live. */
export interface OpenedWork {
  readonly work: PublishWork;
  readonly changed: readonly PageToPublish[];
  readonly files: ReadyFiles;
  readonly by: string | null;
}

/** What visitors find where pages were: a redirect, 410, or else 404. */
export interface Departure {
  readonly redirect_to?: string | null;
  readonly gone?: boolean;
  readonly by: string | null;
}

interface Opening {
  readonly site_seq: number;
  readonly redirects: readonly { readonly red_from: string; readonly node_id: string }[];
  readonly repathed: number;
}

/** Writes changes of what is live: each takes one number of its site. */
@Injectable()
export class LiveChanges {
  constructor(
    private readonly rows: LivePagesRows,
    private readonly redirects: RedirectsRepository,
    private readonly snapshots: Snapshots,
    private readonly versions: PageVersions,
    private readonly numbers: SiteNumbers,
    private readonly outbox: Outbox,
    private readonly clock: Clock,
    private readonly ids: Ids,
  ) {}

  async openPages(site: SiteOfDrafts, { work, changed, files, by }: OpenedWork): Promise<Opening> {
    const now = this.clock.now();
    const versions = await this.recordVersions(changed, by);
    const site_seq = await this.numbers.takeNext(site.site_id);
    const frozen = await this.snapshots.freezePages(site, changed, files);
    const left = await this.leftBehind(site, work);
    const closed = changed.flatMap(({ live }) => (live ? [live] : []));
    await this.rows.closePages(
      closed.map(({ np_id }) => np_id),
      site_seq,
      now,
    );
    const pages = [
      ...this.openedPassages(work, now),
      ...changed.map((page) =>
        this.openedPage(page, { snapshot: frozen.get(page), version: versions.get(page.draft.node_id) ?? null, now }),
      ),
    ];
    const repathed = await this.whileFree(async () => {
      const moved = work.changes.map(({ locale, node_id, from, to }) => ({
        locale,
        node_id,
        old_lineage: from.lineage,
        new_lineage: to.lineage,
        old_path: from.path,
        new_path: to.path,
      }));
      const along =
        moved.length === 0
          ? 0
          : await this.rows.moveDescendants(site.site_id, moved, { closed: closed.map(({ np_id }) => np_id), site_seq, now });
      await this.rows.openPages(site.site_id, pages, { site_seq, now, by });
      return along;
    });
    await this.redirects.leaveBehind(site.site_id, left, now);
    await this.redirects.removeTakenOver(site.site_id, site.site_locales, site_seq);
    await this.rows.closeEmptySegments(
      site.site_id,
      work.changes.map(({ from }) => from.lineage),
      site_seq,
      now,
    );
    await this.rows.saveStates(
      [...openedFolders(work), ...changed.map(({ draft }) => draft)].map(({ node_id, locale, hash }) => ({
        node_id,
        locale,
        status: 'published',
        hash,
        first_published: now,
      })),
    );
    await this.snapshots.releaseUnshown(closed);
    for (const { draft, place } of changed)
      this.emitPage('page.published', site, { node_id: draft.node_id, locale: draft.locale, path: place.path }, site_seq);
    return { site_seq, repathed, redirects: left.map(({ from, node_id }) => ({ red_from: from, node_id: node_id ?? '' })) };
  }

  /** Takes these pages down; what is live below them stays. Answers the number of the site, or null when none was live. */
  async closePages(site: SiteOfDrafts, live: readonly LivePage[], how: Departure): Promise<number | null> {
    const seen = live.filter(({ kind }) => kind !== 'segment');
    if (seen.length === 0) return null;
    const now = this.clock.now();
    const site_seq = await this.numbers.takeNext(site.site_id);
    await this.rows.closePages(
      seen.map(({ np_id }) => np_id),
      site_seq,
      now,
    );
    const passages = await this.rows.findWithLiveBelow(site.site_id, seen);
    const segments = seen.filter(({ locale, node_id }) => passages.has(`${locale} ${node_id}`));
    await this.rows.openPages(
      site.site_id,
      segments.map((page) => this.segmentOf(page)),
      { site_seq, now, by: how.by },
    );
    await this.rows.closeEmptySegments(
      site.site_id,
      seen.map(({ lineage }) => lineage),
      site_seq,
      now,
    );
    await this.redirects.leaveBehind(site.site_id, this.departures(site, seen, how), now);
    await this.rows.saveStates(
      seen.map(({ node_id, locale }) => ({ node_id, locale, status: 'unpublished', hash: null, first_published: null })),
    );
    await this.snapshots.releaseUnshown(seen);
    for (const { node_id, locale, path } of seen) this.emitPage('page.unpublished', site, { node_id, locale, path }, site_seq);
    return site_seq;
  }

  /** The pages that go live as they are now become versions, once each for all their locales. */
  private async recordVersions(changed: readonly PageToPublish[], by: string | null): Promise<Map<string, string>> {
    const versions = new Map<string, string>();
    const locales = new Map<string, string[]>();
    for (const { draft } of changed) {
      if (draft.version === null) locales.set(draft.node_id, [...(locales.get(draft.node_id) ?? []), draft.locale]);
      else versions.set(draft.node_id, draft.version);
    }
    // A version that is live stays as it is: no save goes on with it, and it is not removed.
    await this.versions.keepVersions([...versions.values()]);
    const recorded = await this.versions.recordVersions(
      [...locales].map(([node_id, codes]) => ({ node_id, kind: 'published', locales: codes })),
      by,
    );
    for (const { node_id, ver_id } of recorded) versions.set(node_id, ver_id);
    return versions;
  }

  private openedPassages(work: PublishWork, now: Date): NewLivePage[] {
    return work.passages.map(({ structure, place: { wished: _, ...place } }) => ({
      ...place,
      np_id: this.ids.next(),
      locale: structure.locale,
      order: structure.order,
      // Nobody sees a segment: its draft may say what is not public.
      name: place.kind === 'segment' ? structure.slug : structure.name,
      template: null,
      link: null,
      tags: place.kind === 'segment' ? [] : structure.tags,
      menu: place.kind !== 'segment' && structure.menu,
      noindex: false,
      hash: place.kind === 'segment' ? '' : structure.hash,
      snapshot: null,
      version: null,
      first_published: now,
    }));
  }

  private openedPage(
    { draft, place: { wished: _, ...place }, live }: PageToPublish,
    { snapshot, version, now }: { readonly snapshot: string | undefined; readonly version: string | null; readonly now: Date },
  ): NewLivePage {
    const { locale, order, name, template, link, tags, menu, hash, seo } = draft;
    return {
      ...place,
      np_id: this.ids.next(),
      locale,
      order,
      name,
      template,
      link,
      tags,
      menu,
      hash,
      noindex: seo.noindex === true,
      snapshot: snapshot ?? null,
      version,
      first_published: live && live.kind !== 'segment' ? live.first_published : now,
    };
  }

  private segmentOf({ locale, node_id, parent, lineage, slug, path, order, first_published }: LivePage): NewLivePage {
    return {
      np_id: this.ids.next(),
      node_id,
      locale,
      kind: 'segment',
      parent,
      lineage,
      slug,
      path,
      order,
      name: slug,
      template: null,
      link: null,
      tags: [],
      menu: false,
      noindex: false,
      hash: '',
      snapshot: null,
      version: null,
      first_published,
    };
  }

  /** A page that got another path leads to its new one, and so does everything below it, by one rule. */
  private async leftBehind(site: SiteOfDrafts, work: PublishWork): Promise<LeftBehind[]> {
    const repathed = work.changes.filter(({ from, to }) => from.path !== to.path);
    const withBelow = await this.rows.findWithLiveBelow(
      site.site_id,
      repathed.map(({ live }) => live),
    );
    const own = [...new Set(repathed.map(({ locale }) => locale))].flatMap((code) =>
      ownChanges(repathed.filter(({ locale }) => locale === code)).map((change) => ({ ...change, locale: code })),
    );
    return own.flatMap(({ node_id, locale, kind, from }) => {
      const old = fullPath(prefixOf(site, locale), from.path);
      const rules = [...(kind === 'page' ? [old] : []), ...(withBelow.has(`${locale} ${node_id}`) ? [`${old === '/' ? '' : old}/*`] : [])];
      return rules.map((red_from) => this.ruleTo({ from: red_from, locale, node_id }));
    });
  }

  /** Until a page is live there again. */
  private departures(site: SiteOfDrafts, pages: readonly LivePage[], { redirect_to = null, gone = false, by }: Departure): LeftBehind[] {
    if (redirect_to === null && !gone) return [];
    return pages
      .filter(({ kind }) => kind === 'page')
      .map(({ locale, path }) => ({
        red_id: this.ids.next(),
        from: fullPath(prefixOf(site, locale), path),
        locale,
        node_id: null,
        to: redirect_to,
        status: redirect_to === null ? 410 : 301,
        kind: 'auto',
        by,
      }));
  }

  private ruleTo({ from, locale, node_id }: { readonly from: string; readonly locale: string; readonly node_id: string }): LeftBehind {
    return { red_id: this.ids.next(), from, locale, node_id, to: null, status: 301, kind: 'auto', by: null };
  }

  /** Two publishes to one path wait for each other by the number of the site; the second one finds it taken. */
  private async whileFree<T>(write: () => Promise<T>): Promise<T> {
    try {
      return await write();
    } catch (error) {
      if (violatesConstraint(error, 'page_publication_path_taken'))
        throw alreadyExists(
          'node_slug',
          'Another page is live at this path. Give this page another slug or parent, or unpublish the other one.',
        );
      throw violatesConstraint(error, 'page_publication_np_path_check') ? pathTooLong() : error;
    }
  }

  private emitPage(
    name: string,
    site: SiteOfDrafts,
    { node_id, locale, path }: { readonly node_id: string; readonly locale: string; readonly path: string },
    site_seq: number,
  ): void {
    this.outbox.emitEvent({
      name,
      subject_id: node_id,
      payload: { site_id: site.site_id, node_id, locale, path: fullPath(prefixOf(site, locale), path), site_seq },
    });
  }
}

/** Folders that go live because something below them does; segments do not, nobody sees them. */
const openedFolders = ({ passages }: PublishWork): readonly DraftStructure[] =>
  passages.filter(({ place }) => place.kind === 'folder').map(({ structure }) => structure);
