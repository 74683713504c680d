import { createHash } from 'node:crypto';
import { Injectable, Logger } from '@nestjs/common';
import { ActiveWorkspaces, Database, requireScope } from '@atrium/platform/database';
import { Clock, HOUR } from '@atrium/platform/kernel';
import { planJob, Outbox, type JobRun } from '@atrium/platform/messaging';
import { ObjectMissing, ObjectStore } from '@atrium/platform/storage';
import type { Blob } from '../domain/blob';
import { BlobsRepository } from '../infrastructure/blobs.repository';
import { verify } from '../jobs/verify.jobs';
import { ByteCopies } from './byte-copies';

/** One of a thousand blobs a night: all of them within three years, and the same night never twice. */
const PER_MILLE = 1;
const NOT_AGAIN_MS = 12 * HOUR;
const FILES_NAMED = 500;

type Run = Pick<JobRun, 'signal' | 'heartbeat'>;

/**
 * Reads stored bytes again and compares them with their hash; what has changed is reported and, if the same bytes are stored
 * elsewhere, repaired.
 */
@Injectable()
export class StorageVerification {
  private readonly log = new Logger(StorageVerification.name);

  constructor(
    private readonly db: Database,
    private readonly workspaces: ActiveWorkspaces,
    private readonly store: ObjectStore,
    private readonly blobs: BlobsRepository,
    private readonly copies: ByteCopies,
    private readonly outbox: Outbox,
    private readonly clock: Clock,
  ) {}

  /** Asks for every workspace at work to be sampled. */
  askAll(signal: AbortSignal): Promise<void> {
    return this.workspaces.runForEachWorkspace(
      (tenant_id) => this.db.write(() => Promise.resolve(void this.outbox.addJob(planJob(verify, { tenant_id })))),
      {
        failure: 'the stored bytes of a workspace could not be scheduled for verification',
        signal,
      },
    );
  }

  /** The sample of the workspace at hand; how many blobs were not what they should be. */
  async verifySample(run: Run): Promise<number> {
    const before = new Date(this.clock.now().getTime() - NOT_AGAIN_MS);
    let unsound = 0;
    for (const blob_id of await this.db.read(() => this.blobs.findSample(PER_MILLE, before))) {
      run.signal.throwIfAborted();
      if (!(await this.verifyBlob(blob_id, run))) unsound += 1;
      await run.heartbeat();
    }
    return unsound;
  }

  /** Whether the blob was what its hash says. One that was not is read twice before it is reported. */
  async verifyBlob(blob_id: string, run: Run): Promise<boolean> {
    const blob = await this.db.read(() => this.blobs.findBlob(blob_id));
    if (!blob || blob.blob_hash === null) return true;
    if ((await this.holds(blob.blob_key, blob, run)) || (await this.holds(blob.blob_key, blob, run))) {
      await this.db.write(() => this.blobs.saveVerification(blob_id, true));
      return true;
    }
    const healed = await this.heal(blob, run);
    await this.db.write(async () => {
      await this.blobs.saveVerification(blob_id, healed);
      if (blob.blob_corrupt === null || healed) await this.tell(blob, healed);
    });
    this.log.error({
      msg: healed ? 'corrupt bytes were found and mended' : 'corrupt bytes were found',
      blob_id,
      tenant_id: requireScope().tenant_id,
    });
    return false;
  }

  private async heal(blob: Blob, run: Run): Promise<boolean> {
    const { blob_id, blob_hash, blob_size, blob_key } = blob;
    if (blob_hash === null) return false;
    for (const key of await this.copies.findCandidates(blob_id, blob_hash, blob_size)) {
      if (key === blob_key || !(await this.holds(key, blob, run))) continue;
      await this.store.copy(key, blob_key);
      if (await this.holds(blob_key, blob, run)) return true;
    }
    return false;
  }

  /** Whether the object has these bytes; one that is gone has not. */
  private async holds(key: string, { blob_hash, blob_size }: Blob, run: Run): Promise<boolean> {
    const hash = createHash('sha256');
    let size = 0;
    try {
      for await (const chunk of await this.store.get(key)) {
        run.signal.throwIfAborted();
        hash.update(chunk as Buffer);
        size += (chunk as Buffer).length;
        if (size > blob_size) return false;
      }
    } catch (error) {
      if (error instanceof ObjectMissing) return false;
      throw error;
    }
    await run.heartbeat();
    return size === blob_size && hash.digest('hex') === blob_hash;
  }

  /** Files that show the bytes, now or in an earlier version. */
  private async tell({ blob_id }: Blob, healed: boolean): Promise<void> {
    for (const { fv_file, fv_id } of await this.blobs.findShowing(blob_id, FILES_NAMED))
      this.outbox.emitEvent({ name: 'file.corrupt', subject_id: fv_file, payload: { fv_id, healed } });
  }
}
