import { Injectable } from '@nestjs/common';
import type { Principal } from '@atrium/platform/access';
import { unknownReferences } from '@atrium/platform/kernel';
import { SitesRepository } from '../infrastructure/sites.repository';

/** Sites that requests name by their ids. */
@Injectable()
export class SiteReferences {
  constructor(private readonly sites: SitesRepository) {}

  /** All are active sites that the caller may see, or `validation_failed` with an entry for each that is not; within a unit of work. */
  async assertReadable(caller: Principal, field: string, site_ids: readonly string[]): Promise<void> {
    if (site_ids.length === 0) return;
    const known = await this.sites.findReadableNames(caller, site_ids);
    if (site_ids.some((id) => !known.has(id.toLowerCase()))) throw unknownReferences(field, 'site', site_ids, new Set(known.keys()));
  }
}
