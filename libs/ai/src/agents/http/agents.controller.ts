import { Body as FromBody, Controller, Delete, Get, Patch, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Caller, Named, Policy, type Principal } from '@atrium/platform/access';
import { pageOfRows, type Page, type Precondition } from '@atrium/platform/database';
import { Creates, Deletes, HasId, HonoursIfMatch, IfMatch, PathId, Problems, Returns, ReturnsResource } from '@atrium/platform/http';
import { AgentTools } from '../application/agent-tools';
import { AgentsService } from '../application/agents.service';
import type { OfferedTool } from '../domain/agent-tool';
import {
  AgentPage,
  AgentView,
  ChangeAgent,
  CreateAgent,
  ListAgents,
  ListOfferedTools,
  OfferedToolPage,
  OfferedToolView,
} from './agents.dto';

@ApiTags('Agents')
@Controller('agents')
export class AgentsController {
  constructor(
    private readonly agents: AgentsService,
    private readonly tools: AgentTools,
  ) {}

  /**
   * Lists the agents that you can view.
   *
   * The newest come first. Deleted agents are listed only with `agent_active=false`.
   */
  @Get()
  @Policy({ any: ['agent:view'] })
  @Returns(AgentPage, 'A page of agents.')
  list(@Caller() caller: Principal, @Query() query: ListAgents): Promise<Page<object>> {
    return this.agents.list(caller, query);
  }

  /**
   * Creates an agent.
   *
   * Models, knowledge bases, folders, files and tools that you cannot view are rejected as unknown (400, with the
   * path). Fails with 409 if an active agent has the same name.
   */
  @Post()
  @Policy({ all: ['agent:edit'] })
  @Creates(AgentView, 'agents/{agent_id}')
  @Problems('already_exists')
  create(@Caller() caller: Principal, @FromBody() body: CreateAgent): Promise<object> {
    return this.agents.create(caller, body);
  }

  /**
   * Lists the tools that you can attach to agents.
   *
   * Built-in tools come first, followed by workflows and integration actions.
   */
  @Get('tools')
  @Named('listAgentTools')
  @Policy({ any: ['agent:view'] })
  @Returns(OfferedToolPage, 'A page of tools.')
  async offered(@Caller() caller: Principal, @Query() query: ListOfferedTools): Promise<Page<OfferedTool>> {
    return pageOfRows(OfferedToolView, await this.tools.listTools(caller), query, ({ tool }) => tool);
  }

  /**
   * Reads an agent.
   *
   * The instructions are left out if you can run agents but not view them.
   */
  @Get(':id')
  @Policy({ any: ['agent:view', 'agent:run'] })
  @HasId('id', 'Id of the agent.')
  @ReturnsResource(AgentView)
  get(@Caller() caller: Principal, @PathId() id: string): Promise<object> {
    return this.agents.get(caller, id);
  }

  /**
   * Changes an agent.
   *
   * Omitted fields stay as they are; objects and lists are replaced as a whole. Each change creates a new version;
   * runs in progress keep theirs. `agent_default: true` replaces the current default agent. The access list can be
   * changed by owners of the agent and by administrators (`admin:settings`) who can view it. `agent_active: true`
   * restores a deleted agent, which cannot be changed otherwise (409); `agent_active: false` deletes it and requires
   * `agent:delete`.
   */
  @Patch(':id')
  @Policy({ all: ['agent:edit'] })
  @HasId('id', 'Id of the agent.')
  @HonoursIfMatch()
  @ReturnsResource(AgentView)
  @Problems('already_exists', 'in_use', 'invalid_state', 'precondition_failed')
  change(
    @Caller() caller: Principal,
    @PathId() id: string,
    @FromBody() body: ChangeAgent,
    @IfMatch() precondition?: Precondition,
  ): Promise<object> {
    return this.agents.change(caller, id, body, precondition);
  }

  /**
   * Deletes an agent.
   *
   * It no longer answers. Its threads remain readable and continue with another agent. Fails with 409 for an agent
   * that is managed by the platform or an extension.
   */
  @Delete(':id')
  @Policy({ all: ['agent:delete'] })
  @HasId('id', 'Id of the agent.')
  @HonoursIfMatch()
  @Deletes({ stays: true })
  @Problems('in_use', 'precondition_failed')
  remove(@Caller() caller: Principal, @PathId() id: string, @IfMatch() precondition?: Precondition): Promise<void> {
    return this.agents.remove(caller, id, precondition);
  }
}
