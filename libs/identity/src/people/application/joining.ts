import { Injectable } from '@nestjs/common';
import { Audit, unauthenticated } from '@atrium/platform/access';
import { Database, inWorkspace, type UnitOfWork } from '@atrium/platform/database';
import { Clock, Problem } from '@atrium/platform/kernel';
import { Outbox } from '@atrium/platform/messaging';
import { InvitationsRepository, type FoundInvitation } from '../infrastructure/invitations.repository';
import { UsersRepository } from '../infrastructure/users.repository';
import { PEOPLE_AUDIT } from './people.audit';

/** A membership as somebody takes it up. */
export interface JoiningMember {
  readonly invitation: FoundInvitation;
  readonly user_name?: string | null | undefined;
  /** Hash of a first password: the link itself is the proof. Null where the person has shown who they are. */
  readonly password_hash: string | null;
}

/** Takes up the membership an invitation offers: the link is spent, and what else belongs to it happens in the same transaction. */
@Injectable()
export class Joining {
  constructor(
    private readonly db: Database,
    private readonly users: UsersRepository,
    private readonly invitations: InvitationsRepository,
    private readonly audit: Audit,
    private readonly outbox: Outbox,
    private readonly clock: Clock,
  ) {}

  /** The invitation of a link, or why it is good no longer. */
  async requireLiveInvitation(hash: string): Promise<FoundInvitation> {
    const found = await this.invitations.findInvitation(hash);
    if (!found) throw new Problem('not_found', 'No such invitation.');
    if (!found.live) throw gone();
    if (found.ws_status !== 'active') throw new Problem('tenant_forbidden', 'The workspace is suspended.');
    return found;
  }

  /** The workspace is locked before the member, as in every change of who is in. */
  joinWorkspace<T>({ invitation, user_name, password_hash }: JoiningMember, then: (tx: UnitOfWork) => Promise<T>): Promise<T> {
    const { tenant_id, inv_id, user_id, inv_mailed } = invitation;
    const work = (): Promise<T> =>
      this.db.write(async (tx) => {
        await this.users.lockEntrance(null);
        if (!(await this.invitations.redeemInvitation(inv_id))) throw gone();
        const user = await this.users.lock(user_id);
        user.join();
        if (user_name) user.user_name = user_name;
        user.touch(this.clock);
        await this.users.save(user);
        if (password_hash !== null && !(await this.invitations.claimAccount(user_id, password_hash, inv_mailed))) throw signInFirst();
        if (password_hash === null && inv_mailed) await this.invitations.confirmMailbox(user_id);
        this.outbox.emitEvent({ name: 'user.joined', subject_id: user_id, payload: { user_kind: 'person' } });
        this.audit.record({
          type: PEOPLE_AUDIT['user.joined'],
          target: { type: 'user', id: user_id, name: user.user_name },
          before: { user_status: 'invited' },
          after: { user_status: 'active' },
        });
        return then(tx);
      });
    return inWorkspace(tenant_id, work, { kind: 'person', user_id, key_id: null });
  }
}

export const signInFirst = (): Problem =>
  unauthenticated(
    'An account with this address exists (`needs_sign_in`). Sign in and accept with the access token of your session, or send the password of the account.',
  );

const gone = (): Problem => new Problem('gone', 'The invitation was used, withdrawn, replaced or has expired; ask for a new one.');
