import { Injectable } from '@nestjs/common';
import { Database, requireScope, sql } from '@atrium/platform/database';
import type { Sign } from '../domain/presence';

/** The last sign of somebody in a thread. */
export interface SignOf extends Sign, Record<string, unknown> {
  readonly user_id: string;
}

/** Who is in a thread at the moment. */
@Injectable()
export class ThreadPresenceRows {
  constructor(private readonly db: Database) {}

  findSigns(thread_id: string, now: Date): Promise<SignOf[]> {
    return this.db
      .current()
      .query<SignOf>(
        sql`SELECT user_id, tp_state, tp_until FROM thread_presence WHERE tenant_id = ${requireScope().tenant_id} AND thread_id = ${thread_id} AND tp_until > ${now}`,
      );
  }

  async deletePresence(thread_ids: readonly string[]): Promise<void> {
    await this.db
      .current()
      .execute(
        sql`DELETE FROM thread_presence WHERE tenant_id = ${requireScope().tenant_id} AND thread_id = ANY(${[...thread_ids]}::uuid[])`,
      );
  }
}
