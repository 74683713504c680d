import { Injectable } from '@nestjs/common';
import { ActingCallers } from '@atrium/identity';
import type { Principal } from '@atrium/platform/access';
import { approvalStateOf, type ApprovalState, type ApprovalTransition, type FollowedApprovalFlow } from '../domain/approval-flow';
import type { ApprovalRequest } from '../domain/approval-request';
import type { SubjectRef } from '../domain/subject-ref';
import { ApprovalSubjects, type ApprovedVersion } from '../infrastructure/approval-subjects';
import { StandingRows } from '../infrastructure/standings.rows';
import { ApprovalMails } from './approval-mails';

/** A transition that a subject, whose place is locked, makes. */
export interface SubjectMove {
  readonly ref: SubjectRef;
  readonly flow: FollowedApprovalFlow;
  readonly transition: ApprovalTransition;
  /** Key of the state; where the flow no longer has it, the one that it means now is entered. */
  readonly to: string;
  /** The content that was approved for the state. */
  readonly hash: string | null;
  readonly comment: string | null;
  readonly by: Principal;
}

/** Writes new states of subjects, notifies the people whom a transition names, and publishes what was approved. */
@Injectable()
export class SubjectMoves {
  constructor(
    private readonly subjects: ApprovalSubjects,
    private readonly standings: StandingRows,
    private readonly mails: ApprovalMails,
    private readonly callers: ActingCallers,
  ) {}

  async applyMove({ ref, flow, transition, to, hash, comment, by }: SubjectMove): Promise<ApprovalState | undefined> {
    const state = approvalStateOf(flow, to);
    await this.standings.enterState(ref, { flow_id: flow.caf_id, state: state?.key ?? to, hash });
    await this.mails.sendMove({ ref, transition, state: state?.name ?? to, comment, by: by.user_id });
    return state;
  }

  /** The approved version of a request is published where that was asked for, and who completes it or who asked may publish the subject. */
  async publishRequest(request: ApprovalRequest, state: ApprovalState | undefined, by: Principal): Promise<void> {
    if (!request.car_publish?.on_approval || !state?.publishable) return;
    const requester = (await this.callers.resolveMemberPrincipals([request.car_requested_by])).get(request.car_requested_by);
    await this.publishBy(requester ? [by, requester] : [by], request);
  }

  /** The same without a request, for a transition that needs no approval. */
  async publishMoved(version: ApprovedVersion, state: ApprovalState | undefined, by: Principal): Promise<void> {
    if (version.car_publish?.on_approval && state?.publishable) await this.publishBy([by], version);
  }

  /** By the first of the people who may publish, and whom the subject lets change it. */
  private async publishBy(people: readonly Principal[], version: ApprovedVersion): Promise<void> {
    const subject = this.subjects.getSubject(version.car_subject_type);
    const publishers = people.filter(({ permissions }) => permissions.has(subject.publishPermission));
    const ref = { type: version.car_subject_type, id: version.car_subject_id, locale: version.car_locale };
    const admitted = await this.subjects.findAdmitted(publishers, ref);
    const publisher = publishers.find(({ user_id }) => admitted.has(user_id));
    if (publisher) await subject.publish(version, publisher);
  }
}
