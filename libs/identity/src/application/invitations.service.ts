import { Injectable } from '@nestjs/common';
import { Audit, unauthenticated, type Principal } from '@atrium/platform/access';
import { Database, inWorkspace } from '@atrium/platform/database';
import { Clock, invalidField, Problem } from '@atrium/platform/kernel';
import { Outbox } from '@atrium/platform/messaging';
import { assertMaySendAgain, maskedEmail } from '../domain/invitation';
import { hashOfToken } from '../domain/secret-token';
import { InvitationsRepository, type FoundInvitation } from '../infrastructure/invitations.repository';
import { Passwords } from '../infrastructure/passwords';
import { UsersRepository } from '../infrastructure/users.repository';
import { Bearers } from './bearers';
import { Escalation } from './escalation';
import { InvitationSender } from './invitation-sender';
import { PasswordProof } from './password-proof';
import { PEOPLE_AUDIT } from './people.audit';
import { Sessions, type ClientTrace, type SignedIn, type SignInMethod } from './sessions';
import { SignInService, type MfaRequired } from './sign-in.service';
import { UsersService, type UserDetail } from './users.service';

export interface Acceptance {
  readonly token: string;
  readonly user_name?: string | null;
  readonly password?: string | null;
}

export interface InvitationView {
  readonly ws_name: string;
  readonly invited_email_masked: string;
  readonly needs_password: boolean;
}

/** What a person showed besides the link, and what is stored of a first password. */
interface Proof {
  readonly methods: readonly SignInMethod[];
  readonly password_hash: string | null;
}

/** Links to people who are invited: shown, accepted once, sent again. */
@Injectable()
export class InvitationsService {
  constructor(
    private readonly db: Database,
    private readonly invitations: InvitationsRepository,
    private readonly sender: InvitationSender,
    private readonly users: UsersRepository,
    private readonly administration: UsersService,
    private readonly escalation: Escalation,
    private readonly sessions: Sessions,
    private readonly signIn: SignInService,
    private readonly proof: PasswordProof,
    private readonly passwords: Passwords,
    private readonly bearers: Bearers,
    private readonly audit: Audit,
    private readonly outbox: Outbox,
    private readonly clock: Clock,
  ) {}

  async look(token: string): Promise<InvitationView> {
    const { ws_name, user_email, needs_password } = await this.live(token);
    return { ws_name, invited_email_masked: maskedEmail(user_email), needs_password };
  }

  async accept({ token, user_name, password }: Acceptance, trace: ClientTrace, authorization: string | undefined): Promise<SignedIn | MfaRequired> {
    const found = await this.live(token);
    const signedIn = await this.bearers.accountOf(authorization);
    if (signedIn !== null && signedIn !== found.user_id) throw new Problem('permission_denied', 'You are signed in as somebody else; sign out first.');
    const proof = await this.prove(found, password, trace.ip);
    await inWorkspace(found.tenant_id, () => this.join(found, user_name, proof.password_hash), { kind: 'person', user_id: found.user_id, key_id: null });
    if (found.user_mfa) return this.signIn.askForCode(found.user_id, found.tenant_id);
    const session = await this.sessions.start({ acc_id: found.user_id, methods: proof.methods, ws_id: found.tenant_id }, trace);
    if (!session) throw unauthenticated('The account is closed.');
    return session;
  }

  /** A new link to who has not come yet; the old one dies. */
  resend(caller: Principal, id: string): Promise<UserDetail & { readonly invite_url?: string }> {
    return this.db.write(async () => {
      const entrance = await this.users.lockEntrance(caller.user_id);
      const user = await this.users.lock(id);
      user.assertInvited();
      await this.escalation.assertMayChange(caller, id);
      assertMaySendAgain(await this.invitations.sentAgain(id), this.clock.now());
      const link = this.sender.mint(user, caller.user_id, { resent: true });
      user.touch(this.clock);
      await this.users.save(user);
      await this.sender.open(link);
      const invite_url = this.sender.deliver(link, entrance, true);
      this.outbox.emit({ name: 'user.invited', subject_id: id, payload: { resent: true } });
      this.audit.record({ type: PEOPLE_AUDIT['user.invite_resent'], target: { type: 'user', id, name: user.user_name }, after: { user_invite_expires_at: link.expires.toISOString() } });
      return { ...(await this.administration.one(id)), ...(invite_url === undefined ? {} : { invite_url }) };
    });
  }

  private async live(token: string): Promise<FoundInvitation> {
    const found = await this.invitations.find(hashOfToken(token));
    if (!found) throw new Problem('not_found', 'No such invitation.');
    if (!found.live) throw gone();
    if (found.ws_status !== 'active') throw new Problem('tenant_forbidden', 'The workspace is suspended.');
    return found;
  }

  /** A first password is judged and hashed. One that there is already need not be sent, the link suffices; if it is, it must be right. */
  private async prove({ user_email, user_name, needs_password }: FoundInvitation, password: string | null | undefined, address: string | undefined): Promise<Proof> {
    if (!needs_password) {
      if (!password) return { methods: [], password_hash: null };
      await this.proof.prove(user_email, password, address);
      return { methods: ['pwd'], password_hash: null };
    }
    if (!password) throw invalidField('password', 'is required: the account has none yet', 'required');
    await this.passwords.assertStrong(password, [user_email, user_name]);
    return { methods: ['pwd'], password_hash: await this.passwords.hash(password) };
  }

  /** The workspace is locked before the member, as in every change of who is in. */
  private join({ inv_id, user_id }: FoundInvitation, user_name: string | null | undefined, password_hash: string | null): Promise<void> {
    return this.db.write(async () => {
      await this.users.lockEntrance(null);
      if (!(await this.invitations.spend(inv_id))) throw gone();
      const user = await this.users.lock(user_id);
      user.join();
      if (user_name) user.user_name = user_name;
      user.touch(this.clock);
      await this.users.save(user);
      await this.invitations.proved(user_id, password_hash);
      this.outbox.emit({ name: 'user.joined', subject_id: user_id, payload: { user_kind: 'person' } });
      this.audit.record({ type: PEOPLE_AUDIT['user.joined'], target: { type: 'user', id: user_id, name: user.user_name }, before: { user_status: 'invited' }, after: { user_status: 'active' } });
    });
  }
}

const gone = (): Problem => new Problem('gone', 'The invitation was used, withdrawn or replaced, or its time is over; ask for a new one.');

