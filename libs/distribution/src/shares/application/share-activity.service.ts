import { Injectable } from '@nestjs/common';
import { FileSummaries, Trash, type FilePreview } from '@atrium/files';
import { SharedAlbums } from '@atrium/media';
import { Audit, type Principal } from '@atrium/platform/access';
import { Database, requireScope, type ListParameters, type Page } from '@atrium/platform/database';
import { invalidFields, notFound } from '@atrium/platform/kernel';
import { isEmail } from '../domain/guest-email';
import { ShareEvents } from '../infrastructure/share-events.rows';
import { ShareLinksRepository } from '../infrastructure/share-links.repository';
import { ShareUploadsRepository, type ShareUploadRow } from '../infrastructure/share-uploads.repository';
import { ShareAnswers } from './share-answers';
import { SHARE_AUDIT, targetOf } from './share-links.audit';
import { ShareLinks } from './share-links.service';
import { ShareNotices } from './share-notices';
import { ShareSecrets } from './share-secrets';

/** A file that came in; without one while it is on its way. */
export type IncomingFile = ShareUploadRow & { readonly su_preview: FilePreview | null };

export interface ReviewOrder {
  readonly accept?: readonly string[];
  readonly reject?: readonly string[];
}

export interface Reviewed {
  readonly accepted: number;
  readonly rejected: number;
  /** Files that do not wait for a decision by this link. */
  readonly skipped: number;
}

/** What happens around a link: who came, what was sent, to whom the address goes. */
@Injectable()
export class ShareActivity {
  constructor(
    private readonly db: Database,
    private readonly own: ShareLinks,
    private readonly links: ShareLinksRepository,
    private readonly rows: ShareUploadsRepository,
    private readonly events: ShareEvents,
    private readonly summaries: FileSummaries,
    private readonly albums: SharedAlbums,
    private readonly trash: Trash,
    private readonly notices: ShareNotices,
    private readonly answers: ShareAnswers,
    private readonly secrets: ShareSecrets,
    private readonly audit: Audit,
  ) {}

  /** For its maker, and for those who administer links. */
  history(caller: Principal, id: string, query: ListParameters): Promise<Page<object>> {
    return this.db.read(async () => {
      const link = await this.links.find(id);
      if (!link || (link.share_created_by !== caller.user_id && !caller.permissions.has('admin:share-links'))) throw notFound('share link');
      return this.events.page(id, query);
    });
  }

  /** The address as a square that cameras read. */
  async qr(caller: Principal, id: string, size: number): Promise<{ data_url: string }> {
    const { share_url } = await this.own.one(caller, id);
    const { toDataURL } = await import('qrcode');
    return { data_url: await toDataURL(share_url, { type: 'image/png', width: size, margin: 2, errorCorrectionLevel: 'M' }) };
  }

  async send(
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
      const address = this.answers.address(this.secrets.token(requireScope().tenant_id, link.share_token_enc));
      await this.notices.deliver(link, { emails: [...new Set(emails)], message: message ?? '', link: address });
    });
  }

  incoming(caller: Principal, id: string, query: ListParameters): Promise<Page<IncomingFile>> {
    return this.db.read(async () => {
      const link = await this.links.find(id);
      if (link?.share_created_by !== caller.user_id) throw notFound('share link');
      const page = await this.rows.page(id, query);
      const files = await this.summaries.summaries(page.data.flatMap(({ su_file }) => su_file ?? []));
      return {
        ...page,
        data: page.data.map((row) => ({ ...row, su_preview: (row.su_file ? files.get(row.su_file)?.preview : null) ?? null })),
      };
    });
  }

  /** Accepted files join the albums they were sent for; rejected ones go to the trash. What was decided stays so. */
  review(caller: Principal, id: string, { accept = [], reject = [] }: ReviewOrder): Promise<Reviewed> {
    const both = accept.filter((file) => reject.includes(file));
    if (accept.length + reject.length === 0)
      throw invalidFields([{ path: 'accept', code: 'required', message: 'names files, or reject does' }]);
    if (both.length > 0) throw invalidFields([{ path: 'reject', code: 'conflict', message: 'names files that accept names too' }]);
    return this.db.write(async () => {
      const link = await this.own.lockOwn(caller, id);
      const accepted = await this.rows.review(id, accept, 'accepted');
      for (const { su_file, su_albums } of accepted) for (const album of su_albums) await this.albums.fill(caller, album, [su_file]);
      const rejected = await this.rows.review(id, reject, 'rejected');
      await this.trash.discard(
        rejected.map(({ su_file }) => su_file),
        caller.user_id,
      );
      const reviewed = {
        accepted: accepted.length,
        rejected: rejected.length,
        skipped: accept.length + reject.length - accepted.length - rejected.length,
      };
      this.audit.record({
        type: SHARE_AUDIT['share_link.reviewed'],
        target: targetOf(link),
        after: { accepted: accepted.map(({ su_file }) => su_file), rejected: rejected.map(({ su_file }) => su_file) },
      });
      return reviewed;
    });
  }
}
