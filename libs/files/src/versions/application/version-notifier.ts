import { Injectable } from '@nestjs/common';
import type { JsonObject } from '@atrium/platform/kernel';
import { planJob, Outbox } from '@atrium/platform/messaging';
import type { Blob } from '../../blobs/domain/blob';
import type { File } from '../../core/domain/file';
import { UNDECLARED_TYPE, type FileVersion, type VersionSource } from '../domain/file-version';
import { ingest } from '../jobs/ingest.jobs';
import { HistoryWriter, type HistoryAction } from '../../core/application/file-history';
import { FileLifecycle } from '../../core/application/file-lifecycle';
import { QuarantineNotices } from './quarantine-notices';

/** Bytes that become a version: the blob counts the reference already. */
export interface NewVersion {
  readonly blob: Blob;
  readonly file_name: string;
  readonly file_type: string;
  readonly source: VersionSource;
  readonly note?: string | null;
  /** SHA-256 that the client promised; checked when the bytes are read. */
  readonly promised_hash?: string | null;
  readonly by: string | null;
  /** The entry in the file's history. */
  readonly action: HistoryAction;
  readonly details?: JsonObject;
}

/** Reports new files and versions, within their unit of work, and asks for their bytes to be read unless they were read before. */
@Injectable()
export class VersionNotifier {
  constructor(
    private readonly history: HistoryWriter,
    private readonly lifecycle: FileLifecycle,
    private readonly outbox: Outbox,
    private readonly notices: QuarantineNotices,
  ) {}

  async announceCreated(file: File, version: FileVersion, made: NewVersion): Promise<void> {
    await this.history.addEntries([{ file_id: file.file_id, action: made.action, details: { fv_number: 1, ...made.details } }]);
    this.outbox.emitEvent({ name: 'file.created', subject_id: file.file_id, payload: { ...file.repository, file_name: file.file_name } });
    await this.lifecycle.notifyCreated([file]);
    await this.follow(file, version, made);
  }

  async announceVersion(
    file: File,
    version: FileVersion,
    { kindBefore, ...made }: NewVersion & { readonly kindBefore: string },
  ): Promise<void> {
    const kindChange: JsonObject =
      kindBefore === file.file_kind || version.fv_type === UNDECLARED_TYPE ? {} : { kind: { from: kindBefore, to: file.file_kind } };
    await this.history.addEntries([
      {
        file_id: file.file_id,
        action: made.action,
        details: { fv_id: version.fv_id, fv_number: version.fv_number, ...kindChange, ...made.details },
      },
    ]);
    this.outbox.emitEvent({
      name: 'file.version_added',
      subject_id: file.file_id,
      payload: { fv_id: version.fv_id, fv_number: version.fv_number },
    });
    await this.lifecycle.notifyVersion(file);
    await this.follow(file, version, made);
  }

  private async follow(file: File, version: FileVersion, { promised_hash }: NewVersion): Promise<void> {
    const { file_id } = file;
    if (file.file_processing === 'pending') {
      this.outbox.addJob(planJob(ingest, { file_id, fv_id: version.fv_id, ...(promised_hash ? { promised_hash } : {}) }));
      return;
    }
    if (version.fv_quarantine !== null) {
      await this.notices.sendNotices([{ file, fv_id: version.fv_id }], { reason: version.fv_quarantine });
      return;
    }
    const ready = file.file_processing === 'ready';
    this.outbox.emitEvent({
      name: ready ? 'file.ready' : 'file.updated',
      subject_id: file_id,
      payload: { fv_id: version.fv_id, file_type: file.file_type, file_processing: file.file_processing },
    });
    if (ready) await this.lifecycle.notifyReady(file);
  }
}
