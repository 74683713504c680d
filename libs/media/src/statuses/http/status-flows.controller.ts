import { Body as FromBody, Controller, Delete, Get, Post, Put, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Policy } from '@atrium/platform/access';
import type { Page, Precondition } from '@atrium/platform/database';
import { Creates, Deletes, HasId, HonoursIfMatch, IfMatch, PathId, Problems, Returns, ReturnsResource } from '@atrium/platform/http';
import { StatusFlows, type StatusFlowRow } from '../application/status-flows.service';
import { flowOf } from './status-flow-body';
import { ListStatusFlows, PutStatusFlow, StatusFlowPage, StatusFlowView } from './statuses.dto';

/** The flows that files follow. */
@ApiTags('Media status flows')
@Controller('admin/media-status-flows')
export class StatusFlowsController {
  constructor(private readonly flows: StatusFlows) {}

  /**
   * Lists status flows with the number of files in each state.
   */
  @Get()
  @Policy({ all: ['admin:media-status'] })
  @Returns(StatusFlowPage, 'A page of status flows.')
  list(@Query() query: ListStatusFlows): Promise<Page<StatusFlowRow>> {
    return this.flows.list(query);
  }

  /**
   * Creates a status flow.
   *
   * Exactly one state is initial, and all others must be reachable from it. An active flow replaces the previous flow of its
   * repositories: `remap` names the new states of files whose state it does not contain.
   */
  @Post()
  @Policy({ all: ['admin:media-status'] })
  @Creates(StatusFlowView, 'admin/media-status-flows/{msf_id}')
  @Problems('already_exists', 'in_use')
  create(@FromBody() body: PutStatusFlow): Promise<StatusFlowRow> {
    return this.flows.create(flowOf(body));
  }

  /** Reads one status flow. */
  @Get(':id')
  @HasId()
  @Policy({ all: ['admin:media-status'] })
  @ReturnsResource(StatusFlowView)
  get(@PathId() id: string): Promise<StatusFlowRow> {
    return this.flows.get(id);
  }

  /**
   * Replaces a status flow.
   *
   * Removing a state that files have requires an entry in `remap` with their new state (409 `in_use`). When activated, the flow
   * replaces the previous flow of its repositories. When deactivated, their files get the status `active`.
   */
  @Put(':id')
  @HasId()
  @Policy({ all: ['admin:media-status'] })
  @HonoursIfMatch()
  @ReturnsResource(StatusFlowView)
  @Problems('already_exists', 'in_use', 'precondition_failed')
  replace(@PathId() id: string, @FromBody() body: PutStatusFlow, @IfMatch() precondition?: Precondition): Promise<StatusFlowRow> {
    return this.flows.replace(id, flowOf(body), precondition);
  }

  /**
   * Deletes a status flow that no repository follows.
   */
  @Delete(':id')
  @HasId()
  @Policy({ all: ['admin:media-status'] })
  @HonoursIfMatch()
  @Deletes()
  @Problems('invalid_state', 'precondition_failed')
  remove(@PathId() id: string, @IfMatch() precondition?: Precondition): Promise<void> {
    return this.flows.remove(id, precondition);
  }
}
