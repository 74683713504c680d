import { Injectable } from '@nestjs/common';
import { Database, type WorkSize } from '@atrium/platform/database';
import { Problem } from '@atrium/platform/kernel';
import { RefusedRows, type RefusedRow } from '../domain/refused-rows';
import { MOST_STAGED, stagedTexts, type StagedRow } from '../domain/staged-texts';
import { StagedRows, type StagedBytes } from '../infrastructure/staged-rows';
import { NumberRanges } from './number-ranges';
import type { OpenForm } from './open-form';

/** What became of rows. */
export interface WholeBatch<F extends RefusedRow> {
  readonly created: number;
  readonly updated: number;
  readonly unchanged: number;
  /** Rows that are not valid, and why. */
  readonly refused: readonly F[];
}

/** An import that writes all rows of a file or none. */
export interface WholeImport<R extends StagedRow, F extends RefusedRow> {
  /** Rows and numbers are those of this job until it ends. */
  readonly job_id: string;
  /** The form that numbers its rows; null: none does. */
  readonly form: OpenForm | null;
  readonly signal: AbortSignal;
  /** Between two batches of the rehearsal, outside of any unit of work. */
  readonly heartbeat: () => Promise<void>;
  /** Writes rows, within a unit of work that is kept or undone. */
  readonly write: (rows: readonly R[]) => Promise<WholeBatch<F>>;
  /** The last thing in the unit of work that keeps all of them. */
  readonly finish: (counts: Omit<WholeBatch<F>, 'refused'>) => Promise<void>;
}

const ALL_OR_NONE: WorkSize = {
  mayBeLong: 'an import that must not fail writes all of its rows or none, of the database and with no lock that others wait for',
  locksLast: true,
};

/** Rows were refused: what was written before them is undone. */
class Refused<F extends RefusedRow> extends Error {
  constructor(readonly rows: RefusedRows<F>) {
    super('Nothing was imported.');
  }
}

function assertStageable({ job, workspace }: StagedBytes): void {
  if (job > MOST_STAGED.job)
    throw new Problem(
      'payload_too_large',
      'The file is too large to be imported as a whole: its rows exceed 512 MiB. Import it with on_error "skip", or split it.',
    );
  if (workspace > MOST_STAGED.workspace)
    throw new Problem(
      'limit_reached',
      'The running imports of the workspace with on_error "abort" exceed 2 GiB of rows. Start this one when others have ended, or with on_error "skip".',
    );
}

/** What was written is undone, and what became of it is known. */
class Rehearsed<T> extends Error {
  constructor(readonly outcome: T) {
    super('It was a rehearsal.');
  }
}

/**
 * Imports that must not fail. Their rows are staged while their file is read, rehearsed batch by batch in units of work that are
 * undone, and then written in one that reads them from the database, has its automatic numbers already, and locks what others wait
 * for at its end. Nobody sees some of the rows, and nobody waits for them (ADR 53).
 */
@Injectable()
export class AllOrNothingImports {
  constructor(
    private readonly db: Database,
    private readonly staged: StagedRows,
    private readonly numbers: NumberRanges,
  ) {}

  /** The last row of the file that is staged: another run goes on behind it. */
  readLastRow(job_id: string): Promise<number> {
    return this.db.read(() => this.staged.readLastRow(job_id));
  }

  /**
   * Stages a batch as it was read, behind what a run before has staged of it. Each piece has a unit of work of its own that begins with
   * `keep`: it locks the job while it runs, and throws once it has ended. Few bytes of a file may say very much, such as one long text in
   * all of its cells: what is more than can be kept is refused.
   */
  async stageRows(job_id: string, rows: readonly StagedRow[], keep: () => Promise<void>): Promise<void> {
    const staged = await this.readLastRow(job_id);
    for (const { last, text } of stagedTexts(rows.filter(({ number }) => number > staged)))
      await this.db.write(async () => {
        await keep();
        const { job, workspace } = await this.staged.countBytes(job_id);
        const bytes = Buffer.byteLength(text);
        assertStageable({ job: job + bytes, workspace: workspace + bytes });
        await this.staged.addBatch(job_id, last, text);
      });
  }

  /** Writes what is staged; answers the rows for which nothing was written. */
  async writeStaged<R extends StagedRow, F extends RefusedRow>(work: WholeImport<R, F>): Promise<RefusedRows<F>> {
    const { refused, taken } = await this.rehearse(work);
    if (refused.isFinal) return refused;
    // A row whose value was taken in the rehearsal may be written after all, and takes a number then.
    if (work.form) await this.numbers.reserveNumbers(work.job_id, work.form, taken, refused.count);
    try {
      await this.db.write(() => this.numbers.useReserved(work.job_id, () => this.writeAll(work)), ALL_OR_NONE);
      return new RefusedRows();
    } catch (error) {
      if (error instanceof Refused) return (error as Refused<F>).rows;
      throw error;
    }
  }

  /** What would be refused but for rows of other batches and for what others write, and how many numbers the rows take. */
  private async rehearse<R extends StagedRow, F extends RefusedRow>({ job_id, signal, heartbeat, write }: WholeImport<R, F>) {
    const refused = new RefusedRows<F>();
    const taken = new Map<string, number>();
    for await (const rows of this.batches<R>(job_id)) {
      signal.throwIfAborted();
      const batch = await this.undone(async () => ({ refused: (await write(rows)).refused, taken: this.numbers.countTaken() }));
      refused.addRows(batch.refused);
      for (const [key, count] of batch.taken) taken.set(key, (taken.get(key) ?? 0) + count);
      await heartbeat();
    }
    return { refused, taken };
  }

  private async writeAll<R extends StagedRow, F extends RefusedRow>({ job_id, signal, write, finish }: WholeImport<R, F>): Promise<void> {
    const refused = new RefusedRows<F>();
    let [created, updated, unchanged] = [0, 0, 0];
    for await (const rows of this.batches<R>(job_id)) {
      signal.throwIfAborted();
      const batch = await write(rows);
      refused.addRows(batch.refused);
      [created, updated, unchanged] = [created + batch.created, updated + batch.updated, unchanged + batch.unchanged];
    }
    if (refused.count > 0) throw new Refused(refused);
    await finish({ created, updated, unchanged });
  }

  private batches<R extends StagedRow>(job_id: string): AsyncIterable<readonly R[]> {
    return this.staged.readBatches<R>(job_id);
  }

  private async undone<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await this.db.write<never>(async () => {
        throw new Rehearsed(await work());
      });
    } catch (error) {
      if (error instanceof Rehearsed) return (error as Rehearsed<T>).outcome;
      throw error;
    }
  }
}
