import { Injectable } from '@nestjs/common';
import type { Principal } from '@atrium/platform/access';
import { Database } from '@atrium/platform/database';
import type { FilePref } from '../domain/file-row';
import { FilePrefRows } from '../infrastructure/file-prefs.rows';
import { FileQueries } from './file-queries';

/** Each user's own mark on files; nobody else sees it, and it does not change the file. */
@Injectable()
export class Favorites {
  constructor(
    private readonly db: Database,
    private readonly queries: FileQueries,
    private readonly prefs: FilePrefRows,
  ) {}

  /** Turns the caller's mark over. */
  toggleFavorite(caller: Principal, file_id: string): Promise<{ file_id: string; file_pref: FilePref }> {
    return this.db.write(async () => {
      await this.queries.getFile(caller, file_id);
      const row = await this.prefs.toggleFavorite(file_id, caller.user_id);
      return { file_id, file_pref: { favorite: row?.favorite ?? false } };
    });
  }
}
