import { Injectable } from '@nestjs/common';
import { Database } from '@atrium/platform/database';
import { PermanentFailure, type JobRun } from '@atrium/platform/messaging';
import { Mailer, MailRefused } from '../domain/mailer';
import { InvitedMemberRows } from '../infrastructure/invited-member.rows';
import type { MailPayload } from '../jobs/mail.jobs';
import { Mail } from './mail';

const MAX_REASON = 500;

/** Hands planned mails to the mail server; a refusal for good is shown on the member who was invited. */
@Injectable()
export class MailDelivery {
  constructor(
    private readonly db: Database,
    private readonly invited: InvitedMemberRows,
    private readonly mail: Mail,
    private readonly mailer: Mailer,
  ) {}

  async deliverMail(planned: MailPayload, run: Pick<JobRun, 'givesUpOn'>): Promise<void> {
    if (!this.mailer.configured) return;
    try {
      await this.mailer.sendMail(this.mail.openMailOrder(planned));
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      if (error instanceof MailRefused || (await run.givesUpOn(error))) await this.showRefusal(planned, reason);
      if (error instanceof MailRefused) throw new PermanentFailure(`The mail server refused the mail: ${reason}`);
      throw error;
    }
  }

  private async showRefusal({ template, to_ref, token_id }: MailPayload, reason: string): Promise<void> {
    if (template !== 'invitation' || to_ref === null) return;
    await this.db.write(() => this.invited.saveInviteError(to_ref, token_id, reason.slice(0, MAX_REASON)));
  }
}
