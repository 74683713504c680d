import { JobsModule } from '@atrium/platform/messaging';
import { Module } from '@nestjs/common';
import { AuditModule } from '../audit/audit.module';
import { MembersData } from './application/members-data';
import { PersonColumnsCheck } from './application/person-columns-check';
import { PersonErasure } from './application/person-erasure';
import { PersonExport } from './application/person-export';
import { PrivacyArchives } from './application/privacy-archives';
import { PrivacyRequests } from './application/privacy-requests.service';
import { PrivacyRuns } from './application/privacy-runs';
import { PrivacySubjects } from './application/privacy-subjects';
import { RecordedData } from './application/recorded-data';
import { TrailRedaction } from '../audit/application/trail-redaction';
import { OwnPrivacyRequestsController, PrivacyRequestsController } from './http/privacy-requests.controller';
import { PersonCatalog } from './infrastructure/person-catalog.rows';
import { PersonRows } from './infrastructure/person-rows';
import { PersonTraces } from './infrastructure/person-traces.rows';
import { PrivacyRequestsRepository } from './infrastructure/privacy-requests.repository';
import { TrailRedactionRows } from '../audit/infrastructure/trail-redaction.rows';
import { PrivacyHandler } from './jobs/privacy.handler';
import { privacy } from './jobs/privacy.jobs';

const CORE = [
  MembersData,
  RecordedData,
  PersonCatalog,
  PersonColumnsCheck,
  PersonRows,
  PersonTraces,
  PrivacyArchives,
  PrivacyRequestsRepository,
  PrivacySubjects,
  TrailRedaction,
  TrailRedactionRows,
];

/** Asking for exports and erasures; the API starts only when every column that points to people is registered. */
@Module({
  imports: [AuditModule],
  controllers: [OwnPrivacyRequestsController, PrivacyRequestsController],
  providers: [...CORE, PrivacyRequests],
})
export class PrivacyHttpModule {}

/** Carrying them out; a worker starts under the same condition. */
@Module({
  imports: [AuditModule, JobsModule.define([privacy])],
  providers: [...CORE, PersonErasure, PersonExport, PrivacyRuns, PrivacyHandler],
})
export class PrivacyWorkerModule {}
