import { Injectable } from '@nestjs/common';
import { mappedValues, AllOrNothingImports } from '@atrium/forms';
import type { Principal } from '@atrium/platform/access';
import { Database } from '@atrium/platform/database';
import type { JobRun } from '@atrium/platform/messaging';
import type { RowSource } from '@atrium/platform/tabular';
import type { ImportOrder } from '../domain/import-order';
import type { RowFaults } from '../domain/row-faults';
import type { FoundTable, KnownTable } from './import-tables';
import type { ImportJob, ImportTarget, WrittenCounts } from './import-target';
import { batchesOf } from './row-batches';
import { RowReader, type ReadBatch, type StagedRecord } from './row-reader';

/** One import, as its worker has it. */
interface ImportWork<W extends object> {
  readonly job: ImportJob;
  readonly order: ImportOrder;
  readonly table: FoundTable;
  /** Reads the columns, in a unit of work that writes nothing. */
  readonly openTarget: (table: KnownTable) => Promise<ImportTarget<W>>;
}

/** None of the rows was written, because some are not valid and none may fail. */
export interface ImportAbort {
  readonly reason: string;
  /** The first of them. */
  readonly refused: readonly RowFaults[];
  /** How many rows are not valid, and faults that are not listed. */
  readonly failed: number;
  readonly unlisted: number;
  readonly total: number;
}

interface OpenWork<W extends object> extends ImportWork<W> {
  readonly source: RowSource;
  readonly target: ImportTarget<W>;
  readonly reader: RowReader<W>;
  readonly run: JobRun;
}

/**
 * Writes the rows of a table: 500 at a time, each batch with its faults and with the place where the next one begins in one unit of work; or
 * all of them in one where none may fail, of what is staged while the file is read. A run that is cut off goes on behind the last batch.
 */
@Injectable()
export class ImportRuns {
  constructor(
    private readonly db: Database,
    private readonly whole: AllOrNothingImports,
  ) {}

  /** Null: the rows that are valid are written. */
  async runImport<W extends object>(work: ImportWork<W>, run: JobRun): Promise<ImportAbort | null> {
    const { job, order, table } = work;
    const source = await table.openRows();
    try {
      const columns = await source.columns();
      const target = await this.db.read(() => work.openTarget({ columns, isJson: table.isJson }));
      const open = { ...work, source, target, run, reader: new RowReader(order, target) };
      const total = await this.survey(open);
      if (!job.isSurveyed) await this.db.write(() => job.recordTotal(total));
      if (order.on_error === 'abort') return await this.writeWhole(open, total);
      await this.writeBatches(open, total);
      return null;
    } finally {
      await source.close();
    }
  }

  /** Reads the table once: what is beyond its bounds is found before anything is written. Rows of which none may fail are staged. */
  private async survey<W extends object>({ job, order, source, target, reader, run }: OpenWork<W>): Promise<number> {
    const staged = order.on_error === 'abort' ? await this.whole.readLastRow(job.job_id) : Infinity;
    let total = 0;
    for await (const rows of batchesOf(source.rows(), 0)) {
      run.signal.throwIfAborted();
      total += rows.length;
      await reader.surveyRows(rows);
      if ((rows.at(-1)?.number ?? 0) > staged) {
        const cleaned = await reader.cleanRows(rows, run.signal);
        await this.whole.stageRows(
          job.job_id,
          rows.map((row): StagedRecord<W> => {
            const clean = cleaned.get(row.number);
            return { ...row, values: mappedValues(row.values, target.mapping), ...(clean ? { clean } : {}) };
          }),
          () => job.lockRunning(),
        );
      }
      await run.heartbeat();
    }
    return total;
  }

  private async writeBatches<W extends object>({ job, source, target, reader, run }: OpenWork<W>, total: number): Promise<void> {
    let from = job.lastRow;
    for await (const rows of batchesOf(source.rows(), from)) {
      run.signal.throwIfAborted();
      const acting = await job.findAsker();
      const cleaned = await reader.cleanRows(rows, run.signal);
      // Reading lets other work have its turns, for which no lock is held.
      const batch = await reader.readBatch(rows, { named: await target.namesIn(rows, acting), cleaned });
      const place = { from, to: rows.at(-1)?.number ?? from };
      await this.db.write(async () => {
        await job.recordBatch({ ...(await writeBatch({ target, reader }, batch, acting)), ...place, rows: rows.length, total });
      });
      from = place.to;
      await run.heartbeat();
    }
  }

  /** Either all rows are written or none. */
  private async writeWhole<W extends object>({ job, target, reader, run }: OpenWork<W>, total: number): Promise<ImportAbort | null> {
    // Written by a run that ended before it could say so.
    if (job.isWritten) return null;
    const form = await this.db.read(() => target.findForm());
    const refused = await this.whole.writeStaged<StagedRecord<W>, RowFaults>({
      job_id: job.job_id,
      form,
      signal: run.signal,
      heartbeat: () => run.heartbeat(),
      write: async (rows) => {
        await job.assertRunning();
        const acting = await job.findAsker();
        const cleaned = new Map(rows.flatMap(({ number, clean }) => (clean ? [[number, clean] as const] : [])));
        const batch = await reader.readBatch(rows, { named: await target.namesIn(rows, acting), cleaned });
        return writeBatch({ target, reader }, batch, acting);
      },
      finish: (counts) => job.recordAll(counts, total),
    });
    const { count: failed, listed, unlisted } = refused;
    if (failed === 0) return null;
    const reason = `${failed} of ${total} rows are not valid, and nothing was written. The job names them.`;
    return { reason, refused: listed, failed, unlisted, total };
  }
}

async function writeBatch<W extends object>(
  { target, reader }: Pick<OpenWork<W>, 'target' | 'reader'>,
  { entries, refused: unread }: ReadBatch<W>,
  acting: Principal,
): Promise<WrittenCounts & { readonly refused: readonly RowFaults[] }> {
  const written = await target.writeBatch(entries, acting);
  const refused = [...unread];
  const counts = { created: 0, updated: 0, unchanged: 0 };
  for (const [at, { row }] of entries.entries()) {
    const entry = written[at];
    if (entry?.outcome === 'refused') refused.push(reader.toRefused(row, entry.issues));
    else if (entry) counts[entry.outcome] += 1;
  }
  return { ...counts, refused };
}
