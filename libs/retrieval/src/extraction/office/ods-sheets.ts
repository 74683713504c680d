import { ShiftedText, type Shift } from '@atrium/platform/kernel';
import type { XmlElement, XmlHandler } from '@atrium/platform/tabular';
import { escapeMarkdown } from '../text/markdown-syntax';
import { isLeftOut, type Setting } from './odf-shown';

/** A row by the columns that hold something, as markdown. */
export type SheetRow = ReadonlyMap<number, string>;

export interface Sheet {
  readonly name: string;
  readonly hidden: boolean;
  readonly rows: SheetRow[];
  readonly hiddenRows: Set<SheetRow>;
  readonly hiddenColumns: Set<number>;
  /** Text of shapes that are over the sheet. */
  readonly besides: string[];
}

export interface SheetBounds {
  /** Rows of all sheets together. */
  readonly rows: number;
  readonly characters: number;
  /** Places of rows that are filled, merged or covered: a few bytes repeat a cell over all columns. */
  readonly places: number;
}

const SHIFTS: ReadonlyMap<string, Shift> = new Map(Object.entries<Shift>({ sup: 'raised', sub: 'lowered' }));
/** Columns a sheet may have. */
const WIDEST = 16_384;
/** Characters of markdown that a place in a table takes at least, though its cell is empty. */
const PLACE = 3;

interface Row {
  readonly cells: Map<number, string>;
  readonly repeated: number;
  readonly hidden: boolean;
  column: number;
}

interface Cell {
  readonly lines: string[];
  readonly repeated: number;
  readonly across: number;
  readonly down: number;
  readonly value: string;
}

/** The sheets of a spreadsheet as they show. Rows and cells that repeat are repeated within the bounds, merged ones are filled. */
export class OdsSheets implements XmlHandler {
  readonly sheets: Sheet[] = [];
  /** A bound was met. */
  isCut = false;
  private sheet: Sheet | undefined;
  private row: Row | undefined;
  private cell: Cell | undefined;
  private line: ShiftedText | undefined;
  /** Of the spans that are open. */
  private readonly shifts: (Shift | undefined)[] = [];
  private readonly merged = new Map<number, { readonly text: string; readonly until: number }>();
  private widest = 0;
  /** The next one that the sheet describes. */
  private column = 0;
  private tables = 0;
  private leaving = 0;
  private inBody = false;
  private rowsLeft: number;
  private charactersLeft: number;
  private placesLeft: number;
  /** Places that the tables before this one take. */
  private placesBefore = 0;
  private readonly mostCharacters: number;

  constructor(
    private readonly setting: Setting,
    bounds: SheetBounds,
  ) {
    this.rowsLeft = bounds.rows;
    this.charactersLeft = bounds.characters;
    this.placesLeft = bounds.places;
    this.mostCharacters = bounds.characters;
  }

  open(element: XmlElement): void {
    const { name } = element;
    if (name === 'body') this.inBody = true;
    if (!this.inBody) return this.setting.styles.open(element);
    if (this.leaving > 0 || (name !== 'covered-table-cell' && isLeftOut(element, this.setting))) {
      this.leaving++;
      return;
    }
    if (name === 'table') this.beginTable(element);
    else if (name === 'table-row' && this.tables === 1) this.row = rowOf(element);
    else if (name === 'table-column' && this.tables === 1) this.beginColumns(element);
    else if (name === 'table-cell' && this.tables === 1) this.cell = cellOf(element);
    else if (name === 'covered-table-cell' && this.tables === 1) this.cover(countOf(element, 'columns-repeated'));
    else if (name === 'p' || name === 'h') this.line = new ShiftedText();
    else if (name === 'span')
      this.shifts.push(SHIFTS.get(this.setting.styles.shiftOf(element.attribute('style-name')) ?? '') ?? this.shifts.at(-1));
    else if (name === 's' || name === 'tab' || name === 'line-break') this.text(' ');
  }

  text(text: string): void {
    if (this.leaving === 0 && this.line !== undefined) this.line.add(text, this.shifts.at(-1));
    else this.setting.words.leaveOut(text);
  }

  close(name: string): void {
    if (!this.inBody) return this.setting.styles.close(name);
    if (this.leaving > 0) {
      this.leaving--;
      return;
    }
    if (name === 'span') this.shifts.pop();
    else if (name === 'p' || name === 'h') this.endLine();
    else if (name === 'table') this.endTable();
    else if (name === 'table-row' && this.tables === 1) this.endRow();
    else if (name === 'table-cell' && this.tables === 1) this.endCell();
  }

  private beginTable(element: XmlElement): void {
    if (++this.tables > 1) return;
    const name = element.attribute('name') ?? `Sheet ${this.sheets.length + 1}`;
    this.sheet = {
      name,
      hidden: this.setting.styles.isHidden('table', element.attribute('style-name')),
      rows: [],
      hiddenRows: new Set(),
      hiddenColumns: new Set(),
      besides: [],
    };
    this.sheets.push(this.sheet);
    this.merged.clear();
    this.widest = 0;
    this.column = 0;
  }

  private beginColumns(element: XmlElement): void {
    const end = Math.min(WIDEST, this.column + countOf(element, 'columns-repeated'));
    for (; this.column < end; this.column++) if (isHidden(element)) this.sheet?.hiddenColumns.add(this.column);
  }

  private endTable(): void {
    if (--this.tables > 0) return;
    this.placesBefore += (this.sheet?.rows.length ?? 0) * (this.widest + 1);
    this.sheet = undefined;
  }

  private endLine(): void {
    const line = this.line?.end().trim() ?? '';
    this.line = undefined;
    if (line === '') return;
    this.charactersLeft -= line.length;
    if (this.charactersLeft < 0) this.isCut = true;
    else if (this.cell) this.cell.lines.push(line);
    else this.sheet?.besides.push(line);
  }

  private endCell(): void {
    const { cell, row } = this;
    this.cell = undefined;
    if (!cell || !row) return;
    const text = escapeMarkdown(cell.lines.length > 0 ? cell.lines.join(' ') : cell.value);
    if (text === '') row.column += cell.repeated;
    else this.put(row, cell, text);
  }

  /** Cells that repeat are side by side, so that what they are merged with is one stretch of columns. */
  private put(row: Row, { repeated, across, down }: Cell, text: string): void {
    const first = row.column;
    const end = Math.min(WIDEST, first + repeated);
    const merged = across > 1 || down > 1 ? Math.min(WIDEST, end - 1 + across) : first;
    if (!this.spend(Math.max(end, merged) - first)) return;
    const until = (this.sheet?.rows.length ?? 0) + down;
    for (; row.column < end; row.column++) row.cells.set(row.column, text);
    for (let column = first; column < merged; column++) this.merged.set(column, { text, until });
  }

  private cover(count: number): void {
    const { row } = this;
    if (!row) return;
    const at = this.sheet?.rows.length ?? 0;
    const end = Math.min(WIDEST, row.column + count);
    if (!this.spend(end - row.column)) return;
    for (; row.column < end; row.column++) {
      const merged = this.merged.get(row.column);
      if (merged && merged.until > at) row.cells.set(row.column, merged.text);
    }
  }

  /** Whether so many places may be looked at; where not, nothing more of the sheets is read. */
  private spend(places: number): boolean {
    this.placesLeft -= Math.max(0, places);
    if (this.placesLeft < 0) this.isCut = true;
    return this.placesLeft >= 0;
  }

  private endRow(): void {
    const { row, sheet } = this;
    this.row = undefined;
    if (!row || !sheet || row.cells.size === 0) return;
    for (const column of row.cells.keys()) this.widest = Math.max(this.widest, column);
    if (row.hidden) sheet.hiddenRows.add(row.cells);
    for (let count = 0; count < row.repeated; count++) {
      if (this.rowsLeft <= 0 || (this.placesBefore + (sheet.rows.length + 1) * (this.widest + 1)) * PLACE > this.mostCharacters) {
        this.isCut = true;
        this.placesLeft = 0;
        return;
      }
      this.rowsLeft--;
      sheet.rows.push(row.cells);
    }
  }
}

const isHidden = (element: XmlElement): boolean => /^(?:collapse|filter)$/.test(element.attribute('visibility') ?? '');

const rowOf = (element: XmlElement): Row => ({
  cells: new Map(),
  repeated: countOf(element, 'rows-repeated'),
  hidden: isHidden(element),
  column: 0,
});

const countOf = (element: XmlElement, what: string): number => {
  const count = Number(element.attribute(`number-${what}`) ?? 1);
  return Number.isSafeInteger(count) && count > 0 ? count : 1;
};

/** A cell whose value shows no text of its own has the value itself, but for those of formulas that show nothing. */
const cellOf = (element: XmlElement): Cell => ({
  lines: [],
  repeated: countOf(element, 'columns-repeated'),
  across: countOf(element, 'columns-spanned'),
  down: countOf(element, 'rows-spanned'),
  value: (
    element.attribute('value') ??
    element.attribute('string-value') ??
    element.attribute('date-value') ??
    element.attribute('boolean-value') ??
    ''
  ).slice(0, 100),
});
