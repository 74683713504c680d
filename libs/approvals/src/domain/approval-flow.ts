import { Choice, Flag, Id, Json, Resource, Stamp, TenantRow, Text, Whole } from '@atrium/platform/database';
import type { Clock, JsonObject } from '@atrium/platform/kernel';
import { leadsFrom, type FlowState, type FlowTransition } from './flow';
import type { CommentRule, NamedActors, NotifyAction } from './flow-parts';
import { EVERYWHERE, type FlowScope } from './flow-scope';
import { stateOf, type StateMap } from './state-map';

export const ON_EDIT = ['reset', 'keep'] as const;
/** Flows of one workspace. */
export const MOST_FLOWS = 200;

/** What an edit does to the approval of a subject: returns it to the initial state, or nothing. */
export type OnEdit = (typeof ON_EDIT)[number];

/** One state of a flow, and what it means for the subjects in it. */
export interface ApprovalState extends FlowState {
  readonly name: string;
  readonly color: string | null;
  /** Subjects in it may be published. */
  readonly publishable: boolean;
  /** The content of subjects in it may not change. */
  readonly locked: boolean;
  readonly description: string | null;
}

/** How many people approve a transition, and who they are. */
export interface ApproverRule {
  /** 0: the transition needs nobody's approval. */
  readonly count: number;
  readonly movers: NamedActors;
  /** Whether the person who asks may be one of them. */
  readonly allow_self: boolean;
}

/** One transition, and what it needs. */
export interface ApprovalTransition extends FlowTransition {
  readonly key: string;
  readonly name: string;
  readonly from: readonly string[];
  readonly movers: NamedActors;
  readonly comment: CommentRule;
  /** Names of checks that the type of the subject knows. */
  readonly checks: readonly string[];
  readonly approvals: ApproverRule;
  /** Where a rejection leads; null: the subject stays. */
  readonly on_reject: string | null;
  readonly actions: readonly NotifyAction[];
}

/** The states that subjects of one type go through before they are published. Exactly one is initial, at least one publishable. */
@Resource({ table: 'approval_flow', sort: '-caf_created' })
export class ApprovalFlow extends TenantRow {
  @Id({ about: 'Id of the flow.' }) readonly caf_id!: string;
  @Text({ min: 1, max: 255, about: 'Name.', example: 'Editorial review', filter: 'contains', sort: true }) caf_name!: string;
  @Text({ max: 5_000, optional: true, about: 'Description.', filter: 'contains' }) caf_description!: string | null;
  @Text({ min: 1, max: 40, about: 'Type of what follows the flow. It cannot be changed.', example: 'node', filter: 'equals' })
  readonly caf_subject!: string;
  @Flag({
    about: 'Whether the flow is active. While it is not, what followed it keeps its state and can be published without approval.',
    filter: 'equals',
  })
  caf_active!: boolean;
  @Json({
    about:
      'Sites and languages that the flow covers; an empty list covers all. A flow for sites comes before one for languages, and both before one for everything.',
    example: { sites: [], locales: ['de'] },
  })
  caf_scope!: FlowScope;
  @Json() caf_states!: readonly ApprovalState[];
  @Json() caf_transitions!: readonly ApprovalTransition[];
  @Json({ internal: true }) caf_map!: StateMap;
  @Choice(ON_EDIT, {
    about:
      'What an edit does: `reset` supersedes the open request and returns to the initial state, `keep` changes neither. With `keep`, the approved version can still be published, and no other.',
    example: 'reset',
  })
  caf_on_edit!: OnEdit;
  @Json({ about: 'Your own metadata, at most 64 KB.', example: {} }) caf_metadata!: JsonObject;
  @Whole({ column: 'integer', about: 'Version of the flow, which increases with every change.', example: 1 }) caf_revision!: number;
  @Stamp({ about: 'When the flow was created.', filter: 'range', sort: true }) caf_created!: Date;
  @Stamp({ about: 'When the flow was last changed.', filter: 'range', sort: true }) caf_updated!: Date;

  /** A new one that has nothing but what it must have. */
  static blank(facts: Partial<ApprovalFlow> & Pick<ApprovalFlow, 'caf_id'>, now: Date): ApprovalFlow {
    return Object.assign(new ApprovalFlow(), {
      caf_description: null,
      caf_active: false,
      caf_scope: EVERYWHERE,
      caf_transitions: [],
      caf_map: {},
      caf_on_edit: 'reset',
      caf_metadata: {},
      caf_revision: 1,
      caf_created: now,
      caf_updated: now,
      ...facts,
    });
  }

  activate(clock: Clock): void {
    this.caf_active = true;
    this.touch(clock);
  }

  deactivate(clock: Clock): void {
    this.caf_active = false;
    this.touch(clock);
  }

  /** Its states, transitions or anything else that people wrote are another revision now. */
  revise(clock: Clock): void {
    this.caf_revision += 1;
    this.touch(clock);
  }

  private touch(clock: Clock): void {
    this.caf_updated = clock.now();
  }
}

/** A flow as subjects follow it. */
export type FollowedApprovalFlow = Pick<
  ApprovalFlow,
  'caf_id' | 'caf_name' | 'caf_scope' | 'caf_states' | 'caf_transitions' | 'caf_map' | 'caf_on_edit'
>;

/** The state that a key means in the flow now; the initial one where it means none. */
export const approvalStateOf = (
  { caf_states, caf_map }: Pick<FollowedApprovalFlow, 'caf_states' | 'caf_map'>,
  key: string,
): ApprovalState | undefined => stateOf({ states: caf_states, map: caf_map }, key);

/** The transition that begins the shortest path from a state to a publishable one; undefined where there is none. */
export function transitionTowardsPublishing(
  { caf_states, caf_transitions }: Pick<FollowedApprovalFlow, 'caf_states' | 'caf_transitions'>,
  state: string,
): ApprovalTransition | undefined {
  const publishable = new Set(caf_states.filter((one) => one.publishable).map(({ key }) => key));
  const seen = new Set([state]);
  let paths: { readonly at: string; readonly first?: ApprovalTransition }[] = [{ at: state }];
  while (paths.length > 0) {
    const next: typeof paths = [];
    for (const { at, first } of paths)
      for (const transition of caf_transitions.filter((one) => leadsFrom(one, at) && !seen.has(one.to))) {
        if (publishable.has(transition.to)) return first ?? transition;
        seen.add(transition.to);
        next.push({ at: transition.to, first: first ?? transition });
      }
    paths = next;
  }
  return undefined;
}
