import { Injectable } from '@nestjs/common';
import { Database, requireScope, sql, type Sql } from '@atrium/platform/database';
import { beginningOf } from '../domain/chunking';
import type { SourceKey } from '../domain/passage';
import type { IndexedPassage } from './passages.task';

/** What is known of the passages a source has. */
export interface KnownPassages {
  readonly ids: ReadonlySet<string>;
  /** How what is new in each of them begins. */
  readonly beginnings: ReadonlySet<string>;
}

const ROWS_AT_ONCE = 200;
/** An overlapping sentence and the beginning behind it stand within so many characters. */
const SHOWN = 1_000;

/** The passages of a workspace. */
@Injectable()
export class PassagesRepository {
  constructor(private readonly db: Database) {}

  async findKnownPassages(source: SourceKey): Promise<KnownPassages> {
    const rows = await this.db
      .current()
      .query<{ passage_id: string; shown: string; psg_char_start: number; psg_char_end: number }>(
        sql`SELECT passage_id, left(psg_text, ${SHOWN}) AS shown, psg_char_start, psg_char_end FROM passage p WHERE ${ofSource(source)} ORDER BY psg_ordinal`,
      );
    const beginnings = new Set<string>();
    let behind = 0;
    for (const { shown, psg_char_start, psg_char_end } of rows) {
      const fresh = shown.slice(Math.max(0, behind - psg_char_start)).trimStart();
      if (fresh !== '') beginnings.add(beginningOf(fresh));
      behind = psg_char_end;
    }
    return { ids: new Set(rows.map(({ passage_id }) => passage_id)), beginnings };
  }

  /** Makes or moves them; passages that did not change are not written. */
  async putPassages(source: SourceKey, passages: readonly IndexedPassage[]): Promise<void> {
    for (let at = 0; at < passages.length; at += ROWS_AT_ONCE) {
      const rows = passages.slice(at, at + ROWS_AT_ONCE);
      await this.db.current().execute(sql`
        INSERT INTO passage AS p (tenant_id, passage_id, source_kind, source_id, psg_ordinal, psg_text, psg_heading, psg_lead, psg_page_from, psg_page_to, psg_char_start, psg_char_end, psg_tokens, psg_hash, psg_tsv, psg_length)
        SELECT ${requireScope().tenant_id}::uuid, r.passage_id, ${source.kind}, ${source.id}::uuid, r.ordinal, r.text, r.heading, r.lead, r.page_from, r.page_to, r.char_start, r.char_end, r.tokens, r.hash, r.tsv::tsvector, r.length
        FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
          AS r (passage_id uuid, ordinal integer, text text, heading text, lead text, page_from integer, page_to integer, char_start integer, char_end integer, tokens integer, hash text, tsv text, length integer)
        ON CONFLICT (tenant_id, passage_id) DO UPDATE SET psg_ordinal = excluded.psg_ordinal, psg_page_from = excluded.psg_page_from, psg_page_to = excluded.psg_page_to,
          psg_char_start = excluded.psg_char_start, psg_char_end = excluded.psg_char_end, psg_tsv = excluded.psg_tsv
        WHERE (p.psg_ordinal, p.psg_page_from, p.psg_page_to, p.psg_char_start, p.psg_char_end, p.psg_tsv)
          IS DISTINCT FROM (excluded.psg_ordinal, excluded.psg_page_from, excluded.psg_page_to, excluded.psg_char_start, excluded.psg_char_end, excluded.psg_tsv)`);
    }
  }

  /** Removes all of a source but those; the ids of what went. */
  async retainPassages(source: SourceKey, ids: readonly string[]): Promise<string[]> {
    const gone = await this.db
      .current()
      .query<{ passage_id: string }>(
        sql`DELETE FROM passage p WHERE ${ofSource(source)} AND NOT EXISTS (SELECT FROM unnest(${[...ids]}::uuid[]) AS k WHERE k = p.passage_id) RETURNING passage_id`,
      );
    return gone.map(({ passage_id }) => passage_id);
  }

  /** Removes some of a source; the ids of what went. */
  async removeBatch(source: SourceKey, most: number): Promise<string[]> {
    const gone = await this.db.current().query<{ passage_id: string }>(sql`
      DELETE FROM passage p WHERE p.tenant_id = ${requireScope().tenant_id} AND p.passage_id IN (SELECT p.passage_id FROM passage p WHERE ${ofSource(source)} LIMIT ${most}) RETURNING passage_id`);
    return gone.map(({ passage_id }) => passage_id);
  }

  /** Vectors that were made for passages which never came, a day ago or earlier; how many were removed. */
  async removeOrphanVectors(kind: string, most: number): Promise<number> {
    return this.db.current().execute(sql`
      DELETE FROM vector_entry v WHERE v.tenant_id = ${requireScope().tenant_id} AND v.ve_kind = ${kind} AND v.ve_id IN (
        SELECT o.ve_id FROM vector_entry o WHERE o.tenant_id = ${requireScope().tenant_id} AND o.ve_kind = ${kind} AND o.ve_updated < now() - interval '1 day'
          AND NOT EXISTS (SELECT FROM passage p WHERE p.tenant_id = o.tenant_id AND p.passage_id = o.ve_id) LIMIT ${most})`);
  }
}

/** Condition on `p`. */
const ofSource = ({ kind, id }: SourceKey): Sql =>
  sql`p.tenant_id = ${requireScope().tenant_id} AND p.source_kind = ${kind} AND p.source_id = ${id}::uuid`;
