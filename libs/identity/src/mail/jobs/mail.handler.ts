import { Injectable } from '@nestjs/common';
import { Handles, type JobRun } from '@atrium/platform/messaging';
import { MailDelivery } from '../application/mail-delivery';
import { mail, type MailPayload } from './mail.jobs';

/** Runs `identity.mail`. */
@Injectable()
export class MailHandler {
  constructor(private readonly delivery: MailDelivery) {}

  @Handles(mail)
  deliverMail(planned: MailPayload, run: JobRun): Promise<void> {
    return this.delivery.deliverMail(planned, run);
  }
}
