import { Module, type Provider } from '@nestjs/common';
import { SiteAcls } from './application/site-acls';

const SITES: Provider[] = [SiteAcls];

/** Sites: their locales, who may see them, and the numbers of what is live. */
@Module({ providers: SITES, exports: SITES })
export class SitesModule {}

/** Their routes. */
@Module({ imports: [SitesModule] })
export class SitesHttpModule {}

/** Their background work. */
@Module({ imports: [SitesModule] })
export class SitesWorkerModule {}
