import { Injectable, type OnModuleInit } from '@nestjs/common';
import { RetentionTargets } from '@atrium/governance';
import { ClosedPagesRows } from '../infrastructure/closed-pages.rows';
import { SnapshotsRows } from '../infrastructure/snapshots.rows';

/** Publications that were closed are kept for a time; snapshots that nothing shows any more go with them. */
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
      // They say what the public saw, and name nobody but who published it.
      findHeldRows: () => Promise.resolve([]),
      countDue: async (before) => ({ ...(await this.rows.countClosedBefore(before)), bytes: 0, held: 0 }),
      purgeBatch: async (before, batch) => {
        const removed = await this.rows.deleteClosedBefore(before, batch);
        await this.snapshots.deleteUnused(removed.flatMap(({ snapshot }) => snapshot ?? []));
        return { removed: removed.length, bytes: 0, left: removed.length === batch };
      },
    });
  }
}
