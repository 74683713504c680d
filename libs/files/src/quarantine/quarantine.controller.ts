import { Controller, HttpCode, Post, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Caller, Named, Policy, type Principal } from '@atrium/platform/access';
import { HasId, PathId, Problems, ReturnsResource } from '@atrium/platform/http';
import type { Response } from 'express';
import type { FileRow } from '../core/domain/file-row';
import { QuarantineRelease } from './quarantine-release';
import { FileView } from '../core/http/files.dto';

/** Files in quarantine. */
@ApiTags('Files')
@Controller('files')
export class QuarantineController {
  constructor(private readonly quarantine: QuarantineRelease) {}

  /**
   * Releases a file from quarantine.
   *
   * Its content is scanned again first, which takes as long as reading it. 409 if something is found, if the file is a program, or if
   * it is not in quarantine.
   */
  @Post(':id/release')
  @Named('releaseFileFromQuarantine')
  @HasId()
  @Policy({ all: ['admin:settings'] })
  @HttpCode(200)
  @ReturnsResource(FileView)
  @Problems('invalid_state', 'upstream_failed')
  release(@Caller() caller: Principal, @PathId() id: string, @Res({ passthrough: true }) response: Response): Promise<FileRow> {
    const gone = new AbortController();
    response.once('close', () => gone.abort());
    return this.quarantine.releaseFile(caller, id, gone.signal);
  }
}
