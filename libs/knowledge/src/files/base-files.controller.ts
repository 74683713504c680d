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
   * Lists the files that a knowledge base searches: its own ones and linked documents.
   *
   * Documents that the caller may not read are left out. Own files are uploaded with `file_repo: {"ds": "<id>"}`.
   */
  @Get()
  @Named('listKnowledgeBaseFiles')
  @Policy({ any: ['knowledge-base:view'] })
  @HasId('id', 'Id of the base.')
  @Returns(BaseFilePage, 'A page of files.')
  list(@Caller() caller: Principal, @PathId() id: string, @Query() query: ListBaseFiles): Promise<Page<BaseFileRow>> {
    return this.files.list(caller, id, query);
  }

  /**
   * Links documents of the library to a knowledge base.
   *
   * They are searched where they are, without a copy; readers find those that they may read. Up to 1,000 ids; those that
   * name no document the caller may read are skipped and counted.
   */
  @Post()
  @HttpCode(200)
  @Named('linkKnowledgeBaseFiles')
  @Policy({ all: ['knowledge-base:upload'], license: 'module-documents' })
  @HasId('id', 'Id of the base.')
  @Returns(LinkedDocuments, 'What was linked.')
  link(
    @Caller() caller: Principal,
    @PathId() id: string,
    @FromBody() { file_ids }: BaseFileIds,
  ): Promise<{ added: number; skipped: number }> {
    return this.files.link(caller, id, file_ids);
  }

  /**
   * Unlinks documents from a knowledge base.
   *
   * They stay in the library. Own files of the base are deleted at DELETE /files/{id}.
   */
  @Delete()
  @HttpCode(200)
  @Named('unlinkKnowledgeBaseFiles')
  @Policy({ all: ['knowledge-base:write'] })
  @HasId('id', 'Id of the base.')
  @Returns(UnlinkedDocuments, 'What was unlinked.')
  unlink(
    @Caller() caller: Principal,
    @PathId() id: string,
    @FromBody() { file_ids }: BaseFileIds,
  ): Promise<{ removed: number; skipped: number }> {
    return this.files.unlink(caller, id, file_ids);
  }
}
