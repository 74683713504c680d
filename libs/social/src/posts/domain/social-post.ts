import { Active, Choice, Flag, Id, IdList, Json, Ref, Resource, Stamp, TenantRow, Text, TextList, Whole } from '@atrium/platform/database';
import { DAY, invalidField, invalidState, MINUTE, type Clock, type JsonObject } from '@atrium/platform/kernel';
import { PLATFORMS, VISIBILITIES, type Platform, type Visibility } from '../../network/domain/platforms';
import type { Utm } from '../../network/domain/utm';
import type { PostFile, PostIssue, PostLink, PostSource, VariantError } from './post-parts';
import { NO_SOURCE, titleOf } from './post-parts';
import {
  assertMove,
  outcomeOf,
  POST_STATES,
  POST_TABLE,
  VARIANT_STATES,
  VARIANT_TABLE,
  type PostState,
  type VariantState,
} from './post-states';

export const LONGEST_TEXT = 10_000;
export const MOST_FILES = 20;
export const MOST_TARGETS = 20;
const FARTHEST_MS = 366 * DAY;
const LARGEST_PARTS = 256 * 1024;
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

  assertDeletable(): void {
    if (this.sp_state === 'publishing')
      throw invalidState('The post is publishing and cannot be deleted now. Wait until it has been sent.');
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

/** One post at one target. Its outcome is known, unknown until it is found out, or still to come; it is created there once. */
@Resource({ table: 'social_variant', sort: 'spv_id' })
export class SocialVariant extends TenantRow {
  @Id({ about: 'Id of the variant.' }) readonly spv_id!: string;
  @Ref({ about: 'Post.' }) readonly spv_post!: string;
  @Ref({ about: 'Target.' }) readonly spv_target!: string;
  @Choice(PLATFORMS, { about: 'Platform.', example: 'linkedin' }) readonly spv_platform!: Platform;
  @Text({ optional: true, max: LONGEST_TEXT, about: 'Text of this variant. Null: the text of the post.', example: 'Our new lamp.' })
  spv_text!: string | null;
  @Json({ optional: true, isOfAnyType: true, max: LARGEST_PARTS, about: 'Files.' }) spv_files!: readonly PostFile[] | null;
  @Json({ optional: true, max: LARGEST_PARTS, about: 'Link card.' }) spv_link!: PostLink | null;
  @Choice(VISIBILITIES, { about: 'Who can see the post at the platform. Posts of organizations are always public.', example: 'public' })
  spv_visibility!: Visibility;
  @Flag({ about: 'Whether others can share the post.' }) spv_reshare!: boolean;
  @Choice(VARIANT_STATES, {
    about:
      'State. `unknown`: the platform did not respond to the request that creates the post; it is not sent again until the outcome has been determined.',
    example: 'published',
  })
  spv_state!: VariantState;
  @Text({ optional: true, about: 'Id of the post at the platform. Null until it is published.', example: 'urn:li:share:7000001' })
  spv_external_id!: string | null;
  @Text({
    optional: true,
    max: 2_048,
    about: 'URL of the post at the platform.',
    example: 'https://www.linkedin.com/feed/update/urn:li:share:7000001',
  })
  spv_url!: string | null;
  @Stamp({ optional: true, about: 'When it was published.' }) spv_published!: Date | null;
  @Flag({ about: 'Whether the post was deleted at the platform.' }) spv_removed!: boolean;
  @Json({ optional: true, about: 'Error.' }) spv_error!: VariantError | null;
  @Whole({ column: 'integer', about: 'Number of attempts to send it.', example: 1 }) spv_attempts!: number;
  @Whole({ internal: true, column: 'integer' }) spv_tries!: number;
  @Text({ internal: true, optional: true }) spv_sent_text!: string | null;
  @Text({ internal: true, optional: true }) spv_body_hash!: string | null;
  @Json({ internal: true }) spv_assets!: Record<string, string>;
  @Whole({ internal: true, column: 'integer' }) spv_rounds!: number;
  @Whole({ internal: true, column: 'integer' }) spv_metrics_step!: number;
  @Stamp({ internal: true, optional: true }) spv_metrics_next!: Date | null;

  static blank(facts: Pick<SocialVariant, 'spv_id' | 'spv_post' | 'spv_target'>): SocialVariant {
    return Object.assign(new SocialVariant(), {
      spv_platform: 'linkedin' as const,
      spv_text: null,
      spv_files: null,
      spv_link: null,
      spv_visibility: 'public' as const,
      spv_reshare: true,
      spv_state: 'pending' as const,
      spv_external_id: null,
      spv_url: null,
      spv_published: null,
      spv_removed: false,
      spv_error: null,
      spv_attempts: 0,
      spv_tries: 0,
      spv_sent_text: null,
      spv_body_hash: null,
      spv_assets: {},
      spv_rounds: 0,
      spv_metrics_step: 0,
      spv_metrics_next: null,
      ...facts,
    });
  }

  /** A person or the clock sends it; the number of its attempt. */
  beginSending(): number {
    this.enter('sending');
    this.spv_error = null;
    this.spv_tries = 1;
    return ++this.spv_attempts;
  }

  /** It is tried again by itself; the number of the attempt that follows. */
  beginNextAttempt(): number {
    this.spv_tries += 1;
    return ++this.spv_attempts;
  }

  publish(external_id: string, url: string, at: Date): void {
    this.enter('published');
    Object.assign(this, { spv_external_id: external_id, spv_url: url, spv_published: at, spv_error: null, spv_removed: false });
  }

  /** The request left, and nobody knows what came of it. */
  loseSight(message: string, at: Date): void {
    if (this.spv_state !== 'unknown') this.enter('unknown');
    this.spv_rounds = 0;
    this.spv_error = { code: 'outcome_unknown', message, retryable: false, at: at.toISOString() };
  }

  fail(error: Omit<VariantError, 'at'>, at: Date): void {
    this.enter('failed');
    this.spv_error = { ...error, at: at.toISOString() };
  }

  /** It is no longer at the platform; `deleted` if it was deleted from here. */
  markRemoved(isDeletedHere: boolean): void {
    this.spv_removed = true;
    this.spv_metrics_next = null;
    if (isDeletedHere && this.spv_state === 'published') this.enter('deleted');
  }

  /** What it was sent with is replaced by what it sends now: nothing of earlier uploads is used if its files differ. */
  private enter(state: VariantState): void {
    this.spv_state = VARIANT_TABLE.move(this.spv_state, state);
  }
}
