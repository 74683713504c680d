import { Choice, Flag, IdList, Nested, NestedList, Text, TextList } from '@atrium/platform/database';
import { Accepts, Answer } from '@atrium/platform/http';
import { COMMENTS, KEY_FORM, LONGEST_KEY, type NamedActors, type NotifyAction } from '../domain/flow-parts';

/** How keys and names of states and transitions are written in requests. */
export const KEY_RULE = { form: KEY_FORM, max: LONGEST_KEY } as const;
export const NAME_RULE = { min: 1, max: 120 } as const;
export const MOST_STATES = 50;
export const MOST_TRANSITIONS = 200;
const MOST_ACTIONS = 10;
const MOST_NAMED = 100;
const ACTIONS = ['notify'] as const;

/** Who can make a transition. */
@Accepts()
export class FlowMoversBody {
  @IdList({ omittable: true, max: MOST_NAMED, about: 'Ids of roles whose members are allowed.' }) roles?: string[];
  @IdList({ omittable: true, max: MOST_NAMED, about: 'Ids of members who are allowed.' }) users?: string[];
  @Flag({ omittable: true, about: 'Whether the creator is allowed.' }) creator?: boolean;
  @TextList({ omittable: true, max: 50, about: 'Permissions, any of which is sufficient.', example: ['content:flow:edit'] })
  permissions?: string[];
}

/** An action of a transition. */
@Accepts()
export class FlowActionBody {
  @Choice(ACTIONS, { about: '`notify` sends a mail to those recipients who have view access.', example: 'notify' }) type!: 'notify';
  @IdList({ omittable: true, max: MOST_NAMED, about: 'Ids of members to notify.' }) users?: string[];
  @IdList({ omittable: true, max: MOST_NAMED, about: 'Ids of roles whose members are notified.' }) roles?: string[];
  @Flag({ omittable: true, about: 'Whether to notify the creator.' }) creator?: boolean;
}

/** What every transition in a request has; a context adds what its transitions need besides. */
@Accepts()
export class FlowTransitionParts {
  @Text({ ...KEY_RULE, about: 'Key of the transition; unique in the flow.', example: 'approve' }) key!: string;
  @Text({ ...NAME_RULE, about: 'Name of the transition.', example: 'Approve' }) name!: string;
  @TextList({
    min: 1,
    max: MOST_STATES,
    about: 'Keys of the states in which the transition starts; `*` for every state except its target.',
    example: ['review'],
  })
  from!: string[];
  @Text({ ...KEY_RULE, about: 'Key of the target state.', example: 'approved' }) to!: string;
  @Nested(() => FlowMoversBody, { omittable: true, about: 'Who can make the transition; when empty, everyone with edit access.' })
  movers?: FlowMoversBody;
  @Choice(COMMENTS, { omittable: true, about: 'Whether the transition takes a comment; `optional` when omitted.' })
  comment?: (typeof COMMENTS)[number];
  @NestedList(() => FlowActionBody, { omittable: true, max: MOST_ACTIONS, about: 'Actions carried out with the transition.' })
  actions?: FlowActionBody[];
}

@Answer()
export class FlowMoversView {
  @IdList({ about: 'Roles.' }) roles!: string[];
  @IdList({ about: 'Members.' }) users!: string[];
  @Flag({ about: 'Whether the creator is allowed.' }) creator!: boolean;
  @TextList({ about: 'Permissions.' }) permissions!: string[];
}

@Answer()
export class FlowActionView {
  @Choice(ACTIONS, { about: 'Kind of action.' }) type!: 'notify';
  @IdList({ about: 'Members.' }) users!: string[];
  @IdList({ about: 'Roles.' }) roles!: string[];
  @Flag({ about: 'Whether the creator is notified.' }) creator!: boolean;
}

/** What every transition in an answer has. */
@Answer()
export class FlowTransitionPartsView {
  @Text({ about: 'Key of the transition.', example: 'approve' }) key!: string;
  @Text({ about: 'Name of the transition.', example: 'Approve' }) name!: string;
  @TextList({ about: 'Keys of the states in which the transition starts; `*` for every state except its target.', example: ['review'] })
  from!: string[];
  @Text({ about: 'Key of the target state.', example: 'approved' }) to!: string;
  @Nested(() => FlowMoversView, { about: 'Who can make the transition; when empty, everyone with edit access.' })
  movers!: FlowMoversView;
  @Choice(COMMENTS, { about: 'Whether it takes a comment.' }) comment!: string;
  @NestedList(() => FlowActionView, { about: 'Actions carried out with the transition.' }) actions!: FlowActionView[];
}

/** Allowed actors as a client wrote them, with everything that was left out. */
export const actorsOf = (movers: FlowMoversBody = {}): NamedActors => ({
  roles: movers.roles ?? [],
  users: movers.users ?? [],
  creator: movers.creator ?? false,
  permissions: movers.permissions ?? [],
});

/** What of a transition every flow stores, with everything that was left out. */
export const transitionPartsOf = ({ key, name, from, to, movers, comment, actions = [] }: FlowTransitionParts) => ({
  key,
  name,
  from,
  to,
  movers: actorsOf(movers),
  comment: comment ?? ('optional' as const),
  actions: actions.map(({ type, users, roles, creator }): NotifyAction => ({
    type,
    users: users ?? [],
    roles: roles ?? [],
    creator: creator ?? false,
  })),
});
