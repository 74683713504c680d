import { Injectable } from '@nestjs/common';
import type { Principal } from '@atrium/platform/access';
import { Database, requireScope, sql } from '@atrium/platform/database';
import { FileQueries, type FilePref } from './file-queries';

/** Each user's own mark on files; nobody else sees it, and it does not change the file. */
@Injectable()
export class Favorites {
  constructor(
    private readonly db: Database,
    private readonly queries: FileQueries,
  ) {}

  /** Turns the caller's mark over: one statement, so that flips at the same time all count. */
  toggleFavorite(caller: Principal, file_id: string): Promise<{ file_id: string; file_pref: FilePref }> {
    return this.db.write(async (tx) => {
      await this.queries.getFile(caller, file_id);
      const row = await tx.first<FilePref>(sql`
        INSERT INTO file_pref (tenant_id, file_id, user_id, favorite) VALUES (${requireScope().tenant_id}, ${file_id}, ${caller.user_id}, true)
        ON CONFLICT (tenant_id, file_id, user_id) DO UPDATE SET favorite = NOT file_pref.favorite, pref_updated = now()
        RETURNING favorite`);
      return { file_id, file_pref: { favorite: row?.favorite ?? false } };
    });
  }
}
