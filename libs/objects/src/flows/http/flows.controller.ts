import { Body as FromBody, Controller, Delete, Get, Patch, Post, Query, Res } from '@nestjs/common';
import { ApiResponse, ApiTags } from '@nestjs/swagger';
import { stateMapOf } from '@atrium/approvals';
import { Named, Policy } from '@atrium/platform/access';
import type { Page, Precondition } from '@atrium/platform/database';
import {
  API_PREFIX,
  Creates,
  Deletes,
  HasId,
  HonoursIfMatch,
  IfMatch,
  JobView,
  KeptAs,
  PathId,
  Problems,
  Returns,
  ReturnsResource,
} from '@atrium/platform/http';
import type { Job } from '@atrium/platform/messaging';
import type { Response } from 'express';
import { FlowsService, type ActivatedFlow, type LifecycleFlowRow, type VersionedFlowRow } from '../application/flows.service';
import { flowOf } from './flow-body';
import {
  ActivateLifecycleFlow,
  ChangeLifecycleFlow,
  CreateLifecycleFlow,
  LifecycleFlowPage,
  LifecycleFlowView,
  ListLifecycleFlows,
} from './flows.dto';

const LICENSE = 'module-objects';
const VIEW = { any: ['object:view'], license: LICENSE } as const;
const EDIT = { all: ['object:lifecycle:edit'], license: LICENSE } as const;

@ApiTags('Object lifecycle flows')
@Controller('object-lifecycle-flows')
export class LifecycleFlowsController {
  constructor(private readonly flows: FlowsService) {}

  /** Lists lifecycle flows. */
  @Get()
  @Policy(VIEW)
  @Returns(LifecycleFlowPage, 'A page of lifecycle flows.')
  list(@Query() query: ListLifecycleFlows): Promise<Page<LifecycleFlowRow>> {
    return this.flows.list(query);
  }

  /**
   * Creates a lifecycle flow.
   *
   * Exactly one state must be the initial state, and all states must be reachable from it. New flows are inactive;
   * activate the flow once it is complete.
   */
  @Post()
  @Policy(EDIT)
  @Creates(LifecycleFlowView, 'object-lifecycle-flows/{olf_id}')
  create(@FromBody() body: CreateLifecycleFlow): Promise<VersionedFlowRow> {
    return this.flows.create({ ...flowOf(body), olf_name: body.olf_name, olf_states: flowOf(body).olf_states ?? [] });
  }

  /** Reads a lifecycle flow. */
  @Get(':id')
  @Policy(VIEW)
  @HasId('id', 'Id of the flow.')
  @ReturnsResource(LifecycleFlowView)
  get(@PathId() id: string): Promise<VersionedFlowRow> {
    return this.flows.get(id);
  }

  /**
   * Changes a lifecycle flow.
   *
   * States and transitions are replaced as a whole. To remove a state that objects are in, map it to another state in
   * `state_map`; otherwise the request fails with 409 and the number of objects in each state. Up to 1,000 objects
   * are moved immediately and the others in the background; until then, a removed state counts as the one that
   * replaces it. A change of `retrievable` is applied to searches in the same way.
   */
  @Patch(':id')
  @Policy(EDIT)
  @HasId('id', 'Id of the flow.')
  @HonoursIfMatch()
  @ReturnsResource(LifecycleFlowView)
  @Problems('already_exists', 'in_use', 'precondition_failed')
  change(@PathId() id: string, @FromBody() body: ChangeLifecycleFlow, @IfMatch() precondition?: Precondition): Promise<VersionedFlowRow> {
    return this.flows.change(id, flowOf(body), stateMapOf(body.state_map), precondition);
  }

  /**
   * Deactivates a lifecycle flow.
   *
   * The same as `POST /object-lifecycle-flows/{id}/deactivate`: the flow can still be changed and activated again. Objects
   * keep their states and cannot be moved while it is inactive.
   */
  @Delete(':id')
  @Policy(EDIT)
  @HasId('id', 'Id of the flow.')
  @HonoursIfMatch()
  @Deletes({ stays: true })
  @Problems('precondition_failed')
  async remove(@PathId() id: string, @IfMatch() precondition?: Precondition): Promise<void> {
    await this.flows.deactivateFlow(id, precondition);
  }

  /**
   * Activates a lifecycle flow.
   *
   * New objects of its schemas start in its initial state. Fails with 409 while another active flow applies to one of
   * its schemas, or to all schemas like this one. With `adopt`, a job (202) lets objects without an active flow
   * follow this one, and its `result` counts them: an object keeps its state if the flow has a state with the same
   * key, and otherwise starts in the initial state.
   */
  @Post(':id/activate')
  @Named('activateLifecycleFlow')
  @Policy(EDIT)
  @HasId('id', 'Id of the flow.')
  @ReturnsResource(LifecycleFlowView)
  @ApiResponse({
    status: 202,
    type: JobView,
    description: 'Activated. Poll the job that adopts objects.',
    headers: { Location: { description: 'URL of the job.', schema: { type: 'string' } } },
  })
  @KeptAs(({ flow, job }: Partial<ActivatedFlow>) => {
    if (job) return { status: 202, body: job, headers: { Location: locationOf(job) } };
    return flow && { status: 200, body: flow };
  })
  @Problems('already_exists')
  async activate(
    @PathId() id: string,
    @FromBody() { adopt = false }: ActivateLifecycleFlow,
    @Res({ passthrough: true }) response: Response,
  ): Promise<VersionedFlowRow | Job> {
    const { flow, job } = await this.flows.activateFlow(id, adopt);
    if (!job) return flow;
    response.status(202).setHeader('Location', locationOf(job));
    return job;
  }

  /**
   * Deactivates a lifecycle flow and returns it.
   *
   * Objects keep their states and cannot be moved while it is inactive.
   */
  @Post(':id/deactivate')
  @Named('deactivateLifecycleFlow')
  @Policy(EDIT)
  @HasId('id', 'Id of the flow.')
  @ReturnsResource(LifecycleFlowView)
  deactivate(@PathId() id: string): Promise<VersionedFlowRow> {
    return this.flows.deactivateFlow(id);
  }
}

const locationOf = ({ job_id }: Job): string => `/${API_PREFIX}/jobs/${job_id}`;
