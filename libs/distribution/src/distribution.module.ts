import { Module } from '@nestjs/common';
import { DistributionControlHttpModule, DistributionControlModule } from './control/control.module';
import { PublicationsHttpModule, PublicationsModule, PublicationsWorkerModule } from './publications/publications.module';
import { ShareLinksHttpModule, ShareLinksModule, ShareLinksWorkerModule } from './shares/shares.module';

const AREAS = [DistributionControlModule, PublicationsModule, ShareLinksModule];

/** Everything that leaves the workspace: share links, publications, and the rules for where they may be used. */
@Module({ imports: AREAS, exports: AREAS })
export class DistributionModule {}

/** The routes of this context, authenticated and public. */
@Module({ imports: [DistributionControlHttpModule, PublicationsHttpModule, ShareLinksHttpModule] })
export class DistributionHttpModule {}

/** The background work of this context. */
@Module({ imports: [PublicationsWorkerModule, ShareLinksWorkerModule] })
export class DistributionWorkerModule {}
