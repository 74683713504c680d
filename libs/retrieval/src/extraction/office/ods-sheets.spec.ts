import type { XmlElement } from '@atrium/platform/tabular';
import type { Setting } from './odf-shown';
import { OdsSheets } from './ods-sheets';

const SETTING = {
  styles: { isHidden: () => false, open: () => undefined, close: () => undefined },
  words: { leaveOut: () => undefined },
} as unknown as Setting;
const BOUNDS = { rows: 1_000_000, characters: 100_000_000, places: 10_000 };

const element = (name: string, numbers: Readonly<Record<string, number>> = {}): XmlElement =>
  ({ name, attribute: (called: string) => numbers[called]?.toString() }) as unknown as XmlElement;

/** A sheet of rows, each of the same cells. */
class Written {
  readonly sheets = new OdsSheets(SETTING, BOUNDS);
  constructor(rows: number, cells: readonly XmlElement[]) {
    for (const name of ['body', 'table']) this.sheets.open(element(name));
    for (let row = 0; row < rows; row++) this.write(cells);
    this.sheets.close('table');
  }

  private write(cells: readonly XmlElement[]): void {
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
  const filled = (): jest.SpyInstance => jest.spyOn(Map.prototype, 'set');
  afterEach(() => jest.restoreAllMocks());

  it('fill what a cell is merged with once, however often it repeats', () => {
    const set = filled();
    const wide = element('table-cell', { 'number-columns-repeated': 2_000, 'number-columns-spanned': 2_000 });
    const { sheets } = new Written(1, [wide]);
    const { length } = set.mock.calls;
    set.mockRestore();
    expect(sheets.isCut).toBe(false);
    expect(sheets.sheets[0]?.rows[0]?.size).toBe(2_000);
    expect(length).toBeLessThan(7_000);
  });

  it.each([
    ['repeat', { 'number-columns-repeated': 4_000 }],
    ['are merged', { 'number-columns-spanned': 4_000, 'number-rows-spanned': 4_000 }],
  ])('are cut where cells %s over more places than are looked at', (_, numbers) => {
    const set = filled();
    const { sheets } = new Written(50, [element('table-cell', numbers)]);
    const { length } = set.mock.calls;
    set.mockRestore();
    expect(sheets.isCut).toBe(true);
    expect(sheets.sheets[0]?.rows).toHaveLength(2);
    expect(length).toBeLessThan(BOUNDS.places * 2);
  });

  it('are cut where cells that others cover take more places, and keep what was read before', () => {
    const get = jest.spyOn(Map.prototype, 'get');
    const { sheets } = new Written(50, [element('table-cell'), element('covered-table-cell', { 'number-columns-repeated': 4_000 })]);
    const { length } = get.mock.calls;
    get.mockRestore();
    expect(sheets.isCut).toBe(true);
    expect([...(sheets.sheets[0]?.rows[0] ?? [])]).toEqual([[0, 'x']]);
    expect(length).toBeLessThan(BOUNDS.places * 2);
  });
});
