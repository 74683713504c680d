import { Injectable, type OnModuleInit } from '@nestjs/common';
import { AclSources, ContentOwners, type ContentBatch, type ContentMove, type ContentMoved } from '@atrium/identity';
import { Database, deactivationOf, sql } from '@atrium/platform/database';
import { Clock } from '@atrium/platform/kernel';
import { Site, SITE_RESTORABLE_MS } from '../domain/site';
import { SitesRepository } from '../infrastructure/sites.repository';

/** Sites as other contexts meet them: access lists, and content of members. */
@Injectable()
export class SitesElsewhere implements OnModuleInit {
  constructor(
    private readonly db: Database,
    private readonly sites: SitesRepository,
    private readonly owners: ContentOwners,
    acls: AclSources,
    clock: Clock,
  ) {
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

  onModuleInit(): void {
    this.owners.register({ context: 'sites', transferContent: (move, batch) => this.transfer(move, batch) });
  }

  private async transfer(move: ContentMove, batch: ContentBatch): Promise<ContentMoved> {
    const moved = await this.db.write(() => this.sites.handOver(move, batch));
    return { moved: moved.length, next: moved.length < batch.size ? null : (moved.at(-1) ?? null) };
  }
}
