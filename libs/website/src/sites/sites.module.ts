import { Module, type Provider } from '@nestjs/common';
import { JobsModule } from '@atrium/platform/messaging';
import { ContentSchemasModule } from '../schemas/schemas.module';
import { SiteAccess } from './application/site-access';
import { SiteAnswers } from './application/site-answers';
import { SiteChanges } from './application/site-changes';
import { SiteCmsStatus } from './application/site-cms-status';
import { SiteListeners } from './application/site-listeners';
import { SiteNumbers } from './application/site-numbers';
import { SiteReaders } from './application/site-readers';
import { SiteReferences } from './application/site-references';
import { SitesElsewhere } from './application/sites-elsewhere';
import { SitesService } from './application/sites.service';
import { WebsiteExpiry } from './application/website-expiry';
import { SitesController } from './http/sites.controller';
import { SiteContentsRows } from './infrastructure/site-contents.rows';
import { SitesRepository } from './infrastructure/sites.repository';
import { SiteStructureLock } from './infrastructure/site-structure-lock';
import { ExpiryHandler } from './jobs/expiry.handler';
import { expireWebsites } from './jobs/expiry.jobs';

const SITES: Provider[] = [
  SiteAccess,
  SiteAnswers,
  SiteChanges,
  SiteCmsStatus,
  SiteContentsRows,
  SiteListeners,
  SiteNumbers,
  SiteReaders,
  SiteReferences,
  SitesElsewhere,
  SitesRepository,
  SitesService,
  SiteStructureLock,
  WebsiteExpiry,
];

/** Sites: their locales, who may see them, and the numbers of what is live. */
@Module({ imports: [ContentSchemasModule], providers: SITES, exports: SITES })
export class SitesModule {}

/** Their routes. */
@Module({ imports: [SitesModule], controllers: [SitesController] })
export class SitesHttpModule {}

/** Their background work. */
@Module({ imports: [SitesModule, JobsModule.define([expireWebsites])], providers: [ExpiryHandler] })
export class SitesWorkerModule {}
