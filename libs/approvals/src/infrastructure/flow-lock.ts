import { Injectable } from '@nestjs/common';
import { Database, requireScope, sql } from '@atrium/platform/database';

/**
 * The lock of all flows of one kind in a workspace, held until the unit of work ends: moves of subjects share it, a change
 * of a flow takes it alone. So a move is decided by one revision of the flow from beginning to end.
 */
@Injectable()
export class FlowLock {
  constructor(private readonly db: Database) {}

  async lockFlow(kind: string, how: 'move' | 'change'): Promise<void> {
    const key = sql`hashtextextended(${kind} || ':' || ${requireScope().tenant_id}::text, 0)`;
    await this.db
      .current()
      .query(how === 'move' ? sql`SELECT pg_advisory_xact_lock_shared(${key})` : sql`SELECT pg_advisory_xact_lock(${key})`);
  }
}
