import { Injectable, type OnModuleInit } from '@nestjs/common';
import { NamedInHistory } from '@atrium/files';
import type { Principal } from '@atrium/platform/access';
import { Database, requireScope, sql } from '@atrium/platform/database';

/** The share links that histories of files name: to who made the link and to administrators of links, and to nobody else once it is gone. */
@Injectable()
export class SharesInHistory implements OnModuleInit {
  constructor(
    private readonly db: Database,
    private readonly history: NamedInHistory,
  ) {}

  onModuleInit(): void {
    this.history.register('share_id', (caller, ids) => this.readableTo(caller, ids));
  }

  private async readableTo(caller: Principal, ids: readonly string[]): Promise<ReadonlySet<string>> {
    if (caller.permissions.has('admin:share-links')) return new Set(ids);
    const own = await this.db
      .current()
      .query<{ share_id: string }>(
        sql`SELECT share_id FROM share_link WHERE tenant_id = ${requireScope().tenant_id} AND share_id = ANY(${[...ids]}::uuid[]) AND share_created_by = ${caller.user_id}::uuid`,
      );
    return new Set(own.map(({ share_id }) => share_id));
  }
}
