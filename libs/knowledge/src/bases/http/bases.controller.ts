import { Body as FromBody, Controller, Delete, Get, HttpCode, Patch, Post, Put, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Caller, Named, Policy, type Principal } from '@atrium/platform/access';
import type { Page, Precondition } from '@atrium/platform/database';
import { Creates, Deletes, HasId, HonoursIfMatch, IfMatch, PathId, Problems, Returns, ReturnsState } from '@atrium/platform/http';
import type { BaseAnswer, VersionedBaseAnswer } from '../application/base-answers';
import { BaseLifecycle } from '../application/base-lifecycle';
import { BasesService, type BaseAcl } from '../application/bases.service';
import {
  BaseAccessView,
  ChangeBaseAccess,
  ChangeKnowledgeBase,
  CreateKnowledgeBase,
  KnowledgeBasePage,
  KnowledgeBaseView,
  ListKnowledgeBases,
} from './bases.dto';

@ApiTags('Knowledge bases')
@Controller('knowledge-bases')
export class BasesController {
  constructor(
    private readonly bases: BasesService,
    private readonly lifecycle: BaseLifecycle,
  ) {}

  /**
   * Lists knowledge bases with their counts.
   *
   * Newest first; only bases that the caller may read. Deleted ones are left out unless `ds_active=false` asks for them.
   */
  @Get()
  @Policy({ any: ['knowledge-base:view'] })
  @Returns(KnowledgeBasePage, 'A page of knowledge bases.')
  list(@Caller() caller: Principal, @Query() query: ListKnowledgeBases): Promise<Page<BaseAnswer>> {
    return this.bases.list(caller, query);
  }

  /**
   * Creates a knowledge base.
   *
   * A base of the type `form` names in `ds_config.form_id` the active schema that its records follow. 409 when an active
   * base has the name, and beyond 1,000 bases.
   */
  @Post()
  @Policy({ all: ['knowledge-base:edit'] })
  @Creates(KnowledgeBaseView, 'knowledge-bases/{ds_id}')
  @Problems('already_exists', 'limit_reached')
  create(@Caller() caller: Principal, @FromBody() body: CreateKnowledgeBase): Promise<VersionedBaseAnswer> {
    return this.bases.create(caller, body);
  }

  /**
   * Reads one knowledge base with its counts.
   */
  @Get(':id')
  @Policy({ any: ['knowledge-base:view'] })
  @HasId('id', 'Id of the base.')
  @ReturnsState(KnowledgeBaseView, 'The knowledge base.')
  one(@Caller() caller: Principal, @PathId() id: string): Promise<VersionedBaseAnswer> {
    return this.bases.one(caller, id);
  }

  /**
   * Changes a knowledge base.
   *
   * Only the fields present are applied; `ds_config` is replaced as a whole, and keeps its `form_id` where it names none.
   * Type and schema stay once there are records (409 `invalid_state`). Another chunking has records and own files indexed
   * again: `ds_metadata.reindex_job` names the job.
   */
  @Patch(':id')
  @Policy({ all: ['knowledge-base:edit'] })
  @HasId('id', 'Id of the base.')
  @HonoursIfMatch()
  @ReturnsState(KnowledgeBaseView, 'The knowledge base.')
  @Problems('already_exists', 'invalid_state', 'precondition_failed')
  change(
    @Caller() caller: Principal,
    @PathId() id: string,
    @FromBody() body: ChangeKnowledgeBase,
    @IfMatch() precondition?: Precondition,
  ): Promise<VersionedBaseAnswer> {
    return this.bases.change(caller, id, body, precondition);
  }

  /**
   * Deletes a knowledge base.
   *
   * Nothing is found in it any more, at once; agents that name it ignore it. Its own files go to the trash, linked
   * documents stay as they are. It can be restored for 30 days.
   */
  @Delete(':id')
  @Policy({ all: ['knowledge-base:delete'] })
  @HasId('id', 'Id of the base.')
  @HonoursIfMatch()
  @Deletes()
  @Problems('precondition_failed', 'in_use')
  remove(@Caller() caller: Principal, @PathId() id: string, @IfMatch() precondition?: Precondition): Promise<void> {
    return this.lifecycle.delete(caller, id, precondition);
  }

  /**
   * Restores a deleted knowledge base with its files.
   *
   * Its contents are found again as soon as they are indexed, which happens in the background. 409 when an active base has
   * its name by now, or when it is not deleted; 410 after 30 days.
   */
  @Post(':id/restore')
  @HttpCode(200)
  @Named('restoreKnowledgeBase')
  @Policy({ all: ['knowledge-base:delete'] })
  @HasId('id', 'Id of the base.')
  @ReturnsState(KnowledgeBaseView, 'The knowledge base.')
  @Problems('already_exists', 'gone', 'invalid_state', 'limit_reached')
  restore(@Caller() caller: Principal, @PathId() id: string): Promise<VersionedBaseAnswer> {
    return this.lifecycle.restore(caller, id);
  }

  /**
   * Reads the access list of a knowledge base.
   */
  @Get(':id/access')
  @Named('readKnowledgeBaseAccess')
  @Policy({ any: ['knowledge-base:view'] })
  @HasId('id', 'Id of the base.')
  @ReturnsState(BaseAccessView, 'The access list.')
  access(@Caller() caller: Principal, @PathId() id: string): Promise<BaseAcl> {
    return this.bases.acl(caller, id);
  }

  /**
   * Replaces the access list of a knowledge base.
   *
   * A list that names anybody keeps at least one owner. It is changed by owners of the base and by administrators.
   */
  @Put(':id/access')
  @Named('replaceKnowledgeBaseAccess')
  @Policy({ all: ['knowledge-base:edit'] })
  @HasId('id', 'Id of the base.')
  @HonoursIfMatch()
  @ReturnsState(BaseAccessView, 'The access list.')
  @Problems('precondition_failed')
  share(
    @Caller() caller: Principal,
    @PathId() id: string,
    @FromBody() { ds_acl }: ChangeBaseAccess,
    @IfMatch() precondition?: Precondition,
  ): Promise<BaseAcl> {
    return this.bases.share(caller, id, ds_acl, precondition);
  }
}
