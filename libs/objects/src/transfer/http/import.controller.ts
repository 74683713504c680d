import { Body as FromBody, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { ImportPreview } from '@atrium/imports';
import { Caller, Named, Policy, type Principal } from '@atrium/platform/access';
import { JobView, Problems, Returns, Starts } from '@atrium/platform/http';
import type { Job } from '@atrium/platform/messaging';
import { ImportPreviews } from '../application/import-preview.service';
import { ImportsService } from '../application/imports.service';
import { ImportObjects, ObjectImportPreviewView, PreviewObjectImport } from './import.dto';

/** Imports of objects. */
@ApiTags('Objects')
@Controller('objects')
export class ObjectImportController {
  constructor(
    private readonly imports: ImportsService,
    private readonly previews: ImportPreviews,
  ) {}

  /**
   * Previews an import of objects.
   *
   * Returns the columns, the field that each column name suggests, and the first rows. Nothing is stored. If the
   * header is incomplete, the request fails with 400 and names the columns.
   */
  @Post('import/preview')
  @HttpCode(200)
  @Named('previewObjectImport')
  @Policy({ all: ['object:create', 'object:edit'], license: 'module-objects' })
  @Returns(ObjectImportPreviewView, 'The columns and rows read.')
  @Problems('invalid_state', 'payload_too_large', 'unprocessable_content')
  preview(@Caller() caller: Principal, @FromBody() body: PreviewObjectImport): Promise<ImportPreview> {
    return this.previews.previewImport(caller, body);
  }

  /**
   * Imports objects from a table in the background.
   *
   * The table is a csv, tsv, xlsx, jsonl or json file, or up to 1,000 rows in the request; at most 50 MB, 100,000
   * rows and 500 columns. Cells are read by the types of the fields, the locale and the time zone of the workspace;
   * ambiguous numbers, dates and times are rejected. Fields for terms or objects accept ids, unique keys or names.
   *
   * The job ends as `completed`, as `partial` if some rows were rejected, or as `failed` if none was imported. Its
   * `result` is {created, updated, unchanged, failed, errors}; `errors` has up to 1,000 entries {row, column,
   * message}, at most 50 of a row. A row of JSON can have at most 500 columns and 10,000 different names, those in nested
   * objects included. Objects that already match their row are not written, so repeating an `upsert` changes nothing.
   */
  @Post('import')
  @Named('importObjects')
  @Policy({ all: ['object:create', 'object:edit'], license: 'module-objects' })
  @Starts(JobView, 'jobs/{job_id}')
  @Problems('invalid_state', 'payload_too_large', 'unprocessable_content')
  import(@Caller() caller: Principal, @FromBody() { mode = 'insert', on_error = 'skip', ...order }: ImportObjects): Promise<Job> {
    return this.imports.startImport(caller, { ...order, mode, on_error });
  }
}
