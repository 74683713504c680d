import { Controller, Delete, Get, Res } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { Caller, Named, Policy, type Principal, self } from '@atrium/platform/access';
import type { Precondition, Versioned } from '@atrium/platform/database';
import { Deletes, HasId, HonoursIfMatch, IfMatch, PathId, Problems, ReturnsState } from '@atrium/platform/http';
import type { Response } from 'express';
import { FileJobs, type FileJobRow } from '../application/file-jobs.service';
import { WORK } from '../../core/application/route-permissions';
import { FileJobView } from './file-jobs.dto';

/** Work on many files in the background. */
@ApiTags('Files')
@Controller('file-jobs')
export class FileJobsController {
  constructor(private readonly jobs: FileJobs) {}

  /**
   * Reads one of your own file jobs.
   *
   * Poll it after a 202. `done` and `failed` grow with every batch of up to 200 files; `errors` lists the first 100 files that could
   * not be processed. Without a permission for the kind of the job, `result` and `error` are null and `errors` is empty. Finished jobs are kept for as long as the workspace keeps job records. An API key reads the kinds of jobs that its
   * scopes can start. The ETag changes with `status`, not with the counts.
   */
  @Get(':id')
  @HasId()
  @Policy(self, { byKey: WORK })
  @ReturnsState(FileJobView)
  get(@Caller() caller: Principal, @PathId() id: string): Promise<FileJobRow & Versioned> {
    return this.jobs.get(caller, id);
  }

  /**
   * Stops a file job.
   *
   * It stops at its next batch and is `cancelled`; work done until then is kept. A job that has ended is not changed and is returned
   * with 200.
   */
  @Delete(':id')
  @Named('cancelFileJob')
  @HasId()
  @Policy(self, { byKey: WORK })
  @HonoursIfMatch()
  @Deletes()
  @Problems('precondition_failed')
  @ApiOkResponse({ type: FileJobView, description: 'The job had ended already.' })
  async cancel(
    @Caller() caller: Principal,
    @PathId() id: string,
    @Res({ passthrough: true }) response: Response,
    @IfMatch() precondition?: Precondition,
  ): Promise<FileJobRow | void> {
    const { job, stopped } = await this.jobs.cancel(caller, id, precondition);
    if (stopped) return;
    response.status(200);
    return job;
  }
}
