import { Flag, Id, IdList, Json, Resource, Stamp, TenantRow, Text, Whole } from '@atrium/platform/database';
import type { Clock, JsonObject } from '@atrium/platform/kernel';

const MOST_FORMS = 200;

/** One state of a flow, and what it means for the objects in it. */
export interface LifecycleState {
  readonly key: string;
  readonly name: string;
  readonly color: string | null;
  readonly initial: boolean;
  readonly final: boolean;
  /** Content may not change. */
  readonly locked: boolean;
  /** Searches of agents may find the objects. */
  readonly retrievable: boolean;
  readonly description: string | null;
}

/** Who may make a transition; where nobody is named: everyone who may edit the object. */
export interface LifecycleMovers {
  readonly roles: readonly string[];
  readonly users: readonly string[];
  readonly creator: boolean;
  readonly permissions: readonly string[];
}

/** Whom a transition notifies. */
export interface NotifyAction {
  readonly type: 'notify';
  readonly users: readonly string[];
  readonly roles: readonly string[];
  readonly creator: boolean;
}

/** One transition, and what it needs. */
export interface LifecycleTransition {
  readonly key: string;
  readonly name: string;
  /** Keys of states, or `*`. */
  readonly from: readonly string[];
  readonly to: string;
  readonly movers: LifecycleMovers;
  readonly condition: string | null;
  readonly require_fields: readonly string[];
  readonly comment: 'none' | 'optional' | 'required';
  readonly actions: readonly NotifyAction[];
}

/** States that are gone, and the state that each of them means now. */
export type LifecycleMap = Readonly<Record<string, string>>;

/** The states that objects of some schemas go through. Exactly one is the initial one, and every state can be reached from it. */
@Resource({ table: 'object_flow', sort: '-olf_created' })
export class LifecycleFlow extends TenantRow {
  @Id({ about: 'Id of the flow.' }) readonly olf_id!: string;
  @Text({ min: 1, max: 255, about: 'Name.', example: 'Product approval', filter: 'contains', sort: true }) olf_name!: string;
  @Text({ max: 5_000, optional: true, about: 'Description.', filter: 'contains' }) olf_description!: string | null;
  @Flag({ about: 'Whether the flow is active. A schema has at most one active flow.', filter: 'equals' }) olf_active!: boolean;
  @IdList({
    max: MOST_FORMS,
    about: 'Ids of the schemas whose objects follow the flow; when empty, all schemas without an active flow of their own.',
    example: [],
  })
  olf_forms!: string[];
  @Json() olf_states!: readonly LifecycleState[];
  @Json() olf_transitions!: readonly LifecycleTransition[];
  @Json({ internal: true }) olf_map!: LifecycleMap;
  @Json({ about: 'Your own metadata, at most 64 KB.', example: {} }) olf_metadata!: JsonObject;
  @Whole({ column: 'integer', about: 'Version of the flow, which increases with every change.', example: 1 }) olf_revision!: number;
  @Stamp({ about: 'When the flow was created.', filter: 'range', sort: true }) olf_created!: Date;
  @Stamp({ about: 'When the flow was last changed.', filter: 'range', sort: true }) olf_updated!: Date;

  /** A new one that has nothing but what it must have. */
  static blank(facts: Partial<LifecycleFlow> & Pick<LifecycleFlow, 'olf_id'>, now: Date): LifecycleFlow {
    return Object.assign(new LifecycleFlow(), {
      olf_description: null,
      olf_active: false,
      olf_forms: [],
      olf_transitions: [],
      olf_map: {},
      olf_metadata: {},
      olf_revision: 1,
      olf_created: now,
      olf_updated: now,
      ...facts,
    });
  }

  /** Whether objects of every schema without a flow of its own follow it while it is active. */
  get catchesAll(): boolean {
    return this.olf_forms.length === 0;
  }

  activate(clock: Clock): void {
    this.olf_active = true;
    this.touch(clock);
  }

  deactivate(clock: Clock): void {
    this.olf_active = false;
    this.touch(clock);
  }

  /** Its states, transitions or anything else that people wrote are another revision now. */
  revise(clock: Clock): void {
    this.olf_revision += 1;
    this.touch(clock);
  }

  private touch(clock: Clock): void {
    this.olf_updated = clock.now();
  }
}

/** A flow as objects follow it. */
export type FollowedLifecycle = Pick<LifecycleFlow, 'olf_id' | 'olf_name' | 'olf_active' | 'olf_states' | 'olf_transitions' | 'olf_map'>;
