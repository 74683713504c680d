import { PUBLISHING_MAILS, type PublishingMailVars } from './publishing-mails';

/** The mails the service sends, and what each needs to know. Times are texts as people read them. */
export interface MailVars extends PublishingMailVars {
  readonly invitation: { readonly ws_name: string; readonly inviter: string; readonly link: string; readonly expires: string };
  readonly password_reset: { readonly link: string; readonly minutes: string };
  readonly email_confirmation: { readonly link: string; readonly email: string };
  readonly email_changed: { readonly link: string; readonly email: string; readonly days: string };
  readonly session_reuse: { readonly when: string; readonly address: string };
  readonly key_expiring: { readonly ws_name: string; readonly key_name: string; readonly key_prefix: string; readonly expires: string };
  readonly key_leaked: { readonly ws_name: string; readonly key_name: string; readonly key_prefix: string };
  readonly file_status: {
    readonly ws_name: string;
    readonly mover: string;
    readonly files: string;
    readonly state: string;
    readonly comment: string;
  };
  readonly object_state: {
    readonly ws_name: string;
    readonly mover: string;
    readonly object: string;
    readonly state: string;
    readonly comment: string;
  };
  readonly approval_requested: {
    readonly ws_name: string;
    readonly requester: string;
    readonly subject: string;
    readonly transition: string;
    readonly comment: string;
  };
  readonly approval_closed: {
    readonly ws_name: string;
    readonly subject: string;
    readonly transition: string;
    readonly what: string;
    readonly comment: string;
  };
  readonly approval_stalled: { readonly ws_name: string; readonly subject: string; readonly transition: string };
  readonly approval_moved: {
    readonly ws_name: string;
    readonly mover: string;
    readonly subject: string;
    readonly state: string;
    readonly comment: string;
  };
  readonly file_quarantined: { readonly ws_name: string; readonly files: string; readonly reason: string };
  readonly share_link: {
    readonly sharer: string;
    readonly ws_name: string;
    readonly share_name: string;
    readonly message: string;
    readonly link: string;
  };
  readonly share_uploads: { readonly ws_name: string; readonly share_name: string; readonly count: string; readonly from: string };
  readonly share_expiring: { readonly ws_name: string; readonly share_name: string; readonly expires: string };
  readonly share_administered: { readonly ws_name: string; readonly share_name: string; readonly what: string };
}

export type MailTemplate = keyof MailVars;

export const MAIL_TEMPLATES = [
  'invitation',
  'password_reset',
  'email_confirmation',
  'email_changed',
  'session_reuse',
  'key_expiring',
  'key_leaked',
  'file_status',
  'object_state',
  'approval_requested',
  'approval_closed',
  'approval_stalled',
  'approval_moved',
  'file_quarantined',
  'share_link',
  'share_uploads',
  'share_expiring',
  'share_administered',
  ...PUBLISHING_MAILS,
] as const satisfies readonly MailTemplate[];

/** One mail to one person. */
export interface MailOrder<T extends MailTemplate = MailTemplate> {
  readonly template: T;
  readonly to: string;
  readonly vars: MailVars[T];
  /** BCP 47; a language there are no texts in is served in English. */
  readonly locale: string;
  /** Equal for equal mails: becomes the Message-ID, so that a mail sent twice shows once. */
  readonly key: string;
}

/** Port to the mail server. `sendMail` throws `MailRefused` when trying again cannot help, any other error when it may. */
export abstract class Mailer {
  /** Whether mail can leave at all; without it links are shown in answers instead. */
  abstract readonly configured: boolean;

  abstract sendMail(order: MailOrder): Promise<void>;
}

/** The mail server refused this mail for good; the message is what it said. */
export class MailRefused extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = 'MailRefused';
  }
}

/** A point in time as mails show it. */
export const mailTime = (time: Date): string => `${time.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
