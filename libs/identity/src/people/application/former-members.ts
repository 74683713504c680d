import { Injectable } from '@nestjs/common';
import { Audit } from '@atrium/platform/access';
import { Database, requireScope, sql } from '@atrium/platform/database';
import { Clock, type JsonObject } from '@atrium/platform/kernel';
import { Outbox } from '@atrium/platform/messaging';
import { InvitationsRepository } from '../infrastructure/invitations.repository';
import { UsersRepository } from '../infrastructure/users.repository';
import { Escalation } from '../../roles/application/escalation';
import { PEOPLE_AUDIT } from './people.audit';

/** How a person is called who was erased. */
export const FORMER_MEMBER = 'Former member';

/** Tables of an account that belong to no workspace, by what of a person they hold. */
export type AccountRecords = Readonly<Record<'account' | 'account_session' | 'account_token', readonly JsonObject[]>>;

/** A member as somebody else asks for their data. */
export interface KnownPerson {
  readonly user_id: string;
  readonly user_email: string | null;
  readonly user_kind: string;
}

/**
 * Persons whose data somebody takes along or has erased: who they are, what an account holds of them, and the end of
 * their membership, of which the row stays under the same id so that what they made keeps an author. All of it may be
 * done again.
 */
@Injectable()
export class FormerMembers {
  constructor(
    private readonly db: Database,
    private readonly users: UsersRepository,
    private readonly invitations: InvitationsRepository,
    private readonly escalation: Escalation,
    private readonly audit: Audit,
    private readonly outbox: Outbox,
    private readonly clock: Clock,
  ) {}

  /** The member with the id, or with the address; null when there is none. */
  async findPerson(by: { readonly user_id: string } | { readonly email: string }): Promise<KnownPerson | null> {
    const { tenant_id } = requireScope();
    const which = 'user_id' in by ? sql`user_id = ${by.user_id}` : sql`user_email = ${by.email}`;
    return (
      (await this.db.read((tx) =>
        tx.first<KnownPerson & Record<string, unknown>>(
          sql`SELECT user_id, user_email, user_kind FROM workspace_user WHERE tenant_id = ${tenant_id} AND ${which}`,
        ),
      )) ?? null
    );
  }

  /** The name of a member that no other member bears; null for a former member. */
  async findUniqueName(user_id: string): Promise<string | null> {
    const { tenant_id } = requireScope();
    const row = await this.db.read((tx) =>
      tx.first<{ user_name: string }>(sql`
        SELECT u.user_name FROM workspace_user u WHERE u.tenant_id = ${tenant_id} AND u.user_id = ${user_id} AND u.user_name <> ${FORMER_MEMBER}
          AND NOT EXISTS (SELECT FROM workspace_user o WHERE o.tenant_id = u.tenant_id AND o.user_id <> u.user_id AND folded(o.user_name) = folded(u.user_name))`),
    );
    return row?.user_name ?? null;
  }

  /** What the account of a member holds, as far as it is this workspace's to show; without secrets. */
  async accountOf(user_id: string): Promise<AccountRecords> {
    const row = await this.db.read((tx) =>
      tx.first<{ records: AccountRecords | null }>(sql`SELECT auth_person(${user_id}::uuid) AS records`),
    );
    return row?.records ?? { account: [], account_session: [], account_token: [] };
  }

  /** Within an open `db.write`: from its end on the person can do nothing here. Refused for the last active owner. */
  suspendMember(user_id: string): Promise<void> {
    return this.escalation.withOwnerRemaining(async () => {
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
    return this.db.write(async (tx) => {
      const { tenant_id } = requireScope();
      const forgotten = await tx.execute(sql`
        UPDATE workspace_user SET user_status = 'removed', user_name = ${FORMER_MEMBER}, user_email = NULL, user_title = NULL, user_avatar_file = NULL, user_locale = NULL, user_timezone = NULL,
          user_pref = '{}', user_metadata = '{}', user_external_id = NULL, user_issuer = NULL, user_last_seen_at = NULL, user_mfa = false,
          user_invited_by = NULL, user_invited_at = NULL, user_invite_expires_at = NULL, user_invite_error = NULL, user_updated = now(), row_version = row_version + 1
        WHERE tenant_id = ${tenant_id} AND user_id = ${user_id} AND (user_status <> 'removed' OR user_email IS NOT NULL OR user_name <> ${FORMER_MEMBER})`);
      if (forgotten === 0) return false;
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
  async eraseAccount(user_id: string): Promise<boolean> {
    const row = await this.db.write((tx) => tx.first<{ erased: boolean }>(sql`SELECT auth_forget_person(${user_id}::uuid) AS erased`));
    return row?.erased ?? false;
  }
}
