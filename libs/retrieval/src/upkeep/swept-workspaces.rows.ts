import { Injectable } from '@nestjs/common';
import { Database } from '@atrium/platform/database';

/** Workspaces in the order of their ids, behind one of them; within a unit of work across workspaces. */
@Injectable()
export class SweptWorkspaceRows {
  constructor(private readonly db: Database) {}

  /** Those in which something has waited so long. */
  async listOverdue(ageSeconds: number, after: string | null, most: number): Promise<string[]> {
    const rows = await this.db
      .current()
      .query<{ tenant_id: string }>(`SELECT tenant_id FROM retrieval_overdue(${ageSeconds}, $1, $2)`, [after, most]);
    return rows.map(({ tenant_id }) => tenant_id);
  }
}
