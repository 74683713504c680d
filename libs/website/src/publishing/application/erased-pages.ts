import { Injectable } from '@nestjs/common';
import { PersonDataSources } from '@atrium/governance';
import { SitesRepository } from '../../sites/infrastructure/sites.repository';
import { LivePagesRows } from '../infrastructure/live-pages.rows';
import { SnapshotsRows } from '../infrastructure/snapshots.rows';

type Keys = readonly (readonly string[])[];

/**
 * An erasure takes words out of what is frozen. Delivery and its visitors keep answers for as long as the version of the site is the
 * same, so that the site gets another one in the same unit of work.
 */
@Injectable()
export class ErasedPages {
  constructor(
    sources: PersonDataSources,
    private readonly snapshots: SnapshotsRows,
    private readonly live: LivePagesRows,
    private readonly sites: SitesRepository,
  ) {
    sources.registerTableHandler('page_snapshot', {
      redacted: async (keys) => this.sites.renewVersions(await this.snapshots.findSites(idsOf(keys))),
    });
    sources.registerTableHandler('page_publication', {
      redacted: async (keys) => this.sites.renewVersions(await this.live.findSites(idsOf(keys))),
    });
  }
}

const idsOf = (keys: Keys): string[] => keys.flatMap(([id = '']) => id);
