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
   * Lists the relation types of the workspace with the numbers of their links.
   *
   * Links count between documents that the caller may both see.
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
   * Names are unique in any case. A symmetric type reads the same from both ends and takes no inverse name; another one
   * without an inverse name reads the same too, but keeps its direction. At most 500 in a workspace.
   */
  @Post()
  @Policy({ all: ['document:relation:manage'], license: LICENSE })
  @Creates(RelationTypeView, 'document-relation-types/{rt_id}')
  @Problems('already_exists', 'limit_reached')
  create(@Caller() caller: Principal, @FromBody() body: DefineRelationType): Promise<RelationTypeAnswer> {
    return this.types.create(caller, body);
  }

  /** Reads one relation type. */
  @Get(':id')
  @HasId()
  @Policy({ any: ['document:view'], license: LICENSE })
  @ReturnsState(RelationTypeView)
  one(@Caller() caller: Principal, @PathId() id: string): Promise<RelationTypeAnswer> {
    return this.types.one(caller, id);
  }

  /**
   * Replaces the definition of a relation type.
   *
   * What is left out is not there. Its links read the new names at once. Where the type becomes symmetric, two links of
   * a pair in both directions become one: the older is kept.
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
   * Its links go with it; the documents stay as they are.
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
