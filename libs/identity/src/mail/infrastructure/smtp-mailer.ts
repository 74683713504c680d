import { createHash } from 'node:crypto';
import { onceForAll, Outage, SECOND } from '@atrium/platform/kernel';
import { Mailer, MailRefused, type MailOrder } from '../domain/mailer';
import { renderMail } from './render';

const CONNECT_MS = 15 * SECOND;
const SILENCE_MS = 60 * SECOND;
const PERMANENT = 500;
/** What the server says to an address or a message; to a sign-in it says the same numbers, and that is no fault of the mail. */
const ABOUT_THE_MAIL = new Set(['EENVELOPE', 'EMESSAGE']);

interface SmtpFailure {
  readonly code?: string;
  readonly responseCode?: number;
  readonly response?: string;
}

/**
 * Mail over SMTP. A password goes over the wire encrypted only (`smtps:`, or STARTTLS which is then demanded) unless the
 * address itself says `requireTLS=false`. Recipient and subject are one line each, whatever they are made of.
 */
export class SmtpMailer extends Mailer {
  readonly configured = true;
  private readonly connected = onceForAll(async () => {
    const { createTransport } = await import('nodemailer');
    return createTransport({
      url: this.url,
      requireTLS: new URL(this.url).username !== '',
      connectionTimeout: CONNECT_MS,
      greetingTimeout: CONNECT_MS,
      socketTimeout: SILENCE_MS,
    });
  });

  constructor(
    private readonly url: string,
    private readonly from: string,
  ) {
    super();
  }

  async sendMail(order: MailOrder): Promise<void> {
    if (/[\p{Cc}\s,;<>]/u.test(order.to)) throw new MailRefused('The recipient is not a single e-mail address.');
    const { subject, text, html } = renderMail(order);
    const transport = await this.connected();
    try {
      await transport.sendMail({
        from: this.from,
        to: { name: '', address: order.to },
        subject,
        text,
        html,
        messageId: this.messageId(order.key),
        headers: { 'Auto-Submitted': 'auto-generated' },
        disableFileAccess: true,
        disableUrlAccess: true,
      });
    } catch (error) {
      const { code = '', responseCode = 0, response } = error as SmtpFailure;
      if (responseCode >= PERMANENT && ABOUT_THE_MAIL.has(code)) throw new MailRefused(response ?? String(responseCode));
      throw new Outage('mail', response ?? (error instanceof Error ? error.message : 'The mail server is unavailable.'), {
        code: 'upstream_failed',
        cause: error,
      });
    }
  }

  private messageId(key: string): string {
    const domain = /@([\w.-]+)>?\s*$/.exec(this.from)?.[1] ?? 'localhost';
    return `<${createHash('sha256').update(key).digest('hex').slice(0, 32)}@${domain}>`;
  }
}

/** No mail server: nothing is sent, and callers can check this beforehand. */
export class NoMailer extends Mailer {
  readonly configured = false;

  sendMail(): Promise<void> {
    return Promise.resolve();
  }
}
