import { Injectable } from '@nestjs/common';
import { DescribedFiles } from '@atrium/files';
import { VisionModel } from '@atrium/models';
import { Database } from '@atrium/platform/database';
import { MINUTE, Problem } from '@atrium/platform/kernel';
import { planJob, Outbox, type JobRun } from '@atrium/platform/messaging';
import type { FileAnalysis } from '../domain/file-analysis';
import { AnalysisSchemasRepository } from '../infrastructure/analysis-schemas.repository';
import { FileAnalysesRepository } from '../infrastructure/file-analyses.repository';
import { analyseWaiting } from '../jobs/analysis.jobs';
import { AnalysisRequests } from './analysis-requests';

/** How long analyses wait that lack credits, where nobody gives any. */
const WAIT_MS = 15 * MINUTE;
const BATCH = 50;

type Waiting = Pick<FileAnalysis, 'fa_id' | 'fa_file' | 'fa_schema'>;

/**
 * Analyses that the service requested automatically and that lacked credits: once there are some they are made again, each with its
 * credits set aside before, so that a run without credits leaves nothing behind but the next run.
 */
@Injectable()
export class WaitingAnalyses {
  constructor(
    private readonly db: Database,
    private readonly rows: FileAnalysesRepository,
    private readonly schemas: AnalysisSchemasRepository,
    private readonly files: DescribedFiles,
    private readonly requests: AnalysisRequests,
    private readonly vision: VisionModel,
    private readonly outbox: Outbox,
  ) {}

  /** All that waits is looked at again after a while. */
  async awaitCredits(): Promise<void> {
    await this.db.write(() => this.outbox.addOnce(planJob(analyseWaiting, { because: 'credits' }, { delayMs: WAIT_MS })));
  }

  /** There are credits: what waits for them goes on, if anything does. */
  async resumeWaiting(): Promise<void> {
    await this.db.write(() => this.outbox.hastenJob(planJob(analyseWaiting, { because: 'credits' })));
  }

  async resumeAnalyses({ signal, heartbeat }: Pick<JobRun, 'signal' | 'heartbeat'>): Promise<void> {
    if ((await this.vision.findModelId()) === null) return this.awaitCredits();
    for (let batch = await this.after(null); batch.length > 0; batch = await this.after(batch.at(-1)?.fa_id ?? null)) {
      for (const waiting of batch) {
        signal.throwIfAborted();
        if (!(await this.isHeeded(waiting))) return this.awaitCredits();
      }
      await heartbeat();
    }
  }

  /** False when credits lack. What is no longer to be analysed waits no longer. */
  private async isHeeded({ fa_id, fa_file, fa_schema }: Waiting): Promise<boolean> {
    const file = await this.db.read(async () =>
      (await this.schemas.findAutomatic()).some(({ mas_id }) => mas_id === fa_schema)
        ? (await this.files.describeFiles([fa_file], 'media')).get(fa_file)
        : undefined,
    );
    try {
      if (file?.is_ready) await this.requests.requestNew(file, fa_schema, fa_id);
      else await this.db.write(() => this.rows.endWait(fa_id));
      return true;
    } catch (error) {
      if (error instanceof Problem && error.code === 'credits_exhausted') return false;
      throw error;
    }
  }

  private after(last: string | null): Promise<Waiting[]> {
    return this.db.read(() => this.rows.findWaiting(last, BATCH));
  }
}
