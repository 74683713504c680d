import { Injectable } from '@nestjs/common';
import { Database, inWorkspace } from '@atrium/platform/database';
import { DAY, HOUR, MINUTE, SECOND } from '@atrium/platform/kernel';
import { Every, type ScheduledRun } from '@atrium/platform/messaging';
import { EmbeddingUpkeep } from '../embeddings/application/embedding-upkeep';
import { PassageUpkeep } from '../passages/application/passage-upkeep';
import { TextUpkeep } from '../texts/text-upkeep';

const WORKSPACES_AT_ONCE = 100;
/** What waits longer has been lost: its job failed for good, or a part outside was away for days. */
const OVERDUE_SECONDS = (10 * MINUTE) / SECOND;

/** Keeps the memory of bought embeddings small, and the index in order. */
@Injectable()
export class RetrievalSweep {
  constructor(
    private readonly db: Database,
    private readonly embeddings: EmbeddingUpkeep,
    private readonly passages: PassageUpkeep,
    private readonly texts: TextUpkeep,
  ) {}

  @Every(HOUR, 'retrieval.sweep')
  async sweepRetrieval({ signal }: ScheduledRun): Promise<void> {
    await this.embeddings.forgetUnused((90 * DAY) / SECOND, signal);
    await this.eachWorkspace(signal, `SELECT tenant_id FROM retrieval_overdue(${OVERDUE_SECONDS}, $1, $2)`, async () => {
      await this.texts.retryOverdue(OVERDUE_SECONDS);
      await this.passages.retryPending(OVERDUE_SECONDS, signal);
    });
  }

  @Every(DAY, 'retrieval.tidy')
  removeLost({ signal }: ScheduledRun): Promise<void> {
    return this.eachWorkspace(signal, 'SELECT tenant_id FROM workspaces_active($1, $2)', async () => {
      await this.passages.removeLost(signal);
      await this.passages.removeOrphans(signal);
    });
  }

  private async eachWorkspace(signal: AbortSignal, page: string, work: () => Promise<void>): Promise<void> {
    for (let after: string | null = null; !signal.aborted;) {
      const at: string | null = after;
      const found: { tenant_id: string }[] = await this.db.acrossTenants((tx) =>
        tx.query<{ tenant_id: string }>(page, [at, WORKSPACES_AT_ONCE]),
      );
      for (const { tenant_id } of found) await inWorkspace(tenant_id, work);
      if (found.length < WORKSPACES_AT_ONCE) return;
      after = found.at(-1)?.tenant_id ?? null;
    }
  }
}
