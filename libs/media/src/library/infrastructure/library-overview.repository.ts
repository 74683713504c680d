import { Injectable } from '@nestjs/common';
import { Database, join, raw, sql, type Sql } from '@atrium/platform/database';

/** How many files of a selection have one value. */
export interface FacetCount extends Record<string, unknown> {
  readonly facet: FacetName;
  /** Of tags: the group. */
  readonly group: string | null;
  readonly value: string;
  readonly label: string | null;
  readonly count: number;
}

export interface FormatCount extends Record<string, unknown> {
  readonly format: string;
  readonly file_type: string;
  readonly kind: string;
  readonly count: number | null;
}

export interface BucketCount extends Record<string, unknown> {
  readonly bucket: string;
  readonly count: number;
}

export const FACETS = ['tags', 'kind', 'status', 'person', 'camera', 'year'] as const;
export type FacetName = (typeof FACETS)[number];

export const BUCKETS = { day: 'YYYY-MM-DD', month: 'YYYY-MM', year: 'YYYY' } as const;
export type BucketSize = keyof typeof BUCKETS;

/** Files that facets are counted over; of more, the newest so many. */
const MOST_FACETED = 100_000;
const TOP = 50;
/** Files beyond which formats are listed without counts. */
const MOST_COUNTED = 500_000;
const MOST_FORMATS = 1_000;

/** Which files are counted: the FROM and WHERE clauses, with the file row as `r`. */
export interface Counted {
  readonly from: Sql;
  readonly where: Sql;
  /** The order that finds the newest of them along an index. */
  readonly newest: Sql;
  /** When they are all files of the library that the reader sees: how many were taken on each day, in rows of `day` and `files` that are to be added up. */
  readonly byDay: Sql | null;
}

/** Counts over a selection of the library, each in one pass. */
@Injectable()
export class LibraryOverviewRepository {
  constructor(private readonly db: Database) {}

  /** The most frequent values of each facet, and over how many files they were counted. How many that are at most is part of the text: as a parameter a kept plan would expect a tenth of the library. */
  async countFacets(
    { from, where, newest }: Counted,
    names: readonly FacetName[],
  ): Promise<{ readonly counts: readonly FacetCount[]; readonly sampled: boolean; readonly counted: number }> {
    const parts = names.map((name) => FACET_SQL[name]);
    const rows = await this.db.current().query<FacetCount>(sql`
      WITH looked AS MATERIALIZED (SELECT r.tenant_id, r.file_id, r.file_kind, r.file_status, r.file_camera, r.file_taken FROM ${from} WHERE ${where} ORDER BY ${newest} DESC LIMIT ${raw(String(MOST_FACETED + 1))}),
           chosen AS NOT MATERIALIZED (SELECT * FROM looked LIMIT ${raw(String(MOST_FACETED))})
      SELECT 'kind' AS facet, NULL AS group, '~all' AS value, NULL AS label, count(*) AS count FROM looked
      UNION ALL ${join(parts, ' UNION ALL ')}`);
    const [all, ...counts] = [...rows.filter(({ value }) => value === '~all'), ...rows.filter(({ value }) => value !== '~all')];
    const looked = all?.count ?? 0;
    return { counts, sampled: looked > MOST_FACETED, counted: Math.min(looked, MOST_FACETED) };
  }

  /** Files by when they were taken, the latest first. */
  countTimeline(counted: Counted, by: BucketSize): Promise<BucketCount[]> {
    const buckets = counted.byDay ? bucketsOfDays(counted.byDay, by) : bucketsOfFiles(counted, by);
    return this.db
      .current()
      .query<BucketCount>(sql`SELECT to_char(b.start, ${BUCKETS[by]}) AS bucket, b.count FROM (${buckets}) b ORDER BY b.start DESC`);
  }

  /** Formats by how many files have each; the counts are null in a selection too large to be counted. */
  async countFormats({ from, where }: Counted): Promise<{ readonly data: readonly FormatCount[]; readonly counted: boolean }> {
    const looked = await this.db
      .current()
      .first<{ count: number }>(sql`SELECT count(*) FROM (SELECT FROM ${from} WHERE ${where} LIMIT ${MOST_COUNTED + 1}) x`);
    if ((looked?.count ?? 0) > MOST_COUNTED) return { data: await this.formatsAlone({ from, where }), counted: false };
    const data = await this.db
      .current()
      .query<FormatCount>(
        sql`SELECT r.file_ext AS format, r.file_type, r.file_kind AS kind, count(*) AS count FROM ${from} WHERE ${where} GROUP BY 1, 2, 3 ORDER BY 4 DESC, 1, 2 LIMIT ${MOST_FORMATS}`,
      );
    return { data, counted: true };
  }

  /** From one format to the next along their index: as many steps as there are formats, however many files. */
  private formatsAlone({ from, where }: Pick<Counted, 'from' | 'where'>): Promise<FormatCount[]> {
    const next = (behind: Sql): Sql =>
      sql`(SELECT r.file_ext, r.file_type_key, r.file_type, r.file_kind FROM ${from} WHERE ${where} ${behind} ORDER BY r.file_ext, r.file_type_key, r.file_kind LIMIT 1)`;
    return this.db.current().query<FormatCount>(sql`
      WITH RECURSIVE found AS (
        SELECT f.*, 1 AS step FROM ${next(sql``)} f
        UNION ALL
        SELECT f.*, found.step + 1 FROM found CROSS JOIN LATERAL ${next(sql`AND (r.file_ext, r.file_type_key, r.file_kind) > (found.file_ext, found.file_type_key, found.file_kind)`)} f WHERE found.step < ${MOST_FORMATS})
      SELECT file_ext AS format, file_type, file_kind AS kind, NULL::bigint AS count FROM found ORDER BY 1, 2`);
  }
}

/** Each file is looked at. */
const bucketsOfFiles = ({ from, where }: Counted, by: BucketSize): Sql =>
  sql`SELECT date_trunc(${by}, r.file_taken AT TIME ZONE 'UTC') AS start, count(*) AS count FROM ${from} WHERE ${where} GROUP BY 1`;

/** Days are added up, however many files each has. */
const bucketsOfDays = (days: Sql, by: BucketSize): Sql =>
  sql`SELECT date_trunc(${by}, d.day::timestamp) AS start, sum(d.files)::bigint AS count FROM (${days}) d GROUP BY 1 HAVING sum(d.files) <> 0`;

/** The most frequent values of a column of the chosen files. */
const byColumn = (facet: FacetName, value: string): Sql =>
  sql`(SELECT ${raw(`'${facet}'`)}, NULL, ${raw(value)}::text, NULL, count(*) FROM chosen c WHERE ${raw(value)} IS NOT NULL GROUP BY 3 ORDER BY 5 DESC, 3 LIMIT ${TOP})`;

const FACET_SQL: Readonly<Record<FacetName, Sql>> = {
  kind: byColumn('kind', 'c.file_kind'),
  status: byColumn('status', 'c.file_status'),
  camera: byColumn('camera', 'c.file_camera'),
  year: sql`
    SELECT 'year', NULL, to_char(y.year, 'YYYY'), NULL, y.count FROM (
      SELECT date_trunc('year', c.file_taken AT TIME ZONE 'UTC') AS year, count(*) AS count FROM chosen c GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT ${TOP}) y`,
  // File by file and in the order of the index, so that it costs what the chosen files have, and not what all of the library
  // do; counted before they are named, so that no plan of another workspace's size counts them again for every name.
  tags: sql`
    (WITH borne AS MATERIALIZED (
       SELECT f.ft_tag, count(*) AS count FROM (SELECT tenant_id, file_id FROM chosen ORDER BY file_id) c
       CROSS JOIN LATERAL (SELECT t.ft_tag FROM file_tag t WHERE t.tenant_id = c.tenant_id AND t.ft_file = c.file_id OFFSET 0) f GROUP BY 1)
     SELECT 'tags', t.mtg_name, t.mt_value, NULL, t.count FROM (
       SELECT g.mtg_name, v.mt_value, b.count, row_number() OVER (PARTITION BY g.mtg_id ORDER BY b.count DESC, v.mt_value) AS place
       FROM borne b JOIN media_tag v ON v.tenant_id = current_tenant() AND v.mt_id = b.ft_tag JOIN media_tag_group g ON g.tenant_id = v.tenant_id AND g.mtg_id = v.mt_group) t WHERE t.place <= ${TOP})`,
  person: sql`
    (WITH shown AS MATERIALIZED (
       SELECT f.face_person, count(*) AS count FROM (SELECT tenant_id, file_id FROM chosen ORDER BY file_id) c
       CROSS JOIN LATERAL (SELECT t.face_person FROM face t WHERE t.tenant_id = c.tenant_id AND t.face_file = c.file_id AND t.face_person IS NOT NULL OFFSET 0) f GROUP BY 1)
     SELECT 'person', NULL, p.person_id::text, p.person_name, s.count FROM shown s
     JOIN person p ON p.tenant_id = current_tenant() AND p.person_id = s.face_person WHERE NOT p.person_hidden ORDER BY 5 DESC, 3 LIMIT ${TOP})`,
};
