import { Injectable } from '@nestjs/common';
import { isDeepStrictEqual } from 'node:util';
import type { Principal } from '@atrium/platform/access';
import { assertCurrent, versionOf, type Precondition } from '@atrium/platform/database';
import { Clock, notFound, Problem } from '@atrium/platform/kernel';
import { Outbox } from '@atrium/platform/messaging';
import { isBlock } from '../../content/domain/content-form';
import { pruneOverlay } from '../../content/domain/overlays';
import { MOST_OVERLAY_BYTES } from '../../content/domain/page-check';
import { SiteAccess } from '../../sites/application/site-access';
import type { Site } from '../../sites/domain/site';
import { DraftPage, type LocaleValues, type SettledLocale } from '../domain/draft-page';
import { draftReferences } from '../domain/draft-references';
import type { Node } from '../domain/node';
import type { NodeLocale } from '../domain/node-locale';
import type { NodeIssue } from '../domain/page-draft';
import type { VersionKind } from '../domain/page-version';
import { NodeLocaleRows } from '../infrastructure/node-locales.rows';
import { NodeReferenceRows } from '../infrastructure/node-references.rows';
import { NodesRepository } from '../infrastructure/nodes.repository';
import { ApprovalsOfNodes } from './approvals-of-nodes';
import { translatingSlugConflicts } from './node-problems';
import { PageVersions } from './page-versions';
import { SiteLibraries, type SiteLibrary } from './site-libraries';

/** A node that is being changed, with all that decides what its locales show. */
export interface OpenDraft {
  readonly site: Site;
  readonly node: Node;
  readonly locales: readonly NodeLocale[];
  readonly library: SiteLibrary;
  readonly caller: Principal;
}

/** What a save leaves behind. The node was changed in place. */
export interface DraftSave {
  /** The locale that was written; the structure is of the default one. */
  readonly locale: string;
  /** Other locales whose values were written with it. */
  readonly beside?: readonly string[];
  /** Values of locales in place of those that are stored. */
  readonly values?: ReadonlyMap<string, LocaleValues>;
  readonly kind?: VersionKind;
  readonly note?: string | null;
  readonly event?: 'page.updated' | 'page.moved' | 'page.restored';
}

/** The ETag of a draft in a locale. */
export const draftVersion = (
  site: Pick<Site, 'site_default_locale'>,
  locale: string,
  { row_version, nl_revision }: DraftRevision,
): number => (locale === site.site_default_locale ? versionOf(row_version) : versionOf(locale, nl_revision));

export interface DraftRevision {
  readonly row_version: number;
  readonly nl_revision: number;
}

/**
 * Opens drafts for a change, and writes what follows from it: the hash, the path and the state of every locale, what the draft refers to,
 * and its version. A save locks its node and never its site.
 */
@Injectable()
export class OpenDrafts {
  constructor(
    private readonly access: SiteAccess,
    private readonly nodes: NodesRepository,
    private readonly rows: NodeLocaleRows,
    private readonly references: NodeReferenceRows,
    private readonly libraries: SiteLibraries,
    private readonly versions: PageVersions,
    private readonly approvals: ApprovalsOfNodes,
    private readonly outbox: Outbox,
    private readonly clock: Clock,
  ) {}

  /** The site for a change of a draft; within a unit of work. */
  requireSite(caller: Principal, site_id: string): Promise<Site> {
    return this.access.requireEditable(caller, site_id);
  }

  /** The active node, locked. `If-Match` is compared with the version of the locale that is to be written, and of no other. */
  async lockDraft(
    caller: Principal,
    site: Site,
    node_id: string,
    { locale, precondition }: { readonly locale: string; readonly precondition?: Precondition | undefined },
  ): Promise<OpenDraft> {
    const node = await this.nodes.lockToChange(node_id, {}, undefined, (row) => assertOfSite(row, site.site_id));
    const locales = (await this.rows.findLocales([node_id])).get(node_id) ?? [];
    const nl_revision = locales.find(({ nl_locale }) => nl_locale === locale)?.nl_revision ?? 0;
    assertCurrent(precondition, draftVersion(site, locale, { row_version: node.row_version, nl_revision }), 'page');
    await this.approvals.assertUnlocked([{ id: node_id, locale }]);
    const library = await this.libraries.openLibrary(site);
    return { site, node, locales: library.followSchemas(node, locales), library, caller };
  }

  /** A node that is locked already. */
  async openLocked(caller: Principal, site: Site, node: Node): Promise<OpenDraft> {
    const locales = (await this.rows.findLocales([node.node_id])).get(node.node_id) ?? [];
    const library = await this.libraries.openLibrary(site);
    return { site, node, locales: library.followSchemas(node, locales), library, caller };
  }

  pageOf({ site, node, locales, library }: OpenDraft, values: ReadonlyMap<string, LocaleValues> = new Map()): DraftPage {
    return new DraftPage(
      site,
      node,
      locales.map((row) => values.get(row.nl_locale) ?? row),
      library.find,
    );
  }

  /** Writes the draft; what was dropped of other locales, because their blocks are gone, is reported. */
  async saveDraft(draft: OpenDraft, save: DraftSave): Promise<readonly NodeIssue[]> {
    const { site, node, locales, caller } = draft;
    const isDefault = save.locale === site.site_default_locale;
    const { values, dropped } = this.pruned(draft, save.values);
    assertOverlaySizes(values);
    const page = this.pageOf(draft, values);
    const written = [save.locale, ...(save.beside ?? [])].filter((locale) => locale !== site.site_default_locale);
    const settled = page.settle(locales, written, isDefault ? undefined : new Set([...written, ...values.keys()]));
    const reworded = settled.filter((row, at) => row.nl_hash !== locales[at]?.nl_hash).map(({ nl_locale }) => nl_locale);
    const subjects = reworded.map((nl_locale) => ({ id: node.node_id, locale: nl_locale }));
    await this.approvals.assertUnlocked(subjects);
    await translatingSlugConflicts(() => this.writeRows(draft, settled, isDefault));
    await this.references.replaceReferences(node.node_id, draftReferences(page, node, settled, draft.library.find));
    await this.versions.recordVersions(
      [
        {
          node_id: node.node_id,
          kind: save.kind ?? 'saved',
          locales: reworded.length > 0 ? reworded : [save.locale],
          note: save.note ?? null,
        },
      ],
      caller.user_id,
    );
    await this.approvals.recordEdits(subjects, { isFromElsewhere: save.kind === 'synced' });
    this.emitPageEvent(save.event ?? 'page.updated', node, reworded);
    return dropped;
  }

  emitPageEvent(
    name: `page.${string}`,
    { node_id, node_site }: Pick<Node, 'node_id' | 'node_site'>,
    locales: readonly string[] = [],
  ): void {
    this.outbox.emitEvent({ name, subject_id: node_id, payload: { site_id: node_site, locales: [...locales] } });
  }

  private async writeRows({ node, locales, caller }: OpenDraft, settled: readonly SettledLocale[], isDefault: boolean): Promise<void> {
    const touched = { now: this.clock.now(), by: caller.user_id };
    if (isDefault) {
      node.touch(this.clock, caller.user_id);
      await this.nodes.save(node);
    } else await this.nodes.touchBeside(node.node_id, touched);
    await this.rows.saveLocales(
      settled.filter((row, at) => !isDeepStrictEqual(row, storedOf(locales[at]))),
      touched,
    );
  }

  /** Values of blocks that the tree no longer has. */
  private pruned({ site, node, locales, library }: OpenDraft, given: DraftSave['values']) {
    const dropped: NodeIssue[] = [];
    const values = new Map(given);
    if (!isBlock(node.node_tree)) return { values, dropped };
    for (const row of locales) {
      const { nl_locale } = row;
      const before = values.get(nl_locale) ?? row;
      if (nl_locale === site.site_default_locale || Object.keys(before.nl_overlay).length === 0) continue;
      const { overlay, dropped: keys } = pruneOverlay(before.nl_overlay, node.node_tree, library.find);
      if (keys.length === 0) continue;
      const nl_sources = Object.fromEntries(Object.entries(before.nl_sources).filter(([key]) => Object.hasOwn(overlay, key)));
      values.set(nl_locale, { nl_locale, nl_overlay: overlay, nl_sources });
      dropped.push(...keys.map((key) => droppedIssue(nl_locale, key)));
    }
    return { values, dropped };
  }
}

export function assertOfSite({ node_site }: Pick<Node, 'node_site'>, site_id: string): void {
  if (node_site !== site_id.toLowerCase()) throw notFound('page');
}

const storedOf = (row: NodeLocale | undefined): SettledLocale | undefined => {
  if (!row) return undefined;
  const { nl_parent: _, live_hash: __, ...stored } = row;
  return stored;
};

function assertOverlaySizes(values: ReadonlyMap<string, LocaleValues>): void {
  for (const { nl_locale, nl_overlay } of values.values())
    if (Buffer.byteLength(JSON.stringify(nl_overlay)) > MOST_OVERLAY_BYTES)
      throw new Problem('payload_too_large', `The values of the locale ${nl_locale} can have at most ${MOST_OVERLAY_BYTES / 1024} KB.`);
}

const droppedIssue = (locale: string, key: string): NodeIssue => ({
  code: 'dropped',
  severity: 'warning',
  locale,
  path: key,
  message: 'The value was dropped, because its block was removed in the default locale.',
});
