import { pointReader } from '@atrium/forms';
import { suggestedMapping } from '@atrium/imports';
import { decimalOf, isContentField, RECORD_ROWS, RowReader, textFields } from './record-columns';
import type { JsonValue } from '@atrium/platform/kernel';
import { formatOfName } from '@atrium/platform/tabular';

const reader = (mapping: Record<string, string | null>) => {
  const rows = new RowReader(mapping, null, { decimal: '.', pointOf: pointReader({ locale: 'de-DE', zone: 'Europe/Berlin' }) });
  return { read: (values: Record<string, JsonValue>) => rows.readRow(values, 'aside') };
};

describe('columns of a text base', () => {
  it('are what their names say, each once', () => {
    const columns = ['External ID', 'Title', 'name', 'Body', 'tags', 'Price'];
    expect(suggestedMapping(RECORD_ROWS, columns, textFields(columns))).toEqual({
      'External ID': 'rec_external_id',
      Title: 'rec_name',
      name: null,
      Body: 'body',
      tags: 'rec_tags',
      Price: null,
    });
  });

  it('say nothing of the content but its body', () => {
    expect(['body', 'price', 'constructor'].filter((target) => isContentField(null, target))).toEqual(['body']);
  });
});

describe('a row of a text base', () => {
  it('says a record, and nothing by empty cells', () => {
    expect(
      reader({ id: 'rec_external_id', t: 'rec_name', b: 'body', tags: 'rec_tags', u: 'rec_url' }).read({
        id: 7,
        t: ' Lamp ',
        b: '=1+1',
        tags: 'a; b;;',
        u: '',
      }),
    ).toEqual({
      wish: { rec_external_id: '7', rec_name: 'Lamp', rec_tags: ['a', 'b'], rec_content: { body: '=1+1' } },
      faults: [],
    });
  });

  it('refuses a time that is not read whole, and more tags than are read', () => {
    const faults = (target: string, cell: string): unknown =>
      reader({ x: target })
        .read({ x: cell })
        .faults.map(({ path }) => path);
    for (const cell of ['31.07.2026 10:00 - 12:00 UTC', '2026-07-31 14:30 pm GMT', '2026-07-31 9:5:00 UTC'])
      expect(faults('rec_valid_from', cell)).toHaveLength(1);
    expect(faults('rec_valid_from', '2026-07-31 14:30 GMT')).toEqual([]);
    expect(faults('rec_tags', `${'a;'.repeat(1_000)}b`)).toEqual(['x']);
    expect(faults('rec_tags', `${'a;'.repeat(999)}b`)).toEqual([]);
  });

  it('has line breaks and tabs in its name and id, as one that is created by itself', () => {
    expect(reader({ id: 'rec_external_id', t: 'rec_name' }).read({ id: 'a\tb', t: 'Lamp\r\n\tred' })).toEqual({
      wish: { rec_external_id: 'a\tb', rec_name: 'Lamp\r\n\tred' },
      faults: [],
    });
  });

  it('takes lists of JSON as tags, and refuses objects where a text is wanted', () => {
    expect(reader({ tags: 'rec_tags' }).read({ tags: ['a', 'b'] }).wish).toEqual({ rec_tags: ['a', 'b'] });
    expect(reader({ t: 'rec_name', b: 'body' }).read({ t: { number: 7, shown: '007' }, b: { number: 0.5, shown: '50%' } }).wish).toEqual({
      rec_name: '007',
      rec_content: { body: '50%' },
    });
    expect(reader({ t: 'rec_name' }).read({ t: { a: 1 } }).faults).toMatchObject([{ path: 't', code: 'type' }]);
  });

  it('has an id without the marks that a spreadsheet shows, and metadata with all digits', () => {
    expect(
      reader({ id: 'rec_external_id', m: 'rec_metadata' }).read({ id: { number: 1234, shown: '1,234' }, m: '{"n":9007199254740993}' }).wish,
    ).toEqual({
      rec_external_id: '1234',
      rec_metadata: { n: '9007199254740993' },
    });
  });

  it.each([
    ['31.03.2026', '2026-03-30T22:00:00.000Z'],
    ['2026-03-31', '2026-03-30T22:00:00.000Z'],
    ['2026-03-31T12:00:00', '2026-03-31T10:00:00.000Z'],
    ['2026-03-31T12:00:00Z', '2026-03-31T12:00:00.000Z'],
  ])('is there from %s of the workspace on: %s', (from, point) => {
    expect(reader({ from: 'rec_valid_from' }).read({ from }).wish).toEqual({ rec_valid_from: new Date(point) });
    expect(reader({ until: 'rec_valid_until' }).read({ until: from }).wish).toEqual({ rec_valid_until: new Date(point) });
  });

  it('says which times it is not there from, and why', () => {
    expect(reader({ from: 'rec_valid_from' }).read({ from: '26.10.2025 02:30' }).faults).toMatchObject([
      { path: 'from', code: 'format', message: expect.stringMatching(/^"26.10.2025 02:30" .* occurs twice/) },
    ]);
    for (const from of ['soon', true, { a: 1 }])
      expect(reader({ from: 'rec_valid_from' }).read({ from }).faults).toMatchObject([{ path: 'from', code: 'format' }]);
  });
});

describe('what names suggest', () => {
  it('is the format of a file', () =>
    expect(['a.CSV', 'b.ndjson', 'c.txt', 'd.xlsx', 'e.doc', 'f'].map(formatOfName)).toEqual([
      'csv',
      'jsonl',
      'csv',
      'xlsx',
      undefined,
      undefined,
    ]));
  it('is the decimal sign of a locale', () =>
    expect(['en', 'de-DE', 'pt-PT', null, 'no such'].map(decimalOf)).toEqual(['.', ',', ',', '.', '.']));
});
