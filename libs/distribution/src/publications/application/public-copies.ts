import { createHash } from 'node:crypto';
import { Injectable, Logger } from '@nestjs/common';
import { Bytes, kindOf } from '@atrium/files';
import { StorageMeter, negatedLine, type StorageLine } from '@atrium/governance';
import { Database, requireScope } from '@atrium/platform/database';
import { Clock, Ids, Problem, type Outage } from '@atrium/platform/kernel';
import { ownerOf, type Publication } from '../domain/publication';
import { copiesOf, copyKey } from '../domain/public-object';
import { PublicationsRepository } from '../infrastructure/publications.repository';
import { PublicStore } from '../infrastructure/public-store';
import { PublicationJournal } from './publication-journal';
import { PublicationReaching } from './publication-reaching';

/** A copy that is to be made. */
export interface WantedCopy {
  readonly pub_id: string;
  readonly pub_file: string;
  readonly hash: string;
  readonly object: string;
}

/** Watches for the end of the worker, and keeps the job in the meantime. */
export interface CopyRun {
  readonly signal: AbortSignal;
  heartbeat(): Promise<void>;
}

const HEARTBEAT_BYTES = 256 * 1024 * 1024;

/** Public copies of bytes: made beside the bytes themselves, compared by size and hash, and counted as what the workspace stores. A run copies to a place of its own; it has won when the row that names that place takes it for live. */
@Injectable()
export class PublicCopies {
  private readonly log = new Logger(PublicCopies.name);

  constructor(
    private readonly db: Database,
    private readonly publications: PublicationsRepository,
    private readonly bytes: Bytes,
    private readonly store: PublicStore,
    private readonly meter: StorageMeter,
    private readonly journal: PublicationJournal,
    private readonly reach: PublicationReaching,
    private readonly ids: Ids,
    private readonly clock: Clock,
  ) {}

  /** What is to be copied now; null when nothing is (any more). */
  beginCopy(pub_id: string): Promise<WantedCopy | null> {
    return this.db.write(async () => {
      const [publication] = await this.publications.lockMany([pub_id]);
      const run = this.ids.next();
      const hash = publication?.beginCopy((pub_key, wanted) => copyKey(requireScope().tenant_id, pub_key, { hash: wanted, run }));
      if (!publication?.pub_copy_object || !hash) return null;
      await this.publications.save(publication);
      return { pub_id, pub_file: publication.pub_file, hash, object: publication.pub_copy_object };
    });
  }

  /** Makes the copy; bytes that are not what they should be are an error. */
  async makeCopy({ pub_file, hash, object }: WantedCopy, run: CopyRun): Promise<{ readonly size: number; readonly type: string }> {
    const { key, size, type } = await this.bytes.requireBytes(pub_file, hash);
    try {
      await this.store.copyObject({ key, size, type }, object);
      if ((await this.digest(object, run)) === hash) return { size, type };
      throw new Problem('upstream_failed', 'The copy differs from the original and was deleted.');
    } catch (error) {
      await this.store
        .delete([object])
        .catch((failure: unknown) => this.log.warn({ msg: 'a copy that is not wanted is left to the next one', object, err: failure }));
      throw error;
    }
  }

  /** The copy is live from now on, if it is still the one that is wanted; else it goes. */
  async settleCopy(copy: WantedCopy, made: { readonly size: number; readonly type: string }): Promise<void> {
    if (!(await this.takeLive(copy, made))) await this.store.delete([copy.object]);
  }

  private takeLive(
    { pub_id, hash, object }: WantedCopy,
    { size, type }: { readonly size: number; readonly type: string },
  ): Promise<boolean> {
    return this.db.write(async () => {
      const [publication] = await this.publications.lockMany([pub_id]);
      if (!publication?.isCopiedBy({ hash, object })) return false;
      const before = { version: publication.pub_version, hash: publication.pub_hash };
      const isFirst = publication.pub_object === null;
      this.uncountCopy(publication);
      publication.switchTo({ object, hash, size, type }, this.clock);
      this.countCopy(publication);
      await this.publications.save(publication);
      await this.bytes.unpinBytes(publication.pub_file, ownerOf(publication));
      await this.bytes.pinBytes(publication.pub_file, hash, ownerOf(publication));
      if (!isFirst) await this.journal.recordAction(publication, 'version', before, { version: publication.pub_version, hash });
      this.reach.notifyPolicyChange(publication);
      return true;
    });
  }

  /** No further attempt can help, or there were enough; what is live stays live. */
  failCopy(copy: WantedCopy, reason: string): Promise<void> {
    return this.db.write(async () => {
      const [publication] = await this.publications.lockMany([copy.pub_id]);
      if (!publication?.isCopiedBy(copy)) return;
      publication.failCopy(reason, this.clock);
      await this.publications.save(publication);
      await this.journal.recordAction(publication, 'copy_failed', null, { reason });
    });
  }

  /** The queue has given up the copy that is on its way, and no run can say so. */
  giveUp(pub_id: string, reason: string): Promise<void> {
    return this.db.write(async () => {
      const [publication] = await this.publications.lockMany([pub_id]);
      if (publication?.pub_copy_state !== 'pending' && publication?.pub_copy_state !== 'copying') return;
      publication.failCopy(reason, this.clock);
      await this.publications.save(publication);
      await this.journal.recordAction(publication, 'copy_failed', null, { reason });
    });
  }

  /** The copy stays on its way and says for what it waits; said once. */
  recordWait(copy: WantedCopy, { detail }: Outage): Promise<void> {
    return this.db.write(async () => {
      const [publication] = await this.publications.lockMany([copy.pub_id]);
      const reason = `${detail} The copy is created as soon as the cause is resolved.`;
      if (!publication?.isCopiedBy(copy) || publication.pub_error === reason) return;
      publication.awaitCopy(reason, this.clock);
      await this.publications.save(publication);
    });
  }

  /**
   * Deletes every copy of a publication but the one that is live and the one that is being made. What is there is listed
   * before the row is read: whatever a later run makes is not among it.
   */
  async deleteStaleCopies(pub_id: string, key?: string): Promise<void> {
    const pub_key = (await this.db.read(() => this.publications.findRow(pub_id)))?.pub_key ?? key;
    if (!pub_key) return;
    const there: string[] = [];
    for await (const object of this.store.list(copiesOf(requireScope().tenant_id, pub_key))) there.push(object);
    const publication = await this.db.read(() => this.publications.findRow(pub_id));
    await this.store.delete(there.filter((object) => object !== publication?.pub_object && object !== publication?.pub_copy_object));
  }

  /** The live copy is stored from now on; within the unit of work in which it comes. */
  countCopy(publication: Publication): void {
    this.meter.countBytes(...linesOf(publication));
  }

  /** The live copy goes. */
  uncountCopy(publication: Publication): void {
    this.meter.countBytes(...linesOf(publication).map(negatedLine));
  }

  private async digest(object: string, run: CopyRun): Promise<string> {
    const hash = createHash('sha256');
    let read = 0;
    for await (const chunk of (await this.store.get(object)) as AsyncIterable<Buffer>) {
      run.signal.throwIfAborted();
      hash.update(chunk);
      const before = read;
      read += chunk.length;
      if (Math.floor(before / HEARTBEAT_BYTES) !== Math.floor(read / HEARTBEAT_BYTES)) await run.heartbeat();
    }
    return hash.digest('hex');
  }
}

function linesOf({ pub_object, pub_size, pub_content_type, pub_repo_type, pub_created_by }: Publication): StorageLine[] {
  if (pub_object === null || pub_size === null) return [];
  return [
    {
      provider: requireScope().tenant_id,
      class: 'publication',
      repo_type: pub_repo_type,
      family: kindOf(pub_content_type ?? ''),
      user: pub_created_by,
      bytes: pub_size,
      objects: 1,
    },
  ];
}
