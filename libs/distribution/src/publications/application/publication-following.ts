import { Injectable } from '@nestjs/common';
import { Bytes } from '@atrium/files';
import { Database } from '@atrium/platform/database';
import { Clock } from '@atrium/platform/kernel';
import { auditedRules } from '../../control/domain/release-rules';
import { ownerOf, type Publication, type RevokeReason } from '../domain/publication';
import { PublicationsRepository } from '../infrastructure/publications.repository';
import { PublicationJournal } from './publication-journal';
import { PublicCopies } from './public-copies';
import { PublicationReaching } from './publication-reaching';

/** Publications follow what happens: to their files, by the clock, or because somebody takes them back. */
@Injectable()
export class PublicationFollowing {
  constructor(
    private readonly db: Database,
    private readonly publications: PublicationsRepository,
    private readonly journal: PublicationJournal,
    private readonly copies: PublicCopies,
    private readonly bytes: Bytes,
    private readonly reach: PublicationReaching,
    private readonly clock: Clock,
  ) {}

  /** Live publications of these files are taken from the public, in the transaction at hand; those that people released since then stay. */
  async withdrawOf(file_ids: readonly string[], reason: RevokeReason, since?: Date): Promise<void> {
    await this.withdrawPublications(await this.publications.lockLiveOf(file_ids, since), reason);
  }

  async withdrawPublications(publications: readonly Publication[], reason: RevokeReason): Promise<void> {
    for (const publication of publications) {
      const before = { state: publication.pub_state, ...auditedRules(publication.rules) };
      this.copies.uncountCopy(publication);
      publication.withdraw(reason, this.clock);
      await this.publications.save(publication);
      await this.bytes.unpinBytes(publication.pub_file, ownerOf(publication));
      await this.journal.recordAction(publication, publication.pub_state === 'draft' ? 'unscheduled' : 'revoked', before, {
        ...before,
        state: publication.pub_state,
        reason,
      });
      this.reach.queueCopy(publication);
      this.reach.notifyPolicyChange(publication);
    }
  }

  /** A draft that was never released is removed as a whole. */
  async discardDraft(draft: Publication): Promise<void> {
    await this.bytes.unpinBytes(draft.pub_file, ownerOf(draft));
    await this.publications.remove(draft);
    this.reach.queueRemoval(draft);
  }

  /** Moves one along where its window has opened or closed. */
  applyWindow(pub_id: string): Promise<void> {
    return this.db.write(async () => {
      const [publication] = await this.publications.lockMany([pub_id]);
      if (!publication?.isLive) return;
      const now = this.clock.now();
      if (publication.pub_end !== null && publication.pub_end <= now) return this.withdrawPublications([publication], 'expired');
      if (publication.pub_state !== 'scheduled' || publication.pub_start === null || publication.pub_start > now) return;
      publication.begin(this.clock);
      await this.publications.save(publication);
      await this.journal.recordAction(publication, 'live', { state: 'scheduled' }, { state: 'published' });
      this.reach.notifyPolicyChange(publication);
    });
  }
}
