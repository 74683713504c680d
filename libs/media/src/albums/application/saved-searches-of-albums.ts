import { Injectable } from '@nestjs/common';
import { SavedSearchUses } from '@atrium/files';
import { Database, requireScope, sql } from '@atrium/platform/database';

/** Reports how many albums and folders each saved search fills. */
@Injectable()
export class SavedSearchesOfAlbums {
  constructor(
    private readonly db: Database,
    uses: SavedSearchUses,
  ) {
    uses.register({ uses: (ids) => this.uses(ids) });
  }

  private async uses(ids: readonly string[]): Promise<ReadonlyMap<string, number>> {
    const rows = await this.db
      .current()
      .query<{ album_query: string; count: number }>(
        sql`SELECT album_query, count(*) FROM album WHERE tenant_id = ${requireScope().tenant_id} AND album_query = ANY(${[...ids]}::uuid[]) GROUP BY 1`,
      );
    return new Map(rows.map(({ album_query, count }) => [album_query, count]));
  }
}
