import { Module, type Provider } from '@nestjs/common';
import { FilesModule } from '@atrium/files';
import { MediaModule } from '@atrium/media';
import { DistributionOfPeople } from './application/distribution-of-people';
import { WorkspaceDistribution } from './application/workspace-distribution';
import { DistributionControlModule } from './distribution-control.module';

const CORE: Provider[] = [DistributionOfPeople, WorkspaceDistribution];

/** Links that show files to guests, or collect files from them. */
@Module({ imports: [FilesModule, MediaModule, DistributionControlModule], providers: CORE, exports: CORE })
export class ShareLinksModule {}

/** The routes of share links, of their owners and of guests. */
@Module({ imports: [ShareLinksModule] })
export class ShareLinksHttpModule {}

/** What share links have done in the background. */
@Module({ imports: [ShareLinksModule] })
export class ShareLinksWorkerModule {}
