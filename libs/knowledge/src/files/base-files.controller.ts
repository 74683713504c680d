import { Body as FromBody, Controller, Delete, Get, HttpCode, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Caller, Named, Policy, type Principal } from '@atrium/platform/access';
import type { Page } from '@atrium/platform/database';
import { HasId, PathId, Returns } from '@atrium/platform/http';
import { BaseFileIds, BaseFilePage, LinkedDocuments, ListBaseFiles, UnlinkedDocuments } from './base-files.dto';
import { BaseFilesService, type BaseFileRow } from './base-files.service';

@ApiTags('Knowledge bases')
@Controller('knowledge-bases/:id/files')
export class BaseFilesController {
  constructor(private readonly files: BaseFilesService) {}

  /**
   * Lists the files of a knowledge base: its own files and linked documents.
   *
   * Documents that you cannot view are left out. Upload own files with `file_repo: {"ds": "<id>"}`.
   */
  @Get()
  @Named('listKnowledgeBaseFiles')
  @Policy({ any: ['knowledge-base:view'] })
  @HasId('id', 'Id of the knowledge base.')
  @Returns(BaseFilePage, 'A page of files.')
  list(@Caller() caller: Principal, @PathId() id: string, @Query() query: ListBaseFiles): Promise<Page<BaseFileRow>> {
    return this.files.list(caller, id, query);
  }

  /**
   * Links documents of the library to a knowledge base.
   *
   * Linked documents are searched in place, not copied; each member finds only the documents that they can view.
   * Accepts up to 1,000 ids. Ids of documents that do not exist or that you cannot view are skipped and counted.
   */
  @Post()
  @HttpCode(200)
  @Named('linkKnowledgeBaseFiles')
  @Policy({ all: ['knowledge-base:upload'], license: 'module-documents' })
  @HasId('id', 'Id of the knowledge base.')
  @Returns(LinkedDocuments, 'The numbers of linked and skipped documents.')
  link(
    @Caller() caller: Principal,
    @PathId() id: string,
    @FromBody() { file_ids }: BaseFileIds,
  ): Promise<{ added: number; skipped: number }> {
    return this.files.linkFiles(caller, id, file_ids);
  }

  /**
   * Unlinks documents from a knowledge base.
   *
   * The documents stay in the library. Delete own files of the base with DELETE /files/{id}.
   */
  @Delete()
  @HttpCode(200)
  @Named('unlinkKnowledgeBaseFiles')
  @Policy({ all: ['knowledge-base:write'] })
  @HasId('id', 'Id of the knowledge base.')
  @Returns(UnlinkedDocuments, 'The numbers of unlinked and skipped documents.')
  unlink(
    @Caller() caller: Principal,
    @PathId() id: string,
    @FromBody() { file_ids }: BaseFileIds,
  ): Promise<{ removed: number; skipped: number }> {
    return this.files.unlinkFiles(caller, id, file_ids);
  }
}
