import { Injectable } from '@nestjs/common';
import { Database, listPage, requireScope, ResourceRepository, sql, type ListParameters, type Page } from '@atrium/platform/database';
import type { WeeklySlot } from '../domain/free-slots';
import { SocialSlot } from '../domain/social-slot';

/** A slot as it is read. */
export type SlotRow = Omit<SocialSlot, 'tenant_id' | 'row_version'>;

/** The posting times of a workspace. */
@Injectable()
export class SlotsRepository extends ResourceRepository<SocialSlot> {
  constructor(db: Database) {
    super(db, SocialSlot, 'slot');
  }

  listSlots(query: ListParameters): Promise<Page<SlotRow>> {
    return listPage<SlotRow>(this.db.current(), SocialSlot, query);
  }

  async countSlots(): Promise<number> {
    const row = await this.db
      .current()
      .first<{ count: number }>(sql`SELECT count(*)::integer AS count FROM social_slot WHERE tenant_id = ${requireScope().tenant_id}`);
    return row?.count ?? 0;
  }

  listActiveSlots(): Promise<WeeklySlot[]> {
    return this.db
      .current()
      .query<WeeklySlot & Record<string, unknown>>(
        sql`SELECT sls_id, sls_target, sls_weekday, sls_time, sls_timezone FROM social_slot WHERE tenant_id = ${requireScope().tenant_id} AND sls_active ORDER BY sls_id`,
      );
  }

  /** One who adds at a time, so that the limit holds. */
  async lockSlots(): Promise<void> {
    await this.db
      .current()
      .query(sql`SELECT pg_advisory_xact_lock(hashtextextended('social-slots:' || ${requireScope().tenant_id}::text, 0))`);
  }
}
