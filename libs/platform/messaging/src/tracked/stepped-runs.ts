import type { TrackedState, WorkOutcome } from '@atrium/platform/database';
import type { SteppedRepository, WorkStep } from './stepped.repository';
import type { WorkAttempt } from './tracked.repository';
import { TrackedRuns } from './tracked-runs';
import type { WorkEngine } from './work-engine';

/** Tracked work in steps, each of which counts and says where the next worker goes on. */
export abstract class SteppedRuns<
  R extends TrackedState<string>,
  C extends string = never,
  O extends WorkOutcome = WorkOutcome,
> extends TrackedRuns<R, O> {
  protected constructor(
    engine: WorkEngine,
    private readonly steps: SteppedRepository<R, C>,
  ) {
    super(engine, steps);
  }

  /** Within the unit of work of the step. */
  recordStep(attempt: WorkAttempt, step: WorkStep<C>): Promise<void> {
    return this.steps.recordStep(attempt, step);
  }
}
