import { Injectable } from '@nestjs/common';
import { Database, requireScope, sql } from '@atrium/platform/database';
import { Clock } from '@atrium/platform/kernel';

/** A device of a kiosk, by the link and the name in its token. */
export interface KioskDevice {
  readonly share_id: string;
  readonly device: string;
}

/** The current visit of each device. */
@Injectable()
export class KioskDevices {
  constructor(
    private readonly db: Database,
    private readonly clock: Clock,
  ) {}

  async findVisit({ share_id, device }: KioskDevice): Promise<string | null> {
    const row = await this.db
      .current()
      .first<{ kd_visit: string | null }>(
        sql`SELECT kd_visit FROM share_device WHERE tenant_id = ${requireScope().tenant_id} AND kd_share = ${share_id} AND kd_device = ${device}`,
      );
    return row?.kd_visit ?? null;
  }

  /** Sets a visit if there is none; returns the current one. */
  async setVisitIfNone({ share_id, device }: KioskDevice, visit: string): Promise<string> {
    const row = await this.db.current().first<{ kd_visit: string }>(sql`
      INSERT INTO share_device AS d (tenant_id, kd_share, kd_device, kd_visit, kd_changed) VALUES (${requireScope().tenant_id}, ${share_id}, ${device}, ${visit}, ${this.clock.now()})
      ON CONFLICT (tenant_id, kd_share, kd_device) DO UPDATE SET kd_visit = coalesce(d.kd_visit, excluded.kd_visit), kd_changed = excluded.kd_changed RETURNING kd_visit`);
    return row?.kd_visit ?? visit;
  }

  /** Deletes devices that were last used before a moment. */
  async deleteUnused(before: Date): Promise<void> {
    await this.db.current().execute(sql`DELETE FROM share_device WHERE tenant_id = ${requireScope().tenant_id} AND kd_changed < ${before}`);
  }

  /** Sets another visit, or none; returns the previous one. `only`: unless another one is current. In a writing unit of work. */
  async replaceVisit(at: KioskDevice, visit: string | null, only?: string | null): Promise<string | null> {
    const { tenant_id } = requireScope();
    await this.db.current().query(sql`SELECT pg_advisory_xact_lock(hashtextextended(${`kiosk:${at.share_id}:${at.device}`}, 0))`);
    const before = await this.findVisit(at);
    if (only !== undefined && before !== only) return null;
    await this.db.current().execute(sql`
      INSERT INTO share_device (tenant_id, kd_share, kd_device, kd_visit, kd_changed) VALUES (${tenant_id}, ${at.share_id}, ${at.device}, ${visit}, ${this.clock.now()})
      ON CONFLICT (tenant_id, kd_share, kd_device) DO UPDATE SET kd_visit = excluded.kd_visit, kd_changed = excluded.kd_changed`);
    return before;
  }
}
