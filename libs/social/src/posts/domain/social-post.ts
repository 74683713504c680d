import { Active, Choice, Id, IdList, Json, Ref, Resource, Stamp, TenantRow, Text, TextList } from '@atrium/platform/database';
import { type Clock, DAY, invalidField, type JsonObject, MINUTE, notYet } from '@atrium/platform/kernel';
import type { Utm } from '../../network/domain/utm';
import {
  LARGEST_PARTS,
  LONGEST_TEXT,
  NO_SOURCE,
  titleOf,
  type PostFile,
  type PostIssue,
  type PostLink,
  type PostSource,
} from './post-parts';
import { assertMove, outcomeOf, POST_STATES, POST_TABLE, type PostState, type VariantState } from './post-states';

export const MOST_FILES = 20;
export const MOST_TARGETS = 20;
const FARTHEST_MS = 366 * DAY;
/** What a post that has been sent may still change. */
const ALWAYS_CHANGEABLE = ['sp_labels', 'sp_campaign', 'sp_metadata'];

/** Who asks for something, and with which key. */
export interface Asker {
  readonly user_id: string | null;
  readonly key_id: string | null;
}

/** A post with one variant for each of its targets. It is sent as a whole, and ends by its variants. */
@Resource({ table: 'social_post', sort: '-sp_created' })
export class SocialPost extends TenantRow {
  @Id({ about: 'Id of the post.' }) readonly sp_id!: string;
  @Text({ min: 1, about: 'Internal title. Default: the first words of the text.', example: 'Spring launch', filter: 'contains' })
  sp_title!: string;
  @Text({
    max: LONGEST_TEXT,
    about:
      'Text. `#tag` at the start or after white space is a hashtag, and `@[Name](urn:li:organization:1)` is a mention. Everything else is sent as it is.',
    example: 'Our new lamp is here. #design',
  })
  sp_text!: string;
  @Json({ isOfAnyType: true, max: LARGEST_PARTS, about: 'Files.' }) sp_files!: readonly PostFile[];
  @Json({ optional: true, max: LARGEST_PARTS, about: 'Link card.' }) sp_link!: PostLink | null;
  @IdList({ max: MOST_TARGETS, about: 'Ids of the targets. Only drafts may have none.' }) sp_targets!: string[];
  @Choice(POST_STATES, { about: 'State.', example: 'scheduled' }) sp_state!: PostState;
  @Stamp({ optional: true, about: 'When the post is sent. Null if it is not scheduled.', filter: 'range', sort: 'sp_schedule_key' })
  sp_schedule_at!: Date | null;
  @Text({
    min: 1,
    max: 64,
    about: 'Time zone in which the time was chosen (IANA name). Default: the time zone of the workspace.',
    example: 'Europe/Berlin',
  })
  sp_timezone!: string;
  @Ref({ optional: true, about: 'Slot that provided the time. Null if the time was chosen.' }) sp_slot!: string | null;
  @Json({ optional: true, about: 'Campaign parameters.' }) sp_utm!: Utm | null;
  @Text({ optional: true, min: 1, max: 100, about: 'Campaign, for the calendar.', example: 'spring', filter: 'equals' }) sp_campaign!:
    string | null;
  @TextList({ max: 20, about: 'Labels, for the calendar.', example: ['launch'] }) sp_labels!: string[];
  @Json({ about: 'Origin.' }) sp_source!: PostSource;
  @Json({ isOfAnyType: true, max: LARGEST_PARTS, about: 'Issues.' }) sp_issues!: readonly PostIssue[];
  @Json({
    about:
      'Access list: `{users, roles, spaces}` with `view`, `edit` or `owner` by id. If empty, every member with the permission has access.',
    example: {},
  })
  sp_acl!: JsonObject;
  @Json({ about: 'Your own metadata, at most 64 KB.', example: { brief: 'B-17' } }) sp_metadata!: JsonObject;
  @Active('change', { about: 'Whether the post is active; false if it was deleted.' }) sp_active!: boolean;
  @Stamp({ about: 'When the post was created.', filter: 'range', sort: true }) readonly sp_created!: Date;
  @Stamp({ about: 'When the post was last changed.', sort: true }) sp_updated!: Date;
  @Ref({ optional: true, about: 'Member who created the post.', filter: 'equals' }) readonly sp_created_by!: string | null;
  @Ref({ optional: true, about: 'Member who last changed the post.' }) sp_updated_by!: string | null;
  @Ref({ internal: true, optional: true }) sp_scheduled_by!: string | null;
  @Ref({ internal: true, optional: true }) sp_scheduled_key!: string | null;
  @Stamp({ internal: true, optional: true }) sp_started!: Date | null;

  static blank(facts: Pick<SocialPost, 'sp_id' | 'sp_timezone' | 'sp_created_by'>, now: Date): SocialPost {
    return Object.assign(new SocialPost(), {
      sp_title: titleOf(''),
      sp_text: '',
      sp_files: [],
      sp_link: null,
      sp_targets: [],
      sp_state: 'draft' as const,
      sp_schedule_at: null,
      sp_slot: null,
      sp_utm: null,
      sp_campaign: null,
      sp_labels: [],
      sp_source: NO_SOURCE,
      sp_issues: [],
      sp_acl: {},
      sp_metadata: {},
      sp_active: true,
      sp_created: now,
      sp_updated: now,
      sp_updated_by: facts.sp_created_by,
      sp_scheduled_by: null,
      sp_scheduled_key: null,
      sp_started: null,
      ...facts,
    });
  }

  /** Whether these fields may be changed in its state; labels, campaign and metadata always may. */
  assertChangeable(fields: readonly string[]): void {
    if (fields.every((field) => ALWAYS_CHANGEABLE.includes(field))) return;
    assertMove(this.sp_state, 'edit');
  }

  /** It was edited: a cancelled post is a draft again, and one whose sending was decided by others must be decided again. */
  reopen(): void {
    if (this.sp_state === 'cancelled') this.enter('draft');
  }

  touch(by: string | null, clock: Clock): void {
    this.sp_updated = clock.now();
    this.sp_updated_by = by;
  }

  /** It is sent at that moment with the rights of who asks. Whether its content may be sent is decided before. */
  schedule(at: Date, { slot, asker }: { readonly slot: string | null; readonly asker: Asker }): void {
    assertMove(this.sp_state, 'schedule');
    this.sp_schedule_at = at;
    this.sp_slot = slot;
    this.sp_scheduled_by = asker.user_id;
    this.sp_scheduled_key = asker.key_id;
    this.enter('scheduled');
  }

  unschedule(to: 'draft' | 'approved'): void {
    assertMove(this.sp_state, 'unschedule');
    this.clearSchedule();
    this.enter(to);
  }

  cancel(): void {
    assertMove(this.sp_state, 'cancel');
    this.clearSchedule();
    this.enter('cancelled');
  }

  /** All variants that wait go out from now on. */
  beginPublishing(asker: Asker | null, clock: Clock): void {
    assertMove(this.sp_state, 'publish');
    if (asker) {
      this.sp_scheduled_by = asker.user_id;
      this.sp_scheduled_key = asker.key_id;
    }
    this.sp_started = asker === null && this.sp_schedule_at ? this.sp_schedule_at : clock.now();
    this.enter('publishing');
  }

  beginRetry(asker: Asker, clock: Clock): void {
    assertMove(this.sp_state, 'retry');
    this.sp_scheduled_by = asker.user_id;
    this.sp_scheduled_key = asker.key_id;
    this.sp_started = clock.now();
    this.enter('publishing');
  }

  /** What it is after the states of its variants; null while one of them is on its way. */
  conclude(states: readonly VariantState[]): 'published' | 'partial' | 'failed' | null {
    const outcome = outcomeOf(states);
    if (outcome !== null) this.enter(outcome);
    return outcome;
  }

  /** Where the flow of approval has it. */
  followApproval(to: 'draft' | 'in_review' | 'approved'): void {
    if (this.sp_state === to) return;
    if (this.sp_state === 'scheduled') this.clearSchedule();
    this.enter(to);
  }

  /** It was to be sent, and cannot be as it is. What is wrong with its content is among its issues already. */
  noteUnsent(message: string): void {
    if (this.sp_issues.some(({ severity }) => severity === 'error')) return;
    this.sp_issues = [...this.sp_issues, { code: 'not_sent', severity: 'error', variant: null, path: 'sp_schedule_at', message }];
  }

  assertDeletable(): void {
    if (this.sp_state === 'publishing') throw notYet('The post is publishing and cannot be deleted now. Wait until it has been sent.', 5);
  }

  get isUnsent(): boolean {
    return !['publishing', 'published', 'partial'].includes(this.sp_state);
  }

  private clearSchedule(): void {
    this.sp_schedule_at = null;
    this.sp_slot = null;
    this.sp_scheduled_by = null;
    this.sp_scheduled_key = null;
  }

  private enter(state: PostState): void {
    this.sp_state = POST_TABLE.move(this.sp_state, state);
  }
}

/** Refuses a moment that is past or too far ahead. */
export function assertSchedulable(at: Date, now: Date): void {
  if (at.getTime() < now.getTime() + MINUTE) throw invalidField('sp_schedule_at', 'must be at least one minute ahead', 'too_early');
  if (at.getTime() > now.getTime() + FARTHEST_MS) throw invalidField('sp_schedule_at', 'must be at most one year ahead', 'too_late');
}
