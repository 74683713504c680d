import { Body as FromBody, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { ImportPreview } from '@atrium/imports';
import { Caller, Named, Policy, type Principal } from '@atrium/platform/access';
import { JobView, Problems, Returns, Starts } from '@atrium/platform/http';
import type { Job } from '@atrium/platform/messaging';
import { ImportPreviews } from '../application/import-preview.service';
import { ImportsService } from '../application/imports.service';
import { ImportObjects, ObjectImportPreviewView, PreviewObjectImport } from './import.dto';

/** How objects come from tables. */
@ApiTags('Objects')
@Controller('objects')
export class ObjectImportController {
  constructor(
    private readonly imports: ImportsService,
    private readonly previews: ImportPreviews,
  ) {}

  /**
   * Shows what an import of objects would read.
   *
   * The columns with the fields that their names say, and the first rows. Nothing is stored. A header that is incomplete
   * answers 400 and names the columns.
   */
  @Post('import/preview')
  @HttpCode(200)
  @Named('previewObjectImport')
  @Policy({ all: ['object:create', 'object:edit'], license: 'module-objects' })
  @Returns(ObjectImportPreviewView, 'What would be read.')
  @Problems('invalid_state', 'payload_too_large', 'unprocessable_content')
  preview(@Caller() caller: Principal, @FromBody() body: PreviewObjectImport): Promise<ImportPreview> {
    return this.previews.preview(caller, body);
  }

  /**
   * Imports objects from a table, in the background.
   *
   * A csv, tsv, xlsx, jsonl or json file, or up to 1,000 rows in the request; at most 50 MB, 100,000 rows and 500 columns.
   * Cells are read by the types of the fields, the locale and the time zone of the workspace: a number, day or time that can be
   * two is refused. Fields that refer to terms or objects take ids, unique keys or names. The job ends as `completed`, `partial`
   * where some rows were refused, or `failed` where none was taken; its `result` is {created, updated,
   * unchanged, failed, errors}; `errors` has up to 1,000 entries {row, column, message}. Objects that already say what their row
   * says are not written, so an `upsert` that is repeated changes nothing.
   */
  @Post('import')
  @Named('importObjects')
  @Policy({ all: ['object:create', 'object:edit'], license: 'module-objects' })
  @Starts(JobView, 'jobs/{job_id}')
  @Problems('invalid_state', 'payload_too_large', 'unprocessable_content')
  import(@Caller() caller: Principal, @FromBody() { mode = 'insert', on_error = 'skip', ...order }: ImportObjects): Promise<Job> {
    return this.imports.start(caller, { ...order, mode, on_error });
  }
}
