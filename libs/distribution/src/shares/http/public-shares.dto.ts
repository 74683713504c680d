import { Choice, Flag, Json, Nested, NestedList, Ref, Stamp, Text, TextList, Whole } from '@atrium/platform/database';
import { Accepts, acceptParameter, Answer } from '@atrium/platform/http';
import type { JsonObject } from '@atrium/platform/kernel';
import { SHARE_LAYOUTS, SHARE_SIZES, type ShareSize } from '../domain/share-options';
import { SHARE_TYPES } from '../domain/share-link';
import { VERDICTS } from '../domain/share-verdict';

@Answer()
export class PublicShareOptions {
  @Flag({ about: 'Whether files may be fetched.' }) allow_download!: boolean;
  @Flag({ about: 'Whether all files may be fetched in one archive.' }) allow_zip!: boolean;
  @TextList({ about: 'Sizes that may be fetched.', example: ['original', 'large'] }) sizes!: string[];
  @Flag({ about: 'Whether names of files are shown.' }) show_names!: boolean;
  @Choice(SHARE_LAYOUTS, { about: 'How files are to be shown.' }) layout!: string;
  @Text({ about: 'Language of the page.', example: 'en' }) locale!: string;
  @Flag({ about: 'Whether files may be approved and rejected.' }) ask_approval!: boolean;
  @Flag({ about: 'Whether a name has to be given.' }) require_name!: boolean;
  @Flag({ about: 'Whether an e-mail address has to be given.' }) require_email!: boolean;
  @TextList({ about: 'Kinds of files that may be sent; empty: all.' }) allowed_kinds!: string[];
  @TextList({ about: 'Extensions of files that may be sent; empty: all.' }) allowed_formats!: string[];
  @Whole({ about: 'Seconds without use after which a kiosk starts over for the next guest.', example: 60 }) kiosk_idle_seconds!: number;
}

@Answer()
export class PublicTargetAlbum {
  @Ref({ about: 'Identifier of the album in this link; send it with each upload to the album.' }) album_id!: string;
  @Text({ about: 'Its name.' }) album_name!: string;
}

@Answer()
export class PublicUploadTerms {
  @Whole({ optional: true, about: 'Maximum number of files the link accepts; null when unlimited.' }) max_files!: number | null;
  @Whole({ optional: true, about: 'Number of files the link still accepts; null when unlimited.' }) left!: number | null;
  @Whole({ optional: true, about: 'Bytes a file may have; null: as the service allows.' }) max_size!: number | null;
  @Flag({ about: 'Whether tags may be added.' }) may_tag!: boolean;
  @NestedList(() => PublicTargetAlbum, { about: 'Albums to choose among; empty: there is no choice.' }) albums!: PublicTargetAlbum[];
}

@Answer()
export class PublicBrand {
  @Text({ about: 'Who sends the link.', example: 'ACME' }) name!: string;
  @Text({ optional: true, about: 'Tagline of the sender.' }) tagline!: string | null;
  @Text({ optional: true, max: 4_000, format: 'uri', about: 'Address of their logo, good for an hour; null without one.' }) logo_url!:
    string | null;
  @Text({ optional: true, max: 4_000, format: 'uri', about: 'The same for a dark ground, where they have one of its own.' })
  dark_logo_url!: string | null;
  @Text({ optional: true, max: 7, about: 'Their colour, dark enough for text on a light page; null without one.', example: '#0b5fa5' })
  accent!: string | null;
}

@Answer()
export class PublicShareView {
  @Text({ optional: true, about: 'Name of the link; null while a password keeps it.' }) share_name!: string | null;
  @Choice(SHARE_TYPES, { about: 'files, album: it shows files; upload: it takes them.' }) share_type!: string;
  @Flag({ about: 'Whether it has to be unlocked first.' }) locked!: boolean;
  @TextList({ about: 'What unlocking asks for: of `password`, `terms`, `name`, `email`.', example: ['password'] }) asks!: string[];
  @Text({ optional: true, max: 5_000, about: 'Terms to accept.' }) terms!: string | null;
  @Text({ optional: true, max: 5_000, about: 'Message of the creator of the link; null while the link is locked.' }) message!:
    string | null;
  @Nested(() => PublicShareOptions, { about: 'What a page needs to know.' }) options!: PublicShareOptions;
  @Stamp({ optional: true, about: 'When the link ends; null: it does not.' }) expires_at!: Date | null;
  @Whole({ optional: true, about: 'Remaining views after yours; null when unlimited, or while the link is locked.', example: 9 })
  views_left!: number | null;
  @Whole({ optional: true, about: 'Remaining downloads; null when unlimited, or while the link is locked.', example: 2 }) downloads_left!:
    number | null;
  @Nested(() => PublicBrand, { about: 'Who sends the link.' }) brand!: PublicBrand;
  @Whole({ optional: true, about: 'Files it shows; null while it is locked, or when it takes files.', example: 12 }) file_count!:
    number | null;
  @Nested(() => PublicUploadTerms, { optional: true, about: 'What may be sent; null where nothing may.' })
  upload!: PublicUploadTerms | null;
}

@Accepts()
export class UnlockShare {
  @Text({ secret: true, optional: true, max: 256, about: 'The password, if the link requires one.' }) password?: string | null;
  @Flag({ omittable: true, about: 'true: the terms are accepted.' }) accept_terms?: boolean;
  @Text({ optional: true, max: 120, about: 'Your name, if the link requires it.' }) name?: string | null;
  @Text({ optional: true, max: 320, about: 'Your e-mail address, if the link requires it.' }) email?: string | null;
}

@Answer()
export class UnlockedShare {
  @Text({ max: 4_000, about: 'Send it as `Authorization: Bearer …` with every further request for this link.' }) access_token!: string;
  @Whole({ about: 'Seconds it is good for.', example: 3_600 }) expires_in!: number;
}

export class ListPublicFiles {
  cursor?: string;
  limit?: number;
}
acceptParameter(
  ListPublicFiles,
  { name: 'cursor', kind: 'text', max: 100_000 },
  { type: 'string', maxLength: 1_000, description: '`next_cursor` of the page before.' },
);
acceptParameter(
  ListPublicFiles,
  { name: 'limit', kind: 'whole', min: 1 },
  { type: 'integer', minimum: 1, maximum: 1_000, default: 50, description: 'Files on a page; more than 1000 are cut to 1000.' },
);

@Answer()
export class PublicFileView {
  @Text({ about: 'Identifier of the file in this link.', example: 'pX3n0aQ2Tq6uZy1mB7cDfg' }) public_id!: string;
  @Text({ optional: true, about: 'Its name; null where names are not shown.', example: 'harbour.jpg' }) name!: string | null;
  @Text({ about: 'Kind: image, video, audio, document, font, archive, other.', example: 'image' }) kind!: string;
  @Whole({ about: 'Size in bytes.', example: 2_481_152 }) size!: number;
  @Whole({ optional: true, about: 'Width in pixels.', example: 4_032 }) width!: number | null;
  @Whole({ optional: true, about: 'Height in pixels.', example: 3_024 }) height!: number | null;
  @Text({
    optional: true,
    max: 4_000,
    format: 'uri',
    about: 'Address of a small picture, good for 5 minutes; null without one, or while it is being made.',
  })
  thumb_url!: string | null;
  @Choice(['ready', 'making', 'none'], {
    about: 'ready: there is a small picture; making: it gets its watermark, ask again in a moment; none: there is none.',
  })
  picture!: string;
  @Text({ optional: true, about: 'A placeholder of some 25 bytes, base64.' }) thumbhash!: string | null;
  @Json({ optional: true, about: 'Facts of the picture, where they are shown; never its place.', example: { camera: 'X100V' } })
  metadata!: JsonObject | null;
  @Choice(VERDICTS, { optional: true, about: 'Your verdict; null when you gave none.' }) verdict!: string | null;
}

@Answer()
export class PublicFilePage {
  @NestedList(() => PublicFileView, { about: 'The page of files.' }) data!: PublicFileView[];
  @Flag({ about: 'True when more files exist past this page.' }) has_more!: boolean;
  @Text({ optional: true, max: 1_000, about: 'Pass back as `cursor` for the next page; null on the last one.' }) next_cursor!:
    string | null;
}

export class PreviewQuery {
  size?: 'small' | 'medium' | 'large';
}
acceptParameter(PreviewQuery, {
  name: 'size',
  kind: 'choice',
  values: ['small', 'medium', 'large'],
  about: 'Long edge of 320, 1,024 or 2,048 pixels; without it the largest that is allowed.',
});

export class PublicDownloadQuery {
  size?: ShareSize;
}
acceptParameter(PublicDownloadQuery, {
  name: 'size',
  kind: 'choice',
  values: SHARE_SIZES,
  about: 'The original, or a picture; without it the original where it is allowed.',
});

@Accepts()
export class PublicArchiveOrder {
  @TextList({ omittable: true, min: 1, max: 1_000, about: '`public_id`s of the wanted files; without them all of the link.' })
  file_ids?: string[];
  @Choice(SHARE_SIZES, { omittable: true, about: 'The originals, or pictures of them; without it the originals where they are allowed.' })
  size?: ShareSize;
}

@Answer()
export class PublicArchiveJob {
  @Ref({ about: 'Id to poll.' }) job_id!: string;
  @Choice(['queued', 'running', 'completed', 'failed', 'cancelled', 'expired'], { about: 'State; poll until it is completed.' })
  status!: string;
  @Whole({ about: 'Files that are packed.', example: 240 }) file_count!: number;
  @Whole({ about: 'Files processed so far.', example: 12 }) done!: number;
  @Whole({ about: 'Files to process.', example: 240 }) total!: number;
  @Whole({ optional: true, about: 'Size in bytes, once completed.' }) archive_size!: number | null;
  @Text({ optional: true, max: 1_000, about: 'Why it failed.' }) error!: string | null;
  @Stamp({ optional: true, about: 'When it is deleted, once completed.' }) expires_at!: Date | null;
  @Text({ optional: true, max: 4_000, format: 'uri', about: 'Address, once completed; good for an hour.' }) download_url!: string | null;
}

@Accepts()
export class GiveVerdict {
  @Choice(VERDICTS, { about: 'What you think of the file.' }) verdict!: 'approved' | 'rejected';
  @Text({ optional: true, max: 2_000, about: 'Comment.' }) comment?: string | null;
  @Text({ optional: true, max: 120, about: 'Your name.' }) name?: string | null;
  @Text({ optional: true, max: 320, about: 'Your e-mail address.' }) email?: string | null;
}

@Answer()
export class VerdictView {
  @Text({ about: 'The file.' }) public_id!: string;
  @Choice(VERDICTS, { about: 'Your verdict.' }) verdict!: string;
  @Whole({ about: 'Visitors who approve it.', example: 2 }) approved!: number;
  @Whole({ about: 'Visitors who reject it.', example: 0 }) rejected!: number;
}
