import { Injectable, Logger } from '@nestjs/common';
import { Database, inWorkspace, sql } from '@atrium/platform/database';
import { SECOND } from '@atrium/platform/kernel';
import { Every, type ScheduledRun } from '@atrium/platform/messaging';
import { EdgePolicies } from '../application/edge-policies';
import { PublicationFollowing } from '../application/publication-following';

const AT_ONCE = 200;
const MOST_ROUNDS = 50;

interface DueRow extends Record<string, unknown> {
  readonly kind: 'start' | 'end' | 'edge' | 'sync';
  readonly tenant_id: string;
  readonly id: string;
}

/** The clock of publications: windows that opened or closed, and edges that were not reached. */
@Injectable()
export class PublicationsSchedule {
  private readonly log = new Logger(PublicationsSchedule.name);

  constructor(
    private readonly db: Database,
    private readonly following: PublicationFollowing,
    private readonly edges: EdgePolicies,
  ) {}

  @Every(30 * SECOND, 'distribution.windows')
  async applyDue({ signal }: ScheduledRun): Promise<void> {
    for (let round = 0; round < MOST_ROUNDS; round++) {
      const due = await this.db.queryAcrossTenants<DueRow>(sql`SELECT * FROM publications_due(${AT_ONCE})`);
      let failed = 0;
      for (const row of due) {
        if (signal.aborted) return;
        failed += await inWorkspace(row.tenant_id, () => this.move(row)).then(
          () => 0,
          (error: unknown) => this.report(row, error),
        );
      }
      if (due.length < AT_ONCE || failed > 0) return;
    }
  }

  private move({ kind, id }: DueRow): Promise<void> {
    if (kind === 'edge') return this.edges.requeueLost({ pub_id: id });
    if (kind === 'sync') return this.edges.requeueLost({ es_id: id });
    return this.following.applyWindow(id);
  }

  private report({ kind, id }: DueRow, error: unknown): number {
    this.log.warn({ msg: 'a publication could not be moved along', kind, id, err: error });
    return 1;
  }
}
