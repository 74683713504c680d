import { Injectable } from '@nestjs/common';
import { Database, requireScope, sql } from '@atrium/platform/database';

/** Members who wait for an invitation that was mailed to them. */
@Injectable()
export class InvitedMemberRows {
  constructor(private readonly db: Database) {}

  /** Only as long as that invitation is the member's present one. */
  async saveInviteError(user_id: string, inv_id: string, reason: string): Promise<void> {
    await this.db.current().execute(
      sql`UPDATE workspace_user u SET user_invite_error = ${reason}, user_updated = now(), row_version = row_version + 1
            WHERE tenant_id = ${requireScope().tenant_id} AND user_id = ${user_id} AND user_status = 'invited'
              AND EXISTS (SELECT FROM invitation i WHERE i.tenant_id = u.tenant_id AND i.inv_user = u.user_id AND i.inv_id::text = ${inv_id} AND i.inv_ended_at IS NULL)`,
    );
  }
}
