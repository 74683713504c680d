import { MOST_PARTS, UploadPartLink, UploadReceipt } from '@atrium/files';
import { Choice, Flag, IdList, Json, NestedList, SHA256_FORM, Stamp, Text, TextList, Whole } from '@atrium/platform/database';
import { Accepts, Answer } from '@atrium/platform/http';
import type { JsonObject } from '@atrium/platform/kernel';
import { ApiProperty } from '@nestjs/swagger';
import { ArrayMaxSize, ArrayMinSize, IsArray, IsInt, Max, Min } from 'class-validator';

@Accepts()
export class OpenGuestUpload {
  @Text({ min: 1, about: 'Name with extension.', example: 'harbour.jpg' }) file_name!: string;
  @Whole({ min: 0, about: 'Size in bytes, a promise.', example: 2_481_152 }) file_size!: number;
  @Text({ optional: true, about: 'MIME type as you know it; the bytes decide in the end.', example: 'image/jpeg' }) file_type?:
    string | null;
  @Text({ optional: true, max: 64, form: SHA256_FORM, about: 'SHA-256 of the bytes in lower-case hex, a promise.' }) file_hash?:
    string | null;
  @Flag({ omittable: true, about: 'Send in parts although the file is smaller than 64 MiB; from 5 MiB up.' }) upl_multipart?: boolean;
  @Text({ optional: true, max: 120, about: 'Your name.' }) name?: string | null;
  @Text({ optional: true, max: 320, about: 'Your e-mail address.' }) email?: string | null;
  @TextList({ omittable: true, max: 50, about: 'Further tags as `Group:Value`, where the link lets you add some.' }) tags?: string[];
  @IdList({
    omittable: true,
    max: 20,
    about: 'Albums among those the link offers, by the ids that the link shows, where it lets you choose.',
  })
  album_ids?: string[];
}

@Answer()
export class GuestUploadPartLink extends UploadPartLink {}

@Answer()
export class GuestUploadHeldPart {
  @Whole({ min: 1, about: 'Number of the part.', example: 1 }) part!: number;
  @Whole({ min: 0, about: 'Bytes that storage holds.', example: 8_388_608 }) size!: number;
  @Text({ about: 'ETag that storage gave it.' }) etag!: string;
}

@Answer()
export class GuestUploadView {
  @Text({ format: 'uuid', about: 'Id of the upload, for you alone.' }) upl_id!: string;
  @Choice(['open', 'completing', 'finalized', 'aborted', 'expired', 'rejected'], { about: 'Current status of the upload.' })
  upl_state!: string;
  @Choice(['single', 'multipart'], { about: 'One PUT, or parts that are sent in any order.' }) upl_mode!: string;
  @Text({ about: 'Name.' }) file_name!: string;
  @Text({ optional: true, about: 'Declared type.' }) file_type!: string | null;
  @Whole({ about: 'Size in bytes.', example: 2_481_152 }) file_size!: number;
  @Text({ optional: true, max: 64, about: 'Promised SHA-256.' }) file_hash!: string | null;
  @Whole({ optional: true, about: 'Bytes of every part but the last; multipart only.' }) upl_part_size!: number | null;
  @Whole({ optional: true, about: 'Number of parts; multipart only.' }) upl_part_count!: number | null;
  @Stamp({ about: 'When it lapses.' }) upl_expires!: Date;
  @Text({ optional: true, max: 500, about: 'Why it was rejected.' }) upl_error!: string | null;
  @Text({ optional: true, max: 4_000, format: 'uri', about: 'Address to PUT the bytes to, good for 15 minutes; single mode.' }) upl_url!:
    string | null;
  @Text({ optional: true, about: 'Method of that request.', example: 'PUT' }) upl_method!: string | null;
  @Json({ about: 'Headers that must be sent with it.', example: {} }) upl_headers!: JsonObject;
  @NestedList(() => GuestUploadPartLink, { about: 'Addresses of the first 100 missing parts, good for 15 minutes; multipart mode.' })
  upl_parts!: GuestUploadPartLink[];
  @NestedList(() => GuestUploadHeldPart, { about: 'Bytes that storage has received.' }) upl_received!: GuestUploadHeldPart[];
}

@Accepts()
export class AskForGuestParts {
  @IsArray({ message: 'array|must be an array' })
  @ArrayMinSize(1, { message: 'too_few|must have at least 1 item' })
  @ArrayMaxSize(100, { message: 'too_many|must have at most 100 items' })
  @IsInt({ each: true, message: 'integer|must hold whole numbers only' })
  @Min(1, { each: true, message: 'too_small|must hold numbers from 1 up' })
  @Max(MOST_PARTS, { each: true, message: `too_large|must hold numbers up to ${MOST_PARTS}` })
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
  @NestedList(() => GuestUploadPartLink, { about: 'The addresses, in the order asked for.' }) upl_parts!: GuestUploadPartLink[];
  @Stamp({ about: 'When the upload lapses now.' }) upl_expires!: Date;
}

@Accepts()
export class GuestUploadReceipt extends UploadReceipt {}

@Accepts()
export class FinalizeGuestUpload {
  @NestedList(() => GuestUploadReceipt, {
    omittable: true,
    max: MOST_PARTS,
    about: 'The parts as sent; without it storage is asked for what it holds.',
  })
  parts?: GuestUploadReceipt[];
}

@Accepts()
export class CheckedGuestFile {
  @Text({ min: 1, about: 'Name with extension.', example: 'harbour.jpg' }) file_name!: string;
  @Whole({ min: 0, about: 'Size in bytes.', example: 2_481_152 }) file_size!: number;
  @Text({ max: 64, form: SHA256_FORM, about: 'SHA-256 of the bytes in lower-case hex.' }) file_hash!: string;
}

@Accepts()
export class CheckGuestFiles {
  @NestedList(() => CheckedGuestFile, { min: 1, max: 1_000, about: 'The files that would be sent.' }) items!: CheckedGuestFile[];
}

@Answer()
export class CheckedGuestFileOutcome {
  @Flag({ about: 'Whether these bytes came by this link already.' }) exists!: boolean;
}

@Answer()
export class CheckedGuestFiles {
  @NestedList(() => CheckedGuestFileOutcome, { about: 'One outcome an item, in their order.' }) data!: CheckedGuestFileOutcome[];
}

@Accepts()
export class ActivateKiosk {
  @Text({ secret: true, min: 1, max: 256, about: 'Password of the link.' }) password!: string;
}

@Answer()
export class ActivatedKiosk {
  @Text({ max: 4_000, about: 'Send it as `Authorization: Bearer …` with every upload call of this kiosk.' }) device_token!: string;
  @Text({ about: 'Name of the link.', example: 'Wedding' }) share_name!: string;
  @Whole({ about: 'Seconds without use after which the device has to be activated again.', example: 43_200 }) expires_in!: number;
}

@Answer()
export class BegunKioskVisit {
  @Text({ max: 100, about: 'Send it as `X-Visit` with the calls of this guest.' }) visit!: string;
  @Whole({ about: 'Seconds without use after which the device is to begin the next visit.', example: 60 }) idle_seconds!: number;
}
