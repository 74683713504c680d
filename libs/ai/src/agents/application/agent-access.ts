import { Injectable } from '@nestjs/common';
import { ACL_LEVELS, aclLevel, assertAclChange, assertAclLevel, type Principal } from '@atrium/platform/access';
import type { Precondition } from '@atrium/platform/database';
import { saysOnly } from '../../shared/acl-changes';
import type { Agent, AgentFacts } from '../domain/agent';
import { AgentsRepository } from '../infrastructure/agents.repository';

/** What a caller may do with an agent, by its access list; unreadable ones answer 404, readable but not enough 403. Within a unit of work. */
@Injectable()
export class AgentAccess {
  constructor(private readonly agents: AgentsRepository) {}

  /** For a change that the caller may make: of the access list alone by those who may share it, of anything else with edit access. */
  lockToChange(caller: Principal, agent_id: string, change: AgentFacts, precondition?: Precondition): Promise<Agent> {
    const level = saysOnly('agent_acl', change) ? 'view' : 'edit';
    return this.agents.lockToChange(agent_id, change, precondition, ({ agent_acl }) => {
      assertAclLevel(agent_acl, caller, level, NOUN);
      if (change.agent_acl !== undefined) assertAclChange(agent_acl, caller, NOUN);
    });
  }

  lockToDelete(caller: Principal, agent_id: string, precondition?: Precondition): Promise<Agent | null> {
    return this.agents.lockToDelete(agent_id, precondition, ({ agent_acl }) => assertAclLevel(agent_acl, caller, 'edit', NOUN));
  }

  /** The agent if it is active and the caller may use it, else null; whether they may run agents at all is the route's to decide. */
  async findUsable(caller: Principal, agent_id: string): Promise<Agent | null> {
    const agent = await this.agents.findRow(agent_id);
    return agent?.agent_active && (aclLevel(agent.agent_acl, caller) ?? ACL_LEVELS.view) >= ACL_LEVELS.view ? agent : null;
  }

  /** The default agent of the workspace, for threads that name none; null where there is none that the caller may use. */
  async findDefault(caller: Principal): Promise<Agent | null> {
    const agent_id = await this.agents.findDefault();
    return agent_id === null ? null : this.findUsable(caller, agent_id);
  }
}

const NOUN = 'agent';
