import { Injectable } from '@nestjs/common';
import { aclAllows, aclLevelSql, type Principal } from '@atrium/platform/access';
import {
  columnsOf,
  Database,
  listPage,
  isLockFailure,
  LostRace,
  type Admission,
  type Precondition,
  requireScope,
  ResourceRepository,
  sql,
  type ListParameters,
  type Page,
  type Sql,
  type MethodsOf,
} from '@atrium/platform/database';
import { notFound } from '@atrium/platform/kernel';
import { CROWDED, KnowledgeBase, MOST_RECORDS } from '../domain/knowledge-base';
import { HOLD_OF_BASE } from './base-holds.rows';

type Internal = 'tenant_id' | 'row_version' | 'ds_acl' | 'ds_deleted' | 'ds_created_by' | 'config';
type Behaviour = MethodsOf<KnowledgeBase>;

/** A base as lists read it. */
export type BaseRow = Omit<KnowledgeBase, Internal | Behaviour> & {
  /** The caller's level; null without an access list. */
  readonly acl_level: number | null;
  readonly row_version: number;
};

/** The bases of a workspace. */
@Injectable()
export class BasesRepository extends ResourceRepository<KnowledgeBase> {
  constructor(db: Database) {
    super(db, KnowledgeBase, 'knowledge base', 'beside');
  }

  /** One page of the bases that the caller may read; of deleted ones those that were deleted since a moment. */
  listBases(caller: Principal, query: ListParameters & { readonly ds_active?: boolean }, since: Date): Promise<Page<BaseRow>> {
    const { ds_active = true, ...rest } = query;
    return listPage<BaseRow>(this.db.current(), KnowledgeBase, rest, {
      where: sql`r.ds_active = ${ds_active} AND (r.ds_active OR r.ds_deleted >= ${since}) AND ${aclAllows('r.ds_acl', caller, 'view')}`,
      select: sql`${aclLevelSql('r.ds_acl', caller)} AS acl_level, r.row_version, ${RECORDS} AS ds_record_count`,
      steady: true,
    });
  }

  /** The row locked for change: nobody writes into the base any more, and its records are counted after those who did. */
  override async lock(ds_id: string, precondition?: Precondition, admit?: Admission<KnowledgeBase>): Promise<KnowledgeBase> {
    const [, base] = await Promise.all([this.queue(ds_id, 'alone'), this.lockCounted(ds_id, precondition, admit)]);
    return base;
  }

  /**
   * The row for those who write into the base: it is not changed, forked or deleted until the unit of work ends. Others write
   * beside, unless somebody has been waiting to change it; once the base is nearly full they take turns. A unit of work whose locks come
   * last finds at its end whether it has changed.
   */
  async keepBase(ds_id: string, admit?: Admission<KnowledgeBase>): Promise<KnowledgeBase> {
    const tx = this.db.current();
    if (!tx.locksLast) return this.keepNow(ds_id, admit);
    const base = await this.findRow(ds_id);
    if (!base) throw notFound('knowledge base');
    await admit?.(base);
    Object.assign(base, { ds_record_count: await this.countRecords(ds_id) });
    tx.lockLast(`base ${ds_id}`, writtenBy(base), async () => {
      // A unit of work that is long may bring a hundred thousand records, and others beside it as many.
      const kept = (await this.countRecords(ds_id)) < MOST_RECORDS / 2 ? await this.keepNow(ds_id) : await this.lockCounted(ds_id);
      kept.assertRoom(0);
      return writtenBy(kept);
    });
    return base;
  }

  private async keepNow(ds_id: string, admit?: Admission<KnowledgeBase>): Promise<KnowledgeBase> {
    const counted = sql`${RECORDS} AS ds_record_count`;
    const [, kept] = await Promise.all([
      this.queue(ds_id, 'together'),
      this.lockShared<{ readonly ds_record_count: number }>(ds_id, counted, sql`${RECORDS} < ${CROWDED}`),
    ]);
    if (!kept) return this.lockCounted(ds_id, undefined, admit);
    await admit?.(kept.row);
    return Object.assign(kept.row, kept.beside);
  }

  /**
   * Locks of a row are given to those who share them past one who waits to have it alone; this queue keeps the order. Those behind one
   * who waits are held up with it, so it waits for a second only: then it begins again at the end of the queue, a few times.
   */
  private async queue(ds_id: string, how: 'together' | 'alone'): Promise<void> {
    const key = sql`hashtextextended('knowledge base:' || ${ds_id.toLowerCase()}::text, 0)`;
    const tx = this.db.current();
    if (how === 'together') await tx.query(sql`SELECT pg_advisory_xact_lock_shared(${key})`);
    else
      await tx
        .query(
          sql`SELECT set_config('lock_timeout', ${LONGEST_ALONE}, true), pg_advisory_xact_lock(${key}), set_config('lock_timeout', s.before, true) FROM (SELECT current_setting('lock_timeout') AS before OFFSET 0) s`,
        )
        .catch((error: unknown) => {
          throw isLockFailure(error) ? new LostRace(error) : error;
        });
  }

  private async lockCounted(ds_id: string, precondition?: Precondition, admit?: Admission<KnowledgeBase>): Promise<KnowledgeBase> {
    const base = await super.lock(ds_id, precondition, admit);
    return Object.assign(base, { ds_record_count: await this.countRecords(ds_id) });
  }

  /** How many records the base holds. */
  async countRecords(ds_id: string): Promise<number> {
    const row = await this.db
      .current()
      .first<{ records: number }>(sql`SELECT ${RECORDS} AS records FROM knowledge_base r WHERE ${one(ds_id)}`);
    return row?.records ?? 0;
  }

  /** One base, deleted ones too; rights are the caller's to decide. */
  findBaseRow(caller: Principal, ds_id: string): Promise<BaseRow | undefined> {
    return this.db
      .current()
      .first<BaseRow & Record<string, unknown>>(
        sql`SELECT ${columnsOf(KnowledgeBase)}, ${RECORDS} AS ds_record_count, r.row_version, ${aclLevelSql('r.ds_acl', caller)} AS acl_level FROM knowledge_base r WHERE ${one(ds_id)}`,
      );
  }

  /** Of the bases, or of all of them, the active ones that the condition on `r` lets through. */
  async openIds(ds_ids: readonly string[] | null, condition: Sql): Promise<string[]> {
    const named = ds_ids === null ? sql`true` : sql`r.ds_id = ANY(${[...ds_ids]}::uuid[])`;
    const rows = await this.db
      .current()
      .query<{ ds_id: string }>(
        sql`SELECT r.ds_id FROM knowledge_base r WHERE r.tenant_id = ${requireScope().tenant_id} AND r.ds_active AND ${named} AND ${condition} ORDER BY r.ds_id`,
      );
    return rows.map(({ ds_id }) => ds_id);
  }

  /** Those who create or restore bases wait for each other, so that their number holds. */
  async lockBaseCount(): Promise<void> {
    await this.db
      .current()
      .query(sql`SELECT pg_advisory_xact_lock(hashtextextended('knowledge bases:' || ${requireScope().tenant_id}::text, 0))`);
  }

  /** Whether the workspace has so many active bases; asked after `lockBaseCount`. */
  async hasAtLeast(most: number): Promise<boolean> {
    const row = await this.db
      .current()
      .first<{ count: number }>(
        sql`SELECT count(*) AS count FROM (SELECT FROM knowledge_base WHERE tenant_id = ${requireScope().tenant_id} AND ds_active LIMIT ${most}) x`,
      );
    return (row?.count ?? 0) >= most;
  }

  /** Whether another active base has the name. */
  async isNamed(ds_name: string, except: string): Promise<boolean> {
    return (
      (await this.db
        .current()
        .first(
          sql`SELECT 1 FROM knowledge_base WHERE tenant_id = ${requireScope().tenant_id} AND ds_active AND folded(ds_name) = folded(${ds_name}) AND ds_id <> ${except}`,
        )) !== undefined
    );
  }

  /** Whether the workspace has the base, deleted or not. */
  async hasBase(ds_id: string): Promise<boolean> {
    return (
      (await this.db
        .current()
        .first(sql`SELECT 1 FROM knowledge_base WHERE tenant_id = ${requireScope().tenant_id} AND ds_id = ${ds_id}::uuid`)) !== undefined
    );
  }

  /** Whether the base is there and no hold in force keeps it or one who wrote in it. */
  async isUnheld(ds_id: string): Promise<boolean> {
    return (
      (await this.db
        .current()
        .first(
          sql`SELECT 1 FROM knowledge_base b WHERE b.tenant_id = ${requireScope().tenant_id} AND b.ds_id = ${ds_id} AND ${HOLD_OF_BASE} IS NULL`,
        )) !== undefined
    );
  }

  /** The schema of the base if it is active and the condition on `b` lets it through: null for a base without one. */
  async findForm(ds_id: string, condition: Sql): Promise<string | null | undefined> {
    const found = await this.db
      .current()
      .first<{ form_id: string | null }>(
        sql`SELECT b.form_id FROM knowledge_base b WHERE b.tenant_id = ${requireScope().tenant_id} AND b.ds_id = ${ds_id}::uuid AND b.ds_active AND ${condition}`,
      );
    return found?.form_id;
  }

  /** Bases that were deleted before a moment, at most so many. */
  async listDeletedBefore(moment: Date, most: number): Promise<string[]> {
    const rows = await this.db
      .current()
      .query<{ ds_id: string }>(
        sql`SELECT b.ds_id FROM knowledge_base b WHERE b.tenant_id = ${requireScope().tenant_id} AND NOT b.ds_active AND b.ds_deleted < ${moment} AND ${HOLD_OF_BASE} IS NULL ORDER BY b.ds_deleted LIMIT ${most}`,
      );
    return rows.map(({ ds_id }) => ds_id);
  }
}

/** How long somebody who is to have a base alone may hold up those who come later. */
const LONGEST_ALONE = '1s';

/** How many records the base `r` holds. */
const RECORDS = sql`(r.ds_record_count + coalesce((SELECT sum(t.tally_records) FROM knowledge_base_tally t WHERE t.tenant_id = r.tenant_id AND t.ds_id = r.ds_id), 0))::integer`;

/** Condition on `r`. */
const one = (ds_id: string): Sql => sql`r.tenant_id = ${requireScope().tenant_id} AND r.ds_id = ${ds_id}`;

/** What of a base decides how and by whom it is written into. */
const writtenBy = ({ ds_active, ds_acl, ds_config, ds_type, form_id }: KnowledgeBase): object => ({
  ds_active,
  ds_acl,
  ds_config,
  ds_type,
  form_id,
});
