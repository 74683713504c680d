import { actorsOf, transitionPartsOf, type ApprovalFlow, type ApprovalState, type ApprovalTransition } from '@atrium/approvals';
import type { ApproversBody, ChangeApprovalFlow, ContentStateBody, ContentTransitionBody, FlowScopeBody } from './approval-flows.dto';

type Graph = Pick<ApprovalFlow, 'caf_scope' | 'caf_states' | 'caf_transitions'>;

/** The scope, states and transitions that a client wrote, with everything that was left out of them. */
export function graphOf({
  caf_scope,
  caf_states,
  caf_transitions,
}: Pick<ChangeApprovalFlow, 'caf_scope' | 'caf_states' | 'caf_transitions'>): Partial<Graph> {
  return {
    ...(caf_scope === undefined ? {} : { caf_scope: scopeOf(caf_scope) }),
    ...(caf_states === undefined ? {} : { caf_states: caf_states.map(stateOf) }),
    ...(caf_transitions === undefined ? {} : { caf_transitions: caf_transitions.map(transitionOf) }),
  };
}

const scopeOf = ({ sites, locales }: FlowScopeBody) => ({ sites: sites ?? [], locales: locales ?? [] });

const stateOf = ({ key, name, color, initial, publishable, locked, description }: ContentStateBody): ApprovalState => ({
  key,
  name,
  color: color ?? null,
  initial: initial ?? false,
  publishable: publishable ?? false,
  locked: locked ?? false,
  description: description ?? null,
});

const transitionOf = ({ checks, approvals, on_reject, ...parts }: ContentTransitionBody): ApprovalTransition => ({
  ...transitionPartsOf(parts),
  checks: [...new Set(checks ?? [])],
  approvals: approversOf(approvals),
  on_reject: on_reject ?? null,
});

const approversOf = ({ count, movers, allow_self }: ApproversBody = {}) => ({
  count: count ?? 0,
  movers: actorsOf(movers),
  allow_self: allow_self ?? false,
});
