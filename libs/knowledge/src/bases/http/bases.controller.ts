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
   * The newest come first. Only knowledge bases that you can view are listed; deleted ones are listed only with
   * `ds_active=false`.
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
   * For a base of the type `form`, set `ds_config.form_id` to the active schema that its records follow. Fails with
   * 409 if an active base has the same name, and beyond 1,000 bases.
   */
  @Post()
  @Policy({ all: ['knowledge-base:edit'] })
  @Creates(KnowledgeBaseView, 'knowledge-bases/{ds_id}')
  @Problems('already_exists', 'limit_reached')
  create(@Caller() caller: Principal, @FromBody() body: CreateKnowledgeBase): Promise<VersionedBaseAnswer> {
    return this.bases.create(caller, body);
  }

  /**
   * Reads a knowledge base with its counts.
   *
   * A deleted base is returned with `ds_active` false.
   */
  @Get(':id')
  @Policy({ any: ['knowledge-base:view'] })
  @HasId('id', 'Id of the knowledge base.')
  @ReturnsState(KnowledgeBaseView, 'The knowledge base.')
  get(@Caller() caller: Principal, @PathId() id: string): Promise<VersionedBaseAnswer> {
    return this.bases.get(caller, id);
  }

  /**
   * Changes a knowledge base.
   *
   * Omitted fields stay as they are. `ds_config` is replaced as a whole, except that an omitted `form_id` is kept.
   * The type and the schema cannot be changed once the base has records (409 `invalid_state`). Changing `chunking`
   * indexes the records and the base's own files again; `ds_metadata.reindex_job` identifies the job. A deleted base
   * cannot be changed until it is restored (409).
   */
  @Patch(':id')
  @Policy({ all: ['knowledge-base:edit'] })
  @HasId('id', 'Id of the knowledge base.')
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
   * It disappears from search immediately, and agents that refer to it ignore it. Its own files move to the trash;
   * linked documents are not changed. It can be restored for 30 days.
   */
  @Delete(':id')
  @Policy({ all: ['knowledge-base:delete'] })
  @HasId('id', 'Id of the knowledge base.')
  @HonoursIfMatch()
  @Deletes({ stays: true })
  @Problems('precondition_failed', 'in_use')
  remove(@Caller() caller: Principal, @PathId() id: string, @IfMatch() precondition?: Precondition): Promise<void> {
    return this.lifecycle.deleteBase(caller, id, precondition);
  }

  /**
   * Restores a deleted knowledge base with its files.
   *
   * Its contents are indexed again in the background and can then be found. Fails with 409 if the base is not deleted
   * or if an active base has the same name, and with 410 after 30 days.
   */
  @Post(':id/restore')
  @HttpCode(200)
  @Named('restoreKnowledgeBase')
  @Policy({ all: ['knowledge-base:delete'] })
  @HasId('id', 'Id of the knowledge base.')
  @ReturnsState(KnowledgeBaseView, 'The knowledge base.')
  @Problems('already_exists', 'gone', 'invalid_state', 'limit_reached')
  restore(@Caller() caller: Principal, @PathId() id: string): Promise<VersionedBaseAnswer> {
    return this.lifecycle.restoreBase(caller, id);
  }

  /**
   * Reads the access list of a knowledge base.
   */
  @Get(':id/access')
  @Named('readKnowledgeBaseAccess')
  @Policy({ any: ['knowledge-base:view'] })
  @HasId('id', 'Id of the knowledge base.')
  @ReturnsState(BaseAccessView, 'The access list.')
  access(@Caller() caller: Principal, @PathId() id: string): Promise<BaseAcl> {
    return this.bases.getAccessList(caller, id);
  }

  /**
   * Replaces the access list of a knowledge base.
   *
   * An access list that is not empty needs at least one owner. Only owners of the base and administrators can change
   * it.
   */
  @Put(':id/access')
  @Named('replaceKnowledgeBaseAccess')
  @Policy({ all: ['knowledge-base:edit'] })
  @HasId('id', 'Id of the knowledge base.')
  @HonoursIfMatch()
  @ReturnsState(BaseAccessView, 'The access list.')
  @Problems('invalid_state', 'precondition_failed')
  share(
    @Caller() caller: Principal,
    @PathId() id: string,
    @FromBody() { ds_acl }: ChangeBaseAccess,
    @IfMatch() precondition?: Precondition,
  ): Promise<BaseAcl> {
    return this.bases.changeAccessList(caller, id, ds_acl, precondition);
  }
}
