import { Injectable } from '@nestjs/common';
import { mappedValues, WholeImports, type NamedReferences } from '@atrium/forms';
import { columnOfFault, missingKey, repeatedKey, unreadableRow, type RowFaults } from '@atrium/imports';
import type { Principal } from '@atrium/platform/access';
import { Database } from '@atrium/platform/database';
import { LoopTurns, type FieldFault } from '@atrium/platform/kernel';
import { WorkEnded, type JobRun } from '@atrium/platform/messaging';
import { Tabular, type RowSource, type TableRecord } from '@atrium/platform/tabular';
import { BaseAccess } from '../../bases/application/base-access';
import { JobFaultRows } from '../../work/infrastructure/job-faults.rows';
import { JobObjects } from '../../work/infrastructure/job-objects';
import { JobRuns, type RunOutcome } from '../../work/application/job-runs';
import { JobsRepository } from '../../work/infrastructure/jobs.repository';
import type { KnowledgeJob } from '../../work/domain/knowledge-job';
import type { Written } from '../../records/application/record-drafts';
import { RecordBodies } from '../../records/application/record-bodies';
import { RecordWriter } from '../../records/application/record-writer';
import { RecordShapes } from '../../records/application/record-shapes';
import type { CleanWish, RecordWish } from '../../records/domain/record-facts';
import type { RecordImport } from '../domain/record-import';
import { RECORD_ROWS } from './record-columns';
import { BaseTables } from './base-tables';
import { ImportReadings, type ImportReading } from './import-reading';

const AT_ONCE = 500;

/** What is known of a table before anything of it is written. */
interface Survey {
  readonly rows: number;
  /** For each key the last row that has it: that one counts. */
  readonly last: ReadonlyMap<string, number>;
}

/** What became of texts that had to be cleaned, by their rows. */
type Cleaned = ReadonlyMap<number, CleanWish | FieldFault>;

/** A row that is staged, and what became of its text where that had to be cleaned. */
type StagedRow = TableRecord & { readonly clean?: CleanWish | FieldFault };

/** What is found out of rows before they are read. */
interface RowFacts {
  readonly cleaned: Cleaned;
  readonly named: NamedReferences;
}

/** Rows as they are written, and those that are not. */
interface Prepared {
  readonly entries: readonly { readonly row: number; readonly wish: CleanWish }[];
  readonly refused: readonly RowFaults[];
}

/** What became of a batch. */
interface Batch {
  readonly created: number;
  readonly updated: number;
  readonly unchanged: number;
  readonly refused: readonly RowFaults[];
}

interface Work {
  readonly job: KnowledgeJob;
  readonly order: RecordImport;
  readonly table: RowSource;
  readonly reading: ImportReading;
  readonly form_id: string | null;
  readonly survey: Survey;
}

/**
 * Writes the rows of a table into a base: 500 at a time, each batch with its faults and with the place where the next one begins
 * in one unit of work; or all of them in one where none may fail, of what is staged while the file is read. A run that is cut off goes on behind the last batch.
 */
@Injectable()
export class ImportRun {
  constructor(
    private readonly db: Database,
    private readonly tables: BaseTables,
    private readonly readings: ImportReadings,
    private readonly access: BaseAccess,
    private readonly writer: RecordWriter,
    private readonly bodies: RecordBodies,
    private readonly jobs: JobsRepository,
    private readonly faults: JobFaultRows,
    private readonly objects: JobObjects,
    private readonly runs: JobRuns,
    private readonly shapes: RecordShapes,
    private readonly whole: WholeImports,
  ) {}

  async run(job: KnowledgeJob, run: JobRun): Promise<RunOutcome> {
    const order = job.job_order as unknown as RecordImport;
    const found = await this.tables.find(await this.acting(job), job.job_base, order);
    const table = await found.open();
    try {
      const columns = await table.columns();
      const { reading, form_id } = await this.db.read(async () => {
        const base = await this.access.readable(await this.acting(job), job.job_base, 'edit');
        return { reading: await this.readings.of(base.form_id, { columns, isJson: found.isJson }, order), form_id: base.form_id };
      });
      const survey = await this.survey({ job, table, reading, form_id, order }, run);
      if (job.job_place['surveyed'] !== true)
        await this.db.write(() => this.runs.recordStep(job, { more: survey.rows, place: { surveyed: true } }));
      const work: Work = { job, order, table, reading, form_id, survey };
      return order.on_error === 'abort' ? await this.asOne(work, run) : await this.inBatches(work, run);
    } finally {
      await table.close();
    }
  }

  /** Reads the table once: what is beyond its bounds is found before anything is written. Rows of which none may fail are staged as they are to be written. */
  private async survey(work: Omit<Work, 'survey'>, run: JobRun): Promise<Survey> {
    const { job, table, reading, order } = work;
    const last = new Map<string, number>();
    const staged = order.on_error === 'abort' ? await this.whole.last(job.job_id) : Infinity;
    const turns = new LoopTurns();
    let rows = 0;
    for await (const batch of batches(table.rows(), 0)) {
      rows += batch.length;
      reading.look(batch);
      run.signal.throwIfAborted();
      await run.heartbeat();
      if (order.mode === 'upsert')
        for (const { number, values, fault } of batch) {
          if (turns.isOver) await turns.next();
          const wish = fault === undefined ? reading.reader.read(values, 'aside').wish : null;
          const key = wish && reading.keyOf(wish);
          if (key !== null) last.set(key, number);
        }
      if ((batch.at(-1)?.number ?? 0) <= staged) continue;
      const cleaned = new Map(await this.cleanedOf(work, batch, run.signal));
      await this.whole.stage(
        job.job_id,
        batch.map((row): StagedRow => ({
          ...row,
          values: mappedValues(row.values, reading.mapping),
          ...(cleaned.has(row.number) ? { clean: cleaned.get(row.number) } : {}),
        })),
        () => this.runs.recordStep(job, {}),
      );
    }
    return { rows, last };
  }

  /** What became of the texts of a batch that hold HTML. */
  private async cleanedOf(
    { reading, form_id }: Pick<Work, 'reading' | 'form_id'>,
    batch: readonly TableRecord[],
    signal: AbortSignal,
  ): Promise<[number, CleanWish | FieldFault][]> {
    if (form_id !== null) return [];
    const wishes: { readonly number: number; readonly wish: RecordWish }[] = [];
    const turns = new LoopTurns();
    for (const { number, values, fault } of batch) {
      if (turns.isOver) await turns.next();
      const wish = fault === undefined ? reading.reader.read(values, 'aside').wish : null;
      if (wish) wishes.push({ number, wish });
    }
    const cleaned = await this.bodies.cleanAll(
      form_id,
      wishes.map(({ wish }) => wish),
      signal,
    );
    return wishes.flatMap(({ number, wish }, at): [number, CleanWish | FieldFault][] => {
      const outcome = cleaned[at];
      return outcome && ('code' in outcome || outcome.rec_content !== wish.rec_content) ? [[number, outcome]] : [];
    });
  }

  private async inBatches(work: Work, run: JobRun): Promise<RunOutcome> {
    const { job } = work;
    const done = typeof job.job_place['row'] === 'number' ? job.job_place['row'] : 0;
    for await (const rows of batches(work.table.rows(), done)) {
      run.signal.throwIfAborted();
      const acting = await this.acting(job);
      const cleaned = new Map(await this.cleanedOf(work, rows, run.signal));
      const named = await work.reading.namesIn(rows, acting);
      // Reading lets other work have its turns, for which no lock is held.
      const prepared = await this.prepared(work, rows, { cleaned, named });
      await this.db.write(async () => {
        const { refused, ...counts } = await this.write(work, prepared, acting);
        await this.faults.add(job.job_id, refused);
        await this.runs.recordStep(job, {
          ...counts,
          done: rows.length - refused.length,
          failed: refused.length,
          place: { row: rows.at(-1)?.number ?? done },
        });
      });
      await run.heartbeat();
    }
    const report = await this.report(job.job_id);
    return { status: report === null ? 'completed' : 'partial', report };
  }

  /** Either all rows are written or none. */
  private async asOne(work: Work, run: JobRun): Promise<RunOutcome> {
    const { job, form_id, survey } = work;
    // Written by a run that ended before it could say so.
    if (job.job_place['written'] === true) return { status: 'completed' };
    const { form } = await this.db.read(() => this.shapes.forReading({ form_id }));
    const refused = await this.whole.write<StagedRow, RowFaults>({
      job_id: job.job_id,
      form,
      signal: run.signal,
      heartbeat: () => run.heartbeat(),
      write: async (rows) => {
        if (!(await this.jobs.isRunning(job))) throw new WorkEnded();
        const cleaned = new Map(rows.flatMap(({ number, clean }) => (clean ? [[number, clean] as const] : [])));
        const acting = await this.acting(job);
        const named = await work.reading.namesIn(rows, acting);
        return this.write(work, await this.prepared(work, rows, { cleaned, named }), acting);
      },
      finish: (counts) => this.runs.recordStep(job, { ...counts, done: survey.rows, place: { written: true } }),
    });
    if (refused.length === 0) return { status: 'completed' };
    await this.db.write(async () => {
      await this.faults.add(job.job_id, refused);
      await this.runs.recordStep(job, { failed: refused.length });
    });
    return {
      status: 'failed',
      error: `${refused.length} of ${survey.rows} rows are not valid, and nothing was written. The job names them.`,
      report: await this.report(job.job_id),
    };
  }

  private async prepared({ order, reading, survey }: Work, rows: readonly TableRecord[], { cleaned, named }: RowFacts): Promise<Prepared> {
    const refused: RowFaults[] = [];
    const entries: { readonly row: number; readonly wish: CleanWish }[] = [];
    const turns = new LoopTurns();
    for (const { number, values, fault } of rows) {
      if (turns.isOver) await turns.next();
      const read =
        fault === undefined
          ? reading.reader.read(values, named)
          : { wish: null, faults: [unreadableRow(fault)] };
      const repeated = read.wish && order.mode === 'upsert' ? keyFault({ order, reading, survey }, reading.keyOf(read.wish), number) : undefined;
      const clean = read.wish && (cleaned.get(number) ?? { ...read.wish, isClean: true as const });
      if (!clean || repeated) refused.push({ row: number, faults: repeated ? [repeated] : read.faults });
      else if ('code' in clean) refused.push({ row: number, faults: [columnOfFault(RECORD_ROWS, clean, reading.mapping)] });
      else entries.push({ row: number, wish: { ...clean, ...(order.rec_status ? { rec_status: order.rec_status } : {}) } });
    }
    return { entries, refused };
  }

  private async write({ job, order, reading }: Work, { entries, refused: unread }: Prepared, acting: Principal): Promise<Batch> {
    await this.access.keep(acting, job.job_base, 'edit');
    const refused = [...unread];
    const written = await this.writer.writeMany(
      job.job_base,
      entries.map(({ wish }) => wish),
      { source: 'import', mode: order.mode, ...(order.key !== undefined && order.key !== 'rec_external_id' ? { key: order.key } : {}) },
      acting,
    );
    for (const [at, { row }] of entries.entries()) {
      const outcome = written[at];
      if (outcome?.outcome === 'refused')
        refused.push({ row, faults: outcome.issues.map((issue) => columnOfFault(RECORD_ROWS, issue, reading.mapping)) });
    }
    const count = (outcome: Written['outcome']): number => written.filter((one) => one.outcome === outcome).length;
    return { created: count('created'), updated: count('updated'), unchanged: count('unchanged'), refused };
  }

  private acting(job: KnowledgeJob): Promise<Principal> {
    return this.runs.findAsker(job, { permission: 'knowledge-base:write' });
  }

  /** A CSV of the rows that were not taken, with column and reason; null where there are none. */
  private async report(job_id: string): Promise<string | null> {
    const first = await this.faults.of(job_id).next();
    if (first.done === true) return null;
    const { faults } = this;
    async function* rows(): AsyncGenerator<(string | number)[]> {
      yield ['row', 'column', 'code', 'reason'];
      for await (const { fault_row, fault_field, fault_code, fault_reason } of faults.of(job_id))
        yield [fault_row, fault_field, fault_code, fault_reason];
    }
    return (await this.objects.put(job_id, 'report', Tabular.write(rows(), { format: 'csv' }), 'text/csv')).key;
  }
}

function keyFault(
  { order: { key: by = RECORD_ROWS.external_id }, reading: { mapping }, survey: { last } }: Pick<Work, 'order' | 'reading' | 'survey'>,
  key: string | null,
  row: number,
): FieldFault | undefined {
  if (key === null) return missingKey(by, mapping);
  const counted = last.get(key);
  return counted === undefined || counted === row ? undefined : repeatedKey(by, mapping, counted);
}

/** Rows behind a place, so many at once. */
async function* batches(rows: AsyncIterable<TableRecord>, behind: number): AsyncGenerator<readonly TableRecord[]> {
  let batch: TableRecord[] = [];
  for await (const row of rows) {
    if (row.number <= behind) continue;
    batch.push(row);
    if (batch.length < AT_ONCE) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
