import { invalidState, notFound } from '@atrium/platform/kernel';
import type { PageDraft } from '../../nodes/domain/page-draft';
import type { DraftStructure, LivePage } from './live-page';
import { PublishPlan, type DraftPlace, type Placement, type PlaceChange } from './publish-plan';

/** A node that somebody wants to go live: in these locales, or in all that say something of their own; a version, or its draft. */
export interface PublishWish {
  readonly node_id: string;
  readonly locales?: readonly string[] | null;
  readonly ver_id?: string | null;
}

/** A draft that goes live, where it does, and what is live of it. */
export interface PageToPublish {
  readonly draft: PageDraft;
  readonly place: Placement;
  readonly live: LivePage | null;
}

/** A node that opens only as the way to something below it. */
export interface Passage {
  readonly structure: DraftStructure;
  readonly place: Placement;
}

const keyOf = (locale: string, node_id: string): string => `${locale} ${node_id}`;

/** The locales of a wish, in the order of the site. */
export function localesToPublish(wish: PublishWish, structures: readonly DraftStructure[], codes: readonly string[]): string[] {
  if (wish.locales) return codes.filter((code) => wish.locales?.includes(code));
  const written = new Set(
    structures.filter(({ node_id, is_written }) => node_id === wish.node_id && is_written).map(({ locale }) => locale),
  );
  return codes.filter((code) => written.has(code));
}

/** Nodes that are unknown or in the trash do not go live. */
export function assertPublishable(wishes: readonly PublishWish[], structures: readonly DraftStructure[]): void {
  const known = new Map(structures.map((structure) => [structure.node_id, structure]));
  for (const { node_id } of wishes) {
    const node = known.get(node_id);
    if (!node) throw notFound('page');
    if (!node.active) throw invalidState(`The page ${node.name} is in the trash. Restore it first.`);
  }
}

/** One publish: what of its drafts differs from what is live, and what has to open or move for it. */
export class PublishWork {
  readonly pages: readonly PageToPublish[];
  readonly passages: readonly Passage[];
  readonly changes: readonly (PlaceChange & { readonly locale: string; readonly live: LivePage })[];

  constructor(drafts: readonly PageDraft[], structures: readonly DraftStructure[], live: readonly LivePage[]) {
    const livePages = new Map(live.map((page) => [keyOf(page.locale, page.node_id), page]));
    const known = new Map(structures.map((structure) => [keyOf(structure.locale, structure.node_id), structure]));
    const byKey = new Map(drafts.map((draft) => [keyOf(draft.locale, draft.node_id), draft]));
    const pages: PageToPublish[] = [];
    const passages: Passage[] = [];
    const changes: (PlaceChange & { readonly locale: string; readonly live: LivePage })[] = [];
    for (const locale of new Set(drafts.map((draft) => draft.locale))) {
      const plan = planLocale(locale, drafts, structures, live);
      for (const place of plan.placements) {
        const key = keyOf(locale, place.node_id);
        const draft = byKey.get(key);
        const structure = known.get(key);
        if (draft && place.wished) pages.push({ draft, place, live: livePages.get(key) ?? null });
        else if (structure) passages.push({ structure, place });
      }
      for (const change of plan.changes) {
        const page = livePages.get(keyOf(locale, change.node_id));
        if (page) changes.push({ ...change, locale, live: page });
      }
    }
    this.pages = pages;
    this.passages = passages;
    this.changes = changes;
  }

  /** What visitors see of the page is what is live already. Files that were replaced are another matter: they are asked of the snapshot. */
  static isLiveAlready({ draft, place, live }: PageToPublish): boolean {
    return (
      live !== null &&
      live.kind === draft.kind &&
      live.hash === draft.hash &&
      live.order === draft.order &&
      live.path === place.path &&
      live.lineage === place.lineage
    );
  }
}

function planLocale(
  locale: string,
  drafts: readonly PageDraft[],
  structures: readonly DraftStructure[],
  live: readonly LivePage[],
): PublishPlan {
  const own = drafts.filter((draft) => draft.locale === locale);
  const places = new Map<string, DraftPlace>(
    structures
      .filter((structure) => structure.locale === locale)
      .map(({ node_id, parent, kind, slug }) => [node_id, { node_id, parent, kind, slug }]),
  );
  for (const { node_id, parent, kind, slug } of own) places.set(node_id, { node_id, parent, kind, slug });
  const there = new Map(live.filter((page) => page.locale === locale).map((page) => [page.node_id, page]));
  return new PublishPlan(places, there, new Set(own.map(({ node_id }) => node_id)));
}
