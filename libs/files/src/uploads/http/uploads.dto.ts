import { Flag, Json, NestedList, SHA256_FORM, Stamp, Text, Whole } from '@atrium/platform/database';
import { Accepts, Answer, Body, ListQuery, PageOf, View } from '@atrium/platform/http';
import type { JsonObject } from '@atrium/platform/kernel';
import { ApiProperty } from '@nestjs/swagger';
import { ArrayMaxSize, ArrayMinSize, IsArray, IsInt, Max, Min } from 'class-validator';
import { Upload } from '../domain/upload';

@Accepts()
export class OpenUpload extends Body(Upload, {
  required: ['file_repo', 'file_name', 'file_size'],
  optional: ['file_type', 'file_hash', 'file_metadata', 'album_ids', 'media_tags', 'upl_file', 'upl_on_duplicate'],
}) {
  @Text({ optional: true, computed: true, max: 500, about: 'Note for the new version.' }) fv_note?: string | null;
  @Flag({
    omittable: true,
    computed: true,
    about: 'Whether to upload in parts although the file is smaller than 64 MiB. The minimum is 5 MiB.',
  })
  upl_multipart?: boolean;
}

@Accepts()
export class OpenFileVersion extends Body(Upload, { required: ['file_size'], optional: ['file_name', 'file_type', 'file_hash'] }) {
  @Text({ optional: true, computed: true, max: 500, about: 'Note for the new version.' }) fv_note?: string | null;
  @Flag({
    omittable: true,
    computed: true,
    about: 'Whether to upload in parts although the file is smaller than 64 MiB. The minimum is 5 MiB.',
  })
  upl_multipart?: boolean;
}

export class ListUploads extends ListQuery(Upload) {}

@Answer()
class UploadSummary extends View(Upload) {}

export class UploadPage extends PageOf(UploadSummary) {}

@Answer()
export class UploadPartLink {
  @Whole({ computed: true, min: 1, about: 'Number of the part, starting at 1.', example: 1 }) part!: number;
  @Text({ computed: true, max: 4_000, about: 'Signed URL for a PUT of the part, valid for 15 minutes.', format: 'uri' }) upl_url!: string;
  @Json({ computed: true, about: 'Headers that the request must contain.', example: {} }) upl_headers!: JsonObject;
}

@Answer()
export class UploadHeldPart {
  @Whole({ computed: true, min: 1, about: 'Number of the part, starting at 1; 1 for the whole body of a single upload.', example: 1 })
  part!: number;
  @Whole({ computed: true, min: 0, about: 'Number of bytes received.', example: 8_388_608 }) size!: number;
  @Text({ computed: true, about: 'ETag returned by the storage.' }) etag!: string;
}

@Answer()
export class UploadView extends UploadSummary {
  @Text({
    computed: true,
    optional: true,
    max: 4_000,
    about: 'Signed URL for a PUT of the bytes, valid for 15 minutes. Single mode only. Read the upload again for a new one.',
    format: 'uri',
  })
  upl_url!: string | null;
  @Text({ computed: true, optional: true, about: 'Method of that request.', example: 'PUT' }) upl_method!: string | null;
  @Json({ computed: true, about: 'Headers that the request must contain.', example: {} }) upl_headers!: JsonObject;
  @NestedList(() => UploadPartLink, {
    about: 'Signed URLs of the first 100 missing parts. Multipart only. Request further ones.',
  })
  upl_parts!: UploadPartLink[];
  @NestedList(() => UploadHeldPart, { about: 'Bytes and parts received by the storage: enough to resume without saved state.' })
  upl_received!: UploadHeldPart[];
}

export const MOST_PARTS = 10_000;

export class AskForParts {
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
    example: [101, 102],
  })
  parts!: number[];
}

@Answer()
export class UploadPartLinks {
  @NestedList(() => UploadPartLink, { about: 'Signed URLs in the order of the request.' }) upl_parts!: UploadPartLink[];
  @Stamp({ computed: true, about: 'New expiry of the upload.' }) upl_expires!: Date;
}

@Accepts()
export class UploadReceipt {
  @Whole({ computed: true, min: 1, max: MOST_PARTS, about: 'Number of the part, starting at 1.', example: 1 }) part!: number;
  @Text({ computed: true, min: 1, about: 'ETag returned by the storage for the PUT.' }) etag!: string;
}

@Accepts()
export class FinalizeUpload {
  @NestedList(() => UploadReceipt, {
    omittable: true,
    max: MOST_PARTS,
    about: 'The uploaded parts. Default: the parts found in storage.',
  })
  parts?: UploadReceipt[];
}

@Accepts()
export class CheckedFile extends Body(Upload, { required: ['file_name', 'file_size'] }) {
  @Text({ computed: true, form: SHA256_FORM, max: 64, about: 'SHA-256 of the content in lowercase hexadecimal.' }) file_hash!: string;
}

@Accepts()
export class CheckFiles extends Body(Upload, { required: ['file_repo'] }) {
  @NestedList(() => CheckedFile, { min: 1, max: 1_000, about: 'Files to check.' }) items!: CheckedFile[];
}

@Answer()
export class CheckedFileOutcome {
  @Flag({ computed: true, about: 'Whether the repository has a file with this content that you may see.' }) exists!: boolean;
  @Text({ computed: true, optional: true, format: 'uuid', about: 'The file; the oldest if there are several.' }) file_id!: string | null;
}

@Answer()
export class CheckedFiles {
  @NestedList(() => CheckedFileOutcome, { about: 'One result for each item, in the order of the request.' }) data!: CheckedFileOutcome[];
}
