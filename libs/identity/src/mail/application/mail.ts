import { Injectable } from '@nestjs/common';
import { Keyring } from '@atrium/platform/config';
import { planJob, Outbox } from '@atrium/platform/messaging';
import { Mailer, type MailOrder, type MailTemplate } from '../domain/mailer';
import { mail, type MailPayload } from '../jobs/mail.jobs';

const PURPOSE = 'mail';

/** A mail that is asked for; `user_id` is the member it is for, so that a refusal can be shown there. */
export type PlannedMail<T extends MailTemplate> = MailOrder<T> & { readonly user_id?: string | undefined };

type Secret = Pick<MailOrder, 'to' | 'vars'>;

/**
 * Asks for mails within an open `db.write`: each is a job of that unit of work. Its content is sealed in the job, so
 * that no link can be read from the outbox or the queue.
 */
@Injectable()
export class Mail {
  constructor(
    private readonly mailer: Mailer,
    private readonly outbox: Outbox,
    private readonly keyring: Keyring,
  ) {}

  /** Whether mails can leave; else the calling service shows the link in its response. */
  get configured(): boolean {
    return this.mailer.configured;
  }

  /** `key` names the mail: two with one key are one. */
  queueMail<T extends MailTemplate>({ template, to, vars, locale, key, user_id }: PlannedMail<T>): void {
    this.outbox.addJob(
      planJob(mail, {
        template,
        to_ref: user_id ?? null,
        token_id: key,
        locale,
        sealed: this.keyring.seal(PURPOSE, JSON.stringify({ to, vars } satisfies Secret)),
      }),
    );
  }

  /** The mail a job asks for. */
  openMailOrder({ template, token_id, locale, sealed }: MailPayload): MailOrder {
    const { to, vars } = JSON.parse(this.keyring.open(PURPOSE, sealed)) as Secret;
    return { template, to, vars, locale, key: token_id };
  }
}
