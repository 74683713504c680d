import { Injectable } from '@nestjs/common';
import { Database, inWorkspace } from '@atrium/platform/database';
import { SweptWorkspaceRows } from './swept-workspaces.rows';

const WORKSPACES_AT_ONCE = 100;

type Page = (after: string | null, most: number) => Promise<string[]>;

/** Goes through workspaces, one after the other, until the signal is aborted. */
@Injectable()
export class SweptWorkspaces {
  constructor(
    private readonly db: Database,
    private readonly rows: SweptWorkspaceRows,
  ) {}

  /** Those in which something has waited so long. */
  forEachOverdue(ageSeconds: number, work: () => Promise<void>, signal: AbortSignal): Promise<void> {
    return this.forEachOf((after, most) => this.rows.listOverdue(ageSeconds, after, most), work, signal);
  }

  forEachActive(work: () => Promise<void>, signal: AbortSignal): Promise<void> {
    return this.forEachOf((after, most) => this.rows.listActive(after, most), work, signal);
  }

  private async forEachOf(page: Page, work: () => Promise<void>, signal: AbortSignal): Promise<void> {
    for (let after: string | null = null; !signal.aborted;) {
      const at: string | null = after;
      const found: string[] = await this.db.acrossTenants(() => page(at, WORKSPACES_AT_ONCE));
      for (const tenant_id of found) await inWorkspace(tenant_id, work);
      if (found.length < WORKSPACES_AT_ONCE) return;
      after = found.at(-1) ?? null;
    }
  }
}
