import { IMPORT_FORMATS, IMPORT_LIMITS, IMPORT_MODES, MOST_INLINE_ROWS, ON_ERROR, type SaidMapping } from '@atrium/imports';
import { Choice, Json, NestedList, Ref, Stamp, Text, TextList, Whole } from '@atrium/platform/database';
import { Accepts, Answer, Rows } from '@atrium/platform/http';
import type { JsonObject } from '@atrium/platform/kernel';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { EXPORT_FORMATS, type ExportFormat } from '../application/record-export';

/** As much as the content of a record may have. */
const MOST_ROW_BYTES = 256 * 1024;

const STATUSES = ['draft', 'published', 'archived'] as const;

/** Which table is read. */
@Accepts()
class ReadTable {
  @Ref({
    omittable: true,
    about:
      'Id of a file of the knowledge base, uploaded with `file_metadata` {"purpose": "import"}; at most 50 MB. Mutually exclusive with `rows`.',
  })
  file_id?: string;

  @Rows({
    rows: MOST_INLINE_ROWS,
    columns: IMPORT_LIMITS.maxColumns,
    bytes: MOST_ROW_BYTES,
    about:
      'Rows, as objects with values by column name. All rows together have at most 32,768 different names, those in nested objects included; send others as a file. Mutually exclusive with `file_id`.',
    example: [{ rec_external_id: 'lamp-1', name: 'Lamp', body: 'A lamp for desks.' }],
  })
  rows?: JsonObject[];

  @Choice(IMPORT_FORMATS, { omittable: true, about: 'Format of the file; when omitted, derived from its name.', example: 'csv' })
  format?: (typeof IMPORT_FORMATS)[number];
  @Text({ omittable: true, min: 1, max: 100, about: 'Sheet of the workbook; the first visible sheet when omitted.' }) sheet?: string;
  @Text({ omittable: true, min: 1, max: 1, about: 'Delimiter of the csv; detected when omitted.', example: ';' }) delimiter?: string;
  @Text({ omittable: true, min: 1, max: 40, about: 'Encoding of the text file; detected when omitted.', example: 'windows-1252' })
  encoding?: string;
}

/** Body of POST /knowledge-bases/{id}/records/import/preview. */
@Accepts()
export class PreviewImport extends ReadTable {}

/** Body of POST /knowledge-bases/{id}/records/import. */
@Accepts()
export class ImportRecords extends ReadTable {
  @Json({
    omittable: true,
    about:
      'Field for each column: a key of the schema (`address.city` within a group), `body` in a text base, `rec_name`, `rec_url`, `rec_external_id`, `rec_tags`, `rec_language`, `rec_status`, `rec_valid_from`, `rec_valid_until`, `rec_metadata`, or null to skip the column. For a column of dates, you can set the format: {"field": "day", "format": "MM/DD/YYYY"}. Columns that are not listed are matched by name; a column without a match is rejected.',
    example: { Question: 'question', Answer: 'answer', Internal: null },
  })
  mapping?: SaidMapping;
  @Choice(IMPORT_MODES, {
    omittable: true,
    about: '`insert` (default) creates a record for every row; `upsert` changes the record with the same key, if there is one.',
    example: 'upsert',
  })
  mode?: (typeof IMPORT_MODES)[number];
  @Text({
    omittable: true,
    min: 1,
    max: 200,
    about: 'Key by which `upsert` identifies records: `rec_external_id` (default) or a unique field of the schema.',
    example: 'sku',
  })
  key?: string;
  @Choice(ON_ERROR, {
    omittable: true,
    about:
      '`skip` (default): invalid rows are skipped and reported; `abort`: a single invalid row aborts the import and nothing is written. With `abort`, the rows can have at most 512 MiB as JSON, and those of all such imports of the workspace together 2 GiB at a time.',
    example: 'skip',
  })
  on_error?: (typeof ON_ERROR)[number];
  @Choice(STATUSES, { omittable: true, about: 'Status of the records; `published` for new records when omitted.', example: 'draft' })
  rec_status?: (typeof STATUSES)[number];
}

@Answer()
export class ImportColumnView {
  @Text({ about: 'Name of the column.', example: 'Question' }) name!: string;
  @TextList({ about: 'Sample values of the column.', example: ['Where is the switch?'] }) samples!: string[];
  @Text({ optional: true, about: 'Field that the column name suggests; null if none matches.', example: 'question' }) suggested_field!:
    string | null;
  @Text({ optional: true, about: 'Type of the field.', example: 'text' }) type!: string | null;
}

@Answer()
export class ImportPreviewView {
  @NestedList(() => ImportColumnView, { about: 'Columns, in order.' }) columns!: ImportColumnView[];
  @ApiPropertyOptional({ type: 'array', items: { type: 'object', additionalProperties: true }, description: 'First rows, at most 20.' })
  rows!: JsonObject[];
  @Whole({ about: 'Number of rows in the table.', example: 5_000 }) total_estimate!: number;
  @Text({ optional: true, about: 'Encoding of the text file.', example: 'utf-8' }) encoding!: string | null;
  @Text({ optional: true, about: 'Delimiter of the csv.', example: ';' }) delimiter!: string | null;
}

/** Body of POST /knowledge-bases/{id}/export. */
@Accepts()
export class ExportKnowledge {
  @Choice(EXPORT_FORMATS, { omittable: true, about: 'Format of the file; `jsonl` when omitted.', example: 'csv' }) format?: ExportFormat;
}

@Answer()
export class ExportedFileView {
  @Text({ about: 'Name of the file.', example: 'product-manuals.csv' }) file_name!: string;
  @Text({ about: 'MIME type of the file.', example: 'text/csv' }) file_type!: string;
  @Whole({ about: 'Size of the file in bytes.', example: 48_230 }) file_size!: number;
  @Whole({ about: 'Number of records in the file.', example: 120 }) record_count!: number;
  @Text({ max: 8_192, format: 'uri', about: 'Signed URL of the file.' }) download_url!: string;
  @Stamp({ about: 'When the URL expires.' }) expires_at!: Date;
}
