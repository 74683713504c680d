import { Injectable, type OnModuleInit } from '@nestjs/common';
import { PartitionMaintenance, RetentionPolicies, RetentionTargets } from '@atrium/governance';
import { KioskDevices } from '../infrastructure/kiosk-devices.rows';
import { ShareEvents } from '../infrastructure/share-events.rows';
import { ShareLinksRepository } from '../infrastructure/share-links.repository';

/** Events of links are kept as long as the workspace says; their months go as a whole when no workspace keeps them any longer. Nothing holds them: they name nobody. */
@Injectable()
export class ShareEventsRetention implements OnModuleInit {
  constructor(
    private readonly events: ShareEvents,
    private readonly links: ShareLinksRepository,
    private readonly devices: KioskDevices,
    private readonly targets: RetentionTargets,
    private readonly partitions: PartitionMaintenance,
    private readonly policies: RetentionPolicies,
  ) {}

  onModuleInit(): void {
    this.targets.register({
      key: 'share_events',
      countDue: (before) => this.events.countDueEvents(before),
      findHeldRows: () => Promise.resolve([]),
      purgeBatch: (before, batch) => this.purge(before, batch),
    });
    this.partitions.setRetention('share_event', () => this.policies.readLongestRetention('share_events'));
  }

  private async purge(before: Date, batch: number): Promise<{ removed: number; bytes: number; left: boolean }> {
    const removed = await this.events.deleteDueEvents(before, batch);
    await this.links.deleteVisits(before);
    await this.devices.deleteUnused(before);
    return { removed, bytes: 0, left: removed >= batch };
  }
}
