import { Injectable, Logger } from '@nestjs/common';
import { Database, inWorkspace } from '@atrium/platform/database';
import { SweptWorkspaceRows } from './swept-workspaces.rows';

const WORKSPACES_AT_ONCE = 100;

/** Goes through the workspaces in which something waits, one after the other, until the signal is aborted. One that fails is logged and does not hold up the others. */
@Injectable()
export class SweptWorkspaces {
  private readonly log = new Logger(SweptWorkspaces.name);

  constructor(
    private readonly db: Database,
    private readonly rows: SweptWorkspaceRows,
  ) {}

  /** Those in which something has waited so long. */
  async runForEachOverdue(ageSeconds: number, work: () => Promise<void>, signal: AbortSignal): Promise<void> {
    for (let after: string | null = null; !signal.aborted;) {
      const at: string | null = after;
      const found: string[] = await this.db.acrossTenants(() => this.rows.listOverdue(ageSeconds, at, WORKSPACES_AT_ONCE));
      for (const tenant_id of found) {
        if (signal.aborted) return;
        await inWorkspace(tenant_id, work).catch((error: unknown) =>
          this.log.warn({ msg: 'the index of a workspace could not be kept in order', tenant_id, err: error }),
        );
      }
      if (found.length < WORKSPACES_AT_ONCE) return;
      after = found.at(-1) ?? null;
    }
  }
}
