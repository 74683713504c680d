import { Injectable } from '@nestjs/common';
import { Audit, type Principal } from '@atrium/platform/access';
import { Database } from '@atrium/platform/database';
import { Clock } from '@atrium/platform/kernel';
import { Outbox } from '@atrium/platform/messaging';
import { Escalation } from '../../roles/application/escalation';
import { assertMaySendAgain } from '../domain/invitation';
import { InvitationsRepository } from '../infrastructure/invitations.repository';
import { UsersRepository } from '../infrastructure/users.repository';
import { InvitationSender, type ShownLink } from './invitation-sender';
import { PEOPLE_AUDIT } from './people.audit';
import { UsersService, type UserDetail } from './users.service';

/** Links to people who are invited, as administrators send them again. */
@Injectable()
export class InvitationsService {
  constructor(
    private readonly db: Database,
    private readonly invitations: InvitationsRepository,
    private readonly sender: InvitationSender,
    private readonly users: UsersRepository,
    private readonly administration: UsersService,
    private readonly escalation: Escalation,
    private readonly audit: Audit,
    private readonly outbox: Outbox,
    private readonly clock: Clock,
  ) {}

  /** A new link to somebody who has not joined yet; the old one is good no longer. */
  resend(caller: Principal, id: string): Promise<UserDetail & Partial<ShownLink>> {
    return this.db.write(async () => {
      const entrance = await this.users.lockEntrance(caller.user_id);
      const user = await this.users.lock(id);
      user.assertInvited();
      await this.escalation.assertMayChange(caller, id);
      assertMaySendAgain(await this.invitations.findResentTimes(id), this.clock.now());
      const link = this.sender.mintLink(user, caller.user_id, { resent: true, byMail: true });
      user.touch(this.clock);
      await this.users.save(user);
      await this.sender.activateLink(link);
      const shown = await this.sender.deliverLink(link, entrance);
      this.outbox.emitEvent({ name: 'user.invited', subject_id: id, payload: { resent: true } });
      this.audit.record({
        type: PEOPLE_AUDIT['user.invite_resent'],
        target: { type: 'user', id, name: user.user_name },
        after: { user_invite_expires_at: link.expires.toISOString() },
      });
      return { ...(await this.administration.get(id)), ...shown };
    });
  }
}
