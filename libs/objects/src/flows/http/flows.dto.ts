import { Choice, COLOR_FORM, Flag, IdList, Json, Nested, NestedList, Text, TextList } from '@atrium/platform/database';
import { Accepts, Answer, Body, ListQuery, PageOf, View } from '@atrium/platform/http';
import type { JsonObject } from '@atrium/platform/kernel';
import { COMMENTS, KEY_FORM, LifecycleFlow, LONGEST_KEY } from '../domain/lifecycle-flow';

const KEY = { form: KEY_FORM, max: LONGEST_KEY } as const;
const NAME = { min: 1, max: 120 } as const;
const MOST_STATES = 50;
const MOST_TRANSITIONS = 200;
const MOST_ACTIONS = 10;
const MOST_NAMED = 100;
const LONGEST_CONDITION = 1_000;
const ACTIONS = ['notify'] as const;

/** A state in a request. */
@Accepts()
export class StateBody {
  @Text({ ...KEY, about: 'Key of the state, as shown in `obj_status`.', example: 'review' }) key!: string;
  @Text({ ...NAME, about: 'Name of the state.', example: 'In review' }) name!: string;
  @Text({ optional: true, max: 7, form: COLOR_FORM, about: 'Display color of the state.', example: '#b7791f' }) color?: string | null;
  @Flag({ omittable: true, about: 'Whether objects start in this state. Exactly one state is the initial state.' }) initial?: boolean;
  @Flag({ omittable: true, about: 'Whether the state is final.' }) final?: boolean;
  @Flag({ omittable: true, about: 'Whether the content of objects in this state is locked.' }) locked?: boolean;
  @Flag({ omittable: true, about: 'Whether agents and searches by meaning can find objects in this state; true when omitted.' })
  retrievable?: boolean;
  @Text({ optional: true, max: 1_000, about: 'Description.' }) description?: string | null;
}

/** Who can make a transition. */
@Accepts()
export class FlowMoversBody {
  @IdList({ omittable: true, max: MOST_NAMED, about: 'Ids of roles whose members can make the transition.' }) roles?: string[];
  @IdList({ omittable: true, max: MOST_NAMED, about: 'Ids of members who can make the transition.' }) users?: string[];
  @Flag({ omittable: true, about: 'Whether the creator of the object can make the transition.' }) creator?: boolean;
  @TextList({ omittable: true, max: 50, about: 'Permissions, any of which allows the transition.', example: ['object:schema:edit'] })
  permissions?: string[];
}

/** An action of a transition. */
@Accepts()
export class FlowActionBody {
  @Choice(ACTIONS, { about: '`notify` sends a mail to recipients who can view the object.', example: 'notify' }) type!: 'notify';
  @IdList({ omittable: true, max: MOST_NAMED, about: 'Ids of members to notify.' }) users?: string[];
  @IdList({ omittable: true, max: MOST_NAMED, about: 'Ids of roles whose members are notified.' }) roles?: string[];
  @Flag({ omittable: true, about: 'Whether to notify the creator of the object.' }) creator?: boolean;
}

/** A transition in a request. */
@Accepts()
export class FlowTransitionBody {
  @Text({ ...KEY, about: 'Key of the transition; unique in the flow.', example: 'approve' }) key!: string;
  @Text({ ...NAME, about: 'Name of the transition.', example: 'Approve' }) name!: string;
  @TextList({
    min: 1,
    max: MOST_STATES,
    about: 'Keys of the states in which the transition starts; `*` for every state except its target.',
    example: ['review'],
  })
  from!: string[];
  @Text({ ...KEY, about: 'Key of the target state.', example: 'approved' }) to!: string;
  @Nested(() => FlowMoversBody, { omittable: true, about: 'Who can make the transition; when empty, everyone who can edit the object.' })
  movers?: FlowMoversBody;
  @Text({
    optional: true,
    max: LONGEST_CONDITION,
    about: 'Condition that must be met: a CEL expression over `content`, `previous`, `user`, `state` and `now`.',
    example: 'content.price > 0',
  })
  condition?: string | null;
  @TextList({ omittable: true, max: 50, about: 'Keys of fields that must have a value.', example: ['price'] }) require_fields?: string[];
  @Choice(COMMENTS, { omittable: true, about: 'Whether the transition takes a comment; `optional` when omitted.' })
  comment?: (typeof COMMENTS)[number];
  @NestedList(() => FlowActionBody, { omittable: true, max: MOST_ACTIONS, about: 'Actions carried out with the transition.' })
  actions?: FlowActionBody[];
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
export class FlowMoversView {
  @IdList({ about: 'Roles.' }) roles!: string[];
  @IdList({ about: 'Members.' }) users!: string[];
  @Flag({ about: 'Whether the creator of the object can make the transition.' }) creator!: boolean;
  @TextList({ about: 'Permissions.' }) permissions!: string[];
}

@Answer()
export class FlowActionView {
  @Choice(ACTIONS, { about: 'Kind of action.' }) type!: 'notify';
  @IdList({ about: 'Members.' }) users!: string[];
  @IdList({ about: 'Roles.' }) roles!: string[];
  @Flag({ about: 'Whether the creator of the object is notified.' }) creator!: boolean;
}

@Answer()
export class FlowTransitionView {
  @Text({ about: 'Key of the transition.', example: 'approve' }) key!: string;
  @Text({ about: 'Name of the transition.', example: 'Approve' }) name!: string;
  @TextList({ about: 'Keys of the states in which the transition starts; `*` for every state except its target.', example: ['review'] })
  from!: string[];
  @Text({ about: 'Key of the target state.', example: 'approved' }) to!: string;
  @Nested(() => FlowMoversView, { about: 'Who can make the transition; when empty, everyone who can edit the object.' })
  movers!: FlowMoversView;
  @Text({ optional: true, about: 'Condition that must be met, as a CEL expression.', example: 'content.price > 0' }) condition!:
    string | null;
  @TextList({ about: 'Keys of fields that must have a value.', example: ['price'] }) require_fields!: string[];
  @Choice(COMMENTS, { about: 'Whether it takes a comment.' }) comment!: string;
  @NestedList(() => FlowActionView, { about: 'Actions carried out with the transition.' }) actions!: FlowActionView[];
}

@Answer()
export class LifecycleFlowView extends View(LifecycleFlow, { without: ['olf_states', 'olf_transitions'] }) {
  @NestedList(() => StateView, { about: 'States of the flow.' }) olf_states!: StateView[];
  @NestedList(() => FlowTransitionView, { about: 'Transitions between the states.' }) olf_transitions!: FlowTransitionView[];
}

export class LifecycleFlowPage extends PageOf(LifecycleFlowView) {}
