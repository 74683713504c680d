import { Injectable } from '@nestjs/common';
import type { AdoptedForm } from '@atrium/forms';
import { Database, LostRace, requireScope, ResourceRepository, sql, violatesConstraint, type Sql } from '@atrium/platform/database';
import { jsonPieces } from '@atrium/platform/kernel';
import { HOLD_OF_RECORD } from '../../bases/infrastructure/base-holds.rows';
import { KnowledgeRecord, type RecordSource, type RecordStatus } from '../domain/knowledge-record';
import { factsOf, type RecordFacts } from '../domain/record-facts';

/** A record as it is to be written, with the words it is found by. */
export interface WrittenRecord extends RecordFacts {
  readonly rec_id: string;
  readonly rec_hash: string;
  readonly rec_text: string;
  readonly words: { readonly title: string; readonly summary: string; readonly text: string };
}

/** What all records of one writing share. */
export interface Writing {
  readonly rec_base: string;
  readonly rec_form: string | null;
  readonly rec_source: RecordSource;
  readonly rec_crawl: string | null;
  readonly by: string | null;
  readonly now: Date;
}

/** Which records are meant: by their ids, by those they have elsewhere, or by the crawl that keeps them. */
export interface ChosenRecords {
  readonly rec_ids?: readonly string[];
  readonly external_ids?: readonly string[];
  readonly crawl?: string;
  /** At most so many, in the order of their ids. */
  readonly most?: number;
}

const KEPT_VERSIONS = 50;
const CHOSEN_AT_ONCE = 500;

const COLUMNS = sql`v.rec_id, v.rec_name, v.rec_content, v.rec_url, v.rec_external_id, v.rec_tags, v.rec_language, v.rec_status, v.rec_valid_from, v.rec_valid_until, v.rec_metadata, v.rec_hash, v.rec_text`;
const TSV = sql`setweight(to_tsvector('simple', dotless(v.title)), 'A') || setweight(to_tsvector('simple', dotless(v.summary)), 'B') || setweight(to_tsvector('simple', dotless(v.body)), 'C')`;
const ROWS = sql`AS v (rec_id uuid, rec_name text, rec_content jsonb, rec_url text, rec_external_id text, rec_tags text[], rec_language text, rec_status text, rec_valid_from timestamptz(3), rec_valid_until timestamptz(3), rec_metadata jsonb, rec_hash text, rec_text text, title text, summary text, body text)`;

/** The records of a workspace; many are written in as many statements as one. */
@Injectable()
export class RecordsRepository extends ResourceRepository<KnowledgeRecord> {
  constructor(db: Database) {
    super(db, KnowledgeRecord, 'record');
  }

  /** Records of a base that are not deleted, by the ids they have elsewhere: each is looked up, also in a base that was just filled. */
  async listByExternalId(ds_id: string, external_ids: readonly string[]): Promise<KnowledgeRecord[]> {
    const found = await this.db.current().query<{ rec_id: string }>(sql`
      SELECT r.rec_id FROM unnest(${[...external_ids]}::text[]) AS x (external_id)
      CROSS JOIN LATERAL (SELECT r.rec_id FROM knowledge_record r
        WHERE r.tenant_id = ${requireScope().tenant_id} AND r.rec_base = ${ds_id} AND r.rec_active AND r.rec_external_id = x.external_id LIMIT 1) r`);
    const wanted = new Set(external_ids);
    const locked = await this.lockMany(found.map(({ rec_id }) => rec_id));
    return locked.filter(({ rec_active, rec_external_id }) => rec_active && rec_external_id !== null && wanted.has(rec_external_id));
  }

  /** Records of a base that are not deleted among the ids. */
  async listByIds(ds_id: string, rec_ids: readonly string[]): Promise<KnowledgeRecord[]> {
    return this.lockActive(await this.ids(ds_id, sql`r.rec_active AND r.rec_id = ANY(${[...rec_ids]}::uuid[])`));
  }

  /** Records of a base that are not deleted and that the condition on `r` holds for, locked for change. */
  async lockChosen(
    ds_id: string,
    { rec_ids, external_ids, crawl, most = CHOSEN_AT_ONCE }: ChosenRecords,
    condition: Sql,
  ): Promise<KnowledgeRecord[]> {
    const named = [
      ...(rec_ids ? [sql`AND r.rec_id = ANY(${[...rec_ids]}::uuid[])`] : []),
      ...(external_ids ? [sql`AND r.rec_external_id = ANY(${[...external_ids]}::text[])`] : []),
      ...(crawl ? [sql`AND r.rec_crawl = ${crawl}`] : []),
    ];
    if (named.length === 0) return [];
    const all = named.reduce((left, right) => sql`${left} ${right}`);
    return this.lockActive(await this.ids(ds_id, sql`r.rec_active AND ${condition} ${all} ORDER BY r.rec_id LIMIT ${most}`));
  }

  async insertMany(records: readonly WrittenRecord[], { rec_base, rec_form, rec_source, rec_crawl, by, now }: Writing): Promise<void> {
    await this.inPieces(
      records,
      (rows) => sql`
      INSERT INTO knowledge_record (tenant_id, rec_base, rec_form, rec_source, rec_crawl, rec_created, rec_updated, rec_created_by, rec_updated_by,
        rec_id, rec_name, rec_content, rec_url, rec_external_id, rec_tags, rec_language, rec_status, rec_valid_from, rec_valid_until, rec_metadata, rec_hash, rec_text, rec_tsv)
      SELECT ${requireScope().tenant_id}::uuid, ${rec_base}::uuid, ${rec_form}::uuid, ${rec_source}, ${rec_crawl}::uuid, ${now}::timestamptz, ${now}::timestamptz, ${by}::uuid, ${by}::uuid, ${COLUMNS}, ${TSV}
      FROM jsonb_to_recordset(${rows}::jsonb) ${ROWS}`,
    );
  }

  /** Stores what the records say now; what they said before is kept. */
  async updateMany(
    records: readonly WrittenRecord[],
    { rec_form, rec_crawl, by, now }: Omit<Writing, 'rec_base' | 'rec_source'>,
  ): Promise<void> {
    if (records.length === 0) return;
    await this.keepVersions(records.map(({ rec_id }) => rec_id));
    await this.inPieces(
      records,
      (rows) => sql`
      UPDATE knowledge_record r SET row_version = r.row_version + 1, rec_form = ${rec_form}::uuid, rec_crawl = coalesce(${rec_crawl}::uuid, r.rec_crawl), rec_updated = ${now}, rec_updated_by = ${by}::uuid,
        rec_name = v.rec_name, rec_content = v.rec_content, rec_url = v.rec_url, rec_external_id = v.rec_external_id, rec_tags = v.rec_tags, rec_language = v.rec_language, rec_status = v.rec_status,
        rec_valid_from = v.rec_valid_from, rec_valid_until = v.rec_valid_until, rec_metadata = v.rec_metadata, rec_hash = v.rec_hash, rec_text = v.rec_text, rec_tsv = ${TSV}
      FROM jsonb_to_recordset(${rows}::jsonb) ${ROWS}
      WHERE r.tenant_id = ${requireScope().tenant_id} AND r.rec_id = v.rec_id`,
    );
  }

  /** Stores what a change of the schema makes of records; what they said before is not kept, because nobody wrote it. */
  async saveMigrated(records: readonly WrittenRecord[]): Promise<void> {
    await this.inPieces(
      records,
      (rows) => sql`
      UPDATE knowledge_record r SET row_version = r.row_version + (r.rec_content <> v.rec_content)::integer, rec_name = v.rec_name, rec_content = v.rec_content, rec_hash = v.rec_hash, rec_text = v.rec_text, rec_tsv = ${TSV}
      FROM jsonb_to_recordset(${rows}::jsonb) ${ROWS}
      WHERE r.tenant_id = ${requireScope().tenant_id} AND r.rec_id = v.rec_id`,
    );
  }

  /** Another schema with the same fields for all records of a base that have the one, deleted ones too. */
  async changeFormOfRecords({ from, to, within }: AdoptedForm): Promise<void> {
    await this.db
      .current()
      .execute(
        sql`UPDATE knowledge_record SET rec_form = ${to}, row_version = row_version + 1 WHERE tenant_id = ${requireScope().tenant_id} AND rec_base = ${within} AND rec_form = ${from}`,
      );
  }

  /** Another schema with the same fields for at most so many records of a base behind one of them, deleted ones too; their ids in order. What clients read is the same, and so is its version. */
  async adoptForm({ from, to, within }: AdoptedForm, after: string | null, most: number): Promise<string[]> {
    const behind = after === null ? sql`true` : sql`n.rec_id > ${after}::uuid`;
    const rows = await this.db.current().query<{ rec_id: string }>(sql`
      UPDATE knowledge_record r SET rec_form = ${to}
      WHERE r.tenant_id = ${requireScope().tenant_id} AND r.rec_id = ANY(ARRAY(
        SELECT n.rec_id FROM knowledge_record n WHERE n.tenant_id = ${requireScope().tenant_id} AND n.rec_form = ${from} AND n.rec_base = ${within} AND ${behind} ORDER BY n.rec_id LIMIT ${most} FOR NO KEY UPDATE))
      RETURNING r.rec_id`);
    return rows.map(({ rec_id }) => rec_id).sort();
  }

  /** How many records a base has, deleted ones too. */
  async countStored(ds_id: string): Promise<number> {
    const row = await this.db
      .current()
      .first<{ count: number }>(
        sql`SELECT count(*) AS count FROM knowledge_record WHERE tenant_id = ${requireScope().tenant_id} AND rec_base = ${ds_id}`,
      );
    return row?.count ?? 0;
  }

  /** Published records of a base behind one of them, in the order of their ids. */
  findPublished(
    ds_id: string,
    after: string | null,
    most: number,
  ): Promise<{ rec_id: string; rec_status: RecordStatus; rec_text: string }[]> {
    const behind = after === null ? sql`true` : sql`r.rec_id > ${after}::uuid`;
    return this.db.current().query(sql`
      SELECT r.rec_id, r.rec_status, r.rec_text FROM knowledge_record r
      WHERE r.tenant_id = ${requireScope().tenant_id} AND r.rec_base = ${ds_id} AND r.rec_active AND r.rec_status = 'published' AND ${behind} ORDER BY r.rec_id LIMIT ${most}`);
  }

  /** Stores another status alone. */
  async updateStatus(
    records: readonly { readonly rec_id: string; readonly rec_status: RecordStatus; readonly rec_hash: string }[],
    { by, now }: Pick<Writing, 'by' | 'now'>,
  ): Promise<void> {
    if (records.length === 0) return;
    await this.keepVersions(records.map(({ rec_id }) => rec_id));
    await this.db.current().execute(sql`
      UPDATE knowledge_record r SET rec_status = v.rec_status, rec_hash = v.rec_hash, row_version = r.row_version + 1, rec_updated = ${now}, rec_updated_by = ${by}::uuid
      FROM jsonb_to_recordset(${JSON.stringify(records)}::jsonb) AS v (rec_id uuid, rec_status text, rec_hash text)
      WHERE r.tenant_id = ${requireScope().tenant_id} AND r.rec_id = v.rec_id`);
  }

  /** Marks records as deleted. */
  async deactivateRecords(rec_ids: readonly string[], { by, now }: Pick<Writing, 'by' | 'now'>): Promise<void> {
    if (rec_ids.length === 0) return;
    await this.db.current().execute(sql`
      UPDATE knowledge_record r SET rec_active = false, row_version = r.row_version + 1, rec_updated = ${now}, rec_updated_by = ${by}::uuid
      WHERE r.tenant_id = ${requireScope().tenant_id} AND r.rec_id = ANY(${[...rec_ids]}::uuid[])`);
  }

  /** Removes for good what the condition on `r` selects, at most so many; their ids. */
  async purgeRecords(condition: Sql, most: number): Promise<string[]> {
    const rows = await this.db.current().query<{ rec_id: string }>(sql`
      DELETE FROM knowledge_record d USING (SELECT r.rec_id FROM knowledge_record r WHERE r.tenant_id = ${requireScope().tenant_id} AND ${condition} LIMIT ${most} FOR UPDATE) x
      WHERE d.tenant_id = ${requireScope().tenant_id} AND d.rec_id = x.rec_id RETURNING d.rec_id`);
    return rows.map(({ rec_id }) => rec_id);
  }

  /** One statement after the other, each of as many records as are quick to send. */
  private async inPieces(records: readonly WrittenRecord[], statement: (rows: string) => Sql): Promise<void> {
    for (const { text } of jsonPieces(records, { textOf: jsonOf })) await this.unlessOvertaken(statement(text));
  }

  /** Of two that write one external id at once, the second one finds it taken: it begins again, with the record of the first. */
  private async unlessOvertaken(statement: Sql): Promise<void> {
    try {
      await this.db.current().execute(statement);
    } catch (error) {
      throw violatesConstraint(error, 'knowledge_record_external') ? new LostRace(error) : error;
    }
  }

  /** Those that nobody deleted before they were locked. */
  private async lockActive(rec_ids: readonly string[]): Promise<KnowledgeRecord[]> {
    return (await this.lockMany(rec_ids)).filter(({ rec_active }) => rec_active);
  }

  private async keepVersions(rec_ids: readonly string[]): Promise<void> {
    const { tenant_id } = requireScope();
    await this.db.current().execute(sql`
      INSERT INTO knowledge_record_version (tenant_id, rec_id, rv_version, rv_facts, rv_written, rv_written_by)
      SELECT r.tenant_id, r.rec_id, r.row_version,
        jsonb_build_object('rec_name', r.rec_name, 'rec_content', r.rec_content, 'rec_url', r.rec_url, 'rec_external_id', r.rec_external_id, 'rec_tags', r.rec_tags, 'rec_language', r.rec_language,
          'rec_status', r.rec_status, 'rec_valid_from', r.rec_valid_from, 'rec_valid_until', r.rec_valid_until, 'rec_metadata', r.rec_metadata), r.rec_updated, r.rec_updated_by
      FROM knowledge_record r WHERE r.tenant_id = ${tenant_id} AND r.rec_id = ANY(${[...rec_ids]}::uuid[])`);
    await this.db.current().execute(sql`
      DELETE FROM knowledge_record_version v USING knowledge_record r
      WHERE r.tenant_id = ${tenant_id} AND r.rec_id = ANY(${[...rec_ids]}::uuid[]) AND v.tenant_id = r.tenant_id AND v.rec_id = r.rec_id AND v.rv_version <= r.row_version - ${KEPT_VERSIONS} AND ${HOLD_OF_RECORD} IS NULL`);
  }

  private async ids(ds_id: string, condition: Sql): Promise<string[]> {
    const rows = await this.db
      .current()
      .query<{ rec_id: string }>(
        sql`SELECT r.rec_id FROM knowledge_record r WHERE r.tenant_id = ${requireScope().tenant_id} AND r.rec_base = ${ds_id} AND ${condition}`,
      );
    return rows.map(({ rec_id }) => rec_id);
  }
}

const jsonOf = ({ words: { title, summary, text }, rec_id, rec_hash, rec_text, ...facts }: WrittenRecord): string =>
  JSON.stringify({ ...factsOf(facts), rec_id, rec_hash, rec_text, title, summary, body: text });
