import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Bytes, kindOf } from '@atrium/files';
import { StorageMeter, taken, type StorageLine } from '@atrium/governance';
import { Database, requireScope } from '@atrium/platform/database';
import { Clock, Problem } from '@atrium/platform/kernel';
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

/** Heeds the end of the worker, and keeps the job meanwhile. */
export interface CopyRun {
  readonly signal: AbortSignal;
  heartbeat(): Promise<void>;
}

const HEARTBEAT_BYTES = 256 * 1024 * 1024;

/** Public copies of bytes: made beside the bytes themselves, compared by size and hash, and counted as what the workspace stores. */
@Injectable()
export class PublicCopies {
  constructor(
    private readonly db: Database,
    private readonly publications: PublicationsRepository,
    private readonly bytes: Bytes,
    private readonly store: PublicStore,
    private readonly meter: StorageMeter,
    private readonly journal: PublicationJournal,
    private readonly reach: PublicationReaching,
    private readonly clock: Clock,
  ) {}

  /** What is to be copied now; null when nothing is (any more). */
  begin(pub_id: string): Promise<WantedCopy | null> {
    return this.db.write(async () => {
      const [publication] = await this.publications.lockMany([pub_id]);
      if (!publication?.isLive || publication.pub_wanted_hash === null || publication.pub_key === null || publication.pub_copy_state === 'failed') return null;
      publication.pub_copy_state = 'copying';
      await this.publications.save(publication);
      const hash = publication.pub_wanted_hash;
      return { pub_id, pub_file: publication.pub_file, hash, object: copyKey(requireScope().tenant_id, publication.pub_key, hash) };
    });
  }

  /** Makes the copy, or finds it made; bytes that are not what they should be are an error. */
  async make({ pub_file, hash, object }: WantedCopy, run: CopyRun): Promise<{ readonly size: number; readonly type: string }> {
    const { key, size, type } = await this.bytes.find(pub_file, hash);
    const there = await this.store.stat(object);
    if (there?.size !== size) await this.store.copy({ key, size, type }, object);
    if ((await this.digest(object, run)) === hash) return { size, type };
    await this.store.delete([object]);
    throw new Problem('upstream_failed', 'The copy is not what was to be copied; it was taken away again.');
  }

  /** The copy is live from now on, if it is still the one that is wanted; answers whether it is. */
  settle({ pub_id, hash, object }: WantedCopy, { size, type }: { readonly size: number; readonly type: string }): Promise<boolean> {
    return this.db.write(async () => {
      const [publication] = await this.publications.lockMany([pub_id]);
      if (!publication?.isLive || publication.pub_wanted_hash !== hash) return false;
      const before = { version: publication.pub_version, hash: publication.pub_hash };
      const isFirst = publication.pub_object === null;
      this.uncount(publication);
      publication.switchTo({ object, hash, size, type }, this.clock);
      this.count(publication);
      await this.publications.save(publication);
      await this.bytes.unpin(publication.pub_file, ownerOf(publication));
      await this.bytes.pin(publication.pub_file, hash, ownerOf(publication));
      if (!isFirst) await this.journal.record(publication, 'version', before, { version: publication.pub_version, hash });
      this.reach.policyChanged(publication);
      return true;
    });
  }

  /** No further attempt can help, or there were enough; what is live stays live. */
  fail(pub_id: string, hash: string, reason: string): Promise<void> {
    return this.db.write(async () => {
      const [publication] = await this.publications.lockMany([pub_id]);
      if (!publication?.isLive || publication.pub_wanted_hash !== hash) return;
      publication.failCopy(reason, this.clock);
      await this.publications.save(publication);
      await this.journal.record(publication, 'copy_failed', null, { reason });
    });
  }

  /** Deletes every copy of a publication but the one that is live and the one that is wanted. */
  async tidy(pub_id: string, key?: string): Promise<void> {
    const publication = await this.db.read(() => this.publications.find(pub_id));
    const pub_key = publication?.pub_key ?? key;
    if (!pub_key) return;
    const prefix = copiesOf(requireScope().tenant_id, pub_key);
    const wanted = publication?.isLive && publication.pub_wanted_hash !== null ? `${prefix}${publication.pub_wanted_hash}` : null;
    const strangers: string[] = [];
    for await (const object of this.store.list(prefix)) if (object !== publication?.pub_object && object !== wanted) strangers.push(object);
    await this.store.delete(strangers);
  }

  /** The live copy is stored from now on; within the unit of work in which it comes. */
  count(publication: Publication): void {
    this.meter.add(...linesOf(publication));
  }

  /** The live copy goes. */
  uncount(publication: Publication): void {
    this.meter.add(...linesOf(publication).map(taken));
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
  return [{ provider: requireScope().tenant_id, class: 'publication', repo_type: pub_repo_type, family: kindOf(pub_content_type ?? ''), user: pub_created_by, bytes: pub_size, objects: 1 }];
}
