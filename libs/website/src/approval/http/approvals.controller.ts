import { Body as FromBody, Controller, Get, HttpCode, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { ApprovalRequestRow, VersionedApprovalRequestRow } from '@atrium/approvals';
import { Caller, Named, Policy, type Principal } from '@atrium/platform/access';
import type { Page } from '@atrium/platform/database';
import { HasId, PathId, Problems, Returns, ReturnsState } from '@atrium/platform/http';
import { PageApprovals, type ApprovalDetail } from '../application/page-approvals.service';
import { ApprovalDetailView, ApprovalRequestPage, ApprovalRequestView, DecideApproval, ListApprovalRequests } from './approvals.dto';

const VIEW = { any: ['content:view'] } as const;

/** Requests for approval of content. */
@ApiTags('Content approval flows')
@Controller('content-approvals')
export class ApprovalsController {
  constructor(private readonly approvals: PageApprovals) {}

  /**
   * Lists requests for approval.
   *
   * The newest come first. Only requests about content that you can view are listed.
   */
  @Get()
  @Named('listApprovals')
  @Policy(VIEW)
  @Returns(ApprovalRequestPage, 'A page of requests for approval.')
  list(@Caller() caller: Principal, @Query() query: ListApprovalRequests): Promise<Page<ApprovalRequestRow>> {
    return this.approvals.list(caller, query);
  }

  /**
   * Reads a request for approval, with the content to be approved.
   *
   * `content` is the version for which approval was requested, whatever was edited since; `diff` compares it with what is
   * published.
   */
  @Get(':id')
  @Named('readApproval')
  @Policy(VIEW)
  @HasId('id', 'Id of the request.')
  @ReturnsState(ApprovalDetailView, 'The request for approval.')
  get(@Caller() caller: Principal, @PathId() id: string): Promise<ApprovalDetail> {
    return this.approvals.get(caller, id);
  }

  /**
   * Approves or rejects what is to be approved.
   *
   * One rejection rejects the request; as many approvals as the transition needs make the transition, and publish the
   * approved version if that was requested. You cannot decide on your own request unless the transition allows it (403).
   * `hash` must be the `car_hash` of the request (412), and the request must be open (409).
   */
  @Post(':id/decisions')
  @Named('decideApproval')
  @HttpCode(200)
  @Policy({ all: ['content:approve'] })
  @HasId('id', 'Id of the request.')
  @ReturnsState(ApprovalRequestView, 'The request for approval.')
  @Problems('already_exists', 'invalid_move', 'invalid_state', 'limit_reached', 'precondition_failed', 'unprocessable_content')
  decide(@Caller() caller: Principal, @PathId() id: string, @FromBody() body: DecideApproval): Promise<VersionedApprovalRequestRow> {
    return this.approvals.decideRequest(caller, id, body);
  }

  /**
   * Withdraws a request for approval.
   *
   * Only the person who requested approval and members who manage approval flows can withdraw it. The content keeps its
   * state. Fails with 409 if the request is closed.
   */
  @Post(':id/withdraw')
  @Named('withdrawApproval')
  @HttpCode(200)
  @Policy(VIEW)
  @HasId('id', 'Id of the request.')
  @ReturnsState(ApprovalRequestView, 'The request for approval.')
  @Problems('invalid_state')
  withdraw(@Caller() caller: Principal, @PathId() id: string): Promise<VersionedApprovalRequestRow> {
    return this.approvals.withdrawRequest(caller, id);
  }
}
