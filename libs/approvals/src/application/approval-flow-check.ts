import { Injectable } from '@nestjs/common';
import { invalidFields, type FieldFault } from '@atrium/platform/kernel';
import type { ApprovalFlow, ApprovalTransition } from '../domain/approval-flow';
import { assertGraph } from '../domain/flow-graph';
import { absentFrom } from '../domain/named-actors';
import { ApprovalSubjects, type ApprovalSubject } from '../infrastructure/approval-subjects';
import { FlowActors } from './flow-actors';

const FIELDS = { states: 'caf_states', transitions: 'caf_transitions' };
const MOST_FAULTS = 50;

/** What of a flow is checked. */
export type CheckedFlow = Pick<ApprovalFlow, 'caf_subject' | 'caf_scope' | 'caf_states' | 'caf_transitions'>;

/** Refuses flows that no subject could follow or publish by, and what they name that does not exist. Within the open unit of work. */
@Injectable()
export class ApprovalFlowCheck {
  constructor(
    private readonly subjects: ApprovalSubjects,
    private readonly actors: FlowActors,
  ) {}

  /** What the flow named before the change is not asked after again. */
  async assertSound(flow: CheckedFlow, before?: CheckedFlow): Promise<void> {
    const subject = this.subjects.findSubject(flow.caf_subject);
    if (!subject)
      throw invalidFields([{ path: 'caf_subject', code: 'choice', message: `must be one of ${this.subjects.types.join(', ')}` }]);
    assertGraph({ states: flow.caf_states, transitions: flow.caf_transitions }, FIELDS);
    const faults = [
      ...publishingFaults(flow),
      ...flow.caf_transitions.flatMap((transition, at) => checkFaults(transition, at, subject)),
      ...(await this.actors.findUnknownNames('caf_transitions', flow.caf_transitions, before?.caf_transitions)),
      ...(await scopeFaults(flow, subject, before)),
    ];
    if (faults.length > 0) throw invalidFields(faults.slice(0, MOST_FAULTS));
  }
}

const publishingFaults = ({ caf_states }: CheckedFlow): FieldFault[] =>
  caf_states.some(({ publishable }) => publishable)
    ? []
    : [{ path: 'caf_states', code: 'publishable', message: 'must have at least one state in which publishing is allowed' }];

const checkFaults = ({ checks }: ApprovalTransition, at: number, subject: ApprovalSubject): FieldFault[] =>
  checks.flatMap((check, n) =>
    subject.checks.includes(check)
      ? []
      : [{ path: `caf_transitions[${at}].checks[${n}]`, code: 'choice', message: `must be one of ${subject.checks.join(', ') || 'none'}` }],
  );

/** Sites exist; subjects without sites have no scope at all. */
async function scopeFaults(
  { caf_scope: { sites, locales } }: CheckedFlow,
  subject: ApprovalSubject,
  before?: CheckedFlow,
): Promise<FieldFault[]> {
  if (!subject.findSites)
    return sites.length + locales.length === 0
      ? []
      : [{ path: 'caf_scope', code: 'unknown_field', message: `must be empty: a flow of the type ${subject.type} covers everything` }];
  const known = new Set([...(before?.caf_scope.sites ?? []), ...(sites.length > 0 ? await subject.findSites(sites) : [])]);
  return absentFrom('caf_scope.sites', sites, { exists: (id) => known.has(id), kind: 'site' });
}
