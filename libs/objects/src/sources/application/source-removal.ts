import { Injectable } from '@nestjs/common';
import { Database, sql, type Sql } from '@atrium/platform/database';
import { Problem } from '@atrium/platform/kernel';
import { planJob, Outbox } from '@atrium/platform/messaging';
import { PassRows } from '../infrastructure/pass-rows';
import { SourcesRepository } from '../infrastructure/sources.repository';
import { detachSource } from '../jobs/sync.jobs';
import type { ObjectSource } from '../domain/object-source';

const AT_ONCE = 1_000;

/** Lets go the objects of a source that was deleted and removes its runs: a few at once, many in the background. */
@Injectable()
export class SourceRemoval {
  constructor(
    private readonly db: Database,
    private readonly sources: SourcesRepository,
    private readonly passes: PassRows,
    private readonly outbox: Outbox,
  ) {}

  /** Within the unit of work that deletes the source. */
  async beginRemoval(source: ObjectSource): Promise<void> {
    if (!(await this.some(source.osr_id))) await this.sources.remove(source);
    else this.outbox.addJob(planJob(detachSource, { osr_id: source.osr_id }));
  }

  /** Harmless when done twice. */
  async finishRemoval(osr_id: string, signal: AbortSignal): Promise<void> {
    while (await this.db.write(() => this.some(osr_id))) signal.throwIfAborted();
    await this.db.write(async () => {
      const source = await this.sources.lock(osr_id).catch((error: unknown) => {
        if (error instanceof Problem && error.code === 'not_found') return undefined;
        throw error;
      });
      if (source) await this.sources.remove(source);
    });
  }

  /** Some of the objects and of the rows of runs; whether more of either is left. */
  private async some(osr_id: string): Promise<boolean> {
    const left = (await this.passes.detachObjects(osr_id, AT_ONCE)) === AT_ONCE;
    return (await this.passes.removeOf(ofSource(osr_id))) || left;
  }
}

const ofSource = (osr_id: string): Sql => sql`r.job_source = ${osr_id}`;
