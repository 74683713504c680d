import { Injectable } from '@nestjs/common';
import { assertAclChange, assertAclLevel, type AclLevel, type Principal } from '@atrium/platform/access';
import type { Precondition } from '@atrium/platform/database';
import { Clock, notFound } from '@atrium/platform/kernel';
import { SITE_RESTORABLE_MS, type Site } from '../domain/site';
import { SitesRepository } from '../infrastructure/sites.repository';

/**
 * What a caller may do with a site, and with everything on it, by its access list: unreadable ones answer 404, readable but not enough
 * 403. A deleted site is read as long as it can be restored, and is `invalid_state` to changes.
 */
@Injectable()
export class SiteAccess {
  constructor(
    private readonly sites: SitesRepository,
    private readonly clock: Clock,
  ) {}

  /** The site for reading, deleted or not while it can be restored; within a unit of work. */
  async requireReadable(caller: Principal, site_id: string): Promise<Site> {
    const site = await this.sites.findRow(site_id);
    if (!site) throw notFound(NOUN);
    this.assertLevel(caller, site, 'view');
    return site;
  }

  /** The active site for a change of something on it; it is not kept from other changes. */
  async requireEditable(caller: Principal, site_id: string): Promise<Site> {
    const site = await this.requireReadable(caller, site_id);
    this.assertMayEdit(caller, site);
    return site;
  }

  /** The same, and the site is not changed or deleted until the unit of work ends; others may keep it beside. */
  async keepEditable(caller: Principal, site_id: string): Promise<Site> {
    const site = await this.sites.findKept(site_id);
    if (!site) throw notFound(NOUN);
    this.assertMayEdit(caller, site);
    return site;
  }

  assertMayEdit(caller: Principal, site: Site): void {
    this.assertLevel(caller, site, 'edit');
    this.sites.assertActive(site);
  }

  /** The active site, locked for a change of itself. */
  lockSite(caller: Principal, site_id: string, precondition?: Precondition): Promise<Site> {
    return this.sites.lockToChange(site_id, {}, precondition, (site) => this.assertLevel(caller, site, 'edit'));
  }

  lockToDelete(caller: Principal, site_id: string, precondition?: Precondition): Promise<Site | null> {
    return this.sites.lockToDelete(site_id, precondition, (site) => this.assertLevel(caller, site, 'owner'));
  }

  lockToRestore(caller: Principal, site_id: string): Promise<Site> {
    return this.sites.lock(site_id, undefined, (site) => assertAclLevel(site.site_acl, caller, 'owner', NOUN));
  }

  assertMayShare(caller: Principal, site: Site): void {
    assertAclChange(site.site_acl, caller, NOUN);
  }

  /** The active sites among the ids that the caller may see, with their names; within a unit of work. */
  findReadableNames(caller: Principal, site_ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
    return this.sites.findReadableNames(caller, site_ids);
  }

  /** Which of the sites that exist, deleted or not, the caller may see; within a unit of work. */
  findVisibility(caller: Principal, site_ids: readonly string[]): Promise<ReadonlyMap<string, boolean>> {
    return this.sites.findVisibility(caller, site_ids);
  }

  private assertLevel(caller: Principal, site: Site, level: AclLevel): void {
    if (site.wasRemovedBefore(this.clock.after(-SITE_RESTORABLE_MS))) throw notFound(NOUN);
    assertAclLevel(site.site_acl, caller, level, NOUN);
  }
}

const NOUN = 'site';
