import { Injectable } from '@nestjs/common';
import { SharedFiles } from '@atrium/files';
import { Audit, changesBetween } from '@atrium/platform/access';
import type { JsonObject } from '@atrium/platform/kernel';
import { Outbox } from '@atrium/platform/messaging';
import type { ShareLink } from '../domain/share-link';
import { SHARE_AUDIT, targetOf, auditedLink } from './share-links.audit';

/** What is kept of changes to links, in the unit of work that makes them: audit entries, events, lines in the history of the files. */
@Injectable()
export class ShareJournal {
  constructor(
    private readonly files: SharedFiles,
    private readonly audit: Audit,
    private readonly outbox: Outbox,
  ) {}

  async recordCreated(link: ShareLink): Promise<void> {
    const { share_id, share_name, share_type } = link;
    await this.files.recordHistory(
      link.share_file_ids.map((file_id) => ({ file_id })),
      'shared',
      { share_id },
    );
    this.outbox.emitEvent({ name: 'share.created', subject_id: share_id, payload: { share_name, share_type } });
    this.audit.record({ type: SHARE_AUDIT['share_link.created'], target: targetOf(link), ...changesBetween(null, auditedLink(link)) });
  }

  /** `before`: what `auditedLink` said of the link before it was changed; `besides`: what is said of the change beyond that. */
  recordUpdated(link: ShareLink, before: object, besides: JsonObject = {}): void {
    const change = changesBetween(before, auditedLink(link));
    this.audit.record({
      type: SHARE_AUDIT['share_link.updated'],
      target: targetOf(link),
      ...change,
      after: { ...change.after, ...besides },
    });
  }

  recordRotated(link: ShareLink): void {
    this.audit.record({ type: SHARE_AUDIT['share_link.rotated'], target: targetOf(link) });
  }

  recordRevoked(link: ShareLink, reason: string | null): void {
    this.outbox.emitEvent({ name: 'share.revoked', subject_id: link.share_id, payload: {} });
    this.audit.record({
      type: SHARE_AUDIT['share_link.revoked'],
      target: targetOf(link),
      ...changesBetween({ share_active: true }, { share_active: false }),
      reason,
    });
  }

  recordReviewed(link: ShareLink, accepted: readonly string[], rejected: readonly string[]): void {
    this.audit.record({
      type: SHARE_AUDIT['share_link.reviewed'],
      target: targetOf(link),
      after: { accepted: [...accepted], rejected: [...rejected] },
    });
  }
}
