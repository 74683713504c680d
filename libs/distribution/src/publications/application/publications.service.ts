import { Injectable } from '@nestjs/common';
import { Bytes, type ReleasableFile } from '@atrium/files';
import type { Principal } from '@atrium/platform/access';
import { Database, type Precondition } from '@atrium/platform/database';
import { Clock, Ids, invalidState } from '@atrium/platform/kernel';
import { readReleaseRules, type ReleaseOrder, type ReleaseRules } from '../../control/domain/release-rules';
import { newPublication } from '../domain/new-publication';
import { ownerOf, toldRules, type Publication } from '../domain/publication';
import { PublicationsRepository } from '../infrastructure/publications.repository';
import { PublicAddresses } from './public-addresses';
import { PublicationAnswers, type PublicationAnswer } from './publication-answers.service';
import { PublicationFollowing } from './publication-following';
import { PublicationJournal } from './publication-journal';
import { PublicationReaching } from './publication-reaching';
import { ReleaseGate } from './release-gate';

/** What is released, and why although somebody's consent is missing. */
export interface PublishOrder extends ReleaseOrder {
  readonly comment?: string | null;
}

/** A file that was released, for the first time or again. */
export interface Published {
  readonly first: boolean;
  readonly publication: PublicationAnswer;
}

/** Releases files to the public and takes them back: one publication a file, one address for ever. */
@Injectable()
export class PublicationsService {
  constructor(
    private readonly db: Database,
    private readonly publications: PublicationsRepository,
    private readonly gate: ReleaseGate,
    private readonly bytes: Bytes,
    private readonly addresses: PublicAddresses,
    private readonly journal: PublicationJournal,
    private readonly following: PublicationFollowing,
    private readonly reach: PublicationReaching,
    private readonly answers: PublicationAnswers,
    private readonly clock: Clock,
    private readonly ids: Ids,
  ) {}

  /** Releases the current version under these rules; one that is released already takes them over, and the version when it is another one. */
  publish(caller: Principal, file_id: string, order: PublishOrder): Promise<Published> {
    const rules = readReleaseRules(order, this.clock.now());
    return this.db.write(async () => {
      const { file, at } = await this.gate.releasable(caller, file_id, order.comment ?? null);
      await this.gate.assertNameable(rules);
      const known = await this.publications.lockOf(file_id);
      const publication =
        known ??
        (await this.publications.insert(
          newPublication({ pub_id: this.ids.next(), file, rules, created_by: caller.user_id, at: this.clock.now() }),
        ));
      const first = publication.pub_key === null;
      await this.release(publication, file, rules, { isNew: known === null, at });
      return { first, publication: await this.answers.answer(publication.pub_id) };
    });
  }

  /** Takes it from the public; revoked before: nothing changes. */
  unpublish(caller: Principal, file_id: string, precondition?: Precondition): Promise<void> {
    return this.db.write(async () => {
      const publication = await this.gate.lock(caller, file_id, precondition);
      if (publication.pub_state === 'revoked') return;
      if (publication.pub_state === 'draft') await this.following.discard(publication);
      else await this.following.withdraw([publication], 'user');
    });
  }

  retry(caller: Principal, file_id: string): Promise<PublicationAnswer> {
    return this.db.write(async () => {
      const publication = await this.gate.lock(caller, file_id);
      publication.retryCopy(this.clock);
      await this.publications.save(publication);
      await this.journal.record(publication, 'retried', null, null);
      this.reach.copy(publication);
      return this.answers.answer(publication.pub_id);
    });
  }

  /** Releases the current version of the file under the rules that are in force. */
  refresh(caller: Principal, file_id: string): Promise<void> {
    return this.db.write(async () => {
      const { file, at } = await this.gate.releasable(caller, file_id, null);
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
}

function notMinted(): never {
  throw new Error('An address is minted before its publication is released.');
}
