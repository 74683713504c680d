import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { Database, inWorkspace, requireScope } from '@atrium/platform/database';
import { Clock } from '@atrium/platform/kernel';
import { ObjectStore } from '@atrium/platform/storage';
import { privacyArchivesOf } from '../domain/privacy-request';
import { archiveLine, negatedLine, type StorageLine } from '../../storage/domain/storage';
import { PrivacyRequestsRepository } from '../infrastructure/privacy-requests.repository';
import { RetentionTargets, type RemovedBatch } from '../../retention/application/retention-targets';
import { StorageMeter } from '../../storage/application/storage-meter';

const ARCHIVES_AT_ONCE = 100;

/**
 * Archives of exports: each counts as stored from its completion until its time is over, once, and its bytes go after
 * it stopped counting. They are the workspace's, nobody's own, so that no person's share of the storage contains them.
 */
@Injectable()
export class PrivacyArchives implements OnModuleInit {
  private readonly log = new Logger(PrivacyArchives.name);

  constructor(
    private readonly db: Database,
    private readonly requests: PrivacyRequestsRepository,
    private readonly store: ObjectStore,
    private readonly meter: StorageMeter,
    private readonly targets: RetentionTargets,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    // An archive holds copies only: what is copied is what a hold keeps.
    this.targets.register({
      key: 'exports',
      countDue: () => this.requests.countOver(this.clock.now()),
      findHeldRows: () => Promise.resolve([]),
      purgeBatch: (_before, batch) => this.expireBatch(batch),
    });
  }

  /** Within the unit of work that completes the export. */
  recordStoredBytes(bytes: number): void {
    this.meter.countBytes(lineOf(bytes));
  }

  /** Within the unit of work that takes them away. */
  recordRemovedBytes(sizes: readonly number[]): void {
    this.meter.countBytes(...sizes.map((bytes) => negatedLine(lineOf(bytes))));
  }

  /** Deletes the bytes of archives whose time is over; harmless when done twice. What fails is left to the next run. */
  async deleteDue(signal: AbortSignal): Promise<void> {
    for (let gone = ARCHIVES_AT_ONCE; gone === ARCHIVES_AT_ONCE && !signal.aborted;) {
      gone = 0;
      for (const { tenant_id, dsr_id } of await this.requests.listDueArchives(ARCHIVES_AT_ONCE)) {
        if (!signal.aborted && (await inWorkspace(tenant_id, () => this.delete(tenant_id, dsr_id)))) gone++;
      }
    }
  }

  /** Deletes what runs of a request have stored, but for one archive. */
  async discardArchives(tenant_id: string, dsr_id: string, kept: string | null): Promise<void> {
    const left: string[] = [];
    for await (const { key } of this.store.list(privacyArchivesOf(tenant_id, dsr_id))) if (key !== kept) left.push(key);
    if (left.length > 0) await this.store.delete(left);
  }

  /** Deletes what one run has stored and nobody is to have. */
  deleteArchive(key: string): Promise<void> {
    return this.store.delete([key]);
  }

  private async expireBatch(batch: number): Promise<RemovedBatch> {
    const sizes = await this.requests.uncountOver(this.clock.now(), batch);
    this.recordRemovedBytes(sizes);
    return { removed: sizes.length, bytes: sizes.reduce((sum, bytes) => sum + bytes, 0), left: sizes.length === batch };
  }

  private async delete(tenant_id: string, dsr_id: string): Promise<boolean> {
    try {
      await this.discardArchives(tenant_id, dsr_id, null);
      await this.db.write(async () => {
        const request = await this.requests.lock(dsr_id);
        if (request.dsr_stored) this.recordRemovedBytes([request.dsr_bytes ?? 0]);
        request.expire(this.clock);
        await this.requests.save(request);
      });
      return true;
    } catch (error) {
      this.log.warn({ msg: 'an archive of personal data is left to the next run', dsr_id, err: error });
      return false;
    }
  }
}

const lineOf = (bytes: number): StorageLine => archiveLine({ tenant_id: requireScope().tenant_id, bytes, user: null });
