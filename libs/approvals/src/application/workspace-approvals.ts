import { Injectable, type OnModuleInit } from '@nestjs/common';
import { PersonDataSources, RetentionTargets } from '@atrium/governance';
import { WorkspacePurgers } from '@atrium/identity';
import { ApprovalRequestsRepository } from '../infrastructure/approval-requests.repository';
import { ApprovalReaders } from '../infrastructure/approval-readers';

const PART = 'Approvals belong to the workspace. The id of the person remains, but no longer identifies anyone.';

/** What is kept of workspaces, of people and for a time: which tables go with a workspace, which columns name people, which rows grow old. */
@Injectable()
export class WorkspaceApprovals implements OnModuleInit {
  constructor(
    private readonly purgers: WorkspacePurgers,
    private readonly retention: RetentionTargets,
    private readonly requests: ApprovalRequestsRepository,
    people: PersonDataSources,
    readers: ApprovalReaders,
  ) {
    people.register({
      context: 'approvals',
      order: 107,
      tables: [
        { table: 'approval_request', column: 'car_requested_by', subject: 'user', on_erase: 'keep', because: PART },
        { table: 'approval_decision', column: 'cad_by', subject: 'user', on_erase: 'keep', because: PART },
      ],
      own: {
        approval_request: { readable: (reader) => readers.requestCondition(reader) },
        approval_decision: { readable: (reader) => readers.decisionCondition(reader) },
      },
    });
  }

  onModuleInit(): void {
    this.purgers.register({
      context: 'approvals',
      order: 107,
      tables: ['approval_waiting', 'approval_decision', 'approval_request', 'approval_standing', 'approval_flow'],
    });
    this.retention.register({
      key: 'audit_events',
      // They record who approved what; the content itself is elsewhere, and holds are placed on that.
      findHeldRows: () => Promise.resolve([]),
      countDue: async (before) => ({ ...(await this.requests.countClosedBefore(before)), bytes: 0, held: 0 }),
      purgeBatch: async (before, batch) => {
        const removed = await this.requests.deleteClosedBefore(before, batch);
        return { removed, bytes: 0, left: removed === batch };
      },
    });
  }
}
