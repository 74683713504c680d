import { Module, type Provider } from '@nestjs/common';
import { Settings } from '@atrium/platform/config';
import { JobsModule } from '@atrium/platform/messaging';
import { Links } from './application/links';
import { Mail } from './application/mail';
import { MailDelivery } from './application/mail-delivery';
import { Mailer } from './domain/mailer';
import { InvitedMemberRows } from './infrastructure/invited-member.rows';
import { NoMailer, SmtpMailer } from './infrastructure/smtp-mailer';
import { MailHandler } from './jobs/mail.handler';
import { mail } from './jobs/mail.jobs';

/** Mail leaves when a server is named. */
const MAILER: Provider = {
  provide: Mailer,
  useFactory: ({ SMTP_URL, MAIL_FROM }: Settings): Mailer => (SMTP_URL ? new SmtpMailer(SMTP_URL, MAIL_FROM) : new NoMailer()),
  inject: [Settings],
};

const MAIL: Provider[] = [MAILER, Mail, Links];

/** Mails to people and the addresses they lead to. */
@Module({ providers: MAIL, exports: MAIL })
export class MailModule {}

/** Its background work. */
@Module({ imports: [MailModule, JobsModule.define([mail])], providers: [InvitedMemberRows, MailDelivery, MailHandler] })
export class MailWorkerModule {}
