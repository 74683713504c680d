import type { AddressInfo } from 'node:net';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer, type SMTPServerSession } from 'smtp-server';

/** A mail as the server took it, and how it came. */
export interface ReceivedMail {
  readonly to: readonly string[];
  readonly mail: Email;
  readonly raw: string;
  readonly greeting: string;
  readonly encrypted: boolean;
  readonly user: string | undefined;
}

/** What the server says to a recipient instead of taking the mail. */
export interface Refusal {
  readonly responseCode: number;
  readonly message: string;
  /** How many times; then the mail is taken. */
  times: number;
}

const USER = 'atrium';
const PASSWORD = 'only for@tests';

/** A real SMTP server on loopback: greets with EHLO, demands STARTTLS and AUTH, takes mails or refuses them. */
export class MailServer {
  readonly mails: ReceivedMail[] = [];
  readonly refusals = new Map<string, Refusal>();
  private readonly server: SMTPServer;

  constructor() {
    this.server = new SMTPServer({
      authMethods: ['PLAIN', 'LOGIN'],
      disableReverseLookup: true,
      // Else it warns of its certificate, which everybody knows.
      logger: false,
      onAuth: ({ username, password }, session, done) => {
        if (session.secure && username === USER && password === PASSWORD) done(null, { user: username });
        else done(new Error('Who are you?'));
      },
      onRcptTo: ({ address }, _session, done) => {
        const refusal = this.refusals.get(address);
        if (!refusal || refusal.times-- <= 0) return done();
        done(Object.assign(new Error(refusal.message), { responseCode: refusal.responseCode }));
      },
      onData: (stream, session, done) => {
        const chunks: Buffer[] = [];
        stream.on('data', (chunk: Buffer) => chunks.push(chunk));
        stream.on('end', () => void this.take(Buffer.concat(chunks).toString('utf8'), session).then(() => done()));
      },
    });
  }

  /** The value of SMTP_URL. */
  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    const { port } = this.server.server.address() as AddressInfo;
    return `smtp://${USER}:${encodeURIComponent(PASSWORD)}@127.0.0.1:${port}?tls.rejectUnauthorized=false`;
  }

  to(address: string): ReceivedMail[] {
    return this.mails.filter(({ to }) => to.includes(address));
  }

  stop(): Promise<void> {
    return new Promise((resolve) => this.server.close(() => resolve()));
  }

  private async take(raw: string, session: SMTPServerSession): Promise<void> {
    const mail = await PostalMime.parse(raw);
    this.mails.push({
      to: session.envelope.rcptTo.map(({ address }) => address),
      mail,
      raw,
      greeting: session.openingCommand ?? '',
      encrypted: session.secure,
      user: session.user,
    });
  }
}
