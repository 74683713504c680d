import { Injectable } from '@nestjs/common';
import { ReleasableFiles } from '@atrium/files';
import type { Principal } from '@atrium/platform/access';
import { Database } from '@atrium/platform/database';
import { Clock, Ids, notFound } from '@atrium/platform/kernel';
import { auditedRules, draftOf, orderOf, readReleaseRules, type ReleaseOrder } from '../../control/domain/release-rules';
import { Publication } from '../domain/publication';
import { PublicationsRepository } from '../infrastructure/publications.repository';
import { PublicationAnswers, type PublicationAnswer } from './publication-answers.service';
import { PublicationFollowing } from './publication-following';
import { PublicationJournal } from './publication-journal';
import { PublicationsService } from './publications.service';
import { ReleaseGate } from './release-gate';

/** Rules that wait for their release: as a publication that was never live, or beside the rules in force. */
@Injectable()
export class PublicationDrafts {
  constructor(
    private readonly db: Database,
    private readonly publications: PublicationsRepository,
    private readonly files: ReleasableFiles,
    private readonly gate: ReleaseGate,
    private readonly releases: PublicationsService,
    private readonly following: PublicationFollowing,
    private readonly journal: PublicationJournal,
    private readonly answers: PublicationAnswers,
    private readonly clock: Clock,
    private readonly ids: Ids,
  ) {}

  /** The draft's rules become those in force. */
  applyDraft(caller: Principal, file_id: string): Promise<PublicationAnswer> {
    return this.db.write(async () => {
      const draft = await this.draft(caller, file_id);
      return (await this.releases.publishFile(caller, file_id, draft)).publication;
    });
  }

  saveDraft(caller: Principal, file_id: string, order: ReleaseOrder): Promise<PublicationAnswer> {
    const rules = readReleaseRules(order, this.clock.now());
    return this.db.write(async () => {
      const file = await this.files.lockReleasable(caller, file_id, 'edit');
      await this.gate.assertNameable(rules);
      await this.publications.lockRelease(file_id);
      const known = await this.publications.lockOf(file_id);
      const beginning = { pub_id: this.ids.next(), pub_created_by: caller.user_id, file, rules };
      const publication = known ?? (await this.publications.insert(Publication.blank(beginning, this.clock.now())));
      const before = known && (known.pub_state === 'draft' ? auditedRules(known.rules) : (known.pub_draft ?? null));
      publication.keepDraft(order, rules, this.clock);
      await this.publications.save(publication);
      await this.journal.recordAction(publication, 'draft_saved', before, draftOf(order));
      return this.answers.readAnswer(publication.pub_id);
    });
  }

  /** What was saved is removed; a draft that was never released goes as a whole. */
  discardDraft(caller: Principal, file_id: string): Promise<void> {
    return this.db.write(async () => {
      const publication = await this.gate.lockPublication(caller, file_id);
      if (publication.pub_state === 'draft') return this.following.discardDraft(publication);
      if (publication.pub_draft === null) throw notFound('draft');
      const before = publication.pub_draft;
      publication.dropDraft(this.clock);
      await this.publications.save(publication);
      await this.journal.recordAction(publication, 'draft_dropped', before, null);
    });
  }

  private async draft(caller: Principal, file_id: string): Promise<ReleaseOrder> {
    const id = await this.publications.findPublicationId(file_id);
    const publication = id === null ? null : await this.publications.findRow(id);
    if (!publication) throw notFound('publication of this file');
    await this.files.assertVisible(caller, { file_id, repo_type: publication.pub_repo_type });
    if (publication.pub_draft !== null) return orderOf(publication.pub_draft);
    if (publication.pub_state !== 'draft') throw notFound('draft');
    return orderOf(auditedRules(publication.rules));
  }
}
