import { Choice, Flag, Id, Json, Ref, Resource, Stamp, TenantRow, Text } from '@atrium/platform/database';
import { accessDenied, Problem, StateMachine, type Clock } from '@atrium/platform/kernel';
import type { ApprovalTransition, OnEdit } from './approval-flow';
import type { SubjectRef } from './subject-ref';

export const REQUEST_STATUSES = ['open', 'approved', 'rejected', 'withdrawn', 'superseded'] as const;
export type RequestStatus = (typeof REQUEST_STATUSES)[number];

export const DECISIONS = ['approve', 'reject'] as const;
export type Decision = (typeof DECISIONS)[number];

const STATUS = new StateMachine<RequestStatus>('approval request', {
  open: ['approved', 'rejected', 'withdrawn', 'superseded'],
});

/** What a person decided; a later decision of the same person takes its place. */
export interface Vote {
  readonly user_id: string;
  readonly decision: Decision;
}

/** What is to happen with the subject once it is approved. */
export interface PublishWish {
  readonly on_approval: boolean;
  /** When it is published, ISO 8601; null: at once. */
  readonly at: string | null;
}

/** Somebody who wants to decide, as far as the request knows them. */
export interface Decider {
  readonly user_id: string;
  /** Whether the transition, as it was asked for, lets them approve. */
  readonly isApprover: boolean;
}

/** What a request is made of. */
export interface AskedApproval {
  readonly car_id: string;
  readonly flow: { readonly caf_id: string; readonly caf_on_edit: OnEdit };
  readonly transition: ApprovalTransition;
  readonly subject: SubjectRef;
  readonly version: string;
  readonly hash: string;
  readonly comment: string | null;
  readonly publish: PublishWish | null;
  readonly by: string;
}

/**
 * Asks several people whether a subject may make a transition with the content that it has at that time. It keeps the transition as it
 * was asked for, and is decided once: by as many approvals as that takes, or by one rejection.
 */
@Resource({ table: 'approval_request', sort: '-car_created' })
export class ApprovalRequest extends TenantRow {
  @Id({ about: 'Id of the request.' }) readonly car_id!: string;
  @Ref({ about: 'Flow by which approval is requested.' }) readonly car_flow!: string;
  @Json({
    about: 'Transition as it was when approval was requested; later changes of the flow do not apply to the request.',
    example: { key: 'approve', name: 'Approve', to: 'approved' },
  })
  readonly car_transition!: ApprovalTransition;
  @Text({ max: 40, about: 'Type of what is to be approved.', example: 'node', filter: 'equals' }) readonly car_subject_type!: string;
  @Ref({ about: 'Id of what is to be approved.', filter: 'equals' }) readonly car_subject_id!: string;
  @Text({ max: 35, optional: true, about: 'Language that is to be approved. Null if it has no languages.', example: 'de' })
  readonly car_locale!: string | null;
  @Text({ max: 100, about: 'Version that is to be approved.' }) readonly car_version!: string;
  @Text({ max: 128, about: 'Hash of the content that is to be approved. A decision repeats it.' }) readonly car_hash!: string;
  @Choice(REQUEST_STATUSES, {
    about:
      'Status: `open` until it is decided; `withdrawn` by the person who requested approval, or because the content was deleted; `superseded` by an edit.',
    filter: 'equals',
  })
  car_status!: RequestStatus;
  @Text({ max: 2_000, optional: true, about: 'Comment of the person who requested approval.', example: 'Ready for the launch.' })
  readonly car_comment!: string | null;
  @Json({
    optional: true,
    about: 'Whether, and when, the approved version is published. Null: the state changes only.',
    example: { on_approval: true, at: null },
  })
  readonly car_publish!: PublishWish | null;
  @Ref({ about: 'Person who requested approval.', filter: 'equals' }) readonly car_requested_by!: string;
  @Stamp({ about: 'When approval was requested.', filter: 'range', sort: true }) readonly car_created!: Date;
  @Stamp({ optional: true, about: 'When the request was decided or ended otherwise. Null while it is open.' }) car_closed!: Date | null;
  /** Whether the person who asked may approve, for the list of what waits for a person. */
  @Flag({ internal: true }) readonly car_allow_self!: boolean;
  @Choice(['reset', 'keep'], { internal: true }) readonly car_on_edit!: OnEdit;
  /** Since when nobody is left who may approve, which is reported once; null: somebody is. */
  @Stamp({ internal: true, optional: true }) car_stalled!: Date | null;

  static open({ car_id, flow, transition, subject, version, hash, comment, publish, by }: AskedApproval, now: Date): ApprovalRequest {
    return Object.assign(new ApprovalRequest(), {
      car_id,
      car_flow: flow.caf_id,
      car_transition: transition,
      car_subject_type: subject.type,
      car_subject_id: subject.id,
      car_locale: subject.locale,
      car_version: version,
      car_hash: hash,
      car_status: 'open',
      car_comment: comment,
      car_publish: publish,
      car_requested_by: by,
      car_created: now,
      car_closed: null,
      car_allow_self: transition.approvals.allow_self,
      car_on_edit: flow.caf_on_edit,
      car_stalled: null,
    });
  }

  get subject(): SubjectRef {
    return { type: this.car_subject_type, id: this.car_subject_id, locale: this.car_locale };
  }

  get isOpen(): boolean {
    return this.car_status === 'open';
  }

  /** How many people must approve. */
  get needed(): number {
    return this.car_transition.approvals.count;
  }

  /** Refuses people who may not decide, whatever became of the request. */
  assertMayDecide({ user_id, isApprover }: Decider): void {
    if (user_id === this.car_requested_by && !this.car_allow_self)
      throw accessDenied('You requested this approval. Someone else must decide on it.');
    if (!isApprover) throw accessDenied(`You are not an approver of the transition ${this.car_transition.name}.`);
  }

  /** Refuses decisions on anything but the content that is to be approved, and on requests that are closed. */
  assertDecidable(hash: string): void {
    if (hash !== this.car_hash)
      throw new Problem('precondition_failed', 'The hash is not that of the content to be approved. Read the request again.');
    this.assertOpen();
  }

  assertOpen(): void {
    if (!this.isOpen) throw new Problem('invalid_state', `The approval request is ${this.car_status}; only open requests can change.`);
  }

  /** Counts what was decided by people who may still approve: one rejection rejects, enough approvals approve, less leaves it open. */
  settleVotes(votes: readonly Vote[], clock: Clock): RequestStatus {
    if (votes.some(({ decision }) => decision === 'reject')) this.close('rejected', clock);
    else if (approvalsIn(votes) >= this.needed) this.close('approved', clock);
    return this.car_status;
  }

  withdraw(clock: Clock): void {
    this.close('withdrawn', clock);
  }

  /** What is to be approved was edited. */
  supersede(clock: Clock): void {
    this.close('superseded', clock);
  }

  private close(status: RequestStatus, clock: Clock): void {
    this.car_status = STATUS.move(this.car_status, status);
    this.car_closed = clock.now();
  }
}

/** How many people have approved, each counted once. */
export const approvalsIn = (votes: readonly Vote[]): number =>
  new Set(votes.filter(({ decision }) => decision === 'approve').map(({ user_id }) => user_id)).size;
