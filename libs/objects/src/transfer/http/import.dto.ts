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
  @Ref({ about: 'The schema of the objects.' }) obj_form!: string;

  @Ref({ omittable: true, about: 'A file that you may read, of at most 50 MB. Instead of `rows`.' })
  file_id?: string;

  @Rows({
    rows: MOST_INLINE_ROWS,
    columns: IMPORT_LIMITS.maxColumns,
    bytes: MOST_ROW_BYTES,
    about: 'Rows by the names of their columns. Instead of `file_id`.',
    example: [{ sku: 'L-1', name: 'Harbour lamp', price: 129 }],
  })
  rows?: JsonObject[];

  @Choice(IMPORT_FORMATS, { omittable: true, about: 'Format of the file; derived from its name when absent.', example: 'csv' })
  format?: (typeof IMPORT_FORMATS)[number];
  @Text({ omittable: true, min: 1, max: 100, about: 'Sheet of a workbook; the first visible one when absent.' }) sheet?: string;
  @Text({ omittable: true, min: 1, max: 1, about: 'Delimiter of a csv; detected when absent.', example: ';' }) delimiter?: string;
  @Text({ omittable: true, min: 1, max: 40, about: 'Encoding of a text file; detected when absent.', example: 'windows-1252' })
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
      'Field of each column: a key of the schema (`address.city` within a group), `obj_external_id`, `obj_external_url`, `obj_name`, `obj_terms` (ids, separated by semicolons), or null for a column that is left out. A column of dates may say how they are written: {"field": "day", "format": "MM/DD/YYYY"}. A column that is not named here is taken by its name; one that nothing takes is refused.',
    example: { Name: 'name', Price: 'price', Internal: null },
  })
  mapping?: SaidMapping;
  @Choice(IMPORT_MODES, {
    omittable: true,
    about: '`insert` (default): every row is a new object; `upsert`: an object with the same key is changed.',
    example: 'upsert',
  })
  mode?: (typeof IMPORT_MODES)[number];
  @Text({
    omittable: true,
    min: 1,
    max: 200,
    about: 'By what `upsert` finds objects: `obj_external_id` (default) or a unique field of the schema.',
    example: 'sku',
  })
  key?: string;
  @Choice(ON_ERROR, {
    omittable: true,
    about:
      '`skip` (default): rows that are not valid are left out and named in the result; `abort`: then nothing is written, and the rows may come to 512 MiB of JSON, those of all such imports of the workspace at one time to 2 GiB.',
    example: 'skip',
  })
  on_error?: (typeof ON_ERROR)[number];
}

@Answer()
export class ObjectImportColumnView {
  @Text({ about: 'Name of the column.', example: 'Price' }) name!: string;
  @TextList({ about: 'Some of its values.', example: ['129'] }) samples!: string[];
  @Text({ optional: true, about: 'The field that its name says; null where none does.', example: 'price' }) suggested_field!: string | null;
  @Text({ optional: true, about: 'Type of that field.', example: 'number' }) type!: string | null;
}

@Answer()
export class ObjectImportPreviewView {
  @NestedList(() => ObjectImportColumnView, { about: 'The columns in their order.' }) columns!: ObjectImportColumnView[];
  @ApiPropertyOptional({ type: 'array', items: { type: 'object', additionalProperties: true }, description: 'The first rows, at most 20.' })
  rows!: JsonObject[];
  @Whole({ about: 'Rows of the table.', example: 5_000 }) total_estimate!: number;
  @Text({ optional: true, about: 'Encoding of a text file.', example: 'utf-8' }) encoding!: string | null;
  @Text({ optional: true, about: 'Delimiter of a csv.', example: ';' }) delimiter!: string | null;
}
