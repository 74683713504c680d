import { Injectable } from '@nestjs/common';
import { notFound } from '@atrium/platform/kernel';
import { SitesRepository } from '../infrastructure/sites.repository';

/**
 * The numbers of what is live. Every change of it takes the next number of its site, one a unit of work, under the lock of the row: who
 * changes what is live waits here for the one before. Drafts take none, so that saves never wait for publishing.
 */
@Injectable()
export class SiteNumbers {
  constructor(private readonly sites: SitesRepository) {}

  async takeNext(site_id: string): Promise<number> {
    const next = await this.sites.takeNextNumber(site_id);
    if (next === undefined) throw notFound('site');
    return next;
  }
}
