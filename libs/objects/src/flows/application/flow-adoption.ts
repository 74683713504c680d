import { Injectable } from '@nestjs/common';
import { FlowLock } from '@atrium/approvals';
import { Database } from '@atrium/platform/database';
import type { JsonObject } from '@atrium/platform/kernel';
import { BackgroundJobs, job, type BackgroundJob, type JobRun } from '@atrium/platform/messaging';
import { ObjectStore } from '../../objects/infrastructure/object-store';
import type { LifecycleFlow } from '../domain/lifecycle-flow';
import { LifecycleFlowsRepository, OBJECT_FLOWS } from '../infrastructure/lifecycle-flows.repository';
import { adoptObjects } from '../jobs/flows.jobs';
import { entryInto } from './followed-flow';
import { StateMoves } from './state-moves';

const BATCH = 500;

interface Adopted {
  readonly moved: number;
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
  async start(flow: LifecycleFlow): Promise<BackgroundJob> {
    return this.background.start(job(adoptObjects, { olf_id: flow.olf_id }), { total: await this.flows.adoptableCount(flow) });
  }

  /** How many objects this run adopted. A flow that has been deactivated adopts no more. */
  async run(olf_id: string, run: JobRun): Promise<JsonObject> {
    const left = await this.db.read(async () => {
      const flow = await this.flows.one(olf_id);
      return flow ? this.flows.adoptableCount(flow) : 0;
    });
    let adopted = 0;
    for (let after: string | null = null; ;) {
      run.signal.throwIfAborted();
      const batch: Adopted = await this.db.write(() => this.batch(olf_id, after));
      adopted += batch.moved;
      after = batch.after;
      await run.progress(adopted, Math.max(left, adopted));
      if (after === null || (await run.cancelled())) return { adopted };
      await run.heartbeat();
    }
  }

  private async batch(olf_id: string, after: string | null): Promise<Adopted> {
    await this.lock.take(OBJECT_FLOWS, 'move');
    const flow = await this.flows.one(olf_id);
    if (!flow?.olf_active) return { moved: 0, after: null };
    const ids = await this.flows.adoptable(flow, after, BATCH);
    const objects = await this.store.lockMany(ids);
    // By now some may have been deleted, or may have come into another flow with another schema.
    const still = new Set(await this.flows.stillAdoptable(flow, ids));
    const moves = objects.flatMap((object) => {
      const to = still.has(object.obj_id) ? entryInto(flow, object.obj_status) : null;
      return to ? [{ object, to }] : [];
    });
    await this.moves.make(moves, { by: null, transition: null });
    return { moved: moves.length, after: ids.length < BATCH ? null : (ids.at(-1) ?? null) };
  }
}
