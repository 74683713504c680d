import { PermissionUse, type UsedAccess } from '@atrium/identity';
import { Database, requireScope, sql } from '@atrium/platform/database';
import { Injectable } from '@nestjs/common';

/** What people have used, by the access log. A refused request used nothing; where no permission was noted the operation speaks for it, and one note may name several. */
@Injectable()
export class PermissionUseRows extends PermissionUse {
  constructor(private readonly db: Database) {
    super();
  }

  async readUseOfUsers(user_ids: readonly string[], days: number): Promise<UsedAccess> {
    const rows = await this.db.current().query<{ permission: string | null; operation: string | null }>(
      sql`SELECT DISTINCT log_permission AS permission, CASE WHEN log_permission IS NULL THEN log_operation END AS operation FROM access_log
          WHERE tenant_id = ${requireScope().tenant_id} AND log_user IN (SELECT unnest(${[...user_ids]}::uuid[])) AND log_timestamp >= now() - ${days} * interval '1 day' AND log_status NOT IN (401, 403)`,
    );
    const present = (values: readonly (string | null)[]): string[] => [...new Set(values.filter((value) => value !== null))];
    return {
      permissions: present(rows.flatMap(({ permission }) => permission?.split(' ') ?? [])),
      operations: present(rows.map(({ operation }) => operation)),
    };
  }
}
