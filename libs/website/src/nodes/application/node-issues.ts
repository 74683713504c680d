import { Injectable } from '@nestjs/common';
import type { Principal } from '@atrium/platform/access';
import type { FieldFault, JsonObject } from '@atrium/platform/kernel';
import { findReferences } from '../../content/domain/references';
import { placedBlocks, stepFrom } from '../../content/domain/tree';
import type { Block } from '../../content/domain/content-form';
import type { SiteOfDrafts, NodeIssue } from '../domain/page-draft';
import type { DraftPage } from '../domain/draft-page';
import type { Node } from '../domain/node';
import { besideReferences } from '../domain/draft-references';
import { NodeFactsRows } from '../infrastructure/node-facts.rows';
import { ContentChecks } from './content-checks';
import type { SiteLibrary } from './site-libraries';
import { UnreadyFiles } from './unready-files';

/** A draft that is inspected in one locale. */
export interface InspectedDraft {
  readonly site: SiteOfDrafts;
  readonly node: Pick<Node, 'node_id' | 'node_kind' | 'node_link' | 'node_seo'>;
  readonly page: DraftPage;
  readonly library: SiteLibrary;
  readonly locale: string;
}

const CONTENT = 'node_content';
/** The code of issues about files, which publishing asks after again under a lock. */
export const FILE_UNAVAILABLE = 'file_unavailable';

/** What keeps drafts from being published, and what their authors should know. */
@Injectable()
export class NodeIssues {
  constructor(
    private readonly checks: ContentChecks,
    private readonly facts: NodeFactsRows,
    private readonly files: UnreadyFiles,
  ) {}

  async findIssues(draft: InspectedDraft): Promise<readonly NodeIssue[]> {
    const [issues = []] = await this.findIssuesOfMany([draft], null);
    return issues;
  }

  /** The issues of each draft, in their order; with a caller, files are asked after again. All are of one site; a constant number of statements for ordinary pages. */
  async findIssuesOfMany(drafts: readonly InspectedDraft[], caller: Principal | null): Promise<readonly (readonly NodeIssue[])[]> {
    const trees = drafts.map(({ page, locale }) => page.resolve(locale).tree);
    const pages = drafts.flatMap(({ node, library }, at) => (node.node_kind === 'page' ? [{ at, tree: trees[at] as Block, library }] : []));
    const found = await this.checks.inspectPages(pages, caller);
    const faults = new Map(pages.map(({ at }, place) => [at, found[place] ?? []]));
    const live = await this.findLive(drafts, trees);
    const shown = drafts.map((draft, at) => fileReferences(draft, trees[at]));
    const unready = await this.files.findReasons(shown.flatMap((references) => references.map(({ id }) => id)));
    return drafts.map((draft, at) => [
      ...errorsOf(faults.get(at) ?? [], draft),
      ...unreadyFiles(draft, shown[at] ?? [], unready),
      ...translationIssues(draft, trees[at]),
      ...deadLinks(draft, trees[at], live),
    ]);
  }

  /** By locale, the pages that drafts refer to and visitors see. */
  private async findLive(drafts: readonly InspectedDraft[], trees: readonly Block[]): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
    const asked = new Map<string, Set<string>>();
    drafts.forEach((draft, at) => {
      const ids = asked.get(draft.locale) ?? new Set<string>();
      asked.set(draft.locale, ids);
      for (const { id } of pageReferences(draft, trees[at])) ids.add(id);
    });
    const live = new Map<string, ReadonlySet<string>>();
    for (const [locale, ids] of asked)
      if (ids.size > 0 && drafts[0]) live.set(locale, await this.facts.findLivePages(drafts[0].site.site_id, locale, [...ids]));
    return live;
  }
}

function errorsOf(faults: readonly FieldFault[], { node, locale }: InspectedDraft): NodeIssue[] {
  const own = faults.map(({ path, code, message }): NodeIssue => ({ code, severity: 'error', locale, path, message }));
  if (node.node_kind !== 'link' || node.node_link) return own;
  return [...own, { code: 'required', severity: 'error', locale: null, path: 'node_link', message: 'A link must have a target.' }];
}

function translationIssues({ page, library, locale }: InspectedDraft, tree: Block | undefined): NodeIssue[] {
  const { missing, stale } = page.translationIn(locale);
  if (missing.length + stale.length === 0 || !tree) return [];
  const paths = new Map(placedBlocks(tree, library.find).map(({ block, path }) => [block._uid, path]));
  const pathOf = (name: string): string => {
    const dot = name.indexOf('.');
    const [uid, key] = [name.slice(0, dot), name.slice(dot + 1)];
    if (uid === 'seo') return stepFrom('node_seo', key);
    const path = paths.get(uid) ?? '';
    return stepFrom(path === '' ? CONTENT : `${CONTENT}.${path}`, key);
  };
  return [
    ...missing.map((name): NodeIssue => ({
      code: 'missing',
      severity: 'warning',
      locale,
      path: pathOf(name),
      message: 'Is not translated.',
    })),
    ...stale.map((name): NodeIssue => ({
      code: 'stale',
      severity: 'warning',
      locale,
      path: pathOf(name),
      message: 'The text that it translates has changed since.',
    })),
  ];
}

interface PlacedReference {
  readonly id: string;
  readonly path: string;
}

function pageReferences({ node, page, library, locale }: InspectedDraft, tree: Block | undefined): readonly PlacedReference[] {
  const beside = besideReferences(node.node_link, page.resolve(locale).seo).filter(({ kind }) => kind === 'page');
  return [...withinContent({ node, library }, tree, 'page'), ...beside.map(({ ref }) => ({ id: ref, path: 'node_link' }))];
}

function fileReferences({ node, page, library, locale }: InspectedDraft, tree: Block | undefined): readonly PlacedReference[] {
  const beside = (of: Pick<Node, 'node_link'> | null, seo: JsonObject, path: string): PlacedReference[] =>
    besideReferences(of?.node_link ?? null, seo).flatMap(({ kind, ref }) => (kind === 'file' ? [{ id: ref, path }] : []));
  return [
    ...withinContent({ node, library }, tree, 'file'),
    ...beside(node, {}, 'node_link'),
    ...beside(null, page.resolve(locale).seo, 'node_seo.image'),
  ];
}

const withinContent = (
  { node, library }: Pick<InspectedDraft, 'node' | 'library'>,
  tree: Block | undefined,
  of: 'page' | 'file',
): readonly PlacedReference[] =>
  (tree && node.node_kind === 'page' ? findReferences(tree, library.find) : []).flatMap(({ kind, id, path }) =>
    kind === of ? [{ id, path: `${CONTENT}.${path}` }] : [],
  );

const unreadyFiles = (
  { locale }: InspectedDraft,
  references: readonly PlacedReference[],
  unready: ReadonlyMap<string, string>,
): NodeIssue[] =>
  references.flatMap(({ id, path }) => {
    const message = unready.get(id);
    return message === undefined ? [] : [{ code: FILE_UNAVAILABLE, severity: 'error' as const, locale, path, message }];
  });

const deadLinks = (draft: InspectedDraft, tree: Block | undefined, live: ReadonlyMap<string, ReadonlySet<string>>): NodeIssue[] =>
  pageReferences(draft, tree)
    .filter(({ id }) => id !== draft.node.node_id && !live.get(draft.locale)?.has(id))
    .map(({ path }) => ({
      code: 'page_not_live',
      severity: 'warning',
      locale: draft.locale,
      path,
      message: 'The page is not published in this locale. The link works as soon as it is.',
    }));
