import { Body as FromBody, Controller, Delete, Get, Patch, Post, Query, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Caller, Named, Policy, type Principal } from '@atrium/platform/access';
import type { Page, Precondition } from '@atrium/platform/database';
import {
  Creates,
  Deletes,
  HasId,
  HonoursIfMatch,
  IfMatch,
  PathId,
  Problems,
  Returns,
  ReturnsResource,
  Starts,
} from '@atrium/platform/http';
import { FileJobView, type FileJobRow } from '@atrium/files';
import type { Response } from 'express';
import { TagGroupsService, type TagGroupRow } from '../application/tag-groups.service';
import { acceptedJob, DeletesOrStarts } from '../../shared/file-job-answers';
import { ChangeTagGroup, CreateTagGroup, DeleteTagGroup, ListTagGroups, OrderTagGroups, TagGroupPage, TagGroupView } from './tags.dto';

/** The vocabularies of the workspace. */
@ApiTags('Media tag groups')
@Controller('admin/media-tag-groups')
export class TagGroupsController {
  constructor(private readonly groups: TagGroupsService) {}

  /**
   * Lists tag groups with the numbers of their tags and files.
   *
   * Sorted by their manual order.
   */
  @Get()
  @Policy({ all: ['admin:media-tags'] })
  @Returns(TagGroupPage, 'A page of tag groups.')
  list(@Query() query: ListTagGroups): Promise<Page<TagGroupRow>> {
    return this.groups.list(query);
  }

  /**
   * Creates a tag group.
   *
   * At most 200 per scope, with unique names. Files can only be tagged with the listed values of a closed group.
   */
  @Post()
  @Policy({ all: ['admin:media-tags'] })
  @Creates(TagGroupView, 'admin/media-tag-groups/{mtg_id}')
  @Problems('already_exists', 'limit_reached')
  create(@Caller() caller: Principal, @FromBody() body: CreateTagGroup): Promise<TagGroupRow> {
    return this.groups.create(caller, body);
  }

  /**
   * Reorders tag groups.
   *
   * The given groups come first, in the order of the request; the others follow in their previous order.
   */
  @Patch('order')
  @Named('orderMediaTagGroups')
  @Policy({ all: ['admin:media-tags'] })
  @Deletes()
  async order(@FromBody() { ids }: OrderTagGroups): Promise<void> {
    await this.groups.reorderGroups(ids);
  }

  /** Reads one tag group. */
  @Get(':id')
  @HasId()
  @Policy({ all: ['admin:media-tags'] })
  @ReturnsResource(TagGroupView)
  get(@PathId() id: string): Promise<TagGroupRow> {
    return this.groups.get(id);
  }

  /**
   * Changes a tag group.
   *
   * Only fields in the request are changed; the scope cannot be changed. 409 `in_use` if a group becomes single-value while files have
   * several of its values.
   */
  @Patch(':id')
  @HasId()
  @Policy({ all: ['admin:media-tags'] })
  @HonoursIfMatch()
  @ReturnsResource(TagGroupView)
  @Problems('already_exists', 'in_use', 'precondition_failed')
  change(
    @Caller() caller: Principal,
    @PathId() id: string,
    @FromBody() body: ChangeTagGroup,
    @IfMatch() precondition?: Precondition,
  ): Promise<TagGroupRow> {
    return this.groups.change(caller, id, body, precondition);
  }

  /**
   * Deletes a tag group.
   *
   * A group that has tags is deleted only with `force=true`; the tags are removed from their files. More than 500 files are processed
   * in the background, and the group is deleted at the end.
   */
  @Delete(':id')
  @HasId()
  @Policy({ all: ['admin:media-tags'] })
  @HonoursIfMatch()
  @DeletesOrStarts()
  @Problems('in_use', 'precondition_failed', 'invalid_state')
  async remove(
    @Caller() caller: Principal,
    @PathId() id: string,
    @Query() { force }: DeleteTagGroup,
    @Res({ passthrough: true }) response: Response,
    @IfMatch() precondition?: Precondition,
  ): Promise<FileJobRow | void> {
    const job = await this.groups.remove(caller, id, force ?? false, precondition);
    if (job) return acceptedJob(response, job);
  }

  /**
   * Applies the rules of a tag group to the existing files.
   *
   * New files get their values as soon as they are ready. Decisions of people are kept: a value that a person removed is not
   * assigned again, and in a single-value group the value that a person chose stays. 409 for a group without rules, or while its
   * rules are being applied.
   */
  @Post(':id/apply-rules')
  @Named('applyMediaTagRules')
  @HasId()
  @Policy({ all: ['admin:media-tags'] })
  @Starts(FileJobView, 'file-jobs/{job_id}')
  @Problems('invalid_state')
  apply(@Caller() caller: Principal, @PathId() id: string): Promise<FileJobRow> {
    return this.groups.applyRules(caller, id);
  }
}
