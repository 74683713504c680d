import { Injectable } from '@nestjs/common';
import { Database, requireScope, sql } from '@atrium/platform/database';
import { wholeBrand, type Brand, type BrandFacts } from '../domain/brand';

/** What the workspace at hand shows of itself to people from outside. */
export interface ShownBrand {
  /** The name of the brand, or of the workspace where the brand has none. */
  readonly name: string;
  readonly brand: Brand;
}

/** The brand for surfaces that other contexts show; read in one statement, within or outside of a unit of work. */
@Injectable()
export class WorkspaceBrand {
  constructor(private readonly db: Database) {}

  async getShownBrand(): Promise<ShownBrand> {
    const row = await this.db.read((tx) =>
      tx.first<{ ws_name: string; ws_brand: BrandFacts }>(
        sql`SELECT ws_name, ws_brand FROM workspace WHERE tenant_id = ${requireScope().tenant_id}`,
      ),
    );
    const brand = wholeBrand(row?.ws_brand ?? {});
    return { name: brand.name ?? row?.ws_name ?? '', brand };
  }
}
