import { Injectable } from '@nestjs/common';
import { Database, join, requireScope, sql, type Sql } from '@atrium/platform/database';
import { BackgroundJobs, planJob, Outbox, type Job, type JobRun } from '@atrium/platform/messaging';
import { Embedder } from '../../embeddings/application/embedder';
import type { SourceKey } from '../domain/passage';
import { PassageSourcesRepository } from '../infrastructure/passage-sources.repository';
import { indexSource, reindexSources, type ReindexPayload } from '../jobs/passages.jobs';

const AT_ONCE = 200;

/** Has sources indexed again: those that failed, those that another model embedded, or all. */
@Injectable()
export class PassageReindexing {
  constructor(
    private readonly db: Database,
    private readonly sources: PassageSourcesRepository,
    private readonly embedder: Embedder,
    private readonly jobs: BackgroundJobs,
    private readonly outbox: Outbox,
  ) {}

  /** Asks for it; what a 202 answers. */
  async startReindexing(wanted: ReindexPayload): Promise<Job> {
    const condition = await this.condition(wanted);
    return this.db.write(async () =>
      this.jobs.startJob(planJob(reindexSources, wanted), { total: await this.sources.countSources(condition) }),
    );
  }

  /** Asks for page after page of sources to be indexed; a run that is repeated asks for what is still wanted. */
  async runReindexing(
    wanted: ReindexPayload,
    run: Pick<JobRun, 'signal' | 'isCancelled' | 'reportProgress' | 'heartbeat'>,
  ): Promise<{ readonly sources: number }> {
    const condition = await this.condition(wanted);
    const total = await this.db.read(() => this.sources.countSources(condition));
    let done = 0;
    for (let after: SourceKey | null = null; ;) {
      run.signal.throwIfAborted();
      if (await run.isCancelled()) break;
      const page: SourceKey[] = await this.step(condition, after, wanted.only === 'all');
      done += page.length;
      await run.reportProgress(done, Math.max(total, done));
      after = page.at(-1) ?? null;
      if (page.length < AT_ONCE) break;
    }
    return { sources: done };
  }

  private step(condition: Sql, after: SourceKey | null, afresh: boolean): Promise<SourceKey[]> {
    return this.db.write(async () => {
      const page = await this.sources.listSources(condition, after, AT_ONCE);
      await this.sources.reopenSources(page);
      for (const { kind, id } of page) this.outbox.addJob(planJob(indexSource, { kind, id, ...(afresh ? { afresh } : {}) }));
      return page;
    });
  }

  /** Condition on `s`. */
  private async condition({ only, scope, source_ids }: ReindexPayload): Promise<Sql> {
    const { model } = await this.embedder.getCurrentModel();
    const conditions: Readonly<Record<ReindexPayload['only'], Sql>> = {
      all: sql`true`,
      failed: sql`s.source_status = 'failed'`,
      stale: sql`(s.source_version IS DISTINCT FROM s.source_wanted OR s.source_model IS DISTINCT FROM ${model})`,
    };
    return join(
      [
        conditions[only],
        ...(source_ids ? [sql`s.source_id = ANY(${[...source_ids]}::uuid[])`] : []),
        ...(scope
          ? [
              sql`EXISTS (SELECT FROM passage_scope k WHERE k.tenant_id = ${requireScope().tenant_id} AND k.source_kind = s.source_kind AND k.source_id = s.source_id AND k.scope_key = ${scope})`,
            ]
          : []),
      ],
      ' AND ',
    );
  }
}
