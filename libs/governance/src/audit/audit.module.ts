import { JobsModule } from '@atrium/platform/messaging';
import { Module } from '@nestjs/common';
import { AccessLogsService } from '../access-log/application/access-logs.service';
import { AuditEventsService } from './application/audit-events.service';
import { AuditVerification } from './application/audit-verification';
import { SealKeys } from './application/seal-keys';
import { Sealing } from './application/sealing';
import { AccessLogsController } from '../access-log/http/access-logs.controller';
import { AuditEventsController, AuditSealsController } from './http/audit.controller';
import { PartitionsController } from '../retention/http/partitions.controller';
import { AccessLogReading } from '../access-log/infrastructure/access-log-reading.rows';
import { AuditSealRows } from './infrastructure/audit-seals.rows';
import { SealSchedule } from './jobs/seal.schedule';
import { VerifyAuditHandler } from './jobs/verify-audit.handler';
import { verifyAudit } from './jobs/verify-audit.jobs';

/** The seals over the audit trail. */
@Module({ providers: [AuditSealRows, SealKeys, Sealing, AuditVerification], exports: [SealKeys, Sealing, AuditVerification] })
export class AuditModule {}

/** What administrators read of the access log and the audit trail. */
@Module({
  imports: [AuditModule],
  controllers: [AccessLogsController, AuditEventsController, AuditSealsController, PartitionsController],
  providers: [AccessLogReading, AccessLogsService, AuditEventsService],
})
export class AuditHttpModule {}

/** Sealing, and long verifications. */
@Module({ imports: [AuditModule, JobsModule.define([verifyAudit])], providers: [SealSchedule, VerifyAuditHandler] })
export class AuditWorkerModule {}
