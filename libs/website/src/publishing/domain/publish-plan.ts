import { invalidState, Problem } from '@atrium/platform/kernel';
import { LONGEST_PATH, pathBelow, ROOT } from './live-path';

/** Levels of nodes. */
const DEEPEST = 15;
const DIGITS = 32;

/**
 * What a node is in the live tree of a locale. A segment is a page that is not live while something below it is: it lends its
 * part of the path, and nobody sees it.
 */
export type LiveKind = 'page' | 'folder' | 'link' | 'segment';

/** Where a node is live in a locale. */
export interface LivePlace {
  readonly kind: LiveKind;
  readonly parent: string | null;
  readonly lineage: string;
  readonly slug: string;
  readonly path: string;
}

/** A node as its draft has it, as far as its place is concerned. */
export interface DraftPlace {
  readonly node_id: string;
  readonly parent: string | null;
  readonly kind: 'page' | 'folder' | 'link';
  readonly slug: string;
}

/** A node that goes live, or above one that does, with the place it gets. */
export interface Placement extends LivePlace {
  readonly node_id: string;
  /** Whether the draft goes live; otherwise it is only opened as the way to something below it. */
  readonly wished: boolean;
}

/** A node that is live already and gets another place; what is live below it goes along. */
export interface PlaceChange {
  readonly node_id: string;
  readonly kind: LiveKind;
  readonly from: LivePlace;
  readonly to: LivePlace;
}

/**
 * Decides where nodes go live in one locale. Their place is that of their draft; nodes above them that are live stay where they
 * are live, whatever their drafts say, and those that are not live open as folders or segments.
 */
export class PublishPlan {
  private readonly placed = new Map<string, LivePlace>();
  private readonly visiting = new Set<string>();
  private readonly opened: string[] = [];

  constructor(
    /** What goes live and what is above it in the draft, by id. */
    private readonly drafts: ReadonlyMap<string, DraftPlace>,
    /** What of it is live, and what is live above that, by id. */
    private readonly live: ReadonlyMap<string, LivePlace>,
    private readonly wished: ReadonlySet<string>,
  ) {
    for (const id of wished) this.placeNode(id);
  }

  /** What is opened, parents before what is below them. */
  get placements(): readonly Placement[] {
    return this.opened.map((node_id) => ({ node_id, wished: this.wished.has(node_id), ...this.placeNode(node_id) }));
  }

  /** Nodes whose live place changes. */
  get changes(): readonly PlaceChange[] {
    return this.opened.flatMap((node_id) => {
      const from = this.live.get(node_id);
      const to = this.placeNode(node_id);
      if (!from || (from.lineage === to.lineage && from.path === to.path)) return [];
      return [{ node_id, kind: from.kind, from, to }];
    });
  }

  private placeNode(id: string): LivePlace {
    const known = this.placed.get(id);
    if (known) return known;
    if (this.visiting.has(id)) throw circular();
    this.visiting.add(id);
    const place = this.findPlace(id);
    this.visiting.delete(id);
    this.placed.set(id, place);
    return place;
  }

  private findPlace(id: string): LivePlace {
    const draft = this.drafts.get(id);
    const live = this.live.get(id);
    if (live && !this.wished.has(id)) return this.placeBelow(id, live.parent, live);
    if (!draft) throw new Error(`The node ${id} is above what is published and was not read.`);
    const kind = this.wished.has(id) ? draft.kind : draft.kind === 'folder' ? 'folder' : 'segment';
    const place = this.placeBelow(id, draft.parent, { kind, slug: draft.slug });
    this.opened.push(id);
    return place;
  }

  private placeBelow(id: string, parent: string | null, { kind, slug }: Pick<LivePlace, 'kind' | 'slug'>): LivePlace {
    const above = parent === null ? null : this.placeNode(parent);
    const lineage = `${above?.lineage ?? ''}${id.replaceAll('-', '')}`;
    const path = pathBelow(above?.path ?? ROOT, slug);
    if (lineage.length > DEEPEST * DIGITS) throw new Problem('invalid_move', `Pages can be nested at most ${DEEPEST} levels deep.`);
    if (path.length > LONGEST_PATH) throw pathTooLong();
    return { kind, parent, lineage, slug, path };
  }
}

/** Changes that are more than what a change further up brings about: `/products/lamp` follows `/products`. */
export function ownChanges(changes: readonly PlaceChange[]): readonly PlaceChange[] {
  return changes.filter(
    (change) =>
      !changes.some(
        (above) =>
          above !== change &&
          change.from.lineage.startsWith(above.from.lineage) &&
          change.from.path.startsWith(`${above.from.path === ROOT ? '' : above.from.path}/`) &&
          change.to.path ===
            `${above.to.path === ROOT ? '' : above.to.path}${change.from.path.slice(above.from.path === ROOT ? 0 : above.from.path.length)}`,
      ),
  );
}

export const pathTooLong = (): Problem =>
  new Problem('invalid_move', `A path would have more than ${LONGEST_PATH.toLocaleString('en')} characters. Shorten the slugs above it.`);

const circular = (): Problem =>
  invalidState('The draft moves a page below one that is still live below it. Publish both of them together.');
