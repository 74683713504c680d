import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { VIEW, type FileRow } from '@atrium/files';
import { Caller, Named, Policy, type Principal } from '@atrium/platform/access';
import type { Page } from '@atrium/platform/database';
import { HasId, PathId, Returns } from '@atrium/platform/http';
import { invalidField } from '@atrium/platform/kernel';
import { ThreadFiles } from '../application/thread-files';
import { ListThreadFiles, ThreadFilePage } from './threads.dto';

@ApiTags('Threads')
@Controller('threads/:id/files')
export class ThreadFilesController {
  constructor(private readonly files: ThreadFiles) {}

  /**
   * Lists the files of a thread: attachments of its messages, and files uploaded to it or created in it.
   *
   * Files that you cannot view are left out. Upload files with `file_repo: {"thread": "<id>"}`.
   */
  @Get()
  @Named('listThreadFiles')
  @Policy({ any: VIEW })
  @HasId('id', 'Id of the thread.')
  @Returns(ThreadFilePage, 'A page of files.')
  list(
    @Caller() caller: Principal,
    @PathId() id: string,
    @Query() { repo_id, repo_type: _, ...query }: ListThreadFiles,
  ): Promise<Page<FileRow>> {
    if (repo_id !== undefined && repo_id.toLowerCase() !== id) throw invalidField('repo_id', 'must be the id of the thread', 'reference');
    return this.files.listFiles(caller, id, query);
  }
}
