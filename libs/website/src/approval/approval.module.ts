import { Module } from '@nestjs/common';
import { ApprovalsModule } from '@atrium/approvals';
import { NodesModule } from '../nodes/nodes.module';
import { PublishingModule } from '../publishing/publishing.module';
import { SitesModule } from '../sites/sites.module';
import { ApprovalsOfSites } from './application/approvals-of-sites';
import { NodeSubject } from './application/node-subject';
import { PageApprovals } from './application/page-approvals.service';
import { PageFlows } from './application/page-flows.service';
import { PageTransitions } from './application/page-transitions.service';
import { ApprovalFlowsController } from './http/approval-flows.controller';
import { ApprovalsController } from './http/approvals.controller';
import { PageTransitionsController } from './http/page-transitions.controller';
import { NodeSubjectRows } from './infrastructure/node-subjects.rows';

/** Approval of pages: flows, transitions and requests. */
@Module({
  imports: [ApprovalsModule, NodesModule, PublishingModule, SitesModule],
  providers: [ApprovalsOfSites, NodeSubject, NodeSubjectRows, PageApprovals, PageFlows, PageTransitions],
  exports: [ApprovalsModule, PageApprovals, PageFlows, PageTransitions],
})
export class PageApprovalModule {}

/** Their routes. */
@Module({
  imports: [PageApprovalModule],
  controllers: [ApprovalFlowsController, ApprovalsController, PageTransitionsController],
})
export class PageApprovalHttpModule {}

/** Their background work. */
@Module({ imports: [PageApprovalModule] })
export class PageApprovalWorkerModule {}
