import { Injectable } from '@nestjs/common';
import { Database, requireScope, sql } from '@atrium/platform/database';

/** The status of the current workspace, for what is reached without being a member of it. */
@Injectable()
export class WorkspaceStatusReader {
  constructor(private readonly db: Database) {}

  /** Neither suspended nor about to be deleted. */
  async isOpen(): Promise<boolean> {
    const row = await this.db.read((tx) =>
      tx.first<{ ws_status: string }>(sql`SELECT ws_status FROM workspace WHERE tenant_id = ${requireScope().tenant_id}`),
    );
    return row?.ws_status === 'active';
  }
}
