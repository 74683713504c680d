import { Body as FromBody, Controller, Get, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Caller, Named, Policy, type Principal } from '@atrium/platform/access';
import type { Page } from '@atrium/platform/database';
import { HasId, PathId, Problems, Returns, ReturnsResource } from '@atrium/platform/http';
import type { FileRow } from '../../core/domain/file-row';
import { DELETE } from '../../core/application/route-permissions';
import { Trash, type BatchOutcome } from '../application/trash';
import { FileView } from '../../core/http/files.dto';
import { BatchOutcomes, ListTrash, ManyFiles, TrashPage } from './trash.dto';

@ApiTags('Trash')
@Controller('files')
export class TrashController {
  constructor(private readonly trash: Trash) {}

  /**
   * Lists the trash.
   *
   * Sorted by deletion time, latest first. Contains the files of the repository `repo_type`, or of all repositories from which you may
   * delete. `file_purge_at` is when a file is permanently deleted.
   */
  @Get('trash')
  @Named('listTrash')
  @Policy({ any: DELETE })
  @Returns(TrashPage)
  list(@Caller() caller: Principal, @Query() query: ListTrash): Promise<Page<FileRow>> {
    return this.trash.list(caller, query);
  }

  /**
   * Restores a file from the trash.
   *
   * Its albums, tags and favorites are restored, its publication is not. 409 if the file is not in the trash or its owner no longer
   * exists, 410 if its retention period has ended.
   */
  @Post(':id/restore')
  @HasId()
  @Policy({ any: DELETE })
  @ReturnsResource(FileView)
  @Problems('invalid_state', 'gone', 'license_required')
  restore(@Caller() caller: Principal, @PathId() id: string): Promise<FileRow> {
    return this.trash.restore(caller, id);
  }

  /** Restores up to 1,000 files from the trash; files that cannot be restored are skipped with the reason. */
  @Post('actions/restore')
  @Policy({ any: DELETE })
  @Returns(BatchOutcomes)
  async restoreMany(@Caller() caller: Principal, @FromBody() { file_ids }: ManyFiles): Promise<{ data: BatchOutcome[] }> {
    return { data: await this.trash.restoreMany(caller, file_ids) };
  }

  /** Moves up to 1,000 files to the trash; unknown and unreadable ones are skipped. */
  @Post('actions/delete')
  @Policy({ any: DELETE })
  @Returns(BatchOutcomes)
  async deleteMany(@Caller() caller: Principal, @FromBody() { file_ids }: ManyFiles): Promise<{ data: BatchOutcome[] }> {
    return { data: await this.trash.deleteMany(caller, file_ids) };
  }

  /** Permanently deletes up to 1,000 files from the trash; other files are skipped. */
  @Post('actions/purge')
  @Policy({ any: DELETE })
  @Returns(BatchOutcomes)
  async purgeMany(@Caller() caller: Principal, @FromBody() { file_ids }: ManyFiles): Promise<{ data: BatchOutcome[] }> {
    return { data: await this.trash.purgeMany(caller, file_ids) };
  }
}
