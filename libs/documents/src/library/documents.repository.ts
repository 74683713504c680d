import { Injectable } from '@nestjs/common';
import { Database, requireScope, sql, type Sql } from '@atrium/platform/database';

/** What was said of a deprecated document. */
export interface Deprecation {
  readonly file_deprecated_at: Date;
  readonly file_deprecated_by: string | null;
  readonly file_deprecated_reason: string | null;
  readonly file_superseded_by: string | null;
}

/** How many documents have an extension; null where they were not counted. */
export interface DocumentFormat extends Record<string, unknown> {
  readonly format: string;
  readonly count: number | null;
}

/** Successions that are followed at most, one document a step. */
const MOST_STEPS = 1_000;
const MOST_FORMATS = 1_000;

/** What the library keeps of documents beside their files; active ones have no row. */
@Injectable()
export class DocumentsRepository {
  constructor(private readonly db: Database) {}

  /** Of the files those that are deprecated. */
  async findDeprecations(file_ids: readonly string[]): Promise<ReadonlyMap<string, Deprecation>> {
    const rows = await this.db.current().query<Deprecation & { readonly file_id: string }>(sql`
      SELECT file_id, file_deprecated_at, file_deprecated_by, file_deprecated_reason, file_superseded_by FROM document
      WHERE tenant_id = ${requireScope().tenant_id} AND file_id = ANY(${[...file_ids]}::uuid[])`);
    return new Map(rows.map(({ file_id, ...deprecation }) => [file_id, deprecation]));
  }

  /** The document is deprecated; one that was keeps since when and by whom. */
  async deprecateDocument(
    file_id: string,
    { file_deprecated_at, file_deprecated_by, file_deprecated_reason, file_superseded_by }: Deprecation,
  ): Promise<void> {
    await this.db.current().execute(sql`
      INSERT INTO document (tenant_id, file_id, file_deprecated_at, file_deprecated_by, file_deprecated_reason, file_superseded_by)
      VALUES (${requireScope().tenant_id}, ${file_id}, ${file_deprecated_at}, ${file_deprecated_by}, ${file_deprecated_reason}, ${file_superseded_by})
      ON CONFLICT (tenant_id, file_id) DO UPDATE SET file_deprecated_reason = excluded.file_deprecated_reason, file_superseded_by = excluded.file_superseded_by`);
  }

  /** The documents are active; those that were not before. */
  async activateDocuments(file_ids: readonly string[]): Promise<string[]> {
    const rows = await this.db
      .current()
      .query<{ file_id: string }>(
        sql`DELETE FROM document WHERE tenant_id = ${requireScope().tenant_id} AND file_id = ANY(${[...file_ids]}::uuid[]) RETURNING file_id`,
      );
    return rows.map(({ file_id }) => file_id);
  }

  /** Whether following successors from one document comes by another; nobody else changes a succession in the meantime. */
  async hasSuccessorPath(from: string, to: string): Promise<boolean> {
    const { tenant_id } = requireScope();
    await this.db.current().query(sql`SELECT pg_advisory_xact_lock(hashtextextended(${`succession:${tenant_id}`}, 0))`);
    const row = await this.db.current().first<{ found: boolean }>(sql`
      WITH RECURSIVE chain (file_id, step) AS (
        SELECT ${from}::uuid, 0
        UNION ALL
        SELECT d.file_superseded_by, c.step + 1 FROM chain c JOIN document d ON d.tenant_id = ${tenant_id} AND d.file_id = c.file_id
        WHERE d.file_superseded_by IS NOT NULL AND c.file_id <> ${to}::uuid AND c.step < ${MOST_STEPS})
      SELECT EXISTS (SELECT FROM chain WHERE file_id = ${to}::uuid) AS found`);
    return row?.found === true;
  }

  /** The extensions of a selection by how many documents have each; beyond so many documents in all without counts, from one to the next along their index. */
  async countFormats(
    from: Sql,
    where: Sql,
    most: number,
  ): Promise<{ readonly data: readonly DocumentFormat[]; readonly counted: boolean }> {
    const all = await this.db
      .current()
      .first<{ count: number }>(sql`SELECT count(*) FROM (SELECT FROM ${from} WHERE ${where} LIMIT ${most + 1}) x`);
    if ((all?.count ?? 0) > most) return { data: await this.formatsAlone(from, where), counted: false };
    const data = await this.db
      .current()
      .query<DocumentFormat>(
        sql`SELECT r.file_ext AS format, count(*) AS count FROM ${from} WHERE ${where} GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT ${MOST_FORMATS}`,
      );
    return { data, counted: true };
  }

  private formatsAlone(from: Sql, where: Sql): Promise<DocumentFormat[]> {
    const next = (behind: Sql): Sql => sql`SELECT r.file_ext FROM ${from} WHERE ${where} ${behind} ORDER BY r.file_ext LIMIT 1`;
    return this.db.current().query<DocumentFormat>(sql`
      WITH RECURSIVE found (file_ext, step) AS (
        (SELECT f.file_ext, 1 FROM (${next(sql``)}) f)
        UNION ALL
        SELECT f.file_ext, found.step + 1 FROM found CROSS JOIN LATERAL (${next(sql`AND r.file_ext > found.file_ext`)}) f WHERE found.step < ${MOST_FORMATS})
      SELECT file_ext AS format, NULL::bigint AS count FROM found ORDER BY 1`);
  }
}
