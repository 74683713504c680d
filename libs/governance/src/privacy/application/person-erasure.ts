import { Injectable } from '@nestjs/common';
import type { ContextReport, TableReport } from '../domain/privacy-request';
import { PersonRows, type Position } from '../infrastructure/person-rows';
import { PersonDataSources, tablesOf, type PersonColumn, type PersonData, type PersonRun } from '../../shared/application/person-data';
import type { PersonSubject } from '../../shared/domain/person-subject';

const ROWS_AT_ONCE = 1_000;
const ROWS_A_STRETCH = 5_000;

/** Does with every registered column what its context said, context by context. Doing it again changes nothing more. */
@Injectable()
export class PersonErasure {
  constructor(
    private readonly sources: PersonDataSources,
    private readonly rows: PersonRows,
  ) {}

  /** The contexts in the order in which they are processed, each with its number of tables. */
  contexts(): readonly (readonly [context: string, tables: number])[] {
    return this.sources.all().map((source) => [source.context, tablesOf(source).size]);
  }

  /** Erases the person from one context. */
  async erase(context: string, subject: PersonSubject, run: PersonRun): Promise<ContextReport> {
    const source = this.sources.all().find((one) => one.context === context);
    const report: Record<string, TableReport> = {};
    for (const [table, columns] of source ? tablesOf(source) : []) {
      run.signal.throwIfAborted();
      if (source) report[table] = await this.eraseTable(source, table, columns, subject, run);
      await run.heartbeat();
    }
    return report;
  }

  private async eraseTable(
    source: PersonData,
    table: string,
    columns: readonly PersonColumn[],
    subject: PersonSubject,
    run: PersonRun,
  ): Promise<TableReport> {
    const own = source.own?.[table]?.erase;
    const changed = own ? await own(subject, run) : 0;
    const isDeleted = columns.some(({ on_erase }) => on_erase === 'delete');
    const deleted = own ? (isDeleted ? changed : 0) : await this.delete(table, columns, subject, run);
    const anonymized = own ? (isDeleted ? 0 : changed) : await this.anonymize(table, columns, subject, run);
    const staying = columns.filter(({ on_erase }) => on_erase === 'keep');
    const kept = staying.length > 0 ? await this.rows.count(table, staying, subject) : 0;
    return {
      exported: 0,
      deleted,
      anonymized,
      kept,
      kept_because: kept > 0 ? [...new Set(staying.map(({ because }) => because))].join(' ') : null,
    };
  }

  private async delete(table: string, columns: readonly PersonColumn[], subject: PersonSubject, run: PersonRun): Promise<number> {
    let total = 0;
    for (const column of columns.filter(({ on_erase }) => on_erase === 'delete'))
      total += await repeated(run, () => this.rows.remove(table, column, subject, ROWS_AT_ONCE));
    return total;
  }

  private async anonymize(table: string, columns: readonly PersonColumn[], subject: PersonSubject, run: PersonRun): Promise<number> {
    const emptied = columns.filter(({ on_erase, subject: kind }) => on_erase === 'anonymize' && kind !== 'mention');
    const mentioning = columns
      .filter(({ on_erase, subject: kind }) => on_erase === 'anonymize' && kind === 'mention')
      .map(({ column }) => column);
    let total = 0;
    for (const column of emptied) total += await repeated(run, () => this.rows.blank(table, column, subject, ROWS_AT_ONCE));
    if (mentioning.length === 0 || subject.email === null) return total;
    for (let after: Position | null = null; ;) {
      const { found, next }: { found: number; next: Position | null } = await this.rows.unmention(
        table,
        mentioning,
        subject.email,
        after,
        ROWS_A_STRETCH,
      );
      total += found;
      if (next === null) return total;
      after = next;
      await pass(run);
    }
  }
}

/** Batches until one is not full. */
export async function repeated(run: PersonRun, batch: () => Promise<number>): Promise<number> {
  for (let total = 0; ; await pass(run)) {
    const changed = await batch();
    total += changed;
    if (changed === 0) return total;
  }
}

async function pass(run: PersonRun): Promise<void> {
  run.signal.throwIfAborted();
  await run.heartbeat();
}
