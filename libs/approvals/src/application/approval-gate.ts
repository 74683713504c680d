import { Injectable } from '@nestjs/common';
import { invalidState, type Problem } from '@atrium/platform/kernel';
import { Database } from '@atrium/platform/database';
import { transitionTowardsPublishing } from '../domain/approval-flow';
import type { SubjectRef } from '../domain/subject-ref';
import { SubjectStates, type CoveredSubject } from './subject-states';

/** Where a subject is in the flow that covers it, for answers. */
export interface SubjectStanding {
  /** Id of the flow. */
  readonly flow: string;
  readonly flow_name: string;
  readonly state: string;
  readonly state_name: string;
  readonly publishable: boolean;
  readonly locked: boolean;
  /** Id of the open request. */
  readonly request: string | null;
}

/** Decides whether subjects may be published and edited. Where no active flow covers a subject, it may. */
@Injectable()
export class ApprovalGate {
  constructor(
    private readonly db: Database,
    private readonly states: SubjectStates,
  ) {}

  /** Where subjects are, in the order of the references; null where no active flow covers one. One statement for however many. */
  findStandings(type: string, refs: readonly Omit<SubjectRef, 'type'>[]): Promise<(SubjectStanding | null)[]> {
    return this.db.read(async () => (await this.states.findSubjects(type, refs)).map(({ covered }) => covered && shown(covered)));
  }

  /** Refuses content that its flow has not approved; within the unit of work that publishes it. */
  async demandApproval(ref: SubjectRef, hash: string): Promise<void> {
    const covered = await this.findCovered(ref);
    if (!covered) return;
    const { flow, state, request } = covered;
    if (!state.publishable) throw notPublishable(covered);
    if (covered.hash !== null && covered.hash !== hash)
      throw invalidState(
        `The content has changed since the flow ${flow.caf_name} approved it for the state ${state.name}. ${
          request === null ? 'Publish the approved version, or request approval again.' : 'A request for approval is open.'
        }`,
      );
  }

  /** Refuses changes of subjects in locked states; within the unit of work of the change. */
  async assertUnlocked(ref: SubjectRef): Promise<void> {
    const covered = await this.findCovered(ref);
    if (covered?.state.locked)
      throw invalidState(
        `The content cannot be changed in the state ${covered.state.name} of the flow ${covered.flow.caf_name}. Move it to another state first.`,
      );
  }

  private findCovered(ref: SubjectRef): Promise<CoveredSubject | null> {
    return this.db.read(async () => (await this.states.findSubject(ref)).covered);
  }
}

function notPublishable({ flow, state, request }: CoveredSubject): Problem {
  const because = `The flow ${flow.caf_name} does not allow publishing in the state ${state.name}.`;
  const next = transitionTowardsPublishing(flow, state.key);
  if (!next) return invalidState(because);
  const transition = `the transition ${next.name} (${next.key})`;
  return invalidState(
    request === null ? `${because} Make ${transition} first.` : `${because} It needs ${transition}, and a request for approval is open.`,
  );
}

const shown = ({ flow, state, request }: CoveredSubject): SubjectStanding => ({
  flow: flow.caf_id,
  flow_name: flow.caf_name,
  state: state.key,
  state_name: state.name,
  publishable: state.publishable,
  locked: state.locked,
  request,
});
