import { Injectable } from '@nestjs/common';
import { Database } from '@atrium/platform/database';
import { RunsRepository } from '../infrastructure/runs.repository';
import { RunStops } from './run-stops';

/** The end of runs that nobody works on: those that waited for a person for a day, and those without a sign of life. */
@Injectable()
export class RunExpiry {
  constructor(
    private readonly db: Database,
    private readonly runs: RunsRepository,
    private readonly stops: RunStops,
  ) {}

  overdue(most: number): Promise<{ readonly tenant_id: string; readonly run_id: string }[]> {
    return this.runs.overdue(most);
  }

  async expire(run_id: string): Promise<void> {
    const run = await this.db.read(() => this.runs.find(run_id));
    if (!run || run.isOver) return;
    const error =
      run.run_status === 'waiting'
        ? { code: 'gone', detail: 'Nobody answered within a day what the run was waiting for. Ask again.' }
        : { code: 'service_unavailable', detail: 'The answer was interrupted and did not go on. Ask again, or regenerate it.' };
    await this.stops.expire(run_id, error);
  }
}
