import { Body as FromBody, Controller, Post } from '@nestjs/common';
import { Caller, Policy, type Principal } from '@atrium/platform/access';
import { Creates, HasId, PathId, Problems, Renews } from '@atrium/platform/http';
import { ApiTags } from '@nestjs/swagger';
import { EDIT } from '../../core/application/route-permissions';
import { UploadsService, type UploadAnswer } from '../application/uploads.service';
import { OpenFileVersion, UploadView } from './uploads.dto';

/** Uploads that become versions of files. */
@ApiTags('File versions')
@Controller('files/:id')
export class VersionUploadsController {
  constructor(private readonly uploads: UploadsService) {}

  /**
   * Creates an upload that becomes the next version of the file.
   *
   * The same as `POST /uploads` with `upl_file`: send the bytes, then finalize the upload. Default for `file_name`: the name of the
   * file.
   */
  @Post('versions')
  @HasId('id', 'Id of the file.')
  @Policy({ any: EDIT })
  @Creates(UploadView, 'uploads/{upl_id}')
  @Renews(UploadsService, (uploads, opened: UploadAnswer) => uploads.resumeUpload(opened))
  @Problems('invalid_state', 'payload_too_large', 'limit_reached', 'upstream_failed')
  open(@Caller() caller: Principal, @PathId() id: string, @FromBody() body: OpenFileVersion): Promise<UploadAnswer> {
    return this.uploads.openVersion(caller, id, body);
  }
}
