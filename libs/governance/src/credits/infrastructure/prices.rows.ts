import { Injectable } from '@nestjs/common';
import { columnsOf, Database, empty, listPage, requireScope, sql, type ListParameters, type Page } from '@atrium/platform/database';
import { Price } from '../domain/price';

export type PriceRow = Omit<Price, 'tenant_id' | 'row_version'>;

/** Prices: what a workspace may see of them, and their versions as operators set them. */
@Injectable()
export class PricesRows {
  constructor(private readonly db: Database) {}

  listPrices(query: ListParameters & { readonly at?: Date }): Promise<Page<PriceRow>> {
    const where = query.at ? sql`r.cost_valid_from <= ${query.at} AND (r.cost_valid_to IS NULL OR r.cost_valid_to > ${query.at})` : empty;
    return listPage<PriceRow>(this.db.current(), Price, query, { where });
  }

  /** All that hold now for the workspace at hand. */
  listPricesInForce(): Promise<PriceRow[]> {
    return this.db.current().query(
      sql`SELECT ${columnsOf(Price)} FROM cost r WHERE r.tenant_id = ${requireScope().tenant_id} AND r.cost_valid_from <= now() AND (r.cost_valid_to IS NULL OR r.cost_valid_to > now())
          ORDER BY r.cost_param, r.cost_workspace DESC, r.cost_details NULLS LAST`,
    );
  }

  /** The list prices of the installation, latest first. */
  listPlatformPrices(): Promise<PriceRow[]> {
    return this.db.acrossTenants((tx) =>
      tx.query(sql`SELECT p.*, false AS cost_workspace FROM costs_of_platform() p ORDER BY p.cost_valid_from DESC, p.cost_id DESC`),
    );
  }

  /** A new version of a list price; undefined where one of the same moment or later is there. */
  async setList(cost: object): Promise<PriceRow | undefined> {
    return this.db.acrossTenants(async (tx) => {
      const cost_id = await this.set(null, cost);
      return tx.first<PriceRow>(sql`SELECT p.*, false AS cost_workspace FROM costs_of_platform() p WHERE p.cost_id = ${cost_id}::uuid`);
    });
  }

  /** The same of a price agreed with the workspace at hand. */
  async setAgreed(cost: object): Promise<PriceRow | undefined> {
    const { tenant_id } = requireScope();
    const cost_id = await this.set(tenant_id, cost);
    return this.db
      .current()
      .first<PriceRow>(sql`SELECT ${columnsOf(Price)} FROM cost r WHERE r.tenant_id = ${tenant_id} AND r.cost_id = ${cost_id}::uuid`);
  }

  private async set(ws_id: string | null, cost: object): Promise<string | null> {
    const row = await this.db
      .current()
      .first<{ made: string | null }>(sql`SELECT cost_set(${ws_id}::uuid, ${JSON.stringify(cost)}::jsonb) AS made`);
    return row?.made ?? null;
  }
}
