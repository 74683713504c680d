import { Injectable } from '@nestjs/common';
import { KnownMembers } from '@atrium/identity';
import { Settings } from '@atrium/platform/config';
import { Clock, SECOND, type JsonObject } from '@atrium/platform/kernel';
import type { ShownRunPage } from '../infrastructure/run-pages.rows';
import type { RunCount, RunDirection, RunTrigger } from '../domain/sync-run';
import type { StoredRun } from '../infrastructure/sync-runs.repository';

export type ShownStatus = 'queued' | 'running' | 'completed' | 'partial' | 'failed' | 'cancelled' | 'stalled' | 'retried';

/** A run as clients see it. */
export interface RunView extends Readonly<Record<RunCount, number>> {
  readonly job_id: string;
  readonly site_id: string;
  readonly direction: RunDirection;
  readonly status: ShownStatus;
  readonly trigger: RunTrigger;
  readonly dry_run: boolean;
  readonly request: object;
  readonly user_id: string | null;
  readonly user_name: string | null;
  readonly total: number | null;
  readonly done: number;
  readonly failed: number;
  readonly stalled: boolean;
  readonly error: string | null;
  readonly queued_at: Date;
  readonly started_at: Date | null;
  readonly finished_at: Date | null;
  readonly duration_ms: number | null;
  readonly heartbeat_at: Date | null;
  /** How often another worker went on. */
  readonly resumed: number;
  readonly retry_of: string | null;
  readonly retried_by: string | null;
}

/** A page of a run as clients see it. */
export type RunPageView = ShownRunPage;

type Stored = StoredRun & { readonly attempt: number; readonly result: JsonObject | null };

/** Shows runs with the name of who asked for them, and whether their worker is lost. */
@Injectable()
export class RunViews {
  constructor(
    private readonly members: KnownMembers,
    private readonly settings: Settings,
    private readonly clock: Clock,
  ) {}

  get stallMs(): number {
    return this.settings.CMS_STALL_SECONDS * SECOND;
  }

  /** Within a unit of work; one statement for the names of all. */
  async viewRuns(runs: readonly StoredRun[]): Promise<RunView[]> {
    const names = await this.members.listNames(runs.flatMap(({ job_created_by: asker }) => asker ?? []));
    return runs.map((run) => this.viewRun(run as Stored, names));
  }

  private viewRun(run: Stored, names: ReadonlyMap<string, string>): RunView {
    const { attempt, result: _, retry_job: retried_by, job_created_by: user_id, ...shown } = run;
    const started = moment(run.started_at);
    const finished = moment(run.finished_at);
    const beat = moment(run.heartbeat_at);
    const stalled = run.status === 'running' && beat !== null && beat.getTime() < this.clock.now().getTime() - this.stallMs;
    return {
      ...shown,
      status: run.retry_job !== null ? 'retried' : stalled ? 'stalled' : run.status,
      retried_by,
      user_id,
      user_name: user_id === null ? null : (names.get(user_id) ?? null),
      stalled,
      duration_ms: started && (finished ?? this.clock.now()).getTime() - started.getTime(),
      resumed: Math.max(0, attempt - 1),
    };
  }
}

const moment = (at: Date | string | null): Date | null => (at === null ? null : new Date(at));
