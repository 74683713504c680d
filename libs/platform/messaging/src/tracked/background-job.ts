import { TrackedState, type WorkOutcome, type WorkStatus } from '@atrium/platform/database';
import type { Clock, JsonObject } from '@atrium/platform/kernel';

/** How a background job ended, and what its items are called. */
export interface BackgroundOutcome extends WorkOutcome {
  readonly result?: JsonObject | null;
  readonly item?: string;
}

/** Work that its context shows at no route of its own. */
export class BackgroundJob extends TrackedState {
  readonly job_id!: string;
  readonly job_kind!: string;
  status!: WorkStatus;
  done!: number;
  failed!: number;
  error!: string | null;
  result!: JsonObject | null;
  job_started!: Date | null;
  job_finished!: Date | null;
  /** The queue knows which run counts (`ev_hold`), and closes the row for no other. */
  readonly job_attempt = null;
  private itemName = 'item';

  protected override get item(): string {
    return this.itemName;
  }

  protected override nextAttempt(): void {
    // The queue has counted it.
  }

  /** What it has come to stays where it fails. */
  override finish({ result, item = 'item', ...outcome }: BackgroundOutcome, clock: Clock): void {
    if (result !== undefined) this.result = result;
    this.itemName = item;
    super.finish(outcome, clock);
  }
}
