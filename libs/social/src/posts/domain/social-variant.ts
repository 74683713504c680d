import { Choice, Flag, Id, Json, Ref, Resource, Stamp, TenantRow, Text, Whole } from '@atrium/platform/database';
import { PLATFORMS, VISIBILITIES, type Platform, type Visibility } from '../../network/domain/platforms';
import { LARGEST_PARTS, LONGEST_TEXT, type PostFile, type PostLink, type VariantError } from './post-parts';
import { VARIANT_STATES, VARIANT_TABLE, type VariantState } from './post-states';

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
