import { Injectable, Logger } from '@nestjs/common';
import { Database, runInScope, sql, SYSTEM_ACTOR } from '@atrium/platform/database';
import { MINUTE, newId } from '@atrium/platform/kernel';
import { Every, type ScheduledRun } from '../schedules';

const AT_ONCE = 200;
const REASON = 'The work was given up because its workers were lost. Start it again.';

/** Ends one row of work of a table, unless it has ended. */
type EndLostWork = (job_id: string, reason: string) => Promise<void>;

interface LostRow extends Record<string, unknown> {
  readonly work: string;
  readonly tenant_id: string;
  readonly job_id: string;
}

/**
 * Work that says it runs although its queue has no job for it any more: how its table ends such a row. The tables are those of the
 * function `lost_work`.
 */
@Injectable()
export class LostWork {
  private readonly log = new Logger(LostWork.name);
  private readonly tables = new Map<string, EndLostWork>();

  constructor(private readonly db: Database) {}

  register(table: string, end: EndLostWork): void {
    this.tables.set(table, end);
  }

  /** Ends what is lost, in any workspace; how much that was. */
  async endAll(signal: AbortSignal): Promise<number> {
    const lost = await this.db.acrossTenants((tx) => tx.query<LostRow>(sql`SELECT work, tenant_id, job_id FROM lost_work(${AT_ONCE})`));
    let ended = 0;
    for (const { work, tenant_id, job_id } of lost) {
      signal.throwIfAborted();
      const end = this.tables.get(work);
      if (!end) continue;
      try {
        await runInScope({ tenant_id, actor: SYSTEM_ACTOR, request_id: `lost-${newId()}` }, () => end(job_id, REASON));
        ended += 1;
      } catch (error) {
        this.log.warn({ msg: 'lost work could not be ended and is tried again later', work, tenant_id, job_id, err: error });
      }
    }
    return ended;
  }
}

/** Looks for lost work every ten minutes. */
@Injectable()
export class LostWorkSchedule {
  constructor(private readonly lost: LostWork) {}

  @Every(10 * MINUTE, 'messaging.lost-work')
  async endLostWork({ signal }: ScheduledRun): Promise<void> {
    await this.lost.endAll(signal);
  }
}
