import { PermissionUse } from '@atrium/identity';
import { Audit } from '@atrium/platform/access';
import { Global, Module } from '@nestjs/common';
import { AccessLogKeeping } from './application/access-log-keeping';
import { AuditTrail } from './application/audit-trail';
import { AccessLogWriter } from './application/access-log.writer';
import { AccessLogRows } from './infrastructure/access-log.rows';
import { PermissionUseRows } from './infrastructure/permission-use.rows';
import { AccessLogMonths } from './jobs/access-log-months.handler';

/** Measuring and limiting: for now, the record of who asked for what. */
@Global()
@Module({ providers: [AccessLogRows, { provide: Audit, useClass: AuditTrail }, { provide: PermissionUse, useClass: PermissionUseRows }], exports: [AccessLogRows, Audit, PermissionUse] })
export class GovernanceModule {}

/** What this context does in the API: it records finished requests. */
@Module({ imports: [GovernanceModule], providers: [AccessLogWriter] })
export class GovernanceHttpModule {}

/** What this context does in a worker: it keeps the months of the access log. */
@Module({ imports: [GovernanceModule], providers: [AccessLogKeeping, AccessLogMonths] })
export class GovernanceWorkerModule {}
