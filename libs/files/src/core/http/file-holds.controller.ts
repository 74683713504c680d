import { Body as FromBody, Controller, Delete, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { LegalHoldView, type LegalHoldRow } from '@atrium/governance';
import { Caller, Named, Policy, type Principal } from '@atrium/platform/access';
import { Creates, Deletes, HasId, PathId, Problems } from '@atrium/platform/http';
import { FileHold } from '../application/file-hold.service';
import { HoldFile } from './file-holds.dto';

/** Legal holds of single files. */
@ApiTags('Files')
@Controller('files')
export class FileHoldsController {
  constructor(private readonly holds: FileHold) {}

  /**
   * Puts a legal hold on a file.
   *
   * Neither it nor any of its versions is removed for good until the hold is released; it shows as
   * `file_metadata.system.hold` and among all legal holds. 409 when the file bears one already.
   */
  @Post(':id/hold')
  @Named('holdFile')
  @HasId()
  @Policy({ all: ['admin:audit', 'admin:settings'] })
  @Creates(LegalHoldView, 'admin/legal-holds?lh_target_id={lh_target_id}')
  @Problems('not_found', 'already_exists')
  hold(@Caller() caller: Principal, @PathId() id: string, @FromBody() { reason }: HoldFile): Promise<LegalHoldRow> {
    return this.holds.put(caller, id, reason);
  }

  /** Releases the legal hold of a file. 409 when several keep it: they are released one by one. */
  @Delete(':id/hold')
  @Named('releaseFileHold')
  @HasId()
  @Policy({ all: ['admin:audit', 'admin:settings'] })
  @Deletes()
  @Problems('not_found', 'invalid_state')
  unhold(@Caller() caller: Principal, @PathId() id: string): Promise<void> {
    return this.holds.release(caller, id);
  }
}
