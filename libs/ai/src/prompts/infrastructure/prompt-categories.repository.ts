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
import { PromptCategory } from '../domain/prompt-category';

/** A category as it is stored. */
export type CategoryRow = Omit<PromptCategory, 'tenant_id' | 'row_version' | 'describe' | 'moveUnder'> & { readonly row_version?: number };

/** The tree of categories of a workspace. */
@Injectable()
export class PromptCategoriesRepository extends ResourceRepository<PromptCategory> {
  constructor(db: Database) {
    super(db, PromptCategory, 'prompt category');
  }

  listCategories({ pcat_active = true, ...query }: ListParameters & { readonly pcat_active?: boolean }): Promise<Page<CategoryRow>> {
    return listPage<CategoryRow>(this.db.current(), PromptCategory, query, { where: sql`r.pcat_active = ${pcat_active}`, steady: true });
  }

  findCategoryRow(pcat_id: string): Promise<CategoryRow | undefined> {
    return this.db
      .current()
      .first<CategoryRow & Record<string, unknown>>(
        sql`SELECT ${columnsOf(PromptCategory)}, r.row_version FROM prompt_category r WHERE r.tenant_id = ${requireScope().tenant_id} AND r.pcat_id = ${pcat_id}`,
      );
  }

  /** One change at a time in the tree of a workspace; taken before any row is locked, so that two changes neither cross nor deadlock. */
  async lockTree(): Promise<void> {
    await this.db
      .current()
      .query(sql`SELECT pg_advisory_xact_lock(hashtextextended('prompt categories:' || ${requireScope().tenant_id}::text, 0))`);
  }

  /** An active category and those above it, itself first; empty where there is none such. */
  async findPath(pcat_id: string): Promise<string[]> {
    const { tenant_id } = requireScope();
    const rows = await this.db.current().query<{ pcat_id: string }>(
      sql`WITH RECURSIVE up AS (
            SELECT c.pcat_id, c.pcat_parent, 1 AS step FROM prompt_category c WHERE c.tenant_id = ${tenant_id} AND c.pcat_id = ${pcat_id}::uuid AND c.pcat_active
            UNION ALL SELECT c.pcat_id, c.pcat_parent, u.step + 1 FROM up u JOIN prompt_category c ON c.tenant_id = ${tenant_id} AND c.pcat_id = u.pcat_parent)
          SELECT pcat_id FROM up ORDER BY step`,
    );
    return rows.map((row) => row.pcat_id);
  }

  /** How many levels of categories are below one, inactive ones too, because they may come back. */
  async countLevelsBelow(pcat_id: string): Promise<number> {
    const { tenant_id } = requireScope();
    const row = await this.db.current().first<{ levels: number }>(
      sql`WITH RECURSIVE below AS (
            SELECT c.pcat_id, 1 AS level FROM prompt_category c WHERE c.tenant_id = ${tenant_id} AND c.pcat_parent = ${pcat_id}::uuid
            UNION ALL SELECT c.pcat_id, b.level + 1 FROM below b JOIN prompt_category c ON c.tenant_id = ${tenant_id} AND c.pcat_parent = b.pcat_id)
          SELECT coalesce(max(level), 0) AS levels FROM below`,
    );
    return Number(row?.levels ?? 0);
  }

  /** What was below one category is below another one, or at the top. */
  async moveChildren(from: string, to: string | null): Promise<void> {
    await this.db.current().execute(
      sql`UPDATE prompt_category SET pcat_parent = ${to}::uuid, row_version = row_version + 1, pcat_updated = now()
          WHERE tenant_id = ${requireScope().tenant_id} AND pcat_parent = ${from}::uuid`,
    );
  }

  /** No prompt is in it any more. */
  async unlinkPrompts(pcat_id: string): Promise<void> {
    await this.db
      .current()
      .execute(sql`DELETE FROM prompt_category_link WHERE tenant_id = ${requireScope().tenant_id} AND pcat_id = ${pcat_id}`);
  }

  /** Which of the ids are active categories; they stay so until the unit of work ends. */
  async lockExisting(pcat_ids: readonly string[]): Promise<ReadonlySet<string>> {
    const rows = await this.db
      .current()
      .query<{ pcat_id: string }>(
        sql`SELECT pcat_id FROM prompt_category WHERE tenant_id = ${requireScope().tenant_id} AND pcat_id = ANY(${[...pcat_ids]}::uuid[]) AND pcat_active ORDER BY pcat_id FOR SHARE`,
      );
    return new Set(rows.map(({ pcat_id }) => pcat_id));
  }
}
