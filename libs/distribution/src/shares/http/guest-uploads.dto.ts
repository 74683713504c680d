import { MOST_PARTS, UploadPartLink, UploadReceipt } from '@atrium/files';
import { Choice, Flag, IdList, Json, NestedList, SHA256_FORM, Stamp, Text, TextList, Whole } from '@atrium/platform/database';
import { Accepts, Answer } from '@atrium/platform/http';
import type { JsonObject } from '@atrium/platform/kernel';
import { ApiProperty } from '@nestjs/swagger';
import { ArrayMaxSize, ArrayMinSize, IsArray, IsInt, Max, Min } from 'class-validator';

@Accepts()
export class OpenGuestUpload {
  @Text({ min: 1, about: 'File name with extension.', example: 'harbour.jpg' }) file_name!: string;
  @Whole({ min: 0, about: 'Declared size in bytes; the upload must have exactly this size.', example: 2_481_152 }) file_size!: number;
  @Text({ optional: true, about: 'Declared MIME type; the actual type is determined from the content.', example: 'image/jpeg' })
  file_type?: string | null;
  @Text({
    optional: true,
    max: 64,
    form: SHA256_FORM,
    about: 'Declared SHA-256 of the content in lowercase hexadecimal; the upload must match it.',
  })
  file_hash?: string | null;
  @Flag({ omittable: true, about: 'Whether to upload in parts although the file is smaller than 64 MiB. The minimum is 5 MiB.' })
  upl_multipart?: boolean;
  @Text({ optional: true, max: 120, about: 'Your name.' }) name?: string | null;
  @Text({ optional: true, max: 320, about: 'Your e-mail address.' }) email?: string | null;
  @TextList({ omittable: true, max: 50, about: 'Additional tags as `Group:Value`, if the link allows them.' }) tags?: string[];
  @IdList({
    omittable: true,
    max: 20,
    about: 'Albums to add the file to, if the link lets you choose. Ids are those shown by the link.',
  })
  album_ids?: string[];
}

@Answer()
export class GuestUploadPartLink extends UploadPartLink {}

@Answer()
export class GuestUploadHeldPart {
  @Whole({ min: 1, about: 'Number of the part.', example: 1 }) part!: number;
  @Whole({ min: 0, about: 'Stored bytes of the part.', example: 8_388_608 }) size!: number;
  @Text({ about: 'ETag returned by the storage.' }) etag!: string;
}

@Answer()
export class GuestUploadView {
  @Text({ format: 'uuid', about: 'Id of the upload, valid only in your visit.' }) upl_id!: string;
  @Choice(['open', 'completing', 'finalized', 'aborted', 'expired', 'rejected'], { about: 'Current status of the upload.' })
  upl_state!: string;
  @Choice(['single', 'multipart'], { about: '`single`: one PUT request. `multipart`: parts in any order.' }) upl_mode!: string;
  @Text({ about: 'Name of the file.' }) file_name!: string;
  @Text({ optional: true, about: 'Declared type.' }) file_type!: string | null;
  @Whole({ about: 'Size in bytes.', example: 2_481_152 }) file_size!: number;
  @Text({ optional: true, max: 64, about: 'Declared SHA-256.' }) file_hash!: string | null;
  @Whole({ optional: true, about: 'Size of every part but the last in bytes. Multipart only.' }) upl_part_size!: number | null;
  @Whole({ optional: true, about: 'Number of parts. Multipart only.' }) upl_part_count!: number | null;
  @Stamp({ about: 'When the upload expires.' }) upl_expires!: Date;
  @Text({ optional: true, max: 500, about: 'Reason the upload was rejected.' }) upl_error!: string | null;
  @Text({ optional: true, max: 4_000, format: 'uri', about: 'Signed URL for a PUT of the bytes, valid for 15 minutes. Single mode only.' })
  upl_url!: string | null;
  @Text({ optional: true, about: 'Method of that request.', example: 'PUT' }) upl_method!: string | null;
  @Json({ about: 'Headers that the request must contain.', example: {} }) upl_headers!: JsonObject;
  @NestedList(() => GuestUploadPartLink, { about: 'Signed URLs of the first 100 missing parts, valid for 15 minutes. Multipart only.' })
  upl_parts!: GuestUploadPartLink[];
  @NestedList(() => GuestUploadHeldPart, { about: 'Number of bytes received.' }) upl_received!: GuestUploadHeldPart[];
}

@Accepts()
export class AskForGuestParts {
  @IsArray({ message: 'array|must be an array' })
  @ArrayMinSize(1, { message: 'too_few|must have at least 1 item' })
  @ArrayMaxSize(100, { message: 'too_many|must have at most 100 items' })
  @IsInt({ each: true, message: 'integer|must contain only whole numbers' })
  @Min(1, { each: true, message: 'too_small|must contain numbers from 1 up' })
  @Max(MOST_PARTS, { each: true, message: `too_large|must contain numbers up to ${MOST_PARTS}` })
  @ApiProperty({
    type: 'array',
    items: { type: 'integer', minimum: 1, maximum: MOST_PARTS },
    minItems: 1,
    maxItems: 100,
    description: 'Numbers of the parts.',
    example: [1, 2],
  })
  parts!: number[];
}

@Answer()
export class GuestUploadPartLinks {
  @NestedList(() => GuestUploadPartLink, { about: 'Signed URLs in the order of the request.' }) upl_parts!: GuestUploadPartLink[];
  @Stamp({ about: 'New expiry of the upload.' }) upl_expires!: Date;
}

@Accepts()
export class GuestUploadReceipt extends UploadReceipt {}

@Accepts()
export class FinalizeGuestUpload {
  @NestedList(() => GuestUploadReceipt, {
    omittable: true,
    max: MOST_PARTS,
    about: 'The uploaded parts. Default: the parts found in storage.',
  })
  parts?: GuestUploadReceipt[];
}

@Accepts()
export class CheckedGuestFile {
  @Text({ min: 1, about: 'File name with extension.', example: 'harbour.jpg' }) file_name!: string;
  @Whole({ min: 0, about: 'Size in bytes.', example: 2_481_152 }) file_size!: number;
  @Text({ max: 64, form: SHA256_FORM, about: 'SHA-256 of the content in lowercase hexadecimal.' }) file_hash!: string;
}

@Accepts()
export class CheckGuestFiles {
  @NestedList(() => CheckedGuestFile, { min: 1, max: 1_000, about: 'Files to check.' }) items!: CheckedGuestFile[];
}

@Answer()
export class CheckedGuestFileOutcome {
  @Flag({ about: 'Whether the link has already received these bytes.' }) exists!: boolean;
}

@Answer()
export class CheckedGuestFiles {
  @NestedList(() => CheckedGuestFileOutcome, { about: 'One result for each item, in the order of the request.' })
  data!: CheckedGuestFileOutcome[];
}

@Accepts()
export class ActivateKiosk {
  @Text({ secret: true, min: 1, max: 256, about: 'Password of the link.' }) password!: string;
}

@Answer()
export class ActivatedKiosk {
  @Text({ max: 4_000, about: 'Device token, for `Authorization: Bearer …` in every upload request of this kiosk.' }) device_token!: string;
  @Text({ about: 'Name of the link.', example: 'Wedding' }) share_name!: string;
  @Whole({ about: 'Seconds without use after which the device must be activated again.', example: 43_200 }) expires_in!: number;
}

@Answer()
export class BegunKioskVisit {
  @Text({ max: 100, about: 'Id of the visit, for the header `X-Visit` in the requests of this guest.' }) visit!: string;
  @Whole({ about: 'Seconds without use after which the device should begin the next visit.', example: 60 }) idle_seconds!: number;
}
