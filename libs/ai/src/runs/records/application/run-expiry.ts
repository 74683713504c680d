import { Injectable } from '@nestjs/common';
import { Clock, type JsonObject } from '@atrium/platform/kernel';
import type { Run } from '../domain/run';
import { RunsRepository } from '../infrastructure/runs.repository';
import { RunStops } from './run-stops';

/** The end of runs that nobody works on: those that waited for a person for a day, and those without a sign of life. */
@Injectable()
export class RunExpiry {
  constructor(
    private readonly runs: RunsRepository,
    private readonly stops: RunStops,
    private readonly clock: Clock,
  ) {}

  findOverdue(most: number): Promise<{ readonly tenant_id: string; readonly run_id: string }[]> {
    return this.runs.findOverdue(most);
  }

  /** A run that somebody took up or answered since it was found goes on. */
  expireRun(run_id: string): Promise<void> {
    return this.stops.expireRun(run_id, (run) => (run.isOverdue(this.clock) ? reasonOf(run) : null));
  }

  /** The queue has given up the job of the run: nobody answers it any more. */
  giveUp(run_id: string, detail: string): Promise<void> {
    return this.stops.expireRun(run_id, ({ run_status }) => (run_status === 'waiting' ? null : { code: 'service_unavailable', detail }));
  }
}

const reasonOf = ({ run_status }: Run): JsonObject =>
  run_status === 'waiting'
    ? { code: 'gone', detail: 'The run waited a day for a response. Ask again.' }
    : { code: 'service_unavailable', detail: 'The answer was interrupted and did not go on. Ask again, or regenerate it.' };
