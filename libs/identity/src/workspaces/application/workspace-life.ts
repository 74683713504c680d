import { Injectable } from '@nestjs/common';
import { Audit } from '@atrium/platform/access';
import { Database, enterWorkspace } from '@atrium/platform/database';
import { DAY, invalidState } from '@atrium/platform/kernel';
import { planJob, Outbox } from '@atrium/platform/messaging';
import { noSuchWorkspace, WORKSPACE_LIFE, type WorkspaceStatus } from '../domain/workspace-life';
import { WorkspaceLifeRows, type OperatedWorkspace } from '../infrastructure/workspace-life.rows';
import { workspacePurge } from '../jobs/workspace-purge.jobs';
import { WORKSPACES_AUDIT } from './workspaces.audit';

type Type = keyof typeof WORKSPACES_AUDIT;

/** What operators do to the life of a workspace. Its members learn of it with the next request; jobs wait while it is closed. */
@Injectable()
export class WorkspaceLife {
  constructor(
    private readonly db: Database,
    private readonly rows: WorkspaceLifeRows,
    private readonly audit: Audit,
    private readonly outbox: Outbox,
  ) {}

  suspend(ws_id: string, reason: string | null): Promise<void> {
    return this.move(ws_id, 'suspended', async (before) => {
      if (before.ws_status === 'deleting') throw invalidState('The workspace is being deleted; restore it instead.');
      await this.rows.changeStatus('suspended', reason);
      this.tell(before, 'workspace.suspended', { event: 'workspace.suspended', to: 'suspended', reason });
    });
  }

  /** Jobs that waited go on. */
  resume(ws_id: string, reason: string | null): Promise<void> {
    return this.move(ws_id, 'active', async (before) => {
      await this.rows.changeStatus('active', null);
      await this.outbox.resumeParkedJobs();
      this.tell(before, 'workspace.resumed', { event: 'workspace.resumed', to: 'active', reason });
    });
  }

  /** Closes the workspace, and purges it when the grace is over. */
  remove(ws_id: string, grace_days: number, reason: string | null = null): Promise<void> {
    return this.move(ws_id, 'deleting', async (before) => {
      const ws_delete_after = await this.rows.changeStatus('deleting', reason, grace_days);
      this.outbox.addJob(planJob(workspacePurge, { tenant_id: ws_id }, { delayMs: grace_days * DAY }));
      this.tell(before, 'workspace.deletion_planned', { event: 'workspace.deleting', to: 'deleting', reason, ws_delete_after });
    });
  }

  /** Takes a deletion back while its grace lasts; the workspace stays closed until it is resumed. */
  restore(ws_id: string): Promise<void> {
    return this.move(ws_id, 'suspended', async (before) => {
      if (before.ws_status !== 'deleting')
        throw invalidState(`The workspace is ${before.ws_status}. Only a workspace that is being deleted can be restored.`);
      if (await this.rows.isOverdue()) throw invalidState('The grace period of the deletion has ended.');
      await this.rows.changeStatus('suspended', before.ws_status_reason);
      this.tell(before, 'workspace.restored', { event: 'workspace.updated', to: 'suspended', reason: null });
    });
  }

  private move(ws_id: string, to: WorkspaceStatus, act: (before: OperatedWorkspace) => Promise<void>): Promise<void> {
    return enterWorkspace(ws_id, () =>
      this.db.write(async () => {
        const before = await this.rows.findCurrentWorkspace({ lock: true });
        if (!before) throw noSuchWorkspace();
        WORKSPACE_LIFE.move(before.ws_status, to);
        await act(before);
      }),
    );
  }

  private tell(
    before: OperatedWorkspace,
    type: Type,
    {
      event,
      to,
      reason,
      ws_delete_after = null,
    }: { readonly event: string; readonly to: WorkspaceStatus; readonly reason: string | null; readonly ws_delete_after?: string | null },
  ): void {
    const target = { type: 'workspace', id: before.ws_id, name: before.ws_name };
    this.audit.record({
      type: WORKSPACES_AUDIT[type],
      target,
      before: { ws_status: before.ws_status },
      after: { ws_status: to, ...(ws_delete_after ? { ws_delete_after } : {}) },
      reason,
    });
    this.outbox.emitEvent({
      name: event,
      subject_id: before.ws_id,
      payload: { ws_status: to, reason, ...(ws_delete_after ? { ws_delete_after } : {}) },
    });
  }
}
