import { Injectable } from '@nestjs/common';
import type { ContextReport, TableReport } from '../domain/privacy-request';
import { PersonMentions, isNamed, type Staying } from '../infrastructure/person-mentions.rows';
import { PersonRows, type Position, type Stretch } from '../infrastructure/person-rows';
import { PersonDataSources, tablesOf, type PersonColumn, type PersonData, type PersonRun } from '../../shared/application/person-data';
import type { PersonSubject } from '../../shared/domain/person-subject';
import { PersonTexts } from './person-texts';

const ROWS_AT_ONCE = 1_000;

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
  ) {}

  /** The contexts in the order in which they are processed, each with its number of tables. */
  contexts(): Promise<readonly (readonly [context: string, tables: number])[]> {
    return Promise.all(
      this.sources.all().map(async (source): Promise<[string, number]> => [source.context, (await this.tables(source)).size]),
    );
  }

  /** Erases the person from one context. */
  async erase(context: string, subject: PersonSubject, run: PersonRun): Promise<ContextReport> {
    const source = this.sources.all().find((one) => one.context === context);
    const report: Record<string, TableReport> = {};
    for (const [table, columns] of source ? await this.tables(source) : []) {
      run.signal.throwIfAborted();
      report[table] = await this.eraseTable(table, columns, subject, run);
      await run.heartbeat();
    }
    return report;
  }

  /** The registered tables of a context in their order, and then those that only have texts. */
  private async tables(source: PersonData): Promise<ReadonlyMap<string, readonly PersonColumn[]>> {
    const tables = new Map(tablesOf(source));
    for (const table of await this.texts.tablesOf(source.context)) if (!tables.has(table)) tables.set(table, []);
    return tables;
  }

  private async eraseTable(table: string, columns: readonly PersonColumn[], subject: PersonSubject, run: PersonRun): Promise<TableReport> {
    const { erase, deletes } = this.sources.ownOf(table);
    const changed = erase ? await erase(subject, run) : 0;
    const isDeleted = deletes ?? columns.some(({ on_erase }) => on_erase === 'delete');
    const deleted = erase ? (isDeleted ? changed : 0) : await this.delete(table, columns, subject, run);
    const anonymized = erase ? (isDeleted ? 0 : changed) : await this.anonymize(table, columns, subject, run);
    const redacted = await this.redact(table, subject, run);
    const kept = await this.kept(table, columns, subject, run);
    return { exported: 0, deleted, anonymized: anonymized + redacted, ...kept };
  }

  private async delete(table: string, columns: readonly PersonColumn[], subject: PersonSubject, run: PersonRun): Promise<number> {
    let total = 0;
    for (const column of columns.filter(({ on_erase }) => on_erase === 'delete'))
      total += await repeated(run, () => this.rows.remove(table, column, subject, ROWS_AT_ONCE));
    return total;
  }

  private async anonymize(table: string, columns: readonly PersonColumn[], subject: PersonSubject, run: PersonRun): Promise<number> {
    let total = 0;
    for (const column of columns.filter(({ on_erase }) => on_erase === 'anonymize'))
      total += await repeated(run, () => this.rows.blank(table, column, subject, ROWS_AT_ONCE));
    return total;
  }

  private async redact(table: string, subject: PersonSubject, run: PersonRun): Promise<number> {
    const texts = await this.texts.redactedIn(table);
    if (texts.length === 0 || !isNamed(subject)) return 0;
    const { redacted } = this.sources.ownOf(table);
    let total = 0;
    for (let after: Position | null = null; ;) {
      const { found, next }: { found: number; next: Position | null } = await this.mentions.redact(table, texts, subject, {
        after,
        limit: ROWS_AT_ONCE,
        redacted,
      });
      total += found;
      if (next === null) return total;
      after = next;
      await pass(run);
    }
  }

  /** What stays by a rule: rows under the person's id, and texts in which the person stays mentioned. */
  private async kept(
    table: string,
    columns: readonly PersonColumn[],
    subject: PersonSubject,
    run: PersonRun,
  ): Promise<Pick<TableReport, 'kept' | 'kept_because'>> {
    const staying = columns.filter(({ on_erase }) => on_erase === 'keep');
    const texts = await this.texts.stayingIn(table);
    const asked = { columns: staying, texts: texts.map(({ column }) => column) };
    let [owned, mentioned] = [0, 0];
    for (let after: Position | null = null; ;) {
      const { found, next }: Stretch<Staying> = await this.mentions.count(table, asked, subject, { after, limit: ROWS_AT_ONCE });
      owned += found.owned;
      mentioned += found.mentioned;
      if (next === null) break;
      after = next;
      await pass(run);
    }
    const reasons = [
      ...(owned > 0 ? staying.map(({ because }) => because) : []),
      ...(mentioned > 0 ? texts.map(({ because }) => because) : []),
    ];
    return { kept: owned + mentioned, kept_because: reasons.length > 0 ? [...new Set(reasons)].join(' ') : null };
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
