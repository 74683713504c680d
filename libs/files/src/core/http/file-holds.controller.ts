import { Body as FromBody, Controller, Delete, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { LegalHoldView, type LegalHoldRow } from '@atrium/governance';
import { Caller, Named, Policy, type Principal } from '@atrium/platform/access';
import { Creates, Deletes, HasId, PathId, Problems } from '@atrium/platform/http';
import { FileHolds } from '../application/file-holds';
import { HoldFile } from './files.dto';

/** Legal holds of single files. */
@ApiTags('Files')
@Controller('files')
export class FileHoldsController {
  constructor(private readonly holds: FileHolds) {}

  /**
   * Places a legal hold on a file.
   *
   * The file and its versions are not permanently deleted until the hold is released. The hold is shown as `file_metadata.system.hold`
   * and in the list of legal holds. 409 if the file is already under one.
   */
  @Post(':id/hold')
  @Named('holdFile')
  @HasId()
  @Policy({ all: ['admin:audit', 'admin:settings'] })
  @Creates(LegalHoldView, 'admin/legal-holds?lh_target_id={lh_target_id}')
  @Problems('not_found', 'already_exists')
  hold(@Caller() caller: Principal, @PathId() id: string, @FromBody() { lh_reason }: HoldFile): Promise<LegalHoldRow> {
    return this.holds.placeHold(caller, id, lh_reason);
  }

  /**
   * Releases the legal hold of a file.
   *
   * 409 if it has several, which are released one by one.
   */
  @Delete(':id/hold')
  @Named('releaseFileHold')
  @HasId()
  @Policy({ all: ['admin:audit', 'admin:settings'] })
  @Deletes()
  @Problems('not_found', 'invalid_state')
  unhold(@Caller() caller: Principal, @PathId() id: string): Promise<void> {
    return this.holds.releaseHold(caller, id);
  }
}
