import { Injectable } from '@nestjs/common';
import type { NamedRow } from '@atrium/forms';
import { columnsOf, Database, requireScope, sql, type Sql } from '@atrium/platform/database';
import { folded, spellingsOf } from '@atrium/platform/kernel';
import { sourceStatus, type SourceStatus } from '@atrium/retrieval';
import { KnowledgeRecord, RECORD_SOURCE } from '../domain/knowledge-record';

type Internal = 'tenant_id' | 'row_version' | 'rec_hash' | 'rec_text' | 'isOpen' | 'touch' | 'wasDeletedBefore';

/** A record as clients see it. */
export type RecordRow = Omit<KnowledgeRecord, Internal> & {
  readonly rec_version: number;
  readonly rec_index_status: SourceStatus;
  readonly rec_index_error: string | null;
};

export type VersionedRecord = RecordRow & { readonly row_version: number };

/** How far the index is with the record `r`. */
export const STATUS = sourceStatus(RECORD_SOURCE, sql`r.rec_id`);
/** What a row has besides the columns of the record `r`. */
export const BESIDE = sql`r.row_version AS rec_version, ${STATUS.status} AS rec_index_status, ${STATUS.error} AS rec_index_error`;

/** Records of one name that are found: two of them are several. */
const MOST_OF_A_NAME = 2;

/** Records as they are read and referred to. */
@Injectable()
export class RecordReadingRows {
  constructor(private readonly db: Database) {}

  /** A record of the base, deleted or not, that the condition on `r` lets through. */
  findRecordRow(ds_id: string, rec_id: string, condition: Sql): Promise<VersionedRecord | undefined> {
    return this.db.current().first<VersionedRecord & Record<string, unknown>>(sql`
      SELECT ${columnsOf(KnowledgeRecord)}, r.row_version, ${BESIDE} FROM knowledge_record r ${STATUS.join}
      WHERE r.tenant_id = ${requireScope().tenant_id} AND r.rec_id = ${rec_id} AND r.rec_base = ${ds_id} AND ${condition}`);
  }

  /** The schema of each of the records, deleted or not; null for one without a schema. */
  async findForms(rec_ids: readonly string[]): Promise<ReadonlyMap<string, string | null>> {
    const rows = await this.db
      .current()
      .query<{ rec_id: string; rec_form: string | null }>(
        sql`SELECT r.rec_id, r.rec_form FROM knowledge_record r WHERE r.tenant_id = ${requireScope().tenant_id} AND r.rec_id = ANY(${[...rec_ids]}::uuid[])`,
      );
    return new Map(rows.map(({ rec_id, rec_form }) => [rec_id, rec_form]));
  }

  /** The base of each of the records that is not deleted, and whose base the condition on `b` lets through. */
  async findBases(rec_ids: readonly string[], open: Sql): Promise<ReadonlyMap<string, string>> {
    const rows = await this.db.current().query<{ rec_id: string; rec_base: string }>(sql`
      SELECT r.rec_id, r.rec_base FROM knowledge_record r JOIN knowledge_base b ON b.tenant_id = r.tenant_id AND b.ds_id = r.rec_base
      WHERE r.tenant_id = ${requireScope().tenant_id} AND r.rec_id = ANY(${[...rec_ids]}::uuid[]) AND r.rec_active AND b.ds_active AND ${open}`);
    return new Map(rows.map(({ rec_id, rec_base }) => [rec_id, rec_base]));
  }

  /** Records of a base, or of all, with one of the ids, external ids or names, in any case, that are not deleted and whose base the condition on `b` lets through. */
  findByNames(
    base: string | null,
    { names, ids }: { readonly names: readonly string[]; readonly ids: readonly string[] },
    open: Sql,
  ): Promise<(NamedRow & Record<string, unknown>)[]> {
    const of = sql`r.tenant_id = ${requireScope().tenant_id} AND r.rec_active AND b.ds_active AND ${open} AND ${base === null ? sql`true` : sql`r.rec_base = ${base}::uuid`}`;
    const row = sql`r.rec_id AS id, r.rec_name AS name, r.rec_external_id AS external_id`;
    const from = sql`FROM knowledge_record r JOIN knowledge_base b ON b.tenant_id = r.tenant_id AND b.ds_id = r.rec_base`;
    const words = [...new Set(names.map(folded))];
    return this.db.current().query(sql`
      SELECT ${row} ${from} WHERE ${of} AND r.rec_id = ANY(${[...ids]}::uuid[])
      UNION SELECT ${row} ${from} WHERE ${of} AND r.rec_external_id = ANY(${spellingsOf(names)}::text[])
      UNION SELECT n.id, n.name, n.external_id FROM (
        SELECT ${row}, row_number() OVER (PARTITION BY w.word ORDER BY r.rec_id) AS nth ${from} JOIN unnest(${words}::text[]) AS w (word) ON w.word = folded(r.rec_name)
        WHERE ${of} AND r.rec_name_key = ANY(ARRAY(SELECT lower("left"(k, 64)) FROM unnest(${[...names]}::text[]) AS k))) n WHERE n.nth <= ${MOST_OF_A_NAME}`);
  }
}
