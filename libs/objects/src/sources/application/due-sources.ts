import { Injectable } from '@nestjs/common';
import { Database } from '@atrium/platform/database';
import { Clock } from '@atrium/platform/kernel';
import { nextSlot } from '@atrium/platform/messaging';
import { RunsRepository } from '../infrastructure/runs.repository';
import { SourcesRepository } from '../infrastructure/sources.repository';
import { RunStarts } from './run-starts';

/** Sources by the clock: nobody's work, which touches only the objects of the source. */
@Injectable()
export class DueSources {
  constructor(
    private readonly db: Database,
    private readonly sources: SourcesRepository,
    private readonly runs: RunsRepository,
    private readonly starts: RunStarts,
    private readonly clock: Clock,
  ) {}

  /** Sources of all workspaces whose time has come. */
  listDue(most: number): Promise<readonly { readonly tenant_id: string; readonly osr_id: string }[]> {
    return this.sources.findDueSources(most);
  }

  /** A slot that comes while the source still runs is passed over. */
  startRun(osr_id: string): Promise<void> {
    return this.db.write(async () => {
      const source = await this.sources.lock(osr_id);
      if (source.osr_next === null || source.osr_next > this.clock.now()) return;
      source.plan(nextSlot, this.clock);
      if (!(await this.runs.findOpenRun(osr_id))) await this.starts.startRun(source, { trigger: 'schedule', asker: null });
      await this.sources.save(source);
    });
  }
}
