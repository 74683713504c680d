import { Injectable } from '@nestjs/common';
import {
  columnsOf,
  Database,
  listPage,
  requireScope,
  ResourceRepository,
  sql,
  type ListParameters,
  type MethodsOf,
  type Page,
} from '@atrium/platform/database';
import { ApprovalFlow, type FollowedApprovalFlow } from '../domain/approval-flow';

/** What the lock of these flows is named. */
export const APPROVAL_FLOWS = 'approval-flows';

/** A flow as it is shown. */
export type ApprovalFlowRow = Omit<ApprovalFlow, 'tenant_id' | 'row_version' | 'caf_map' | MethodsOf<ApprovalFlow>>;
export type VersionedApprovalFlowRow = ApprovalFlowRow & { readonly row_version: number };

/** Flows as aggregates, as answers, and as subjects follow them. */
@Injectable()
export class ApprovalFlowsRepository extends ResourceRepository<ApprovalFlow> {
  constructor(db: Database) {
    super(db, ApprovalFlow, 'approval flow', 'beside');
  }

  listFlows(query: ListParameters): Promise<Page<ApprovalFlowRow>> {
    return listPage<ApprovalFlowRow>(this.db.current(), ApprovalFlow, query);
  }

  findFlowRow(caf_id: string): Promise<VersionedApprovalFlowRow | undefined> {
    return this.db
      .current()
      .first(
        sql`SELECT ${columnsOf(ApprovalFlow)}, r.row_version FROM approval_flow r WHERE r.tenant_id = ${requireScope().tenant_id} AND r.caf_id = ${caf_id}`,
      );
  }

  async countFlows(): Promise<number> {
    const row = await this.db
      .current()
      .first<{ count: number }>(sql`SELECT count(*) AS count FROM approval_flow WHERE tenant_id = ${requireScope().tenant_id}`);
    return row?.count ?? 0;
  }

  /** A flow as subjects follow it, active or not. */
  findFollowedFlow(caf_id: string): Promise<FollowedApprovalFlow | undefined> {
    return this.db
      .current()
      .first(
        sql`SELECT caf_id, caf_name, caf_scope, caf_states, caf_transitions, caf_map, caf_on_edit FROM approval_flow WHERE tenant_id = ${requireScope().tenant_id} AND caf_id = ${caf_id}`,
      );
  }

  /** The other active flows of the same type of subjects, the oldest first. */
  listOtherActiveFlows({
    caf_id,
    caf_subject,
  }: Pick<ApprovalFlow, 'caf_id' | 'caf_subject'>): Promise<Pick<ApprovalFlow, 'caf_id' | 'caf_name' | 'caf_scope'>[]> {
    return this.db
      .current()
      .query(
        sql`SELECT caf_id, caf_name, caf_scope FROM approval_flow WHERE tenant_id = ${requireScope().tenant_id} AND caf_subject = ${caf_subject} AND caf_active AND caf_id <> ${caf_id} ORDER BY caf_created, caf_id`,
      );
  }
}
