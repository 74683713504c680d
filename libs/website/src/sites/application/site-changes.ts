import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import { AclSubjects, KnownMembers } from '@atrium/identity';
import type { Principal } from '@atrium/platform/access';
import { Clock, invalidFields, invalidState, Problem, unknownReferences, type JsonObject } from '@atrium/platform/kernel';
import { LibraryReferences } from '../../schemas/application/library-references';
import { siteNameTaken, type Site, type SiteCache } from '../domain/site';
import { baseAddress, previewAddress } from '../domain/site-addresses';
import { canonicalLocale, completeLocales, type EnteredLocale, type SiteLocale } from '../domain/site-locales';
import { SiteContentsRows } from '../infrastructure/site-contents.rows';
import { SitesRepository } from '../infrastructure/sites.repository';
import { SiteAccess } from './site-access';
import { SiteListeners } from './site-listeners';
import { SiteNumbers } from './site-numbers';

/** What a client says of a site. */
export interface SiteFacts {
  readonly site_name?: string;
  readonly site_description?: string | null;
  readonly site_base_url?: string | null;
  readonly site_preview_url?: string | null;
  readonly site_locales?: readonly EnteredLocale[];
  readonly site_default_locale?: string;
  readonly site_library?: string;
  readonly site_cache?: Partial<SiteCache>;
  readonly site_robots?: string;
  readonly site_contacts?: readonly string[];
  readonly site_acl?: JsonObject;
  readonly site_metadata?: JsonObject;
}

/** Makes of a site what a client says of it, where that is possible. All within the unit of work that locked the site. */
@Injectable()
export class SiteChanges {
  constructor(
    private readonly sites: SitesRepository,
    private readonly contents: SiteContentsRows,
    private readonly access: SiteAccess,
    private readonly listeners: SiteListeners,
    private readonly numbers: SiteNumbers,
    private readonly libraries: LibraryReferences,
    private readonly members: KnownMembers,
    private readonly subjects: AclSubjects,
    private readonly clock: Clock,
  ) {}

  /** Everything but locales. */
  async applyFacts(caller: Principal, site: Site, facts: SiteFacts): Promise<void> {
    const { site_base_url, site_preview_url, site_library, site_contacts, site_acl } = facts;
    if (facts.site_name !== undefined) await this.rename(site, facts.site_name);
    if (facts.site_description !== undefined) site.site_description = facts.site_description;
    if (site_base_url !== undefined) site.site_base_url = site_base_url === null ? null : baseAddress('site_base_url', site_base_url);
    if (site_preview_url !== undefined)
      site.site_preview_url = site_preview_url === null ? null : previewAddress('site_preview_url', site_preview_url);
    if (facts.site_robots !== undefined) site.site_robots = facts.site_robots;
    if (facts.site_metadata !== undefined) site.site_metadata = facts.site_metadata;
    if (facts.site_cache !== undefined) site.site_cache = { ...site.site_cache, ...facts.site_cache };
    if (site_library !== undefined && site_library !== site.site_library)
      site.site_library = await this.libraries.keepLibrary('site_library', site_library);
    if (site_contacts !== undefined) site.site_contacts = await this.knownContacts(site, site_contacts);
    if (site_acl !== undefined) await this.share(caller, site, site_acl);
  }

  /**
   * Locales, replaced as a whole. What is kept in one that goes is removed only if it is named; the structure of the site is locked
   * before, so that no node comes without a row in a locale. The number of what is live, which a change takes: addresses may lead elsewhere.
   */
  async applyLocales(caller: Principal, site: Site, facts: SiteFacts, drop_locales: readonly string[]): Promise<number | undefined> {
    const before = site.site_locales;
    const next = completeLocales(facts.site_locales ?? before, facts.site_default_locale ?? site.site_default_locale);
    const dropped = missingFrom(next.site_locales, before);
    this.assertDroppable(drop_locales, dropped);
    if (next.site_default_locale !== site.site_default_locale && (await this.contents.hasNodes(site.site_id)))
      throw invalidState('The default locale of a site with pages cannot be changed.');
    await this.assertFreePrefixes(site, next.site_locales);
    if (dropped.length > 0) await this.assertAgreed(site, dropped, drop_locales);
    if (isDeepStrictEqual({ ...next }, { site_locales: before, site_default_locale: site.site_default_locale })) return undefined;
    const site_seq = await this.numbers.takeNext(site.site_id);
    if (dropped.length > 0) {
      await this.listeners.notifyLocalesDropped(site, { locales: dropped, site_seq, by: caller.user_id });
      await this.contents.dropLocales(site.site_id, dropped);
    }
    Object.assign(site, next, { site_seq });
    const added = missingFrom(before, next.site_locales);
    if (added.length > 0) {
      await this.contents.addLocales(site.site_id, added, this.clock.now());
      await this.listeners.notifyLocalesAdded(site, added);
    }
    return site_seq;
  }

  private async assertAgreed(site: Site, dropped: readonly string[], named: readonly string[]): Promise<void> {
    const agreed = new Set(named.map((code) => canonicalLocale(code) ?? code));
    const kept = await this.contents.countByLocale(
      site.site_id,
      dropped.filter((code) => !agreed.has(code)),
    );
    if (kept.size > 0)
      throw new Problem('in_use', 'Pages have content in locales that would be removed. Name these locales in drop_locales to remove it.', {
        errors: [...kept].map(([code, nodes]) => ({
          path: 'site_locales',
          code: 'in_use',
          message: `${nodes} ${nodes === 1 ? 'page has' : 'pages have'} content in ${code}`,
        })),
      });
  }

  private assertDroppable(named: readonly string[], dropped: readonly string[]): void {
    const faults = named.flatMap((code, at) =>
      dropped.includes(canonicalLocale(code) ?? code)
        ? []
        : [{ path: `drop_locales[${at}]`, code: 'not_applicable', message: 'must be a locale that site_locales removes' }],
    );
    if (faults.length > 0) throw invalidFields(faults);
  }

  /** A page at the top whose slug is the prefix of a locale would be taken for the locale. */
  private async assertFreePrefixes(site: Site, locales: readonly SiteLocale[]): Promise<void> {
    const known = new Set(site.site_locales.map(({ prefix }) => prefix));
    const prefixes = locales.map(({ prefix }) => prefix).filter((prefix) => prefix !== '' && !known.has(prefix));
    if (prefixes.length === 0) return;
    const taken = await this.contents.findTopSlug(site.site_id, prefixes);
    if (!taken) return;
    const at = locales.findIndex(({ prefix }) => prefix === taken.slug);
    throw invalidFields([
      {
        path: `site_locales[${at}].prefix`,
        code: 'conflict',
        message: `must not be the slug of a page at the top level (${taken.slug} in ${taken.locale})`,
      },
    ]);
  }

  private async rename(site: Site, site_name: string): Promise<void> {
    site.site_name = site_name;
    if (await this.sites.isNamed(site_name, site.site_id)) throw siteNameTaken(site_name);
  }

  /** Contacts that are on the site may stay, also former members. */
  private async knownContacts(site: Site, contacts: readonly string[]): Promise<string[]> {
    const ids = [...new Set(contacts.map((id) => id.toLowerCase()))];
    const added = ids.filter((id) => !site.site_contacts.includes(id));
    const members = added.length === 0 ? new Set<string>() : await this.members.findMemberIds(added);
    if (added.some((id) => !members.has(id)))
      throw unknownReferences('site_contacts', 'member', contacts, new Set([...members, ...site.site_contacts]));
    return ids;
  }

  private async share(caller: Principal, site: Site, site_acl: JsonObject): Promise<void> {
    this.access.assertMayShare(caller, site);
    site.site_acl = await this.subjects.validateSubjects('site_acl', site_acl, { before: site.site_acl });
  }
}

/** The codes of the second list that the first does not have. */
const missingFrom = (locales: readonly SiteLocale[], others: readonly SiteLocale[]): string[] => {
  const codes = new Set(locales.map(({ code }) => code));
  return others.map(({ code }) => code).filter((code) => !codes.has(code));
};
