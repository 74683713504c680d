import { Injectable } from '@nestjs/common';
import { Database, requireScope, sql } from '@atrium/platform/database';
import type { FilePref } from '../domain/file-row';

/** What users marked files with, a row for each user and file. */
@Injectable()
export class FilePrefRows {
  constructor(private readonly db: Database) {}

  /** One statement, so that simultaneous toggles all count. */
  toggleFavorite(file_id: string, user_id: string): Promise<FilePref | undefined> {
    return this.db.current().first<FilePref>(sql`
      INSERT INTO file_pref (tenant_id, file_id, user_id, favorite) VALUES (${requireScope().tenant_id}, ${file_id}, ${user_id}, true)
      ON CONFLICT (tenant_id, file_id, user_id) DO UPDATE SET favorite = NOT file_pref.favorite, pref_updated = now()
      RETURNING favorite`);
  }
}
