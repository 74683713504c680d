import { Injectable } from '@nestjs/common';
import { Database, type WorkOutcome } from '@atrium/platform/database';
import { Clock, Problem } from '@atrium/platform/kernel';
import type { JobRun } from '@atrium/platform/messaging';
import { CmsProblem } from '../domain/cms-problem';
import type { SyncRun } from '../domain/sync-run';
import { CmsConnectionsRepository } from '../infrastructure/cms-connections.repository';
import { CmsLinksRepository } from '../infrastructure/cms-links.repository';
import { RunPageRows, type OpenPage } from '../infrastructure/run-pages.rows';
import { CmsSessions, type CmsSession } from './cms-sessions';
import { CompareStep } from './compare-step';
import { ListStep } from './list-step';
import { isFaultOfPage } from './page-faults';
import { PageMoves } from './page-moves';
import { PlanStep } from './plan-step';
import { PullPage } from './pull-page';
import { PushPage } from './push-page';
import { SchemaExchange } from './schema-exchange';
import { SyncRuns } from './sync-runs';
import { TurnStep } from './turn-step';

/** One pass of a run, from where its row says: pages are listed and compared first, then moved one by one. */
@Injectable()
export class SyncPass {
  constructor(
    private readonly db: Database,
    private readonly sessions: CmsSessions,
    private readonly connections: CmsConnectionsRepository,
    private readonly links: CmsLinksRepository,
    private readonly pages: RunPageRows,
    private readonly list: ListStep,
    private readonly comparison: CompareStep,
    private readonly plan: PlanStep,
    private readonly pulls: PullPage,
    private readonly pushes: PushPage,
    private readonly turn: TurnStep,
    private readonly schemas: SchemaExchange,
    private readonly moves: PageMoves,
    private readonly runs: SyncRuns,
    private readonly clock: Clock,
  ) {}

  async runPass(run: SyncRun, job: JobRun): Promise<WorkOutcome> {
    const alive = (): Promise<void> => this.showLife(run, job);
    const session = await this.sessions.openSession(run.site_id, { signal: job.signal, waiting: alive });
    if (run.direction === 'schemas_pull' || run.direction === 'schemas_push') return this.schemas.exchange(session, run);
    const { step = 'list' } = run.place;
    const isNamed = this.list.isNamed(run);
    if (step === 'list') await (isNamed ? this.list.listNamed(session, run, alive) : this.list.listAll(session, run));
    if (step !== 'apply') await this.compare(session, run, isNamed);
    if (run.direction === 'scan') await this.plan.endComparison(run);
    if (run.direction === 'scan') return this.finish(session, run, isNamed);
    if (step !== 'apply') await this.plan.planPages(session, run);
    await this.applyWaiting(session, run, job);
    await this.turn.turnLinks(session, run, { alive, isNamed });
    return this.finish(session, run, isNamed);
  }

  private async compare(session: CmsSession, run: SyncRun, isNamed: boolean): Promise<void> {
    await this.comparison.compareListed(session, run);
    if (!isNamed) await this.comparison.gatherRest(session, run);
  }

  private async applyWaiting(session: CmsSession, run: SyncRun, job: JobRun): Promise<void> {
    for (;;) {
      const [page] = await this.db.read(() => this.pages.findWaiting(run.job_id, 1));
      if (!page) return;
      job.signal.throwIfAborted();
      await this.showLife(run, job);
      await this.applyPage(session, run, page);
    }
  }

  private async applyPage(session: CmsSession, run: SyncRun, page: OpenPage): Promise<void> {
    const by = await this.runs.findActing(run);
    const move = page.crp_verdict === null ? 'fail' : this.plan.moveOf(run, page.crp_verdict);
    const moving = { session, run, page, move, by };
    try {
      if (move === 'fail') throw faultOf(page);
      await (run.direction === 'push' ? this.pushes.pushPage(moving) : this.pulls.pullPage(moving));
    } catch (error) {
      if (!isFaultOfPage(error)) throw error;
      const code = error instanceof CmsProblem ? error.reason : (error.errors?.[0]?.code ?? error.code);
      await this.moves.failPage(moving, { code, message: error.detail });
    }
  }

  /** What all pages have now is shown on the site. */
  private async finish({ site }: CmsSession, run: SyncRun, isNamed: boolean): Promise<WorkOutcome> {
    await this.db.write(async () => {
      const connection = await this.connections.lockOne(site.site_id);
      if (!connection) return;
      connection.recordComparison(await this.links.countVerdicts(site.site_id), this.clock);
      if (!isNamed) connection.cms_last_scan = run.started_at ?? this.clock.now();
      await this.connections.save(connection);
    });
    return { status: 'completed', error: run.error };
  }

  /** The run is alive, also while it waits for the CMS. */
  private async showLife(run: SyncRun, job: JobRun): Promise<void> {
    await job.heartbeat();
    await this.db.write(() => this.runs.recordStep(run, {}));
  }
}

function faultOf({ crp_error }: OpenPage): Problem {
  const { code = 'error', message = 'The page could not be compared.' } = crp_error ?? {};
  return new Problem('unprocessable_content', message, { errors: [{ path: 'page', code, message }] });
}
