import { Injectable } from '@nestjs/common';
import { Audit, changesBetween, defineAuditTypes, type Principal } from '@atrium/platform/access';
import { Database, violatesConstraint, type ListParameters, type Page, type Precondition } from '@atrium/platform/database';
import { Clock, Ids, pick, type JsonObject } from '@atrium/platform/kernel';
import { Outbox } from '@atrium/platform/messaging';
import { LibraryReferences } from '../../schemas/application/library-references';
import { StandardLibrary } from '../../schemas/application/standard-library';
import { MOST_SITES, Site, SITE_RESTORABLE_MS, siteNameTaken, tooManySites } from '../domain/site';
import { newSiteKey } from '../domain/site-key';
import { canonicalLocale, completeLocales } from '../domain/site-locales';
import { SitesRepository } from '../infrastructure/sites.repository';
import { SiteStructureLock } from '../infrastructure/site-structure-lock';
import { SiteAccess } from './site-access';
import { SiteAnswers, type SiteRow, type VersionedSiteAnswer } from './site-answers';
import { SiteChanges, type SiteFacts } from './site-changes';

export type { SiteFacts, SiteRow, VersionedSiteAnswer };

/** What is kept of changes to sites. */
const SITES_AUDIT = defineAuditTypes({
  'site.created': 'A site was created.',
  'site.updated': 'A site was changed.',
  'site.deleted': 'A site was deleted.',
  'site.restored': 'A deleted site was restored.',
});

export interface SiteFilters extends ListParameters {
  readonly site_active?: boolean;
}

const WITHOUT_LANGUAGE = 'en';
const SHOWN = [
  'site_name',
  'site_description',
  'site_base_url',
  'site_preview_url',
  'site_locales',
  'site_default_locale',
  'site_library',
  'site_cache',
  'site_robots',
  'site_contacts',
  'site_acl',
  'site_metadata',
] as const;

/** The sites of a workspace. */
@Injectable()
export class SitesService {
  constructor(
    private readonly db: Database,
    private readonly sites: SitesRepository,
    private readonly access: SiteAccess,
    private readonly answers: SiteAnswers,
    private readonly changes: SiteChanges,
    private readonly structure: SiteStructureLock,
    private readonly libraries: LibraryReferences,
    private readonly standard: StandardLibrary,
    private readonly audit: Audit,
    private readonly outbox: Outbox,
    private readonly clock: Clock,
    private readonly ids: Ids,
  ) {}

  list(caller: Principal, { site_active = true, ...query }: SiteFilters): Promise<Page<SiteRow>> {
    return this.db.read(() => this.sites.listSites(caller, query, { active: site_active, since: this.clock.after(-SITE_RESTORABLE_MS) }));
  }

  get(caller: Principal, site_id: string): Promise<VersionedSiteAnswer> {
    return this.db.read(async () => this.answers.completeSite(await this.access.requireReadable(caller, site_id)));
  }

  create(caller: Principal, facts: SiteFacts & { readonly site_name: string }): Promise<VersionedSiteAnswer> {
    return this.runWithUniqueName(facts.site_name, () =>
      this.db.write(async () => {
        const locales = completeLocales(facts.site_locales ?? [{ code: await this.usualLocale() }], facts.site_default_locale);
        const site_library =
          facts.site_library === undefined
            ? await this.standard.ensureStandard()
            : await this.libraries.keepLibrary('site_library', facts.site_library);
        const site = Site.blank(
          {
            site_id: this.ids.next(),
            site_name: facts.site_name,
            site_key: newSiteKey(),
            site_library,
            site_created_by: caller.user_id,
            ...locales,
          },
          this.clock.now(),
        );
        await this.changes.applyFacts(caller, site, { ...facts, site_library });
        await this.assertRoom();
        await this.sites.insert(site);
        this.audit.record({ type: SITES_AUDIT['site.created'], target: targetOf(site), ...changesBetween(null, shown(site)) });
        this.outbox.emitEvent({ name: 'site.created', subject_id: site.site_id, payload: { site_name: site.site_name } });
        return this.answers.completeSite(site);
      }),
    );
  }

  change(
    caller: Principal,
    site_id: string,
    { drop_locales = [], ...facts }: SiteFacts & { readonly drop_locales?: readonly string[] },
    precondition?: Precondition,
  ): Promise<VersionedSiteAnswer> {
    const concernsLocales = facts.site_locales !== undefined || facts.site_default_locale !== undefined || drop_locales.length > 0;
    return this.runWithUniqueName(facts.site_name ?? '', () =>
      this.db.write(async () => {
        if (concernsLocales) await this.structure.lockStructure(site_id);
        const site = await this.access.lockSite(caller, site_id, precondition);
        const before = shown(site);
        await this.changes.applyFacts(caller, site, facts);
        const site_seq = concernsLocales ? await this.changes.applyLocales(caller, site, facts, drop_locales) : undefined;
        await this.saveChanged(site, before, site_seq);
        return this.answers.completeSite(site);
      }),
    );
  }

  /** Nothing is unpublished or disconnected: a restore brings back what was live. */
  remove(caller: Principal, site_id: string, precondition?: Precondition): Promise<void> {
    return this.db.write(async () => {
      const site = await this.access.lockToDelete(caller, site_id, precondition);
      if (!site) return;
      site.delete(this.clock);
      await this.sites.save(site);
      this.audit.record({
        type: SITES_AUDIT['site.deleted'],
        target: targetOf(site),
        before: { site_active: true },
        after: { site_active: false },
      });
      this.outbox.emitEvent({ name: 'site.deleted', subject_id: site_id, payload: { site_name: site.site_name } });
    });
  }

  restore(caller: Principal, site_id: string): Promise<VersionedSiteAnswer> {
    return this.db.write(async () => {
      const site = await this.access.lockToRestore(caller, site_id);
      site.restore(this.clock);
      if (await this.sites.isNamed(site.site_name, site_id)) throw siteNameTaken(site.site_name);
      await this.assertRoom();
      await this.runWithUniqueName(site.site_name, () => this.sites.save(site));
      this.audit.record({
        type: SITES_AUDIT['site.restored'],
        target: targetOf(site),
        before: { site_active: false },
        after: { site_active: true },
      });
      this.outbox.emitEvent({ name: 'site.updated', subject_id: site_id, payload: { changed: ['site_active'] } });
      return this.answers.completeSite(site);
    });
  }

  private async saveChanged(site: Site, before: JsonObject, site_seq: number | undefined): Promise<void> {
    const { before: old, after: now } = changesBetween(before, shown(site));
    const changed = Object.keys(now ?? {});
    if (changed.length === 0) return;
    site.touch(this.clock);
    await this.sites.save(site);
    this.audit.record({ type: SITES_AUDIT['site.updated'], target: targetOf(site), before: old, after: now });
    this.outbox.emitEvent({
      name: 'site.updated',
      subject_id: site.site_id,
      payload: { changed, ...(site_seq === undefined ? {} : { site_seq }) },
    });
  }

  private async usualLocale(): Promise<string> {
    return canonicalLocale((await this.sites.findWorkspaceLocale()) ?? WITHOUT_LANGUAGE) ?? WITHOUT_LANGUAGE;
  }

  private async assertRoom(): Promise<void> {
    await this.sites.lockSiteCount();
    if (await this.sites.hasAtLeast(MOST_SITES)) throw tooManySites();
  }

  /** Of two that take one name at once, the second one is refused by the index. */
  private async runWithUniqueName<T>(site_name: string, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw violatesConstraint(error, 'site_name_taken') ? siteNameTaken(site_name) : error;
    }
  }
}

const shown = (site: Site): JsonObject => JSON.parse(JSON.stringify(pick(site, SHOWN))) as JsonObject;
const targetOf = ({ site_id, site_name }: Site) => ({ type: 'site', id: site_id, name: site_name });
