import { Injectable, Logger } from '@nestjs/common';
import { WorkspaceLifeRows } from '../infrastructure/workspace-life.rows';
import { WorkspacePurgers, type WorkspacePurger } from './workspace-purgers';

const ROWS = 2_000;
const THINGS = 500;

/** The signal and heartbeat of a run of the purge. */
export interface PurgeRun {
  readonly signal: AbortSignal;
  heartbeat?(): Promise<void>;
}

/**
 * Removes everything of a workspace whose grace is over, context by context, in batches. It may be cut off anywhere and is
 * taken up again: what is gone is gone, what is left is asked for again. The tombstone is written when nothing is left.
 */
@Injectable()
export class WorkspacePurge {
  private readonly log = new Logger(WorkspacePurge.name);

  constructor(
    private readonly purgers: WorkspacePurgers,
    private readonly rows: WorkspaceLifeRows,
  ) {}

  async purgeWorkspace(ws_id: string, run: PurgeRun): Promise<void> {
    if (!(await this.rows.beginPurge(ws_id))) return;
    for (const purger of this.purgers.all) await this.purgeBy(purger, ws_id, run);
    await this.rows.endPurge(ws_id);
    this.log.log({ msg: 'a workspace was purged', ws_id });
  }

  /** Removes what reached a workspace after it was purged: requests and uploads that were on their way. */
  async runLate(ws_id: string, run: PurgeRun): Promise<void> {
    for (const purger of this.purgers.all) await this.purgeBy(purger, ws_id, run);
  }

  private async purgeBy({ tables, beyond }: WorkspacePurger, ws_id: string, run: PurgeRun): Promise<void> {
    for (let left = beyond ? 1 : 0; beyond && left > 0;) {
      const batch = await beyond.purge(ws_id, THINGS);
      await this.rows.notePurge(ws_id, beyond.what, batch.removed, batch.left);
      left = batch.left;
      await pass(run);
    }
    for (const table of tables) {
      while ((await this.rows.purgeRows(ws_id, table, ROWS)) === ROWS) await pass(run);
    }
    await pass(run);
  }
}

/** Between two batches: the worker may want to stop, or needs a sign that the work continues. */
async function pass(run: PurgeRun): Promise<void> {
  run.signal.throwIfAborted();
  await run.heartbeat?.();
}
