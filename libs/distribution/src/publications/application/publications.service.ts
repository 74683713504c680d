import { Injectable } from '@nestjs/common';
import { Bytes, ReleasableFiles, type ReleasableFile } from '@atrium/files';
import { ReleaseRules as ReleaseRefusals } from '@atrium/media';
import type { Principal } from '@atrium/platform/access';
import { Database, join, sql, type ListParameters, type Page, type Precondition } from '@atrium/platform/database';
import { Clock, Ids, invalidField, invalidState, notFound, Problem } from '@atrium/platform/kernel';
import { draftOf, orderOf, ownerOf, Publication, toldRules } from '../domain/publication';
import type { PublicationEvent } from '../domain/publication-event';
import { readReleaseRules, type ReleaseOrder, type ReleaseRules } from '../../control/domain/release-rules';
import { PublicationsRepository, type PublicationRow } from '../infrastructure/publications.repository';
import { RestrictionsRepository, type RestrictionRow } from '../../control/infrastructure/restrictions.repository';
import { PublicAddresses } from './public-addresses';
import { PublicationFollowing } from './publication-following';
import { PublicationJournal } from './publication-journal';
import { PublicationReaching } from './publication-reaching';

export type { PublicationRow } from '../infrastructure/publications.repository';

/** What is released, and why although somebody's consent is missing. */
export interface PublishOrder extends ReleaseOrder {
  readonly comment?: string | null;
}

/** A file that was released, for the first time or again. */
export interface Published {
  readonly first: boolean;
  readonly publication: PublicationAnswer;
}

export type PublicationAnswer = PublicationRow & { readonly row_version: number; readonly pub_baseline: readonly BaselineRule[] };
export type BaselineRule = Pick<RestrictionRow, 'dr_id' | 'dr_name' | 'dr_kind' | 'dr_effect' | 'dr_values' | 'dr_timezone'>;

export interface ListedPublications extends ListParameters {
  readonly search?: string;
}

/** Releases files to the public and takes them back: one publication a file, one address for ever. */
@Injectable()
export class PublicationsService {
  constructor(
    private readonly db: Database,
    private readonly publications: PublicationsRepository,
    private readonly restrictions: RestrictionsRepository,
    private readonly files: ReleasableFiles,
    private readonly bytes: Bytes,
    private readonly refusals: ReleaseRefusals,
    private readonly addresses: PublicAddresses,
    private readonly journal: PublicationJournal,
    private readonly following: PublicationFollowing,
    private readonly reach: PublicationReaching,
    private readonly clock: Clock,
    private readonly ids: Ids,
  ) {}

  list(caller: Principal, query: ListedPublications): Promise<Page<PublicationRow>> {
    return this.db.read(async () => {
      const where = [this.files.visible(caller, { file: sql`r.pub_file`, type: sql`r.pub_repo_type` })];
      if (query.search !== undefined) where.push(await this.publications.holding(query.search));
      return this.publications.page(query, join(where, ' AND '));
    });
  }

  get(caller: Principal, id: string): Promise<PublicationAnswer> {
    return this.db.read(() => this.answer(id, caller));
  }

  ofFile(caller: Principal, file_id: string): Promise<PublicationAnswer> {
    return this.db.read(async () => {
      const id = await this.publications.idOf(file_id);
      if (id === null) throw notFound('publication of this file');
      return this.answer(id, caller);
    });
  }

  history(caller: Principal, id: string, query: ListParameters): Promise<Page<PublicationEvent>> {
    return this.db.read(async () => {
      await this.answer(id, caller);
      return this.journal.page(id, query);
    });
  }

  /** Releases the current version under these rules; one that is released already takes them over, and the version when it is another one. */
  publish(caller: Principal, file_id: string, order: PublishOrder): Promise<Published> {
    const rules = readReleaseRules(order, this.clock.now());
    return this.db.write(async () => {
      const { file, at } = await this.releasable(caller, file_id, order.comment ?? null);
      await this.assertNameable(rules);
      const known = await this.publications.lockOf(file_id);
      const publication = known ?? (await this.publications.insert(this.drafted(caller, file, rules)));
      const first = publication.pub_key === null;
      await this.release(publication, file, rules, { isNew: known === null, at });
      return { first, publication: await this.answer(publication.pub_id) };
    });
  }

  /** The draft's rules become those in force. */
  applyDraft(caller: Principal, file_id: string): Promise<PublicationAnswer> {
    return this.db.write(async () => {
      const draft = await this.draft(caller, file_id);
      return (await this.publish(caller, file_id, draft)).publication;
    });
  }

  saveDraft(caller: Principal, file_id: string, order: ReleaseOrder): Promise<PublicationAnswer> {
    const rules = readReleaseRules(order, this.clock.now());
    return this.db.write(async () => {
      const file = await this.files.lock(caller, file_id, 'edit');
      await this.assertNameable(rules);
      await this.publications.enter(file_id);
      const known = await this.publications.lockOf(file_id);
      const publication = known ?? (await this.publications.insert(this.drafted(caller, file, rules)));
      const before = known && (known.pub_state === 'draft' ? toldRules(known.rules) : (known.pub_draft ?? null));
      publication.keepDraft(order, rules, this.clock);
      await this.publications.save(publication);
      await this.journal.record(publication, 'draft_saved', before, draftOf(order));
      return this.answer(publication.pub_id);
    });
  }

  /** What was saved goes; a draft that was never released goes as a whole. */
  dropDraft(caller: Principal, file_id: string): Promise<void> {
    return this.db.write(async () => {
      const publication = await this.lock(caller, file_id);
      if (publication.pub_state === 'draft') return this.removeDraft(publication);
      if (publication.pub_draft === null) throw notFound('draft');
      const before = publication.pub_draft;
      publication.dropDraft(this.clock);
      await this.publications.save(publication);
      await this.journal.record(publication, 'draft_dropped', before, null);
    });
  }

  /** Takes it from the public; revoked before: nothing changes. */
  unpublish(caller: Principal, file_id: string, precondition?: Precondition): Promise<void> {
    return this.db.write(async () => {
      const publication = await this.lock(caller, file_id, precondition);
      if (publication.pub_state === 'revoked') return;
      if (publication.pub_state === 'draft') await this.removeDraft(publication);
      else await this.following.withdraw([publication], 'user');
    });
  }

  retry(caller: Principal, file_id: string): Promise<PublicationAnswer> {
    return this.db.write(async () => {
      const publication = await this.lock(caller, file_id);
      publication.retryCopy(this.clock);
      await this.publications.save(publication);
      await this.journal.record(publication, 'retried', null, null);
      this.reach.copy(publication);
      return this.answer(publication.pub_id);
    });
  }

  /** Releases the current version of the file under the rules that are in force. */
  refresh(caller: Principal, file_id: string): Promise<void> {
    return this.db.write(async () => {
      const { file, at } = await this.releasable(caller, file_id, null);
      const publication = await this.publications.lockOf(file_id);
      if (!publication?.isLive) throw invalidState('The file is not published.');
      await this.release(publication, file, publication.rules, { isNew: false, at });
    });
  }

  private async release(
    publication: Publication,
    file: ReleasableFile,
    rules: ReleaseRules,
    { isNew, at }: { readonly isNew: boolean; readonly at: Date },
  ): Promise<void> {
    const before =
      isNew || publication.pub_state === 'draft'
        ? null
        : { state: publication.pub_state, version: publication.pub_version, ...toldRules(publication.rules) };
    const wasLive = publication.isLive;
    const hash = file.file_hash ?? '';
    Object.assign(publication, { pub_file_name: file.file_name, pub_file_version: file.file_version, pub_repo_type: file.repo_type });
    if (!isNew && publication.isReleasedAs(rules, { version: file.file_version, hash }, this.clock)) return;
    const address = publication.pub_key === null ? await this.addresses.mint(file) : null;
    const isToCopy = publication.release(rules, { version: file.file_version, hash }, () => address ?? notMinted(), this.clock);
    await this.bytes.pin(file.file_id, hash, ownerOf(publication));
    await this.publications.save(publication);
    const action =
      publication.pub_state === 'scheduled'
        ? wasLive && before?.state === 'scheduled'
          ? 'updated'
          : 'scheduled'
        : wasLive && before?.state === 'published'
          ? 'updated'
          : 'published';
    await this.journal.record(
      publication,
      action,
      before,
      { state: publication.pub_state, version: file.file_version, ...toldRules(rules) },
      at,
    );
    if (isToCopy) this.reach.copy(publication);
    this.reach.policyChanged(publication);
  }

  /**
   * The file, ready and allowed to be public, and the moment for which that was decided. It is kept first, and one release
   * of it decides at a time: whoever withholds the file waits for this unit of work, or was waited for.
   */
  private async releasable(
    caller: Principal,
    file_id: string,
    comment: string | null,
  ): Promise<{ readonly file: ReleasableFile; readonly at: Date }> {
    const file = await this.files.lock(caller, file_id, 'edit');
    if (file.file_processing === 'quarantined') throw invalidState('The file is in quarantine; it can not be published.');
    if (file.file_processing === 'pending' || file.file_hash === null)
      throw invalidState('The file is still being read; try again when it is ready.');
    await this.publications.enter(file_id);
    const at = this.clock.now();
    const refusal = (await this.refusals.refusals([file_id], 'publish', { caller, override: comment, at })).get(file_id);
    if (refusal) throw new Problem(refusal.code, refusal.reason);
    return { file, at };
  }

  private drafted(caller: Principal, file: ReleasableFile, rules: ReleaseRules): Publication {
    const now = this.clock.now();
    return Object.assign(new Publication(), {
      pub_id: this.ids.next(),
      pub_file: file.file_id,
      pub_state: 'draft' as const,
      pub_version: file.file_version,
      pub_hostname: null,
      pub_name: null,
      pub_url: null,
      pub_key: null,
      pub_size: null,
      pub_content_type: null,
      pub_hash: null,
      pub_object: null,
      pub_copy_object: null,
      pub_copied: null,
      ...rules,
      pub_copy_state: 'none' as const,
      pub_error: null,
      pub_wanted_version: null,
      pub_wanted_hash: null,
      pub_file_name: file.file_name,
      pub_file_version: file.file_version,
      pub_repo_type: file.repo_type,
      pub_published_name: null,
      pub_draft: null,
      pub_created: now,
      pub_updated: now,
      pub_created_by: caller.user_id,
      pub_published: null,
      pub_revoked: null,
      pub_revoked_reason: null,
      pub_edge_revision: 0,
      pub_edge_due: null,
    });
  }

  private async assertNameable({ pub_restrictions }: ReleaseRules): Promise<void> {
    if (pub_restrictions.length === 0) return;
    const nameable = await this.restrictions.nameable(pub_restrictions);
    const unknown = pub_restrictions.findIndex((id) => !nameable.has(id));
    if (unknown >= 0) throw invalidField(`restrictions[${unknown}]`, 'is no active restriction of this workspace', 'reference');
  }

  private async draft(caller: Principal, file_id: string): Promise<ReleaseOrder> {
    const id = await this.publications.idOf(file_id);
    const publication = id === null ? null : await this.publications.find(id);
    if (!publication) throw notFound('publication of this file');
    await this.files.assertVisible(caller, { file_id, repo_type: publication.pub_repo_type });
    if (publication.pub_draft !== null) return orderOf(publication.pub_draft);
    if (publication.pub_state !== 'draft') throw notFound('draft');
    return orderOf(toldRules(publication.rules));
  }

  private async lock(caller: Principal, file_id: string, precondition?: Precondition): Promise<Publication> {
    const id = await this.publications.idOf(file_id);
    if (id === null) throw notFound('publication of this file');
    return this.publications.lock(id, precondition, ({ pub_file, pub_repo_type }) =>
      this.files.assertVisible(caller, { file_id: pub_file, repo_type: pub_repo_type }),
    );
  }

  private async removeDraft(publication: Publication): Promise<void> {
    await this.bytes.unpin(publication.pub_file, ownerOf(publication));
    await this.publications.remove(publication);
    this.reach.forget(publication);
  }

  private async answer(id: string, caller?: Principal): Promise<PublicationAnswer> {
    const row = await this.publications.one(id);
    if (!row) throw notFound('publication');
    const { pub_repo_type, ...shown } = row;
    if (caller) await this.files.assertVisible(caller, { file_id: row.pub_file, repo_type: pub_repo_type });
    return {
      ...shown,
      pub_baseline: (await this.restrictions.baseline()).map(({ dr_id, dr_name, dr_kind, dr_effect, dr_values, dr_timezone }) => ({
        dr_id,
        dr_name,
        dr_kind,
        dr_effect,
        dr_values,
        dr_timezone,
      })),
    };
  }
}

function notMinted(): never {
  throw new Error('An address is minted before its publication is released.');
}
