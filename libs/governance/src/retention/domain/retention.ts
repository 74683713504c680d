import { Id, Choice, Ref, Resource, Stamp, Text, Whole } from '@atrium/platform/database';
import { DAY } from '@atrium/platform/kernel';

/** How many days may be chosen, and how many count where nothing was. */
export interface RetentionRule {
  readonly default: number;
  readonly min: number;
  readonly max: number;
  /** What goes when its days are over. */
  readonly removes: string;
}

const rule = (standard: number, min: number, max: number, removes: string): RetentionRule => ({ default: standard, min, max, removes });

/** What workspaces keep for a number of days: the closed list. A context that keeps some of it registers it under its key; keys are never renamed. */
export const RETENTION = {
  trash: rule(30, 1, 365, 'Deleted files and their objects. Files that are already in the trash keep their purge date.'),
  file_versions: rule(365, 7, 3_650, 'Earlier versions of files, counted from when they were replaced. Pinned versions are kept.'),
  access_logs: rule(365, 30, 1_825, 'Rows of the access log.'),
  audit_events: rule(2_555, 365, 3_650, 'Audit events. Their seals are kept.'),
  usage_entries: rule(760, 400, 3_650, 'Individual usage entries. Sums and the ledger are kept.'),
  threads_inactive: rule(
    365,
    30,
    3_650,
    'Deactivated threads with their messages, messages deleted from other threads, runs without a thread, and deleted spaces.',
  ),
  download_archives: rule(7, 1, 30, 'Archives of requested downloads. Existing archives keep their removal date.'),
  exports: rule(7, 1, 30, 'Archives of exports. Existing archives keep their removal date.'),
  job_rows: rule(90, 7, 365, 'Records of finished background jobs.'),
  visitors: rule(180, 1, 1_825, 'Visitors of channels without a conversation.'),
  events: rule(30, 1, 90, 'Delivered events.'),
  objects: rule(30, 1, 365, 'Deleted objects, which can be restored until then.'),
  share_events: rule(180, 7, 1_825, 'Events of share links.'),
  site_publications: rule(365, 30, 1_825, 'Closed publications of sites.'),
  social_attempts: rule(180, 30, 1_825, 'Attempts to publish posts.'),
} as const satisfies Readonly<Record<string, RetentionRule>>;

export type RetentionKey = keyof typeof RETENTION;
export const RETENTION_KEYS = Object.keys(RETENTION) as RetentionKey[];

/** How long a shortening waits. */
const WAIT = DAY;

/** What a workspace has chosen. While a shortening waits, the days before it count. */
export interface ChosenDays {
  readonly ret_days: number;
  readonly ret_days_before: number | null;
  readonly ret_effective_at: Date | null;
}

export const daysInForce = ({ ret_days, ret_days_before, ret_effective_at }: ChosenDays, now: Date): number =>
  ret_days_before !== null && ret_effective_at !== null && ret_effective_at > now ? ret_days_before : ret_days;

/** Keeping longer counts at once, and so does taking a shortening back; keeping shorter a day later. What waits already waits no longer for being softened. */
export function chooseDays(chosen: ChosenDays, days: number, now: Date): ChosenDays {
  const inForce = daysInForce(chosen, now);
  if (days >= inForce) return { ret_days: days, ret_days_before: null, ret_effective_at: null };
  const waits = inForce !== chosen.ret_days && days >= chosen.ret_days;
  return { ret_days: days, ret_days_before: inForce, ret_effective_at: waits ? chosen.ret_effective_at : new Date(now.getTime() + WAIT) };
}

/** How long the workspace keeps something. */
export class RetentionPolicy {
  @Choice(RETENTION_KEYS, { sort: true, filter: 'equals', about: 'Name of the data covered by the policy.' }) ret_key!: RetentionKey;
  @Whole({ sort: true, about: 'Configured number of days.', example: 365 }) ret_days!: number;
  @Whole({ optional: true, about: 'Days that apply until `ret_effective_at`. Null if no shorter period is scheduled.' })
  ret_days_before!: number | null;
  @Stamp({
    optional: true,
    about: 'When a shorter period takes effect: a day after it was set. Until then it can be cancelled. Null if none is scheduled.',
  })
  ret_effective_at!: string | null;
  @Whole({ about: 'Minimum number of days.', example: 30 }) ret_min!: number;
  @Whole({ about: 'Maximum number of days.', example: 1_825 }) ret_max!: number;
  @Whole({ about: 'Default number of days.', example: 365 }) ret_default!: number;
  @Text({ about: 'Data that is removed after this number of days.', max: 200 }) ret_removes!: string;
  @Stamp({ optional: true, about: 'When the policy was last applied.' }) ret_last_run_at!: string | null;
  @Whole({ optional: true, about: 'Number of items that the last run removed.' }) ret_last_removed!: number | null;
  @Stamp({ optional: true, about: 'When the policy was last changed. Null: never.' }) ret_updated!: string | null;
  @Ref({ optional: true, about: 'User who last changed the policy.' }) ret_updated_by!: string | null;
}

export const RUN_STATUSES = ['running', 'completed', 'failed'] as const;

/** One application of a policy: once a day, after three in the morning of the workspace. */
@Resource({ table: 'retention_run', sort: '-run_started' })
export class RetentionRun {
  @Id({ about: 'Id of the run.', filter: undefined }) readonly run_id!: string;
  @Choice(RETENTION_KEYS, { about: 'The policy.', filter: 'equals' }) readonly ret_key!: RetentionKey;
  @Choice(RUN_STATUSES, {
    about:
      'Current status: `completed` if nothing failed, `failed` if the run gave up. A run that was interrupted continues automatically.',
    filter: 'equals',
  })
  readonly run_status!: (typeof RUN_STATUSES)[number];
  @Whole({ about: 'Number of items removed.', example: 1_204 }) readonly run_removed!: number;
  @Whole({ about: 'Bytes of stored objects among them; 0 if there are none.', example: 0 }) readonly run_bytes!: number;
  @Whole({ about: 'Number of due items that legal holds kept.', example: 3 }) readonly run_held!: number;
  @Stamp({ about: 'When it started.', filter: 'range', sort: true }) readonly run_started!: Date;
  @Stamp({ optional: true, about: 'When it finished.' }) readonly run_finished!: Date | null;
  @Text({ optional: true, max: 1_000, about: 'Why it failed. It is tried again automatically.' }) readonly run_error!: string | null;
}

/** Something that a run left for a legal hold. */
@Resource({ table: 'retention_held', sort: 'held_id', isFoundById: false })
export class HeldRow {
  @Id({ about: 'Id of the item that was due, such as a file, version or log entry.', filter: undefined, sort: true })
  readonly held_id!: string;
  @Ref({ about: 'Legal hold that kept it; one of them if there are several.', filter: 'equals' }) readonly held_hold!: string;
}
