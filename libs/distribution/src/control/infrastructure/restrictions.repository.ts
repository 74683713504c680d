import { Injectable } from '@nestjs/common';
import {
  columnsOf,
  Database,
  listPage,
  requireScope,
  ResourceRepository,
  sql,
  type ListParameters,
  type Page,
} from '@atrium/platform/database';
import { Restriction } from '../domain/restriction';

export type RestrictionRow = Omit<Restriction, 'describe' | 'tenant_id' | 'row_version'>;

/** The versions of the rules in force: enough to know which have changed. */
export type RuleStamp = Pick<Restriction, 'dr_id' | 'row_version' | 'dr_baseline'>;

/** The catalog of rules. */
@Injectable()
export class RestrictionsRepository extends ResourceRepository<Restriction> {
  constructor(db: Database) {
    super(db, Restriction, 'restriction');
  }

  listRestrictions(query: ListParameters): Promise<Page<RestrictionRow>> {
    return listPage<RestrictionRow>(this.db.current(), Restriction, query);
  }

  findRestrictionRow(id: string): Promise<(RestrictionRow & { readonly row_version: number }) | undefined> {
    return this.db
      .current()
      .first(sql`SELECT ${columnsOf(Restriction)}, r.row_version FROM distribution_restriction r WHERE ${own()} AND r.dr_id = ${id}`);
  }

  async countRestrictions(): Promise<number> {
    return (
      (await this.db.current().first<{ count: number }>(sql`SELECT count(*) AS count FROM distribution_restriction r WHERE ${own()}`))
        ?.count ?? 0
    );
  }

  /** Those in force, without what they say. */
  listRulesInForce(): Promise<RuleStamp[]> {
    return this.db
      .current()
      .query(sql`SELECT r.dr_id, r.row_version, r.dr_baseline FROM distribution_restriction r WHERE ${own()} AND r.dr_active`);
  }

  findRestrictionRows(ids: readonly string[]): Promise<(RestrictionRow & { readonly row_version: number })[]> {
    return this.db
      .current()
      .query(
        sql`SELECT ${columnsOf(Restriction)}, r.row_version FROM distribution_restriction r WHERE ${own()} AND r.dr_id = ANY(${[...ids]}::uuid[]) ORDER BY r.dr_created, r.dr_id`,
      );
  }

  /** Which of the ids may be named by a publication; they stay so until the unit of work ends. */
  async lockNameable(ids: readonly string[]): Promise<Set<string>> {
    const rows = await this.db.current().query<{ dr_id: string }>(sql`
      SELECT r.dr_id FROM distribution_restriction r WHERE ${own()} AND r.dr_id = ANY(${[...ids]}::uuid[]) AND r.dr_active ORDER BY r.dr_id FOR KEY SHARE`);
    return new Set(rows.map(({ dr_id }) => dr_id));
  }

  findBaseline(): Promise<RestrictionRow[]> {
    return this.db
      .current()
      .query(
        sql`SELECT ${columnsOf(Restriction)} FROM distribution_restriction r WHERE ${own()} AND r.dr_baseline AND r.dr_active ORDER BY r.dr_created, r.dr_id`,
      );
  }

  /** Active rules of one kind that let through only what matches, without one of them. */
  findAllowing(kind: string, without: string): Promise<RestrictionRow[]> {
    return this.db.current().query(sql`
      SELECT ${columnsOf(Restriction)} FROM distribution_restriction r WHERE ${own()} AND r.dr_kind = ${kind} AND r.dr_effect = 'allow_only' AND r.dr_active AND r.dr_id <> ${without} ORDER BY r.dr_created, r.dr_id LIMIT 100`);
  }

  /** Nobody else adds to the baseline or sets it until the unit of work ends. */
  async closeBaseline(): Promise<void> {
    await this.db
      .current()
      .query(sql`SELECT pg_advisory_xact_lock(hashtextextended('distribution baseline ' || ${requireScope().tenant_id}::text, 0))`);
  }

  /** Those that are in the baseline now or are to be, locked. */
  async lockForBaseline(wanted: readonly string[]): Promise<Restriction[]> {
    const rows = await this.db
      .current()
      .query<{ dr_id: string }>(
        sql`SELECT r.dr_id FROM distribution_restriction r WHERE ${own()} AND (r.dr_baseline OR r.dr_id = ANY(${[...wanted]}::uuid[]))`,
      );
    return this.lockMany(rows.map(({ dr_id }) => dr_id));
  }
}

const own = () => sql`r.tenant_id = ${requireScope().tenant_id}`;
