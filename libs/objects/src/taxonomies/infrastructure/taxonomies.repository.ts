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
import { Taxonomy } from '../domain/taxonomy';

/** A taxonomy as clients see it. */
export type TaxonomyRow = Omit<Taxonomy, 'tenant_id' | 'row_version' | 'assertOwn' | 'assertOpen' | 'assertRoom' | 'touch'>;
export type VersionedTaxonomyRow = TaxonomyRow & { readonly row_version: number };

/** The taxonomies of a workspace. */
@Injectable()
export class TaxonomiesRepository extends ResourceRepository<Taxonomy> {
  constructor(db: Database) {
    super(db, Taxonomy, 'taxonomy');
  }

  listTaxonomies(query: ListParameters, active: boolean): Promise<Page<TaxonomyRow>> {
    return listPage<TaxonomyRow>(this.db.current(), Taxonomy, query, { where: sql`r.tax_active = ${active}`, ignore: ['tax_active'] });
  }

  findTaxonomyRow(tax_id: string): Promise<VersionedTaxonomyRow | undefined> {
    return this.db
      .current()
      .first(
        sql`SELECT ${columnsOf(Taxonomy)}, r.row_version FROM taxonomy r WHERE r.tenant_id = ${requireScope().tenant_id} AND r.tax_id = ${tax_id}`,
      );
  }

  /** Whether the workspace has as many active taxonomies as given. */
  async hasAtLeast(most: number): Promise<boolean> {
    const row = await this.db
      .current()
      .first<{ count: number }>(
        sql`SELECT count(*) AS count FROM (SELECT FROM taxonomy WHERE tenant_id = ${requireScope().tenant_id} AND tax_active LIMIT ${most}) x`,
      );
    return (row?.count ?? 0) >= most;
  }

  /** The slugs of active taxonomies that are this one or continue it with a hyphen. */
  async listSlugsLike(slug: string): Promise<ReadonlySet<string>> {
    const rows = await this.db
      .current()
      .query<{ tax_slug: string }>(
        sql`SELECT tax_slug FROM taxonomy WHERE tenant_id = ${requireScope().tenant_id} AND tax_active AND (tax_slug = ${slug} OR (tax_slug >= ${`${slug}-`} AND tax_slug < ${`${slug}.`}))`,
      );
    return new Set(rows.map(({ tax_slug }) => tax_slug));
  }

  /** Counts terms in or out, under the lock of the taxonomy. Its version stays: nothing that can be changed has changed. */
  async countTerms(tax_id: string, more: number): Promise<void> {
    await this.db
      .current()
      .execute(
        sql`UPDATE taxonomy SET tax_term_count = tax_term_count + ${more}::integer WHERE tenant_id = ${requireScope().tenant_id} AND tax_id = ${tax_id}`,
      );
  }
}
