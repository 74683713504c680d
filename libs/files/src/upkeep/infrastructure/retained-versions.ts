import { Injectable } from '@nestjs/common';
import { LegalHolds, type DueRows, type HeldRecord } from '@atrium/governance';
import { Database, requireScope, sql, type Sql } from '@atrium/platform/database';
import type { FileVersion } from '../../versions/domain/file-version';
import { isPinned } from '../../versions/infrastructure/versions.repository';

/** A version whose time is over, and the file it belongs to. */
export interface DueVersion {
  readonly fv_id: string;
  readonly fv_file: string;
}

export type RemovedVersion = Pick<
  FileVersion,
  | 'fv_id'
  | 'fv_file'
  | 'fv_number'
  | 'fv_blob'
  | 'fv_type'
  | 'fv_size'
  | 'fv_replicas'
  | 'fv_rendition_bytes'
  | 'fv_provider'
  | 'fv_created_by'
>;

/** Earlier versions whose time is over: another one took their place long enough ago, nobody pinned them. */
@Injectable()
export class RetainedVersions {
  constructor(
    private readonly db: Database,
    private readonly holds: LegalHolds,
  ) {}

  async countDue(before: Date): Promise<DueRows> {
    const counted = await this.db.current().first<DueRows & Record<string, unknown>>(sql`
      SELECT count(*) FILTER (WHERE d.hold IS NULL) AS rows, coalesce(sum(d.fv_size) FILTER (WHERE d.hold IS NULL), 0)::bigint AS bytes,
             count(*) FILTER (WHERE d.hold IS NOT NULL) AS held, min(d.fv_created) FILTER (WHERE d.hold IS NULL) AS oldest
      FROM (SELECT v.fv_size, v.fv_created, ${this.hold()} AS hold ${this.due(before)}) d`);
    return counted ?? { rows: 0, bytes: 0, held: 0, oldest: null };
  }

  findHeldRows(before: Date, most: number): Promise<HeldRecord[]> {
    return this.db.current().query(sql`
      SELECT d.fv_id AS held_id, d.hold AS held_hold FROM (SELECT v.fv_id, v.fv_created, ${this.hold()} AS hold ${this.due(before)}) d WHERE d.hold IS NOT NULL ORDER BY d.fv_created LIMIT ${most}`);
  }

  /** Those that nothing holds. */
  findDueVersions(before: Date, most: number): Promise<DueVersion[]> {
    return this.db
      .current()
      .query(
        sql`SELECT v.fv_id, v.fv_file ${this.due(before)} AND ${this.holds.freeFile(sql`v.fv_file`)} ORDER BY v.fv_superseded LIMIT ${most}`,
      );
  }

  /** Removes those that are still neither pinned nor current; their files are locked. */
  deleteVersions(ids: readonly string[]): Promise<RemovedVersion[]> {
    const { tenant_id } = requireScope();
    return this.db.current().query(sql`
      DELETE FROM file_version v USING file f
      WHERE v.tenant_id = ${tenant_id} AND v.fv_id = ANY(${[...ids]}::uuid[]) AND NOT v.fv_pinned AND NOT ${isPinned()} AND f.tenant_id = ${tenant_id} AND f.file_id = v.fv_file AND v.fv_id <> f.file_current_version
      RETURNING v.fv_id, v.fv_file, v.fv_number, v.fv_blob, v.fv_type, v.fv_size, v.fv_replicas, v.fv_rendition_bytes, v.fv_provider, v.fv_created_by`);
  }

  private hold(): Sql {
    return this.holds.fileHeldCondition(sql`v.fv_file`);
  }

  private due(before: Date): Sql {
    const { tenant_id } = requireScope();
    return sql`
      FROM file_version v JOIN file f ON f.tenant_id = ${tenant_id} AND f.file_id = v.fv_file
      WHERE v.tenant_id = ${tenant_id} AND v.fv_superseded < ${before} AND NOT v.fv_pinned AND v.fv_id <> f.file_current_version AND NOT ${isPinned()}`;
  }
}
