import { growth, LINEAR } from '../../../platform/testing/src/growth';
import fc from 'fast-check';
import type { JsonObject } from '@atrium/platform/kernel';
import { cellLocale, plainNumber } from './cell-locale';
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

function compiled(fields: readonly JsonObject[], more: JsonObject = {}): CompiledForm {
  const read = new FormReader(new FieldTypes(), 'object', NOW).read({ fields, ...more }, 'form_config');
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
const read = (row: Record<string, string>, locale?: string) => Cells.of(form, mapping, locale).read(row);

describe('cells of a table', () => {
  it.each([
    ['1234.5', 'en-US', '1234.5'],
    ['1,234.5', 'en-US', '1234.5'],
    ['1.234,5', 'de-DE', '1234.5'],
    ['1.234', 'de-DE', '1234'],
    ['1234.5', 'de-DE', '1234.5'],
    ['1 234,5', 'fr-FR', '1234.5'],
    ["1'234.5", 'de-CH', '1234.5'],
    ['12,3', 'en-US', undefined],
    ['abc', 'en-US', undefined],
    ['1.2.3', 'de-DE', undefined],
  ])('the number %s in %s is %s', (cell, locale, expected) => {
    expect(plainNumber(cell, cellLocale(locale))).toBe(expected);
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
    expect(read({ made: '03/31/2026' }, 'en-US').content).toEqual({ made: '2026-03-31' });
    expect(read({ made: '03/04/2026' }, 'en-GB').content).toEqual({ made: '2026-04-03' });
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

  it('suggest their fields by key, path and label', () => {
    expect(Cells.suggest(form, ['NAME', 'Address.City', 'city', 'Kinds', 'nothing'])).toEqual({
      NAME: 'name',
      'Address.City': 'address.city',
      city: 'address.city',
      Kinds: 'kinds',
      nothing: null,
    });
    expect(Cells.strangers(form, { a: 'lines.sku', b: 'gone', c: null, d: 'name' })).toEqual(['a', 'b']);
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
        words: fc.uniqueArray(
          text.map((word) => word.replaceAll(';', '')),
          { minLength: 1, maxLength: 3 },
        ),
        address: fc.record({ city: text }),
        lines: fc.array(fc.record({ _id: fc.constant('r'), sku: text, n: fc.integer() }), { minLength: 1, maxLength: 2 }),
        owner: fc.constant(ID),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(content, (stored) => {
        const cells = Cells.of(form, mapping, locale);
        const again = cells.read(cells.write(stored));
        expect(again).toEqual({ content: stored, faults: [] });
      }),
      { numRuns: 300 },
    );
  });

  it('keep sensitive values masked', () => {
    expect(Cells.of(form, mapping).write({ secret: 'x' }).secret).toBe('•••');
    expect(Cells.of(form, mapping).write({ secret: 'x' }, { sensitive: true }).secret).toBe('x');
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
