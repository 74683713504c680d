import { Controller, Get, HttpCode, Post, Query, Res } from '@nestjs/common';
import { ApiResponse, ApiTags } from '@nestjs/swagger';
import { Caller, Named, Policy, type Principal } from '@atrium/platform/access';
import type { Page } from '@atrium/platform/database';
import { HasId, KeptAs, PathId, Problems, Returns, StartsWith } from '@atrium/platform/http';
import type { Response } from 'express';
import { RunsService, type CancelledRun } from '../application/runs.service';
import type { RunPageView as ShownPage, RunView as ShownRun } from '../application/run-views';
import { ListRunPages, ListRuns, RunPageList, RunPagePage, CmsRunView } from './runs.dto';
import { keepRun, locationOf, RUN_LOCATION } from './sync-answers';

const VIEW = { any: ['site:view'] } as const;
const SYNC = { all: ['site:cms:sync'] } as const;

/** Sync runs of sites. */
@ApiTags('CMS sync')
@Controller('sites/:id/cms/sync-jobs')
export class CmsSyncRunsController {
  constructor(private readonly runs: RunsService) {}

  /**
   * Lists the sync runs of a site.
   *
   * The newest come first; without `direction`, only pulls and pushes. `limit` above 100 counts as 100.
   */
  @Get()
  @Named('listCmsSyncRuns')
  @Policy(VIEW)
  @HasId('id', 'Id of the site.')
  @Returns(RunPageList, 'The newest runs.')
  list(@Caller() caller: Principal, @PathId() id: string, @Query() { limit, direction }: ListRuns): Promise<Page<ShownRun>> {
    return this.runs.list(caller, id, { limit, ...(direction && { direction: [direction] }) });
  }

  /** Reads a sync run with its progress and outcome. */
  @Get(':job_id')
  @Named('readCmsSyncRun')
  @Policy(VIEW)
  @HasId('id', 'Id of the site.')
  @HasId('job_id', 'Id of the run.')
  @Returns(CmsRunView, 'The run.')
  get(@Caller() caller: Principal, @PathId() id: string, @PathId('job_id') job_id: string): Promise<ShownRun> {
    return this.runs.get(caller, id, job_id);
  }

  /**
   * Lists the pages of a sync run.
   *
   * Sorted in the order in which the run found them. They are kept for 30 days.
   */
  @Get(':job_id/pages')
  @Named('listCmsSyncRunPages')
  @Policy(VIEW)
  @HasId('id', 'Id of the site.')
  @HasId('job_id', 'Id of the run.')
  @Returns(RunPagePage, 'A page of pages.')
  pages(
    @Caller() caller: Principal,
    @PathId() id: string,
    @PathId('job_id') job_id: string,
    @Query() query: ListRunPages,
  ): Promise<Page<ShownPage>> {
    return this.runs.listPages(caller, id, job_id, query);
  }

  /**
   * Cancels a sync run.
   *
   * Pages that were moved stay moved. Returns 202 while its worker finishes the page that it is at. A finished run returns 409.
   */
  @Post(':job_id/cancel')
  @HttpCode(200)
  @Named('cancelCmsSyncRun')
  @Policy(SYNC)
  @HasId('id', 'Id of the site.')
  @HasId('job_id', 'Id of the run.')
  @Returns(CmsRunView, 'The cancelled run.')
  @ApiResponse({
    status: 202,
    type: CmsRunView,
    description: 'Cancelled; its worker stops at the next page.',
    headers: RUN_LOCATION,
  })
  @KeptAs(({ run, isOver }: Partial<CancelledRun>) => run && keepRun(run, isOver ? 200 : 202))
  @Problems('invalid_state')
  async cancel(
    @Caller() caller: Principal,
    @PathId() id: string,
    @PathId('job_id') job_id: string,
    @Res({ passthrough: true }) response: Response,
  ): Promise<ShownRun> {
    const { run, isOver } = await this.runs.cancel(caller, id, job_id);
    response.status(isOver ? 200 : 202).set('Location', locationOf(run));
    return run;
  }

  /**
   * Resumes a stalled sync run at once.
   *
   * Pages that were moved are not moved again. Without it, another worker continues the run on its own. A run that is not stalled
   * returns 409.
   */
  @Post(':job_id/resume')
  @Named('resumeCmsSyncRun')
  @Policy(SYNC)
  @HasId('id', 'Id of the site.')
  @HasId('job_id', 'Id of the run.')
  @StartsWith(CmsRunView, 'The run goes on.')
  @KeptAs((run: Partial<ShownRun>) => keepRun(run))
  @Problems('invalid_state')
  async resume(
    @Caller() caller: Principal,
    @PathId() id: string,
    @PathId('job_id') job_id: string,
    @Res({ passthrough: true }) response: Response,
  ): Promise<ShownRun> {
    const run = await this.runs.resume(caller, id, job_id);
    response.set('Location', locationOf(run));
    return run;
  }

  /**
   * Retries the failed pages of a sync run.
   *
   * Starts another run over them; the old one then has the status `retried`. A run without failed pages returns 409.
   */
  @Post(':job_id/retry')
  @Named('retryCmsSyncRun')
  @Policy(SYNC)
  @HasId('id', 'Id of the site.')
  @HasId('job_id', 'Id of the run.')
  @StartsWith(CmsRunView, 'The new run.')
  @KeptAs((run: Partial<ShownRun>) => keepRun(run))
  @Problems('invalid_state')
  async retry(
    @Caller() caller: Principal,
    @PathId() id: string,
    @PathId('job_id') job_id: string,
    @Res({ passthrough: true }) response: Response,
  ): Promise<ShownRun> {
    const run = await this.runs.retry(caller, id, job_id);
    response.set('Location', locationOf(run));
    return run;
  }
}
