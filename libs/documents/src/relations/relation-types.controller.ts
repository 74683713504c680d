import { Body as FromBody, Controller, Delete, Get, Post, Put, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Caller, Policy, type Principal } from '@atrium/platform/access';
import type { Page, Precondition } from '@atrium/platform/database';
import { Creates, Deletes, HasId, HonoursIfMatch, IfMatch, PathId, Problems, Returns, ReturnsState } from '@atrium/platform/http';
import { RelationTypesService, type RelationTypeAnswer } from './relation-types.service';
import { DefineRelationType, ListRelationTypes, RelationTypePage, RelationTypeView } from './relations.dto';

const LICENSE = 'module-documents';

/** The kinds of links between documents. */
@ApiTags('Document relations')
@Controller('document-relation-types')
export class RelationTypesController {
  constructor(private readonly types: RelationTypesService) {}

  /**
   * Lists the relation types of the workspace with their link counts.
   *
   * Only links between documents that you can view are counted.
   */
  @Get()
  @Policy({ any: ['document:view'], license: LICENSE })
  @Returns(RelationTypePage, 'A page of relation types.')
  list(@Caller() caller: Principal, @Query() query: ListRelationTypes): Promise<Page<RelationTypeAnswer>> {
    return this.types.list(caller, query);
  }

  /**
   * Creates a relation type.
   *
   * Names are unique in any case. A symmetric type reads the same in both directions and has no inverse name. A type
   * that is not symmetric and has no inverse name uses its name in both directions, but its links keep their
   * direction. A workspace can have at most 500 relation types.
   */
  @Post()
  @Policy({ all: ['document:relation:manage'], license: LICENSE })
  @Creates(RelationTypeView, 'document-relation-types/{rt_id}')
  @Problems('already_exists', 'limit_reached')
  create(@Caller() caller: Principal, @FromBody() body: DefineRelationType): Promise<RelationTypeAnswer> {
    return this.types.create(caller, body);
  }

  /** Reads a relation type. */
  @Get(':id')
  @HasId()
  @Policy({ any: ['document:view'], license: LICENSE })
  @ReturnsState(RelationTypeView)
  get(@Caller() caller: Principal, @PathId() id: string): Promise<RelationTypeAnswer> {
    return this.types.get(caller, id);
  }

  /**
   * Replaces the definition of a relation type.
   *
   * Omitted fields are cleared. Existing links show the new names immediately. If the type becomes symmetric and two
   * documents are linked in both directions, the older link is kept and the other removed.
   */
  @Put(':id')
  @HasId()
  @Policy({ all: ['document:relation:manage'], license: LICENSE })
  @HonoursIfMatch()
  @ReturnsState(RelationTypeView)
  @Problems('already_exists', 'precondition_failed')
  replace(
    @Caller() caller: Principal,
    @PathId() id: string,
    @FromBody() body: DefineRelationType,
    @IfMatch() precondition?: Precondition,
  ): Promise<RelationTypeAnswer> {
    return this.types.replace(caller, id, body, precondition);
  }

  /**
   * Deletes a relation type.
   *
   * Its links are deleted too; the documents are not changed.
   */
  @Delete(':id')
  @HasId()
  @Policy({ all: ['document:relation:manage'], license: LICENSE })
  @HonoursIfMatch()
  @Deletes()
  @Problems('precondition_failed')
  remove(@PathId() id: string, @IfMatch() precondition?: Precondition): Promise<void> {
    return this.types.remove(id, precondition);
  }
}
