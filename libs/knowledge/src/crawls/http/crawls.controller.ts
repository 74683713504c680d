import { Body as FromBody, Controller, Delete, Get, Patch, Post, Query, Res } from '@nestjs/common';
import { ApiResponse, ApiTags } from '@nestjs/swagger';
import { Caller, Named, Policy, type Principal } from '@atrium/platform/access';
import type { Page, Precondition } from '@atrium/platform/database';
import {
  API_PREFIX,
  Deletes,
  HasId,
  HonoursIfMatch,
  IfMatch,
  KeptAs,
  PathId,
  Problems,
  Returns,
  ReturnsState,
  Starts,
  StartsWith,
  type KeptAnswer,
} from '@atrium/platform/http';
import type { Response } from 'express';
import { KnowledgeJobView } from '../../work/http/jobs.dto';
import { keptJob, newJob, type JobAnswer } from '../../work/application/jobs.service';
import { CrawlsService, type CrawlPageRow, type CrawlRow, type StartedCrawl } from '../application/crawls.service';
import {
  ChangeCrawl,
  CrawlPagePage,
  CrawlView,
  CreateCrawl,
  DeleteCrawl,
  KnowledgeCrawlPage,
  ListCrawlPages,
  ListCrawls,
  RunCrawl,
  StartedCrawlView,
} from './crawls.dto';

/** Crawls of websites into knowledge bases. */
@ApiTags('Knowledge base crawls')
@Controller('knowledge-bases/:id/crawls')
export class KnowledgeCrawlsController {
  constructor(private readonly crawls: CrawlsService) {}

  /**
   * Lists the crawls of a knowledge base.
   *
   * The newest come first.
   */
  @Get()
  @Named('listKnowledgeCrawls')
  @Policy({ any: ['knowledge-base:view'] })
  @HasId('id', 'Id of the knowledge base.')
  @Returns(KnowledgeCrawlPage, 'A page of crawls.')
  list(@Caller() caller: Principal, @PathId() id: string, @Query() query: ListCrawls): Promise<Page<CrawlRow>> {
    return this.crawls.list(caller, id, query);
  }

  /**
   * Creates a crawl that fills a text base from a website.
   *
   * The crawl starts immediately, and the response is 202 with the crawl and its job; with `start: false`, it is 201.
   * Requests identify themselves as `Atrium`, pause in between, and always respect the robots.txt of the site. Each
   * page becomes a record, identified by its canonical URL. When omitted, `crw_name` is the host of the URL, `crw_timezone`
   * is UTC, and without `crw_cron` the crawl runs only on request. Fails with 422 if the URL is private or does not exist.
   */
  @Post()
  @Named('createKnowledgeCrawl')
  @Policy({ all: ['knowledge-base:write'] })
  @HasId('id', 'Id of the knowledge base.')
  @StartsWith(StartedCrawlView, 'The crawl and its job. Poll the job.')
  @ApiResponse({ status: 201, type: StartedCrawlView, description: 'Created without starting a job.' })
  @KeptAs((started: Partial<StartedCrawl>) => keptOf(started))
  @Problems('invalid_state', 'limit_reached', 'unprocessable_content', 'upstream_failed', 'upstream_timeout')
  async create(
    @Caller() caller: Principal,
    @PathId() id: string,
    @FromBody() body: CreateCrawl,
    @Res({ passthrough: true }) response: Response,
  ): Promise<object> {
    const { crawl, job } = await this.crawls.create(caller, id, { ...body });
    const { status, headers } = answerOf({ crawl, job });
    response.status(status).set(headers);
    return { crawl, job: job && newJob(job) };
  }

  /** Reads a crawl of a knowledge base. */
  @Get(':crawl_id')
  @Named('readKnowledgeCrawl')
  @Policy({ any: ['knowledge-base:view'] })
  @HasId('id', 'Id of the knowledge base.')
  @HasId('crawl_id', 'Id of the crawl.')
  @ReturnsState(CrawlView)
  get(@Caller() caller: Principal, @PathId() id: string, @PathId('crawl_id') crawl_id: string): Promise<CrawlRow> {
    return this.crawls.get(caller, id, crawl_id);
  }

  /**
   * Changes the settings, the name or the schedule of a crawl.
   *
   * Omitted fields stay as they are. A run in progress continues with the settings it started with. If you activate the crawl or set
   * its schedule, scheduled runs use your rights from then on (`crw_created_by`).
   */
  @Patch(':crawl_id')
  @Named('changeKnowledgeCrawl')
  @Policy({ all: ['knowledge-base:write'] })
  @HasId('id', 'Id of the knowledge base.')
  @HasId('crawl_id', 'Id of the crawl.')
  @HonoursIfMatch()
  @ReturnsState(CrawlView)
  @Problems('precondition_failed')
  change(
    @Caller() caller: Principal,
    @PathId() id: string,
    @PathId('crawl_id') crawl_id: string,
    @FromBody() body: ChangeCrawl,
    @IfMatch() precondition?: Precondition,
  ): Promise<CrawlRow> {
    return this.crawls.change(
      caller,
      id,
      crawl_id,
      { ...body, ...(body.crw_settings ? { crw_settings: { ...body.crw_settings } } : {}) },
      precondition,
    );
  }

  /**
   * Deletes a crawl with its pages and jobs.
   *
   * Its records are kept; with `records=remove`, they are deleted. A run in progress stops at its next page.
   */
  @Delete(':crawl_id')
  @Named('deleteKnowledgeCrawl')
  @Policy({ all: ['knowledge-base:write'] })
  @HasId('id', 'Id of the knowledge base.')
  @HasId('crawl_id', 'Id of the crawl.')
  @HonoursIfMatch()
  @Deletes()
  @Problems('precondition_failed')
  remove(
    @Caller() caller: Principal,
    @PathId() id: string,
    @PathId('crawl_id') crawl_id: string,
    @Query() { records }: DeleteCrawl,
    @IfMatch() precondition?: Precondition,
  ): Promise<void> {
    return this.crawls.remove(caller, id, crawl_id, { ...(records ? { records } : {}), precondition });
  }

  /**
   * Runs a crawl now.
   *
   * Known pages are fetched only if they have changed, and records of unchanged pages are not written. After a
   * cancelled run, the pages that it did not reach are fetched. Fails with 409 while the crawl is running.
   */
  @Post(':crawl_id/run')
  @Named('runKnowledgeCrawl')
  @Policy({ all: ['knowledge-base:write'] })
  @HasId('id', 'Id of the knowledge base.')
  @HasId('crawl_id', 'Id of the crawl.')
  @Starts(KnowledgeJobView, 'knowledge-bases/{job_base}/jobs/{job_id}')
  @KeptAs(keptJob)
  @Problems('invalid_state')
  async run(
    @Caller() caller: Principal,
    @PathId() id: string,
    @PathId('crawl_id') crawl_id: string,
    @FromBody() body: RunCrawl,
  ): Promise<JobAnswer> {
    return newJob(await this.crawls.runCrawl(caller, id, crawl_id, body));
  }

  /**
   * Lists the pages known to a crawl.
   *
   * Pages are listed in the order in which they were found, each with its result in the last run.
   */
  @Get(':crawl_id/pages')
  @Named('listKnowledgeCrawlPages')
  @Policy({ any: ['knowledge-base:view'] })
  @HasId('id', 'Id of the knowledge base.')
  @HasId('crawl_id', 'Id of the crawl.')
  @Returns(CrawlPagePage, 'A page of pages.')
  pages(
    @Caller() caller: Principal,
    @PathId() id: string,
    @PathId('crawl_id') crawl_id: string,
    @Query() query: ListCrawlPages,
  ): Promise<Page<CrawlPageRow>> {
    return this.crawls.listPages(caller, id, crawl_id, query);
  }
}

const answerOf = ({ crawl, job }: StartedCrawl): { readonly status: 201 | 202; readonly headers: { readonly Location: string } } => {
  const base = `/${API_PREFIX}/knowledge-bases/${crawl.crw_base}`;
  return job
    ? { status: 202, headers: { Location: `${base}/jobs/${job.job_id}` } }
    : { status: 201, headers: { Location: `${base}/crawls/${crawl.crw_id}` } };
};

function keptOf({ crawl, job }: Partial<StartedCrawl>): KeptAnswer | undefined {
  if (!crawl || job === undefined) return undefined;
  return { ...answerOf({ crawl, job }), body: { crawl, job: job && newJob(job) } };
}
