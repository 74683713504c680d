import { Injectable } from '@nestjs/common';
import { unauthenticated, type Requester, type Module, type Principal } from '@atrium/platform/access';
import { Database, requireScope } from '@atrium/platform/database';
import { Clock, Problem } from '@atrium/platform/kernel';
import { CallerRows, type MemberFacts } from '../infrastructure/caller.rows';
import { factsOf, tenantForbidden, refusalOf } from './caller-facts';

/**
 * What somebody may do now who is not calling: background work asks before each of its steps, so that rights that were
 * taken away in the meantime count. A member or key that is gone is refused like a call of theirs would be.
 */
@Injectable()
export class ActingCallers {
  constructor(
    private readonly db: Database,
    private readonly rows: CallerRows,
    private readonly clock: Clock,
  ) {}

  async resolvePrincipal({ user_id, key_id }: Requester): Promise<Principal> {
    const { tenant_id } = requireScope();
    const row = await this.rows.findRequester({ user_id, key_id }, this.clock.now());
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
    const rows = await this.db.read(() => this.rows.listMemberFacts(user_ids));
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
