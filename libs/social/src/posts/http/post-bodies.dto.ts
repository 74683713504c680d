import { Choice, Flag, IdList, Nested, NestedList, Ref, Stamp, Text } from '@atrium/platform/database';
import { Accepts, Body } from '@atrium/platform/http';
import { VISIBILITIES, type Visibility } from '../../network/domain/platforms';
import { MOST_FILES, MOST_TARGETS, SocialPost } from '../domain/social-post';

const LONGEST_ALT = 4_086;
const PARAMETER = { min: 1, max: 200 } as const;

@Accepts()
class PostFileBody {
  @Ref({ about: 'Id of the file.' }) file_id!: string;
  @Text({ optional: true, max: LONGEST_ALT, about: 'Alternative text for people who cannot see the image.', example: 'A lamp on a desk.' })
  alt?: string | null;
  @Text({ optional: true, max: 255, about: 'Title. Documents need one.', example: 'Annual report' }) title?: string | null;
}

@Accepts()
class PostLinkBody {
  @Text({ min: 1, max: 2_048, about: 'URL of the page.', example: 'https://example.com/lamp' }) url!: string;
  @Text({ optional: true, max: 400, about: 'Title of the card.', example: 'Our new lamp' }) title?: string | null;
  @Text({ optional: true, max: 4_000, about: 'Description of the card.' }) description?: string | null;
  @Ref({ optional: true, about: 'Id of the image file of the card.' }) image?: string | null;
}

@Accepts()
class UtmBody {
  @Text({ ...PARAMETER, optional: true, about: 'Value of `utm_source`.', example: 'linkedin' }) source?: string | null;
  @Text({ ...PARAMETER, optional: true, about: 'Value of `utm_medium`.', example: 'social' }) medium?: string | null;
  @Text({ ...PARAMETER, optional: true, about: 'Value of `utm_campaign`.', example: 'spring' }) campaign?: string | null;
  @Text({ ...PARAMETER, optional: true, about: 'Value of `utm_term`.' }) term?: string | null;
  @Text({ ...PARAMETER, optional: true, about: 'Value of `utm_content`.' }) content?: string | null;
}

@Accepts()
class PostSourceBody {
  @Choice(['manual', 'node', 'file', 'design'], { about: 'Kind of the origin.', example: 'manual' }) kind!:
    'manual' | 'node' | 'file' | 'design';
  @Ref({ optional: true, about: 'Id of the page, file or design. Null for `manual`.' }) ref!: string | null;
}

@Accepts()
class VariantBody {
  @Ref({ about: 'Target of the variant; one of `sp_targets`.' }) spv_target!: string;
  @Text({ optional: true, max: 10_000, about: 'Text of this variant. Null: the text of the post.', example: 'Our new lamp.' }) spv_text?:
    string | null;
  @NestedList(() => PostFileBody, { optional: true, max: MOST_FILES, about: 'Files of this variant. Null: the files of the post.' })
  spv_files?: PostFileBody[] | null;
  @Nested(() => PostLinkBody, { optional: true, about: 'Link card of this variant. Null: the link card of the post.' })
  spv_link?: PostLinkBody | null;
  @Choice(VISIBILITIES, { omittable: true, about: 'Who can see the post at the platform.', example: 'public' }) spv_visibility?: Visibility;
  @Flag({ omittable: true, about: 'Whether others can share the post.' }) spv_reshare?: boolean;
}

@Accepts()
class PostPartsBody {
  @NestedList(() => PostFileBody, {
    omittable: true,
    max: MOST_FILES,
    about: 'Files that you can read: up to 20 images, or one video, or one document.',
  })
  sp_files?: PostFileBody[];
  @Nested(() => PostLinkBody, { optional: true, about: 'Link that is shown as a card, instead of files.' }) sp_link?: PostLinkBody | null;
  @Nested(() => UtmBody, {
    optional: true,
    about: 'Campaign parameters that are added to the links of the post when it is sent. Parameters that a link already has are kept.',
  })
  sp_utm?: UtmBody | null;
  @NestedList(() => VariantBody, {
    omittable: true,
    max: MOST_TARGETS,
    about: 'What differs at single targets. Omitted variants and fields are not changed.',
  })
  variants?: VariantBody[];
}

@Accepts()
class NewPostParts extends PostPartsBody {
  @Nested(() => PostSourceBody, { omittable: true, about: 'Origin of the post.' }) sp_source?: PostSourceBody;
  @Stamp({ omittable: true, about: 'Schedules the post for this time. Requires `social:publish`.' }) schedule_at?: Date;
  @Flag({ omittable: true, about: 'Whether to schedule the post for the next free slot of its targets. Requires `social:publish`.' })
  next_slot?: boolean;
  @Flag({ omittable: true, about: 'Whether to send the post now. Requires `social:publish`.' }) publish?: boolean;
}

const FIELDS = ['sp_title', 'sp_text', 'sp_targets', 'sp_timezone', 'sp_campaign', 'sp_labels', 'sp_acl', 'sp_metadata'] as const;

/** Body of POST /social-posts. */
export class CreateSocialPost extends Body(SocialPost, { optional: FIELDS, with: NewPostParts }) {}

/** Body of PATCH /social-posts/{id}. */
export class ChangeSocialPost extends Body(SocialPost, { optional: [...FIELDS, 'sp_active'], with: PostPartsBody }) {}

/** Body of POST /social-posts/{id}/schedule. */
@Accepts()
export class ScheduleSocialPost {
  @Stamp({ omittable: true, about: 'When the post is sent: at least one minute and at most one year ahead.' }) sp_schedule_at?: Date;
  @Text({ omittable: true, min: 1, max: 64, about: 'Time zone in which the time was chosen (IANA name).', example: 'Europe/Berlin' })
  sp_timezone?: string;
  @Flag({ omittable: true, about: 'Whether to take the next free slot of the targets instead.' }) next_slot?: boolean;
}

/** Body of POST /social-posts/{id}/retry. */
@Accepts()
export class RetrySocialPost {
  @IdList({ omittable: true, min: 1, max: MOST_TARGETS, about: 'Ids of failed variants. Default: all failed variants.' })
  variants?: string[];
}
