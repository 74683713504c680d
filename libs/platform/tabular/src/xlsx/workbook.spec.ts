import { Script } from 'node:vm';
import { workbookOf, type WorkbookParts } from '../../../testing/src/archives/workbook-of';
import { PACKAGE_LIMITS } from '../package';
import { Tabular, type ReadOptions } from '../tabular';
import type { Row } from '../row';
import { isoOf, timeFormatOf } from './number-formats';
import { NumberShows } from './shown-numbers';

const rowsOf = async (parts: WorkbookParts, options: Partial<ReadOptions> = {}): Promise<Row[]> => {
  const rows: Row[] = [];
  for await (const row of Tabular.read(workbookOf(parts), { format: 'xlsx', ...options })) rows.push(row);
  return rows;
};
const cellsOf = async (parts: WorkbookParts, options: Partial<ReadOptions> = {}): Promise<Row['cells'][]> =>
  (await rowsOf(parts, options)).map(({ cells }) => cells);
const one = (rows: string, more: Partial<WorkbookParts> = {}): WorkbookParts => ({ sheets: [{ name: 'Sheet', rows }], ...more });

describe('the sheets of a workbook', () => {
  const workbook = (sheet: string, count: number): Record<string, string> => ({
    'xl/workbook.xml': `<workbook xmlns:r="r"><sheets>${sheet.repeat(count)}</sheets></workbook>`,
  });
  const named = '<sheet name="a" r:id="rId1"/>';

  it('are ten thousand at most', async () => {
    const of = (count: number) => cellsOf(one('<row><c><v>1</v></c></row>', { others: workbook(named, count) }));
    expect(await of(10_000)).toEqual([[1]]);
    await expect(of(10_001)).rejects.toMatchObject({ code: 'payload_too_large' });
  });

  it('are found without going through all parts for each of them', async () => {
    const sheets = Array.from({ length: 500 }, (_, at) => ({ name: `s${at}`, rows: '' }));
    const find = jest.spyOn(Array.prototype, 'find');
    await rowsOf({ sheets });
    const searches = find.mock.contexts.filter((parts) => (parts as readonly unknown[]).length >= sheets.length).length;
    find.mockRestore();
    expect(searches).toBeLessThan(10);
  });

  it('belong to a workbook with a hundred thousand relationships at most', async () => {
    const others = { 'xl/_rels/workbook.xml.rels': `<Relationships>${'<Relationship Id="a"/>'.repeat(100_001)}</Relationships>` };
    await expect(rowsOf({ sheets: [], others })).rejects.toMatchObject({ code: 'payload_too_large' });
  });
});

describe('a workbook', () => {
  it('reads shared, inline and formula texts, numbers, truths and errors', async () => {
    const rows = `<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c><c r="C1" t="inlineStr"><is><r><t>in</t></r><r><t>line</t></r></is></c></row>
      <row r="2"><c r="A2"><f>1+1</f><v>2</v></c><c r="B2" t="str"><f>"a"&amp;"b"</f><v>ab</v></c><c r="C2" t="b"><v>1</v></c><c r="D2" t="e"><v>#DIV/0!</v></c><c r="E2"><v>1E-3</v></c></row>`;
    const sharedTexts = ['<t xml:space="preserve"> Name</t>', '<r><t>Two </t></r><r><t>runs_x000D_</t></r><rPh><t>reading</t></rPh>'];
    expect(await cellsOf(one(rows, { sharedTexts }))).toEqual([
      [' Name', 'Two runs\n', 'inline'],
      [2, 'ab', true, '#DIV/0!', 0.001],
    ]);
  });

  it('keeps raised and lowered signs apart from what they stand behind', async () => {
    const run = (text: string, shift = ''): string =>
      `<r><rPr>${shift === '' ? '' : `<vertAlign val="${shift}"/>`}</rPr><t xml:space="preserve">${text}</t></r>`;
    const text = run('10') + run('6', 'superscript') + run(' of H') + run('2', 'subscript') + run('O, 1') + run('2', 'constructor');
    const rows = `<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="inlineStr"><is>${text}</is></c><c r="C1"><v>6</v></c></row>`;
    expect(await cellsOf(one(rows, { sharedTexts: [text] }))).toEqual([['10^6 of H2O, 12', '10^6 of H2O, 12', 6]]);
  });

  it('reads dates by the formats of their cells, in both systems of counting', async () => {
    const formats = ['yyyy\\-mm\\-dd', 'dd.mm.yyyy hh:mm', '[$-407]h:mm', '[h]:mm:ss', '0.00%', '"day" 0', 'm/d/yy;@', '#,##0.00 [$€-407]'];
    const cells = [45429, 45429.354166666664, 0.75, 1.5, 0.25, 3, 59, 12.5].map((value, at) => `<c s="${at + 1}"><v>${value}</v></c>`);
    const rows = `<row>${cells.join('')}</row>`;
    expect(await cellsOf(one(rows, { formats }))).toEqual([
      [
        '2024-05-17',
        '2024-05-17T08:30:00',
        '18:00:00',
        '36:00:00',
        { number: 0.25, shown: '25.00%' },
        { number: 3, shown: 'day 3' },
        '1900-02-28',
        { number: 12.5, shown: '12.50 €' },
      ],
    ]);
    const [from1904 = []] = await cellsOf(one(rows, { formats, from1904: true }));
    expect(from1904[0]).toBe('2028-05-18');
  });

  it('reads numbers as they show, beside the number itself', async () => {
    const formats = [
      '0.0%',
      '00000',
      '#,##0.0,,"M"',
      '"$"#,##0.00',
      '#,##0.00\\ [$€-407]',
      '+0;-0;0',
      '# ?/?',
      '0" pcs"',
      '_(* #,##0_);_(* \\(#,##0\\)',
    ];
    const cells = [0.075, 123, 12_500_000, 56701.0309, 1234.5, 5, 0.5, 12, -1234].map(
      (value, at) => `<c s="${at + 1}"><v>${value}</v></c>`,
    );
    expect((await cellsOf(one(`<row>${cells.join('')}</row>`, { formats })))[0]).toEqual([
      { number: 0.075, shown: '7.5%' },
      { number: 123, shown: '00123' },
      { number: 12_500_000, shown: '12.5M' },
      { number: 56701.0309, shown: '$56,701.03' },
      { number: 1234.5, shown: '1,234.50 €' },
      { number: 5, shown: '+5' },
      { number: 0.5, shown: '1/2' },
      { number: 12, shown: '12 pcs' },
      { number: -1234, shown: '(1,234)' },
    ]);
  });

  it.each([
    ['0.00', 1.005, '1.01'],
    ['0.00', -1.005, '-1.01'],
    ['0%', 0.145, '15%'],
    ['0.0', 0.25, '0.3'],
    ['0.00', 1.0049, '1.00'],
    ['0.000000000000000', 0.1, '0.100000000000000'],
    ['[<=0.1]"low";"high"', 0.1, 'low'],
    ['[=0.5]"half";0.0', 0.5, 'half'],
  ])('rounds as programs do that count with decimals: %s of %d', (code, number, expected) => {
    expect(new NumberShows().findFormat(164, code)?.text(number)).toBe(expected);
  });

  it('names the currency of a sign that several have by the country of its format', async () => {
    const signs = ['$-409', '$-1009', '$-C09', '$-en-CA', '$-80A', '£-809', '$-9999', '$-x', '$', '€-407', '¥-411'];
    const formats = signs.map((sign) => `[$${sign}]#,##0.00`);
    const rows = `<row>${formats.map((_, at) => `<c s="${at + 1}"><v>1234.5</v></c>`).join('')}</row>`;
    const cells = (await cellsOf(one(rows, { formats })))[0] ?? [];
    expect(cells.map((cell) => (cell as { currency?: string }).currency)).toEqual([
      ...['USD', 'CAD', 'AUD', 'CAD', 'MXN', 'GBP', 'XXX', 'XXX'],
      ...[undefined, undefined, undefined],
    ]);
    expect(cells[1]).toEqual({ number: 1234.5, shown: '$1,234.50', currency: 'CAD' });
  });

  it('reads plain numbers without the noise of binary fractions, and every digit of those that no program counts with', async () => {
    const values = ['3.3000000000000003', '0.30000000000000004', '1234567890123', '1.0E+15', '1234567890123456789', '-12'];
    const rows = `<row>${values.map((value) => `<c s="0"><v>${value}</v></c>`).join('')}</row>`;
    expect((await cellsOf(one(rows, { formats: ['0'] })))[0]).toEqual([3.3, 0.3, 1234567890123, 1e15, '1234567890123456789', -12]);
  });

  it('leaves a number plain under a format that is damaged or longer than programs write them, as a whole or in a part', async () => {
    const formats = ['0"x', '0'.repeat(256), '__proto__', '[$]0', `0.${'0'.repeat(240)}`, `0${'\\;'.repeat(100)}`];
    const rows = `<row>${formats.map((_, at) => `<c s="${at + 1}"><v>7.5</v></c>`).join('')}</row>`;
    expect((await cellsOf(one(rows, { formats })))[0]).toEqual(formats.map(() => 7.5));
  });

  it('marks rows and columns that are not shown', async () => {
    const rows = '<row r="1"><c r="A1"><v>1</v></c><c r="C1"><v>2</v></c></row><row r="2" hidden="1"><c r="A2"><v>3</v></c></row>';
    const before = '<cols><col min="1" max="1" width="9"/><col min="2" max="3" hidden="1"/></cols>';
    const hiddenColumns = new Set([1, 2]);
    expect(await rowsOf({ sheets: [{ name: 'A', before, rows }] })).toEqual([
      { number: 1, cells: [1, null, 2], hiddenColumns },
      { number: 2, cells: [3], hidden: true, hiddenColumns },
    ]);
  });

  it('counts each column that is not shown once, however often ranges name it', async () => {
    const add = jest.spyOn(Set.prototype, 'add');
    const before = `<cols>${'<col max="16384" hidden="1"/>'.repeat(20)}</cols>`;
    const [row] = await rowsOf({ sheets: [{ name: 'A', before, rows: '<row r="1"><c r="A1"><v>1</v></c></row>' }] });
    const added = add.mock.calls.filter(([column]) => column === 16_383);
    add.mockRestore();
    expect(row?.hiddenColumns?.size).toBe(16_384);
    expect(added).toHaveLength(1);
  });

  it('trims what is formatted only and keeps the numbers of rows', async () => {
    const rows =
      '<row r="2"/><row r="5" s="3"><c r="A5" s="0"/><c r="C5"><v>1</v></c><c r="D5" s="0"/></row><row r="9"><c r="A9" t="inlineStr"><is><t></t></is></c></row>';
    expect(await rowsOf(one(rows))).toEqual([{ number: 5, cells: [null, null, 1] }]);
  });

  it('fills merged cells where that is asked', async () => {
    const rows =
      '<row r="1"><c r="A1" t="str"><v>North</v></c><c r="B1"><v>1</v></c></row><row r="2"><c r="A2"/><c r="B2"><v>2</v></c></row><row r="3"><c r="B3"><v>3</v></c></row>';
    const parts: WorkbookParts = {
      sheets: [{ name: 'A', rows, after: '<mergeCells count="2"><mergeCell ref="A1:A2"/><mergeCell ref="C1:D9"/></mergeCells>' }],
    };
    expect(await cellsOf(parts)).toEqual([
      ['North', 1],
      [null, 2],
      [null, 3],
    ]);
    expect(await cellsOf(parts, { fillMerged: true })).toEqual([
      ['North', 1],
      ['North', 2],
      [null, 3],
    ]);
  });

  it('names its sheets, marks the hidden ones, and reads the first that is not', async () => {
    const sheet = (name: string, state?: 'hidden' | 'veryHidden') => ({ name, state, rows: `<row><c t="str"><v>${name}</v></c></row>` });
    const parts: WorkbookParts = { sheets: [sheet('Secret', 'veryHidden'), sheet('Shown'), sheet('Other')] as WorkbookParts['sheets'] };
    const table = await Tabular.open(workbookOf(parts), { format: 'xlsx' });
    expect(table.sheets).toEqual([
      { name: 'Secret', hidden: true },
      { name: 'Shown', hidden: false },
      { name: 'Other', hidden: false },
    ]);
    await table.close();
    expect(await cellsOf(parts)).toEqual([['Shown']]);
    expect(await cellsOf(parts, { sheet: 'Secret' })).toEqual([['Secret']]);
    await expect(rowsOf(parts, { sheet: 'Missing' })).rejects.toMatchObject({ detail: expect.stringContaining('"Shown"') as string });
  });

  it.each(['<mergeCell ', '<mergeCell ref="A1:', '<mergeCell ref="A1:B9"/>'])(
    'looks once at each merged cell, also of %s',
    async (element) => {
      const sheet = {
        name: 'A',
        rows: '<row r="1"><c r="A1"><v>1</v></c></row>',
        after: `<mergeCells>${element.repeat(100_000)}</mergeCells>`,
      };
      const before = process.cpuUsage();
      const rows = cellsOf({ sheets: [sheet] }, { fillMerged: true, limits: { package: { ...PACKAGE_LIMITS, maxRatio: 10_000 } } });
      await rows.catch((error: unknown) => expect(error).toMatchObject({ code: 'unprocessable_content' }));
      const { user, system } = process.cpuUsage(before);
      expect(user + system).toBeLessThan(10e6);
    },
  );

  it('bounds rows, columns and cells', async () => {
    const two = '<row r="1"><c><v>1</v></c></row><row r="2"><c><v>2</v></c></row>';
    await expect(rowsOf(one(two), { limits: { maxRows: 1 } })).rejects.toMatchObject({ code: 'payload_too_large' });
    await expect(rowsOf(one('<row r="1"><c r="C1"><v>1</v></c></row>'), { limits: { maxColumns: 2 } })).rejects.toMatchObject({
      code: 'payload_too_large',
    });
    await expect(rowsOf(one('<row r="1"><c r="XFE1"><v>1</v></c></row>'))).rejects.toMatchObject({ code: 'payload_too_large' });
    await expect(rowsOf(one('<row r="1048577"><c><v>1</v></c></row>'))).rejects.toMatchObject({ code: 'payload_too_large' });
    await expect(rowsOf(one('<row r="1"><c t="str"><v>long</v></c></row>'), { limits: { maxCell: 3 } })).rejects.toMatchObject({
      code: 'payload_too_large',
    });
  });

  it('passes over hundreds of thousands of empty rows without keeping them', async () => {
    const rows = Array.from(
      { length: 200_000 },
      (_, at) => `<row r="${at + 1}" s="1" customFormat="1"><c r="A${at + 1}" s="${at % 3}"/></row>`,
    ).join('');
    const before = process.memoryUsage().heapUsed;
    expect(await rowsOf(one(`${rows}<row r="200001"><c><v>7</v></c></row>`))).toEqual([{ number: 200_001, cells: [7] }]);
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(200 * 1024 * 1024);
  });
});

describe('number formats', () => {
  it.each([
    ['General', undefined],
    ['0.00', undefined],
    ['"yes" 0', undefined],
    ['[Red]0;[Blue]-0', undefined],
    ['[$-409]mmmm\\ d\\,\\ yyyy;@', 'date'],
    ['d. mmmm', 'date'],
    ['mmm-yy', 'date'],
    ['ggge"年"m"月"d"日"', 'date'],
    ['hh:mm:ss.000', 'time'],
    ['m/d/yy h:mm AM/PM', 'datetime'],
    ['[mm]:ss', 'duration'],
  ])('%s', (code, format) => expect(timeFormatOf(164, code)).toBe(format));

  it('knows those of the programs by their numbers', () => {
    expect([0, 2, 14, 22, 21, 46, 31, 49].map((id) => timeFormatOf(id, undefined))).toEqual([
      undefined,
      undefined,
      'date',
      'datetime',
      'time',
      'duration',
      'date',
      undefined,
    ]);
  });

  it('passes over the leap day that never was', () => {
    expect([1, 59, 61].map((serial) => isoOf(serial, 'date', false))).toEqual(['1900-01-01', '1900-02-28', '1900-03-01']);
    expect(isoOf(0, 'date', true)).toBe('1904-01-01');
    expect(isoOf(-1, 'date', false)).toBeUndefined();
    expect(isoOf(5e9, 'date', false)).toBeUndefined();
  });
});

describe('the formats of a workbook', () => {
  it('are read once each, however many cells have them', async () => {
    const split = jest.spyOn(String.prototype, 'split');
    const formats = Array.from({ length: 4_000 }, () => 'yyyy-mm-dd [red]');
    await cellsOf(one('<row><c s="1"><v>45429</v></c></row>', { formats }));
    const read = split.mock.contexts.filter((code) => String(code) === 'yyyy-mm-dd [red]').length;
    split.mockRestore();
    expect(read).toBe(1);
  });

  it('show a number in a thousand ways, and leave those of others plain, whatever other workbooks have', async () => {
    const formatsOf = (sign: string, count: number) => Array.from({ length: count }, (_, at) => `0"${sign}${at}"`);
    const rows = (count: number) => `<row>${Array.from({ length: count }, (_, at) => `<c s="${at + 1}"><v>7</v></c>`).join('')}</row>`;
    for (const sign of ['a', 'b', 'c']) {
      const [cells = []] = await cellsOf(one(rows(1_001), { formats: formatsOf(sign, 1_001) }), { limits: { maxColumns: 2_000 } });
      expect([cells[0], cells[999], cells[1_000]]).toEqual([{ number: 7, shown: `7${sign}0` }, { number: 7, shown: `7${sign}999` }, 7]);
    }
    expect((await cellsOf(one(rows(1), { formats: ['0.0%'] })))[0]).toEqual([{ number: 7, shown: '700.0%' }]);
  });

  it('are kept by the library no longer than a thousand others', () => {
    const read = jest.spyOn(Script.prototype, 'runInThisContext');
    for (let workbook = 0; workbook < 4; workbook++) {
      const shows = new NumberShows();
      for (let at = 0; at < 1_000; at++) expect(shows.findFormat(164, `0"${workbook} of ${at}"`)?.text(1)).toBe(`1${workbook} of ${at}`);
    }
    const copies = read.mock.calls.length;
    read.mockRestore();
    expect(copies).toBeGreaterThanOrEqual(3);
  });

  it('are as many as the specification has', async () => {
    const formats = Array.from({ length: 65_490 }, () => '0');
    await expect(cellsOf(one('<row><c s="1"><v>1</v></c></row>', { formats }))).rejects.toMatchObject({ code: 'payload_too_large' });
  });

  it('leave a number a number where they are longer than programs write them', () => {
    expect(timeFormatOf(164, 'yyyy'.padEnd(255, '_'))).toBe('date');
    expect(timeFormatOf(164, `yyyy${'['.repeat(252)}`)).toBeUndefined();
  });
});
