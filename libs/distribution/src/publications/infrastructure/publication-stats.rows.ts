import { Injectable } from '@nestjs/common';
import { Database, requireScope, sql, type Sql } from '@atrium/platform/database';

/** What was counted of one publication and day. */
export interface CountedHits {
  readonly pub_id: string;
  readonly day: string;
  readonly outcome: string;
  readonly country: string;
  readonly hits: number;
  readonly bytes: number;
  readonly last: string;
}

export interface SummedHits extends Record<string, unknown> {
  readonly day: string;
  readonly outcome: string;
  readonly country: string;
  readonly hits: number;
  readonly bytes: number;
}

/** Which days, of one publication or of all. */
export interface CountedDays {
  readonly pub_id: string | null;
  readonly first: string;
  readonly last: string;
}

/** What the public fetched and what it was refused, by publication and day. */
@Injectable()
export class PublicationStatRows {
  constructor(private readonly db: Database) {}

  /** Adds to the sums and to the counters of the publications; those that do not exist any more are left out. */
  async addHits(cells: readonly CountedHits[]): Promise<void> {
    const { tenant_id } = requireScope();
    await this.db.current().execute(sql`
          WITH given AS (SELECT * FROM jsonb_to_recordset(${JSON.stringify(cells)}::jsonb) AS c (pub_id uuid, day date, outcome text, country text, hits bigint, bytes bigint, last timestamptz)),
          known AS (SELECT g.* FROM given g JOIN publication p ON p.tenant_id = ${tenant_id} AND p.pub_id = g.pub_id),
          counted AS (
            INSERT INTO publication_stat AS s (tenant_id, ps_publication, ps_day, ps_outcome, ps_country, ps_hits, ps_bytes)
            SELECT ${tenant_id}::uuid, k.pub_id, k.day, k.outcome, k.country, k.hits, k.bytes FROM known k ORDER BY k.pub_id, k.day, k.outcome, k.country
            ON CONFLICT (tenant_id, ps_publication, ps_day, ps_outcome, ps_country) DO UPDATE SET ps_hits = s.ps_hits + excluded.ps_hits, ps_bytes = s.ps_bytes + excluded.ps_bytes)
          UPDATE publication p SET pub_hit_count = p.pub_hit_count + h.hits, pub_last_hit = greatest(p.pub_last_hit, h.last)
          FROM (SELECT k.pub_id, sum(k.hits)::bigint AS hits, max(k.last) AS last FROM known k WHERE k.outcome = 'hit' GROUP BY 1 ORDER BY 1) h
          WHERE p.tenant_id = ${tenant_id} AND p.pub_id = h.pub_id`);
  }

  /** Sums by day, outcome and country, of the publications `p` that a condition lets through. */
  sumHits({ pub_id, first, last }: CountedDays, visible: Sql): Promise<SummedHits[]> {
    return this.db.current().query<SummedHits>(sql`
      SELECT s.ps_day::text AS day, s.ps_outcome AS outcome, s.ps_country AS country, sum(s.ps_hits)::bigint AS hits, sum(s.ps_bytes)::bigint AS bytes
      FROM publication_stat s JOIN publication p ON p.tenant_id = s.tenant_id AND p.pub_id = s.ps_publication
      WHERE s.tenant_id = ${requireScope().tenant_id} AND s.ps_day BETWEEN ${first}::date AND ${last}::date AND (${pub_id}::uuid IS NULL OR s.ps_publication = ${pub_id}::uuid) AND ${visible}
      GROUP BY 1, 2, 3 ORDER BY 1, 2, 3`);
  }
}
