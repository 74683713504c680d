import { Injectable } from '@nestjs/common';
import { unauthenticated, type Requester, type Module, type Principal } from '@atrium/platform/access';
import { Database, requireScope, sql } from '@atrium/platform/database';
import { Clock, Problem } from '@atrium/platform/kernel';
import { factsOf, tenantForbidden, refusalOf, type MemberFacts } from './caller-facts';

interface Row extends Record<string, unknown> {
  readonly facts: MemberFacts | null;
  readonly key_scopes: readonly string[] | null;
  readonly key_good: boolean;
}

/**
 * What somebody may do now who is not calling: background work asks before each of its steps, so that rights that were
 * taken away in the meantime count. A member or key that is gone is refused like a call of theirs would be.
 */
@Injectable()
export class ActingCallers {
  constructor(
    private readonly db: Database,
    private readonly clock: Clock,
  ) {}

  async resolvePrincipal({ user_id, key_id }: Requester): Promise<Principal> {
    const { tenant_id } = requireScope();
    const [row] = await this.db.query<Row>(
      sql`
        SELECT auth_facts(u.tenant_id, u.user_id) AS facts, k.key_scopes, k.key_revoked_at IS NULL AND (k.key_expires_at IS NULL OR k.key_expires_at > ${this.clock.now()}) AS key_good
        FROM workspace_user u LEFT JOIN api_key k ON k.tenant_id = u.tenant_id AND k.key_user = u.user_id AND k.key_id = ${key_id}::uuid
        WHERE u.tenant_id = ${tenant_id} AND u.user_id = ${user_id}::uuid AND (${key_id}::uuid IS NULL OR k.key_id IS NOT NULL)`,
    );
    if (!row?.facts) throw tenantForbidden();
    const refusal = refusalOf(row.facts) ?? (key_id === null || row.key_good ? null : keyEnded());
    if (refusal) throw refusal;
    const { licenses, stamp: _, ...facts } = factsOf(row.facts, key_id === null ? null : row.key_scopes);
    return {
      ...facts,
      modules: this.licensed(licenses),
      tenant_id,
      user_id,
      key_id,
      session_id: null,
      auth_time: null,
      methods: [],
      key_rate_limit: null,
    };
  }

  /** The same of several members, without their keys; members without access are left out. */
  async resolveMemberPrincipals(user_ids: readonly string[]): Promise<Map<string, Principal>> {
    const { tenant_id } = requireScope();
    const rows = await this.db.read((tx) =>
      tx.query<{ user_id: string; facts: MemberFacts | null }>(
        sql`SELECT u.user_id, auth_facts(u.tenant_id, u.user_id) AS facts FROM workspace_user u WHERE u.tenant_id = ${tenant_id} AND u.user_id = ANY(${[...user_ids]}::uuid[])`,
      ),
    );
    return new Map(
      rows.flatMap(({ user_id, facts }) => (facts && !refusalOf(facts) ? [[user_id, this.principal(user_id, facts)] as const] : [])),
    );
  }

  private principal(user_id: string, member: MemberFacts): Principal {
    const { licenses, stamp: _, ...facts } = factsOf(member, null);
    return {
      ...facts,
      modules: this.licensed(licenses),
      tenant_id: requireScope().tenant_id,
      user_id,
      key_id: null,
      session_id: null,
      auth_time: null,
      methods: [],
      key_rate_limit: null,
    };
  }

  private licensed(licenses: ReturnType<typeof factsOf>['licenses']): ReadonlySet<Module> {
    const now = this.clock.now();
    return new Set(licenses.filter(({ from, until }) => from <= now && (!until || until > now)).map(({ module }) => module));
  }
}

const keyEnded = (): Problem => unauthenticated('The API key that requested this is no longer valid.');
