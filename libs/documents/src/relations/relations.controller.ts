import { Body as FromBody, Controller, Delete, Get, Post, Query, Res } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { Caller, Named, Policy, type Principal } from '@atrium/platform/access';
import type { Page } from '@atrium/platform/database';
import { Creates, Deletes, HasId, KeptAs, PathId, Problems, Returns } from '@atrium/platform/http';
import type { Response } from 'express';
import { DocumentRelationPage, DocumentRelationView, LinkDocuments, ListRelations } from './relations.dto';
import type { RelationRow } from './stored-relation';
import { RelationsService, type LinkedDocuments } from './relations.service';

const LICENSE = 'module-documents';

/** The links of a document. */
@ApiTags('Document relations')
@Controller('documents/:id/relations')
export class RelationsController {
  constructor(private readonly relations: RelationsService) {}

  /**
   * Lists the links of a document in both directions.
   *
   * Each link includes the other document, even if it is deprecated. Links to documents that are in the trash, or
   * that you cannot view, are left out.
   */
  @Get()
  @Named('listDocumentRelations')
  @HasId()
  @Policy({ any: ['document:view'], license: LICENSE })
  @Returns(DocumentRelationPage, 'A page of links.')
  @Problems('not_found')
  list(@Caller() caller: Principal, @PathId() id: string, @Query() query: ListRelations): Promise<Page<RelationRow>> {
    return this.relations.list(caller, id, query);
  }

  /**
   * Links a document to another document.
   *
   * You need edit access to both documents. If the documents already have a link of this type, it is returned
   * unchanged with 200; for a symmetric type, in either direction. A document can have at most 1,000 links.
   */
  @Post()
  @Named('linkDocuments')
  @HasId()
  @Policy({ all: ['document:edit'], license: LICENSE })
  @Creates(DocumentRelationView, 'documents/{id}/relations')
  @ApiOkResponse({ type: DocumentRelationView, description: 'The existing link.' })
  @KeptAs(({ isNew, relation }: Partial<LinkedDocuments>) => relation && { status: isNew ? 201 : 200, body: relation })
  @Problems('not_found', 'limit_reached')
  async create(
    @Caller() caller: Principal,
    @PathId() id: string,
    @FromBody() body: LinkDocuments,
    @Res({ passthrough: true }) response: Response,
  ): Promise<RelationRow> {
    const { relation, isNew } = await this.relations.create(caller, id, body);
    if (!isNew) response.status(200);
    return relation;
  }

  /**
   * Removes a link.
   *
   * The documents are not changed.
   */
  @Delete(':relation_id')
  @Named('unlinkDocuments')
  @HasId()
  @HasId('relation_id', 'Id of the link.')
  @Policy({ all: ['document:edit'], license: LICENSE })
  @Deletes()
  remove(@Caller() caller: Principal, @PathId() id: string, @PathId('relation_id') relation_id: string): Promise<void> {
    return this.relations.remove(caller, id, relation_id);
  }
}
