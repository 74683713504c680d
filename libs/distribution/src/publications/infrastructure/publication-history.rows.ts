import { Injectable } from '@nestjs/common';
import { Database, requireScope, sql } from '@atrium/platform/database';
import type { JsonObject } from '@atrium/platform/kernel';

/** Something that happened to a publication; its actor is that of the current request or job. */
export interface NewPublicationEvent {
  readonly ph_id: string;
  readonly ph_publication: string;
  readonly ph_action: string;
  readonly ph_created: Date;
  readonly ph_from: JsonObject | null;
  readonly ph_to: JsonObject | null;
  readonly ph_revision: number | null;
}

/** What happened to publications. */
@Injectable()
export class PublicationHistoryRows {
  constructor(private readonly db: Database) {}

  async insertEvent({ ph_id, ph_publication, ph_action, ph_created, ph_from, ph_to, ph_revision }: NewPublicationEvent): Promise<void> {
    const { tenant_id, actor } = requireScope();
    await this.db.current().execute(sql`
      INSERT INTO publication_history (tenant_id, ph_id, ph_publication, ph_action, ph_actor, ph_created, ph_from, ph_to, ph_revision)
      VALUES (${tenant_id}, ${ph_id}, ${ph_publication}, ${ph_action}, ${actor.user_id}, ${ph_created}, ${json(ph_from)}::jsonb, ${json(ph_to)}::jsonb, ${ph_revision}::integer)`);
  }
}

const json = (value: JsonObject | null): string | null => value && JSON.stringify(value);
