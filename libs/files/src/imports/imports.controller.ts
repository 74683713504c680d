import { Body as FromBody, Controller, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Caller, Named, Policy, type Principal } from '@atrium/platform/access';
import { Problems, Starts } from '@atrium/platform/http';
import type { FileJobRow } from '../bulk/application/file-jobs.service';
import { UPLOAD } from '../core/application/route-permissions';
import { UrlImports } from './url-imports';
import { FileJobView } from '../bulk/http/file-jobs.dto';
import { ImportFile } from './imports.dto';

/** Files that are fetched instead of sent. */
@ApiTags('Uploads')
@Controller('uploads')
export class ImportsController {
  constructor(private readonly imports: UrlImports) {}

  /**
   * Imports a file from a URL in the background.
   *
   * Returns the job to poll; once it is completed, `result.file_id` is the id of the file. Redirects are followed, each checked like
   * the URL itself. The job fails with a reason if the URL leads to a private network or the file is larger than an upload can be.
   */
  @Post('import')
  @Named('importFile')
  @Policy({ any: UPLOAD }, { rate: 'upload' })
  @Starts(FileJobView, 'file-jobs/{job_id}')
  @Problems('license_required')
  start(@Caller() caller: Principal, @FromBody() body: ImportFile): Promise<FileJobRow> {
    return this.imports.startImport(caller, body);
  }
}
