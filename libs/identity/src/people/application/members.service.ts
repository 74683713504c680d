import { Injectable } from '@nestjs/common';
import { Audit, type Principal } from '@atrium/platform/access';
import { Database } from '@atrium/platform/database';
import { alreadyExists, Clock, Ids, invalidField, Problem, type JsonObject } from '@atrium/platform/kernel';
import { Outbox } from '@atrium/platform/messaging';
import { domainOf, isEmail, normalEmail } from '../../shared/domain/email';
import { User, type UserKind } from '../domain/user';
import { UsersRepository, type Entrance, type UserRow } from '../infrastructure/users.repository';
import { Escalation } from '../../roles/application/escalation';
import { InvitationSender, type ShownLink } from './invitation-sender';
import { assertSeat, identityTaken } from './member-faults';
import { PEOPLE_AUDIT } from './people.audit';
import { UsersService, type UserDetail } from './users.service';

export interface NewUser {
  readonly user_kind?: string;
  readonly user_email?: string | null;
  readonly user_name?: string;
  readonly user_title?: string | null;
  readonly user_roles?: readonly string[];
  readonly user_metadata?: JsonObject;
  readonly user_external_id?: string | null;
  readonly send_invite?: boolean;
}

type AddedUser = { readonly user_id: string } & Partial<ShownLink>;

/** The link is shown once, where no mail carries it. */
type Shown<U> = U & Partial<ShownLink>;

/** What became of one of many. */
export type BulkOutcome =
  | { readonly index: number; readonly status: 'created'; readonly user: Shown<UserRow> }
  | { readonly index: number; readonly status: 'failed'; readonly error: Pick<Problem, 'code' | 'status' | 'title' | 'detail' | 'errors'> };

/** The workspace as the additions of one unit of work see it: seats are counted once and then kept. */
type OpenEntrance = Entrance & { taken: number };

interface Applicant {
  readonly kind: Exclude<UserKind, 'extension'>;
  readonly email: string | null;
  readonly name: string;
}

/** Adds members: seats, domains and what the caller may grant are decided here, under a lock on the workspace. */
@Injectable()
export class MembersService {
  constructor(
    private readonly db: Database,
    private readonly users: UsersRepository,
    private readonly administration: UsersService,
    private readonly escalation: Escalation,
    private readonly invitations: InvitationSender,
    private readonly audit: Audit,
    private readonly outbox: Outbox,
    private readonly clock: Clock,
    private readonly ids: Ids,
  ) {}

  addMember(caller: Principal, spec: NewUser): Promise<Shown<UserDetail>> {
    return this.db.write(async () => {
      const { user_id, ...link } = await this.addTo(await this.entrance(caller), caller, spec);
      return { ...(await this.administration.get(user_id)), ...link };
    });
  }

  /** Each for itself: one that is refused leaves the others as they are. */
  addMany(caller: Principal, specs: readonly NewUser[]): Promise<{ results: BulkOutcome[] }> {
    return this.db.write(
      async () => {
        const entrance = await this.entrance(caller);
        const outcomes: (AddedUser | Problem)[] = [];
        for (const spec of specs) outcomes.push(await this.apart(() => this.addTo(entrance, caller, spec)));
        const added = await this.users.findUserRows(outcomes.flatMap((one) => (one instanceof Problem ? [] : [one.user_id])));
        return { results: outcomes.map((outcome, index) => told(index, outcome, added)) };
      },
      { mayBeLong: 'the people of one call are added one after the other, each with its invitation' },
    );
  }

  /** In a savepoint: what is refused is taken back, and the rest of the unit of work goes on. */
  private async apart(work: () => Promise<AddedUser>): Promise<AddedUser | Problem> {
    const tx = this.db.current();
    await tx.query('SAVEPOINT one_user');
    try {
      const added = await work();
      await tx.query('RELEASE SAVEPOINT one_user');
      return added;
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      await tx.query('ROLLBACK TO SAVEPOINT one_user');
      return error;
    }
  }

  private async entrance(caller: Principal): Promise<OpenEntrance> {
    const entrance = await this.users.lockEntrance(caller.user_id);
    return { ...entrance, taken: entrance.ws_seat_limit === null ? 0 : await this.users.countSeats() };
  }

  /** Events and mails of the addition come last: a refusal rolls statements back, but not what waits for the commit. */
  private async addTo(entrance: OpenEntrance, caller: Principal, spec: NewUser): Promise<AddedUser> {
    const applicant = applicantOf(spec);
    if (applicant.email !== null) assertDomain(applicant.email, entrance.domains);
    const role_ids = await this.grantableRoles(caller, spec.user_roles);
    if (applicant.kind === 'person') assertSeat(entrance);
    const { user, isNew } = await this.place(applicant, spec);
    const link =
      applicant.kind === 'person' ? this.invitations.mintLink(user, caller.user_id, { byMail: spec.send_invite ?? true }) : undefined;
    await this.store(user, isNew, role_ids);
    if (link) await this.invitations.activateLink(link);
    if (user.takesSeat) entrance.taken += 1;
    this.tell(user, role_ids);
    const shown = link && (await this.invitations.deliverLink(link, entrance));
    return { user_id: user.user_id, ...shown };
  }

  /** A new member, or the former one under the same id. */
  private async place({ kind, email, name }: Applicant, spec: NewUser): Promise<{ readonly user: User; readonly isNew: boolean }> {
    const user_id = await this.users.resolveAccount(this.ids.next(), email);
    const former = await this.users.lockIfThere(user_id);
    if (former && former.user_status !== 'removed') throw alreadyExists('user_email', `${email ?? 'The user'} is already a member.`);
    const now = this.clock.now();
    const user_status = kind === 'person' ? 'invited' : 'active';
    const user = Object.assign(former ?? User.blank({ user_id, user_kind: kind, user_status, user_email: email, user_name: name }, now), {
      user_email: email,
      user_name: name,
      user_title: spec.user_title ?? null,
      user_metadata: spec.user_metadata ?? {},
      user_external_id: spec.user_external_id ?? null,
      user_updated: now,
    });
    return { user, isNew: former === null };
  }

  private async store(user: User, isNew: boolean, role_ids: readonly string[]): Promise<void> {
    try {
      await (isNew ? this.users.insert(user) : this.users.save(user));
      await this.users.setRoles(user.user_id, role_ids);
    } catch (error) {
      throw identityTaken(error, user);
    }
  }

  /** E1 for the roles that were asked for, or for the default one. */
  private async grantableRoles(caller: Principal, wanted: readonly string[] | undefined): Promise<string[]> {
    const role_ids = wanted === undefined ? await this.users.listDefaultRoles() : [...new Set(wanted.map((id) => id.toLowerCase()))];
    const grants = await this.users.findGrantsOfRoles(role_ids);
    const unknown = (wanted ?? []).findIndex((id) => !grants.has(id.toLowerCase()));
    if (unknown >= 0) throw invalidField(`user_roles[${unknown}]`, 'must be a role of this workspace', 'reference');
    await this.escalation.assertGrants(caller, [...grants.values()].flat());
    return role_ids;
  }

  private tell({ user_id, user_kind, user_email, user_name }: User, user_roles: readonly string[]): void {
    const type = user_kind === 'person' ? 'user.invited' : 'user.joined';
    this.outbox.emitEvent({ name: type, subject_id: user_id, payload: { user_kind } });
    this.audit.record({
      type: PEOPLE_AUDIT[type],
      target: { type: 'user', id: user_id, name: user_name },
      after: { user_kind, user_email, user_name, user_roles: [...user_roles] },
    });
  }
}

/** Who is to be added, with the address in its normal form. */
function applicantOf({ user_kind = 'person', user_email, user_name }: NewUser): Applicant {
  if (user_kind === 'service') {
    if (user_email) throw invalidField('user_email', 'applies to persons only', 'not_applicable');
    if (user_name === undefined) throw invalidField('user_name', 'is required for a service', 'required');
    return { kind: 'service', email: null, name: user_name };
  }
  const email = checkedEmail('user_email', user_email);
  return { kind: 'person', email, name: user_name ?? email.slice(0, email.lastIndexOf('@')) };
}

function checkedEmail(path: string, text: string | null | undefined): string {
  if (!text) throw invalidField(path, 'is required for a person', 'required');
  const email = normalEmail(text);
  if (!isEmail(email)) throw invalidField(path, 'must be an e-mail address of at most 254 characters', 'format');
  return email;
}

function assertDomain(email: string, domains: readonly string[]): void {
  if (domains.length === 0 || domains.includes(domainOf(email))) return;
  throw invalidField('user_email', `must be of one of the domains ${domains.join(', ')}`, 'domain');
}

function told(index: number, outcome: AddedUser | Problem, added: ReadonlyMap<string, UserRow>): BulkOutcome {
  if (outcome instanceof Problem) {
    const { code, status, title, detail, errors } = outcome;
    return { index, status: 'failed', error: { code, status, title, detail, errors } };
  }
  const { user_id, ...link } = outcome;
  const user = added.get(user_id);
  if (!user) throw new Error('A member that was added is not there.');
  return { index, status: 'created', user: { ...user, ...link } };
}
