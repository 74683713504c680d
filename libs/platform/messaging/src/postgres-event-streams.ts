import { requireScope, sql, type Database } from '@atrium/platform/database';
import type { JsonObject } from '@atrium/platform/kernel';
import { EventStreams, type StreamEvent } from './event-streams';
import type { Signals } from './signals';

/** Event streams in the table `stream_event`. Writers of one stream take turns, so that a reader never overtakes an id that commits later. */
export class PostgresEventStreams extends EventStreams {
  constructor(
    private readonly db: Database,
    signals: Signals,
  ) {
    super(signals);
  }

  async read(stream: string, afterId: string, limit: number): Promise<StreamEvent[]> {
    const after = /^\d{1,18}$/.test(afterId) ? afterId : '0';
    const rows = await this.db.read((tx) =>
      tx.query<{ se_id: number; se_event: JsonObject }>(sql`
        SELECT se_id, se_event FROM stream_event
        WHERE tenant_id = ${requireScope().tenant_id} AND se_stream = ${stream} AND se_id > ${after}::bigint ORDER BY se_id LIMIT ${limit}`),
    );
    return rows.map((row) => ({ id: String(row.se_id), event: row.se_event }));
  }

  /** Ids are microseconds, or one more than the last if the clock has not advanced: they grow even when old events are deleted. */
  protected store(stream: string, event: JsonObject): Promise<string> {
    const { tenant_id } = requireScope();
    return this.db.write(async (tx) => {
      await tx.execute(sql`SELECT pg_advisory_xact_lock(hashtextextended(${`${tenant_id}/${stream}`}, 0))`);
      const row = await tx.first<{ se_id: number }>(sql`
        INSERT INTO stream_event (tenant_id, se_stream, se_id, se_event)
        SELECT ${tenant_id}::uuid, ${stream}, greatest(coalesce(max(se_id), 0) + 1, floor(extract(epoch FROM clock_timestamp()) * 1000000)::bigint), ${JSON.stringify(event)}::jsonb
        FROM stream_event WHERE tenant_id = ${tenant_id} AND se_stream = ${stream}
        RETURNING se_id`);
      return String(row?.se_id);
    });
  }
}
