import {
  ApprovalFlow,
  FlowMoversBody,
  FlowMoversView,
  FlowTransitionParts,
  FlowTransitionPartsView,
  KEY_RULE,
  MOST_STATES,
  MOST_TRANSITIONS,
  NAME_RULE,
} from '@atrium/approvals';
import { COLOR_FORM, Flag, IdList, Json, Nested, NestedList, Text, TextList, Whole } from '@atrium/platform/database';
import { Accepts, Answer, Body, ListQuery, PageOf, View } from '@atrium/platform/http';
import type { JsonObject } from '@atrium/platform/kernel';
import { NODE_CHECKS } from '../domain/node-checks';

const MOST_SITES = 200;
const MOST_LOCALES = 50;
const MOST_APPROVALS = 20;

const SITES = { about: 'Ids of the sites; all sites when empty.' } as const;
const LOCALES = { about: 'Language tags (BCP 47); all languages when empty.', example: ['de'] } as const;
const SCOPE =
  'Sites and languages that the flow covers. A flow for sites comes before one for languages, and both before one for everything. Must be empty for posts.';
const CHECKS = `Checks that the content must pass: ${NODE_CHECKS.map((name) => `\`${name}\``).join(', ')}.`;
const ON_REJECT = 'Key of the state to which a rejection leads; null: the content stays in its state.';

@Accepts()
export class FlowScopeBody {
  @IdList({ ...SITES, omittable: true, max: MOST_SITES }) sites?: string[];
  @TextList({ ...LOCALES, omittable: true, max: MOST_LOCALES }) locales?: string[];
}

/** A state in a request. */
@Accepts()
export class ContentStateBody {
  @Text({ ...KEY_RULE, about: 'Key of the state.', example: 'review' }) key!: string;
  @Text({ ...NAME_RULE, about: 'Name of the state.', example: 'In review' }) name!: string;
  @Text({ optional: true, max: 7, form: COLOR_FORM, about: 'Display color of the state.', example: '#b7791f' }) color?: string | null;
  @Flag({ omittable: true, about: 'Whether content starts in this state. Exactly one state is the initial state.' }) initial?: boolean;
  @Flag({ omittable: true, about: 'Whether content in this state can be published. At least one state must allow it.' })
  publishable?: boolean;
  @Flag({ omittable: true, about: 'Whether content in this state cannot be edited.' }) locked?: boolean;
  @Text({ optional: true, max: 1_000, about: 'Description.' }) description?: string | null;
}

/** The approvals that a transition needs. */
@Accepts()
export class ApproversBody {
  @Whole({ omittable: true, min: 0, max: MOST_APPROVALS, about: 'Number of people who must approve. Default: 0.', example: 2 })
  count?: number;
  @Nested(() => FlowMoversBody, {
    omittable: true,
    about: 'Who can approve; when empty, everyone with edit access. Approvers also need the permission `content:approve`.',
  })
  movers?: FlowMoversBody;
  @Flag({ omittable: true, about: 'Whether the person who requests approval can be one of the approvers. Default: false.' })
  allow_self?: boolean;
}

/** A transition in a request. */
@Accepts()
export class ContentTransitionBody extends FlowTransitionParts {
  @TextList({ omittable: true, max: NODE_CHECKS.length, about: CHECKS, example: ['schema_valid'] }) checks?: string[];
  @Nested(() => ApproversBody, { omittable: true, about: 'Approvals that the transition needs; none when omitted.' })
  approvals?: ApproversBody;
  @Text({ ...KEY_RULE, optional: true, about: ON_REJECT, example: 'draft' }) on_reject?: string | null;
}

const STATES = { min: 1, max: MOST_STATES } as const;
const TRANSITIONS = { omittable: true, max: MOST_TRANSITIONS } as const;

@Accepts()
class GraphBody {
  @Nested(() => FlowScopeBody, { omittable: true, about: SCOPE }) caf_scope?: FlowScopeBody;
  @NestedList(() => ContentStateBody, {
    ...STATES,
    about: 'States of the flow. Exactly one must be the initial state, at least one must be publishable, and all must be reachable.',
  })
  caf_states!: ContentStateBody[];
  @NestedList(() => ContentTransitionBody, { ...TRANSITIONS, about: 'Transitions between the states.' })
  caf_transitions?: ContentTransitionBody[];
}

export class CreateApprovalFlow extends Body(ApprovalFlow, {
  required: ['caf_name', 'caf_subject'],
  optional: ['caf_description', 'caf_on_edit', 'caf_metadata'],
  with: GraphBody,
}) {}

@Accepts()
class ChangedApprovalGraphBody {
  @Nested(() => FlowScopeBody, { omittable: true, about: SCOPE }) caf_scope?: FlowScopeBody;
  @NestedList(() => ContentStateBody, {
    ...STATES,
    omittable: true,
    about: 'All states of the flow. To remove a state that content is in, map it in `state_map`.',
  })
  caf_states?: ContentStateBody[];
  @NestedList(() => ContentTransitionBody, { ...TRANSITIONS, about: 'All transitions of the flow.' })
  caf_transitions?: ContentTransitionBody[];
  @Json({ omittable: true, about: 'New state for the content in removed states, by old state.', example: { review: 'draft' } })
  state_map?: JsonObject;
}

export class ChangeApprovalFlow extends Body(ApprovalFlow, {
  optional: ['caf_name', 'caf_description', 'caf_on_edit', 'caf_metadata'],
  with: ChangedApprovalGraphBody,
}) {}

export class ListApprovalFlows extends ListQuery(ApprovalFlow) {}

@Answer()
class FlowScopeView {
  @IdList(SITES) sites!: string[];
  @TextList(LOCALES) locales!: string[];
}

@Answer()
class ContentStateView {
  @Text({ about: 'Key of the state.', example: 'review' }) key!: string;
  @Text({ about: 'Name of the state.', example: 'In review' }) name!: string;
  @Text({ optional: true, about: 'Display color of the state.', example: '#b7791f' }) color!: string | null;
  @Flag({ about: 'Whether content starts in this state.' }) initial!: boolean;
  @Flag({ about: 'Whether content in this state can be published.' }) publishable!: boolean;
  @Flag({ about: 'Whether content in this state cannot be edited.' }) locked!: boolean;
  @Text({ optional: true, about: 'Description.' }) description!: string | null;
}

@Answer()
class ApproversView {
  @Whole({ about: 'Number of people who must approve.', example: 2 }) count!: number;
  @Nested(() => FlowMoversView, { about: 'Who can approve; when empty, everyone with edit access.' }) movers!: FlowMoversView;
  @Flag({ about: 'Whether the person who requests approval can be one of the approvers.' }) allow_self!: boolean;
}

@Answer()
export class ContentTransitionView extends FlowTransitionPartsView {
  @TextList({ about: CHECKS, example: ['schema_valid'] }) checks!: string[];
  @Nested(() => ApproversView, { about: 'Approvals that the transition needs.' }) approvals!: ApproversView;
  @Text({ optional: true, about: ON_REJECT, example: 'draft' }) on_reject!: string | null;
}

@Answer()
export class ApprovalFlowView extends View(ApprovalFlow, { without: ['caf_scope', 'caf_states', 'caf_transitions'] }) {
  @Nested(() => FlowScopeView, { about: 'Sites and languages that the flow covers.' }) caf_scope!: FlowScopeView;
  @Flag({ about: 'Whether the flow also covers sites that you cannot see.' }) covers_other_sites!: boolean;
  @NestedList(() => ContentStateView, { about: 'States of the flow.' }) caf_states!: ContentStateView[];
  @NestedList(() => ContentTransitionView, { about: 'Transitions between the states.' }) caf_transitions!: ContentTransitionView[];
}

export class ApprovalFlowPage extends PageOf(ApprovalFlowView) {}
