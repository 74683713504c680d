import { Body as FromBody, Controller, Get, HttpCode, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { FileJobView, type FileJobRow } from '@atrium/files';
import { Caller, Named, Policy, type Principal } from '@atrium/platform/access';
import type { Page } from '@atrium/platform/database';
import { HasId, PathId, Problems, Returns, Starts } from '@atrium/platform/http';
import { Duplicates, type ResolvedGroup, type DuplicateGroupView as GroupRow } from '../application/duplicates.service';
import { carriedOf, DuplicateGroupPage, DuplicateGroupView, ListDuplicates, ResolvedGroupView, ResolveDuplicates } from './duplicates.dto';

/** Files of the media library that are copies of each other. */
@ApiTags('Duplicates')
@Controller('media-files/duplicates')
export class DuplicatesController {
  constructor(private readonly duplicates: Duplicates) {}

  /**
   * Lists groups of duplicates.
   *
   * Sorted by creation time, newest first. Contains open groups unless `dup_state` selects others. New files are compared when they
   * become ready: identical content forms an `exact` group, similar pictures form a `visual` group. A file is in at most one open
   * group. `dup_suggested_keep` is the best file, and `why_better` lists the advantages of each file.
   */
  @Get()
  @Named('listDuplicates')
  @Policy({ any: ['media:view'] })
  @Returns(DuplicateGroupPage)
  list(@Query() query: ListDuplicates): Promise<Page<GroupRow>> {
    return this.duplicates.list(query);
  }

  /**
   * Scans the whole library for duplicates.
   *
   * Returns a file job. Dismissed groups stay dismissed. 409 while another scan of the workspace is running.
   */
  @Post('scan')
  @Named('scanDuplicates')
  @Policy({ all: ['media:edit'] })
  @Starts(FileJobView, 'file-jobs/{job_id}')
  @Problems('invalid_state')
  scan(@Caller() caller: Principal): Promise<FileJobRow> {
    return this.duplicates.startScan(caller);
  }

  /**
   * Resolves a group: keeps the named files and moves the others to the trash.
   *
   * First, everything in `carry` is copied to each kept file: albums, tags, favorites of all members, people, and metadata and summary
   * where it has none. Its own values are not replaced. Either all of this happens or nothing. Kept files of the same group are not
   * reported as duplicates of each other again. The resolution can be undone for seven days. 409 if the group is not open, or if the
   * status of a kept file locks it.
   */
  @Post(':dup_id/resolve')
  @Named('resolveDuplicates')
  @HttpCode(200)
  @Policy({ all: ['media:edit', 'media:delete'] })
  @HasId('dup_id', 'Id of the group.')
  @Returns(ResolvedGroupView)
  @Problems('invalid_state')
  resolve(
    @Caller() caller: Principal,
    @PathId('dup_id') id: string,
    @FromBody() { keep, carry }: ResolveDuplicates,
  ): Promise<ResolvedGroup> {
    return this.duplicates.resolveGroup(caller, id, { keep, carry: carriedOf(carry) });
  }

  /**
   * Undoes the resolution of a group, within seven days.
   *
   * The files are restored from the trash, and values copied to the kept files are removed, except where people changed them since.
   * 410 after seven days or if a file was purged, 409 if the group is not resolved.
   */
  @Post(':dup_id/undo')
  @Named('undoDuplicateMerge')
  @HttpCode(200)
  @Policy({ all: ['media:edit', 'media:delete'] })
  @HasId('dup_id', 'Id of the group.')
  @Returns(DuplicateGroupView)
  @Problems('invalid_state', 'gone')
  undo(@Caller() caller: Principal, @PathId('dup_id') id: string): Promise<GroupRow> {
    return this.duplicates.undoResolution(caller, id);
  }

  /**
   * Dismisses a group.
   *
   * Its files are marked as not duplicates, and no pair of them is reported again. 409 if the group is not open.
   */
  @Post(':dup_id/dismiss')
  @Named('dismissDuplicates')
  @HttpCode(200)
  @Policy({ all: ['media:edit'] })
  @HasId('dup_id', 'Id of the group.')
  @Returns(DuplicateGroupView)
  @Problems('invalid_state')
  dismiss(@Caller() caller: Principal, @PathId('dup_id') id: string): Promise<GroupRow> {
    return this.duplicates.dismissGroup(caller, id);
  }
}
