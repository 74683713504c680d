import { Global, Module } from '@nestjs/common';
import { AccessLogHttpModule, AccessLogModule, AccessLogWorkerModule } from './access-log/access-log.module';
import { AuditHttpModule, AuditModule, AuditWorkerModule } from './audit/audit.module';
import { CreditsHttpModule, CreditsModule, CreditsWorkerModule } from './credits/credits.module';
import { PrivacyHttpModule, PrivacyWorkerModule } from './privacy/privacy.module';
import { RateLimitsHttpModule } from './rate-limits/rate-limits.module';
import { RetentionHttpModule, RetentionModule, RetentionWorkerModule } from './retention/retention.module';
import { SharedHttpModule, SharedModule } from './shared/shared.module';
import { StoredBytesHttpModule, StoredBytesModule, StoredBytesWorkerModule } from './storage/storage.module';
import { UsageHttpModule, UsageModule, UsageWorkerModule } from './usage/usage.module';

const AREAS = [AccessLogModule, AuditModule, CreditsModule, RetentionModule, SharedModule, StoredBytesModule, UsageModule];

/** Measuring and limiting: usage and what it costs, storage, records and how long they are kept. */
@Global()
@Module({ imports: AREAS, exports: AREAS })
export class GovernanceModule {}

/** What this context does in the API: its routes, the limits of all routes, and the record of requests. */
@Module({
  imports: [
    GovernanceModule,
    AccessLogHttpModule,
    AuditHttpModule,
    CreditsHttpModule,
    PrivacyHttpModule,
    RateLimitsHttpModule,
    RetentionHttpModule,
    SharedHttpModule,
    StoredBytesHttpModule,
    UsageHttpModule,
  ],
})
export class GovernanceHttpModule {}

/** What this context does in a worker: it keeps tables by month, moves rollups along, and does what is due. */
@Module({
  imports: [
    GovernanceModule,
    AccessLogWorkerModule,
    AuditWorkerModule,
    CreditsWorkerModule,
    PrivacyWorkerModule,
    RetentionWorkerModule,
    StoredBytesWorkerModule,
    UsageWorkerModule,
  ],
})
export class GovernanceWorkerModule {}
