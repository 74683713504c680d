import { Body as FromBody, Controller, Get, HttpCode, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { FileJobView, type FileJobRow } from '@atrium/files';
import { Caller, Named, Policy, type Principal } from '@atrium/platform/access';
import type { Page } from '@atrium/platform/database';
import { HasId, PathId, Problems, Returns, Starts } from '@atrium/platform/http';
import type { DuplicateGroupView as GroupRow } from '../application/duplicate-views';
import { Duplicates, type ResolvedGroup } from '../application/duplicates.service';
import { carriedOf, DuplicateGroupPage, DuplicateGroupView, ListDuplicates, ResolvedGroupView, ResolveDuplicates } from './duplicates.dto';

/** Files of the media library that are copies of each other. */
@ApiTags('Duplicates')
@Controller('media-files/duplicates')
export class DuplicatesController {
  constructor(private readonly duplicates: Duplicates) {}

  /**
   * Lists groups of duplicates, newest first.
   *
   * Open groups unless `dup_state` says otherwise. New files are looked at when they become ready: equal bytes make an
   * `exact` group, pictures that look alike a `visual` one; a file lies in one open group at most. `dup_suggested_keep`
   * names the best file, `why_better` says of each in what it beats the others.
   */
  @Get()
  @Named('listDuplicates')
  @Policy({ any: ['media:view'] })
  @Returns(DuplicateGroupPage)
  list(@Query() query: ListDuplicates): Promise<Page<GroupRow>> {
    return this.duplicates.list(query);
  }

  /**
   * Looks for duplicates in the whole library.
   *
   * Answers a file job. What was dismissed stays dismissed. 409 while another scan of the workspace is at work.
   */
  @Post('scan')
  @Named('scanDuplicates')
  @Policy({ all: ['media:edit'] })
  @Starts(FileJobView, 'file-jobs/{job_id}')
  @Problems('invalid_state')
  scan(@Caller() caller: Principal): Promise<FileJobRow> {
    return this.duplicates.scan(caller);
  }

  /**
   * Resolves a group: keeps the named files and moves the others to the trash.
   *
   * What `carry` names goes over to each kept file first: its albums, tags, everybody's favorites, people, metadata it has
   * none of, and a summary where it has none; nothing of its own is replaced. All of it happens or nothing. Files kept
   * beside each other are not brought up as duplicates again. It can be undone for seven days. 409 when the group is not
   * open, or when the status of a kept file locks it.
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
    return this.duplicates.resolve(caller, id, { keep, carry: carriedOf(carry) });
  }

  /**
   * Undoes the resolution of a group, within seven days.
   *
   * The files come back from the trash and the kept ones lose what they got, except where people changed it since. 410 when
   * the time is over or a file was removed for good, 409 when the group is not resolved.
   */
  @Post(':dup_id/undo')
  @Named('undoDuplicateMerge')
  @HttpCode(200)
  @Policy({ all: ['media:edit', 'media:delete'] })
  @HasId('dup_id', 'Id of the group.')
  @Returns(DuplicateGroupView)
  @Problems('invalid_state', 'gone')
  undo(@Caller() caller: Principal, @PathId('dup_id') id: string): Promise<GroupRow> {
    return this.duplicates.undo(caller, id);
  }

  /** Dismisses a group: its files are no duplicates, and no pair of them is brought up again. 409 when it is not open. */
  @Post(':dup_id/dismiss')
  @Named('dismissDuplicates')
  @HttpCode(200)
  @Policy({ all: ['media:edit'] })
  @HasId('dup_id', 'Id of the group.')
  @Returns(DuplicateGroupView)
  @Problems('invalid_state')
  dismiss(@Caller() caller: Principal, @PathId('dup_id') id: string): Promise<GroupRow> {
    return this.duplicates.dismiss(caller, id);
  }
}
