import { Body as FromBody, Controller, Delete, Get, Patch, Post, Query, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Caller, Policy, type Principal } from '@atrium/platform/access';
import type { Page, Precondition } from '@atrium/platform/database';
import { Creates, HasId, HonoursIfMatch, IfMatch, PathId, Problems, Returns, ReturnsResource } from '@atrium/platform/http';
import type { FileJobRow } from '@atrium/files';
import type { Response } from 'express';
import { TagsService, type TagRow } from '../application/tags.service';
import { acceptedJob, DeletesOrStarts, MayStart } from '../../shared/file-job-answers';
import { ChangeTag, CreateTag, ListTags, MergeTag, TagPage, TagView } from './tags.dto';

/** The values that files are described with. */
@ApiTags('Media tags')
@Controller('media-tags')
export class TagsController {
  constructor(private readonly tags: TagsService) {}

  /**
   * Lists tags with the number of their files.
   *
   * Sorted by value. `mt_value` searches in values, `q` in values and synonyms, ignoring case.
   */
  @Get()
  @Policy({ any: ['media:view'] })
  @Returns(TagPage, 'A page of tags.')
  list(@Caller() caller: Principal, @Query() query: ListTags): Promise<Page<TagRow>> {
    return this.tags.list(caller, query);
  }

  /**
   * Creates a tag in a tag group.
   *
   * No other tag of the group may have the same value or synonyms (409 `already_exists`). A group can have at most 10,000 tags.
   */
  @Post()
  @Policy({ all: ['media:tag'] })
  @Creates(TagView, 'media-tags?mt_id={mt_id}')
  @Problems('already_exists', 'limit_reached', 'invalid_move')
  create(@Caller() caller: Principal, @FromBody() body: CreateTag): Promise<TagRow> {
    return this.tags.create(caller, body);
  }

  /**
   * Changes a tag.
   *
   * Only fields in the request are changed. Files with the tag show the new value immediately.
   */
  @Patch(':id')
  @HasId()
  @Policy({ all: ['media:tag'] })
  @HonoursIfMatch()
  @ReturnsResource(TagView)
  @Problems('already_exists', 'invalid_move', 'precondition_failed')
  change(
    @Caller() caller: Principal,
    @PathId() id: string,
    @FromBody() body: ChangeTag,
    @IfMatch() precondition?: Precondition,
  ): Promise<TagRow> {
    return this.tags.change(caller, id, body, precondition);
  }

  /**
   * Deletes a tag and removes it from its files.
   *
   * The history of each file keeps a record of it. Child tags move to the top level. A tag of more than 500 files is hidden
   * immediately and removed in the background.
   */
  @Delete(':id')
  @HasId()
  @Policy({ all: ['media:tag'] })
  @HonoursIfMatch()
  @DeletesOrStarts()
  @Problems('precondition_failed', 'invalid_state')
  async remove(
    @Caller() caller: Principal,
    @PathId() id: string,
    @Res({ passthrough: true }) response: Response,
    @IfMatch() precondition?: Precondition,
  ): Promise<FileJobRow | void> {
    const job = await this.tags.remove(caller, id, precondition);
    if (job) return acceptedJob(response, job);
  }

  /**
   * Merges a tag into another one of its group.
   *
   * The files are assigned the other tag, and the value becomes a synonym of it. More than 500 files are re-tagged in the
   * background.
   */
  @Post(':id/merge')
  @HasId()
  @Policy({ all: ['media:tag'] })
  @ReturnsResource(TagView)
  @MayStart()
  @Problems('invalid_state')
  async merge(
    @Caller() caller: Principal,
    @PathId() id: string,
    @FromBody() { into }: MergeTag,
    @Res({ passthrough: true }) response: Response,
  ): Promise<TagRow | FileJobRow> {
    const outcome = await this.tags.mergeTags(caller, id, into);
    return 'job' in outcome ? acceptedJob(response, outcome.job) : outcome;
  }
}
