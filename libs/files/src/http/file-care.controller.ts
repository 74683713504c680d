import { Body as FromBody, Controller, Delete, HttpCode, Post, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { LegalHoldView, type LegalHoldRow } from '@atrium/governance';
import { Caller, Named, Policy, type Principal } from '@atrium/platform/access';
import { Creates, Deletes, HasId, PathId, Problems, ReturnsResource, Starts } from '@atrium/platform/http';
import type { Response } from 'express';
import { FileHold } from '../application/file-hold.service';
import type { FileJobRow } from '../application/file-jobs.service';
import type { FileRow } from '../application/file-queries';
import { QuarantineRelease } from '../application/quarantine-release';
import { Reindexing } from '../application/reindexing';
import { DELETE, EDIT } from '../application/route-permissions';
import { TrashEmptying } from '../application/trash-emptying';
import { FileJobView } from './file-jobs.dto';
import { EmptyTrash, HoldFile, ReindexFiles } from './file-life.dto';
import { FileView } from './files.dto';

/** What keeps a stock of files in order. */
@ApiTags('Files')
@Controller('files')
export class FileCareController {
  constructor(
    private readonly reindexing: Reindexing,
    private readonly emptying: TrashEmptying,
    private readonly holds: FileHold,
    private readonly quarantine: QuarantineRelease,
  ) {}

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
    return this.reindexing.start(caller, body);
  }

  /**
   * Empties the trash in the background.
   *
   * Empties the trash of one repository, or of all from which you may delete. The files that are in it now are permanently deleted;
   * files under a legal hold stay and are listed in the `errors` of the job as `in_use`.
   */
  @Post('trash/empty')
  @Named('emptyTrash')
  @Policy({ any: DELETE })
  @Starts(FileJobView, 'file-jobs/{job_id}')
  @Problems('license_required')
  emptyTrash(@Caller() caller: Principal, @FromBody() { repo_type, repo_id }: EmptyTrash): Promise<FileJobRow> {
    return this.emptying.start(caller, { ...(repo_type ? { repo_type } : {}), ...(repo_id ? { repo_id } : {}) });
  }

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
  hold(@Caller() caller: Principal, @PathId() id: string, @FromBody() { reason }: HoldFile): Promise<LegalHoldRow> {
    return this.holds.put(caller, id, reason);
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
    return this.holds.release(caller, id);
  }

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
    return this.quarantine.release(caller, id, gone.signal);
  }
}
