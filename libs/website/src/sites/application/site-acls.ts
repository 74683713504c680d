import { Injectable } from '@nestjs/common';
import { AclSources } from '@atrium/identity';
import { deactivationOf, sql } from '@atrium/platform/database';
import { Clock } from '@atrium/platform/kernel';
import { Site, SITE_RESTORABLE_MS } from '../domain/site';

/** The access lists of sites, where access is explained and given back. */
@Injectable()
export class SiteAcls {
  constructor(acls: AclSources, clock: Clock) {
    acls.registerTable('site', {
      table: 'site',
      id: 'site_id',
      acl: 'site_acl',
      creator: 'site_created_by',
      name: 'site_name',
      view: 'site:view',
      findableCondition: () => Promise.resolve(sql`(r.site_active OR r.site_removed >= ${clock.after(-SITE_RESTORABLE_MS)})`),
      deletion: deactivationOf(Site),
      changed: 'site.updated',
    });
  }
}
