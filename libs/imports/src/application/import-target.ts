import type { NamedReferences, OpenForm } from '@atrium/forms';
import type { Principal } from '@atrium/platform/access';
import type { FieldFault, JsonValue } from '@atrium/platform/kernel';
import type { TableRecord } from '@atrium/platform/tabular';
import type { ImportMapping } from '../domain/import-order';
import type { RowFaults } from '../domain/row-faults';
import type { RowKind } from '../domain/row-kind';

/** What a row says, or why it says nothing that can be written. */
export type ReadRow<W> =
  { readonly wish: W; readonly faults: readonly [] } | { readonly wish: null; readonly faults: readonly FieldFault[] };

/** A row as it is to be written. */
export interface ImportEntry<W> {
  readonly row: number;
  readonly wish: W;
  /** What an upsert finds it by; null where every row is new. */
  readonly key: string | null;
}

/** What became of an entry. */
export type WrittenEntry =
  { readonly outcome: 'created' | 'updated' | 'unchanged' } | { readonly outcome: 'refused'; readonly issues: readonly FieldFault[] };

/** Parts of a wish that were cleaned, or why they could not be. */
export type CleanedParts<W> = Partial<W> | FieldFault;
/** Null: nothing had to be. */
export type Cleaned<W> = CleanedParts<W> | null;

/** How the columns of one table are read. */
export interface ColumnReading {
  readonly mapping: ImportMapping;
  /** Looks at rows before any row is read: what a cell says can depend on others of its column. */
  inspectRows(rows: readonly TableRecord[]): void;
  /** What the names in rows refer to, of what the caller may read. */
  namesIn(rows: readonly TableRecord[], acting: Principal): Promise<NamedReferences>;
  /** The same for wishes that find the same row, however their keys are written; null: the wish has no key. */
  keyOf(wish: object): string | null;
  /** The same for the value of a key. */
  keyOfValue(value: JsonValue): string | null;
}

/** Where the rows of an import go: the port of a context. */
export interface ImportTarget<W extends object> extends ColumnReading {
  readonly kind: RowKind;
  /** A row becomes a wish. Names of what it refers to say nothing until they are known (`aside`). */
  readRow(values: Readonly<Record<string, JsonValue>>, named: NamedReferences | 'aside'): ReadRow<W>;
  /** Writes a batch within a unit of work that is kept or undone: one outcome for each entry, in their order. */
  writeBatch(entries: readonly ImportEntry<W>[], acting: Principal): Promise<readonly WrittenEntry[]>;
  /** The form that numbers rows; null: none does. Within a unit of work, for imports that write all rows or none. */
  findForm(): Promise<OpenForm | null>;
  /** Where wishes hold texts of users that a bounded process has to clean: outside of any unit of work, one outcome for each wish. */
  cleanWishes?(wishes: readonly W[], signal: AbortSignal): Promise<readonly Cleaned<W>[]>;
}

export interface WrittenCounts {
  readonly created: number;
  readonly updated: number;
  readonly unchanged: number;
}

/** A batch that was written, with the rows that were not taken. */
export interface ImportStep extends WrittenCounts {
  readonly refused: readonly RowFaults[];
  /** Behind which row of the file it begins, and its last row. */
  readonly from: number;
  readonly to: number;
  /** Rows of the batch, and of the table. */
  readonly rows: number;
  readonly total: number;
}

/** The job of an import in the tables of its context. What records something is within a unit of work, and throws once the job has ended or is another worker's. */
export interface ImportJob {
  readonly job_id: string;
  /** The last row that is written; a row of the file, or 0. */
  readonly lastRow: number;
  /** Whether a run before has recorded the number of rows. */
  readonly isSurveyed: boolean;
  /** Whether a run before has written all of them, where it is all or none. */
  readonly isWritten: boolean;
  /** Who asked for it, with the rights of this moment. */
  findAsker(): Promise<Principal>;
  /** Locks the job until the unit of work ends. */
  lockRunning(): Promise<void>;
  /** The same without a lock. */
  assertRunning(): Promise<void>;
  recordTotal(total: number): Promise<void>;
  recordBatch(step: ImportStep): Promise<void>;
  /** All rows are written at once. */
  recordAll(counts: WrittenCounts, total: number): Promise<void>;
}
