import { Injectable } from '@nestjs/common';
import { Database, requireScope, sql } from '@atrium/platform/database';

/** A mark that a keeper got; `had` when it was there, turned off. */
export interface MovedFavorite {
  readonly file_id: string;
  readonly user_id: string;
  readonly had: boolean;
}

/** Favorites of files that are merged. */
@Injectable()
export class MergedFavoriteRows {
  constructor(private readonly db: Database) {}

  /** Each of the keepers gets the marks of the others; returns those that it did not have. */
  copyFavorites(keepers: readonly string[], others: readonly string[]): Promise<MovedFavorite[]> {
    const { tenant_id } = requireScope();
    return this.db.current().query<MovedFavorite>(sql`
      INSERT INTO file_pref (tenant_id, file_id, user_id, favorite)
      SELECT DISTINCT ${tenant_id}::uuid, k.id, p.user_id, true
      FROM file_pref p CROSS JOIN unnest(${[...keepers]}::uuid[]) AS k (id) WHERE p.tenant_id = ${tenant_id} AND p.file_id = ANY(${[...others]}::uuid[]) AND p.favorite
      ON CONFLICT (tenant_id, file_id, user_id) DO UPDATE SET favorite = true, pref_updated = now() WHERE NOT file_pref.favorite
      RETURNING file_id, user_id, xmax <> 0 AS had`);
  }

  /** Removes the marks that were not there, as far as they are still set. */
  async deleteAdded(moved: readonly MovedFavorite[]): Promise<void> {
    await this.db.current().execute(sql`
      DELETE FROM file_pref p USING jsonb_to_recordset(${JSON.stringify(moved)}::jsonb) AS m (file_id uuid, user_id uuid, had boolean)
      WHERE p.tenant_id = ${requireScope().tenant_id} AND p.file_id = m.file_id AND p.user_id = m.user_id AND p.favorite AND NOT m.had`);
  }

  /** Turns the marks off that were there, turned off. */
  async clearRestored(moved: readonly MovedFavorite[]): Promise<void> {
    await this.db.current().execute(sql`
      UPDATE file_pref p SET favorite = false, pref_updated = now() FROM jsonb_to_recordset(${JSON.stringify(moved)}::jsonb) AS m (file_id uuid, user_id uuid, had boolean)
      WHERE p.tenant_id = ${requireScope().tenant_id} AND p.file_id = m.file_id AND p.user_id = m.user_id AND p.favorite AND m.had`);
  }
}
