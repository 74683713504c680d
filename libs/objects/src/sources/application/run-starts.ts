import { Injectable } from '@nestjs/common';
import { requireScope } from '@atrium/platform/database';
import { Clock, Ids } from '@atrium/platform/kernel';
import { planJob, Outbox } from '@atrium/platform/messaging';
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

  async startRun(source: ObjectSource, { trigger, asker, force_deletes = false }: RunOrder): Promise<string> {
    const job_id = this.ids.next();
    await this.runs.insert(
      SyncRun.blank(
        {
          tenant_id: requireScope().tenant_id,
          job_id,
          job_source: source.osr_id,
          trigger,
          job_created_by: asker?.user_id ?? null,
          job_key: asker?.key_id ?? null,
          force_deletes,
        },
        this.clock.now(),
      ),
    );
    this.outbox.addJob(planJob(syncObjects, { job_id }));
    source.ran(job_id);
    return job_id;
  }
}
