import { Injectable } from '@nestjs/common';
import type { CellConventions, OpenForm } from '@atrium/forms';
import { createHash } from 'node:crypto';
import { Database, type WorkOutcome } from '@atrium/platform/database';
import { Clock, DAY, SECOND, type JsonObject } from '@atrium/platform/kernel';
import { JobPause, PermanentFailure, type JobRun } from '@atrium/platform/messaging';
import { Credentials } from '@atrium/platform/outbound';
import type { ObjectSource } from '../domain/object-source';
import { PassTrail } from '../domain/pass-trail';
import type { SourcePage, SourceWait } from '../domain/source-port';
import { RUN_COUNTS, type RunPlace, type SyncRun } from '../domain/sync-run';
import { PassRows } from '../infrastructure/pass-rows';
import { RunsRepository, type RunStep } from '../infrastructure/runs.repository';
import { SourceAdapters } from '../infrastructure/source-adapters';
import { SourcesRepository } from '../infrastructure/sources.repository';
import { MissingObjects } from './missing-objects';
import { pageRows } from './page-rows';
import type { PassPlan } from './pass-plan';
import { RowComparison } from './row-comparison';
import { SyncRuns } from './sync-runs';
import { CREDENTIAL_USE } from '../domain/source-credentials';

/** Rows that are written in one unit of work; a page of a source may have many more. */
const ROWS_A_STEP = 2_000;
/** From so long a wait on for the source, the run leaves its slot to others. It comes back so often, to show that it is alive. */
const PAUSE_FROM_MS = 2 * SECOND;
const PAUSE_MS = 30 * SECOND;
const GONE = 'The source was deleted.';
const INACTIVE = 'The source is inactive. Set osr_active to true first.';
const TOO_LONG = 'The run reached the limit of 24 hours and was stopped.';
const DRIFTED = 'The number of rows in the source changed during the run, so nothing was deactivated. The next run compares again.';
const UNKNOWN_ROWS = 'Rows without a readable external id were skipped, so nothing was deactivated.';

/** One pass over a source: page by page, each with its checkpoint, then what is missing. A run that is cut off goes on at its last page. */
@Injectable()
export class SyncPass {
  constructor(
    private readonly db: Database,
    private readonly sources: SourcesRepository,
    private readonly runs: RunsRepository,
    private readonly passes: PassRows,
    private readonly adapters: SourceAdapters,
    private readonly settling: RowComparison,
    private readonly missing: MissingObjects,
    private readonly life: SyncRuns,
    private readonly credentials: Credentials,
    private readonly clock: Clock,
  ) {}

  async runPass(run: SyncRun, job: JobRun): Promise<WorkOutcome> {
    const { source, habits } = await this.db.read(async () => {
      await this.life.findActing(run);
      return { source: await this.sources.findRow(run.job_source), habits: await this.settling.readHabits() };
    });
    if (!source || source.osr_removed !== null) throw new PermanentFailure(GONE);
    if (!source.osr_active) throw new PermanentFailure(INACTIVE);
    const plan: PassPlan = { run, source, mapping: source.mapping, habits, salt: saltOf(source, habits) };
    const place = run.place.read === true ? run.place : await this.readAll(plan, job);
    const incomplete = place.incomplete ?? null;
    const held = await this.missing.handleMissing(
      { ...plan, run: Object.assign(run, { place }) },
      { complete: incomplete === null, signal: job.signal },
    );
    return outcomeOf({ held, incomplete, source });
  }

  private async readAll(plan: PassPlan, job: JobRun): Promise<RunPlace & JsonObject> {
    const { run, source } = plan;
    let place: RunPlace & JsonObject = run.place;
    await this.wait(run, { tried: place.tried ?? 0, leftMs: (place.ask_at ?? 0) - this.clock.now().getTime() });
    const trail = new PassTrail(place.pages ?? 0, place.rows ?? 0);
    const pages = this.adapters.getAdapter(source.osr_kind).readPages({
      config: source.config,
      credentials: this.secretsOf(source),
      cursor: place.cursor ?? null,
      tried: place.tried ?? 0,
      signal: job.signal,
      waiting: async (wait) => {
        await job.heartbeat();
        await this.wait(run, wait);
      },
    });
    // Rows are sorted out before their unit of work, by the revision of the schema that was met last.
    const judgedBy: { form?: OpenForm } = {};
    for await (const page of pages) {
      job.signal.throwIfAborted();
      trail.recordPage(page);
      if (run.started !== null && this.clock.now().getTime() - run.started.getTime() > DAY) throw new PermanentFailure(TOO_LONG);
      place = await this.settle(plan, page, place, judgedBy);
    }
    return place;
  }

  /** The run shows that it is alive, and pauses where the wait is long: its slot is free until it goes on from its row. */
  private async wait(run: SyncRun, { tried, leftMs }: SourceWait): Promise<void> {
    if (leftMs <= 0) return;
    const pauses = leftMs >= PAUSE_FROM_MS;
    const place = { tried, ask_at: this.clock.now().getTime() + leftMs };
    await this.db.write(() => this.runs.recordStep(run, pauses ? { place } : {}));
    if (pauses) throw new JobPause(Math.min(leftMs, PAUSE_MS));
  }

  /** Writes what a page says; its last step is the checkpoint behind it. */
  private async settle(
    plan: PassPlan,
    page: SourcePage,
    before: RunPlace & JsonObject,
    judgedBy: { form?: OpenForm },
  ): Promise<RunPlace & JsonObject> {
    const { run, mapping } = plan;
    const number = (before.pages ?? 0) + 1;
    let judged = (judgedBy.form ??= await this.db.write(async () => {
      await this.life.findActing(run);
      return this.settling.openForm(plan);
    }));
    let sorted = await pageRows(page.rows, mapping, judged.compiled);
    for (let at = 0; ; at += ROWS_A_STEP) {
      const reached = await this.db.write(async () => {
        const acting = await this.life.findActing(run);
        const form = await this.settling.openForm(plan);
        if (form.form_revision !== judged.form_revision) {
          sorted = await pageRows(page.rows, mapping, form.compiled);
          judged = judgedBy.form = form;
        }
        const { identified, twice, unknown } = sorted;
        const place = at + ROWS_A_STEP < identified.length ? null : placeBehind(page, { ...before, pages: number }, unknown.length > 0);
        const settled = await this.settling.settleRows(plan, form, { page: number, rows: identified.slice(at, at + ROWS_A_STEP) }, acting);
        await this.passes.insertRows(run.job_id, [...settled.flatMap(({ rows }) => rows), ...(place ? [...twice, ...unknown] : [])]);
        const total = page.total ?? (page.next === null ? (place?.rows ?? null) : null);
        const ending = place ? { done: twice.length, conflicts: twice.length, failed: unknown.length, total, place } : {};
        await this.runs.recordStep(run, added([...settled.map(({ step }) => step), ending]));
        return place;
      });
      if (reached) return reached;
    }
  }

  private secretsOf({ tenant_id, osr_credentials }: ObjectSource): JsonObject | null {
    return osr_credentials === null ? null : this.credentials.open(tenant_id, CREDENTIAL_USE, osr_credentials);
  }
}

function outcomeOf({
  held,
  incomplete,
  source,
}: {
  readonly held: number;
  readonly incomplete: string | null;
  readonly source: ObjectSource;
}): WorkOutcome {
  if (held > 0) {
    const error = `${held} objects would be deactivated, more than ${source.osr_delete_limit}% of the objects of this source, and are held back. Check the source, and run it again with force_deletes to deactivate them.`;
    return { status: 'partial', error };
  }
  // What is kept or flagged anyway loses nothing by a pass that met too little.
  if (incomplete !== null && source.osr_on_missing !== 'keep') return { status: 'partial', error: incomplete };
  return { status: 'completed' };
}

/** Where the next page begins, and whether the pass can still tell what is missing. */
function placeBehind(page: SourcePage, before: RunPlace & JsonObject, hasUnknown: boolean): RunPlace & JsonObject {
  const rows = (before.rows ?? 0) + page.rows.length;
  const total = before.total === undefined ? page.total : before.total;
  const drifted = total !== null && ((page.total !== null && page.total !== total) || (page.next === null && rows !== total));
  const incomplete = before.incomplete ?? (drifted ? DRIFTED : hasUnknown ? UNKNOWN_ROWS : undefined);
  return {
    ...before,
    tried: 0,
    ask_at: 0,
    cursor: page.next,
    rows,
    total,
    ...(incomplete === undefined ? {} : { incomplete }),
    ...(page.next === null ? { read: true } : {}),
  };
}

function added(steps: readonly RunStep[]): RunStep {
  const sums: Record<string, number> = {};
  let place: RunStep['place'];
  let total: number | null = null;
  for (const step of steps) {
    place = step.place ?? place;
    total = step.total ?? total;
    for (const name of ['done', 'failed', ...RUN_COUNTS] as const) sums[name] = (sums[name] ?? 0) + (step[name] ?? 0);
  }
  return { ...sums, total, ...(place ? { place } : {}) };
}

/** Whatever of a source decides what is written of a row. */
const saltOf = ({ osr_mapping, osr_conflict }: ObjectSource, { zone }: CellConventions): string =>
  createHash('sha256')
    .update(JSON.stringify([osr_mapping, osr_conflict, zone ?? null]))
    .digest('base64url');
