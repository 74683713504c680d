import { Injectable } from '@nestjs/common';
import {
  Database,
  listPage,
  requireScope,
  ResourceRepository,
  sql,
  type ListParameters,
  type Page,
  type Sql,
} from '@atrium/platform/database';
import { LegalHold, type HoldTargetType } from '../domain/legal-hold';

export type LegalHoldRow = Omit<LegalHold, 'release' | 'tenant_id' | 'row_version'>;

/** Legal holds as aggregates. */
@Injectable()
export class LegalHoldsRepository extends ResourceRepository<LegalHold> {
  constructor(db: Database) {
    super(db, LegalHold, 'legal hold');
  }

  listHolds(query: ListParameters, where: Sql): Promise<Page<LegalHoldRow>> {
    return listPage<LegalHoldRow>(this.db.current(), LegalHold, query, { where, ignore: ['lh_released'] });
  }

  /** Shared with others who call this; `lockHolds` waits until all their units of work have ended. */
  async lockHoldsShared(): Promise<void> {
    await this.db.current().query(sql`SELECT pg_advisory_xact_lock_shared(hashtextextended(${lockName()}, 0))`);
  }

  /** Waits for those who share the lock, and keeps everybody else from it until the unit of work ends. */
  async lockHolds(): Promise<void> {
    await this.db.current().query(sql`SELECT pg_advisory_xact_lock(hashtextextended(${lockName()}, 0))`);
  }

  /** The files that are under a hold; `hold` is an expression over `i.file_id`. */
  async filterHeldFiles(ids: readonly string[], hold: Sql): Promise<ReadonlySet<string>> {
    const rows = await this.db
      .current()
      .query<{ file_id: string }>(sql`SELECT i.file_id FROM unnest(${[...ids]}::uuid[]) AS i (file_id) WHERE ${hold} IS NOT NULL`);
    return new Set(rows.map(({ file_id }) => file_id));
  }

  /** Whether there is a live hold on the target itself. */
  async hasLiveHold(type: HoldTargetType, id: string): Promise<boolean> {
    const { tenant_id } = requireScope();
    return (
      (await this.db
        .current()
        .first(
          sql`SELECT 1 FROM legal_hold WHERE tenant_id = ${tenant_id} AND lh_target_type = ${type} AND lh_target_id = ${id}::uuid AND lh_released_at IS NULL LIMIT 1`,
        )) !== undefined
    );
  }

  /** Ids of the live holds on the target itself. */
  async findLiveHolds(type: HoldTargetType, id: string): Promise<string[]> {
    const { tenant_id } = requireScope();
    const rows = await this.db
      .current()
      .query<{ lh_id: string }>(
        sql`SELECT lh_id FROM legal_hold WHERE tenant_id = ${tenant_id} AND lh_target_type = ${type} AND lh_target_id = ${id}::uuid AND lh_released_at IS NULL ORDER BY lh_id`,
      );
    return rows.map(({ lh_id }) => lh_id);
  }
}

const lockName = (): string => `legal_hold ${requireScope().tenant_id}`;
