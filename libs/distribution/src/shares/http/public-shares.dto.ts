import { Choice, Flag, Json, Nested, NestedList, Ref, Stamp, Text, TextList, Whole } from '@atrium/platform/database';
import { Accepts, acceptParameter, Answer } from '@atrium/platform/http';
import type { JsonObject } from '@atrium/platform/kernel';
import { SHARE_LAYOUTS, SHARE_SIZES, type ShareSize, VERDICTS } from '../domain/share-options';
import { SHARE_TYPES } from '../domain/share-link';

@Answer()
export class PublicShareOptions {
  @Flag({ about: 'Whether files can be downloaded.' }) allow_download!: boolean;
  @Flag({ about: 'Whether all files can be downloaded in one archive.' }) allow_zip!: boolean;
  @TextList({ about: 'Sizes that can be downloaded.', example: ['original', 'large'] }) sizes!: string[];
  @Flag({ about: 'Whether file names are shown.' }) show_names!: boolean;
  @Choice(SHARE_LAYOUTS, { about: 'Layout of the page.' }) layout!: string;
  @Text({ about: 'Language of the page.', example: 'en' }) locale!: string;
  @Flag({ about: 'Whether files can be approved and rejected.' }) ask_approval!: boolean;
  @Flag({ about: 'Whether a name is required.' }) require_name!: boolean;
  @Flag({ about: 'Whether an e-mail address is required.' }) require_email!: boolean;
  @TextList({ about: 'Kinds of files that can be sent. Empty: all.' }) allowed_kinds!: string[];
  @TextList({ about: 'Extensions of files that can be sent. Empty: all.' }) allowed_formats!: string[];
  @Whole({ about: 'Seconds without use after which a kiosk starts over for the next guest.', example: 60 }) kiosk_idle_seconds!: number;
}

@Answer()
export class PublicTargetAlbum {
  @Ref({ about: 'Id of the album in this link. Send it with each upload to the album.' }) album_id!: string;
  @Text({ about: 'Name of the album.' }) album_name!: string;
}

@Answer()
export class PublicUploadTerms {
  @Whole({ optional: true, about: 'Maximum number of files the link accepts. Null: unlimited.' }) max_files!: number | null;
  @Whole({ optional: true, about: 'Number of files the link still accepts. Null: unlimited.' }) left!: number | null;
  @Whole({ optional: true, about: 'Maximum size of a file in bytes. Null: the limit of the service.' }) max_size!: number | null;
  @Flag({ about: 'Whether tags can be added.' }) may_tag!: boolean;
  @NestedList(() => PublicTargetAlbum, { about: 'Albums to choose from. Empty: no choice.' }) albums!: PublicTargetAlbum[];
}

@Answer()
export class PublicBrand {
  @Text({ about: 'Name of the sender.', example: 'ACME' }) name!: string;
  @Text({ optional: true, about: 'Tagline of the sender.' }) tagline!: string | null;
  @Text({ optional: true, max: 4_000, format: 'uri', about: 'URL of the logo, valid for an hour. Null if there is none.' }) logo_url!:
    string | null;
  @Text({ optional: true, max: 4_000, format: 'uri', about: 'URL of the logo for dark backgrounds, if there is a separate one.' })
  dark_logo_url!: string | null;
  @Text({ optional: true, max: 7, about: 'Accent color, dark enough for text on a light page. Null if there is none.', example: '#0b5fa5' })
  accent!: string | null;
}

@Answer()
export class PublicShareView {
  @Text({ optional: true, about: 'Name of the link. Null while a password hides it.' }) share_name!: string | null;
  @Choice(SHARE_TYPES, { about: '`files`, `album`: shows files. `upload`: accepts files.' }) share_type!: string;
  @Flag({ about: 'Whether the link must be unlocked first.' }) locked!: boolean;
  @TextList({ about: 'What unlocking requires: `password`, `terms`, `name`, `email`.', example: ['password'] }) asks!: string[];
  @Text({ optional: true, max: 5_000, about: 'Terms to accept.' }) terms!: string | null;
  @Text({ optional: true, max: 5_000, about: 'Message of the creator of the link. Null while the link is locked.' }) message!:
    string | null;
  @Nested(() => PublicShareOptions, { about: 'Settings for displaying the page.' }) options!: PublicShareOptions;
  @Stamp({ optional: true, about: 'When the link expires. Null: never.' }) expires_at!: Date | null;
  @Whole({ optional: true, about: 'Remaining views after yours. Null: unlimited, or while the link is locked.', example: 9 })
  views_left!: number | null;
  @Whole({ optional: true, about: 'Remaining downloads. Null: unlimited, or while the link is locked.', example: 2 }) downloads_left!:
    number | null;
  @Nested(() => PublicBrand, { about: 'Brand of the sender.' }) brand!: PublicBrand;
  @Whole({ optional: true, about: 'Number of files shown. Null while the link is locked and for upload links.', example: 12 }) file_count!:
    number | null;
  @Nested(() => PublicUploadTerms, { optional: true, about: 'Upload settings. Null if the link accepts no files.' })
  upload!: PublicUploadTerms | null;
}

@Accepts()
export class UnlockShare {
  @Text({ secret: true, optional: true, max: 256, about: 'The password, if the link requires one.' }) password?: string | null;
  @Flag({ omittable: true, about: '`true`: you accept the terms.' }) accept_terms?: boolean;
  @Text({ optional: true, max: 120, about: 'Your name, if the link requires it.' }) name?: string | null;
  @Text({ optional: true, max: 320, about: 'Your e-mail address, if the link requires it.' }) email?: string | null;
}

@Answer()
export class UnlockedShare {
  @Text({ max: 4_000, about: 'Token for `Authorization: Bearer …` in every further request to this link.' }) access_token!: string;
  @Whole({ about: 'Lifetime of the token in seconds.', example: 3_600 }) expires_in!: number;
}

export class ListPublicFiles {
  cursor?: string;
  limit?: number;
}
acceptParameter(
  ListPublicFiles,
  { name: 'cursor', kind: 'text', max: 100_000 },
  { type: 'string', maxLength: 1_000, description: '`next_cursor` of the previous page.' },
);
acceptParameter(
  ListPublicFiles,
  { name: 'limit', kind: 'whole', min: 1 },
  {
    type: 'integer',
    minimum: 1,
    maximum: 1_000,
    default: 50,
    description: 'Number of files per page. A value above 1000 is reduced to 1000.',
  },
);

@Answer()
export class PublicFileView {
  @Text({ about: 'Identifier of the file in this link.', example: 'pX3n0aQ2Tq6uZy1mB7cDfg' }) public_id!: string;
  @Text({ optional: true, about: 'Name of the file. Null if names are not shown.', example: 'harbour.jpg' }) name!: string | null;
  @Text({ about: 'Kind of file: image, video, audio, document, font, archive, other.', example: 'image' }) kind!: string;
  @Whole({ about: 'Size in bytes.', example: 2_481_152 }) size!: number;
  @Whole({ optional: true, about: 'Width in pixels.', example: 4_032 }) width!: number | null;
  @Whole({ optional: true, about: 'Height in pixels.', example: 3_024 }) height!: number | null;
  @Text({
    optional: true,
    max: 4_000,
    format: 'uri',
    about: 'URL of a small picture, valid for 5 minutes. Null if there is none or it is being prepared.',
  })
  thumb_url!: string | null;
  @Choice(['ready', 'making', 'none'], {
    about:
      '`ready`: a small picture is available. `making`: the watermark is being added, request it again in a moment. `none`: there is no picture.',
  })
  picture!: string;
  @Text({ optional: true, about: 'Placeholder image (ThumbHash) of about 25 bytes, base64-encoded.' }) thumbhash!: string | null;
  @Json({ optional: true, about: 'Metadata of the picture, if shown. Never its location.', example: { camera: 'X100V' } })
  metadata!: JsonObject | null;
  @Choice(VERDICTS, { optional: true, about: 'Your verdict. Null if you gave none.' }) verdict!: string | null;
}

@Answer()
export class PublicFilePage {
  @NestedList(() => PublicFileView, { about: 'The page of files.' }) data!: PublicFileView[];
  @Flag({ about: 'Whether there are more files.' }) has_more!: boolean;
  @Text({ optional: true, max: 1_000, about: 'Pass as `cursor` for the next page. Null on the last page.' }) next_cursor!: string | null;
}

export class PreviewQuery {
  size?: 'small' | 'medium' | 'large';
}
acceptParameter(PreviewQuery, {
  name: 'size',
  kind: 'choice',
  values: ['small', 'medium', 'large'],
  about: 'Long edge of 320, 1,024 or 2,048 pixels. Default: the largest that is allowed.',
});

export class PublicDownloadQuery {
  size?: ShareSize;
}
acceptParameter(PublicDownloadQuery, {
  name: 'size',
  kind: 'choice',
  values: SHARE_SIZES,
  about: 'The original, or a picture. Default: the original, if allowed.',
});

@Accepts()
export class PublicArchiveOrder {
  @TextList({ omittable: true, min: 1, max: 1_000, about: '`public_id`s of the files. Default: all files of the link.' })
  file_ids?: string[];
  @Choice(SHARE_SIZES, { omittable: true, about: 'The originals, or pictures of them. Default: the originals, if allowed.' })
  size?: ShareSize;
}

@Answer()
export class PublicArchiveJob {
  @Ref({ about: 'Id of the job, for polling.' }) job_id!: string;
  @Choice(['queued', 'running', 'completed', 'failed', 'cancelled', 'expired'], { about: 'Status; poll until it is `completed`.' })
  status!: string;
  @Whole({ about: 'Number of files in the archive.', example: 240 }) file_count!: number;
  @Whole({ about: 'Files processed so far.', example: 12 }) done!: number;
  @Whole({ about: 'Number of files to process.', example: 240 }) total!: number;
  @Whole({ optional: true, about: 'Size in bytes, once completed.' }) archive_size!: number | null;
  @Text({ optional: true, max: 1_000, about: 'Reason for the failure.' }) error!: string | null;
  @Stamp({ optional: true, about: 'When the archive is deleted, once completed.' }) expires_at!: Date | null;
  @Text({ optional: true, max: 4_000, format: 'uri', about: 'Signed download URL, once completed; valid for an hour.' }) download_url!:
    string | null;
}

@Accepts()
export class GiveVerdict {
  @Choice(VERDICTS, { about: 'Your verdict on the file.' }) verdict!: 'approved' | 'rejected';
  @Text({ optional: true, max: 2_000, about: 'Comment.' }) comment?: string | null;
  @Text({ optional: true, max: 120, about: 'Your name.' }) name?: string | null;
  @Text({ optional: true, max: 320, about: 'Your e-mail address.' }) email?: string | null;
}

@Answer()
export class VerdictView {
  @Text({ about: 'The file.' }) public_id!: string;
  @Choice(VERDICTS, { about: 'Your verdict.' }) verdict!: string;
  @Whole({ about: 'Number of visitors who approved it.', example: 2 }) approved!: number;
  @Whole({ about: 'Number of visitors who rejected it.', example: 0 }) rejected!: number;
}
