import { isShownNumber, type ShownNumber } from '@atrium/platform/kernel';

/**
 * What a cell holds; dates and times are ISO 8601 text without a zone, and nothing is null. A number whose text in its program is
 * another than the plain one comes with that text.
 */
export type Cell = string | number | boolean | ShownNumber | null;

/** The text of a cell as its program shows it; nothing for an empty one. */
export const shownText = (cell: Cell): string => (cell === null ? '' : isShownNumber(cell) ? cell.shown : String(cell));

/** A row that holds something. Cells stand at the place of their column; empty ones at its end are left out. */
export interface Row {
  /** As spreadsheets count: from 1, with the header and with empty rows. */
  readonly number: number;
  readonly cells: readonly Cell[];
  /** Why the row could not be read; the rows behind it were. Its only cell is then its unchanged line. */
  readonly fault?: string;
  /** Its sheet does not show the row. */
  readonly hidden?: true;
  /** Columns that its sheet does not show, the same of all of its rows; absent where it shows all. */
  readonly hiddenColumns?: ReadonlySet<number>;
}

/** A sheet of a workbook. */
export interface SheetName {
  readonly name: string;
  readonly hidden: boolean;
}

/** Without the empty cells at its end. */
export function trimmedCells(cells: readonly Cell[]): readonly Cell[] {
  let end = cells.length;
  while (end > 0 && (cells[end - 1] ?? null) === null) end--;
  return end === cells.length ? cells : cells.slice(0, end);
}
