import { Injectable, type OnModuleInit } from '@nestjs/common';
import { PartitionMaintenance, RetentionPolicies, RetentionTargets, type DueRows } from '@atrium/governance';
import { Database, requireScope, sql } from '@atrium/platform/database';

/** Events of links are kept as long as the workspace says; their months go as a whole when no workspace keeps them any longer. Nothing holds them: they name nobody. */
@Injectable()
export class ShareEventsRetention implements OnModuleInit {
  constructor(
    private readonly db: Database,
    private readonly targets: RetentionTargets,
    private readonly partitions: PartitionMaintenance,
    private readonly policies: RetentionPolicies,
  ) {}

  onModuleInit(): void {
    this.targets.register({
      key: 'share_events',
      countDue: (before) => this.count(before),
      findHeldRows: () => Promise.resolve([]),
      purgeBatch: (before, batch) => this.purge(before, batch),
    });
    this.partitions.setRetention('share_event', () => this.policies.readLongestRetention('share_events'));
  }

  private async count(before: Date): Promise<DueRows> {
    const row = await this.db.current().first<DueRows & Record<string, unknown>>(sql`
      SELECT count(*) AS rows, 0 AS bytes, 0 AS held, min(se_created) AS oldest FROM share_event WHERE tenant_id = ${requireScope().tenant_id} AND se_created < ${before}`);
    return row ?? { rows: 0, bytes: 0, held: 0, oldest: null };
  }

  private async purge(before: Date, batch: number): Promise<{ removed: number; bytes: number; left: boolean }> {
    const { tenant_id } = requireScope();
    const tx = this.db.current();
    const removed = await tx.execute(sql`
      DELETE FROM share_event e USING (SELECT se_created, se_id FROM share_event WHERE tenant_id = ${tenant_id} AND se_created < ${before} ORDER BY se_created LIMIT ${batch}) due
      WHERE e.tenant_id = ${tenant_id} AND e.se_created = due.se_created AND e.se_id = due.se_id`);
    await tx.execute(sql`DELETE FROM share_visit WHERE tenant_id = ${tenant_id} AND vi_counted < ${before}`);
    await tx.execute(sql`DELETE FROM share_device WHERE tenant_id = ${tenant_id} AND kd_changed < ${before}`);
    return { removed, bytes: 0, left: removed >= batch };
  }
}
