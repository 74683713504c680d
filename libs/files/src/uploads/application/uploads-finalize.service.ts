import { setTimeout as pause } from 'node:timers/promises';
import { Injectable, Logger } from '@nestjs/common';
import type { Principal } from '@atrium/platform/access';
import { Database } from '@atrium/platform/database';
import { Clock, notYet, Problem } from '@atrium/platform/kernel';
import type { PartReceipt } from '@atrium/platform/storage';
import type { Upload } from '../domain/upload';
import { UploadsRepository } from '../infrastructure/uploads.repository';
import type { FileRow } from '../../core/domain/file-row';
import { FileQueries } from '../../core/application/file-queries';
import { openerOf } from '../../core/application/guests';
import { StorageAccount } from '../../versions/application/storage-account';
import { UploadClaim } from './upload-claim';
import { UploadedFiles } from './uploaded-files';
import { UploadExtensions } from './uploads-extensions';
import { UploadStorage } from './uploads-storage';

const WAIT_MS = 20_000;
const [LOOK_AGAIN_MS, LONGEST_MS] = [100, 2_000];

export interface Finalized {
  readonly file: FileRow;
  /** False when the file was there already: finalized before, or a duplicate that was skipped. */
  readonly created: boolean;
}

/** Time until an upload that another call finalizes is looked at again: that is mostly soon over, and may take as long as a file is large. */
export const pauseAfter = (looks: number): number => Math.min(LONGEST_MS, LOOK_AGAIN_MS * 2 ** looks);

/** This call holds the upload; null: another one does. */
type Claim = { readonly done: Finalized } | { readonly upload: Upload; readonly claimed: Date } | null;

/**
 * Turns the bytes of an upload into a file or a version, once, however many calls ask for it at the same time: one call
 * claims the upload, looks at storage outside of any unit of work, and settles it in a second one. A call that is
 * lost leaves a claim that expires and is taken over; what it did in storage is found there.
 */
@Injectable()
export class UploadFinalizer {
  private readonly log = new Logger(UploadFinalizer.name);

  constructor(
    private readonly db: Database,
    private readonly uploads: UploadsRepository,
    private readonly storage: UploadStorage,
    private readonly account: StorageAccount,
    private readonly queries: FileQueries,
    private readonly extensions: UploadExtensions,
    private readonly made: UploadedFiles,
    private readonly clock: Clock,
  ) {}

  async finalizeUpload(caller: Principal, id: string, receipts?: readonly PartReceipt[]): Promise<Finalized> {
    const until = performance.now() + WAIT_MS;
    for (let looks = 0; ; looks++) {
      const claim = await this.claim(caller, id);
      if (claim && 'done' in claim) return claim.done;
      const finalized = claim && (await this.complete(caller, claim, receipts));
      if (finalized) return finalized;
      if (performance.now() > until) throw notYet('Another request is finalizing the upload. Try again.', 1);
      await pause(pauseAfter(looks));
    }
  }

  private claim(caller: Principal, id: string): Promise<Claim> {
    return this.db.write(async () => {
      const upload = await this.uploads.lockOwn(id, openerOf(caller));
      if (upload.upl_state === 'finalized') return { done: { file: await this.result(caller, upload), created: false } };
      if (upload.isHeld(this.clock)) return null;
      await this.made.assertWanted(caller, upload);
      const claimed = upload.claim(this.clock);
      await this.uploads.save(upload);
      return { upload, claimed };
    });
  }

  private result(caller: Principal, { upl_file, upl_file_id }: Upload): Promise<FileRow> {
    if (!upl_file_id) throw new Error('A finalized upload names its file.');
    return this.queries.getFile(caller, upl_file_id, upl_file ? 'edit' : 'upload');
  }

  private async complete(
    caller: Principal,
    { upload, claimed: first }: { readonly upload: Upload; readonly claimed: Date },
    receipts?: readonly PartReceipt[],
  ): Promise<Finalized | null> {
    const claim = new UploadClaim(first, (since) => this.claimAgain(upload.upl_id, since));
    try {
      await this.collect(upload, claim, receipts);
      const hash = upload.file_hash ?? (upload.upl_on_duplicate === 'skip' ? await this.storage.hashBytes(upload) : null);
      const claimed = await claim.stopRenewals();
      const settled = await this.db.write(() => this.settle(caller, { id: upload.upl_id, claimed, hash }));
      if (settled?.unused)
        await this.storage
          .dropBytes(upload)
          .catch((error: unknown) => this.log.warn({ msg: 'staged bytes are left to the sweeper', upl_id: upload.upl_id, err: error }));
      return settled;
    } catch (error) {
      await this.reopen(upload.upl_id, await claim.stopRenewals()).catch((failure: unknown) =>
        this.log.warn({ msg: 'a claim is left to lapse', upl_id: upload.upl_id, err: failure }),
      );
      throw error;
    }
  }

  /** Returns when the bytes are there as promised. */
  private async collect(upload: Upload, claim: UploadClaim, receipts?: readonly PartReceipt[]): Promise<void> {
    const found = await this.storage.collectBytes(upload, receipts);
    // What is missing is sent to the same upload, and then the same request is sent again.
    if (found.state === 'absent') throw notYet('No bytes have been received for this upload. Send them first.', 1);
    if (found.state === 'missing') throw notYet(found.detail, 1, 'unprocessable_content');
    if (found.state === 'unequal') throw await this.rejected(upload, await claim.stopRenewals(), found.size);
  }

  /** The bytes go first, then the upload ends; a crash in between finds no bytes and asks for them again. */
  private async rejected(upload: Upload, claimed: Date, size: number): Promise<Problem> {
    const detail = `The upload has ${size} bytes; ${upload.file_size} were declared.`;
    await this.storage.dropBytes(upload);
    await this.db.write(async () => {
      const row = await this.uploads.lock(upload.upl_id);
      if (!row.isClaimedSince(claimed)) return;
      row.reject(detail);
      await this.uploads.save(row);
      this.account.releaseUpload(row);
      await this.extensions.notifyEnded(row);
    });
    return new Problem('unprocessable_content', detail);
  }

  private claimAgain(id: string, since: Date): Promise<Date | null> {
    return this.db.write(async () => {
      const upload = await this.uploads.lock(id);
      if (!upload.isClaimedSince(since)) return null;
      const claimed = upload.claim(this.clock);
      await this.uploads.save(upload);
      return claimed;
    });
  }

  private async reopen(id: string, claimed: Date): Promise<void> {
    await this.db.write(async () => {
      const upload = await this.uploads.lock(id);
      if (!upload.isClaimedSince(claimed)) return;
      upload.reopen();
      await this.uploads.save(upload);
    });
  }

  /** Makes the file or version, unless another call has taken the upload over. */
  private async settle(
    caller: Principal,
    { id, claimed, hash }: { readonly id: string; readonly claimed: Date; readonly hash: string | null },
  ): Promise<(Finalized & { readonly unused: boolean }) | null> {
    const upload = await this.uploads.lock(id);
    if (!upload.isClaimedSince(claimed)) return null;
    const repository = upload.repository;
    const duplicate =
      upload.upl_on_duplicate === 'skip' && !upload.upl_file && hash
        ? await this.made.findDuplicate(caller, repository, { hash, size: upload.file_size })
        : null;
    const file_id = duplicate ?? (await this.made.makeFile(caller, upload, repository));
    upload.finalize(file_id);
    this.account.releaseUpload(upload);
    if (!duplicate && upload.upl_mode === 'multipart') upload.upl_staged = false;
    await this.uploads.save(upload);
    await this.extensions.notifyFinalized(upload, file_id);
    return {
      file: await this.queries.getFile(caller, file_id, upload.upl_file ? 'edit' : 'upload'),
      created: !duplicate,
      unused: duplicate !== null,
    };
  }
}
