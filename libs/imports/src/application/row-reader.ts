import type { NamedReferences } from '@atrium/forms';
import { LoopTurns, type FieldFault } from '@atrium/platform/kernel';
import type { TableRecord } from '@atrium/platform/tabular';
import type { ImportOrder } from '../domain/import-order';
import { ColumnsOfTargets, columnOfFault, missingKey, refusedRow, repeatedKey, unreadableRow, type RowFaults } from '../domain/row-faults';
import type { CleanedParts, ImportEntry, ImportTarget } from './import-target';

/** A row that is staged, and what became of its texts where these had to be cleaned. */
export type StagedRecord<W> = TableRecord & { readonly clean?: CleanedParts<W> };

/** Rows as they are to be written, and those that are not. */
export interface ReadBatch<W> {
  readonly entries: readonly ImportEntry<W>[];
  readonly refused: readonly RowFaults[];
}

/** What is found out of rows before they are read. */
interface RowFacts<W> {
  readonly named: NamedReferences;
  readonly cleaned: ReadonlyMap<number, CleanedParts<W>>;
}

/** Rows of one import as what they say. Long loops give way to other work. */
export class RowReader<W extends object> {
  /** For each key the last row that has it: that one counts. */
  private readonly last = new Map<string, number>();
  private readonly turns = new LoopTurns();
  private readonly columns: ColumnsOfTargets;

  constructor(
    private readonly order: Pick<ImportOrder, 'mode' | 'key'>,
    private readonly target: ImportTarget<W>,
  ) {
    this.columns = new ColumnsOfTargets(target.mapping);
  }

  /** Before any row is read for good: what columns and keys there are. */
  async surveyRows(rows: readonly TableRecord[]): Promise<void> {
    this.target.inspectRows(rows);
    if (this.order.mode !== 'upsert') return;
    for (const { number, wish } of await this.wishesOf(rows)) {
      const key = this.target.keyOf(wish);
      if (key !== null) this.last.set(key, number);
    }
  }

  /** What became of the texts of rows that had to be cleaned, by their rows. */
  async cleanRows(rows: readonly TableRecord[], signal: AbortSignal): Promise<RowFacts<W>['cleaned']> {
    if (!this.target.cleanWishes) return new Map();
    const wishes = await this.wishesOf(rows);
    const cleaned = await this.target.cleanWishes(
      wishes.map(({ wish }) => wish),
      signal,
    );
    return new Map(
      wishes.flatMap(({ number }, at) => {
        const outcome = cleaned[at] ?? null;
        return outcome === null ? [] : [[number, outcome] as const];
      }),
    );
  }

  async readBatch(rows: readonly TableRecord[], facts: RowFacts<W>): Promise<ReadBatch<W>> {
    const entries: ImportEntry<W>[] = [];
    const refused: RowFaults[] = [];
    for (const row of rows) {
      if (this.turns.isOver) await this.turns.awaitNextTurn();
      const read = this.readRow(row, facts);
      if ('faults' in read) refused.push(read);
      else entries.push(read);
    }
    return { entries, refused };
  }

  /** A row of which what was stored is not valid, in the words of its table. */
  toRefused(row: number, issues: readonly FieldFault[]): RowFaults {
    const { row: number, faults } = refusedRow(row, issues);
    return { row: number, faults: faults.map((fault) => columnOfFault(this.target.kind, fault, this.columns)) };
  }

  private readRow({ number: row, values, fault }: TableRecord, { named, cleaned }: RowFacts<W>): ImportEntry<W> | RowFaults {
    if (fault !== undefined) return { row, faults: [unreadableRow(fault)] };
    const { wish, faults } = this.target.readRow(values, named);
    if (!wish) return refusedRow(row, faults);
    const key = this.order.mode === 'upsert' ? this.target.keyOf(wish) : null;
    const misled = this.faultOfKey(key, row);
    if (misled) return { row, faults: [misled] };
    const clean = cleaned.get(row);
    if (isFault(clean)) return this.toRefused(row, [clean]);
    return { row, wish: { ...wish, ...clean }, key };
  }

  private faultOfKey(key: string | null, row: number): FieldFault | undefined {
    if (this.order.mode !== 'upsert') return undefined;
    const { key: by = this.target.kind.external_id } = this.order;
    if (key === null) return missingKey(by, this.columns);
    const counted = this.last.get(key);
    return counted === undefined || counted === row ? undefined : repeatedKey(by, this.columns, counted);
  }

  /** What rows say by themselves, without those that say nothing valid. */
  private async wishesOf(rows: readonly TableRecord[]): Promise<readonly { readonly number: number; readonly wish: W }[]> {
    const wishes: { readonly number: number; readonly wish: W }[] = [];
    for (const { number, values, fault } of rows) {
      if (this.turns.isOver) await this.turns.awaitNextTurn();
      const wish = fault === undefined ? this.target.readRow(values, 'aside').wish : null;
      if (wish) wishes.push({ number, wish });
    }
    return wishes;
  }
}

const isFault = (outcome: object | undefined): outcome is FieldFault => outcome !== undefined && 'code' in outcome;
