import type { Readable } from 'node:stream';
import type { TabularLimits } from '../limits';
import { damagedFile, tooMany } from '../problems';
import { trimmedCells, type Cell, type Row } from '../row';
import { xmlSteps, type XmlElement, type XmlHandler } from '../xml-events';
import { columnOf } from './merged-cells';
import { isoOf, type TimeFormat } from './number-formats';
import { RichText, unescaped } from './rich-text';
import { cellOfNumber, type NumberShow } from './shown-numbers';

/** Rows and columns that a sheet can have at most. */
const LAST_ROW = 1_048_576;
const LAST_COLUMN = 16_384;

/** What a format makes of the numbers of its cells. */
export interface CellFormat {
  readonly time?: TimeFormat | undefined;
  readonly show?: NumberShow | undefined;
}

const isYes = (value: string | undefined): boolean => value === '1' || value === 'true';

export interface SheetContext {
  readonly texts: readonly string[];
  readonly formats: readonly CellFormat[];
  readonly from1904: boolean;
  readonly limits: TabularLimits;
  readonly what: string;
}

/** The rows of one sheet as they flow by; rows and cells that are formatted only are passed over. */
export class SheetRows implements XmlHandler {
  private finished: Row[] = [];
  private number = 0;
  private cells: Cell[] = [];
  private column = -1;
  private type = 'n';
  private style = 0;
  private value = '';
  private inValue = false;
  /** Of a cell that has its text within it. */
  private inline: RichText | undefined;
  private hidden = false;
  private readonly hiddenColumns = new Set<number>();
  private lastHidden = 0;

  constructor(private readonly context: SheetContext) {}

  async *read(sheet: Readable): AsyncGenerator<Row, void> {
    const steps = xmlSteps(sheet, this, this.context.what);
    for await (const _ of steps) {
      if (this.finished.length === 0) continue;
      const rows = this.finished;
      this.finished = [];
      yield* rows;
    }
  }

  open(element: XmlElement): void {
    switch (element.name) {
      case 'row':
        return this.openRow(element);
      case 'col':
        return this.openColumns(element);
      case 'c':
        return this.openCell(element);
      case 'v':
        this.inValue = true;
        return;
      default:
        this.inline?.open(element);
    }
  }

  text(text: string): void {
    if (this.inValue) this.value += text;
    else this.inline?.text(text);
  }

  close(name: string): void {
    if (name === 'v') this.inValue = false;
    else if (name === 'c') this.closeCell();
    else if (name === 'row') this.closeRow();
    else this.inline?.close(name);
  }

  /** Columns come before all rows, in ranges that ascend: none is counted twice, however often a sheet names it. */
  private openColumns(element: XmlElement): void {
    if (!isYes(element.attribute('hidden'))) return;
    const first = Math.max(Math.trunc(Number(element.attribute('min'))) || 1, this.lastHidden + 1);
    this.lastHidden = Math.max(Math.min(Math.trunc(Number(element.attribute('max'))) || 0, LAST_COLUMN), this.lastHidden);
    for (let column = first; column <= this.lastHidden; column++) this.hiddenColumns.add(column - 1);
  }

  private openRow(element: XmlElement): void {
    const reference = element.attribute('r');
    this.hidden = isYes(element.attribute('hidden'));
    this.number = reference === undefined ? this.number + 1 : Number(reference);
    if (!(this.number >= 1)) throw damagedFile(this.context.what, 'A row has no number.');
    if (this.number > LAST_ROW) throw tooMany(this.context.what, LAST_ROW, 'rows in a sheet');
    this.cells = [];
    this.column = -1;
  }

  private openCell(element: XmlElement): void {
    const letters = /^[A-Z]{1,3}/.exec(element.attribute('r') ?? '')?.[0];
    this.column = letters === undefined ? this.column + 1 : columnOf(letters);
    this.type = element.attribute('t') ?? 'n';
    this.style = Number(element.attribute('s') ?? 0);
    this.value = '';
    this.inline = this.type === 'inlineStr' ? new RichText() : undefined;
  }

  private closeCell(): void {
    const value = this.valueOfCell();
    if (value === null) return;
    const { limits, what } = this.context;
    const most = Math.min(limits.maxColumns, LAST_COLUMN);
    if (this.column >= most) throw tooMany(what, most, 'columns');
    if (typeof value === 'string' && value.length > limits.maxCell) throw tooMany(what, limits.maxCell, 'characters in a cell');
    while (this.cells.length < this.column) this.cells.push(null);
    this.cells[this.column] = value;
  }

  private valueOfCell(): Cell {
    switch (this.type) {
      case 's':
        return this.context.texts[Number(this.value)] || null;
      case 'inlineStr':
        return this.inline?.end() || unescaped(this.value) || null;
      case 'b':
        return this.value === '' ? null : this.value === '1' || this.value === 'true';
      case 'n':
        return this.numberOfCell();
      default:
        // The text of a formula, a date that is ISO already, or an error such as #N/A.
        return unescaped(this.value) || null;
    }
  }

  private numberOfCell(): Cell {
    const text = this.value.trim();
    if (text === '') return null;
    const { time, show } = this.context.formats[this.style] ?? {};
    const moment = time && isoOf(Number(text), time, this.context.from1904);
    return moment ?? cellOfNumber(text, show);
  }

  private closeRow(): void {
    const cells = trimmedCells(this.cells);
    if (cells.length === 0) return;
    this.finished.push({
      number: this.number,
      cells,
      ...(this.hidden ? { hidden: true } : {}),
      ...(this.hiddenColumns.size > 0 ? { hiddenColumns: this.hiddenColumns } : {}),
    });
  }
}
