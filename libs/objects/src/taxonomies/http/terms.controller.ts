import { applyDecorators, Body as FromBody, Controller, Delete, Get, Patch, Post, Query, Res } from '@nestjs/common';
import { ApiResponse, ApiTags } from '@nestjs/swagger';
import { Caller, Policy, type Principal } from '@atrium/platform/access';
import type { Page, Precondition } from '@atrium/platform/database';
import {
  API_PREFIX,
  Creates,
  Deletes,
  HasId,
  HonoursIfMatch,
  IfMatch,
  JobView,
  PathId,
  Problems,
  Returns,
  ReturnsResource,
} from '@atrium/platform/http';
import type { Job } from '@atrium/platform/messaging';
import type { Response } from 'express';
import { TermRemoval } from '../application/term-removal';
import { TermsService, type VersionedTermRow, type TermAnswer } from '../application/terms.service';
import { ChangeTerm, CreateTerm, DeleteTerm, ListTerms, TermPage, TermView } from './terms.dto';

const LICENSE = 'module-objects';

/** 204, or 202 with the job where there is much to move. */
const DeletesOrStarts = (): MethodDecorator =>
  applyDecorators(
    Deletes(),
    ApiResponse({
      status: 202,
      type: JobView,
      description: 'Accepted. Poll the job.',
      headers: { Location: { description: 'URL of the job.', schema: { type: 'string' } } },
    }),
  );

/** Terms of a taxonomy. */
@ApiTags('Object taxonomies')
@Controller('object-taxonomies/:id/terms')
export class TermsController {
  constructor(
    private readonly terms: TermsService,
    private readonly removal: TermRemoval,
  ) {}

  /**
   * Lists the terms of a taxonomy.
   *
   * Terms are sorted by `term_order`, whatever their level; `term_parent=root` lists the top level, `under` a whole
   * branch. Inactive terms are listed only with `term_active=false`.
   */
  @Get()
  @HasId('id', 'Id of the taxonomy.')
  @Policy({ any: ['object:view'], license: LICENSE })
  @Returns(TermPage, 'A page of terms.')
  list(@Caller() caller: Principal, @PathId() id: string, @Query() query: ListTerms): Promise<Page<TermAnswer>> {
    return this.terms.list(caller, id, query);
  }

  /**
   * Adds a term to a taxonomy.
   *
   * A taxonomy can have at most 20,000 terms, 10 levels deep. In a flat taxonomy, `term_parent` must be omitted.
   */
  @Post()
  @HasId('id', 'Id of the taxonomy.')
  @Policy({ all: ['object:taxonomy:edit'], license: LICENSE })
  @Creates(TermView, 'object-taxonomies/{term_taxonomy}/terms/{term_id}')
  @Problems('already_exists', 'invalid_move', 'invalid_state', 'limit_reached')
  create(@Caller() caller: Principal, @PathId() id: string, @FromBody() body: CreateTerm): Promise<TermAnswer<VersionedTermRow>> {
    return this.terms.create(caller, id, body);
  }

  /** Reads a term with the terms above it. */
  @Get(':term_id')
  @HasId('id', 'Id of the taxonomy.')
  @HasId('term_id', 'Id of the term.')
  @Policy({ any: ['object:view'], license: LICENSE })
  @ReturnsResource(TermView)
  get(@Caller() caller: Principal, @PathId() id: string, @PathId('term_id') term_id: string): Promise<TermAnswer<VersionedTermRow>> {
    return this.terms.get(caller, id, term_id);
  }

  /**
   * Changes or moves a term.
   *
   * Omitted fields stay as they are. The terms below it move with it. A term cannot be moved below itself or deeper
   * than 10 levels. `term_active: true` restores an inactive term, which cannot be changed otherwise (409).
   */
  @Patch(':term_id')
  @HasId('id', 'Id of the taxonomy.')
  @HasId('term_id', 'Id of the term.')
  @Policy({ all: ['object:taxonomy:edit'], license: LICENSE })
  @HonoursIfMatch()
  @ReturnsResource(TermView)
  @Problems('already_exists', 'invalid_move', 'invalid_state', 'precondition_failed')
  change(
    @Caller() caller: Principal,
    @PathId() id: string,
    @PathId('term_id') term_id: string,
    @FromBody() body: ChangeTerm,
    @IfMatch() precondition?: Precondition,
  ): Promise<TermAnswer<VersionedTermRow>> {
    return this.terms.change(caller, id, term_id, body, precondition);
  }

  /**
   * Deletes a term.
   *
   * A term that objects use is only deactivated, so that they keep it, unless `reassign_to` names another term to
   * replace it. More than 10,000 uses, or uses of more than 20 terms, are replaced in the background; the `result` of
   * the job counts replaced and kept uses. Deleted objects, objects in a locked state and records keep the term, which
   * then remains as an inactive term: it is returned with `term_active` false, and deleting it again returns 204. A
   * term without uses is removed.
   */
  @Delete(':term_id')
  @HasId('id', 'Id of the taxonomy.')
  @HasId('term_id', 'Id of the term.')
  @Policy({ all: ['object:taxonomy:edit'], license: LICENSE })
  @HonoursIfMatch()
  @DeletesOrStarts()
  @Problems('already_exists', 'in_use', 'invalid_state', 'precondition_failed')
  async remove(
    @Caller() caller: Principal,
    @PathId() tax_id: string,
    @PathId('term_id') term_id: string,
    @Query() query: DeleteTerm,
    @Res({ passthrough: true }) response: Response,
    @IfMatch() precondition?: Precondition,
  ): Promise<Job | void> {
    const job = await this.removal.removeTerm(caller, { tax_id, term_id }, query, precondition);
    if (!job) return;
    response.status(202).setHeader('Location', `/${API_PREFIX}/jobs/${job.job_id}`);
    return job;
  }
}
