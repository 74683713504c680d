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

/** One state as clients write it. */
@Accepts()
export class StateBody {
  @Text({ ...KEY, about: 'Key of the state, as `obj_status` shows it.', example: 'review' }) key!: string;
  @Text({ ...NAME, about: 'Name of the state.', example: 'In review' }) name!: string;
  @Text({ optional: true, max: 7, form: COLOR_FORM, about: 'Color to show it in.', example: '#b7791f' }) color?: string | null;
  @Flag({ omittable: true, about: 'Whether objects begin in it; exactly one state is initial.' }) initial?: boolean;
  @Flag({ omittable: true, about: 'Whether it is meant to be the end.' }) final?: boolean;
  @Flag({ omittable: true, about: 'Whether the content of objects in it cannot be changed.' }) locked?: boolean;
  @Flag({ omittable: true, about: 'Whether agents and searches by meaning may find objects in it. True unless said otherwise.' })
  retrievable?: boolean;
  @Text({ optional: true, max: 1_000, about: 'Description.' }) description?: string | null;
}

/** Who may make a transition. */
@Accepts()
export class FlowMoversBody {
  @IdList({ omittable: true, max: MOST_NAMED, about: 'Holders of these roles.' }) roles?: string[];
  @IdList({ omittable: true, max: MOST_NAMED, about: 'These members.' }) users?: string[];
  @Flag({ omittable: true, about: 'The creator of the object.' }) creator?: boolean;
  @TextList({ omittable: true, max: 50, about: 'Members with one of these permissions.', example: ['object:schema:edit'] })
  permissions?: string[];
}

/** Something that happens with a transition. */
@Accepts()
export class FlowActionBody {
  @Choice(ACTIONS, { about: '`notify`: a mail to people who may read the object.', example: 'notify' }) type!: 'notify';
  @IdList({ omittable: true, max: MOST_NAMED, about: 'These members.' }) users?: string[];
  @IdList({ omittable: true, max: MOST_NAMED, about: 'Holders of these roles.' }) roles?: string[];
  @Flag({ omittable: true, about: 'The creator of the object.' }) creator?: boolean;
}

/** One transition as clients write it. */
@Accepts()
export class FlowTransitionBody {
  @Text({ ...KEY, about: 'Key of the transition; unique in the flow.', example: 'approve' }) key!: string;
  @Text({ ...NAME, about: 'Name of the transition.', example: 'Approve' }) name!: string;
  @TextList({
    min: 1,
    max: MOST_STATES,
    about: 'Keys of the states it starts in; `*`: every state but its target.',
    example: ['review'],
  })
  from!: string[];
  @Text({ ...KEY, about: 'Key of the state it leads to.', example: 'approved' }) to!: string;
  @Nested(() => FlowMoversBody, { omittable: true, about: 'Who may make it; where nobody is named, everyone who may edit the object.' })
  movers?: FlowMoversBody;
  @Text({
    optional: true,
    max: LONGEST_CONDITION,
    about: 'CEL expression over `content`, `previous`, `user`, `state` and `now` that has to hold.',
    example: 'content.price > 0',
  })
  condition?: string | null;
  @TextList({ omittable: true, max: 50, about: 'Keys of fields that need a value.', example: ['price'] }) require_fields?: string[];
  @Choice(COMMENTS, { omittable: true, about: 'Whether it takes a comment; `optional` unless said otherwise.' })
  comment?: (typeof COMMENTS)[number];
  @NestedList(() => FlowActionBody, { omittable: true, max: MOST_ACTIONS, about: 'What happens besides.' }) actions?: FlowActionBody[];
}

@Accepts()
class StatesBody {
  @NestedList(() => StateBody, { min: 1, max: MOST_STATES, about: 'The states; exactly one is initial, and all can be reached from it.' })
  olf_states!: StateBody[];
}

@Accepts()
class TransitionsBody extends StatesBody {
  @NestedList(() => FlowTransitionBody, { omittable: true, max: MOST_TRANSITIONS, about: 'The transitions between them.' })
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
    about: 'The states, all of them; one that objects are in is removed only with an entry in `state_map`.',
  })
  olf_states?: StateBody[];
  @NestedList(() => FlowTransitionBody, { omittable: true, max: MOST_TRANSITIONS, about: 'The transitions, all of them.' })
  olf_transitions?: FlowTransitionBody[];
  @Json({ omittable: true, about: 'New state of objects in removed states, by old state.', example: { review: 'draft' } })
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
    about: 'Whether objects of its schemas without a state, or left by an inactive flow, follow it too, in the background.',
  })
  adopt?: boolean;
}

@Answer()
export class StateView {
  @Text({ about: 'Key of the state.', example: 'review' }) key!: string;
  @Text({ about: 'Name of the state.', example: 'In review' }) name!: string;
  @Text({ optional: true, about: 'Color to show it in.', example: '#b7791f' }) color!: string | null;
  @Flag({ about: 'Whether objects begin in it.' }) initial!: boolean;
  @Flag({ about: 'Whether it is meant to be the end.' }) final!: boolean;
  @Flag({ about: 'Whether the content of objects in it cannot be changed.' }) locked!: boolean;
  @Flag({ about: 'Whether agents and searches by meaning may find objects in it.' }) retrievable!: boolean;
  @Text({ optional: true, about: 'Description.' }) description!: string | null;
}

@Answer()
export class FlowMoversView {
  @IdList({ about: 'Roles.' }) roles!: string[];
  @IdList({ about: 'Members.' }) users!: string[];
  @Flag({ about: 'The creator of the object.' }) creator!: boolean;
  @TextList({ about: 'Permissions.' }) permissions!: string[];
}

@Answer()
export class FlowActionView {
  @Choice(ACTIONS, { about: 'Kind of action.' }) type!: 'notify';
  @IdList({ about: 'Members.' }) users!: string[];
  @IdList({ about: 'Roles.' }) roles!: string[];
  @Flag({ about: 'The creator of the object.' }) creator!: boolean;
}

@Answer()
export class FlowTransitionView {
  @Text({ about: 'Key of the transition.', example: 'approve' }) key!: string;
  @Text({ about: 'Name of the transition.', example: 'Approve' }) name!: string;
  @TextList({ about: 'Keys of the states it starts in; `*`: every state but its target.', example: ['review'] }) from!: string[];
  @Text({ about: 'Key of the state it leads to.', example: 'approved' }) to!: string;
  @Nested(() => FlowMoversView, { about: 'Who may make it; where nobody is named, everyone who may edit the object.' })
  movers!: FlowMoversView;
  @Text({ optional: true, about: 'CEL expression that has to hold.', example: 'content.price > 0' }) condition!: string | null;
  @TextList({ about: 'Keys of fields that need a value.', example: ['price'] }) require_fields!: string[];
  @Choice(COMMENTS, { about: 'Whether it takes a comment.' }) comment!: string;
  @NestedList(() => FlowActionView, { about: 'What happens besides.' }) actions!: FlowActionView[];
}

@Answer()
export class LifecycleFlowView extends View(LifecycleFlow, { without: ['olf_states', 'olf_transitions'] }) {
  @NestedList(() => StateView, { about: 'The states.' }) olf_states!: StateView[];
  @NestedList(() => FlowTransitionView, { about: 'The transitions between them.' }) olf_transitions!: FlowTransitionView[];
}

export class LifecycleFlowPage extends PageOf(LifecycleFlowView) {}
