import { Injectable } from '@nestjs/common';
import { Database, sql } from '@atrium/platform/database';

/** What is due to be ended in one of the workspaces. */
export interface DueItem {
  readonly kind: 'upload' | 'trash' | 'blob' | 'archive';
  readonly tenant_id: string;
  readonly id: string;
}

/** What one workspace holds. */
export interface WorkspaceSum {
  readonly ws_id: string;
  readonly files: number;
  readonly bytes: number;
}

/** What is asked of all workspaces at once, in a unit of work across them. */
@Injectable()
export class AllWorkspacesRows {
  constructor(private readonly db: Database) {}

  findDueItems(most: number): Promise<DueItem[]> {
    return this.db.current().query<DueItem>(sql`SELECT kind, tenant_id, id FROM files_due(${most})`);
  }

  countHoldings(ws_ids: readonly string[]): Promise<WorkspaceSum[]> {
    return this.db.current().query<WorkspaceSum>(sql`SELECT ws_id, files, bytes FROM file_counts(${[...ws_ids]}::uuid[])`);
  }
}
