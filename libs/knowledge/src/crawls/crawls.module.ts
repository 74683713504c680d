import { Module, type Provider } from '@nestjs/common';
import { GovernanceModule } from '@atrium/governance';
import { IdentityModule } from '@atrium/identity';
import { JobsModule } from '@atrium/platform/messaging';
import { OutboundModule } from '@atrium/platform/outbound';
import { RetrievalModule } from '@atrium/retrieval';
import { BasesModule } from '../bases/bases.module';
import { KnowledgeJobsModule } from '../work/work.module';
import { RecordsModule } from '../records/records.module';
import { CrawlRun } from './application/crawl-run';
import { CrawlsOfBases } from './application/crawls-of-bases';
import { CrawlsService } from './application/crawls.service';
import { DueCrawls } from './application/due-crawls';
import { MissingPages } from './application/missing-pages';
import { PageIdentities } from './application/page-identity';
import { PageCommit } from './application/page-commit';
import { PageVisits } from './application/page-visits';
import { SiteMaps } from './application/site-maps';
import { KnowledgeCrawlsController } from './http/crawls.controller';
import { CrawlPagesRepository } from './infrastructure/crawl-pages.repository';
import { CrawlsRepository } from './infrastructure/crawls.repository';
import { SiteFetch } from './infrastructure/site-fetch';
import { CrawlsHandler } from './jobs/crawls.handler';
import { crawlSite } from './jobs/crawls.jobs';
import { DueCrawlsSchedule } from './jobs/due-crawls.schedule';

const CRAWLS: Provider[] = [
  CrawlPagesRepository,
  CrawlRun,
  CrawlsOfBases,
  CrawlsRepository,
  CrawlsService,
  DueCrawls,
  MissingPages,
  PageIdentities,
  PageCommit,
  PageVisits,
  SiteFetch,
  SiteMaps,
];

/** Websites that fill bases: which pages they have, and what became of each. */
@Module({
  imports: [BasesModule, GovernanceModule, IdentityModule, KnowledgeJobsModule, OutboundModule, RecordsModule, RetrievalModule],
  providers: CRAWLS,
  exports: CRAWLS,
})
export class CrawlsModule {}

@Module({ imports: [CrawlsModule], controllers: [KnowledgeCrawlsController] })
export class CrawlsHttpModule {}

@Module({ imports: [CrawlsModule, KnowledgeJobsModule, JobsModule.define([crawlSite])], providers: [CrawlsHandler, DueCrawlsSchedule] })
export class CrawlsWorkerModule {}
