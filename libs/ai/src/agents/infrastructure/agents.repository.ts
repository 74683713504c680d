import { Injectable } from '@nestjs/common';
import type { ContentBatch, ContentMove } from '@atrium/identity';
import { aclAllows, type Principal } from '@atrium/platform/access';
import {
  columnsOf,
  Database,
  listPage,
  requireScope,
  ResourceRepository,
  sql,
  type ListParameters,
  type Page,
  type MethodsOf,
} from '@atrium/platform/database';
import type { UsersOfModels } from '@atrium/models';
import { handedAcl, isHandedOver, namesGiver } from '../../shared/handed-acl';
import { Agent, SETTINGS } from '../domain/agent';

type Behaviour = MethodsOf<Agent> | 'settings';

/** An agent as answers show it. */
export type AgentRow = Omit<Agent, 'tenant_id' | 'row_version' | Behaviour | 'agent_instructions'> & {
  /** Left out for those who may only run it. */
  readonly agent_instructions?: string | null;
  readonly row_version?: number;
};

export interface AgentFilters extends ListParameters {
  readonly agent_active?: boolean;
  readonly full_text_search?: string;
}

/** An agent as other lists name it. */
export interface NamedAgent extends Record<string, unknown> {
  readonly agent_id: string;
  readonly agent_name: string;
  readonly agent_icon: string | null;
  readonly agent_active: boolean;
}

/** The agents of a workspace. */
@Injectable()
export class AgentsRepository extends ResourceRepository<Agent> {
  constructor(db: Database) {
    super(db, Agent, 'agent');
  }

  /** One page of the agents that the caller may see. */
  listAgents(caller: Principal, { agent_active = true, full_text_search: words, ...query }: AgentFilters): Promise<Page<AgentRow>> {
    const matching = words === undefined ? sql`true` : sql`r.agent_id IN (SELECT search_agents(${words}))`;
    return listPage<AgentRow>(this.db.current(), Agent, query, {
      where: sql`r.agent_active = ${agent_active} AND ${matching} AND ${aclAllows('r.agent_acl', caller, 'view')}`,
      steady: words === undefined,
    });
  }

  /** One agent, inactive ones too; rights are the caller's to decide. */
  findAgentRow(agent_id: string): Promise<AgentRow | undefined> {
    return this.db
      .current()
      .first<AgentRow & Record<string, unknown>>(
        sql`SELECT ${columnsOf(Agent)}, r.row_version FROM agent r WHERE r.tenant_id = ${requireScope().tenant_id} AND r.agent_id = ${agent_id}`,
      );
  }

  /** The names of the agents among the ids, inactive ones too; one statement for however many. */
  async findAgentNames(agent_ids: readonly string[]): Promise<ReadonlyMap<string, NamedAgent>> {
    if (agent_ids.length === 0) return new Map();
    const rows = await this.db
      .current()
      .query<NamedAgent>(
        sql`SELECT agent_id, agent_name, agent_icon, agent_active FROM agent WHERE tenant_id = ${requireScope().tenant_id} AND agent_id = ANY(${[...agent_ids]}::uuid[])`,
      );
    return new Map(rows.map((row) => [row.agent_id, row]));
  }

  /** The active default of the workspace. */
  async findDefault(): Promise<string | null> {
    const row = await this.db
      .current()
      .first<{ agent_id: string }>(
        sql`SELECT agent_id FROM agent WHERE tenant_id = ${requireScope().tenant_id} AND agent_default AND agent_active`,
      );
    return row?.agent_id ?? null;
  }

  /** Those who make an agent the default wait for each other, before they lock any agent. */
  async lockDefault(): Promise<void> {
    await this.db
      .current()
      .query(sql`SELECT pg_advisory_xact_lock(hashtextextended('default agent:' || ${requireScope().tenant_id}::text, 0))`);
  }

  /** Keeps what the agent is at its present version. */
  async saveRevision({ agent_id, agent_version, settings }: Agent, user: string | null): Promise<void> {
    await this.db.current().execute(
      sql`INSERT INTO agent_revision (tenant_id, agent_id, agent_version, rev_body, rev_user)
          VALUES (${requireScope().tenant_id}, ${agent_id}, ${agent_version}, ${JSON.stringify(settings)}::jsonb, ${user}::uuid)`,
    );
  }

  /** Active agents that name a model of the provider: a few that the caller can see, and how many there are besides. */
  async findUsersOfModels(mp_name: string, caller: Principal, most: number): Promise<UsersOfModels> {
    const seen = caller.permissions.has('agent:view') ? aclAllows('r.agent_acl', caller, 'view') : sql`false`;
    const rows = await this.db.current().query<{ id: string; name: string; seen: boolean; total: number }>(
      sql`SELECT r.agent_id AS id, r.agent_name AS name, ${seen} AS seen, count(*) OVER ()::int AS total FROM agent r
          WHERE r.tenant_id = ${requireScope().tenant_id} AND r.agent_active AND split_part(r.agent_model, '/', 1) = ${mp_name}
          ORDER BY seen DESC, r.agent_name_key, r.agent_id LIMIT ${most}`,
    );
    const named = rows.filter((row) => row.seen).map(({ id, name }) => ({ id, name }));
    return { named, others: (rows[0]?.total ?? 0) - named.length };
  }

  /**
   * Hands over what belongs to one member within one stretch of the agents, along the primary key. Where that changes an access
   * list it makes a version.
   */
  async handOver(
    move: ContentMove,
    { after, size }: ContentBatch,
  ): Promise<{ readonly moved: number; readonly seen: number; readonly last: string | null }> {
    const { tenant_id, actor } = requireScope();
    const { from, to } = move;
    const isAmended = namesGiver('a.agent_acl', move);
    const stretch = await this.db.current().first<{ moved: number; seen: number; last: string | null }>(
      sql`WITH stretch AS MATERIALIZED (SELECT agent_id FROM agent WHERE tenant_id = ${tenant_id} AND ${after === null ? sql`true` : sql`agent_id > ${after}`} ORDER BY agent_id LIMIT ${size}),
          moved AS (UPDATE agent a SET agent_user = CASE WHEN a.agent_user = ${from}::uuid THEN ${to}::uuid ELSE a.agent_user END, agent_acl = ${handedAcl('a.agent_acl', move)},
                      agent_version = a.agent_version + CASE WHEN ${isAmended} THEN 1 ELSE 0 END, agent_updated = CASE WHEN ${isAmended} THEN now() ELSE a.agent_updated END, row_version = a.row_version + 1
                    FROM stretch s WHERE a.tenant_id = ${tenant_id} AND a.agent_id = s.agent_id AND ${isHandedOver(CLAIMS, move)} RETURNING a.*),
          kept AS (INSERT INTO agent_revision (tenant_id, agent_id, agent_version, rev_body, rev_user)
                   SELECT tenant_id, agent_id, agent_version, (SELECT jsonb_object_agg(key, value) FROM jsonb_each(to_jsonb(moved)) WHERE key = ANY(${[...SETTINGS]}::text[])), ${actor.user_id}::uuid FROM moved
                   ON CONFLICT DO NOTHING)
          SELECT (SELECT count(*) FROM moved) AS moved, (SELECT count(*) FROM stretch) AS seen, (SELECT agent_id FROM stretch ORDER BY agent_id DESC LIMIT 1) AS last`,
    );
    return stretch ?? { moved: 0, seen: 0, last: null };
  }
}

const CLAIMS = { creator: 'a.agent_user', acl: 'a.agent_acl' } as const;
