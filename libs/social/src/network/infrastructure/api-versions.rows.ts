import { Injectable } from '@nestjs/common';
import { Database, sql } from '@atrium/platform/database';
import type { Platform } from '../domain/platforms';

/** The version of a platform's interface that is used in the place of the one of the settings; one row for the whole installation. */
@Injectable()
export class ApiVersionRows {
  constructor(private readonly db: Database) {}

  async findVersion(platform: Platform): Promise<{ readonly version: string; readonly instead_of: string } | undefined> {
    const [row] = await this.db.queryAcrossTenants<{ version: string; instead_of: string }>(
      sql`SELECT version, instead_of FROM social_api_version_in_use(${platform})`,
    );
    return row;
  }

  async storeVersion(platform: Platform, version: string, instead_of: string): Promise<void> {
    await this.db.acrossTenants((tx) => tx.query(sql`SELECT social_api_version_found(${platform}, ${version}, ${instead_of})`));
  }
}
