import { Injectable } from '@nestjs/common';
import { Audit } from '@atrium/platform/access';
import { Database } from '@atrium/platform/database';
import { Clock } from '@atrium/platform/kernel';
import { Outbox } from '@atrium/platform/messaging';
import { FormerMemberRows, type AccountRecords, type KnownPerson } from '../infrastructure/former-member.rows';
import { InvitationsRepository } from '../infrastructure/invitations.repository';
import { UsersRepository } from '../infrastructure/users.repository';
import { Escalation } from '../../roles/application/escalation';
import { PEOPLE_AUDIT } from './people.audit';

/** How a person is called who was erased. */
export const FORMER_MEMBER = 'Former member';

/**
 * Persons whose data somebody takes along or has erased: who they are, what an account holds of them, and the end of
 * their membership, of which the row stays under the same id so that what they made keeps an author. All of it may be
 * done again.
 */
@Injectable()
export class FormerMembers {
  constructor(
    private readonly db: Database,
    private readonly rows: FormerMemberRows,
    private readonly users: UsersRepository,
    private readonly invitations: InvitationsRepository,
    private readonly escalation: Escalation,
    private readonly audit: Audit,
    private readonly outbox: Outbox,
    private readonly clock: Clock,
  ) {}

  /** The member with the id, or with the address; null when there is none. */
  async findPerson(by: { readonly user_id: string } | { readonly email: string }): Promise<KnownPerson | null> {
    return (await this.db.read(() => this.rows.findPerson(by))) ?? null;
  }

  /** The name of a member that no other member bears; null for a former member. */
  findUniqueName(user_id: string): Promise<string | null> {
    return this.db.read(() => this.rows.findUniqueName(user_id, FORMER_MEMBER));
  }

  /** What the account of a member holds, as far as it is this workspace's to show; without secrets. */
  async readAccountRecords(user_id: string): Promise<AccountRecords> {
    const records = await this.db.read(() => this.rows.findAccountRecords(user_id));
    return records ?? { account: [], account_session: [], account_token: [] };
  }

  /** Within an open `db.write`: from its end on the person can do nothing here. Refused for the last active owner. */
  suspendMember(user_id: string): Promise<void> {
    return this.escalation.runWithOwnerRemaining(async () => {
      const user = await this.users.lock(user_id);
      await this.invitations.endOpenInvitation(user_id, 'revoked');
      if (user.user_status !== 'active') return;
      user.suspend();
      user.touch(this.clock);
      await this.users.save(user);
      this.outbox.emitEvent({ name: 'user.suspended', subject_id: user_id, payload: {} });
      this.audit.record({
        type: PEOPLE_AUDIT['user.suspended'],
        target: { type: 'user', id: user_id },
        before: { user_status: 'active' },
        after: { user_status: 'suspended' },
      });
    });
  }

  /** Takes everything out of the membership but its id. False when that was done before. */
  eraseMembership(user_id: string): Promise<boolean> {
    return this.db.write(async () => {
      if (!(await this.rows.eraseMember(user_id, FORMER_MEMBER))) return false;
      this.outbox.emitEvent({ name: 'user.removed', subject_id: user_id, payload: {} });
      this.audit.record({
        type: PEOPLE_AUDIT['user.removed'],
        target: { type: 'user', id: user_id, name: FORMER_MEMBER },
        after: { user_status: 'removed' },
      });
      return true;
    });
  }

  /** After `eraseMembership`: ends sessions of this workspace, and the account where no other workspace knows the person. Whether the account is erased. */
  eraseAccount(user_id: string): Promise<boolean> {
    return this.db.write(() => this.rows.eraseAccount(user_id));
  }
}
