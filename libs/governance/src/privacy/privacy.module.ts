import { Module, type Provider } from '@nestjs/common';
import { JobsModule } from '@atrium/platform/messaging';
import { AuditModule } from '../audit/audit.module';
import { RetentionModule } from '../retention/retention.module';
import { SharedModule } from '../shared/shared.module';
import { StoredBytesModule } from '../storage/storage.module';
import { MembersData } from './application/members-data';
import { PersonColumnsCheck } from './application/person-columns-check';
import { PersonErasure } from './application/person-erasure';
import { PersonExport } from './application/person-export';
import { PersonTexts } from './application/person-texts';
import { PrivacyArchives } from './application/privacy-archives';
import { PrivacyJobSource } from './application/privacy-job-source';
import { PrivacyRequests } from './application/privacy-requests.service';
import { PrivacyRuns } from './application/privacy-runs';
import { PrivacySubjects } from './application/privacy-subjects';
import { RecordedData } from './application/recorded-data';
import { RunningRequests } from './application/running-requests';
import { OwnPrivacyRequestsController, PrivacyRequestsController } from './http/privacy-requests.controller';
import { PersonCatalog } from './infrastructure/person-catalog.rows';
import { PersonMentions } from './infrastructure/person-mentions.rows';
import { PersonRows } from './infrastructure/person-rows';
import { PersonTraces } from './infrastructure/person-traces.rows';
import { PrivacyRequestsRepository } from './infrastructure/privacy-requests.repository';
import { PrivacyHandler } from './jobs/privacy.handler';
import { holdsEnded, privacy } from './jobs/privacy.jobs';

const PRIVACY: Provider[] = [
  MembersData,
  PersonCatalog,
  PersonColumnsCheck,
  PersonErasure,
  PersonExport,
  PersonMentions,
  PersonRows,
  PersonTexts,
  PersonTraces,
  PrivacyArchives,
  PrivacyJobSource,
  PrivacyRequests,
  PrivacyRequestsRepository,
  PrivacyRuns,
  PrivacySubjects,
  RecordedData,
  RunningRequests,
];

/** Exports and erasures. A host that has it starts only when every column that points to people is registered, so the operator's commands go without. */
@Module({ imports: [AuditModule, RetentionModule, SharedModule, StoredBytesModule], providers: PRIVACY, exports: PRIVACY })
class PrivacyModule {}

/** Its routes. */
@Module({ imports: [PrivacyModule], controllers: [OwnPrivacyRequestsController, PrivacyRequestsController] })
export class PrivacyHttpModule {}

/** Its background work. */
@Module({ imports: [PrivacyModule, JobsModule.define([privacy, holdsEnded])], providers: [PrivacyHandler] })
export class PrivacyWorkerModule {}
