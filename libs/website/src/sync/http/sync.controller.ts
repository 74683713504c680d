import { Body as FromBody, Controller, Get, HttpCode, Param, Post, Query, Res } from '@nestjs/common';
import { ApiParam, ApiTags } from '@nestjs/swagger';
import { invalidField } from '@atrium/platform/kernel';
import { Caller, Named, Policy, type Principal } from '@atrium/platform/access';
import { HasId, PathId, Problems, Returns } from '@atrium/platform/http';
import type { Response } from 'express';
import { PageSyncService, type ComparedPageView as Compared } from '../application/page-sync.service';
import { ScanService } from '../application/scan.service';
import { SchemaSyncService } from '../application/schema-sync.service';
import { SyncService } from '../application/sync.service';
import { AnswersRun, answerRun, SYNC_REFUSALS } from './sync-answers';
import type { MergeChoice } from '../../content/domain/merge-units';
import { SyncPlanView } from './cms.dto';
import { ComparedPageView, ExchangedSchemasView, MergedPageView, MergePage, ReadScan } from './pages.dto';
import { MovePage, MovePages, PushSchemas } from './runs.dto';

const SYNC = { all: ['site:cms:sync'] } as const;
const SCHEMAS = { all: ['site:cms:sync', 'content:schema:edit'] } as const;
const HasPage = (): MethodDecorator =>
  ApiParam({
    name: 'page',
    description: 'Id of the page here, or `ext:` and its identity in the CMS.',
    schema: { type: 'string', maxLength: 300 },
  });

/** Pulls, pushes and comparisons between sites and their content management system. */
@ApiTags('CMS sync')
@Controller('sites/:id/cms')
export class CmsSyncController {
  constructor(
    private readonly sync: SyncService,
    private readonly scans: ScanService,
    private readonly pages: PageSyncService,
    private readonly schemas: SchemaSyncService,
  ) {}

  /**
   * Compares a site with its content management system and stores the result.
   *
   * Each link gets its verdict, and the site the number of pages by verdict. Returns what a pull or push would do, as the plan does, or
   * 202 with the run after 25 seconds.
   */
  @Post('scan')
  @Named('scanCms')
  @Policy(SYNC)
  @HasId('id', 'Id of the site.')
  @AnswersRun(SyncPlanView, 'What was found.')
  async scan(
    @Caller() caller: Principal,
    @PathId() id: string,
    @Query() { direction = 'both' }: ReadScan,
    @Res({ passthrough: true }) response: Response,
  ): Promise<object> {
    const { plan, ...answer } = await this.scans.scan(caller, id, direction);
    const run = answerRun(response, answer);
    return plan ?? run;
  }

  /**
   * Pulls pages of the content management system into a site.
   *
   * Pages arrive as drafts. Returns 200 with the finished run and its pages, or 202 with the run if more than 10 pages are moved, after 25
   * seconds, or with `background`. With `publish`, you also need the permission `site:publish`. Deletions of more than 20% of the linked
   * pages are held unless `force` is set. Fails with 409 while another run of the site has not finished.
   */
  @Post('pull')
  @Named('pullFromCms')
  @Policy(SYNC)
  @HasId('id', 'Id of the site.')
  @AnswersRun()
  async pull(
    @Caller() caller: Principal,
    @PathId() id: string,
    @FromBody() body: MovePages,
    @Res({ passthrough: true }) response: Response,
  ): Promise<object> {
    return answerRun(response, await this.sync.movePages(caller, id, 'pull', { ...body }));
  }

  /**
   * Pushes pages of a site to the content management system.
   *
   * The version here wins over changes in the CMS, unless `resolution` says otherwise. A page that is changed in the CMS while it is sent
   * is left as a conflict. With `publish`, pages whose approval flow has not approved them fail; so do pages with files that may not be
   * published. Responses are those of a pull.
   */
  @Post('push')
  @Named('pushToCms')
  @Policy(SYNC)
  @HasId('id', 'Id of the site.')
  @AnswersRun()
  async push(
    @Caller() caller: Principal,
    @PathId() id: string,
    @FromBody() body: MovePages,
    @Res({ passthrough: true }) response: Response,
  ): Promise<object> {
    return answerRun(response, await this.sync.movePages(caller, id, 'push', { ...body }));
  }

  /** Compares one page with its page in the content management system, field by field. */
  @Get('pages/:page/compare')
  @Named('compareCmsPage')
  @Policy(SYNC)
  @HasId('id', 'Id of the site.')
  @HasPage()
  @Returns(ComparedPageView, 'The fields that differ.')
  @Problems(...SYNC_REFUSALS)
  compare(@Caller() caller: Principal, @PathId() id: string, @Param('page') page: string): Promise<Compared> {
    return this.pages.compare(caller, id, page);
  }

  /**
   * Merges one page with its page in the content management system.
   *
   * What only one side changed is taken from it. What both changed needs a choice, or a `default` side; otherwise the response is 409 and
   * lists the conflicts. The result is a new version of the draft; with `push`, it is sent to the CMS as well.
   */
  @Post('pages/:page/merge')
  @HttpCode(200)
  @Named('mergeCmsPage')
  @Policy(SYNC)
  @HasId('id', 'Id of the site.')
  @HasPage()
  @Returns(MergedPageView, 'The link of the page, and the run of the push.')
  @Problems(...SYNC_REFUSALS)
  async merge(
    @Caller() caller: Principal,
    @PathId() id: string,
    @Param('page') page: string,
    @FromBody() body: MergePage,
  ): Promise<object> {
    const { link, run } = await this.pages.merge(caller, id, page, { ...body, choices: choicesOf(body) });
    return { ...link, run: run?.run ?? null };
  }

  /** Pulls one page of the content management system. */
  @Post('pages/:page/pull')
  @Named('pullCmsPage')
  @Policy(SYNC)
  @HasId('id', 'Id of the site.')
  @HasPage()
  @AnswersRun()
  async pullPage(
    @Caller() caller: Principal,
    @PathId() id: string,
    @Param('page') page: string,
    @FromBody() body: MovePage,
    @Res({ passthrough: true }) response: Response,
  ): Promise<object> {
    return answerRun(response, await this.pages.movePage(caller, id, { page, direction: 'pull' }, { ...body }));
  }

  /** Pushes one page to the content management system. */
  @Post('pages/:page/push')
  @Named('pushCmsPage')
  @Policy(SYNC)
  @HasId('id', 'Id of the site.')
  @HasPage()
  @AnswersRun()
  async pushPage(
    @Caller() caller: Principal,
    @PathId() id: string,
    @Param('page') page: string,
    @FromBody() body: MovePage,
    @Res({ passthrough: true }) response: Response,
  ): Promise<object> {
    return answerRun(response, await this.pages.movePage(caller, id, { page, direction: 'push' }, { ...body }));
  }

  /**
   * Mirrors the components of the content management system as content schemas.
   *
   * The first pull creates a library for the site. Schemas whose component no longer exists are deactivated.
   */
  @Post('schemas/pull')
  @Named('pullCmsSchemas')
  @Policy(SCHEMAS)
  @HasId('id', 'Id of the site.')
  @AnswersRun(ExchangedSchemasView, 'What changed.')
  async pullSchemas(@Caller() caller: Principal, @PathId() id: string, @Res({ passthrough: true }) response: Response): Promise<object> {
    return this.schemas.exchange(caller, id, { direction: 'schemas_pull' }).then((answer) => this.answerSchemas(response, answer));
  }

  /**
   * Sends content schemas to the content management system as components.
   *
   * Nothing is ever deleted there.
   */
  @Post('schemas/push')
  @Named('pushCmsSchemas')
  @Policy(SCHEMAS)
  @HasId('id', 'Id of the site.')
  @AnswersRun(ExchangedSchemasView, 'What changed.')
  async pushSchemas(
    @Caller() caller: Principal,
    @PathId() id: string,
    @FromBody() body: PushSchemas,
    @Res({ passthrough: true }) response: Response,
  ): Promise<object> {
    return this.schemas.exchange(caller, id, { direction: 'schemas_push', ...body }).then((answer) => this.answerSchemas(response, answer));
  }

  private answerSchemas(response: Response, { result, ...answer }: Awaited<ReturnType<SchemaSyncService['exchange']>>): object {
    const run = answerRun(response, answer);
    return result ?? run;
  }
}

/** Each choice names a side or a value. */
function choicesOf({ choices = [] }: MergePage): MergeChoice[] {
  return choices.map(({ path, locale = null, take, value }, at) => {
    if (take !== undefined && value === undefined) return { path, locale, take };
    if (take === undefined && value !== undefined) return { path, locale, value };
    throw invalidField(`choices[${at}]`, 'must have either take or value', 'option');
  });
}
