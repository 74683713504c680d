import { Choice, Flag, IdList, Nested, Ref, Stamp, Text, TextList, Whole } from '@atrium/platform/database';
import { Accepts, acceptParameter, Answer, Body, ListQuery, PageOf, View } from '@atrium/platform/http';
import { ShareEvent } from '../domain/share-event';
import { SHARE_STATES, ShareLink, type ShareState } from '../domain/share-link';
import { DOWNLOADS, ShareOptions, ShareWatermark } from '../domain/share-options';
import { ShareUpload } from '../domain/share-upload';

const SETTABLE = [
  'share_expires_at',
  'share_file_ids',
  'share_album_id',
  'share_album_ids',
  'share_pre_tags',
  'share_allow_change_tags',
  'share_allow_change_albums',
  'share_max_files',
  'share_max_size',
] as const;

@Accepts()
class ShareWatermarkBody extends Body(ShareWatermark, { optional: ['text', 'file_id'] }) {}

/** Options as clients write them: what is left out stays as it is. */
@Accepts()
class ShareOptionsBody extends Body(ShareOptions, {
  optional: [
    'allow_download',
    'sizes',
    'allow_zip',
    'show_metadata',
    'show_names',
    'max_views',
    'max_downloads',
    'terms',
    'message',
    'locale',
    'layout',
    'require_name',
    'require_email',
    'allowed_kinds',
    'allowed_formats',
    'moderate',
    'notify',
    'kiosk_idle_seconds',
    'apply_restrictions',
    'ask_approval',
    'approved_status',
    'rejected_status',
  ],
}) {
  @Nested(() => ShareWatermarkBody, { optional: true, about: 'Watermark over pictures: `{text}` or `{file_id}`. Null: none.' })
  watermark?: ShareWatermarkBody | null;
}

@Answer()
export class ShareWatermarkView extends View(ShareWatermark, { without: ['text', 'file_id'] }) {
  @Text({ omittable: true, min: 1, max: 80, about: 'Text repeated over the picture.', example: 'ACME, for review' }) text?: string;
  @Ref({ omittable: true, about: 'Picture repeated over the picture, instead of text.' }) file_id?: string;
}

@Answer()
export class ShareOptionsView extends View(ShareOptions, { without: ['watermark'] }) {
  @Nested(() => ShareWatermarkView, {
    optional: true,
    about: 'Watermark over pictures. Null: none.',
    example: { text: 'ACME, for review' },
  })
  watermark!: ShareWatermarkView | null;
}

@Accepts()
export class CreateShareLink extends Body(ShareLink, { required: ['share_name', 'share_type'], optional: SETTABLE }) {
  @Text({ secret: true, optional: true, max: 128, about: 'Password of 8 to 128 characters.' }) share_password?: string | null;
  @Nested(() => ShareOptionsBody, {
    omittable: true,
    about: 'Options of the link. Omitted options have their default. Unknown options are refused.',
  })
  share_options?: Partial<ShareOptions>;
}

@Accepts()
export class ChangeShareLink extends Body(ShareLink, { optional: ['share_name', 'share_active', ...SETTABLE] }) {
  @Text({
    secret: true,
    optional: true,
    max: 128,
    about: 'Password of 8 to 128 characters; null removes it. A change locks out visitors who had unlocked the link.',
  })
  share_password?: string | null;
  @Nested(() => ShareOptionsBody, {
    omittable: true,
    about: 'Options of the link to change. Omitted options are not changed. Unknown options are refused.',
  })
  share_options?: Partial<ShareOptions>;
}

export class ChangeIssuedShareLink extends Body(ShareLink, { optional: ['share_active', 'share_expires_at'] }) {}

const STATE = { name: 'share_state', kind: 'choice', values: SHARE_STATES, about: 'Equals.' } as const;

export class ListShareLinks extends ListQuery(ShareLink, { without: ['share_created_by'] }) {
  share_state?: ShareState;
}
acceptParameter(ListShareLinks, STATE);

export class ListIssuedShareLinks extends ListQuery(ShareLink) {
  share_state?: ShareState;
  share_created_by_name?: string;
}
acceptParameter(ListIssuedShareLinks, STATE);
acceptParameter(ListIssuedShareLinks, {
  name: 'share_created_by_name',
  kind: 'text',
  min: 1,
  max: 200,
  about: 'Contains this text, ignoring case.',
});

@Answer()
export class IssuedShareLinkView extends View(ShareLink, { without: ['share_options'] }) {
  @Choice(SHARE_STATES, {
    about:
      '`live`: can be used (unless the link is inactive). `expired`: its expiry has passed. `exhausted`: no view or download is left. `revoked`: permanently. `broken`: its content no longer exists, or its creator may no longer share it. Computed when the link is read.',
  })
  share_state!: ShareState;
  @Nested(() => ShareOptionsView, { about: 'Options of the link.' }) share_options!: ShareOptionsView;
  @Choice(DOWNLOADS, {
    about:
      '`on`: visitors can download files. `off`: they see only previews. `off_for_watermark`: only previews, because the link has a watermark. Send `share_options.allow_download: true` to allow downloads; originals have no watermark.',
  })
  share_downloads!: string;
  @Text({ optional: true, about: 'Name of the creator.', example: 'Ada Lovelace' }) share_created_by_name!: string | null;
  @Whole({ about: 'Number of files in the link, in its album, or uploaded through it.', example: 12 }) share_file_count!: number;
  @Whole({ about: 'Number of approvals by visitors.', example: 3 }) share_approved_count!: number;
  @Whole({ about: 'Number of rejections by visitors.', example: 1 }) share_rejected_count!: number;
  @Text({
    optional: true,
    max: 2_000,
    format: 'uri',
    about: 'URL of the page for a kiosk device. Only for links of type `upload` with a password. It contains no token.',
  })
  kiosk_url!: string | null;
}

@Answer()
export class ShareLinkView extends IssuedShareLinkView {
  @Text({ max: 2_000, format: 'uri', about: 'URL to share. Anyone who has it can use the link: keep it secret.' })
  share_url!: string;
}

export class ShareLinkPage extends PageOf(ShareLinkView) {}
export class IssuedShareLinkPage extends PageOf(IssuedShareLinkView) {}

export class ListShareEvents extends ListQuery(ShareEvent) {}

@Answer()
class ShareEventView extends View(ShareEvent) {}
export class ShareEventPage extends PageOf(ShareEventView) {}

export class QrQuery {
  size?: number;
}
acceptParameter(
  QrQuery,
  { name: 'size', kind: 'whole', min: 128, max: 1_024, about: 'Width and height in pixels. Default: 512.' },
  { type: 'integer', minimum: 128, maximum: 1_024, default: 512, description: 'Width and height in pixels.' },
);

@Answer()
export class QrView {
  @Text({ max: 200_000, about: 'PNG image as a `data:` URL.' }) data_url!: string;
}

@Accepts()
export class SendShareLink {
  @TextList({ min: 1, max: 20, about: 'Recipients of the mail.', example: ['grace@example.com'] }) emails!: string[];
  @Text({ optional: true, max: 2_000, about: 'Message to the recipients.' }) message?: string | null;
}

export class ListIncomingFiles extends ListQuery(ShareUpload) {}

@Answer()
export class IncomingPreview {
  @Text({ max: 4_000, format: 'uri', about: 'Signed URL of the small rendition, valid for 15 minutes.' }) url!: string;
  @Whole({ about: 'Width in pixels.', example: 320 }) width!: number;
  @Whole({ about: 'Height in pixels.', example: 213 }) height!: number;
  @Text({ optional: true, about: 'Placeholder image (ThumbHash) of about 25 bytes, base64-encoded.' }) thumbhash!: string | null;
}

@Answer()
class IncomingFileView extends View(ShareUpload) {
  @Nested(() => IncomingPreview, {
    optional: true,
    about: 'Picture of the file. Null while the file is being processed, or if it has none.',
  })
  su_preview!: IncomingPreview | null;
}
export class IncomingFilePage extends PageOf(IncomingFileView) {}

@Accepts()
export class ReviewIncomingFiles {
  @IdList({ omittable: true, max: 1_000, about: 'Files to accept.' }) accept?: string[];
  @IdList({ omittable: true, max: 1_000, about: 'Files to reject.' }) reject?: string[];
}

@Answer()
export class ReviewedView {
  @Whole({ about: 'Number of files added to their albums.', example: 2 }) accepted!: number;
  @Whole({ about: 'Number of files moved to the trash.', example: 1 }) rejected!: number;
  @Whole({ about: 'Number of files that were not waiting for a decision.', example: 0 }) skipped!: number;
}

@Accepts()
export class RevokeShareLinks {
  @Ref({ omittable: true, about: 'Only links created by this member.' }) share_created_by?: string;
  @IdList({ omittable: true, min: 1, max: 1_000, about: 'Only these links.' }) share_ids?: string[];
  @Flag({ omittable: true, about: 'Only links without a password.' }) no_password?: boolean;
  @Stamp({ omittable: true, about: 'Only links created before this time.' }) older_than?: Date;
}

@Answer()
export class RevokedShareLinks {
  @Whole({ about: 'Number of links that were revoked.', example: 14 }) revoked!: number;
}
