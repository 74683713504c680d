import { Body as FromBody, Controller, Delete, Get, HttpCode, Patch, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ApprovalFlows, stateMapOf, type ApprovalFlowRow, type VersionedApprovalFlowRow } from '@atrium/approvals';
import { Caller, Named, Policy, type Principal } from '@atrium/platform/access';
import type { Page, Precondition } from '@atrium/platform/database';
import { Creates, Deletes, HasId, HonoursIfMatch, IfMatch, PathId, Problems, Returns, ReturnsResource } from '@atrium/platform/http';
import { PageFlows } from '../application/page-flows.service';
import { ApprovalFlowPage, ApprovalFlowView, ChangeApprovalFlow, CreateApprovalFlow, ListApprovalFlows } from './approval-flows.dto';
import { graphOf } from './flow-body';

const VIEW = { any: ['content:view'] } as const;
const EDIT = { all: ['content:flow:edit'] } as const;

/** Flows by which content is approved. */
@ApiTags('Content approval flows')
@Controller('content-approval-flows')
export class ApprovalFlowsController {
  constructor(
    private readonly flows: ApprovalFlows,
    private readonly pageFlows: PageFlows,
  ) {}

  /** Lists approval flows. */
  @Get()
  @Named('listApprovalFlows')
  @Policy(VIEW)
  @Returns(ApprovalFlowPage, 'A page of approval flows.')
  list(@Caller() caller: Principal, @Query() query: ListApprovalFlows): Promise<Page<ApprovalFlowRow>> {
    return this.pageFlows.list(caller, query);
  }

  /**
   * Creates an approval flow.
   *
   * Exactly one state must be the initial state, at least one must be publishable, and all states must be reachable from
   * the initial one. New flows are inactive; activate the flow once it is complete. Fails with 409 beyond 200 flows.
   */
  @Post()
  @Named('createApprovalFlow')
  @Policy(EDIT)
  @Creates(ApprovalFlowView, 'content-approval-flows/{caf_id}')
  @Problems('limit_reached')
  create(@Caller() caller: Principal, @FromBody() body: CreateApprovalFlow): Promise<VersionedApprovalFlowRow> {
    const { caf_states, caf_scope, caf_transitions, ...said } = body;
    return this.pageFlows.create(caller, { ...said, caf_states: [], ...graphOf({ caf_states, caf_scope, caf_transitions }) });
  }

  /** Reads an approval flow. */
  @Get(':id')
  @Named('readApprovalFlow')
  @Policy(VIEW)
  @HasId('id', 'Id of the flow.')
  @ReturnsResource(ApprovalFlowView)
  get(@Caller() caller: Principal, @PathId() id: string): Promise<VersionedApprovalFlowRow> {
    return this.pageFlows.get(caller, id);
  }

  /**
   * Changes an approval flow.
   *
   * States and transitions are replaced as a whole. To remove a state that content is in, map it to another state in
   * `state_map`; otherwise the request fails with 409 and the number in each state. Open requests for approval keep their
   * transition as it was. Sites that you cannot see stay in the scope of the flow.
   */
  @Patch(':id')
  @Named('updateApprovalFlow')
  @Policy(EDIT)
  @HasId('id', 'Id of the flow.')
  @HonoursIfMatch()
  @ReturnsResource(ApprovalFlowView)
  @Problems('already_exists', 'in_use', 'precondition_failed')
  change(
    @Caller() caller: Principal,
    @PathId() id: string,
    @FromBody() body: ChangeApprovalFlow,
    @IfMatch() precondition?: Precondition,
  ): Promise<VersionedApprovalFlowRow> {
    const { caf_states, caf_scope, caf_transitions, state_map, ...said } = body;
    const wish = { ...said, ...graphOf({ caf_states, caf_scope, caf_transitions }) };
    return this.pageFlows.change(caller, id, { wish, state_map: stateMapOf(state_map) }, precondition);
  }

  /**
   * Deactivates an approval flow.
   *
   * The same as `POST /content-approval-flows/{id}/deactivate`: the flow can still be changed and activated again.
   */
  @Delete(':id')
  @Named('deleteApprovalFlow')
  @Policy(EDIT)
  @HasId('id', 'Id of the flow.')
  @HonoursIfMatch()
  @Deletes({ stays: true })
  @Problems('precondition_failed')
  async remove(@PathId() id: string, @IfMatch() precondition?: Precondition): Promise<void> {
    await this.flows.deactivateFlow(id, precondition);
  }

  /**
   * Activates an approval flow.
   *
   * From then on, the content that it covers can be published only in its publishable states. Content without a state in
   * this flow starts in its initial state. Fails with 409 while another active flow covers the same equally.
   */
  @Post(':id/activate')
  @Named('activateApprovalFlow')
  @HttpCode(200)
  @Policy(EDIT)
  @HasId('id', 'Id of the flow.')
  @ReturnsResource(ApprovalFlowView)
  @Problems('already_exists')
  activate(@Caller() caller: Principal, @PathId() id: string): Promise<VersionedApprovalFlowRow> {
    return this.pageFlows.activateFlow(caller, id);
  }

  /**
   * Deactivates an approval flow and returns it.
   *
   * The content keeps its states, and can be published without approval while the flow is inactive.
   */
  @Post(':id/deactivate')
  @Named('deactivateApprovalFlow')
  @HttpCode(200)
  @Policy(EDIT)
  @HasId('id', 'Id of the flow.')
  @ReturnsResource(ApprovalFlowView)
  deactivate(@Caller() caller: Principal, @PathId() id: string): Promise<VersionedApprovalFlowRow> {
    return this.pageFlows.deactivateFlow(caller, id);
  }
}
