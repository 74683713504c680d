import { Injectable } from '@nestjs/common';
import { Handles, WhenGivenUp, type GivenUpJob, type JobRun } from '@atrium/platform/messaging';
import { JobRuns } from '../../work/application/job-runs';
import type { KnowledgeJobPayload } from '../../work/jobs/payload.jobs';
import { CrawlRun } from '../application/crawl-run';
import { crawlSite } from './crawls.jobs';

@Injectable()
export class CrawlsHandler {
  constructor(
    private readonly runs: JobRuns,
    private readonly crawl: CrawlRun,
  ) {}

  @Handles(crawlSite)
  crawlOne({ job_id }: KnowledgeJobPayload, run: JobRun): Promise<void> {
    return this.runs.runWork(job_id, run, (job) => this.crawl.runCrawl(job, run));
  }

  @WhenGivenUp(crawlSite)
  giveUpCrawl({ job_id }: KnowledgeJobPayload, { reason }: GivenUpJob): Promise<void> {
    return this.runs.giveUp(job_id, reason);
  }
}
