import { Injectable } from '@nestjs/common';
import type { Principal } from '@atrium/platform/access';
import { Database, requireScope, type ListParameters, type Page } from '@atrium/platform/database';
import { invalidFields, notFound } from '@atrium/platform/kernel';
import { isEmail } from '../domain/guest-email';
import { ShareEvents } from '../infrastructure/share-events.rows';
import { ShareLinksRepository } from '../infrastructure/share-links.repository';
import { ShareAnswers } from './share-answers';
import { ShareLinks } from './share-links.service';
import { ShareNotices } from './share-notices';
import { ShareSecrets } from './share-secrets';

/** What happens around a link: who came by it, and to whom its address goes. */
@Injectable()
export class ShareActivity {
  constructor(
    private readonly db: Database,
    private readonly own: ShareLinks,
    private readonly links: ShareLinksRepository,
    private readonly events: ShareEvents,
    private readonly notices: ShareNotices,
    private readonly answers: ShareAnswers,
    private readonly secrets: ShareSecrets,
  ) {}

  /** For its maker, and for those who administer links. */
  listHistory(caller: Principal, id: string, query: ListParameters): Promise<Page<object>> {
    return this.db.read(async () => {
      const link = await this.links.findRow(id);
      if (!link || (link.share_created_by !== caller.user_id && !caller.permissions.has('admin:share-links'))) throw notFound('share link');
      return this.events.listEvents(id, query);
    });
  }

  /** The address as a square that cameras read. */
  async renderQrCode(caller: Principal, id: string, size: number): Promise<{ data_url: string }> {
    const { share_url } = await this.own.get(caller, id);
    const { toDataURL } = await import('qrcode');
    return { data_url: await toDataURL(share_url, { type: 'image/png', width: size, margin: 2, errorCorrectionLevel: 'M' }) };
  }

  async sendLink(
    caller: Principal,
    id: string,
    { emails, message }: { readonly emails: readonly string[]; readonly message?: string | null },
  ): Promise<void> {
    const wrong = emails.flatMap((email, at) =>
      isEmail(email) ? [] : [{ path: `emails[${at}]`, code: 'email', message: 'must be an e-mail address' }],
    );
    if (wrong.length > 0) throw invalidFields(wrong);
    await this.db.write(async () => {
      const link = await this.own.lockOwn(caller, id);
      link.assertNotRevoked();
      const address = this.answers.linkUrl(this.secrets.openToken(requireScope().tenant_id, link.share_token_enc));
      await this.notices.deliverLink(link, { emails: [...new Set(emails)], message: message ?? '', link: address });
    });
  }
}
