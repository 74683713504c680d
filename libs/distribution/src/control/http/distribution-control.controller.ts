import { Body as FromBody, Controller, Delete, Get, HttpCode, Patch, Post, Put, Query, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Caller, Policy, type Principal } from '@atrium/platform/access';
import { pageOfRows, type Page, type Precondition } from '@atrium/platform/database';
import {
  Creates,
  Deletes,
  HasId,
  HonoursIfMatch,
  IfMatch,
  KeptAs,
  PathId,
  Problems,
  ReturnsResourceOr,
  Returns,
  ReturnsResource,
  ReturnsState,
} from '@atrium/platform/http';
import type { Response } from 'express';
import { EvaluationService, VIEW_RULES } from '../application/evaluation.service';
import { RestrictionsService, type BaselineRow, type ChangedRestriction, type RestrictionRow } from '../application/restrictions.service';
import type { Impact } from '../application/rule-impact';
import { TERRITORY_CODES, TERRITORY_GROUPS, territoryName } from '../domain/territories';
import {
  BaselineView,
  ChangeRestriction,
  CreateRestriction,
  DeleteRestriction,
  EvaluateBody,
  EvaluationView,
  ListRestrictions,
  ListTerritories,
  RestrictionImpact,
  RestrictionPage,
  RestrictionView,
  SavedRestriction,
  SetBaseline,
  TerritoryPage,
  TerritoryView,
  TryRestriction,
} from './distribution-control.dto';

/** The rules for where published files and share links may be used. */
@ApiTags('Distribution control')
@Controller('distribution')
export class DistributionControlController {
  constructor(
    private readonly restrictions: RestrictionsService,
    private readonly evaluation: EvaluationService,
  ) {}

  /** Lists the restrictions of the catalog. */
  @Get('restrictions')
  @Policy({ any: VIEW_RULES })
  @Returns(RestrictionPage, 'A page of restrictions.')
  list(@Caller() caller: Principal, @Query() query: ListRestrictions): Promise<Page<RestrictionRow>> {
    return this.restrictions.list(caller, query);
  }

  /** Reads one restriction. */
  @Get('restrictions/:id')
  @Policy({ any: VIEW_RULES })
  @HasId('id', 'Id of the restriction.')
  @ReturnsResource(RestrictionView)
  get(@Caller() caller: Principal, @PathId() id: string): Promise<RestrictionRow> {
    return this.restrictions.get(caller, id);
  }

  /**
   * Adds a restriction to the catalog.
   *
   * It applies immediately where publications use it, and with `dr_baseline` to every publication and share link. The header
   * `X-Affected` is the number of affected publications. If it allows only values that no other restriction of its kind allows, the
   * response contains `warnings`.
   */
  @Post('restrictions')
  @Policy({ all: ['admin:distribution'] })
  @Creates(SavedRestriction, 'distribution/restrictions/{dr_id}')
  @KeptAs(
    ({ affected, restriction }: Partial<ChangedRestriction>) =>
      restriction && { status: 201, body: restriction, headers: { 'X-Affected': String(affected) } },
  )
  @Problems('already_exists', 'limit_reached')
  async create(
    @Caller() caller: Principal,
    @FromBody() body: CreateRestriction,
    @Res({ passthrough: true }) response: Response,
  ): Promise<object> {
    return affecting(response, await this.restrictions.create(caller, body));
  }

  /**
   * Changes a restriction, or with `dry_run=true` only reports whom the change would exclude.
   *
   * Only fields in the request are changed; the kind cannot be changed. The change applies immediately, and on external edges within
   * moments. The header `X-Affected` is the number of affected publications.
   */
  @Patch('restrictions/:id')
  @Policy({ all: ['admin:distribution'] })
  @HasId('id', 'Id of the restriction.')
  @HonoursIfMatch()
  @ReturnsResourceOr(SavedRestriction, RestrictionImpact, 'The restriction; with `dry_run=true`, the effects of the change.')
  @Problems('already_exists', 'precondition_failed')
  async change(
    @PathId() id: string,
    @FromBody() body: ChangeRestriction,
    @Query() { dry_run }: TryRestriction,
    @Res({ passthrough: true }) response: Response,
    @IfMatch() precondition?: Precondition,
  ): Promise<object | Impact> {
    if (dry_run) return this.restrictions.previewChange(id, body);
    return affecting(response, await this.restrictions.change(id, body, precondition));
  }

  /**
   * Removes a restriction from the catalog.
   *
   * 409 `in_use` while publications use it, unless `detach=true` removes it from them; a publication without remaining rules becomes
   * available worldwide.
   */
  @Delete('restrictions/:id')
  @Policy({ all: ['admin:distribution'] })
  @HasId('id', 'Id of the restriction.')
  @HonoursIfMatch()
  @Deletes()
  @Problems('in_use', 'precondition_failed')
  async remove(
    @PathId() id: string,
    @Query() query: DeleteRestriction,
    @Res({ passthrough: true }) response: Response,
    @IfMatch() precondition?: Precondition,
  ): Promise<void> {
    response.setHeader('X-Affected', await this.restrictions.remove(id, query, precondition));
  }

  /**
   * Reads the baseline: the restrictions that apply to every publication and share link.
   *
   * The ETag changes with the restrictions; each restriction also has its own.
   */
  @Get('baseline')
  @Policy({ any: VIEW_RULES })
  @ReturnsState(BaselineView, 'The baseline.')
  baseline(@Caller() caller: Principal): Promise<BaselineRow> {
    return this.restrictions.getBaseline(caller);
  }

  /**
   * Sets the baseline.
   *
   * The given restrictions replace the baseline and apply to every publication and share link immediately. The header `X-Affected` is
   * the number of affected publications.
   */
  @Put('baseline')
  @Policy({ all: ['admin:distribution'] })
  @HonoursIfMatch()
  @ReturnsState(BaselineView, 'The baseline.')
  @Problems('precondition_failed')
  async setBaseline(
    @FromBody() { restriction_ids }: SetBaseline,
    @Res({ passthrough: true }) response: Response,
    @IfMatch() precondition?: Precondition,
  ): Promise<BaselineRow> {
    const { affected, baseline } = await this.restrictions.setBaseline(restriction_ids, precondition);
    response.setHeader('X-Affected', affected);
    return baseline;
  }

  /**
   * Evaluates a request against distribution rules and returns every test.
   *
   * Name a publication, a file or a share link, or send unsaved rules as `policy`, and the known properties of the client. Nothing is
   * stored or counted.
   */
  @Post('evaluate')
  @HttpCode(200)
  @Policy({ any: ['media:view'] }, { rate: 'read' })
  @Returns(EvaluationView, 'The decision, with every test.')
  evaluate(@Caller() caller: Principal, @FromBody() body: EvaluateBody): Promise<object> {
    return this.evaluation.evaluateRequest(caller, body);
  }

  /**
   * Lists the territories and groups that rules may name.
   *
   * Without `limit`, one page contains all territories.
   */
  @Get('territories')
  @Policy({ any: ['media:view'] })
  @Returns(TerritoryPage, 'Territories and groups.')
  territories(@Query() query: ListTerritories): TerritoryPage {
    const rows = TERRITORY_CODES.map((code) => ({ code, name: territoryName(code) }));
    return {
      ...pageOfRows(TerritoryView, rows, query, ({ code }) => code),
      groups: Object.entries(TERRITORY_GROUPS).map(([code, members]) => ({ code, members: [...members] })),
    };
  }
}

function affecting(response: Response, { affected, restriction }: { readonly affected: number; readonly restriction: object }): object {
  response.setHeader('X-Affected', affected);
  return restriction;
}
