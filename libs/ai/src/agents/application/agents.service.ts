import { Injectable } from '@nestjs/common';
import { AclSubjects } from '@atrium/identity';
import { ACL_LEVELS, aclLevel, assertAclLevel, type Principal } from '@atrium/platform/access';
import { Database, violatesConstraint, type Page, type Precondition } from '@atrium/platform/database';
import { accessDenied, Clock, Ids, invalidFields, notFound, type JsonObject } from '@atrium/platform/kernel';
import { MOST_SUBJECTS } from '../../shared/acl-changes';
import { assertMayDelete } from '../../shared/deleting-changes';
import { checkedSchema } from '../../shared/json-schema';
import { Agent, agentNameTaken, type AgentFacts } from '../domain/agent';
import { checkedTools, isClientTool, type AgentTool } from '../domain/agent-tool';
import { AgentsRepository, type AgentFilters, type AgentRow } from '../infrastructure/agents.repository';
import { AgentAccess } from './agent-access';
import { AgentTools } from './agent-tools';
import { KnownReferences, plainIds } from './known-references';

/** Agents as those see them who make and choose them. Each change writes a revision. */
@Injectable()
export class AgentsService {
  constructor(
    private readonly db: Database,
    private readonly agents: AgentsRepository,
    private readonly access: AgentAccess,
    private readonly references: KnownReferences,
    private readonly tools: AgentTools,
    private readonly subjects: AclSubjects,
    private readonly clock: Clock,
    private readonly ids: Ids,
  ) {}

  list(caller: Principal, query: AgentFilters): Promise<Page<AgentRow>> {
    return this.db.read(() => this.agents.listAgents(caller, query));
  }

  /** Instructions are for those who may see agents, not for those who may only run them. */
  get(caller: Principal, agent_id: string): Promise<AgentRow> {
    return this.db.read(async () => {
      const row = await this.answer(agent_id);
      assertAclLevel(row.agent_acl, caller, 'view', 'agent');
      if (caller.permissions.has('agent:view')) return row;
      const { agent_instructions: _, ...shown } = row;
      return shown;
    });
  }

  create(caller: Principal, facts: AgentFacts & { readonly agent_name: string }): Promise<AgentRow> {
    return this.named(() =>
      this.db.write(async () => {
        if (facts.agent_default) await this.agents.lockDefault();
        const { user_id } = caller;
        const agent = Agent.blank({ agent_id: this.ids.next(), agent_name: facts.agent_name, agent_user: user_id }, this.clock);
        await this.describe(caller, agent, facts);
        if (agent.agent_default) await this.replaceDefault(caller, agent);
        await this.agents.insert(agent);
        await this.agents.saveRevision(agent, user_id);
        return this.answer(agent.agent_id);
      }),
    );
  }

  change(caller: Principal, agent_id: string, facts: AgentFacts, precondition?: Precondition): Promise<AgentRow> {
    assertMayDelete(caller, 'agent:delete', facts.agent_active);
    return this.named(() =>
      this.db.write(async () => {
        if (facts.agent_default) await this.agents.lockDefault();
        const agent = await this.access.lockToChange(caller, agent_id, facts, precondition);
        const before = JSON.stringify(agent.settings);
        await this.describe(caller, agent, facts);
        if (JSON.stringify(agent.settings) !== before) await this.amend(caller, agent);
        return this.answer(agent_id);
      }),
    );
  }

  remove(caller: Principal, agent_id: string, precondition?: Precondition): Promise<void> {
    return this.db.write(async () => {
      const agent = await this.access.lockToDelete(caller, agent_id, precondition);
      if (!agent) return;
      agent.delete();
      await this.amend(caller, agent);
    });
  }

  private async amend(caller: Principal, agent: Agent): Promise<void> {
    if (agent.agent_default) await this.replaceDefault(caller, agent);
    agent.amend(this.clock);
    await this.agents.save(agent);
    await this.agents.saveRevision(agent, caller.user_id);
  }

  /** Another agent was the default until now; for it too, this is a change, which needs its level. */
  private async replaceDefault(caller: Principal, { agent_id }: Agent): Promise<void> {
    const before = await this.agents.findDefault();
    if (before === null || before === agent_id) return;
    const other = await this.agents.lock(before, undefined, ({ agent_acl }) => assertReplaceable(agent_acl, caller));
    other.agent_default = false;
    other.amend(this.clock);
    await this.agents.save(other);
    await this.agents.saveRevision(other, caller.user_id);
  }

  private async describe(caller: Principal, agent: Agent, entered: AgentFacts): Promise<void> {
    const facts = withPlainIds(entered);
    await this.assertReferences(caller, agent, facts);
    if (facts.agent_schema) checkedSchema('agent_schema', facts.agent_schema);
    const agent_acl =
      facts.agent_acl === undefined
        ? {}
        : {
            agent_acl: await this.subjects.validateSubjects('agent_acl', facts.agent_acl, { before: agent.agent_acl, most: MOST_SUBJECTS }),
          };
    agent.describe({ ...facts, ...agent_acl }, await this.toolsOf(caller, agent, facts));
    if (facts.agent_default !== undefined || facts.agent_acl !== undefined) agent.assertForAll();
  }

  /** Tools that the agent has already stay, also when the person who changes it may not attach them. */
  private async toolsOf(caller: Principal, agent: Agent, { agent_tools: wanted }: AgentFacts): Promise<readonly AgentTool[] | null> {
    if (wanted === undefined) return null;
    const offered = new Map(
      await this.tools.findOffered(
        caller,
        wanted.flatMap(({ tool }) => tool ?? []),
      ),
    );
    for (const kept of agent.agent_tools) {
      if (!isClientTool(kept) && !offered.has(kept.tool))
        offered.set(kept.tool, { tool: kept.tool, name: kept.tool, description: '', schema: {}, risk: 'external' });
    }
    wanted.forEach(({ schema }, at) => schema && checkedSchema(`agent_tools[${at}].schema`, schema));
    return checkedTools('agent_tools', wanted, offered);
  }

  private async assertReferences(caller: Principal, agent: Agent, facts: AgentFacts): Promise<void> {
    const { agent_icon, agent_knowledge, agent_folders, agent_files } = facts;
    const { agent_model = agent.agent_model } = facts;
    // The provider of its model may have been removed while it was inactive.
    const isBack = facts.agent_active === true && !agent.agent_active;
    const faults = [
      ...(agent_model === agent.agent_model && !isBack ? [] : await this.references.checkModel('agent_model', agent_model)),
      ...(agent_icon === undefined || agent_icon === agent.agent_icon
        ? []
        : await this.references.checkIcon(caller, 'agent_icon', agent_icon)),
      ...(agent_knowledge
        ? await this.references.checkKnowledge(caller, { field: 'agent_knowledge', ids: agent_knowledge, kept: agent.agent_knowledge })
        : []),
      ...(agent_folders
        ? await this.references.checkDocumentFolders(caller, { field: 'agent_folders', ids: agent_folders, kept: agent.agent_folders })
        : []),
      ...(agent_files
        ? await this.references.checkDocuments(caller, { field: 'agent_files', ids: agent_files, kept: agent.agent_files })
        : []),
    ];
    if (faults.length > 0) throw invalidFields(faults.slice(0, 50));
  }

  private async answer(agent_id: string): Promise<AgentRow> {
    const row = await this.agents.findAgentRow(agent_id);
    if (!row) throw notFound('agent');
    return row;
  }

  /** Of two that take one name at once, the second one is refused by the index. */
  private async named<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw violatesConstraint(error, 'agent_name_taken') ? agentNameTaken() : error;
    }
  }
}

/** The present default may be one that the caller does not even see: that it is there is no secret, since it answers everybody. */
function assertReplaceable(agent_acl: JsonObject, caller: Principal): void {
  if (caller.permissions.has('admin:settings')) return;
  if ((aclLevel(agent_acl, caller) ?? ACL_LEVELS.edit) < ACL_LEVELS.edit)
    throw accessDenied('Replacing the default agent requires edit access to the current default agent, or the permission admin:settings.');
}

const withPlainIds = ({ agent_knowledge, agent_folders, agent_files, ...facts }: AgentFacts): AgentFacts => ({
  ...facts,
  ...(agent_knowledge ? { agent_knowledge: plainIds(agent_knowledge) } : {}),
  ...(agent_folders ? { agent_folders: plainIds(agent_folders) } : {}),
  ...(agent_files ? { agent_files: plainIds(agent_files) } : {}),
});
