import { Injectable } from '@nestjs/common';
import { Database } from '@atrium/platform/database';
import { brakeHolds } from '../domain/deletion-brake';
import { actionOf, type PageStatus } from '../domain/run-page';
import { changesPage, isDeletion, moveOf, type Move } from '../domain/sync-rules';
import type { RunCount, SyncRun } from '../domain/sync-run';
import type { Verdict } from '../domain/verdict';
import { RunPageRows } from '../infrastructure/run-pages.rows';
import type { CmsSession } from './cms-sessions';
import { SyncRuns } from './sync-runs';
import { CmsLinksRepository } from '../infrastructure/cms-links.repository';

interface PlannedVerdict {
  readonly verdict: Verdict;
  readonly pages: number;
  readonly move: Move;
}

/** Decides what becomes of the compared pages, by verdict, and holds deletions that are too many. */
@Injectable()
export class PlanStep {
  constructor(
    private readonly db: Database,
    private readonly links: CmsLinksRepository,
    private readonly pages: RunPageRows,
    private readonly runs: SyncRuns,
  ) {}

  moveOf({ direction, request }: SyncRun, verdict: Verdict): Move {
    const { resolution, statuses, force } = request;
    return moveOf(verdict, { direction: direction === 'push' ? 'push' : 'pull', resolution, statuses, force });
  }

  /** A comparison moves nothing: its pages are done once they are compared. */
  endComparison(run: SyncRun): Promise<void> {
    return this.db.write(async () => {
      const counted = await this.pages.countVerdicts(run.job_id);
      const isFailed = (verdict: Verdict): boolean => this.moveOf(run, verdict) === 'fail';
      for (const { verdict } of counted)
        await this.pages.planPages(run.job_id, verdict, { status: isFailed(verdict) ? 'failed' : 'done', action: 'none', reversed: false });
      const pagesOf = (fits: (verdict: Verdict) => boolean): number => sum(counted.filter(({ verdict }) => fits(verdict)));
      await this.runs.recordStep(run, {
        total: pagesOf(() => true),
        done: pagesOf((verdict) => !isFailed(verdict)),
        failed: pagesOf(isFailed),
        unchanged: pagesOf((verdict) => verdict === 'in_sync'),
        conflicts: pagesOf((verdict) => verdict === 'conflict'),
      });
    });
  }

  planPages({ site }: CmsSession, run: SyncRun): Promise<void> {
    return this.db.write(async () => {
      const counted = await this.pages.countVerdicts(run.job_id);
      const planned = counted.map(({ verdict, pages }) => ({ verdict, pages, move: this.moveOf(run, verdict) }));
      const { linked } = await this.links.countLinked(site.site_id, null);
      const deletions = sum(planned.filter(({ move }) => isDeletion(move)));
      const isHeld = run.request.force !== true && brakeHolds({ deletions, links: linked });
      for (const { verdict, move } of planned)
        await this.pages.planPages(run.job_id, verdict, {
          status: statusOf(move, { isHeld, isDry: run.dry_run }),
          action: actionOf(move),
          reversed: isDeletion(move),
        });
      await this.runs.recordStep(run, { ...countsOf(planned, isHeld), total: totalOf(planned, isHeld), place: { step: 'apply' } });
    });
  }
}

function statusOf(move: Move, { isHeld, isDry }: { readonly isHeld: boolean; readonly isDry: boolean }): PageStatus {
  if (move === 'none') return 'done';
  if (move === 'skip') return 'skipped';
  if (move === 'leave') return 'unsettled';
  if (isHeld && isDeletion(move)) return 'held';
  // A page that cannot be compared fails also where nothing is written.
  if (move === 'fail') return 'waiting';
  return isDry ? 'skipped' : 'waiting';
}

/** What is known before the first page is moved. */
function countsOf(planned: readonly PlannedVerdict[], isHeld: boolean): Partial<Record<RunCount, number>> {
  return {
    unchanged: sum(planned.filter(({ move }) => move === 'none')),
    skipped: sum(planned.filter(({ move }) => move === 'skip')),
    unsettled: sum(planned.filter(({ move }) => move === 'leave')),
    conflicts: sum(planned.filter(({ verdict }) => verdict === 'conflict')),
    held_deletes: isHeld ? sum(planned.filter(({ move }) => isDeletion(move))) : 0,
  };
}

const totalOf = (planned: readonly PlannedVerdict[], isHeld: boolean): number =>
  sum(
    planned.filter(
      ({ move }) => (changesPage(move) && !(isHeld && isDeletion(move))) || move === 'fail' || move === 'adopt' || move === 'yield',
    ),
  );

const sum = (planned: readonly { readonly pages: number }[]): number => planned.reduce((all, { pages }) => all + pages, 0);
