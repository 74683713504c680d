import type { ImportJob, ImportStep, WrittenCounts } from '@atrium/imports';
import { permissionDenied, type Principal } from '@atrium/platform/access';
import { requireScope } from '@atrium/platform/database';
import { WorkEnded, type BackgroundJobs, type WorkEngine } from '@atrium/platform/messaging';
import type { ImportCounts, ImportRow, ImportsOfJobs } from '../infrastructure/imports.rows';

/** What is stored of an import of objects while its job runs. */
export class ObjectImportJob implements ImportJob {
  readonly lastRow: number;
  readonly isSurveyed: boolean;
  readonly isWritten: boolean;

  constructor(
    readonly job_id: string,
    { imp_row, imp_total }: ImportRow,
    private readonly imports: ImportsOfJobs,
    private readonly jobs: BackgroundJobs,
    private readonly engine: WorkEngine,
  ) {
    this.lastRow = imp_row;
    this.isSurveyed = imp_total !== null;
    this.isWritten = imp_row > 0;
  }

  async findAsker(): Promise<Principal> {
    const { user_id, key_id } = requireScope().actor;
    const asker = await this.engine.findAsker(
      { job_created_by: user_id, job_key: key_id },
      { permission: 'object:create', module: 'module-objects' },
    );
    if (!asker.permissions.has('object:edit')) throw permissionDenied(['object:edit']);
    return asker;
  }

  /** Before the row of the import is written: who ends the job has its row first, too. */
  async lockRunning(): Promise<void> {
    if (!(await this.jobs.lockJob(this.job_id))) throw new WorkEnded();
  }

  async assertRunning(): Promise<void> {
    if (await this.jobs.isCancelled(this.job_id)) throw new WorkEnded();
  }

  recordTotal(total: number): Promise<void> {
    return this.imports.setTotal(this.job_id, total);
  }

  async recordBatch({ from, to, total, refused, ...counts }: ImportStep): Promise<void> {
    await this.lockRunning();
    await this.imports.addFaults(this.job_id, refused);
    await this.advance({ from, to }, { ...counts, failed: refused.length }, total);
  }

  async recordAll(counts: WrittenCounts, total: number): Promise<void> {
    await this.lockRunning();
    await this.advance({ from: 0, to: total }, { ...counts, failed: 0 }, total);
  }

  /** A step that was overtaken, or whose job was cancelled, is undone. */
  private async advance(place: { readonly from: number; readonly to: number }, counts: ImportCounts, total: number): Promise<void> {
    const { created, updated, unchanged, failed } = await this.imports.advanceImport(this.job_id, place, counts);
    if (!(await this.jobs.reportResult(this.job_id, { created, updated, unchanged, failed, errors: [] }))) throw new WorkEnded();
    await this.jobs.recordProgress(this.job_id, { done: created + updated + unchanged, total, failed });
  }
}
