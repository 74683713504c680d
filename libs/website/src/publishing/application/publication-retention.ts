import { Injectable, type OnModuleInit } from '@nestjs/common';
import { RetentionTargets } from '@atrium/governance';
import { ClosedPagesRows } from '../infrastructure/closed-pages.rows';
import { SnapshotsRows } from '../infrastructure/snapshots.rows';

/** Publications that were closed are kept for a time, and longer while a legal hold on their authors is in force; snapshots that nothing shows any more go with them. */
@Injectable()
export class PublicationRetention implements OnModuleInit {
  constructor(
    private readonly rows: ClosedPagesRows,
    private readonly snapshots: SnapshotsRows,
    private readonly targets: RetentionTargets,
  ) {}

  onModuleInit(): void {
    this.targets.register({
      key: 'site_publications',
      findHeldRows: (before, most) => this.rows.findHeldRows(before, most),
      countDue: async (before) => ({ ...(await this.rows.countClosedBefore(before)), bytes: 0 }),
      purgeBatch: async (before, batch) => {
        const removed = await this.rows.deleteClosedBefore(before, batch);
        await this.snapshots.deleteUnused(removed.flatMap(({ snapshot }) => snapshot ?? []));
        return { removed: removed.length, bytes: 0, left: removed.length === batch };
      },
    });
  }
}
