import { Injectable } from '@nestjs/common';
import { requireScope } from '@atrium/platform/database';
import { Clock, Ids } from '@atrium/platform/kernel';
import { job, Outbox } from '@atrium/platform/messaging';
import type { ObjectSource } from '../domain/object-source';
import { SyncRun, type RunTrigger } from '../domain/sync-run';
import { RunsRepository } from '../infrastructure/runs.repository';
import { syncObjects } from '../jobs/sync.jobs';

/** Who asks for a run; its clock is nobody. */
export interface RunOrder {
  readonly trigger: RunTrigger;
  readonly asker: { readonly user_id: string; readonly key_id: string | null } | null;
  readonly force_deletes?: boolean;
}

/** Begins runs, within the unit of work that has locked the source. */
@Injectable()
export class RunStarts {
  constructor(
    private readonly runs: RunsRepository,
    private readonly outbox: Outbox,
    private readonly clock: Clock,
    private readonly ids: Ids,
  ) {}

  async start(source: ObjectSource, { trigger, asker, force_deletes = false }: RunOrder): Promise<string> {
    const job_id = this.ids.next();
    await this.runs.insert(
      Object.assign(new SyncRun(), {
        tenant_id: requireScope().tenant_id,
        job_id,
        job_source: source.osr_id,
        status: 'queued' as const,
        trigger,
        done: 0,
        failed: 0,
        total: null,
        created: 0,
        updated: 0,
        unchanged: 0,
        deactivated: 0,
        conflicts: 0,
        held_deletes: 0,
        error: null,
        queued: this.clock.now(),
        started: null,
        finished: null,
        job_created_by: asker?.user_id ?? null,
        job_key: asker?.key_id ?? null,
        force_deletes,
        place: {},
        attempt: 0,
        beat: null,
      }),
    );
    this.outbox.add(job(syncObjects, { job_id }));
    source.ran(job_id);
    return job_id;
  }
}
