import { Module } from '@nestjs/common';

/** Approval of pages: flows, transitions and requests. */
@Module({})
export class PageApprovalModule {}

/** Their routes. */
@Module({ imports: [PageApprovalModule] })
export class PageApprovalHttpModule {}

/** Their background work. */
@Module({ imports: [PageApprovalModule] })
export class PageApprovalWorkerModule {}
