import { Flag, Id, Json, Resource, Stamp, TenantRow, Text, TextList } from '@atrium/platform/database';
import type { Clock } from '@atrium/platform/kernel';

/** The repositories whose files a flow can govern. */
export const FLOW_SCOPES = ['media', 'docs', 'design', 'generated'] as const;

/** The state of files that no flow governs. */
export const UNGOVERNED = 'active';

/** One state of a flow, and what files in it may not do. */
export interface StatusState {
  readonly key: string;
  readonly label: string;
  readonly color: string | null;
  readonly initial: boolean;
  readonly final: boolean;
  readonly locks_edit: boolean;
  readonly allows_download: boolean;
  readonly allows_publish: boolean;
  readonly allows_share: boolean;
}

/** Who may use a transition; without any: everyone who may edit the file. */
export interface Movers {
  readonly permissions: readonly string[];
  readonly roles: readonly string[];
  readonly users: readonly string[];
}

/** One transition from a status to another. */
export interface StatusTransition {
  readonly from: string;
  readonly to: string;
  readonly label: string;
  readonly movers: Movers;
  readonly requires_comment: boolean;
  /** Names of tag groups of which the file needs a tag. */
  readonly required_tags: readonly string[];
  readonly side: { readonly notify: readonly string[] };
}

/** States that are gone, and the state that each of them means now. */
export type StatusRemap = Readonly<Record<string, string>>;

/** Statuses and the transitions between them. */
export interface StatusGraph {
  readonly msf_states: readonly StatusState[];
  readonly msf_transitions: readonly StatusTransition[];
}

/**
 * The states that files of some repositories go through. Exactly one of them is the initial one, every state can be
 * reached from it, and a repository follows at most one active flow.
 */
@Resource({ table: 'media_status_flow', sort: '-msf_created' })
export class MediaStatusFlow extends TenantRow implements StatusGraph {
  @Id({ about: 'Id of the flow.' }) readonly msf_id!: string;
  @Text({ min: 1, about: 'Name of the flow; unique in the workspace.', example: 'Review of pictures', filter: 'contains', sort: true })
  msf_name!: string;
  @Text({ max: 5_000, optional: true, about: 'Purpose of the flow.' }) msf_description!: string | null;
  @TextList({
    min: 1,
    max: FLOW_SCOPES.length,
    about: `Repositories that the flow applies to: ${FLOW_SCOPES.join(', ')}.`,
    example: ['media'],
  })
  msf_scope!: string[];
  @Flag({ about: 'Whether the flow applies. A repository has at most one active flow.', filter: 'equals' }) msf_active!: boolean;
  @Json() msf_states!: readonly StatusState[];
  @Json() msf_transitions!: readonly StatusTransition[];
  @Json({ internal: true }) msf_remap!: StatusRemap;
  @Stamp({ about: 'When it was created.', filter: 'range', sort: true }) msf_created!: Date;
  @Stamp({ about: 'When it was last changed.', filter: 'range', sort: true }) msf_updated!: Date;

  /** A new one that has nothing but what it must have. */
  static blank(facts: Partial<MediaStatusFlow> & Pick<MediaStatusFlow, 'msf_id'>, now: Date): MediaStatusFlow {
    return Object.assign(new MediaStatusFlow(), { msf_active: false, msf_remap: {}, msf_created: now, msf_updated: now, ...facts });
  }

  touch(clock: Clock): void {
    this.msf_updated = clock.now();
  }
}

/** The flow as files follow it. */
export interface FollowedFlow extends StatusGraph {
  readonly msf_remap: StatusRemap;
}
