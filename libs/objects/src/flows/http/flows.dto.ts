import { FlowTransitionParts, FlowTransitionPartsView, KEY_RULE, MOST_STATES, MOST_TRANSITIONS, NAME_RULE } from '@atrium/approvals';
import { COLOR_FORM, Flag, Json, NestedList, Text, TextList } from '@atrium/platform/database';
import { Accepts, Answer, Body, ListQuery, PageOf, View } from '@atrium/platform/http';
import type { JsonObject } from '@atrium/platform/kernel';
import { LifecycleFlow } from '../domain/lifecycle-flow';

const LONGEST_CONDITION = 1_000;

/** A state in a request. */
@Accepts()
export class StateBody {
  @Text({ ...KEY_RULE, about: 'Key of the state, as shown in `obj_status`.', example: 'review' }) key!: string;
  @Text({ ...NAME_RULE, about: 'Name of the state.', example: 'In review' }) name!: string;
  @Text({ optional: true, max: 7, form: COLOR_FORM, about: 'Display color of the state.', example: '#b7791f' }) color?: string | null;
  @Flag({ omittable: true, about: 'Whether objects start in this state. Exactly one state is the initial state.' }) initial?: boolean;
  @Flag({ omittable: true, about: 'Whether the state is final.' }) final?: boolean;
  @Flag({ omittable: true, about: 'Whether the content of objects in this state is locked.' }) locked?: boolean;
  @Flag({ omittable: true, about: 'Whether agents and searches by meaning can find objects in this state; true when omitted.' })
  retrievable?: boolean;
  @Text({ optional: true, max: 1_000, about: 'Description.' }) description?: string | null;
}

/** A transition in a request. */
@Accepts()
export class FlowTransitionBody extends FlowTransitionParts {
  @Text({
    optional: true,
    max: LONGEST_CONDITION,
    about: 'Condition that must be met: a CEL expression over `content`, `previous`, `user`, `state` and `now`.',
    example: 'content.price > 0',
  })
  condition?: string | null;
  @TextList({ omittable: true, max: 50, about: 'Keys of fields that must have a value.', example: ['price'] }) require_fields?: string[];
}

@Accepts()
class StatesBody {
  @NestedList(() => StateBody, {
    min: 1,
    max: MOST_STATES,
    about: 'States of the flow. Exactly one must be the initial state, and all must be reachable from it.',
  })
  olf_states!: StateBody[];
}

@Accepts()
class TransitionsBody extends StatesBody {
  @NestedList(() => FlowTransitionBody, { omittable: true, max: MOST_TRANSITIONS, about: 'Transitions between the states.' })
  olf_transitions?: FlowTransitionBody[];
}

export class CreateLifecycleFlow extends Body(LifecycleFlow, {
  required: ['olf_name'],
  optional: ['olf_description', 'olf_forms', 'olf_metadata'],
  with: TransitionsBody,
}) {}

@Accepts()
class ChangedGraphBody {
  @NestedList(() => StateBody, {
    omittable: true,
    min: 1,
    max: MOST_STATES,
    about: 'All states of the flow. To remove a state that objects are in, map it in `state_map`.',
  })
  olf_states?: StateBody[];
  @NestedList(() => FlowTransitionBody, { omittable: true, max: MOST_TRANSITIONS, about: 'All transitions of the flow.' })
  olf_transitions?: FlowTransitionBody[];
  @Json({ omittable: true, about: 'New state for the objects in removed states, by old state.', example: { review: 'draft' } })
  state_map?: JsonObject;
}

export class ChangeLifecycleFlow extends Body(LifecycleFlow, {
  optional: ['olf_name', 'olf_description', 'olf_forms', 'olf_metadata'],
  with: ChangedGraphBody,
}) {}

export class ListLifecycleFlows extends ListQuery(LifecycleFlow) {}

@Accepts()
export class ActivateLifecycleFlow {
  @Flag({
    omittable: true,
    about: 'Whether to let existing objects without a state or with an inactive flow follow this flow too, in the background.',
  })
  adopt?: boolean;
}

@Answer()
export class StateView {
  @Text({ about: 'Key of the state.', example: 'review' }) key!: string;
  @Text({ about: 'Name of the state.', example: 'In review' }) name!: string;
  @Text({ optional: true, about: 'Display color of the state.', example: '#b7791f' }) color!: string | null;
  @Flag({ about: 'Whether objects start in this state.' }) initial!: boolean;
  @Flag({ about: 'Whether the state is final.' }) final!: boolean;
  @Flag({ about: 'Whether the content of objects in this state is locked.' }) locked!: boolean;
  @Flag({ about: 'Whether agents and searches by meaning can find objects in this state.' }) retrievable!: boolean;
  @Text({ optional: true, about: 'Description.' }) description!: string | null;
}

@Answer()
export class FlowTransitionView extends FlowTransitionPartsView {
  @Text({ optional: true, about: 'Condition that must be met, as a CEL expression.', example: 'content.price > 0' }) condition!:
    string | null;
  @TextList({ about: 'Keys of fields that must have a value.', example: ['price'] }) require_fields!: string[];
}

@Answer()
export class LifecycleFlowView extends View(LifecycleFlow, { without: ['olf_states', 'olf_transitions'] }) {
  @NestedList(() => StateView, { about: 'States of the flow.' }) olf_states!: StateView[];
  @NestedList(() => FlowTransitionView, { about: 'Transitions between the states.' }) olf_transitions!: FlowTransitionView[];
}

export class LifecycleFlowPage extends PageOf(LifecycleFlowView) {}
