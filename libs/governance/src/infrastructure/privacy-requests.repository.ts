import { Injectable } from '@nestjs/common';
import { columnsOf, Database, listPage, requireScope, ResourceRepository, sql, type ListParameters, type Page, type Sql } from '@atrium/platform/database';
import { PrivacyRequest } from '../domain/privacy-request';

type Behaviour = 'approve' | 'cancel' | 'retry' | 'block' | 'begin' | 'isRunning' | 'isDue' | 'reach' | 'report' | 'complete' | 'fail' | 'expire';

/** A request as it is shown. */
export type PrivacyRequestRow = Omit<PrivacyRequest, Behaviour | 'tenant_id' | 'row_version' | 'dsr_user' | 'dsr_subject_key' | 'dsr_archive'>;

/** Privacy requests as aggregates, and the statements that need none. */
@Injectable()
export class PrivacyRequestsRepository extends ResourceRepository<PrivacyRequest> {
  constructor(db: Database) {
    super(db, PrivacyRequest, 'privacy request');
  }

  page(query: ListParameters, where: Sql): Promise<Page<PrivacyRequestRow>> {
    return listPage<PrivacyRequestRow>(this.db.current(), PrivacyRequest, query, { where });
  }

  row(id: string): Promise<(PrivacyRequestRow & { row_version: number }) | undefined> {
    return this.db.current().first(sql`SELECT ${columnsOf(PrivacyRequest)}, r.row_version FROM privacy_request r WHERE r.tenant_id = ${requireScope().tenant_id} AND r.dsr_id = ${id}`);
  }

  /** Writes how far a run is, without making the request another version. */
  async recordProgress(id: string, done: number, total: number): Promise<void> {
    await this.db.current().execute(sql`UPDATE privacy_request SET dsr_done = ${done}, dsr_total = ${total} WHERE tenant_id = ${requireScope().tenant_id} AND dsr_id = ${id} AND dsr_status = 'running'`);
  }

  /** Requests of all workspaces whose archives are to go. */
  archivesDue(limit: number): Promise<{ readonly tenant_id: string; readonly dsr_id: string }[]> {
    return this.db.acrossTenants((tx) => tx.query<{ tenant_id: string; dsr_id: string }>('SELECT tenant_id, dsr_id FROM privacy_archives_due($1)', [limit]));
  }
}
