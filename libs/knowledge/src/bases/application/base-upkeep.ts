import { Injectable } from '@nestjs/common';
import { Database } from '@atrium/platform/database';
import { Clock } from '@atrium/platform/kernel';
import type { JobRun } from '@atrium/platform/messaging';
import { RESTORABLE_MS } from '../domain/knowledge-base';
import { BasesRepository } from '../infrastructure/bases.repository';
import { BaseContents, type BaseContent } from './base-contents';
import { BaseHolds } from './base-holds';

const AT_ONCE = 100;

type Run = Pick<JobRun, 'signal' | 'heartbeat'>;

/** Work on everything that a base holds, stretch by stretch, so that none of it is held for long. Doing it again changes nothing more. */
@Injectable()
export class BaseUpkeep {
  constructor(
    private readonly db: Database,
    private readonly bases: BasesRepository,
    private readonly contents: BaseContents,
    private readonly holds: BaseHolds,
    private readonly clock: Clock,
  ) {}

  /** Puts everything that the base holds into searches; a base that is deleted in the meantime is left alone. */
  async indexBase(ds_id: string, run: Run): Promise<void> {
    for (const content of this.contents.listContents()) {
      for (let after: string | null = null; ;) {
        run.signal.throwIfAborted();
        after = await this.indexSome(ds_id, content, after);
        if (after === null) break;
        await run.heartbeat();
      }
    }
  }

  /** Removes what was deleted so long ago that it cannot be restored: bases with all they hold, and single records; what is held stays. */
  async purgeDeleted(run: Run): Promise<void> {
    const before = this.clock.after(-RESTORABLE_MS);
    for (const { purgeDeletedBefore: tidy } of this.bound())
      await this.repeat(run, async () => (await this.holds.blockNewHolds(), tidy(before)));
    for (;;) {
      const due = await this.db.read(() => this.bases.listDeletedBefore(before, AT_ONCE));
      for (const ds_id of due) await this.purgeBase(ds_id, run);
      if (due.length < AT_ONCE) return;
    }
  }

  private indexSome(ds_id: string, content: BaseContent, after: string | null): Promise<string | null> {
    return this.db.write(async () => {
      const [base] = await this.bases.lockMany([ds_id]);
      return base?.ds_active ? ((await content.indexStretch?.(base, after)) ?? null) : null;
    });
  }

  private async purgeBase(ds_id: string, run: Run): Promise<void> {
    for (const { purgeStretch: purge } of this.bound())
      await this.repeat(run, async () => (await this.holds.mayRemove(ds_id)) && purge(ds_id));
    await this.db.write(async () => {
      if (!(await this.holds.mayRemove(ds_id))) return;
      const [base] = await this.bases.lockMany([ds_id]);
      if (base && !base.ds_active) await this.bases.remove(base);
    });
  }

  private async repeat({ signal, heartbeat }: Run, step: () => Promise<boolean>): Promise<void> {
    while (await this.db.write(step)) {
      signal.throwIfAborted();
      await heartbeat();
    }
  }

  private bound(): readonly Required<Pick<BaseContent, 'purgeStretch' | 'purgeDeletedBefore'>>[] {
    const nothing = (): Promise<boolean> => Promise.resolve(false);
    return this.contents.listContents().map((content) => ({
      purgeStretch: (ds_id) => content.purgeStretch?.(ds_id) ?? nothing(),
      purgeDeletedBefore: (before) => content.purgeDeletedBefore?.(before) ?? nothing(),
    }));
  }
}
