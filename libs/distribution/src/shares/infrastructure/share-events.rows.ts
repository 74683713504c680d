import { Injectable } from '@nestjs/common';
import type { DueRows } from '@atrium/governance';
import { Database, listPage, requireScope, sql, type ListParameters, type Page } from '@atrium/platform/database';
import { Clock, Ids, type JsonObject } from '@atrium/platform/kernel';
import { ShareEvent, type ShareEventType } from '../domain/share-event';

/** Who did it, as far as rows know. */
export type Visitor = Pick<ShareEvent, 'se_visitor' | 'se_country' | 'se_agent_kind'>;

export interface NewShareEvent {
  readonly se_type: ShareEventType;
  readonly se_file?: string | null;
  readonly se_name?: string | null;
  readonly se_email?: string | null;
  readonly se_details?: JsonObject;
}

/** What visitors did, a row each, written in the unit of work in which it counts. */
@Injectable()
export class ShareEvents {
  constructor(
    private readonly db: Database,
    private readonly clock: Clock,
    private readonly ids: Ids,
  ) {}

  async insertEvent(
    share_id: string,
    { se_visitor, se_country, se_agent_kind }: Visitor,
    { se_type, se_file = null, se_name = null, se_email = null, se_details = {} }: NewShareEvent,
  ): Promise<void> {
    await this.db.current().execute(sql`
      INSERT INTO share_event (tenant_id, se_id, se_share, se_type, se_file, se_created, se_visitor, se_country, se_agent_kind, se_name, se_email, se_details)
      VALUES (${requireScope().tenant_id}, ${this.ids.next()}, ${share_id}, ${se_type}, ${se_file}, ${this.clock.now()}, ${se_visitor}, ${se_country}, ${se_agent_kind}, ${se_name}, ${se_email}, ${JSON.stringify(se_details)})`);
  }

  async countDueEvents(before: Date): Promise<DueRows> {
    const row = await this.db.current().first<DueRows & Record<string, unknown>>(sql`
      SELECT count(*) AS rows, 0 AS bytes, 0 AS held, min(se_created) AS oldest FROM share_event WHERE tenant_id = ${requireScope().tenant_id} AND se_created < ${before}`);
    return row ?? { rows: 0, bytes: 0, held: 0, oldest: null };
  }

  /** Removes a batch of those that are older, the oldest first; how many. */
  deleteDueEvents(before: Date, batch: number): Promise<number> {
    const { tenant_id } = requireScope();
    return this.db.current().execute(sql`
      DELETE FROM share_event e USING (SELECT se_created, se_id FROM share_event WHERE tenant_id = ${tenant_id} AND se_created < ${before} ORDER BY se_created LIMIT ${batch}) due
      WHERE e.tenant_id = ${tenant_id} AND e.se_created = due.se_created AND e.se_id = due.se_id`);
  }

  listEvents(share_id: string, query: ListParameters): Promise<Page<object>> {
    return listPage<object>(this.db.current(), ShareEvent, query, { where: sql`r.se_share = ${share_id}` });
  }
}
