import { Choice, Json, NestedList, Ref, Text, TextList, Whole } from '@atrium/platform/database';
import { Accepts, Answer, Rows } from '@atrium/platform/http';
import type { JsonObject } from '@atrium/platform/kernel';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { IMPORT_FORMATS, IMPORT_LIMITS, IMPORT_MODES, MOST_INLINE_ROWS, ON_ERROR, type SaidMapping } from '@atrium/imports';

/** As much as the content of an object may have. */
const MOST_ROW_BYTES = 256 * 1024;

/** Which table is read, and by which schema. */
@Accepts()
class ReadObjectTable {
  @Ref({ about: 'Id of the schema of the objects.' }) obj_form!: string;

  @Ref({ omittable: true, about: 'Id of a file that you can view, of at most 50 MB. Mutually exclusive with `rows`.' })
  file_id?: string;

  @Rows({
    rows: MOST_INLINE_ROWS,
    columns: IMPORT_LIMITS.maxColumns,
    bytes: MOST_ROW_BYTES,
    about:
      'Rows, as objects with values by column name. All rows together have at most 32,768 different names, those in nested objects included; send others as a file. Mutually exclusive with `file_id`.',
    example: [{ sku: 'L-1', name: 'Harbour lamp', price: 129 }],
  })
  rows?: JsonObject[];

  @Choice(IMPORT_FORMATS, { omittable: true, about: 'Format of the file; when omitted, derived from its name.', example: 'csv' })
  format?: (typeof IMPORT_FORMATS)[number];
  @Text({ omittable: true, min: 1, max: 100, about: 'Sheet of the workbook; the first visible sheet when omitted.' }) sheet?: string;
  @Text({ omittable: true, min: 1, max: 1, about: 'Delimiter of the csv; detected when omitted.', example: ';' }) delimiter?: string;
  @Text({ omittable: true, min: 1, max: 40, about: 'Encoding of the text file; detected when omitted.', example: 'windows-1252' })
  encoding?: string;
}

/** Body of POST /objects/import/preview. */
@Accepts()
export class PreviewObjectImport extends ReadObjectTable {}

/** Body of POST /objects/import. */
@Accepts()
export class ImportObjects extends ReadObjectTable {
  @Json({
    omittable: true,
    about:
      'Field for each column: a key of the schema (`address.city` within a group), `obj_external_id`, `obj_external_url`, `obj_name`, `obj_terms` (ids, separated by semicolons), or null to skip the column. For a column of dates, you can set the format: {"field": "day", "format": "MM/DD/YYYY"}. Columns that are not listed are matched by name; a column without a match is rejected.',
    example: { Name: 'name', Price: 'price', Internal: null },
  })
  mapping?: SaidMapping;
  @Choice(IMPORT_MODES, {
    omittable: true,
    about: '`insert` (default) creates an object for every row; `upsert` changes the object with the same key, if there is one.',
    example: 'upsert',
  })
  mode?: (typeof IMPORT_MODES)[number];
  @Text({
    omittable: true,
    min: 1,
    max: 200,
    about: 'Key by which `upsert` identifies objects: `obj_external_id` (default) or a unique field of the schema.',
    example: 'sku',
  })
  key?: string;
  @Choice(ON_ERROR, {
    omittable: true,
    about:
      '`skip` (default): invalid rows are skipped and listed in the result; `abort`: a single invalid row aborts the import and nothing is written. With `abort`, the rows can have at most 512 MiB as JSON, and those of all such imports of the workspace together 2 GiB at a time.',
    example: 'skip',
  })
  on_error?: (typeof ON_ERROR)[number];
}

@Answer()
export class ObjectImportColumnView {
  @Text({ about: 'Name of the column.', example: 'Price' }) name!: string;
  @TextList({ about: 'Sample values of the column.', example: ['129'] }) samples!: string[];
  @Text({ optional: true, about: 'Field that the column name suggests; null if none matches.', example: 'price' }) suggested_field!:
    string | null;
  @Text({ optional: true, about: 'Type of the field.', example: 'number' }) type!: string | null;
}

@Answer()
export class ObjectImportPreviewView {
  @NestedList(() => ObjectImportColumnView, { about: 'Columns, in order.' }) columns!: ObjectImportColumnView[];
  @ApiPropertyOptional({ type: 'array', items: { type: 'object', additionalProperties: true }, description: 'First rows, at most 20.' })
  rows!: JsonObject[];
  @Whole({ about: 'Number of rows in the table.', example: 5_000 }) total_estimate!: number;
  @Text({ optional: true, about: 'Encoding of the text file.', example: 'utf-8' }) encoding!: string | null;
  @Text({ optional: true, about: 'Delimiter of the csv.', example: ';' }) delimiter!: string | null;
}
