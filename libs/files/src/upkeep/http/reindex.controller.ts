import { Body as FromBody, Controller, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Caller, Policy, type Principal } from '@atrium/platform/access';
import { Problems, Starts } from '@atrium/platform/http';
import type { FileJobRow } from '../../bulk/application/file-jobs.service';
import { Reindexing } from '../application/reindexing';
import { EDIT } from '../../core/application/route-permissions';
import { FileJobView } from '../../bulk/http/file-jobs.dto';
import { ReindexFiles } from './reindex.dto';

/** Derived data of files, made again. */
@ApiTags('Files')
@Controller('files')
export class ReindexController {
  constructor(private readonly reindexing: Reindexing) {}

  /**
   * Reindexes all files of a repository, or up to 1,000 of them, in the background.
   *
   * Extracts metadata, renditions, text and similarity data again. Returns the job to poll. A repository has one such job at a time;
   * 409 names the running one.
   */
  @Post('actions/reindex')
  @Policy({ any: EDIT }, { body: 128 * 1024 })
  @Starts(FileJobView, 'file-jobs/{job_id}')
  @Problems('invalid_state', 'license_required')
  reindex(@Caller() caller: Principal, @FromBody() body: ReindexFiles): Promise<FileJobRow> {
    return this.reindexing.startReindexing(caller, body);
  }
}
