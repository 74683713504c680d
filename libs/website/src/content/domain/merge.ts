import { mergeBlocks } from './merge-blocks';
import { Conflicts, mergeUnits, type MergeChoice, type MergeConflict } from './merge-units';
import { buildDocument, flattenDocument, mixedKeys, type PageDocument, type Unit } from './page-document';

export interface MergedDocument {
  /** With the local version of each conflict that is open. */
  readonly document: PageDocument;
  readonly open: readonly MergeConflict[];
  readonly settled: readonly MergeConflict[];
  /** Choices that name no conflict. */
  readonly unused: readonly MergeChoice[];
}

export interface DocumentVersions {
  /** What both sides had last; null where they never had anything in common. */
  readonly base: PageDocument | null;
  readonly local: PageDocument;
  readonly remote: PageDocument;
}

const NO_BASE: PageDocument = {
  name: '',
  slugs: {},
  parent: null,
  template: '',
  kind: 'page',
  content: {},
  overlays: {},
  seo: {},
  order: null,
};

/** Merges two versions of a page unit by unit. What one side changed is taken; what both changed, and not alike, is a conflict. */
export function mergeDocuments({ base, local, remote }: DocumentVersions, choices: readonly MergeChoice[] = []): MergedDocument {
  const conflicts = new Conflicts(choices);
  const all = [base ?? NO_BASE, local, remote] as const;
  const mixed = mixedKeys(all);
  const [b, l, r] = [flattenDocument(all[0], mixed), flattenDocument(local, mixed), flattenDocument(remote, mixed)];
  const facts = mergeUnits({ base: b.facts, local: l.facts, remote: r.facts }, conflicts);
  const blocks = mergeBlocks({ base: b, local: l, remote: r }, conflicts);
  const seo = mergeUnits({ base: seoOf(b), local: seoOf(l), remote: seoOf(r) }, conflicts);
  const overlays = new Map([...blocks.overlays, ['seo', seo] as const]);
  const document = buildDocument({ facts, ...blocks, overlays });
  return { document, open: conflicts.open, settled: conflicts.settled, unused: conflicts.unused };
}

const NONE: ReadonlyMap<string, Unit> = new Map();
const seoOf = ({ overlays }: { readonly overlays: ReadonlyMap<string, ReadonlyMap<string, Unit>> }): ReadonlyMap<string, Unit> =>
  overlays.get('seo') ?? NONE;
