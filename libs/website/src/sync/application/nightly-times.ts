import { Injectable } from '@nestjs/common';
import { Clock } from '@atrium/platform/kernel';
import { nextSlot } from '@atrium/platform/messaging';
import { CmsConnectionsRepository } from '../infrastructure/cms-connections.repository';

const FIRST_HOUR = 2;
const SPREAD_MINUTES = 120;

/** When sites are compared at night: between two and four by the clocks of their workspace, spread by site. */
@Injectable()
export class NightlyTimes {
  constructor(
    private readonly connections: CmsConnectionsRepository,
    private readonly clock: Clock,
  ) {}

  /** The next night of the site; within a unit of work. */
  async findNext(site_id: string): Promise<Date | null> {
    const minute = parseInt(site_id.replaceAll('-', '').slice(-6), 16) % SPREAD_MINUTES;
    const cron = `${minute % 60} ${FIRST_HOUR + Math.floor(minute / 60)} * * *`;
    return nextSlot(cron, await this.connections.readZone(), this.clock.now());
  }
}
