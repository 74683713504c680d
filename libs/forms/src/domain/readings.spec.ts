import { growth, LINEAR } from '../../../platform/testing/src/growth';
import fc from 'fast-check';
import { DateFormat, plainNumber, type JsonObject, type JsonValue } from '@atrium/platform/kernel';
import { cellLocale } from './cell-locale';
import { Cells } from './cells';
import type { CompiledForm } from './compiled-form';
import { checkContent } from './content-check';
import { FieldTypes } from './field-types';
import { formMarkdown } from './form-markdown';
import { FormReader } from './form-reader';
import { indexedText, indexEntries } from './value-index';
import { titleOf, wordsOf } from './words';

const NOW = new Date('2026-03-01T12:00:00Z');
const ID = '0190a8c4-0000-7000-8000-00000000000a';

const fail = (what: string): never => {
  throw new Error(what);
};

function compiled(fields: readonly JsonObject[], more: JsonObject = {}): CompiledForm {
  const read = new FormReader(new FieldTypes(), 'object', NOW).readForm({ fields, ...more }, 'form_config');
  if ('faults' in read) throw new Error(JSON.stringify(read.faults));
  return read.form;
}

const OPTIONS = [
  { value: 'red', label: 'Rot' },
  { value: 'blue', label: 'Blau' },
];
const form = compiled(
  [
    { key: 'name', type: 'text', label: 'Name' },
    { key: 'price', type: 'number', label: 'Price', unit: 'kg' },
    { key: 'cost', type: 'decimal', label: 'Cost' },
    { key: 'pay', type: 'currency', label: 'Pay' },
    { key: 'made', type: 'date', label: 'Made' },
    { key: 'at', type: 'datetime', label: 'At' },
    { key: 'open', type: 'boolean', label: 'Open' },
    { key: 'kind', type: 'select', label: 'Kind', options: OPTIONS },
    { key: 'kinds', type: 'multi_select', label: 'Kinds', options: OPTIONS },
    { key: 'words', type: 'tags', label: 'Words' },
    { key: 'where', type: 'location', label: 'Where' },
    { key: 'address', type: 'group', label: 'Address', fields: [{ key: 'city', type: 'text', label: 'City' }] },
    {
      key: 'lines',
      type: 'list',
      label: 'Lines',
      fields: [
        { key: 'sku', type: 'text', label: 'Sku' },
        { key: 'n', type: 'integer', label: 'Count' },
      ],
    },
    { key: 'owner', type: 'user', label: 'Owner' },
    { key: 'text', type: 'rich_text', label: 'Story' },
    { key: 'secret', type: 'text', label: 'Secret', sensitive: true },
    { key: 'inner', type: 'text', label: 'Inner', hidden: true },
  ],
  { title: 'name', summary: ['kind', 'price'] },
);
const mapping = Object.fromEntries(
  form.all.filter(({ in_list, type }) => !in_list && type.name !== 'group').map(({ path }) => [path, path]),
);
const read = (row: Record<string, string>, locale?: string, zone?: string) => Cells.of(form, mapping, { locale, zone }).readRow(row);

describe('cells of a table', () => {
  it.each([
    ['1234.5', 'en-US', '1234.5'],
    ['1,234.5', 'en-US', '1234.5'],
    ['1.234,5', 'de-DE', '1234.5'],
    ['1.234', 'de-DE', '1234'],
    ['1.234.567', 'de-DE', '1234567'],
    ['1234.5', 'de-DE', '1234.5'],
    ['12.50', 'de-DE', '12.50'],
    ['1.250', 'fr-FR', undefined],
    ['1.250', 'pl-PL', undefined],
    ['1.250', 'nb-NO', undefined],
    ['12.75', 'fr-FR', '12.75'],
    ['1.250', 'de-AT', '1250'],
    ['1,250', 'de-CH', undefined],
    ['1 234,5', 'fr-FR', '1234.5'],
    ['1\u202f234\u202f567,5', 'fr-FR', '1234567.5'],
    ["1'234.5", 'de-CH', '1234.5'],
    ['1\u2019234.5', 'de-CH', '1234.5'],
    ['12,34,567.5', 'en-IN', '1234567.5'],
    ['1,234,567', 'en-IN', '1234567'],
    ['\u22125', 'en-US', '-5'],
    ['- 5', 'en-US', '-5'],
    ['(1,250.50)', 'en-US', '-1250.50'],
    ['+5', 'en-US', '5'],
    ['1e3', 'en-US', '1e3'],
    ['.75', 'en-US', '0.75'],
    ['-.75', 'de-DE', '-0.75'],
    ['75.', 'en-US', undefined],
    ['\uff11\uff0c\uff12\uff15\uff10', 'ja-JP', '1250'],
    ['\u0661\u066c\u0662\u0665\u0660\u066b\u0665', 'ar-EG', '1250.5'],
    ['\u0661\u066b\u0665', 'de-DE', '1.5'],
    ['\uff0c\u0661', 'de-DE', undefined],
    ['\u00b95', 'en-US', undefined],
    ['0,5', 'de-DE', '0.5'],
    ['0,750', 'en-US', undefined],
    ['0.123', 'de-DE', undefined],
    ['-0,750', 'en-US', undefined],
    ['012,345', 'en-US', undefined],
    ['1,23', 'en-US', undefined],
    ['1,2345', 'en-US', undefined],
    ['1234,567', 'en-US', undefined],
    ['1,234,56', 'en-US', undefined],
    ['12,34,567', 'en-US', undefined],
    ['1.234.5', 'de-DE', undefined],
    ['1 2', 'en-US', undefined],
    ['12 34', 'fr-FR', undefined],
    ["1'2", 'de-CH', undefined],
    ["1'234 567", 'de-CH', undefined],
    ['1,234 567', 'en-US', undefined],
    ['1,234,.5', 'en-US', undefined],
    ['--5', 'en-US', undefined],
    ['(-5)', 'en-US', undefined],
    ['(5', 'en-US', undefined],
    ['12,3', 'en-US', undefined],
    ['abc', 'en-US', undefined],
    ['', 'en-US', undefined],
    ['1.2.3', 'de-DE', undefined],
    ['9'.repeat(500), 'en-US', undefined],
  ])('the number %s in %s is %s', (cell, locale, expected) => {
    expect(plainNumber(cell, cellLocale({ locale }))).toBe(expected);
  });

  it.each([
    ['1234.5', '1234.5'],
    ['-0.5e3', '-0.5e3'],
    ['1,234', undefined],
    ['1 234', undefined],
    ["1'234", undefined],
  ])('the number %s that a machine wrote is %s', (cell, expected) => {
    for (const locale of ['en-US', 'de-DE', undefined]) expect(plainNumber(cell, cellLocale({ locale, plain: true }))).toBe(expected);
  });

  it.each([
    ['12.345', '12.345'],
    ['1.250', '1.250'],
    ['12,345', undefined],
  ])('that are JSON say, by the text %s, the decimal %s in every locale', (sum, expected) => {
    for (const locale of ['de-DE', 'fr-FR', 'en-US']) {
      const { content } = Cells.of(form, mapping, { locale, plain: true }).readValues({ cost: sum, price: 1.25 });
      expect(content).toEqual({ price: 1.25, ...(expected === undefined ? {} : { cost: expected }) });
    }
  });

  it.each([
    ['de-DE', ['12.75', '1.250', '3.5', '-1.250', '1.250,5', '1.234.567'], [12.75, undefined, 3.5, undefined, 1250.5, 1_234_567]],
    ['de-DE', ['1.250', '12,75', '2.500'], [1250, 12.75, 2500]],
    ['de-DE', ['1.250', '0.125'], [undefined, undefined]],
    ['de-DE', ['1.250', '1234.567'], [undefined, 1234.567]],
    ['en-US', ['12,75', '1,250', '3.5'], [undefined, undefined, 3.5]],
    ['de-DE', ['12.75', '1,250', '3,5'], [12.75, undefined, 3.5]],
    ['fr-FR', ['12.75', '1,250'], [12.75, undefined]],
    ['en-US', ['12,50', '1.000', '7.5'], [undefined, undefined, 7.5]],
    ['en-US', ['1.000,00', '1,250'], [undefined, undefined]],
    ['de-DE', ['1,234.50', '1.250'], [undefined, undefined]],
    ['en-IN', ['1,00,000', '1,250'], [100_000, 1250]],
  ])('of one column in %s, %j, are the numbers %j', (locale, prices, expected) => {
    const cells = Cells.of(form, { price: 'price' }, { locale });
    const rows = prices.map((price) => ({ price }));
    cells.inspectRows(rows);
    expect(rows.map((row) => cells.readValues(row).content['price'])).toEqual(expected);
  });

  it('that can be two numbers beside others of their column name both', () => {
    const cells = Cells.of(form, { price: 'price', pay: 'pay' }, { locale: 'de-DE' });
    cells.inspectRows([{ pay: '9.90 EUR' }]);
    expect(cells.readRow({ price: '1.250', pay: '1.250 EUR' })).toMatchObject({
      content: { price: 1250 },
      faults: [
        {
          path: 'pay',
          message: 'Pay: "1.250 EUR" is ambiguous, because other cells of its column have a point before their fraction (1250 or 1.250).',
        },
      ],
    });
  });

  it.each([
    ['9,90 €', 'de-DE', { amount: '9.90', currency: 'EUR' }],
    ['-$1,250.50', 'en-US', { amount: '-1250.50', currency: 'USD' }],
    ['($5)', 'en-US', { amount: '-5', currency: 'USD' }],
    ['CHF 1\u2019250.50', 'de-CH', { amount: '1250.50', currency: 'CHF' }],
    ['\u22125 EUR', 'de-DE', { amount: '-5', currency: 'EUR' }],
    ['5€00', 'fr-FR', undefined],
    ['$0,750', 'en-US', undefined],
    ['EURO 5', 'en-US', undefined],
  ])('the amount %s in %s is %j', (cell, locale, expected) => {
    expect(read({ pay: cell }, locale).content['pay']).toEqual(expected);
  });

  it.each([
    ['1.5e3', '1500'],
    ['12.345E+1', '123.45'],
    ['-12.5e-1', '-1.25'],
    ['1.25e-2', '0.0125'],
    ['125e-3', '0.125'],
    ['1.2345678901234567890123e5', '123456.78901234567890123'],
    ['5e0', '5'],
  ])('the decimal %s is %s', (cell, expected) => {
    expect(read({ cost: cell }).content).toEqual({ cost: expected });
    expect(Number(expected)).toBe(Number(cell));
  });

  it('that a number does not keep are refused, and a decimal keeps them', () => {
    const { content, faults } = read({ price: '9007199254740993', cost: '9007199254740993' });
    expect(content).toEqual({ cost: '9007199254740993' });
    expect(faults).toMatchObject([{ path: 'price', message: expect.stringContaining('has more digits than a number can represent') }]);
    expect(read({ price: '9007199254740992' }).content).toEqual({ price: 9_007_199_254_740_992 });
    expect(read({ price: '52.520006599999999123' }).content).toEqual({ price: 52.5200066 });
  });

  it('are read by the type of their field and the locale', () => {
    const row = {
      price: '1.234,5',
      cost: '12,50',
      pay: '9,90 €',
      made: '31.03.2026',
      at: '2026-03-31 09:30',
      open: 'ja',
      kind: 'rot',
      kinds: 'Rot; blue',
      words: 'a; b;',
      where: '43.46, 11.88 Arezzo',
      'address.city': 'Bari',
    };
    expect(read(row, 'de-DE')).toEqual({
      content: {
        price: 1234.5,
        cost: '12.50',
        pay: { amount: '9.90', currency: 'EUR' },
        made: '2026-03-31',
        at: '2026-03-31T09:30:00.000Z',
        open: true,
        kind: 'red',
        kinds: ['red', 'blue'],
        words: ['a', 'b'],
        where: { lat: 43.46, lng: 11.88, label: 'Arezzo' },
        address: { city: 'Bari' },
      },
      faults: [],
    });
  });

  it.each([
    ['03/31/2026', '2026-03-31'],
    ['31/03/2026', '2026-03-31'],
    ['12/31/25', '2025-12-31'],
    ['3/3/69', '1969-03-03'],
    ['03.04.2026', '2026-04-03'],
    ['2026/04/03', '2026-04-03'],
    ['November 3, 2025', '2025-11-03'],
    ['Nov. 3rd 2025', '2025-11-03'],
    ['3-Nov-25', '2025-11-03'],
    ['3. M\u00e4rz 2025', '2025-03-03'],
    ['3 Octember 2025', undefined],
    ['30.02.2026', undefined],
    ['13/13/2026', undefined],
    ['25-03-04', undefined],
    ['24/12/05', undefined],
    ['25.03.04', '2004-03-25'],
  ])('the day %s is %s', (cell, expected) => {
    expect(read({ made: cell }, 'de-DE').content['made']).toBe(expected);
  });

  it.each([
    ['52,5 13,4', 'de-DE', { lat: 52.5, lng: 13.4 }],
    ['52,5; -13,4 Berlin', 'de-DE', { lat: 52.5, lng: -13.4, label: 'Berlin' }],
    ['52,5, 13,4', 'fr-FR', { lat: 52.5, lng: 13.4 }],
    ['52.520, 13.405 Berlin', 'de-DE', { lat: 52.52, lng: 13.405, label: 'Berlin' }],
    ['52, 5 Berlin', 'de-DE', { lat: 52, lng: 5, label: 'Berlin' }],
    ['1e-7, -2.5E-8 Null Island', 'de-DE', { lat: 1e-7, lng: -2.5e-8, label: 'Null Island' }],
    ['52,5 Berlin', 'de-DE', undefined],
    ['52,5 13,4', 'en-US', { lat: 52, lng: 5, label: '13,4' }],
    ['13.404953999999975, 0.30000000000000004', 'en-US', { lat: 13.404953999999975, lng: 0.30000000000000004 }],
  ])('the place %s in %s is %j', (cell, locale, expected) => {
    expect(read({ where: cell }, locale).content['where']).toEqual(expected);
  });

  it('that can be days with the year in front name them', () => {
    expect(read({ made: '25-03-04' }).faults).toMatchObject([{ message: expect.stringContaining('(2004-03-25 or 2025-03-04)') }]);
    expect(read({ made: '04-03-05' }).faults).toMatchObject([{ message: expect.stringContaining('can be three dates') }]);
  });

  it('that can be two days are neither of them, in every locale', () => {
    for (const locale of ['en-US', 'en-GB', 'de-DE', undefined])
      expect(read({ made: '03/04/2025' }, locale)).toEqual({
        content: {},
        faults: [
          {
            path: 'made',
            code: 'format',
            message:
              'Made: "03/04/2025" is ambiguous: it can be two dates. Name the date format of the column, such as DD/MM/YYYY or MM/DD/YYYY (2025-04-03 or 2025-03-04).',
          },
        ],
      });
  });

  it.each([
    ['31.07.2026 14:30', '2026-07-31T12:30:00.000Z'],
    ['2026-07-31T14:30:00', '2026-07-31T12:30:00.000Z'],
    ['2026-07-31', '2026-07-30T22:00:00.000Z'],
    ['12/31/2025 2:30 PM', '2025-12-31T13:30:00.000Z'],
    ['November 3, 2025 12:05 am', '2025-11-02T23:05:00.000Z'],
    ['2026-07-31T14:30:00Z', '2026-07-31T14:30:00.000Z'],
    ['2026-07-31 14:30:00+05:00', '2026-07-31T09:30:00.000Z'],
    ['2026-07-31 14:30:00+05', '2026-07-31T09:30:00.000Z'],
    ['2026-07-31T14:30:00.25+0530', '2026-07-31T09:00:00.250Z'],
    ['2026-07-31 14:30 UTC', '2026-07-31T14:30:00.000Z'],
    ['7/31/2026 2:30:00 PM -04:00', '2026-07-31T18:30:00.000Z'],
    ['Fri, 31 Jul 2026 14:30:00 +0200', '2026-07-31T12:30:00.000Z'],
    ['Fri, 31 Jul 2026 14:30:00 GMT', '2026-07-31T14:30:00.000Z'],
    ['31.07.2026 10:00-12:00', undefined],
    ['31.07.2026 10:00:00 +25:00', undefined],
    ['31.07.2026 25:30', undefined],
    ['31.07.2026 14:30 h', undefined],
  ])('the time %s in Berlin is %s', (cell, expected) => {
    expect(read({ at: cell }, 'de-DE', 'Europe/Berlin').content['at']).toBe(expected);
  });

  it.each([
    ['t f 1.0 0.0 \u2713 \u2717', [true, false, true, false, true, false]],
    ['\u0414\u0430 \u043d\u0435\u0442 TAK nie VERO nee \u662f \u3044\u3044\u3048', [true, false, true, false, true, false, true, false]],
    ['perhaps 2 -', [undefined, undefined, undefined]],
  ])('the words %s are %j', (cells, expected) => {
    expect(cells.split(' ').map((open) => read({ open }).content['open'])).toEqual(expected);
  });

  it('a number that is too small to be kept is none', () => {
    expect(read({ price: '1e-400' })).toMatchObject({ content: {}, faults: [{ path: 'price' }] });
    expect(read({ price: '0e-400' }).content).toEqual({ price: 0 });
  });

  it.each([
    ['26.10.2025 02:30', 'occurs twice', '2025-10-26T00:30:00Z or 2025-10-26T01:30:00Z'],
    ['29.03.2026 02:30', 'does not exist', '2026-03-29T00:30:00Z or 2026-03-29T01:30:00Z'],
  ])('the time %s, which %s in Berlin, names both points in time', (cell, verb, both) => {
    const { faults } = read({ at: cell }, 'de-DE', 'Europe/Berlin');
    expect(faults).toMatchObject([
      { path: 'at', message: `At: "${cell}" is a time that ${verb} in Europe/Berlin when clocks change; add its offset (${both}).` },
    ]);
  });

  it.each([
    ['MM/DD/YYYY', '03/04/2025', '2025-03-04'],
    ['DD/MM/YYYY', '03/04/2025', '2025-04-03'],
    ['D-MMM-YY', '3-Nov-25', '2025-11-03'],
    ['DD/MM/YYYY', '2025-04-03', '2025-04-03'],
    ['DD/MM/YYYY', '2025-04-03T00:00:00', '2025-04-03'],
    ['DD/MM/YYYY', '2025.04.03', undefined],
    ['YYYY-DD-MM', '2025-04-13', undefined],
    ['YYYY-DD-MM', '2025-13-04', '2025-04-13'],
  ])('in the format %s the day %s is %s', (format, cell, expected) => {
    const formats = new Map([['made', DateFormat.parse(format) ?? fail(format)]]);
    const { content, faults } = Cells.of(form, mapping, { formats }).readRow({ made: cell });
    expect(content['made']).toBe(expected);
    if (expected === undefined) expect(faults).toMatchObject([{ message: `Made: "${cell}" is not written as ${format}.` }]);
  });

  it.each([
    ['M/D/YYYY h:mm A', '7/3/2026 2:30 PM', '2026-07-03T12:30:00.000Z'],
    ['M/D/YYYY h:mm A', '7/3/2026 12:30 AM', '2026-07-02T22:30:00.000Z'],
    ['DD.MM.YYYY HH:mm Z', '03.07.2026 14:30 +00:00', '2026-07-03T14:30:00.000Z'],
    ['unix', '0', '1970-01-01T00:00:00.000Z'],
    ['DD.MM.YYYY HH:mm', '2026-07-03T14:30:00', '2026-07-03T12:30:00.000Z'],
    ['DD.MM.YYYY', '2026-07-03', '2026-07-02T22:00:00.000Z'],
  ])('in the format %s the time %s in Berlin is %s', (format, cell, expected) => {
    const formats = new Map([['at', DateFormat.parse(format) ?? fail(format)]]);
    expect(Cells.of(form, mapping, { formats, zone: 'Europe/Berlin' }).readRow({ at: cell }).content).toEqual({ at: expected });
  });

  it('that say nothing are no values, and those that say nothing that fits are reported by their column', () => {
    const { content, faults } = read({ name: ' ', price: 'much', made: '2025-02-30', kind: 'green', open: 'perhaps', lines: '{' });
    expect(content).toEqual({});
    expect(faults.map(({ path, code }) => `${path} ${code}`)).toEqual([
      'price format',
      'made format',
      'open format',
      'kind format',
      'lines format',
    ]);
  });

  it('are, of numbers of a spreadsheet, the number in fields of numbers and what is shown in all others', () => {
    const numbers = compiled(['text', 'number', 'decimal', 'percent', 'currency'].map((type) => ({ key: type, type, label: type })));
    const mapping = Object.fromEntries(numbers.all.map(({ path }) => [path, path]));
    const read = (number: number, shown: string) =>
      Cells.of(numbers, mapping, { locale: 'de-DE' }).readValues(
        Object.fromEntries(numbers.all.map(({ path }) => [path, { number, shown }])),
      );
    expect(read(0.075, '7.5%').content).toEqual({ text: '7.5%', number: 0.075, decimal: '0.075', percent: 7.5 });
    expect(read(0.0726, '7%').content).toMatchObject({ text: '7%', percent: 7.26 });
    expect(read(123, '00123').content).toEqual({ text: '00123', number: 123, decimal: '123', percent: 123 });
    expect(read(1234.567, '$1,234.57').content).toMatchObject({ number: 1234.567, currency: { amount: '1234.567', currency: 'USD' } });
  });

  describe('in fields of JSON', () => {
    const free = compiled([
      { key: 'any', type: 'json', label: 'Any' },
      { key: 'closed', type: 'json', label: 'Closed', sensitive: true },
    ]);
    const both = { any: 'any', closed: 'closed' };

    it.each(['12', 'true', 'null', 'abc', '"abc"', '[1]', '{"a":1}', ' 12', 12, 12.5, 1e21, false, [1], { number: 1, shown: '001' }])(
      'are, where JSON says %j, what it says',
      (any) => {
        expect(Cells.of(free, both, { locale: 'de-DE', plain: true }).readValues({ any })).toEqual({ content: { any }, faults: [] });
      },
    );

    it('are JSON in other tables, whose numbers and flags are values already', () => {
      const cells = Cells.of(free, both, { locale: 'de-DE' });
      for (const [any, value] of [
        ['12', 12],
        ['"12"', '12'],
        ['{"a":1}', { a: 1 }],
        [12.5, 12.5],
        [true, true],
        [{ number: 0.075, shown: '7.5%' }, 0.075],
      ] as const)
        expect(cells.readValues({ any })).toEqual({ content: { any: value }, faults: [] });
      expect(cells.readValues({ any: 'abc' }).faults).toMatchObject([{ path: 'any', message: 'Any: "abc" is not valid JSON.' }]);
    });

    it.each([true, false])('say nothing where they are empty, and masked ones are refused (plain: %s)', (plain) => {
      const { content, faults } = Cells.of(free, both, { plain }).readValues({ any: ' ', closed: '•••' });
      expect(content).toEqual({});
      expect(faults).toMatchObject([{ path: 'closed', code: 'masked' }]);
    });
  });

  it('are, of numbers of a spreadsheet in unique texts, ids', () => {
    const ids = compiled([{ key: 'sku', type: 'text', label: 'Sku', unique: true }]);
    const skuOf = (number: number, shown: string) => Cells.of(ids, { sku: 'sku' }).readValues({ sku: { number, shown } }).content['sku'];
    expect([skuOf(1234, '1,234'), skuOf(123, '00123'), skuOf(4012345678901, '4.01E+12')]).toEqual(['1234', '00123', '4012345678901']);
  });

  it('are, of numbers of a spreadsheet, percent wherever the sign is', () => {
    const shares = compiled([{ key: 'share', type: 'percent', label: 'Share' }]);
    for (const shown of ['7.5% VAT', '%7.5', '(7.5%)'])
      expect(Cells.of(shares, { share: 'share' }).readValues({ share: { number: 0.075, shown } }).content).toEqual({ share: 7.5 });
  });

  it.each([
    ['R$ 1,234.00', undefined],
    ['¥1,234', undefined],
    ['1,234 zł', undefined],
    ['$1,234.00', 'USD'],
    ['CHF 1,234.00', 'CHF'],
    ['1,234.00 €', 'EUR'],
  ])('are, of %s in a spreadsheet, the amount that the same text is', (shown, currency) => {
    const paid = currency === undefined ? {} : { pay: { amount: '1234', currency } };
    expect(Cells.of(form, { pay: 'pay' }).readValues({ pay: { number: 1234, shown } }).content).toEqual(paid);
    expect(Object.keys(Cells.of(form, { pay: 'pay' }).readRow({ pay: shown }).content)).toEqual(Object.keys(paid));
  });

  it.each<[JsonValue, string | undefined, readonly string[] | undefined, string | undefined]>([
    ['$5', undefined, undefined, 'USD'],
    ['$5', 'en-US', undefined, 'USD'],
    ['$5', 'de-DE', undefined, 'USD'],
    ['$5', 'en-CA', undefined, 'CAD'],
    ['5 $', 'fr-CA', undefined, 'CAD'],
    ['-$5', 'en-AU', undefined, 'AUD'],
    ['$5', 'es-MX', undefined, 'MXN'],
    ['$5', 'en-HK', undefined, 'HKD'],
    ['$5', 'en-GB', undefined, undefined],
    ['5 $', 'fr-FR', undefined, undefined],
    ['$5', 'en-GB', ['EUR', 'USD'], 'USD'],
    ['$5', 'es-MX', ['CAD'], 'CAD'],
    ['$5', 'en-CA', ['USD', 'CAD'], 'CAD'],
    ['$5', 'en-GB', ['USD', 'CAD'], undefined],
    ['CAD 5', 'en-US', undefined, 'CAD'],
    ['£5', 'en-US', undefined, 'GBP'],
    ['£5', 'en-EG', undefined, 'EGP'],
    ['5 €', 'en-AU', undefined, 'EUR'],
    ['5', 'en-US', ['CAD'], 'CAD'],
    [{ number: 5, shown: '$5.00', currency: 'CAD' }, 'en-US', undefined, 'CAD'],
    [{ number: 5, shown: '$5.00', currency: 'CAD' }, 'es-MX', ['CAD'], 'CAD'],
    [{ number: 5, shown: '$5.00', currency: 'XXX' }, 'en-US', undefined, undefined],
    [{ number: 5, shown: '$5.00', currency: 'XXX' }, 'en-US', ['CAD'], undefined],
    [{ number: 5, shown: '$5.00 USD', currency: 'CAD' }, 'en-US', undefined, undefined],
    [{ number: 5, shown: '$5.00' }, 'en-CA', undefined, 'CAD'],
  ])('the money %j in %s, of the currencies %j, is in %s', (pay, locale, currencies, currency) => {
    const paid = compiled([{ key: 'pay', type: 'currency', label: 'Pay', ...(currencies ? { currencies } : {}) }]);
    const { content, faults } = Cells.of(paid, { pay: 'pay' }, { locale }).readValues({ pay });
    expect((content['pay'] as JsonObject | undefined)?.['currency']).toBe(currency);
    expect(faults).toHaveLength(currency === undefined ? 1 : 0);
  });

  it('suggest their fields by key, path and label', () => {
    expect(Cells.suggest(form, ['NAME', 'Address.City', 'city', 'Kinds', 'nothing'])).toEqual({
      NAME: 'name',
      'Address.City': 'address.city',
      city: 'address.city',
      Kinds: 'kinds',
      nothing: null,
    });
    expect(Cells.unknownKeys(form, { a: 'lines.sku', b: 'gone', c: null, d: 'name' })).toEqual(['a', 'b']);
  });

  it.each(['en-US', 'de-DE', undefined])('in %s round trip', (locale) => {
    const text = fc.stringMatching(/^[A-Za-z0-9=+@'"-][A-Za-z0-9 =+@'".,-]{0,20}[a-z]$/);
    const content = fc.record(
      {
        name: text,
        price: fc
          .oneof(fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e9, max: 1e9 }))
          .map((value) => (value === 0 ? 0 : value)),
        cost: fc.integer().map((value) => `${value}.25`),
        pay: fc.record({ amount: fc.nat().map(String), currency: fc.constantFrom('EUR', 'CHF') }),
        made: fc
          .date({ min: new Date('1000-01-01'), max: new Date('9000-01-01'), noInvalidDate: true })
          .map((date) => date.toISOString().slice(0, 10)),
        at: fc.date({ min: new Date('1000-01-01'), max: new Date('9000-01-01'), noInvalidDate: true }).map((date) => date.toISOString()),
        open: fc.boolean(),
        kind: fc.constantFrom('red', 'blue'),
        kinds: fc.subarray(['red', 'blue'], { minLength: 1 }),
        where: fc
          .record({ lat: fc.double({ noNaN: true, min: -90, max: 90 }), lng: fc.double({ noNaN: true, min: -180, max: 180 }) })
          .map(({ lat, lng }) => ({ lat: lat + 0, lng: lng + 0 })),
        words: fc.uniqueArray(fc.stringMatching(/^[a-z;[\]",{]{1,6}$/), { minLength: 1, maxLength: 3 }),
        address: fc.record({ city: text }),
        lines: fc.array(fc.record({ _id: fc.constant('r'), sku: text, n: fc.integer() }), { minLength: 1, maxLength: 2 }),
        owner: fc.constant(ID),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(content, (stored) => {
        const cells = Cells.of(form, mapping, { locale, zone: 'America/New_York' });
        const again = cells.readRow(cells.writeRow(stored));
        expect(again).toEqual({ content: stored, faults: [] });
      }),
      { numRuns: 300 },
    );
  });

  it('keep sensitive values masked', () => {
    expect(Cells.of(form, mapping).writeRow({ secret: 'x' }).secret).toBe('•••');
    expect(Cells.of(form, mapping).writeRow({ secret: 'x' }, { sensitive: true }).secret).toBe('x');
  });
});

describe('markdown of content', () => {
  it('has a line a field, a table a list, and nothing sensitive or hidden', () => {
    const content: JsonObject = {
      name: 'Alba',
      price: 5,
      kind: 'red',
      address: { city: 'Bari' },
      lines: [
        { _id: 'r', sku: 'a|b', n: 1 },
        { _id: 's', sku: 'c' },
      ],
      text: 'A *story*.',
      owner: ID,
      secret: 's',
      inner: 'i',
    };
    expect(formMarkdown(form, content, { names: new Map([[ID, 'Ada']]) })).toBe(
      [
        'Name: Alba\nPrice: 5 kg\nKind: Rot\nOwner: Ada',
        '**Address**',
        'City: Bari',
        '**Lines**\n\n| Sku | Count |\n| --- | --- |\n| a\\|b | 1 |\n| c |  |',
        '**Story**\n\nA *story*.',
      ].join('\n\n'),
    );
    expect(formMarkdown(form, content)).not.toContain('Owner');
  });
});

it('the words of content are weighed by what they are', () => {
  const content = { name: 'Alba', price: 5, kind: 'red', text: 'story', secret: 'hush', inner: 'in', words: ['w1', 'w2'] };
  expect(wordsOf(form, content)).toEqual({ title: 'Alba', summary: 'Rot\n5 kg', text: 'w1, w2\nstory' });
  expect(titleOf(form, content)).toBe('Alba');
  expect(titleOf(form, {})).toBeNull();
});

describe('index rows', () => {
  const indexed = compiled([
    { key: 'name', type: 'text', label: 'Name', filterable: true },
    { key: 'price', type: 'number', label: 'Price', filterable: true },
    { key: 'words', type: 'tags', label: 'Words', filterable: true },
    { key: 'owner', type: 'user', label: 'Owner' },
    { key: 'lines', type: 'list', label: 'Lines', fields: [{ key: 'by', type: 'user', label: 'By' }] },
  ]);
  const rows = (content: JsonObject) =>
    indexEntries(indexed, content).map(({ field_key, value_text, value_num, value_ref }) => [
      field_key,
      value_text ?? value_num ?? value_ref,
    ]);

  it('stand for each value, for references always, and at both ends for what is absent', () => {
    expect(rows({ name: 'ALBA', price: 5, words: ['B', 'b'], owner: ID, lines: [{ by: ID }, { by: ID }] })).toEqual([
      ['name', 'alba'],
      ['price', 5],
      ['words', 'b'],
      ['owner', ID],
      ['lines.by', ID],
    ]);
    expect(rows({})).toEqual([
      ['name', ''],
      ['name', '\u{10FFFF}'],
      ['price', -Number.MAX_VALUE],
      ['price', Number.MAX_VALUE],
      ['words', ''],
    ]);
    expect(rows({ price: 'much', name: '' }).map(([key]) => key)).toEqual(['name', 'name', 'price', 'price', 'words']);
  });

  it('are never on the ends, whatever the value', () => {
    expect(rows({ price: Number.MAX_VALUE, name: '\u{10FFFF}', words: ['x'] }).map(([, value]) => value)).toEqual([
      '\u{10FFFD}',
      Number.MAX_VALUE / 2,
      'x',
    ]);
  });

  it('have long texts by their beginning and a digest, in their order', () => {
    const [a, b] = [indexedText(`${'x'.repeat(400)}a`), indexedText(`${'x'.repeat(400)}b`)];
    expect(a).not.toBe(b);
    expect(a.slice(0, 150)).toBe(b.slice(0, 150));
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 400 }), (text) => Buffer.byteLength(JSON.stringify(indexedText(text))) <= 190),
    );
  });
});

it('content that was read from cells is judged like any other', () => {
  const { content } = read({ price: '5', words: 'a; a' });
  expect(checkContent(form, content, { mode: 'create', now: NOW, at: 'content' }).content).toEqual({ price: 5, words: ['a'] });
});

describe('cells that are longer than any value', () => {
  it.each([
    ['at', ',', 20_000],
    ['made', '.', 20_000],
    ['where', '0,0\t\n', 20_000],
  ])('are refused before a pattern reads them: %s', (column, part, size) => {
    const cell = (length: number): string => part.repeat(length / part.length);
    expect(read({ [column]: cell(size) }).faults).toHaveLength(1);
    expect(growth(cell, size, (long) => read({ [column]: long }))).toBeLessThan(LINEAR);
  });
});
