import { Injectable } from '@nestjs/common';
import { Bytes, type ReleasableFile, ReleasableFiles } from '@atrium/files';
import type { Principal } from '@atrium/platform/access';
import { Database, type Precondition, sql } from '@atrium/platform/database';
import { Clock, Ids, invalidState, withoutEnd, DAY, invalidField, notFound } from '@atrium/platform/kernel';
import { WorkspaceOptions } from '@atrium/identity';
import { publicOrigin, Settings } from '@atrium/platform/config';
import { auditedRules, readReleaseRules, type ReleaseOrder, type ReleaseRules } from '../../control/domain/release-rules';
import { ownerOf, Publication, type Address } from '../domain/publication';
import { PublicationStatRows, type SummedHits } from '../infrastructure/publication-stats.rows';
import { PublicationsRepository } from '../infrastructure/publications.repository';
import { PublicationAnswers, type PublicationAnswer } from './publication-answers.service';
import { PublicationFollowing } from './publication-following';
import { PublicationJournal } from './publication-journal';
import { PublicationReaching } from './publication-reaching';
import { ReleaseGate } from './release-gate';
import { newPublicKey } from '../domain/public-object';
import { publicName } from '../domain/public-name';
import { PUBLIC_HOSTNAME } from '../../control/application/distribution-options';

const LONGEST_DAYS = 366;
const USUAL_DAYS = 30;

export interface StatsQuery {
  readonly pub_id?: string;
  readonly from?: Date;
  readonly to?: Date;
}

type Counts = Readonly<Record<string, number>>;

/** One day, or all of them together; countries nobody knows are counted under `??`. */
export interface StatsLine {
  readonly hits: number;
  readonly bytes: number;
  readonly refusals: number;
  readonly refusals_by_reason: Counts;
  readonly refusals_by_country: Counts;
  readonly hits_by_country: Counts;
}

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
    private readonly stats: PublicationStatRows,
    private readonly gate: ReleaseGate,
    private readonly bytes: Bytes,
    private readonly journal: PublicationJournal,
    private readonly following: PublicationFollowing,
    private readonly reach: PublicationReaching,
    private readonly answers: PublicationAnswers,
    private readonly clock: Clock,
    private readonly ids: Ids,
    private readonly settings: Settings,
    private readonly options: WorkspaceOptions,
    private readonly files: ReleasableFiles,
  ) {}

  /** Releases the current version under these rules; one that is released already takes them over, and the version when it is another one. */
  publishFile(caller: Principal, file_id: string, order: PublishOrder): Promise<Published> {
    const rules = readReleaseRules(order, this.clock.now());
    return this.db.write(async () => {
      const { file, at } = await this.gate.lockReleasable(caller, file_id, order.comment ?? null);
      await this.gate.assertNameable(rules);
      const known = await this.publications.lockOf(file_id);
      const publication =
        known ??
        (await this.publications.insert(
          Publication.blank({ pub_id: this.ids.next(), pub_created_by: caller.user_id, file, rules }, this.clock.now()),
        ));
      const first = publication.pub_key === null;
      await this.release(publication, file, rules, { isNew: known === null, at });
      return { first, publication: await this.answers.readAnswer(publication.pub_id) };
    });
  }

  /** Takes it from the public; revoked before: nothing changes. */
  unpublishFile(caller: Principal, file_id: string, precondition?: Precondition): Promise<void> {
    return this.db.write(async () => {
      const publication = await this.gate.lockPublication(caller, file_id, precondition);
      if (publication.pub_state === 'revoked') return;
      if (publication.pub_state === 'draft') await this.following.discardDraft(publication);
      else await this.following.withdrawPublications([publication], 'user');
    });
  }

  retryCopy(caller: Principal, file_id: string): Promise<PublicationAnswer> {
    return this.db.write(async () => {
      const publication = await this.gate.lockPublication(caller, file_id);
      publication.retryCopy(this.clock);
      await this.publications.save(publication);
      await this.journal.recordAction(publication, 'retried', null, null);
      this.reach.queueCopy(publication);
      return this.answers.readAnswer(publication.pub_id);
    });
  }

  /** Releases the current version of the file under the rules that are in force. */
  refreshPublication(caller: Principal, file_id: string): Promise<void> {
    return this.db.write(async () => {
      const { file, at } = await this.gate.lockReleasable(caller, file_id, null);
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
        : { state: publication.pub_state, version: publication.pub_version, ...auditedRules(publication.rules) };
    const wasLive = publication.isLive;
    const hash = file.file_hash ?? '';
    Object.assign(publication, { pub_file_name: file.file_name, pub_file_version: file.file_version, pub_repo_type: file.repo_type });
    if (!isNew && publication.isReleasedAs(rules, { version: file.file_version, hash }, this.clock)) return;
    const address = publication.pub_key === null ? await this.mintAddress(file) : null;
    const isToCopy = publication.release(rules, { version: file.file_version, hash }, () => address ?? notMinted(), this.clock);
    await this.bytes.pinBytes(file.file_id, hash, ownerOf(publication));
    await this.publications.save(publication);
    const action =
      publication.pub_state === 'scheduled'
        ? wasLive && before?.state === 'scheduled'
          ? 'updated'
          : 'scheduled'
        : wasLive && before?.state === 'published'
          ? 'updated'
          : 'published';
    await this.journal.recordAction(
      publication,
      action,
      before,
      { state: publication.pub_state, version: file.file_version, ...auditedRules(rules) },
      at,
    );
    if (isToCopy) this.reach.queueCopy(publication);
    this.reach.notifyPolicyChange(publication);
  }

  /** The origin of everything that is shown to the public without an own host. */
  get origin(): string {
    return withoutEnd(this.settings.PUBLIC_URL || publicOrigin(this.settings), /\//);
  }

  /** Within an open unit of work. */
  private async mintAddress({ file_name, file_type }: { readonly file_name: string; readonly file_type: string }): Promise<Address> {
    const own = await this.options.readOption(PUBLIC_HOSTNAME);
    const [pub_key, pub_name] = [newPublicKey(), publicName(file_name, file_type)];
    const origin = own === null ? this.origin : `https://${own}`;
    return { pub_key, pub_name, pub_hostname: own ?? new URL(origin).host, pub_url: `${origin}/p/${pub_key}/${pub_name}` };
  }

  /** What the public fetched and what it was refused, by day (UTC). */
  async getStatistics(
    caller: Principal,
    { pub_id, from, to }: StatsQuery,
  ): Promise<{
    readonly from: string;
    readonly to: string;
    readonly total: StatsLine;
    readonly data: readonly (StatsLine & { readonly day: string })[];
  }> {
    const until = to ?? this.clock.now();
    const since = from ?? new Date(until.getTime() - (USUAL_DAYS - 1) * DAY);
    if (since > until) throw invalidField('from', 'must not be after to', 'range');
    if (until.getTime() - since.getTime() > LONGEST_DAYS * DAY)
      throw invalidField('from', `must not span more than ${LONGEST_DAYS} days`, 'range');
    const [first, last] = [dayOf(since), dayOf(until)];
    const cells = await this.db.read(() => this.cells(caller, pub_id, first, last));
    const days = [...new Set(cells.map(({ day }) => day))].sort();
    return {
      from: first,
      to: last,
      total: lineOf(cells),
      data: days.map((day) => ({ day, ...lineOf(cells.filter((cell) => cell.day === day)) })),
    };
  }

  private async cells(caller: Principal, pub_id: string | undefined, first: string, last: string): Promise<SummedHits[]> {
    if (pub_id !== undefined) {
      const publication = await this.publications.findRow(pub_id);
      if (!publication) throw notFound('publication');
      await this.files.assertVisible(caller, { file_id: publication.pub_file, repo_type: publication.pub_repo_type });
    }
    const visible = this.files.visibleCondition(caller, { file: sql`p.pub_file`, type: sql`p.pub_repo_type` });
    return this.stats.sumHits({ pub_id: pub_id ?? null, first, last }, visible);
  }
}

function notMinted(): never {
  throw new Error('An address is minted before its publication is released.');
}

const dayOf = (at: Date): string => at.toISOString().slice(0, 10);

function lineOf(cells: readonly SummedHits[]): StatsLine {
  const [hits, refusals] = [cells.filter(({ outcome }) => outcome === 'hit'), cells.filter(({ outcome }) => outcome !== 'hit')];
  return {
    hits: sum(hits),
    bytes: hits.reduce((all, { bytes }) => all + bytes, 0),
    refusals: sum(refusals),
    refusals_by_reason: by(refusals, ({ outcome }) => outcome),
    refusals_by_country: by(refusals, ({ country }) => country || '??'),
    hits_by_country: by(hits, ({ country }) => country || '??'),
  };
}

const sum = (cells: readonly SummedHits[]): number => cells.reduce((all, { hits }) => all + hits, 0);

function by(cells: readonly SummedHits[], key: (cell: SummedHits) => string): Counts {
  const counts = new Map<string, number>();
  for (const cell of cells) counts.set(key(cell), (counts.get(key(cell)) ?? 0) + cell.hits);
  return Object.fromEntries(counts);
}
