import { Injectable } from '@nestjs/common';
import { mappedValues, WholeImports } from '@atrium/forms';
import { ActingCallers } from '@atrium/identity';
import { ImportTables, type RowFaults } from '@atrium/imports';
import { permissionDenied, type Principal } from '@atrium/platform/access';
import { Database, requireScope } from '@atrium/platform/database';
import { LoopTurns, Outage, Problem, type JsonObject } from '@atrium/platform/kernel';
import { BackgroundJobs, PermanentFailure, type JobRun } from '@atrium/platform/messaging';
import type { RowSource, TableRecord } from '@atrium/platform/tabular';
import type { ObjectImport } from '../domain/object-import';
import { ImportEnded, ImportsOfJobs, type ImportCounts } from '../infrastructure/imports.rows';
import { ImportBatches, type LastRows, type ReadBatch, type WrittenBatch } from './import-batch';
import { ImportReadings, type ImportReading } from './import-reading';

const AT_ONCE = 500;
const SERVER_FAULT = 500;
const ASKER_GONE = 'The member or key that asked for this import is gone or has lost its rights. Somebody else can start it.';
const NOTHING: ImportCounts = { created: 0, updated: 0, unchanged: 0, failed: 0 };

interface Work {
  readonly job_id: string;
  readonly order: ObjectImport;
  readonly table: RowSource;
  readonly reading: ImportReading;
  readonly last: LastRows;
  readonly total: number;
}

/**
 * Writes the rows of a table as objects: 500 at a time, each batch with its faults and with the place where the next one begins
 * in one unit of work; or all of them in one where none may fail, of what is staged while the file is read. A run that is cut off goes on behind the last batch.
 */
@Injectable()
export class ImportRun {
  constructor(
    private readonly db: Database,
    private readonly tables: ImportTables,
    private readonly readings: ImportReadings,
    private readonly batches: ImportBatches,
    private readonly imports: ImportsOfJobs,
    private readonly whole: WholeImports,
    private readonly jobs: BackgroundJobs,
    private readonly callers: ActingCallers,
  ) {}

  async run(run: JobRun): Promise<JsonObject> {
    try {
      return await this.work(run);
    } catch (error) {
      // A step that another worker was ahead of says nothing of the end: the worker that has the job begins again where the import is.
      if (error instanceof ImportEnded && (await run.cancelled())) return {};
      // What is wrong with the file, the schema or the rights stays wrong.
      if (error instanceof Problem && error.status < SERVER_FAULT && !(error instanceof Outage))
        throw new PermanentFailure(error.detail, { cause: error });
      throw error;
    }
  }

  /** The queue has given the import up, and ends its job: the result says what was written, and which rows were refused. */
  giveUp(job_id: string): Promise<void> {
    return this.db.write(async () => {
      if (await this.imports.find(job_id)) await this.jobs.report(job_id, await this.imports.result(job_id));
    });
  }

  private async work(run: JobRun): Promise<JsonObject> {
    const { job_id } = run;
    const found = await this.db.read(() => this.imports.find(job_id));
    if (!found) throw new PermanentFailure('The import is gone. Start it again.');
    const order = found.imp_order;
    const source = await this.tables.find(await this.acting(), order);
    const table = await source.open();
    try {
      const columns = await table.columns();
      const reading = await this.db.read(async () =>
        this.readings.of(await this.readings.schema(order.obj_form), { columns, isJson: source.isJson }, order),
      );
      const { total, last } = await this.survey(table, reading, order, run);
      if (found.imp_total === null) await this.db.write(() => this.imports.setTotal(job_id, total));
      const work: Work = { job_id, order, table, reading, last, total };
      if (order.on_error !== 'abort') await this.inBatches(work, found.imp_row, run);
      else if (found.imp_row === 0) await this.asOne(work, run);
    } finally {
      await table.close();
    }
    // The order goes with the end of the job, in one unit of work: a job without its order could not be run again.
    return this.db.write(async () => {
      const result = await this.imports.result(job_id);
      await this.jobs.complete(job_id, result, 'row');
      return result;
    });
  }

  /** Reads the table once: what exceeds its bounds is found before anything is written. Rows of which none may fail are staged. */
  private async survey(
    table: RowSource,
    reading: ImportReading,
    order: ObjectImport,
    run: JobRun,
  ): Promise<{ readonly total: number; readonly last: LastRows }> {
    const last = new Map<string, number>();
    const staged = order.on_error === 'abort' ? await this.whole.last(run.job_id) : Infinity;
    const turns = new LoopTurns();
    let total = 0;
    for await (const rows of batchesOf(table.rows(), 0)) {
      run.signal.throwIfAborted();
      total += rows.length;
      reading.look(rows);
      for (const { number, values, fault } of rows) {
        if (order.mode !== 'upsert' || fault !== undefined) continue;
        if (turns.isOver) await turns.next();
        const { facts } = reading.reader.read(values, 'aside');
        const key = facts && reading.keyOf(reading.valueOf(facts));
        if (key !== null) last.set(key, number);
      }
      if ((rows.at(-1)?.number ?? 0) > staged)
        await this.whole.stage(
          run.job_id,
          rows.map((row) => ({ ...row, values: mappedValues(row.values, reading.mapping) })),
          () => this.keep(run.job_id),
        );
      await run.heartbeat();
    }
    return { total, last };
  }

  private async inBatches(work: Work, begun: number, run: JobRun): Promise<void> {
    let from = begun;
    for await (const rows of batchesOf(work.table.rows(), from)) {
      run.signal.throwIfAborted();
      const acting = await this.acting();
      const to = rows.at(-1)?.number ?? from;
      const place = { from, to };
      const read = await this.read(work, rows, acting);
      await this.db.write(async () => {
        const written = await this.write(read, acting);
        await this.imports.addFaults(work.job_id, written.refused);
        await this.count(work, place, written);
      });
      from = to;
      await run.heartbeat();
    }
  }

  /** Either all rows are written or none. */
  private async asOne(work: Work, run: JobRun): Promise<void> {
    const { job_id, order, total } = work;
    const form = await this.db.read(() => this.readings.schema(order.obj_form));
    const refused = await this.whole.write<TableRecord, RowFaults>({
      job_id,
      form,
      signal: run.signal,
      heartbeat: () => run.heartbeat(),
      write: async (rows) => {
        const acting = await this.acting();
        return this.write(await this.read(work, rows, acting), acting);
      },
      finish: (counts) => this.count(work, { from: 0, to: total }, { ...counts, failed: 0 }),
    });
    if (refused.length > 0) await this.abort(work, refused);
  }

  /** Within the unit of work of a step: the job stays until it has ended, and one that is over gets no more rows. */
  private async keep(job_id: string): Promise<void> {
    if (!(await this.jobs.keep(job_id))) throw new ImportEnded();
  }

  /** The job fails, and its result names the rows. */
  private async abort({ job_id, total }: Work, refused: readonly RowFaults[]): Promise<never> {
    const reason = `${refused.length} of ${total} rows are not valid, and nothing was written. The job names them.`;
    await this.db.write(async () => {
      await this.imports.addFaults(job_id, refused);
      await this.imports.advance(job_id, { from: 0, to: 0 }, { ...NOTHING, failed: refused.length });
      await this.jobs.progress(job_id, { done: 0, total, failed: refused.length });
      await this.jobs.report(job_id, await this.imports.result(job_id));
      await this.jobs.fail(job_id, reason);
    });
    throw new PermanentFailure(reason);
  }

  private read({ order, reading, last }: Work, rows: readonly TableRecord[], acting: Principal): Promise<ReadBatch> {
    return this.batches.read({ order, reading, last, rows }, acting);
  }

  private async write(batch: ReadBatch, acting: Principal): Promise<WrittenBatch> {
    return this.batches.write(await this.readings.schema(batch.order.obj_form, 'share'), batch, acting);
  }

  /** Within the unit of work of the step: a step that was overtaken, or whose job was cancelled, is undone. */
  private async count({ job_id, total }: Work, place: { readonly from: number; readonly to: number }, counts: ImportCounts): Promise<void> {
    const { created, updated, unchanged, failed } = await this.imports.advance(job_id, place, counts);
    if (!(await this.jobs.report(job_id, { created, updated, unchanged, failed, errors: [] }))) throw new ImportEnded();
    await this.jobs.progress(job_id, { done: created + updated + unchanged, total, failed });
  }

  /** Who asked for the import, with the rights of this moment; asked before each batch. */
  private async acting(): Promise<Principal> {
    const { user_id, key_id } = requireScope().actor;
    if (user_id === null) throw new PermanentFailure(ASKER_GONE);
    const caller = await this.callers.of({ user_id, key_id }).catch((error: unknown) => {
      throw error instanceof Problem && error.status < SERVER_FAULT ? new PermanentFailure(ASKER_GONE, { cause: error }) : error;
    });
    const lacking = (['object:create', 'object:edit'] as const).filter((permission) => !caller.permissions.has(permission));
    if (lacking.length > 0) throw permissionDenied(lacking);
    return caller;
  }
}

/** Rows behind a place, so many at once. */
async function* batchesOf(rows: AsyncIterable<TableRecord>, behind: number): AsyncGenerator<readonly TableRecord[]> {
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
