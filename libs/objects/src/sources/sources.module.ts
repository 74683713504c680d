import { Module, type Provider } from '@nestjs/common';
import { FormsModule } from '@atrium/forms';
import { GovernanceModule } from '@atrium/governance';
import { IdentityModule } from '@atrium/identity';
import { JobsModule } from '@atrium/platform/messaging';
import { OutboundModule } from '@atrium/platform/outbound';
import { ObjectRowsModule } from '../objects/objects.module';
import { DueSources } from './application/due-sources';
import { MissingObjects } from './application/missing-objects';
import { RowComparison } from './application/row-comparison';
import { RunStarts } from './application/run-starts';
import { RunsService } from './application/runs.service';
import { SourceChecks } from './application/source-checks';
import { SourceRemoval } from './application/source-removal';
import { SourceRetention } from './application/source-retention';
import { SourceTrial } from './application/source-trial';
import { SourcesService } from './application/sources.service';
import { SyncPass } from './application/sync-pass';
import { SyncRuns } from './application/sync-runs';
import { SyncRunSource } from './application/run-source';
import { ObjectSyncRunsController } from './http/runs.controller';
import { ObjectSourcesController } from './http/sources.controller';
import { JsonSource } from './infrastructure/json-source';
import { PassRows } from './infrastructure/pass-rows';
import { RunsRepository } from './infrastructure/runs.repository';
import { SourceAdapters } from './infrastructure/source-adapters';
import { SourceHttp } from './infrastructure/source-http';
import { SourcesRepository } from './infrastructure/sources.repository';
import { SqlSource } from './infrastructure/sql-source';
import { SyncRowList } from './infrastructure/sync-row-list';
import { TableSource } from './infrastructure/table-source';
import { DueSourcesSchedule } from './jobs/due-sources.schedule';
import { SyncHandler } from './jobs/sync.handler';
import { detachSource, syncObjects } from './jobs/sync.jobs';

const SOURCES: Provider[] = [
  DueSources,
  JsonSource,
  MissingObjects,
  PassRows,
  RowComparison,
  RunStarts,
  RunsRepository,
  RunsService,
  SourceAdapters,
  SourceChecks,
  SourceHttp,
  SourceRemoval,
  SourceRetention,
  SourcesRepository,
  SourcesService,
  SourceTrial,
  SqlSource,
  SyncPass,
  SyncRowList,
  SyncRuns,
  SyncRunSource,
  TableSource,
];

/** Systems outside that objects are kept in step with. */
@Module({
  imports: [FormsModule, GovernanceModule, IdentityModule, ObjectRowsModule, OutboundModule],
  providers: SOURCES,
  exports: SOURCES,
})
export class SourcesModule {}

@Module({ imports: [SourcesModule], controllers: [ObjectSourcesController, ObjectSyncRunsController] })
export class SourcesHttpModule {}

@Module({ imports: [SourcesModule, JobsModule.define([syncObjects, detachSource])], providers: [DueSourcesSchedule, SyncHandler] })
export class SourcesWorkerModule {}
