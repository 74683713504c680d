import { Injectable } from '@nestjs/common';
import { Database } from '@atrium/platform/database';
import { Clock, type OutsidePart } from '@atrium/platform/kernel';
import { planJob, Outbox } from '@atrium/platform/messaging';
import type { File } from '../core/domain/file';
import { declaredType, setSystem, systemOf, type FileVersion } from '../versions/domain/file-version';
import { MalwareScanner } from '../blobs/domain/malware-scanner';
import { FilesRepository } from '../core/infrastructure/files.repository';
import { VersionsRepository } from '../versions/infrastructure/versions.repository';
import { ingest } from '../versions/jobs/ingest.jobs';
import { Quarantine } from '../quarantine/quarantine';

/** Why a file is `failed` although a parser might well read it. */
const STORAGE_FAILED = 'storage_failed';
const NOT_SCANNED = 'not_scanned';

interface Version {
  readonly file_id: string;
  readonly fv_id: string;
}

/** What a file says while its bytes cannot be read, and how it is read again later. */
@Injectable()
export class UnreadFiles {
  constructor(
    private readonly db: Database,
    private readonly files: FilesRepository,
    private readonly versions: VersionsRepository,
    private readonly scanner: MalwareScanner,
    private readonly quarantine: Quarantine,
    private readonly outbox: Outbox,
    private readonly clock: Clock,
  ) {}

  /** The file stays `pending` and says for what it waits; said once, however often it is tried. */
  async recordWait({ file_id, fv_id }: Version, part: OutsidePart): Promise<void> {
    await this.db.write(async () => {
      const [file] = await this.files.lockMany([file_id]);
      if (!isPending(file, fv_id) || systemOf(file).waits_for === part) return;
      setSystem(file, { ...systemOf(file), waits_for: part });
      file.touch(this.clock);
      await this.files.save(file);
      this.outbox.emitEvent({
        name: 'file.updated',
        subject_id: file_id,
        payload: { file_processing: 'pending', waits_for: part, fields: ['file_metadata'] },
      });
    });
  }

  /** After the last attempt: the file says that its bytes could not be read. What nobody has looked at for malware stays out of reach. */
  async giveUp({ file_id, fv_id }: Version): Promise<void> {
    await this.db.write(async () => {
      const [file] = await this.files.lockMany([file_id]);
      if (!isPending(file, fv_id)) return;
      if (this.scanner.active) return this.quarantine.quarantineFile(file, await this.versions.lock(fv_id), { reason: NOT_SCANNED });
      file.file_processing = 'failed';
      setSystem(file, { ...declaredType(file), error: STORAGE_FAILED });
      file.touch(this.clock);
      await this.files.save(file);
      this.outbox.emitEvent({ name: 'file.updated', subject_id: file_id, payload: { file_processing: 'failed' } });
    });
  }

  /** Whether the bytes were given up before anybody had read them, and may be read now. */
  isGivenUp(file: File, { fv_quarantine }: FileVersion): boolean {
    if (fv_quarantine !== null) return fv_quarantine === NOT_SCANNED && this.scanner.active;
    return file.file_processing === 'failed' && systemOf(file).error === STORAGE_FAILED;
  }

  /** The file is `pending` as it was before it was given up, and is read once more in a job of its own; whether it was given up. */
  async reviveVersion({ file_id, fv_id }: Version): Promise<boolean> {
    return this.db.write(async () => {
      const [file] = await this.files.lockMany([file_id]);
      if (!file || file.file_current_version !== fv_id) return false;
      const version = await this.versions.lock(fv_id);
      if (!this.isGivenUp(file, version)) return false;
      version.fv_quarantine = null;
      file.file_processing = 'pending';
      setSystem(file, declaredType(file));
      file.touch(this.clock);
      await this.versions.save(version);
      await this.files.save(file);
      this.outbox.addJob(planJob(ingest, { file_id, fv_id }));
      return true;
    });
  }
}

const isPending = (file: File | undefined, fv_id: string): file is File =>
  file?.file_current_version === fv_id && file.file_processing === 'pending';
