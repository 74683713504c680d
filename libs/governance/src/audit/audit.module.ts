import { Module, type Provider } from '@nestjs/common';
import { Audit } from '@atrium/platform/access';
import { JobsModule } from '@atrium/platform/messaging';
import { AuditEventsService } from './application/audit-events.service';
import { AuditTrail } from './application/audit-trail';
import { AuditVerification } from './application/audit-verification';
import { SealKeys } from './application/seal-keys';
import { Sealing } from './application/sealing';
import { TrailRedaction } from './application/trail-redaction';
import { AuditEventsController, AuditSealsController } from './http/audit.controller';
import { AuditEventRows } from './infrastructure/audit-events.rows';
import { AuditSealRows } from './infrastructure/audit-seals.rows';
import { SealKeyRows } from './infrastructure/seal-keys.rows';
import { TrailRedactionRows } from './infrastructure/trail-redaction.rows';
import { SealSchedule } from './jobs/seal.schedule';
import { VerifyAuditHandler } from './jobs/verify-audit.handler';
import { verifyAudit } from './jobs/verify-audit.jobs';

const AUDIT: Provider[] = [
  AuditEventRows,
  AuditEventsService,
  AuditSealRows,
  AuditVerification,
  SealKeyRows,
  SealKeys,
  Sealing,
  TrailRedaction,
  TrailRedactionRows,
  { provide: Audit, useClass: AuditTrail },
];

/** The audit trail and the seals over it. */
@Module({ providers: AUDIT, exports: AUDIT })
export class AuditModule {}

/** Its routes. */
@Module({ imports: [AuditModule], controllers: [AuditEventsController, AuditSealsController] })
export class AuditHttpModule {}

/** Sealing, and long verifications. */
@Module({ imports: [AuditModule, JobsModule.define([verifyAudit])], providers: [SealSchedule, VerifyAuditHandler] })
export class AuditWorkerModule {}
