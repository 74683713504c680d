import { Body as FromBody, Controller, Post, Put, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Caller, Named, Policy, type Principal } from '@atrium/platform/access';
import type { Precondition } from '@atrium/platform/database';
import { HasId, HonoursIfMatch, IfMatch, PathId, Problems, Returns, ReturnsResource } from '@atrium/platform/http';
import type { FileJobRow } from '@atrium/files';
import type { Response } from 'express';
import { FileTags } from '../application/file-tags.service';
import { acceptedJob, MayStart } from '../../shared/file-job-answers';
import { MediaFileView } from '../../library/http/media-files.dto';
import { ChangeMediaTags, SetMediaTags, TaggedFiles } from './tags.dto';

/** Which tags files bear. */
@ApiTags('Media tags')
@Controller('files')
export class FileTagsController {
  constructor(private readonly tags: FileTags) {}

  /**
   * Replaces the tags of a file.
   *
   * Synonyms are replaced by their value. Values and groups that do not exist are created, unless the group is closed (the 400 lists
   * its values) or only members who manage tag groups can create groups. 409 while the status of the file locks it.
   */
  @Put(':id/media-tags')
  @Named('setFileTags')
  @HasId()
  @Policy({ any: ['media:tag', 'media:edit'] })
  @HonoursIfMatch()
  @ReturnsResource(MediaFileView)
  @Problems('invalid_state', 'limit_reached', 'precondition_failed')
  set(
    @Caller() caller: Principal,
    @PathId() id: string,
    @FromBody() { media_tags }: SetMediaTags,
    @IfMatch() precondition?: Precondition,
  ): Promise<object> {
    return this.tags.replaceTags(caller, id, media_tags, precondition);
  }

  /**
   * Adds tags to and removes tags from many files.
   *
   * `remove` is applied first, then `add`; in a single-value group the new value replaces the old one. Files that you may not tag,
   * that their status locks, or that are in the trash are skipped. More than 500 files are processed in the background.
   */
  @Post('actions/media-tags')
  @Named('changeFileTags')
  @Policy({ any: ['media:tag', 'media:edit'] })
  @Returns(TaggedFiles, 'Number of files that were changed and skipped.')
  @MayStart()
  @Problems('limit_reached')
  async change(
    @Caller() caller: Principal,
    @FromBody() { file_ids, add, remove }: ChangeMediaTags,
    @Res({ passthrough: true }) response: Response,
  ): Promise<FileJobRow | { readonly updated: number; readonly skipped: number }> {
    const outcome = await this.tags.changeTags(caller, file_ids, { ...(add ? { add } : {}), ...(remove ? { remove } : {}) });
    return 'job' in outcome ? acceptedJob(response, outcome.job) : { updated: outcome.updated, skipped: outcome.skipped };
  }
}
