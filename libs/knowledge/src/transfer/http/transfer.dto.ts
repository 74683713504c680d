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
    about: 'A file of the base, uploaded with `file_metadata` {"purpose": "import"}; at most 50 MB. Instead of `rows`.',
  })
  file_id?: string;

  @Rows({
    rows: MOST_INLINE_ROWS,
    columns: IMPORT_LIMITS.maxColumns,
    bytes: MOST_ROW_BYTES,
    about: 'Rows by the names of their columns. Instead of `file_id`.',
    example: [{ rec_external_id: 'lamp-1', name: 'Lamp', body: 'A lamp for desks.' }],
  })
  rows?: JsonObject[];

  @Choice(IMPORT_FORMATS, { omittable: true, about: 'Format of the file; derived from its name when absent.', example: 'csv' })
  format?: (typeof IMPORT_FORMATS)[number];
  @Text({ omittable: true, min: 1, max: 100, about: 'Sheet of a workbook; the first one that is shown when absent.' }) sheet?: string;
  @Text({ omittable: true, min: 1, max: 1, about: 'Delimiter of a csv; detected when absent.', example: ';' }) delimiter?: string;
  @Text({ omittable: true, min: 1, max: 40, about: 'Encoding of a text file; detected when absent.', example: 'windows-1252' })
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
      'Field of each column: a key of the schema (`address.city` within a group), `body` in a text base, `rec_name`, `rec_url`, `rec_external_id`, `rec_tags`, `rec_language`, `rec_status`, `rec_valid_from`, `rec_valid_until`, `rec_metadata`, or null for a column that is left out. A column of dates may say how they are written: {"field": "day", "format": "MM/DD/YYYY"}. A column that is not named here is taken by its name; one that nothing takes is refused.',
    example: { Question: 'question', Answer: 'answer', Internal: null },
  })
  mapping?: SaidMapping;
  @Choice(IMPORT_MODES, {
    omittable: true,
    about: '`insert` (usual): every row is a new record; `upsert`: a record with the same key is changed.',
    example: 'upsert',
  })
  mode?: (typeof IMPORT_MODES)[number];
  @Text({
    omittable: true,
    min: 1,
    max: 200,
    about: 'By what `upsert` finds records: `rec_external_id` (usual) or a unique field of the schema.',
    example: 'sku',
  })
  key?: string;
  @Choice(ON_ERROR, {
    omittable: true,
    about:
      '`skip` (usual): rows that are not valid are left out and reported; `abort`: then nothing is written, and the rows may come to 512 MiB of JSON, those of all such imports of the workspace at one time to 2 GiB.',
    example: 'skip',
  })
  on_error?: (typeof ON_ERROR)[number];
  @Choice(STATUSES, { omittable: true, about: 'Status of the records; `published` for new ones when absent.', example: 'draft' })
  rec_status?: (typeof STATUSES)[number];
}

@Answer()
export class ImportColumnView {
  @Text({ about: 'Name of the column.', example: 'Question' }) name!: string;
  @TextList({ about: 'Some of its values.', example: ['Where is the switch?'] }) samples!: string[];
  @Text({ optional: true, about: 'The field that its name says; null where none does.', example: 'question' }) suggested_field!:
    string | null;
  @Text({ optional: true, about: 'Type of that field.', example: 'text' }) type!: string | null;
}

@Answer()
export class ImportPreviewView {
  @NestedList(() => ImportColumnView, { about: 'The columns in their order.' }) columns!: ImportColumnView[];
  @ApiPropertyOptional({ type: 'array', items: { type: 'object', additionalProperties: true }, description: 'The first rows, at most 20.' })
  rows!: JsonObject[];
  @Whole({ about: 'Rows of the table.', example: 5_000 }) total_estimate!: number;
  @Text({ optional: true, about: 'Encoding of a text file.', example: 'utf-8' }) encoding!: string | null;
  @Text({ optional: true, about: 'Delimiter of a csv.', example: ';' }) delimiter!: string | null;
}

/** Body of POST /knowledge-bases/{id}/export. */
@Accepts()
export class ExportKnowledge {
  @Choice(EXPORT_FORMATS, { omittable: true, about: 'Format of the file; `jsonl` when absent.', example: 'csv' }) format?: ExportFormat;
}

@Answer()
export class ExportedFileView {
  @Text({ about: 'Name of the file.', example: 'product-manuals.csv' }) file_name!: string;
  @Text({ about: 'Its MIME type.', example: 'text/csv' }) file_type!: string;
  @Whole({ about: 'Its size in bytes.', example: 48_230 }) file_size!: number;
  @Whole({ about: 'Records in it.', example: 120 }) record_count!: number;
  @Text({ max: 8_192, format: 'uri', about: 'Signed address of the file.' }) download_url!: string;
  @Stamp({ about: 'Until when the address is good.' }) expires_at!: Date;
}
