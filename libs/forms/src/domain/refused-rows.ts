import type { FieldFault } from '@atrium/platform/kernel';

/** A row that is not valid. */
export interface RefusedRow {
  readonly faults: readonly FieldFault[];
}

/** Faults of one import that are listed. All of them are counted. */
export const MOST_LISTED_FAULTS = 10_000;

/** A value that is taken may be free once the batches before have been written. */
const isRefusedAnyway = ({ faults }: RefusedRow): boolean => faults.some(({ code }) => code !== 'unique');

/** The rows of an import that are not valid: the first of them with their faults, and how many there are. */
export class RefusedRows<F extends RefusedRow> {
  readonly listed: F[] = [];
  /** Rows, listed or not. */
  count = 0;
  /** Faults of rows that are not listed. */
  unlisted = 0;
  /** Whether one of them is not valid whatever is written before it. */
  isFinal = false;
  private faults = 0;

  addRows(rows: readonly F[]): void {
    for (const row of rows) {
      this.count += 1;
      this.isFinal ||= isRefusedAnyway(row);
      const { length } = row.faults;
      if (this.unlisted > 0 || this.faults + length > MOST_LISTED_FAULTS) this.unlisted += length;
      else {
        this.faults += length;
        this.listed.push(row);
      }
    }
  }
}
