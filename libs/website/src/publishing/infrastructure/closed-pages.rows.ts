import { Injectable } from '@nestjs/common';
import { Database, requireScope, sql } from '@atrium/platform/database';
import { holdOfPublication } from '../../shared/website-holds';

/** A publication that is closed or removed, with what it showed. */
interface ShownSnapshot {
  readonly snapshot: string | null;
}

const HOLD = holdOfPublication('p');

/** Publications that are closed in bulk, and those that were long ago. */
@Injectable()
export class ClosedPagesRows {
  constructor(private readonly db: Database) {}

  /** Closes all that is live in these locales; the snapshots that were shown. */
  async closeLocales(site_id: string, locales: readonly string[], site_seq: number, now: Date): Promise<readonly string[]> {
    const rows = await this.db.current().query<ShownSnapshot & Record<string, unknown>>(sql`
      UPDATE page_publication SET np_to_seq = ${site_seq}, np_closed = ${now}
      WHERE tenant_id = ${requireScope().tenant_id} AND np_site = ${site_id} AND np_locale = ANY(${[...locales]}::text[]) AND np_to_seq IS NULL RETURNING np_snapshot AS snapshot`);
    return rows.flatMap(({ snapshot }) => snapshot ?? []);
  }

  /** Snapshots of a deleted site that still hold bytes or entries in lists: what is live of it is closed a stretch at a time. */
  async closeStretch(site_id: string, most: number, now: Date): Promise<readonly string[]> {
    const { tenant_id } = requireScope();
    const rows = await this.db.current().query<ShownSnapshot & Record<string, unknown>>(sql`
      UPDATE page_publication SET np_to_seq = np_from_seq + 1, np_closed = ${now} WHERE tenant_id = ${tenant_id} AND np_id IN (
        SELECT np_id FROM page_publication WHERE tenant_id = ${tenant_id} AND np_site = ${site_id} AND np_to_seq IS NULL ORDER BY np_id LIMIT ${most})
      RETURNING np_snapshot AS snapshot`);
    return rows.flatMap(({ snapshot }) => snapshot ?? []);
  }

  async countClosedBefore(before: Date): Promise<{ readonly rows: number; readonly oldest: string | null; readonly held: number }> {
    const row = await this.db.current().first<{
      rows: number;
      oldest: string | null;
      held: number;
    }>(sql`SELECT count(*) FILTER (WHERE x.hold IS NULL)::integer AS rows, min(x.np_closed) FILTER (WHERE x.hold IS NULL) AS oldest, count(x.hold)::integer AS held
        FROM (SELECT p.np_closed, ${HOLD} AS hold FROM page_publication p WHERE p.tenant_id = ${requireScope().tenant_id} AND p.np_closed < ${before}) x`);
    return row ?? { rows: 0, oldest: null, held: 0 };
  }

  findHeldRows(before: Date, most: number): Promise<{ readonly held_id: string; readonly held_hold: string }[]> {
    return this.db.current().query<{ held_id: string; held_hold: string }>(sql`
      SELECT x.np_id AS held_id, x.hold AS held_hold FROM (SELECT p.np_id, p.np_closed, ${HOLD} AS hold FROM page_publication p WHERE p.tenant_id = ${requireScope().tenant_id} AND p.np_closed < ${before}) x
      WHERE x.hold IS NOT NULL ORDER BY x.np_closed, x.np_id LIMIT ${most}`);
  }

  /** Those without a hold, those that were closed first. */
  async deleteClosedBefore(before: Date, batch: number): Promise<readonly ShownSnapshot[]> {
    const { tenant_id } = requireScope();
    return this.db.current().query<ShownSnapshot & Record<string, unknown>>(sql`
      DELETE FROM page_publication WHERE tenant_id = ${tenant_id} AND np_id IN (
        SELECT p.np_id FROM page_publication p WHERE p.tenant_id = ${tenant_id} AND p.np_closed < ${before} AND ${HOLD} IS NULL ORDER BY p.np_closed, p.np_id LIMIT ${batch})
      RETURNING np_snapshot AS snapshot`);
  }
}
