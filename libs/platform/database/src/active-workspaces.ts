import { Injectable, Logger } from '@nestjs/common';
import { inWorkspace } from './current-scope';
import { Database } from './database';

const PAGE = 200;

interface Round {
  /** What is logged of a workspace whose work failed. */
  readonly failure: string;
  /** Ends the round before the next workspace. */
  readonly signal?: AbortSignal | undefined;
}

/** The workspaces at work, for schedules that look after all of them; one that is suspended or to be deleted is left alone. */
@Injectable()
export class ActiveWorkspaces {
  private readonly log = new Logger(ActiveWorkspaces.name);

  constructor(private readonly db: Database) {}

  /** Does the work in every workspace, one after the other and bound to it. One that fails is logged and does not hold up the others. */
  async runForEachWorkspace(work: (tenant_id: string) => Promise<unknown>, { failure, signal }: Round): Promise<void> {
    for (let after: string | null = null; !signal?.aborted;) {
      const page: readonly { readonly tenant_id: string }[] = await this.page(after);
      for (const { tenant_id } of page) {
        if (signal?.aborted) return;
        await inWorkspace(tenant_id, () => work(tenant_id)).catch((error: unknown) =>
          this.log.warn({ msg: failure, tenant_id, err: error }),
        );
      }
      after = page.at(-1)?.tenant_id ?? null;
      if (page.length < PAGE) return;
    }
  }

  private page(after: string | null): Promise<readonly { readonly tenant_id: string }[]> {
    return this.db.queryAcrossTenants<{ tenant_id: string }>('SELECT tenant_id FROM workspaces_active($1, $2)', [after, PAGE]);
  }
}
