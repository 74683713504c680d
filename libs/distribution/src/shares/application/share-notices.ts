import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { KnownMembers, Mail, type Addressee } from '@atrium/identity';
import { Database } from '@atrium/platform/database';
import { Clock, DAY, HOUR, MINUTE, Problem } from '@atrium/platform/kernel';
import { planJob, Outbox } from '@atrium/platform/messaging';
import type { ShareLink } from '../domain/share-link';
import { ShareLinksRepository } from '../infrastructure/share-links.repository';
import { ShareUploadsRepository } from '../infrastructure/share-uploads.repository';
import { notify, type Notice, type NotifyPayload } from '../jobs/share-links.jobs';

const SOON_MS = 3 * DAY;
/** Hour of the day, UTC, at which a daily mail goes out. */
const DIGEST_HOUR = 7;
/** What comes in the last moment is committed a little later. */
const AFTERWARDS_MS = MINUTE;
const DATE = 10;
const MINUTES = 16;

/** Mails about links: to the people they are sent to, and to their creators. Each is planned in the unit of work of what it reports. */
@Injectable()
export class ShareNotices {
  constructor(
    private readonly db: Database,
    private readonly links: ShareLinksRepository,
    private readonly uploads: ShareUploadsRepository,
    private readonly members: KnownMembers,
    private readonly mail: Mail,
    private readonly outbox: Outbox,
    private readonly clock: Clock,
  ) {}

  /** A file was received: reported at once, or once a day. */
  async planUpload({ share_id, options }: ShareLink, { su_id, at: came }: { readonly su_id: string; readonly at: Date }): Promise<void> {
    if (options.notify === 'each') this.plan(share_id, 'uploaded', { key: su_id });
    if (options.notify !== 'daily') return;
    const at = nextDigest(came);
    await this.outbox.addOnce(
      planJob(
        notify,
        { share_id, what: 'digest', key: at.toISOString().slice(0, DATE) },
        { delayMs: at.getTime() - came.getTime() + AFTERWARDS_MS },
      ),
    );
  }

  /** Three days before it ends. */
  planExpiry({ share_id, share_expires_at }: ShareLink): void {
    if (!share_expires_at) return;
    const delayMs = share_expires_at.getTime() - SOON_MS - this.clock.now().getTime();
    if (delayMs > 0) this.plan(share_id, 'expiring', { key: String(share_expires_at.getTime()), delayMs });
  }

  /** An administrator has revoked or changed it. */
  planAdministered({ share_id, row_version }: ShareLink, detail: string): void {
    this.plan(share_id, 'administered', { key: String(row_version), detail });
  }

  /** Sends what was planned, if it still holds. */
  async sendNotice({ share_id, what, key, detail }: NotifyPayload): Promise<void> {
    if (!this.mail.configured) return;
    await this.db.write(async () => {
      const link = await this.links.findRow(share_id);
      const to = link && (await this.recipient(link.share_created_by));
      if (!link || !to) return;
      const common = { to: to.user_email, locale: to.user_locale, key: `share-${what}.${share_id}.${key}` } as const;
      const { ws_name } = to;
      const { share_name } = link;
      if (what === 'uploaded' || what === 'digest') {
        const { count, names } =
          what === 'digest'
            ? await this.uploads.summarizeBetween(share_id, dayBefore(key))
            : await this.uploads.summarizeUpload(share_id, key);
        if (count > 0)
          this.mail.queueMail({
            ...common,
            template: 'share_uploads',
            vars: { ws_name, share_name, count: String(count), from: names.join(', ') || '—' },
          });
      }
      if (what === 'expiring' && !link.share_revoked && String(link.share_expires_at?.getTime()) === key) {
        this.mail.queueMail({
          ...common,
          template: 'share_expiring',
          vars: { ws_name, share_name, expires: `${link.share_expires_at?.toISOString().slice(0, MINUTES).replace('T', ' ')} UTC` },
        });
      }
      if (what === 'administered')
        this.mail.queueMail({ ...common, template: 'share_administered', vars: { ws_name, share_name, what: detail ?? '' } });
    });
  }

  /** Sends the address of a link to people; 501 without a mail server. */
  async deliverLink(
    { share_id, share_name, options, share_created_by }: ShareLink,
    { emails, message, link }: { readonly emails: readonly string[]; readonly message: string; readonly link: string },
  ): Promise<void> {
    if (!this.mail.configured) throw new Problem('not_configured', 'No mail server is configured (SMTP_URL). Send the URL yourself.');
    const from = await this.recipient(share_created_by);
    const batch = this.clock.now().getTime();
    for (const to of emails) {
      this.mail.queueMail({
        template: 'share_link',
        to,
        locale: options.locale,
        key: `share-link.${share_id}.${batch}.${createHash('sha256').update(to).digest('hex').slice(0, 32)}`,
        vars: { sharer: from?.user_name ?? '', ws_name: from?.ws_name ?? '', share_name, message, link },
      });
    }
  }

  private plan(
    share_id: string,
    what: Notice,
    { key, delayMs = 0, detail }: { readonly key: string; readonly delayMs?: number; readonly detail?: string },
  ): void {
    this.outbox.addJob(planJob(notify, { share_id, what, key, ...(detail ? { detail } : {}) }, { delayMs }));
  }

  private async recipient(user_id: string): Promise<Addressee | undefined> {
    const [to] = await this.members.resolveAddressees([user_id], 1);
    return to;
  }
}

const nextDigest = (came: Date): Date => {
  const sameDay = Date.UTC(came.getUTCFullYear(), came.getUTCMonth(), came.getUTCDate()) + DIGEST_HOUR * HOUR;
  return new Date(sameDay > came.getTime() ? sameDay : sameDay + DAY);
};

/** The content of a daily mail: files received since that of the day before, however late it is sent. */
const dayBefore = (date: string): { readonly from: Date; readonly to: Date } => {
  const to = Date.parse(date) + DIGEST_HOUR * HOUR;
  return { from: new Date(to - DAY), to: new Date(to) };
};
