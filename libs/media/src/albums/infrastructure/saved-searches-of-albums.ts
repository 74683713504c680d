import { Injectable } from '@nestjs/common';
import { SavedSearchUses } from '@atrium/files';
import { AclSources } from '@atrium/identity';
import type { Principal } from '@atrium/platform/access';
import { Database, requireScope, sql } from '@atrium/platform/database';

/** Reports how many albums and folders each saved search fills. */
@Injectable()
export class SavedSearchesOfAlbums {
  constructor(
    private readonly db: Database,
    private readonly acls: AclSources,
    uses: SavedSearchUses,
  ) {
    uses.register({ countUses: (ids, reader) => this.uses(ids, reader) });
  }

  private async uses(ids: readonly string[], reader: Principal | null): Promise<ReadonlyMap<string, number>> {
    const isRead = (reader && this.acls.readableCondition('album', reader)) ?? sql`true`;
    const rows = await this.db
      .current()
      .query<{ album_query: string; count: number }>(
        sql`SELECT r.album_query, count(*) AS count FROM album r WHERE r.tenant_id = ${requireScope().tenant_id} AND r.album_query = ANY(${[...ids]}::uuid[]) AND ${isRead} GROUP BY 1`,
      );
    return new Map(rows.map(({ album_query, count }) => [album_query, count]));
  }
}
