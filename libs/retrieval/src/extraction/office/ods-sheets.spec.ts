import type { XmlElement } from '@atrium/platform/tabular';
import { growth, LINEAR } from '../../../../platform/testing/src/growth';
import type { Setting } from './odf-shown';
import { OdsSheets } from './ods-sheets';

const SETTING = {
  styles: { isHidden: () => false, open: () => undefined, close: () => undefined },
  words: { leaveOut: () => undefined },
} as unknown as Setting;

const element = (name: string, numbers: Readonly<Record<string, number>> = {}): XmlElement =>
  ({ name, attribute: (called: string) => numbers[called]?.toString() }) as unknown as XmlElement;

const COVERED = element('covered-table-cell');

/** A sheet of rows, each of the same cells. */
class Written {
  readonly sheets: OdsSheets;

  constructor(rows: number, cells: readonly XmlElement[], places = 10_000) {
    this.sheets = new OdsSheets(SETTING, { rows: 1_000_000, characters: 100_000_000, places });
    for (const name of ['body', 'table']) this.sheets.open(element(name));
    for (let row = 0; row < rows; row++) this.add(cells);
  }

  add(cells: readonly XmlElement[]): void {
    this.sheets.open(element('table-row'));
    for (const cell of cells) {
      this.sheets.open(cell);
      if (cell.name === 'table-cell') for (const step of ['open', 'text', 'close'] as const) this.step(step);
      this.sheets.close(cell.name);
    }
    this.sheets.close('table-row');
  }

  private step(step: 'open' | 'text' | 'close'): void {
    if (step === 'open') this.sheets.open(element('p'));
    else if (step === 'text') this.sheets.text('x');
    else this.sheets.close('p');
  }
}

describe('the sheets of a spreadsheet', () => {
  it('fill what a cell is merged with in a time that grows with the columns, however often it repeats', () => {
    const rowOf = (size: number): XmlElement[] => [
      element('table-cell', { 'number-columns-repeated': size, 'number-columns-spanned': size }),
    ];
    expect(growth(rowOf, 500, (cells) => new Written(1, cells, 1_000_000))).toBeLessThan(LINEAR);
    expect(new Written(1, rowOf(10)).sheets.sheets[0]?.rows[0]?.size).toBe(10);
  });

  it.each<[string, number, readonly XmlElement[]]>([
    ['repeat', 2, [element('table-cell', { 'number-columns-repeated': 4_000 })]],
    ['are merged', 2, [element('table-cell', { 'number-columns-spanned': 4_000, 'number-rows-spanned': 4_000 })]],
    ['are covered', 3, [element('table-cell'), element('covered-table-cell', { 'number-columns-repeated': 4_000 })]],
  ])('are cut where cells %s over more places than are looked at', (_, rows, cells) => {
    const { sheets } = new Written(50, cells);
    expect(sheets.isCut).toBe(true);
    expect(sheets.sheets[0]?.rows).toHaveLength(rows);
  });

  it('fill a merged cell in all of its rows', () => {
    const sheets = new Written(1, [element('table-cell', { 'number-columns-spanned': 2, 'number-rows-spanned': 2 }), COVERED]);
    sheets.add([COVERED, COVERED, element('table-cell')]);
    sheets.add([COVERED, COVERED, element('table-cell')]);
    expect(sheets.sheets.sheets[0]?.rows.map((row) => [...row.keys()])).toEqual([[0, 1], [0, 1, 2], [2]]);
  });
});
