import { Choice, Flag, Id, IdList, Json, Ref, Resource, Stamp, TenantRow, Text, TextList } from '@atrium/platform/database';
import { invalidField, invalidState, MINUTE, type Clock, type JsonObject } from '@atrium/platform/kernel';

export const SCHEDULE_STATUSES = ['waiting', 'done', 'failed', 'cancelled'] as const;
export type ScheduleStatus = (typeof SCHEDULE_STATUSES)[number];
export const SCHEDULE_ACTIONS = ['publish', 'unpublish'] as const;
export type ScheduleAction = (typeof SCHEDULE_ACTIONS)[number];
/** Nodes of one schedule, and of one publish. */
export const MOST_NODES = 500;
/** Schedules that wait for a node. */
export const MOST_WAITING = 50;
const FURTHEST_YEARS = 2;

/** A publish at a time to come, with the rights that its creator has then. With `sch_freeze` the versions of the booking go live. */
@Resource({ table: 'publish_schedule', sort: 'sch_at' })
export class PublishSchedule extends TenantRow {
  @Id({ about: 'Id of the schedule.' }) readonly sch_id!: string;
  @Ref({ about: 'Id of the site.' }) readonly sch_site!: string;
  @Ref({ optional: true, about: 'Id of the page, folder or link; null for several.', filter: 'equals' }) readonly sch_node!: string | null;
  @IdList({ optional: true, max: MOST_NODES, about: 'Ids of several pages, folders or links, which go live together; null for one.' })
  readonly sch_nodes!: readonly string[] | null;
  @Choice(SCHEDULE_ACTIONS, { filter: 'equals', about: 'What is done at that time.', example: 'publish' })
  readonly sch_action!: ScheduleAction;
  @Stamp({ sort: true, filter: 'range', about: 'When it is done.' }) readonly sch_at!: Date;
  @TextList({ optional: true, max: 50, about: 'Locales; null for all that have content.', example: ['en', 'de'] }) readonly sch_locales!:
    readonly string[] | null;
  @Flag({ about: 'Whether the version of the booking goes live; if false, the draft of that time.' }) readonly sch_freeze!: boolean;
  @Ref({ optional: true, about: 'Id of the version that goes live; null for several pages or the draft of that time.' })
  readonly sch_version!: string | null;
  @Choice(SCHEDULE_STATUSES, { filter: 'equals', about: 'Whether it waits, was done, failed, or was cancelled.', example: 'waiting' })
  sch_status!: ScheduleStatus;
  @Text({
    optional: true,
    about: 'Why it failed, or why it was cancelled if no person did.',
    example: 'You do not have the permission site:publish.',
  })
  sch_error!: string | null;
  @Stamp({ about: 'When it was created.' }) readonly sch_created!: Date;
  @Ref({ optional: true, about: 'Id of the member who created it, and whose rights count at that time.', filter: 'equals' })
  readonly sch_created_by!: string | null;
  /** The key with which they asked for it: its scopes count as well. */
  @Ref({ internal: true, optional: true }) readonly sch_key!: string | null;
  /** The frozen versions, by node. */
  @Json({ internal: true }) readonly sch_versions!: Readonly<Record<string, string>>;
  @Json({ internal: true }) readonly sch_options!: JsonObject;
  @Stamp({ internal: true, optional: true }) sch_finished!: Date | null;

  static blank(
    facts: Pick<
      PublishSchedule,
      | 'sch_id'
      | 'sch_site'
      | 'sch_action'
      | 'sch_at'
      | 'sch_locales'
      | 'sch_freeze'
      | 'sch_versions'
      | 'sch_options'
      | 'sch_created_by'
      | 'sch_key'
    > & { readonly node_ids: readonly string[] },
    now: Date,
  ): PublishSchedule {
    const { node_ids, ...said } = facts;
    const [only, ...others] = node_ids;
    return Object.assign(new PublishSchedule(), {
      ...said,
      sch_node: others.length === 0 ? (only ?? null) : null,
      sch_nodes: others.length === 0 ? null : node_ids,
      sch_version: others.length === 0 ? (said.sch_versions[only ?? ''] ?? null) : null,
      sch_status: 'waiting',
      sch_error: null,
      sch_created: now,
      sch_finished: null,
    });
  }

  get nodeIds(): readonly string[] {
    return this.sch_nodes ?? (this.sch_node === null ? [] : [this.sch_node]);
  }

  get isWaiting(): boolean {
    return this.sch_status === 'waiting';
  }

  isDue(clock: Clock): boolean {
    return this.isWaiting && this.sch_at <= clock.now();
  }

  cancel(clock: Clock): void {
    if (!this.isWaiting) throw invalidState(`The schedule is ${this.sch_status} and cannot be cancelled.`);
    this.finish('cancelled', clock);
  }

  complete(clock: Clock): void {
    this.finish('done', clock);
  }

  fail(reason: string, clock: Clock): void {
    this.sch_error = reason;
    this.finish('failed', clock);
  }

  private finish(status: ScheduleStatus, clock: Clock): void {
    this.sch_status = status;
    this.sch_finished = clock.now();
  }
}

/** A time that a publish can be booked for. */
export function assertSchedulable(at: Date, clock: Clock, path = 'at'): void {
  const latest = new Date(clock.now());
  latest.setUTCFullYear(latest.getUTCFullYear() + FURTHEST_YEARS);
  if (at < clock.after(MINUTE)) throw invalidField(path, 'must be at least one minute from now', 'min');
  if (at > latest) throw invalidField(path, `must be within ${FURTHEST_YEARS} years`, 'max');
}
