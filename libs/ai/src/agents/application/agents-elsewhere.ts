import { Injectable, type OnModuleInit } from '@nestjs/common';
import { BudgetTargets, UsageLabels } from '@atrium/governance';
import { AclSources, ContentOwners, WorkspaceStarts, type ContentBatch, type ContentMove, type ContentMoved } from '@atrium/identity';
import { ModelUsers } from '@atrium/models';
import { Database, deactivationOf } from '@atrium/platform/database';
import { Clock, Ids } from '@atrium/platform/kernel';
import { Agent } from '../domain/agent';
import { STANDARD_AGENT } from '../domain/standard-agent';
import { AgentsRepository } from '../infrastructure/agents.repository';

const FEW = 5;

/** Agents as other contexts meet them: the first one of a workspace, names in reports, targets of budgets, users of models, content of members. */
@Injectable()
export class AgentsElsewhere implements OnModuleInit {
  constructor(
    private readonly db: Database,
    private readonly agents: AgentsRepository,
    private readonly starts: WorkspaceStarts,
    acls: AclSources,
    private readonly owners: ContentOwners,
    private readonly labels: UsageLabels,
    private readonly budgets: BudgetTargets,
    private readonly models: ModelUsers,
    private readonly clock: Clock,
    private readonly ids: Ids,
  ) {
    acls.registerTable('agent', {
      table: 'agent',
      id: 'agent_id',
      acl: 'agent_acl',
      creator: 'agent_user',
      name: 'agent_name',
      view: 'agent:view',
      handsOver: true,
      deletion: deactivationOf(Agent),
    });
  }

  onModuleInit(): void {
    this.starts.register({ context: 'ai', setUpWorkspace: () => this.plant() });
    this.owners.register({ context: 'agents', transferContent: (move, batch) => this.transfer(move, batch) });
    this.labels.register(
      'agent',
      async (ids) => new Map([...(await this.agents.findAgentNames(ids))].map(([id, { agent_name }]) => [id, agent_name])),
    );
    this.budgets.register('agent', async (id) => (await this.agents.findAgentNames([id])).get(id)?.agent_active ?? false);
    this.models.register({ kind: 'agent', findUsers: (mp_name, caller) => this.agents.findUsersOfModels(mp_name, caller, FEW) });
  }

  private async plant(): Promise<void> {
    const { agent_tools, ...facts } = STANDARD_AGENT;
    const agent = Agent.blank({ agent_id: this.ids.next(), agent_name: STANDARD_AGENT.agent_name, agent_user: null }, this.clock);
    agent.describe(facts, agent_tools);
    await this.agents.insert(agent);
    await this.agents.saveRevision(agent, null);
  }

  private async transfer(move: ContentMove, batch: ContentBatch): Promise<ContentMoved> {
    const { moved, seen, last } = await this.db.write(() => this.agents.handOver(move, batch));
    return { moved, next: seen < batch.size ? null : last };
  }
}
