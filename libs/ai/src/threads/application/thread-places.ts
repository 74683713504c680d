import { Injectable } from '@nestjs/common';
import { RetentionPolicies } from '@atrium/governance';
import { ActingCallers, KnownMembers } from '@atrium/identity';
import { type Principal } from '@atrium/platform/access';
import { accessDenied, invalidField, isId } from '@atrium/platform/kernel';
import { AgentAccess } from '../../agents/application/agent-access';
import type { Agent } from '../../agents/domain/agent';
import type { ThreadGrant } from '../domain/thread-acl';
import type { ThreadRef } from '../domain/thread-ref';
import { ThreadsRepository } from '../infrastructure/threads.repository';

/** What a thread may be put to: its agent, its space, its owner and those it is shared with exist and are the caller's to name. */
@Injectable()
export class ThreadPlaces {
  constructor(
    private readonly threads: ThreadsRepository,
    private readonly agents: AgentAccess,
    private readonly members: KnownMembers,
    private readonly acting: ActingCallers,
    private readonly policies: RetentionPolicies,
  ) {}

  /** The agent that answers; one of a kind that is opened on subjects needs a subject of its kinds. */
  async requireAgent(caller: Principal, agent_id: string, ref: ThreadRef | null): Promise<Agent> {
    const agent = await this.agents.findUsable(caller, agent_id);
    if (!agent) throw invalidField('thread_agent', 'must be an active agent of this workspace', 'reference');
    if (agent.agent_type === 'context' && ref === null)
      throw invalidField('thread_ref', 'is required, because the agent answers only in threads with a subject', 'required');
    if (agent.agent_type === 'context' && ref && !agent.agent_context_types.includes(ref.type))
      throw invalidField('thread_ref.type', `must be one of ${agent.agent_context_types.join(', ')}, which the agent supports`, 'choice');
    return agent;
  }

  /** Putting a thread into a space requires the right to write there. */
  async assertSpace(caller: Principal, space_id: string): Promise<void> {
    const role = await this.threads.findSpaceRole(caller, space_id);
    if (role === null) throw invalidField('thread_space', 'must be a space that you are in', 'reference');
    if (role === 'viewer') throw accessDenied('You need the role editor in this space. Ask one of its owners for it.');
  }

  /** A new owner is a member who may read threads. */
  async assertOwner(user_id: string): Promise<void> {
    const known = (await this.acting.resolveMemberPrincipals([user_id])).get(user_id);
    if (!known?.permissions.has('thread:view'))
      throw invalidField('thread_user', 'must be a member of this workspace who can view threads', 'reference');
  }

  /** Those that a list newly names exist; a space is named by its members. */
  async assertKnown(caller: Principal, grants: readonly ThreadGrant[], before: readonly ThreadGrant[] = []): Promise<void> {
    const fresh = grants.filter(({ kind, to }) => !before.some((known) => known.kind === kind && known.to === to));
    const idsOf = (kind: ThreadGrant['kind']): string[] => fresh.filter((grant) => grant.kind === kind).map(({ to }) => to);
    const users = idsOf('user').length > 0 ? await this.members.findMemberIds(idsOf('user')) : new Set<string>();
    const roles = idsOf('role').length > 0 ? await this.members.filterExistingRoles(idsOf('role')) : new Set<string>();
    const spaces = new Set(caller.space_ids);
    const known = { user: users, role: roles, space: spaces };
    const unknown = fresh.find(({ kind, to }) => !known[kind].has(to));
    if (unknown)
      throw invalidField(`thread_acl.${unknown.kind}s.${unknown.to}`, `must be a ${unknown.kind} of this workspace`, 'reference');
  }

  /** Names of roles and spaces among the ids. A deleted space has a name as long as it is read. */
  async findGroupNames(ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
    return ids.length === 0 ? new Map() : this.threads.findGroupNames(ids, await this.policies.readHorizon('threads_inactive'));
  }

  /** Whose thread it is when a client names an owner: digits are an id in a system of the client's. */
  async resolveOwner(caller: Principal, named: string | undefined): Promise<{ readonly owner: string; readonly external: string | null }> {
    if (named === undefined) return { owner: caller.user_id, external: null };
    if (/^\d{1,64}$/.test(named)) return { owner: caller.user_id, external: named };
    if (!isId(named)) throw invalidField('thread_user', 'must be your own id, or digits', 'uuid');
    const owner = named.toLowerCase();
    if (owner === caller.user_id) return { owner, external: null };
    if (!caller.permissions.has('admin:users')) throw invalidField('thread_user', 'must be your own id, or digits', 'reference');
    await this.assertOwner(owner);
    return { owner, external: null };
  }
}
