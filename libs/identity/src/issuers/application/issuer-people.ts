import { Injectable } from '@nestjs/common';
import { Audit, unauthenticated } from '@atrium/platform/access';
import { Clock, Ids, Problem } from '@atrium/platform/kernel';
import { Outbox } from '@atrium/platform/messaging';
import { domainOf } from '../../shared/domain/email';
import type { Issuer } from '../domain/issuer';
import type { VouchedClaims } from '../domain/issuer-verifier';
import { User } from '../../people/domain/user';
import { AccountLinks, type KnownMember } from '../infrastructure/account-links';
import { InvitationsRepository } from '../../people/infrastructure/invitations.repository';
import { UsersRepository } from '../../people/infrastructure/users.repository';
import { areGrantsWithin } from '../../roles/application/grants';
import { assertSeat } from '../../people/application/member-faults';
import { PEOPLE_AUDIT } from '../../people/application/people.audit';
import { MAX_ROLES_OF_USER } from '../../roles/domain/role';
import { IssuersRepository } from '../infrastructure/issuers.repository';

export interface RolesAfter {
  readonly role_ids: readonly string[];
  readonly grants: readonly string[];
}

/** Whom a token means, and what letting them in would change. */
interface TokenSubject {
  readonly how: 'linked' | 'addressed' | 'new';
  readonly member: KnownMember | null;
  readonly roles: readonly string[];
}

/** What would become of somebody who comes with a token. */
export interface Arrival {
  readonly action: 'sign_in' | 'link' | 'join' | 'create' | 'refuse';
  readonly user_id: string | null;
  readonly user_roles: readonly string[];
  readonly because: string | null;
}

/**
 * Lets people in whom an issuer vouches for: known subjects, members by an address the issuer may speak for, new members
 * where it may make them. No one is admitted with more permissions than the member who trusted the issuer.
 */
@Injectable()
export class IssuerPeople {
  constructor(
    private readonly links: AccountLinks,
    private readonly users: UsersRepository,
    private readonly invitations: InvitationsRepository,
    private readonly audit: Audit,
    private readonly outbox: Outbox,
    private readonly clock: Clock,
    private readonly ids: Ids,
    private readonly issuers: IssuersRepository,
  ) {}

  /** The member's id, with link, membership and roles as the token says; within a writing unit of work. */
  async admitMember(issuer: Issuer, vouched: VouchedClaims): Promise<string> {
    const seen = await this.meant(issuer, vouched);
    if (seen.member && changesNothing(seen)) return seen.member.user_id;
    const entrance = await this.users.lockEntrance(null);
    const { member, how, roles } = await this.meant(issuer, vouched);
    const user_id = member ? member.user_id : await this.create(issuer, vouched, entrance);
    if (how !== 'linked') await this.links.linkAccount(issuer.iss_id, vouched.subject, user_id);
    if (member?.user_status === 'invited') await this.join(user_id);
    if (!member) {
      await this.users.setRoles(user_id, roles);
      this.tellJoined(user_id, vouched.name ?? vouched.email, { user_issuer: issuer.iss_id, user_roles: [...roles] });
    } else if (!same(member.role_ids, roles)) await this.giveRoles(member, roles, issuer);
    return user_id;
  }

  /** The same without doing it; within a writing unit of work, since it holds what it looks at. */
  async previewAdmission(issuer: Issuer, vouched: VouchedClaims): Promise<Arrival> {
    try {
      const { member, how, roles } = await this.meant(issuer, vouched);
      const action = !member ? 'create' : member.user_status === 'invited' ? 'join' : how === 'linked' ? 'sign_in' : 'link';
      return { action, user_id: member?.user_id ?? null, user_roles: roles, because: null };
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      return { action: 'refuse', user_id: null, user_roles: [], because: error.detail };
    }
  }

  private async meant(issuer: Issuer, vouched: VouchedClaims): Promise<TokenSubject> {
    const linked = await this.links.findMemberBySubject(issuer.iss_id, vouched.subject);
    const member = linked ?? (await this.addressed(issuer, vouched)) ?? null;
    if (member) assertOpen(member);
    else if (issuer.iss_provision !== 'create') throw notMember();
    const { role_ids, grants } = await this.rolesAfter(issuer, vouched, member);
    if (!areGrantsWithin(grants, issuer.iss_trusted))
      throw new Problem('tenant_forbidden', 'This issuer cannot sign in people with as many permissions as you. Sign in another way.');
    return { how: linked ? 'linked' : member ? 'addressed' : 'new', member, roles: role_ids };
  }

  /** By address only where the issuer says it is the subject's, and may speak for its domain. */
  private async addressed(issuer: Issuer, { email }: VouchedClaims): Promise<KnownMember | undefined> {
    if (issuer.iss_provision === 'none') throw notMember();
    if (email === null || !issuer.speaksFor(email)) throw unauthenticated('The token is not valid for this workspace.');
    return this.links.findMemberByAddress(email);
  }

  private async create(
    issuer: Issuer,
    { email, name }: VouchedClaims,
    { ws_seat_limit, domains }: { readonly ws_seat_limit: number | null; readonly domains: readonly string[] },
  ): Promise<string> {
    if (email === null) throw unauthenticated('The token is not valid for this workspace.');
    if (domains.length > 0 && !domains.includes(domainOf(email)))
      throw new Problem('tenant_forbidden', 'The workspace does not accept members with e-mail addresses of this domain.');
    assertSeat({ ws_seat_limit, taken: await this.users.countSeats() });
    const now = this.clock.now();
    const user_id = await this.users.resolveAccount(this.ids.next(), email);
    const user = User.blank(
      { user_id, user_email: email, user_name: name ?? email.slice(0, email.lastIndexOf('@')), user_issuer: issuer.iss_id },
      now,
    );
    await this.users.insert(user);
    return user_id;
  }

  /** Who was invited has come; the link is spent. */
  private async join(user_id: string): Promise<void> {
    const user = await this.users.lock(user_id);
    user.join();
    user.touch(this.clock);
    await this.users.save(user);
    await this.invitations.endOpenInvitation(user_id, 'accepted');
    this.tellJoined(user_id, user.user_name, { user_status: 'active' });
  }

  private tellJoined(user_id: string, name: string | null, after: { readonly [field: string]: string | string[] }): void {
    this.outbox.emitEvent({ name: 'user.joined', subject_id: user_id, payload: { user_kind: 'person' } });
    this.audit.record({ type: PEOPLE_AUDIT['user.joined'], target: { type: 'user', id: user_id, name }, after });
  }

  /** Which roles somebody will hold, and what these grant; the last owner stays one. Within a unit of work. */
  private async rolesAfter(issuer: Issuer, { roles }: VouchedClaims, member: KnownMember | null): Promise<RolesAfter> {
    const { given, named } = roles === null ? { given: [], named: [] } : issuer.mapped(roles);
    const kept = (member?.role_ids ?? []).filter((id) => !named.includes(id) || given.includes(id));
    const wanted = [...new Set([...kept, ...given])];
    const granted = await this.users.findGrantsOfRoles(wanted);
    const held = wanted.filter((id) => granted.has(id)).slice(0, MAX_ROLES_OF_USER);
    if (held.length === 0 && !member) return this.standardRoles(issuer);
    const owner = member ? await this.issuers.findLastOwnerRole(member.user_id) : null;
    if (owner === null || held.includes(owner)) return { role_ids: held, grants: grantsOf(held, granted) };
    return { role_ids: [...held, owner], grants: ['*'] };
  }

  /** Gives exactly these; reported as a change of the member. */
  private async giveRoles({ user_id, role_ids }: KnownMember, roles: readonly string[], { iss_name }: Issuer): Promise<void> {
    await this.users.setRoles(user_id, roles);
    this.outbox.emitEvent({ name: 'user.updated', subject_id: user_id, payload: { changed: ['user_roles'] } });
    this.audit.record({
      type: PEOPLE_AUDIT['user.updated'],
      target: { type: 'user', id: user_id },
      before: { user_roles: [...role_ids] },
      after: { user_roles: [...roles] },
      reason: `Assigned by ${iss_name}.`,
    });
  }

  /** Of new members to whom the map gives nothing. */
  private async standardRoles({ iss_default_role }: Pick<Issuer, 'iss_default_role'>): Promise<RolesAfter> {
    const role_ids = iss_default_role ? [iss_default_role] : await this.users.listDefaultRoles();
    return { role_ids, grants: grantsOf(role_ids, await this.users.findGrantsOfRoles(role_ids)) };
  }
}

function assertOpen({ user_status, acc_status }: KnownMember): void {
  if (acc_status !== 'active') throw unauthenticated('The account is closed.');
  if (user_status !== 'active' && user_status !== 'invited') throw notMember();
}

const changesNothing = ({ how, member, roles }: TokenSubject): boolean =>
  how === 'linked' && member?.user_status === 'active' && same(member.role_ids, roles);

const same = (a: readonly string[], b: readonly string[]): boolean => a.length === b.length && a.every((id) => b.includes(id));

const notMember = (): Problem => new Problem('tenant_forbidden', 'This workspace does not exist, or you are not a member of it.');

const grantsOf = (role_ids: readonly string[], granted: ReadonlyMap<string, readonly string[]>): string[] =>
  role_ids.flatMap((id) => granted.get(id) ?? []);
