import { Body as FromBody, Controller, Delete, Get, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Caller, Named, Policy, type Principal, self } from '@atrium/platform/access';
import type { Page, Precondition, Versioned } from '@atrium/platform/database';
import { HasId, HonoursIfMatch, IfMatch, PathId, Problems, Returns, ReturnsState, Starts } from '@atrium/platform/http';
import { DownloadJobs, type DownloadJobRow } from '../application/download-jobs.service';
import { DOWNLOAD } from '../../core/application/route-permissions';
import { DownloadJobPage, DownloadJobStateView, DownloadJobView, ListDownloadJobs, OrderDownload } from './downloads.dto';

@ApiTags('Downloads')
@Controller('download-jobs')
export class DownloadJobsController {
  constructor(private readonly jobs: DownloadJobs) {}

  /**
   * Creates an archive of up to 10,000 files in the background.
   *
   * Returns the job to poll. Files that you may not download are omitted and listed in `skipped`; 400 if none remains, 413 if they
   * exceed 100 GiB together, 409 with five unfinished jobs.
   */
  @Post()
  @Named('createDownloadJob')
  @Policy({ any: DOWNLOAD })
  @Starts(DownloadJobView, 'download-jobs/{job_id}')
  @Problems('payload_too_large', 'limit_reached', 'invalid_state')
  order(@Caller() caller: Principal, @FromBody() { file_ids, size }: OrderDownload): Promise<DownloadJobRow> {
    return this.jobs.create(caller, file_ids, size ?? 'original');
  }

  /**
   * Lists your own download jobs.
   *
   * Sorted by creation time, newest first.
   */
  @Get()
  @Policy(self, { byKey: DOWNLOAD })
  @Returns(DownloadJobPage)
  list(@Caller() caller: Principal, @Query() query: ListDownloadJobs): Promise<Page<DownloadJobRow>> {
    return this.jobs.list(caller, query);
  }

  /**
   * Reads one of your own download jobs.
   *
   * Once the job is completed, `download_url` is present; every read signs it for another hour. An API key gets it only for jobs that it
   * started itself, and no one who may not download files any more; for them, `error` is null and `skipped` empty. The archive is kept until `expires_at`, the job for as long as the
   * workspace keeps job records.
   * The ETag changes with `status`, not with the count.
   */
  @Get(':id')
  @HasId()
  @Policy(self, { byKey: DOWNLOAD })
  @ReturnsState(DownloadJobView)
  get(@Caller() caller: Principal, @PathId() id: string): Promise<DownloadJobRow & Versioned> {
    return this.jobs.get(caller, id);
  }

  /** Stops an unfinished job; one that is finished is left as it is. */
  @Delete(':id')
  @Named('cancelDownloadJob')
  @HasId()
  @Policy(self, { byKey: DOWNLOAD })
  @HonoursIfMatch()
  @ReturnsState(DownloadJobStateView)
  @Problems('precondition_failed')
  cancel(
    @Caller() caller: Principal,
    @PathId() id: string,
    @IfMatch() precondition?: Precondition,
  ): Promise<Pick<DownloadJobRow, 'job_id' | 'status'> & Versioned> {
    return this.jobs.cancel(caller, id, precondition);
  }
}
