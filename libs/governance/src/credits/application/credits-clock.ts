import { Injectable, Logger } from '@nestjs/common';
import { Database, inWorkspace } from '@atrium/platform/database';
import { CreditsRows } from '../infrastructure/credits.rows';

const PAGE = 200;

/**
 * Does what the clock asks of credits, workspace by workspace, each in its own transaction. It may be cut off and run
 * again: every grant begins once and ends once. Charges and reservations do the same first, so nothing waits for this.
 */
@Injectable()
export class CreditsClock {
  private readonly log = new Logger(CreditsClock.name);

  constructor(
    private readonly db: Database,
    private readonly rows: CreditsRows,
  ) {}

  async catchUp(signal: AbortSignal): Promise<void> {
    for (let after: string | null = null; !signal.aborted;) {
      const due: string[] = await this.rows.findDueWorkspaces(after, PAGE);
      for (const tenant_id of due) {
        if (signal.aborted) return;
        await this.one(tenant_id);
      }
      after = due.at(-1) ?? null;
      if (due.length < PAGE) return;
    }
  }

  /** One workspace in trouble does not hold up the others. */
  private async one(tenant_id: string): Promise<void> {
    try {
      await inWorkspace(tenant_id, () => this.db.write(() => this.rows.processDueCredits()));
    } catch (error) {
      this.log.warn({ msg: 'the credits of a workspace could not be brought up to the clock', tenant_id, err: error });
    }
  }
}
