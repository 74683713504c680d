import { Module, type Provider } from '@nestjs/common';
import { ApprovalsModule } from '@atrium/approvals';
import { FilesModule } from '@atrium/files';
import { LibraryModule } from '../library/library.module';
import { TagsModule } from '../tags/tags.module';
import { ConsentExpiry } from './application/consent-expiry';
import { ConsentSources } from './application/consent-sources';
import { FileStatusService } from './application/file-statuses.service';
import { ReleaseRules } from './application/release-rules';
import { RightsExpiry } from './application/rights-expiry';
import { StatusChanges } from './application/status-changes.service';
import { StatusEffects } from './application/status-effects';
import { StatusFlows } from './application/status-flows.service';
import { StatusRemaps } from './application/status-remaps';
import { FlowRules } from './application/status-rules';
import { StatusesOfFiles } from './application/statuses-of-files';
import { StatusFlowsController } from './http/status-flows.controller';
import { StatusesController } from './http/statuses.controller';
import { ConsentPositionRows } from './infrastructure/consent-positions.rows';
import { FileRightsRows } from './infrastructure/file-rights.rows';
import { StatusFlowsRepository } from './infrastructure/status-flows.repository';
import { RightsSchedule } from './jobs/rights.schedule';

const STATUSES: Provider[] = [
  ConsentExpiry,
  ConsentPositionRows,
  ConsentSources,
  FileRightsRows,
  FileStatusService,
  FlowRules,
  ReleaseRules,
  RightsExpiry,
  StatusChanges,
  StatusEffects,
  StatusesOfFiles,
  StatusFlows,
  StatusFlowsRepository,
  StatusRemaps,
];

/** The states that files go through, what each keeps them from, and whether people and rights allow them to be shown. */
@Module({ imports: [ApprovalsModule, FilesModule, LibraryModule, TagsModule], providers: STATUSES, exports: STATUSES })
export class StatusesModule {}

/** Its routes. */
@Module({ imports: [StatusesModule], controllers: [StatusesController, StatusFlowsController] })
export class StatusesHttpModule {}

/** Its background work. */
@Module({ imports: [StatusesModule], providers: [RightsSchedule] })
export class StatusesWorkerModule {}
