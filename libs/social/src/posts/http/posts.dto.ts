import { Choice, Decimal, Flag, Json, Nested, NestedList, Ref, Stamp, Text, TextList, Whole } from '@atrium/platform/database';
import { acceptParameter, Answer, ListQuery, PageOf, View } from '@atrium/platform/http';
import { PLATFORMS } from '../../network/domain/platforms';
import { POST_STATES } from '../domain/post-states';
import { MOST_TARGETS, SocialPost } from '../domain/social-post';
import { SocialVariant } from '../domain/social-variant';

const LONGEST_ALT = 4_086;
const MOST_ISSUES = 1_000;

@Answer()
class PostFileView {
  @Ref({ about: 'Id of the file.' }) file_id!: string;
  @Text({ optional: true, max: LONGEST_ALT, about: 'Alternative text.' }) alt!: string | null;
  @Text({ optional: true, about: 'Title.' }) title!: string | null;
}

@Answer()
class PostLinkView {
  @Text({ max: 2_048, about: 'URL of the page.', example: 'https://example.com/lamp' }) url!: string;
  @Text({ optional: true, max: 400, about: 'Title of the card.' }) title!: string | null;
  @Text({ optional: true, max: 4_000, about: 'Description of the card.' }) description!: string | null;
  @Ref({ optional: true, about: 'Id of the image file of the card.' }) image!: string | null;
}

@Answer()
class UtmView {
  @Text({ optional: true, omittable: true, about: 'Value of `utm_source`.' }) source?: string | null;
  @Text({ optional: true, omittable: true, about: 'Value of `utm_medium`.' }) medium?: string | null;
  @Text({ optional: true, omittable: true, about: 'Value of `utm_campaign`.' }) campaign?: string | null;
  @Text({ optional: true, omittable: true, about: 'Value of `utm_term`.' }) term?: string | null;
  @Text({ optional: true, omittable: true, about: 'Value of `utm_content`.' }) content?: string | null;
}

@Answer()
class PostSourceView {
  @Choice(['manual', 'node', 'file', 'design'], { about: 'Kind of the origin.', example: 'manual' }) kind!: string;
  @Ref({ optional: true, about: 'Id of the page, file or design.' }) ref!: string | null;
}

@Answer()
export class PostIssueView {
  @Text({ about: 'Code.', example: 'too_long' }) code!: string;
  @Choice(['error', 'warning', 'info'], { about: 'Severity. Posts with errors cannot be sent.', example: 'error' }) severity!: string;
  @Ref({ optional: true, about: 'Variant that the issue is about. Null: the whole post.' }) variant!: string | null;
  @Text({ about: 'Field that the issue is about.', example: 'sp_text' }) path!: string;
  @Text({ max: 2_000, about: 'Explanation.', example: 'The text has 3001 characters; the maximum is 3000.' }) message!: string;
}

@Answer()
class PostApprovalView {
  @Ref({ about: 'Id of the approval flow.' }) flow!: string;
  @Text({ about: 'Key of the state in the flow.', example: 'review' }) state!: string;
  @Ref({ optional: true, about: 'Id of the open request for approval. Null if there is none.' }) request!: string | null;
}

@Answer()
class VariantErrorView {
  @Text({ about: 'Code.', example: 'connection_revoked' }) code!: string;
  @Text({ max: 2_000, about: 'Explanation.', example: 'The access to Analytical Engines was revoked. Connect the account again.' })
  message!: string;
  @Flag({ about: 'Whether a retry can help.' }) retryable!: boolean;
  @Stamp({ about: 'When it failed.' }) at!: Date;
}

@Answer()
export class VariantMetricsView {
  @Stamp({ about: 'When the numbers were read.' }) spm_at!: Date;
  @Whole({ optional: true, about: 'Impressions. Null if the platform provides none; likewise for the other numbers.', example: 1_200 })
  spm_impressions!: number | null;
  @Whole({ optional: true, about: 'People reached.', example: 900 }) spm_reach!: number | null;
  @Whole({ optional: true, about: 'Clicks.', example: 40 }) spm_clicks!: number | null;
  @Whole({ optional: true, about: 'Reactions.', example: 31 }) spm_reactions!: number | null;
  @Whole({ optional: true, about: 'Comments.', example: 4 }) spm_comments!: number | null;
  @Whole({ optional: true, about: 'Shares.', example: 2 }) spm_shares!: number | null;
  @Decimal({ optional: true, about: 'Clicks, reactions, comments and shares divided by impressions.', example: 0.064 }) spm_engagement!:
    number | null;
}

@Answer()
class RenderedView {
  @Text({ max: 40_000, about: 'Exact text that is sent, with the escapes of the platform.', example: 'Our new lamp \\(2026\\) is here.' })
  text!: string;
  @Whole({ about: 'Length of the text before escaping, in UTF-16 code units.', example: 27 }) length!: number;
  @Json({
    about:
      'Media that is sent: `kind` (none, image, images, video, document, article), `files` and `link`. Files with `is_converted` are sent as a JPEG.',
    example: { kind: 'none', files: [], link: null },
  })
  media!: object;
}

@Answer()
export class SocialVariantView extends View(SocialVariant, { without: ['spv_files', 'spv_link', 'spv_error'] }) {
  @NestedList(() => PostFileView, { optional: true, about: 'Files of this variant. Null: the files of the post.' }) spv_files!:
    PostFileView[] | null;
  @Nested(() => PostLinkView, { optional: true, about: 'Link card of this variant. Null: the link card of the post.' })
  spv_link!: PostLinkView | null;
  @Nested(() => VariantErrorView, { optional: true, about: 'Why it was not sent. Null if there is no error.' })
  spv_error!: VariantErrorView | null;
  @Nested(() => RenderedView, { optional: true, about: 'What is sent. Null in lists.' }) spv_rendered!: RenderedView | null;
  @Nested(() => VariantMetricsView, { optional: true, about: 'Newest numbers. Null if there are none yet.' })
  spv_metrics!: VariantMetricsView | null;
}

@Answer()
export class SocialPostView extends View(SocialPost, { without: ['sp_files', 'sp_link', 'sp_utm', 'sp_source', 'sp_issues'] }) {
  @NestedList(() => PostFileView, { about: 'Files.' }) sp_files!: PostFileView[];
  @Nested(() => PostLinkView, { optional: true, about: 'Link that is shown as a card.' }) sp_link!: PostLinkView | null;
  @Nested(() => UtmView, { optional: true, about: 'Campaign parameters that are added to links.' }) sp_utm!: UtmView | null;
  @Nested(() => PostSourceView, { about: 'Origin of the post.' }) sp_source!: PostSourceView;
  @NestedList(() => PostIssueView, { max: MOST_ISSUES, about: 'Issues found when the content or a file last changed.' })
  sp_issues!: PostIssueView[];
  @Nested(() => PostApprovalView, { optional: true, about: 'Position in the approval flow. Null if no active flow covers the post.' })
  sp_approval!: PostApprovalView | null;
  @Whole({ about: 'Version; the `ETag` of the post.', example: 3 }) sp_version!: number;
  @NestedList(() => SocialVariantView, { about: 'One variant for each target.' }) variants!: SocialVariantView[];
}

export class SocialPostPage extends PageOf(SocialPostView) {}

export class ListSocialPosts extends ListQuery(SocialPost) {
  sp_state?: string[];
  sp_targets?: string[];
  sp_labels?: string[];
  sp_platform?: string;
  sp_active?: boolean;
}
const TEXTS = { type: 'array', items: { type: 'string' }, maxItems: 20 } as const;
acceptParameter(
  ListSocialPosts,
  { name: 'sp_state', kind: 'texts', max: 20 },
  {
    ...TEXTS,
    items: { type: 'string', enum: [...POST_STATES] },
    description: 'Only posts in these states; repeat the parameter for several.',
  },
);
acceptParameter(
  ListSocialPosts,
  { name: 'sp_targets', kind: 'ids', max: MOST_TARGETS },
  {
    ...TEXTS,
    items: { type: 'string', format: 'uuid' },
    description: 'Only posts to one of these targets; repeat the parameter for several.',
  },
);
acceptParameter(
  ListSocialPosts,
  { name: 'sp_labels', kind: 'texts', max: 20 },
  { ...TEXTS, items: { ...TEXTS.items }, description: 'Only posts with one of these labels; repeat the parameter for several.' },
);
acceptParameter(ListSocialPosts, { name: 'sp_platform', kind: 'choice', values: PLATFORMS, about: 'Only posts to this platform.' });

@Answer()
class CheckedVariantView {
  @Ref({ about: 'Id of the variant.' }) spv_id!: string;
  @Ref({ about: 'Target.' }) spv_target!: string;
  @Nested(() => RenderedView, { about: 'What is sent.' }) spv_rendered!: RenderedView;
}

@Answer()
export class CheckedPostView {
  @NestedList(() => PostIssueView, { max: MOST_ISSUES, about: 'Issues of the post as it is now.' }) issues!: PostIssueView[];
  @NestedList(() => CheckedVariantView, { about: 'What each variant sends.' }) variants!: CheckedVariantView[];
}

@Answer()
export class AttemptView {
  @Ref({ about: 'Id of the step.' }) spa_id!: string;
  @Ref({ about: 'Variant.', filter: 'equals' }) spa_variant!: string;
  @Whole({ about: 'Number of the attempt, counted from 1.', example: 1 }) spa_number!: number;
  @Choice(['token', 'upload', 'process', 'create', 'verify'], { about: 'Step.', example: 'create' }) spa_step!: string;
  @Choice(['running', 'done', 'failed', 'unknown'], {
    about: 'Outcome. `unknown`: the platform did not respond.',
    example: 'done',
  })
  spa_status!: string;
  @Whole({ optional: true, about: 'HTTP status of the response.', example: 201 }) spa_http!: number | null;
  @Text({ optional: true, max: 1_000, about: 'Error.' }) spa_error!: string | null;
  @Text({ optional: true, about: 'Id of the request at the platform.' }) spa_request_id!: string | null;
  @Stamp({ about: 'When the step started.', sort: true }) spa_started!: Date;
  @Stamp({ optional: true, about: 'When the step ended.' }) spa_ended!: Date | null;
}

export class AttemptPage extends PageOf(AttemptView) {}

export class ListAttempts extends ListQuery(AttemptView, { whole: true }) {}

@Answer()
class BoundsView {
  @Whole({ about: 'Minimum.' }) min!: number;
  @Whole({ about: 'Maximum.' }) max!: number;
}

@Answer()
export class SocialPlatformView {
  @Choice(PLATFORMS, { about: 'Platform.', example: 'linkedin' }) platform!: string;
  @Flag({ about: 'Whether an application is configured, so that accounts can be connected.' }) configured!: boolean;
  @Text({ about: 'Version of the API of the platform in use.', example: '202607' }) api_version!: string;
  @Whole({ about: 'Maximum length of a text, in UTF-16 code units.', example: 3_000 }) text_units!: number;
  @Whole({ about: 'Maximum number of images.', example: 20 }) images!: number;
  @Whole({ about: 'Maximum number of pixels of an image. Larger images are reduced.', example: 36_152_319 }) image_pixels!: number;
  @Whole({ about: 'Maximum number of frames of a GIF.', example: 250 }) image_frames!: number;
  @TextList({ about: 'Media types of images that are sent as they are.', example: ['image/jpeg'] }) image_types!: string[];
  @TextList({ about: 'Media types of images that are converted to JPEG.', example: ['image/heic'] }) converted_types!: string[];
  @TextList({ about: 'Media types of videos.', example: ['video/mp4'] }) video_types!: string[];
  @Nested(() => BoundsView, { about: 'Size of a video in bytes.' }) video_bytes!: BoundsView;
  @Nested(() => BoundsView, { about: 'Length of a video in seconds.' }) video_seconds!: BoundsView;
  @TextList({ about: 'Media types of documents.', example: ['application/pdf'] }) document_types!: string[];
  @Whole({ about: 'Maximum size of a document in bytes.', example: 104_857_600 }) document_bytes!: number;
  @Whole({ about: 'Maximum number of pages of a document.', example: 300 }) document_pages!: number;
}

export class SocialPlatformPage extends PageOf(SocialPlatformView) {}

export class ListSocialPlatforms extends ListQuery(SocialPlatformView, { whole: true }) {}
