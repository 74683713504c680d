import { Body as FromBody, Controller, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { JobView } from '@atrium/governance';
import { Caller, Named, Policy, type Principal } from '@atrium/platform/access';
import { Problems, Starts } from '@atrium/platform/http';
import type { BackgroundJob } from '@atrium/platform/messaging';
import { ImportsService } from '../application/imports.service';
import { ImportObjects } from './import.dto';

/** How objects come from tables. */
@ApiTags('Objects')
@Controller('objects')
export class ObjectImportController {
  constructor(private readonly imports: ImportsService) {}

  /**
   * Imports objects from a table, in the background.
   *
   * A csv, tsv, xlsx, jsonl or json file, or up to 1,000 rows in the request; at most 50 MB, 100,000 rows and 500 columns.
   * Cells are read by the types of the fields and the locale of the workspace. `result` of the job is {created, updated,
   * unchanged, failed, errors}; `errors` has up to 1,000 entries {row, column, message}. Objects that already say what their row
   * says are not written, so an `upsert` that is repeated changes nothing.
   */
  @Post('import')
  @Named('importObjects')
  @Policy({ all: ['object:create', 'object:edit'], license: 'module-objects' })
  @Starts(JobView, 'jobs/{job_id}')
  @Problems('invalid_state', 'not_found', 'payload_too_large', 'unprocessable_content')
  import(@Caller() caller: Principal, @FromBody() { mode = 'insert', on_error = 'skip', ...order }: ImportObjects): Promise<BackgroundJob> {
    return this.imports.start(caller, { ...order, mode, on_error });
  }
}
