import { Injectable } from '@nestjs/common';
import { Database } from '@atrium/platform/database';
import { Clock } from '@atrium/platform/kernel';
import { initialState } from '../domain/flow';
import type { ApprovalRequest } from '../domain/approval-request';
import type { SubjectRef } from '../domain/subject-ref';
import { ApprovalFlowsRepository } from '../infrastructure/approval-flows.repository';
import { ApprovalRequestsRepository } from '../infrastructure/approval-requests.repository';
import type { LostSubjects } from '../infrastructure/approval-subjects';
import { StandingRows } from '../infrastructure/standings.rows';
import { RequestClosings } from './request-closings';
import { SubjectStates, type FoundSubject } from './subject-states';

const BY_NOBODY = { by: null, comment: null };

/** What contexts report of their subjects, in the unit of work of an edit or a deletion, with the subject locked. */
@Injectable()
export class Approvals {
  constructor(
    private readonly db: Database,
    private readonly states: SubjectStates,
    private readonly standings: StandingRows,
    private readonly requests: ApprovalRequestsRepository,
    private readonly flows: ApprovalFlowsRepository,
    private readonly closings: RequestClosings,
    private readonly clock: Clock,
  ) {}

  /**
   * The content has changed. As the flow says, its open request is superseded and it returns to the initial state, or both stay; content
   * that came from elsewhere was judged by nobody, and always begins again.
   */
  recordEdit(ref: SubjectRef, { isFromElsewhere = false }: { readonly isFromElsewhere?: boolean } = {}): Promise<void> {
    return this.db.write(async () => {
      const found = await this.states.findSubject(ref);
      if (!(isFromElsewhere ? isUnderWay(found) : await this.isReset(found))) return;
      await this.standings.lockExistingStanding(ref);
      const request = await this.requests.lockOpenRequest((await this.states.findSubject(ref)).request);
      if (request) await this.supersedeRequest(request);
      const flow = request ? await this.flows.findFollowedFlow(request.car_flow) : found.covered?.flow;
      const initial = flow && initialState(flow.caf_states);
      if (initial) await this.standings.enterState(ref, { flow_id: flow.caf_id, state: initial.key, hash: null });
    });
  }

  /** The subjects are deleted: their open requests are withdrawn, and restored they begin in the initial state. */
  recordRemoval(type: string, ids: readonly string[]): Promise<void> {
    return this.db.write(
      async () => {
        await this.withdrawRequests(await this.requests.listOpenOf(type, ids));
        await this.standings.removeStandings(type, ids);
      },
      { mayBeLong: 'the open requests of all deleted subjects, or of none' },
    );
  }

  /** The same of subjects that a condition describes. The subjects whose requests ended, and whether anything was removed. */
  recordLoss(type: string, lost: LostSubjects): Promise<{ readonly ended: readonly string[]; readonly isAnything: boolean }> {
    return this.db.write(
      async () => {
        const ended = await this.withdrawRequests(await this.requests.listOpenAmong(type, lost));
        const places = await this.standings.removeStandingsAmong(type, lost);
        return { ended, isAnything: ended.length + places > 0 };
      },
      { mayBeLong: 'a language is removed from all subjects at once' },
    );
  }

  /** The versions that open requests are about, and which have to stay for them. */
  findOpenVersions(type: string, ids: readonly string[]): Promise<readonly string[]> {
    return this.db.read(() => this.requests.listOpenVersionsOf(type, ids));
  }

  /** Their subjects. */
  private async withdrawRequests(car_ids: readonly string[]): Promise<string[]> {
    const open = (await this.requests.lockMany(car_ids)).filter(({ isOpen }) => isOpen);
    for (const request of open) {
      request.withdraw(this.clock);
      await this.closings.saveClosed(request, BY_NOBODY);
    }
    return open.map(({ car_subject_id }) => car_subject_id);
  }

  private async isReset({ covered, request }: FoundSubject): Promise<boolean> {
    if (request !== null) return (await this.requests.findRow(request))?.car_on_edit === 'reset';
    return covered !== null && covered.flow.caf_on_edit === 'reset' && !covered.state.initial;
  }

  private async supersedeRequest(request: ApprovalRequest): Promise<void> {
    request.supersede(this.clock);
    await this.closings.saveClosed(request, BY_NOBODY);
  }
}

const isUnderWay = ({ covered, request }: FoundSubject): boolean => request !== null || (covered !== null && !covered.state.initial);
