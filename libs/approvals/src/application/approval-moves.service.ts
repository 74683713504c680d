import { Injectable } from '@nestjs/common';
import type { Principal } from '@atrium/platform/access';
import { Database } from '@atrium/platform/database';
import { accessDenied, type FieldFault, invalidField, invalidState, notYet, Problem } from '@atrium/platform/kernel';
import { mayTransition } from '../domain/allowed-actors';
import type { ApprovalTransition } from '../domain/approval-flow';
import type { PublishWish } from '../domain/approval-request';
import { leadsFrom, transitionsFrom } from '../domain/flow';
import { commentFor, type CommentRule } from '../domain/flow-parts';
import type { SubjectRef } from '../domain/subject-ref';
import { APPROVAL_FLOWS } from '../infrastructure/approval-flows.repository';
import { ApprovalSubjects, type FrozenSubject } from '../infrastructure/approval-subjects';
import { FlowLock } from '../infrastructure/flow-lock';
import { RequestOpenings } from './request-openings';
import type { ApprovalRequestRow } from './shown-requests';
import { SubjectMoves } from './subject-moves';
import { SubjectStates, type CoveredSubject } from './subject-states';

/** What a client says of a move. */
export interface MoveWish {
  readonly transition: string;
  readonly comment?: string | null;
  readonly publish?: PublishWish | null;
}

/** A transition that the caller may make, and what is in its way. */
export interface OpenTransition {
  readonly key: string;
  readonly name: string;
  readonly to: string;
  readonly needs_approval: boolean;
  readonly comment: CommentRule;
  readonly blocked_by: readonly FieldFault[];
}

/** What became of a move: the state of the subject, and the request that it waits for; null: it was moved. */
export interface MovedSubject {
  readonly locale: string | null;
  readonly state: string;
  readonly request: ApprovalRequestRow | null;
}

/** A move that was admitted, with the subject locked. */
interface AdmittedMove {
  readonly caller: Principal;
  readonly held: CoveredSubject;
  readonly transition: ApprovalTransition;
  readonly comment: string | null;
  readonly publish: PublishWish | null;
  readonly frozen: FrozenSubject | null;
}

/** Moves subjects along the flows that cover them: at once, or by a request that others approve. */
@Injectable()
export class ApprovalMoves {
  constructor(
    private readonly db: Database,
    private readonly lock: FlowLock,
    private readonly subjects: ApprovalSubjects,
    private readonly states: SubjectStates,
    private readonly moves: SubjectMoves,
    private readonly openings: RequestOpenings,
  ) {}

  /** What the caller may do with the subject now; nothing where no active flow covers it. */
  listOpenTransitions(caller: Principal, ref: SubjectRef): Promise<readonly OpenTransition[]> {
    return this.db.read(async () => {
      const relation = await this.subjects.requireRelation(caller, ref);
      const { covered } = await this.states.findSubject(ref);
      if (!covered) return [];
      const open = transitionsFrom(covered.flow.caf_transitions, covered.state.key).filter(({ movers }) =>
        mayTransition(caller, movers, relation),
      );
      const unmet = await this.findUnmetChecks(ref, [...new Set(open.flatMap(({ checks }) => checks))]);
      const pending = covered.request === null ? [] : [PENDING];
      return open.map(({ key, name, to, comment, approvals, checks }) => ({
        key,
        name,
        to,
        needs_approval: approvals.count > 0,
        comment,
        blocked_by: [...pending, ...checks.flatMap((check) => unmet.get(check) ?? [])],
      }));
    });
  }

  /** The place of the subject is locked while that is decided, so of two callers the second finds what the first one did. */
  moveSubject(caller: Principal, ref: SubjectRef, wish: MoveWish): Promise<MovedSubject> {
    return this.db.write(async () => {
      await this.lock.lockFlow(APPROVAL_FLOWS, 'move');
      const relation = await this.subjects.requireRelation(caller, ref);
      const { covered } = await this.states.findSubject(ref);
      const subject = this.subjects.getSubject(ref.type);
      if (!covered) throw invalidState(`No active approval flow covers this ${subject.noun}.`);
      const transition = chosen(covered, wish.transition);
      if (!mayTransition(caller, transition.movers, relation))
        throw accessDenied(`You are not allowed to make the transition ${transition.name}.`);
      const publish = wish.publish?.on_approval ? wish.publish : null;
      // The subject is locked before its place, as by an edit: none is on its way into a state that refuses it.
      const isJudged = transition.approvals.count > 0 || publish !== null || isLocked(covered, transition.to);
      const frozen = isJudged ? await subject.freeze(ref.id, ref.locale) : null;
      const held = await this.lockForMove(covered, transition);
      const comment = commentFor(transition, wish.comment);
      await this.assertChecks(ref, transition);
      const move = { caller, held, transition, comment, publish, frozen };
      if (frozen === null || transition.approvals.count === 0) return this.moveAtOnce(move);
      const request = await this.openings.openRequest({ ...held, transition, ...frozen, comment, publish }, caller);
      return { locale: ref.locale, state: held.state.key, request };
    });
  }

  private async lockForMove(covered: CoveredSubject, transition: ApprovalTransition): Promise<CoveredSubject> {
    const held = await this.states.lockCovered(covered);
    if (!held || held.flow.caf_id !== covered.flow.caf_id) throw notYet('Another approval flow covers it by now. Try again.', 1);
    if (held.request !== null) throw invalidState('Approval is already requested. Withdraw the request first, or have it decided.');
    if (!leadsFrom(transition, held.state.key))
      throw invalidState(`The transition ${transition.name} does not start in the current state, ${held.state.name}.`);
    return held;
  }

  private async moveAtOnce({ caller, held, transition, comment, publish, frozen }: AdmittedMove): Promise<MovedSubject> {
    const { ref, flow } = held;
    const leadsOn = held.state.publishable && flow.caf_states.some(({ key, publishable }) => key === transition.to && publishable);
    const state = await this.moves.applyMove({
      ...{ ref, flow, transition, to: transition.to, comment, by: caller },
      hash: leadsOn ? held.hash : null,
    });
    if (frozen && publish)
      await this.moves.publishMoved(
        {
          car_id: null,
          car_subject_type: ref.type,
          car_subject_id: ref.id,
          car_locale: ref.locale,
          car_version: frozen.version,
          car_hash: frozen.hash,
          car_publish: publish,
        },
        state,
        caller,
      );
    return { locale: ref.locale, state: state?.key ?? transition.to, request: null };
  }

  private async assertChecks(ref: SubjectRef, { checks, name }: ApprovalTransition): Promise<void> {
    if (checks.length === 0) return;
    const faults = await this.subjects.getSubject(ref.type).check(ref.id, ref.locale, checks);
    const [first] = faults;
    if (!first) return;
    throw new Problem(
      'unprocessable_content',
      faults.length === 1 ? first.message : `The requirements of the transition ${name} are not met; see errors.`,
      { errors: faults },
    );
  }

  /** What the subject lacks, by the name of each check. */
  private async findUnmetChecks(ref: SubjectRef, names: readonly string[]): Promise<ReadonlyMap<string, readonly FieldFault[]>> {
    const subject = this.subjects.getSubject(ref.type);
    const unmet = new Map<string, readonly FieldFault[]>();
    for (const name of names) unmet.set(name, await subject.check(ref.id, ref.locale, [name]));
    return unmet;
  }
}

const isLocked = ({ flow }: CoveredSubject, state: string): boolean => flow.caf_states.some(({ key, locked }) => key === state && locked);

const PENDING: FieldFault = { path: 'transition', code: 'invalid_state', message: 'Approval is already requested.' };

function chosen({ flow }: CoveredSubject, key: string): ApprovalTransition {
  const transition = flow.caf_transitions.find((one) => one.key === key);
  if (!transition) throw invalidField('transition', `is not a transition of the flow ${flow.caf_name}`, 'reference');
  return transition;
}
