import { Injectable, Logger } from '@nestjs/common';
import { runInScope, SYSTEM_ACTOR } from '@atrium/platform/database';
import { MINUTE, newId } from '@atrium/platform/kernel';
import { Every, type ScheduledRun } from '../schedules';
import { LostWorkRows, type SearchedWorkspace, type UnfinishedWork, type WorkPlace } from './lost-work.rows';

const WORKSPACES_AT_ONCE = 200;
/** Unfinished rows that a workspace has looked through in each round. */
const SHARE = 100;
const REASON = 'The work was given up because its workers were lost. Start it again.';
const BEGINNING: WorkPlace = { work: '', at: '-infinity', job_id: '00000000-0000-0000-0000-000000000000' };

/** Ends one row of work of a table, unless it has ended. */
type EndLostWork = (job_id: string, reason: string) => Promise<void>;

interface Turn {
  readonly tenant_id: string;
  readonly place: WorkPlace;
}

/**
 * Work that says it runs although its queue has no job for it any more: how its table ends such a row. The tables are those of the
 * function `unfinished_work`. Workspaces take turns, a share of rows in each round; a row that cannot be ended and a workspace whose rows
 * cannot be read are passed over.
 */
@Injectable()
export class LostWork {
  private readonly log = new Logger(LostWork.name);
  private readonly tables = new Map<string, EndLostWork>();

  constructor(private readonly rows: LostWorkRows) {}

  register(table: string, end: EndLostWork): void {
    this.tables.set(table, end);
  }

  /** Ends what is lost, in any workspace; how much that was. */
  async endAll(signal: AbortSignal): Promise<number> {
    let ended = 0;
    for (let after: string | null = null, more = true; more;) {
      const workspaces: readonly SearchedWorkspace[] = await this.rows.listWorkspaces(after, WORKSPACES_AT_ONCE);
      let turns: readonly Turn[] = workspaces.filter(({ has_work }) => has_work).map(({ tenant_id }) => ({ tenant_id, place: BEGINNING }));
      while (turns.length > 0) {
        const next: Turn[] = [];
        for (const turn of turns) {
          signal.throwIfAborted();
          const { lost, place } = await this.endShare(turn);
          ended += lost;
          if (place) next.push({ ...turn, place });
        }
        turns = next;
      }
      after = workspaces.at(-1)?.tenant_id ?? null;
      more = workspaces.length === WORKSPACES_AT_ONCE;
    }
    return ended;
  }

  /** How many rows of a share were ended, and where the next one begins; null after the last. */
  private endShare({ tenant_id, place }: Turn): Promise<{ readonly lost: number; readonly place: WorkPlace | null }> {
    return runInScope({ tenant_id, actor: SYSTEM_ACTOR, request_id: `lost-${newId()}` }, async () => {
      const share = await this.tryList(tenant_id, place);
      let lost = 0;
      for (const row of share) if (row.is_lost && (await this.tryEnd(tenant_id, row))) lost += 1;
      return { lost, place: share.length === SHARE ? (share.at(-1) ?? null) : null };
    });
  }

  private async tryList(tenant_id: string, place: WorkPlace): Promise<readonly UnfinishedWork[]> {
    try {
      return await this.rows.listUnfinished(place, SHARE);
    } catch (error) {
      this.log.warn({ msg: 'unfinished work of a workspace could not be read and is looked through again later', tenant_id, err: error });
      return [];
    }
  }

  private async tryEnd(tenant_id: string, { work, job_id }: UnfinishedWork): Promise<boolean> {
    const end = this.tables.get(work);
    if (!end) return false;
    try {
      await end(job_id, REASON);
      return true;
    } catch (error) {
      this.log.warn({ msg: 'lost work could not be ended and is tried again later', work, tenant_id, job_id, err: error });
      return false;
    }
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
