import { Body as FromBody, Controller, Delete, Post, Query, Res } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { Caller, Named, Policy, type Principal } from '@atrium/platform/access';
import type { Precondition } from '@atrium/platform/database';
import { Deletes, HasId, HonoursIfMatch, IfMatch, PathId, Problems, Starts } from '@atrium/platform/http';
import type { Response } from 'express';
import type { FileJobRow } from '../../bulk/application/file-jobs.service';
import { FilesService, type DeletionPreview } from '../../core/application/files.service';
import { DELETE } from '../../core/application/route-permissions';
import { Trash } from '../application/trash';
import { TrashEmptying } from '../application/trash-emptying';
import { FileJobView } from '../../bulk/http/file-jobs.dto';
import { DeleteFile, DeletionPreviewView, EmptyTrash } from './trash.dto';

/** Files on their way into the trash, and out of it for good. */
@ApiTags('Files')
@Controller('files')
export class FileDeletionController {
  constructor(
    private readonly files: FilesService,
    private readonly trash: Trash,
    private readonly emptying: TrashEmptying,
  ) {}

  /**
   * Moves a file to the trash, or with `dry_run=true` only reports what that would affect.
   *
   * Albums, tags and favorites are kept for a restore. The file is permanently deleted at `file_purge_at`, after 30 days unless the
   * workspace sets another period.
   */
  @Delete(':id')
  @HasId()
  @Policy({ any: DELETE })
  @Deletes()
  @ApiOkResponse({ type: DeletionPreviewView, description: 'With `dry_run=true`: what deleting the file would affect.' })
  @HonoursIfMatch()
  @Problems('precondition_failed', 'license_required')
  async remove(
    @Caller() caller: Principal,
    @PathId() id: string,
    @Query() { dry_run }: DeleteFile,
    @Res({ passthrough: true }) response: Response,
    @IfMatch() precondition?: Precondition,
  ): Promise<DeletionPreview | void> {
    if (!dry_run) return this.trash.trashFile(caller, id, precondition);
    response.status(200);
    return this.files.previewDeletion(caller, id);
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
    return this.emptying.startEmptying(caller, { ...(repo_type ? { repo_type } : {}), ...(repo_id ? { repo_id } : {}) });
  }
}
