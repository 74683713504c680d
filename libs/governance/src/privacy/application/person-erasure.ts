import { Injectable } from '@nestjs/common';
import { Database } from '@atrium/platform/database';
import { LegalHolds } from '../../retention/application/legal-holds';
import type { ContextReport, TableReport } from '../domain/privacy-request';
import { PersonMentions, isNamed, type Staying } from '../infrastructure/person-mentions.rows';
import { PersonRows, type Position, type Some, type Stretch } from '../infrastructure/person-rows';
import { PersonDataSources, tablesOf, type PersonColumn, type PersonData, type PersonRun } from '../../shared/application/person-data';
import type { PersonSubject } from '../../shared/domain/person-subject';
import { PersonTexts } from './person-texts';

const ROWS_AT_ONCE = 1_000;
/** Of tables that legal holds reach: a hold is put or released between two such stretches, and is not kept waiting. */
const HELD_ROWS_AT_ONCE = 100;

/**
 * Erases a person context by context: does with every registered column what its context said, and takes address and name
 * out of all texts that nobody declared to stay. Doing it again changes nothing more.
 */
@Injectable()
export class PersonErasure {
  constructor(
    private readonly sources: PersonDataSources,
    private readonly rows: PersonRows,
    private readonly mentions: PersonMentions,
    private readonly texts: PersonTexts,
    private readonly db: Database,
    private readonly holds: LegalHolds,
  ) {}

  /** The contexts in the order in which they are processed, each with its number of tables. */
  listContexts(): Promise<readonly (readonly [context: string, tables: number])[]> {
    return Promise.all(
      this.sources.listSources().map(async (source): Promise<[string, number]> => [source.context, (await this.tables(source)).size]),
    );
  }

  /**
   * Erases the person from one context. `before` is what became of it in earlier runs, when legal holds kept rows: then again all tables are
   * gone through, because what was held may have been changed in between, and others are derived from it.
   */
  async eraseFromContext(
    context: string,
    subject: PersonSubject,
    run: PersonRun,
    before: ContextReport | null = null,
  ): Promise<ContextReport> {
    const source = this.sources.listSources().find((one) => one.context === context);
    const report: Record<string, TableReport> = { ...before };
    for (const [table, columns] of source ? await this.tables(source) : []) {
      run.signal.throwIfAborted();
      report[table] = added(before?.[table], await this.eraseTable(table, columns, subject, run));
      await run.heartbeat();
    }
    return report;
  }

  /** The registered tables of a context in their order, and then those that only have texts. */
  private async tables(source: PersonData): Promise<ReadonlyMap<string, readonly PersonColumn[]>> {
    const tables = new Map(tablesOf(source));
    for (const table of await this.texts.listTables(source.context)) if (!tables.has(table)) tables.set(table, []);
    return tables;
  }

  private async eraseTable(table: string, columns: readonly PersonColumn[], subject: PersonSubject, run: PersonRun): Promise<TableReport> {
    const { erase, deletes } = this.sources.getOwnTable(table);
    const changed = erase ? await erase(subject, run) : 0;
    const isDeleted = deletes ?? columns.some(({ on_erase }) => on_erase === 'delete');
    const deleted = erase ? (isDeleted ? changed : 0) : await this.delete(table, columns, subject, run);
    const anonymized = erase ? (isDeleted ? 0 : changed) : await this.anonymize(table, columns, subject, run);
    const redacted = await this.redact(table, subject, run);
    const { held, ...kept } = await this.kept(table, columns, subject, run);
    return { exported: 0, deleted, anonymized: anonymized + redacted, ...kept, ...(held > 0 ? { held } : {}) };
  }

  private async delete(table: string, columns: readonly PersonColumn[], subject: PersonSubject, run: PersonRun): Promise<number> {
    let total = 0;
    for (const column of columns.filter(({ on_erase }) => on_erase === 'delete'))
      total += await repeatBatches(run, () => this.settled(table, (some) => this.rows.deleteRows(table, column, subject, some)));
    return total;
  }

  private async anonymize(table: string, columns: readonly PersonColumn[], subject: PersonSubject, run: PersonRun): Promise<number> {
    let total = 0;
    for (const column of columns.filter(({ on_erase }) => on_erase === 'anonymize'))
      total += await repeatBatches(run, () => this.settled(table, (some) => this.rows.blankColumn(table, column, subject, some)));
    return total;
  }

  private async redact(table: string, subject: PersonSubject, run: PersonRun): Promise<number> {
    const texts = await this.texts.listRedactedTexts(table);
    if (texts.length === 0 || !isNamed(subject)) return 0;
    const { redacted } = this.sources.getOwnTable(table);
    let total = 0;
    for (let after: Position | null = null; ;) {
      const at: Position | null = after;
      const { found, next }: Stretch<number> = await this.settled(table, (some) =>
        this.mentions.redactTexts(table, texts, subject, { ...some, after: at, redacted }),
      );
      total += found;
      if (next === null) return total;
      after = next;
      await pass(run);
    }
  }

  /** Nobody puts a hold on rows of the table while some of them are changed. */
  private settled<T>(table: string, change: (some: Some) => Promise<T>): Promise<T> {
    const some = this.some(table);
    if (some.hold === null) return change(some);
    return this.db.write(async () => {
      await this.holds.blockNewHolds();
      return change(some);
    });
  }

  private some(table: string): Some {
    const hold = this.sources.holdOn(table);
    return { limit: hold === null ? ROWS_AT_ONCE : HELD_ROWS_AT_ONCE, hold };
  }

  /**
   * What stays by a rule: rows under the person's id, and texts in which the person stays mentioned. And what legal holds keep of the
   * rest: the person's rows by a column that does not stay or whose context decides itself, and those that mention them.
   */
  private async kept(
    table: string,
    columns: readonly PersonColumn[],
    subject: PersonSubject,
    run: PersonRun,
  ): Promise<Pick<TableReport, 'kept' | 'kept_because'> & { readonly held: number }> {
    const isDecided = this.sources.getOwnTable(table).erase !== undefined;
    const rule = { columns: columns.filter(({ on_erase }) => on_erase === 'keep'), texts: await this.texts.listStayingTexts(table) };
    const staying = { columns: rule.columns, texts: rule.texts.map(({ column }) => column) };
    const some = this.some(table);
    const leaving = {
      columns: some.hold === null ? [] : columns.filter(({ on_erase, tells }) => on_erase !== 'keep' || (isDecided && tells !== 'mark')),
      texts: some.hold === null ? [] : (await this.texts.listRedactedTexts(table)).map(({ column }) => column),
    };
    const total = { owned: 0, mentioned: 0, held: 0 };
    if ([staying, leaving].every((asked) => asked.columns.length + asked.texts.length === 0))
      return { kept: 0, kept_because: null, held: 0 };
    for (let after: Position | null = null; ;) {
      const stretch = { ...some, limit: ROWS_AT_ONCE, after };
      const { found, next }: Stretch<Staying> = await this.mentions.countMentions(table, { staying, leaving }, subject, stretch);
      total.owned += found.owned;
      total.mentioned += found.mentioned;
      total.held += found.held;
      if (next === null) break;
      after = next;
      await pass(run);
    }
    const reasons = [
      ...(total.owned > 0 ? rule.columns.map(({ because }) => because) : []),
      ...(total.mentioned > 0 ? rule.texts.map(({ because }) => because) : []),
    ];
    return {
      kept: total.owned + total.mentioned,
      kept_because: reasons.length > 0 ? [...new Set(reasons)].join(' ') : null,
      held: total.held,
    };
  }
}

/** What became of a table altogether, when it is gone through again. */
const added = (before: TableReport | undefined, now: TableReport): TableReport =>
  before ? { ...now, deleted: before.deleted + now.deleted, anonymized: before.anonymized + now.anonymized } : now;

/** Batches until one is not full. */
export async function repeatBatches(run: PersonRun, batch: () => Promise<number>): Promise<number> {
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
