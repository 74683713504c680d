import { Injectable } from '@nestjs/common';
import { Audit } from '@atrium/platform/access';
import { Outbox } from '@atrium/platform/messaging';
import type { Issuer } from '../domain/issuer';
import type { VouchedClaims } from '../domain/issuer-verifier';
import { MAX_ROLES_OF_USER } from '../../roles/domain/role';
import type { KnownMember } from '../infrastructure/account-links';
import { IssuersRepository } from '../infrastructure/issuers.repository';
import { UsersRepository } from '../../people/infrastructure/users.repository';
import { PEOPLE_AUDIT } from '../../people/application/people.audit';

export interface RolesAfter {
  readonly role_ids: readonly string[];
  readonly grants: readonly string[];
}

/** Roles as issuers see them: those a map names come and go with what the token says, all others stay as they are. */
@Injectable()
export class IssuerRoles {
  constructor(
    private readonly users: UsersRepository,
    private readonly issuers: IssuersRepository,
    private readonly audit: Audit,
    private readonly outbox: Outbox,
  ) {}

  /** Which roles somebody will hold, and what these grant; the last owner stays one. Within a unit of work. */
  async after(issuer: Issuer, { roles }: VouchedClaims, member: KnownMember | null): Promise<RolesAfter> {
    const { given, named } = roles === null ? { given: [], named: [] } : issuer.mapped(roles);
    const kept = (member?.role_ids ?? []).filter((id) => !named.includes(id) || given.includes(id));
    const wanted = [...new Set([...kept, ...given])];
    const granted = await this.users.grantsOfRoles(wanted);
    const held = wanted.filter((id) => granted.has(id)).slice(0, MAX_ROLES_OF_USER);
    if (held.length === 0 && !member) return this.standard(issuer);
    const owner = member ? await this.issuers.lastOwnerRole(member.user_id) : null;
    if (owner === null || held.includes(owner)) return { role_ids: held, grants: grantsOf(held, granted) };
    return { role_ids: [...held, owner], grants: ['*'] };
  }

  /** Gives exactly these; reported as a change of the member. */
  async give({ user_id, role_ids }: KnownMember, roles: readonly string[], { iss_name }: Issuer): Promise<void> {
    await this.users.setRoles(user_id, roles);
    this.outbox.emit({ name: 'user.updated', subject_id: user_id, payload: { changed: ['user_roles'] } });
    this.audit.record({
      type: PEOPLE_AUDIT['user.updated'],
      target: { type: 'user', id: user_id },
      before: { user_roles: [...role_ids] },
      after: { user_roles: [...roles] },
      reason: `Assigned by ${iss_name}.`,
    });
  }

  /** Of new members to whom the map gives nothing. */
  async standard({ iss_default_role }: Pick<Issuer, 'iss_default_role'>): Promise<RolesAfter> {
    const role_ids = iss_default_role ? [iss_default_role] : await this.users.defaultRoles();
    return { role_ids, grants: grantsOf(role_ids, await this.users.grantsOfRoles(role_ids)) };
  }
}

const grantsOf = (role_ids: readonly string[], granted: ReadonlyMap<string, readonly string[]>): string[] =>
  role_ids.flatMap((id) => granted.get(id) ?? []);
