import { Injectable } from '@nestjs/common';
import { FlowLock } from '@atrium/approvals';
import { Database } from '@atrium/platform/database';
import { BackgroundJobs, planJob, WorkEnded, type Job, type JobResult, type JobRun } from '@atrium/platform/messaging';
import { ObjectStore } from '../../objects/infrastructure/object-store';
import type { LifecycleFlow } from '../domain/lifecycle-flow';
import { LifecycleFlowsRepository, OBJECT_FLOWS } from '../infrastructure/lifecycle-flows.repository';
import { adoptObjects } from '../jobs/flows.jobs';
import { entryInto } from './followed-flow';
import { StateMoves } from './state-moves';

const BATCH = 500;

interface Adopted {
  /** How many objects follow by now, by this run and by those that were cut off. */
  readonly adopted: number;
  /** The last object that was looked at; null: there are no more. */
  readonly after: string | null;
}

/** Has objects follow an active flow that follow none: those created before it, and those that an inactive flow has left. */
@Injectable()
export class FlowAdoption {
  constructor(
    private readonly db: Database,
    private readonly flows: LifecycleFlowsRepository,
    private readonly lock: FlowLock,
    private readonly store: ObjectStore,
    private readonly moves: StateMoves,
    private readonly background: BackgroundJobs,
  ) {}

  /** In the unit of work that activates the flow. */
  async startAdoption(flow: LifecycleFlow): Promise<Job> {
    return this.background.startJob(planJob(adoptObjects, { olf_id: flow.olf_id }), { total: await this.flows.countAdoptable(flow) });
  }

  /** How many objects were adopted. A flow that has been deactivated adopts no more. */
  async runAdoption(olf_id: string, run: JobRun): Promise<JobResult> {
    try {
      for (let after: string | null = null; ; await run.heartbeat()) {
        run.signal.throwIfAborted();
        const behind: string | null = after;
        const batch: Adopted = await this.db.write(() => this.batch(olf_id, run.job_id, behind));
        after = batch.after;
        if (after === null) return { adopted: batch.adopted };
      }
    } catch (error) {
      if (!(error instanceof WorkEnded)) throw error;
    }
  }

  private async batch(olf_id: string, job_id: string, after: string | null): Promise<Adopted> {
    await this.lock.lockFlow(OBJECT_FLOWS, 'move');
    const flow = await this.flows.findFlowRow(olf_id);
    if (!flow?.olf_active) return { adopted: await this.background.advanceJob(job_id, 0), after: null };
    const ids = await this.flows.findAdoptable(flow, after, BATCH);
    const objects = await this.store.lockMany(ids);
    // By now some may have been deleted, or may have come into another flow with another schema.
    const still = new Set(await this.flows.filterAdoptable(flow, ids));
    const moves = objects.flatMap((object) => {
      const to = still.has(object.obj_id) ? entryInto(flow, object.obj_status) : null;
      return to ? [{ object, to }] : [];
    });
    await this.moves.applyMoves(moves, { by: null, transition: null });
    const adopted = await this.background.advanceJob(job_id, moves.length);
    return { adopted, after: ids.length < BATCH ? null : (ids.at(-1) ?? null) };
  }
}
