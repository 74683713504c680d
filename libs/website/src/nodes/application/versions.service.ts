import { Injectable } from '@nestjs/common';
import type { Principal } from '@atrium/platform/access';
import { Database, type ListParameters, type Page, type Precondition } from '@atrium/platform/database';
import { invalidField, invalidState, notFound, pick, type JsonObject } from '@atrium/platform/kernel';
import { isBlock, type Block } from '../../content/domain/content-form';
import { diffVersions, type VersionDiff } from '../../content/domain/version-diff';
import { DraftPage } from '../domain/draft-page';
import type { Node } from '../domain/node';
import type { KeptVersion } from '../domain/page-version';
import { PageVersionRows } from '../infrastructure/page-versions.rows';
import { NodeFactsRows } from '../infrastructure/node-facts.rows';
import { requireLocale } from './node-problems';
import { NodeReading, type NodeAddress, type NodeDetail, type ReadDraft } from './node-reading';
import { OpenDrafts } from './open-drafts';
import { PageLinks } from './page-links';
import { StoredVersions, type StoredVersion } from './stored-versions';
import { VersionFitting } from './version-fitting';

export interface VersionAddress extends NodeAddress {
  readonly ver_id: string;
}

export interface VersionWish {
  readonly locale?: string;
  /** draft, published, or the id of another version. */
  readonly against?: string;
}

/** A version in one locale, and what differs between another state and it. */
export type VersionDetail = KeptVersion & {
  readonly locale: string;
  readonly ver_content: JsonObject;
  readonly ver_seo: JsonObject;
  readonly diff: VersionDiff | null;
};

/** What a version gives back to the draft besides its content; where the page is stays as it is. */
const RESTORED = ['node_name', 'node_seo', 'node_link', 'node_tags', 'node_metadata'] as const;

/** The versions of nodes as clients see them. */
@Injectable()
export class VersionsService {
  constructor(
    private readonly db: Database,
    private readonly rows: PageVersionRows,
    private readonly stored: StoredVersions,
    private readonly facts: NodeFactsRows,
    private readonly reading: NodeReading,
    private readonly links: PageLinks,
    private readonly drafts: OpenDrafts,
    private readonly fitting: VersionFitting,
  ) {}

  list(caller: Principal, address: NodeAddress, query: ListParameters): Promise<Page<KeptVersion>> {
    return this.db.read(async () => {
      await this.reading.openDraft(caller, address);
      return this.rows.listVersions(address.node_id, query);
    });
  }

  get(caller: Principal, { ver_id, ...address }: VersionAddress, { locale, against }: VersionWish): Promise<VersionDetail> {
    return this.db.read(async () => {
      const draft = await this.reading.openDraft(caller, address, locale);
      const version = await this.rows.findVersion(address.node_id, { ver_id });
      if (!version) throw notFound('version');
      const shown = (await this.openVersion(draft, ver_id)).resolve(draft.locale);
      return {
        ...version,
        locale: draft.locale,
        ver_content: draft.node.node_kind === 'page' ? shown.tree : {},
        ver_seo: shown.seo,
        diff: against === undefined ? null : await this.compare(draft, against, shown),
      };
    });
  }

  /** The node as it is or was: `draft`, `published`, or the number of a version. With `links`, links to pages say where these are. */
  readAt(
    caller: Principal,
    address: NodeAddress,
    { locale, version = 'draft', resolve }: { readonly locale?: string; readonly version?: string; readonly resolve?: 'links' },
  ): Promise<NodeDetail> {
    return this.db.read(async () => {
      const draft = await this.reading.openDraft(caller, address, locale);
      const shown = await this.pageAt(draft, version);
      const detail = await this.reading.describe(draft, shown);
      return resolve === undefined ? detail : this.links.resolveLinks(draft, detail);
    });
  }

  /** Makes the contents of a version the draft again: all of it, or its values in some locales. */
  restore(
    caller: Principal,
    { ver_id, ...address }: VersionAddress,
    { locales }: { readonly locales?: readonly string[] },
    precondition?: Precondition,
  ): Promise<NodeDetail> {
    return this.db.write(async () => {
      const site = await this.drafts.requireSite(caller, address.site_id);
      const named = locales?.map((locale) => requireLocale(site, locale)) ?? site.site_locales.map(({ code }) => code);
      const locale = named.includes(site.site_default_locale) ? site.site_default_locale : (named[0] ?? site.site_default_locale);
      const draft = await this.drafts.lockDraft(caller, site, address.node_id, { locale, precondition });
      const version = (await this.stored.findVersions([ver_id])).get(ver_id);
      if (version?.node_id !== address.node_id) throw notFound('version');
      if (locale === site.site_default_locale) {
        assertRestorable(draft.node, version);
        Object.assign(draft.node, pick(version.structure, RESTORED));
      }
      const fitted = await this.fitting.fitVersion(draft, version, named);
      if (locale === site.site_default_locale) draft.node.node_tree = fitted.tree;
      const { values } = fitted;
      const dropped = await this.drafts.saveDraft(draft, { locale, beside: [...values.keys()], values, kind: 'restored' });
      return this.reading.readNode(caller, address, { locale, known: [...fitted.dropped, ...dropped] });
    });
  }

  private async pageAt(draft: ReadDraft, version: string): Promise<DraftPage> {
    if (version === 'draft') return draft.page;
    return this.openVersion(
      draft,
      version === 'published' ? await this.publishedVersion(draft) : await this.numberedVersion(draft, Number(version)),
    );
  }

  private async openVersion({ site, node, library }: ReadDraft, ver_id: string): Promise<DraftPage> {
    const version = (await this.stored.findVersions([ver_id])).get(ver_id);
    if (version?.node_id !== node.node_id) throw notFound('version');
    const then = { ...node, ...version.structure, node_tree: version.tree };
    const locales = library.followSchemas(then, version.locales, version.written);
    return new DraftPage(site, then, locales, library.find);
  }

  private async compare(
    draft: ReadDraft,
    against: string,
    shown: { readonly tree: Block; readonly seo: JsonObject },
  ): Promise<VersionDiff> {
    const other =
      against === 'draft'
        ? draft.page
        : await this.openVersion(draft, against === 'published' ? await this.publishedVersion(draft) : against).catch((error: unknown) => {
            throw against === 'published'
              ? error
              : invalidField('against', 'must be draft, published or the id of a version of the page', 'reference');
          });
    const { tree, seo } = other.resolve(draft.locale);
    return diffVersions({ content: tree, seo }, { content: shown.tree, seo: shown.seo });
  }

  private async publishedVersion({ node, locale }: ReadDraft): Promise<string> {
    const ver_id = await this.facts.findLiveVersion(node.node_id, locale);
    if (ver_id === null) throw invalidState(`The page is not published in the locale ${locale}.`);
    return ver_id;
  }

  private async numberedVersion({ node }: ReadDraft, ver_number: number): Promise<string> {
    const version = await this.rows.findVersion(node.node_id, { ver_number });
    if (!version) throw notFound('version');
    return version.ver_id;
  }
}

/** Content of another template does not fit the page as it is. */
function assertRestorable({ node_kind, node_tree }: Node, { tree }: StoredVersion): void {
  if (node_kind !== 'page' || (isBlock(tree) && isBlock(node_tree) && tree.component === node_tree.component)) return;
  throw invalidState('The version has another template than the page. Change the template of the page first.');
}
