import { Injectable, type OnModuleInit } from '@nestjs/common';
import { NamedInHistory } from '@atrium/files';
import { aclAllows, type Principal } from '@atrium/platform/access';
import { Database, requireScope, sql } from '@atrium/platform/database';

/** The albums and folders that histories of files name: to readers of the album alone, and to nobody once it is deleted. */
@Injectable()
export class AlbumsInHistory implements OnModuleInit {
  constructor(
    private readonly db: Database,
    private readonly history: NamedInHistory,
  ) {}

  onModuleInit(): void {
    this.history.register('album_id', (caller, ids) => this.readableTo(caller, ids));
  }

  private async readableTo(caller: Principal, ids: readonly string[]): Promise<ReadonlySet<string>> {
    const kinds = [caller.permissions.has('media:view') ? 'media' : '', caller.permissions.has('document:view') ? 'docs' : ''];
    const rows = await this.db
      .current()
      .query<{ album_id: string }>(
        sql`SELECT album_id FROM album WHERE tenant_id = ${requireScope().tenant_id} AND album_id = ANY(${[...ids]}::uuid[]) AND album_kind = ANY(${kinds}::text[]) AND ${aclAllows('album_acl', caller, 'view')}`,
      );
    return new Set(rows.map(({ album_id }) => album_id));
  }
}
