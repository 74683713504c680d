import { Injectable } from '@nestjs/common';
import { columnsOf, Database, requireScope, ResourceRepository, sql, type Precondition } from '@atrium/platform/database';
import type { JsonValue } from '@atrium/platform/kernel';
import { Workspace } from '../domain/workspace';

/** The workspace's row as it is stored, with what is counted on reading. */
export type WorkspaceRow = Omit<Workspace, 'tenant_id'> & {
  readonly ws_seats_used: number;
  readonly ws_modules: readonly string[];
  readonly ws_delete_after: string | null;
};

export interface LicenceRow {
  readonly lic_module: string;
  readonly lic_starts_at: string;
  readonly lic_expires_at: string | null;
  readonly lic_source: string | null;
  readonly lic_note: string | null;
  readonly lic_active: boolean;
  readonly lic_created: string;
  readonly lic_updated: string;
}

/** The row of the running workspace: there is one, and it is its own tenant. */
@Injectable()
export class WorkspaceRepository extends ResourceRepository<Workspace> {
  constructor(db: Database) {
    super(db, Workspace, 'workspace');
  }

  /** With seats and modules as they stand now. */
  async readWorkspace(): Promise<WorkspaceRow> {
    const row = await this.db.current().first<WorkspaceRow>(
      sql`SELECT ${columnsOf(Workspace)}, r.row_version, r.ws_delete_after,
                 (SELECT count(*) FROM workspace_user u WHERE u.tenant_id = r.tenant_id AND u.user_kind = 'person' AND u.user_status IN ('active', 'invited')) AS ws_seats_used,
                 ARRAY(SELECT l.lic_module FROM licence l WHERE l.tenant_id = r.tenant_id AND l.lic_starts_at <= now() AND (l.lic_expires_at IS NULL OR l.lic_expires_at > now()) ORDER BY l.lic_module) AS ws_modules
          FROM workspace r WHERE r.tenant_id = ${requireScope().tenant_id}`,
    );
    if (!row) throw new Error('The running workspace has no row.');
    return row;
  }

  /** The value of an option that the workspace has chosen; null where it has chosen nothing. */
  async findOption(key: string): Promise<JsonValue> {
    const row = await this.db
      .current()
      .first<{ value: JsonValue }>(
        sql`SELECT ws_options -> ${key}::text AS value FROM workspace WHERE tenant_id = ${requireScope().tenant_id}`,
      );
    return row?.value ?? null;
  }

  lockOwn(precondition?: Precondition): Promise<Workspace> {
    return this.lock(requireScope().tenant_id, precondition);
  }

  listLicences(): Promise<LicenceRow[]> {
    return this.db.current().query<LicenceRow & Record<string, unknown>>(
      sql`SELECT lic_module, lic_starts_at, lic_expires_at, lic_source, lic_note, lic_starts_at <= now() AND (lic_expires_at IS NULL OR lic_expires_at > now()) AS lic_active, lic_created, lic_updated
          FROM licence WHERE tenant_id = ${requireScope().tenant_id}`,
    );
  }
}
