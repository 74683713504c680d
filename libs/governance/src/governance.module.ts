import { Module } from '@nestjs/common';
import { AccessLogMonths } from './application/access-log-months';
import { AccessLogWriter } from './application/access-log.writer';
import { AccessLogRows } from './infrastructure/access-log.rows';

/** Measuring and limiting: for now, the record of who asked for what. */
@Module({ providers: [AccessLogRows], exports: [AccessLogRows] })
export class GovernanceModule {}

/** What this context does in the API: it records finished requests. */
@Module({ imports: [GovernanceModule], providers: [AccessLogWriter] })
export class GovernanceHttpModule {}

/** What this context does in a worker: it keeps the months of the access log. */
@Module({ imports: [GovernanceModule], providers: [AccessLogMonths] })
export class GovernanceWorkerModule {}
