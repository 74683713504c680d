import type { JsonValue } from '@atrium/platform/kernel';
import { isLeftOut, sqlValue } from './sql-values';

const [BOOL, INT8, INT4, TEXT, FLOAT8, NUMERIC, JSONB, DATE, TIMESTAMP, TIMESTAMPTZ] = [
  16, 20, 23, 25, 701, 1_700, 3_802, 1_082, 1_114, 1_184,
];
const [TEXTS, INT8S, JSONBS, TIMESTAMPTZS] = [1_009, 1_016, 3_807, 1_185];

describe('a value of a database', () => {
  it.each<[string | null, number, JsonValue]>([
    [null, INT4, null],
    ['t', BOOL, true],
    ['f', BOOL, false],
    ['-7', INT4, -7],
    ['9007199254740991', INT8, 9_007_199_254_740_991],
    ['9007199254740993', INT8, '9007199254740993'],
    ['-9223372036854775808', INT8, '-9223372036854775808'],
    ['12.50', NUMERIC, 12.5],
    ['0.1', NUMERIC, 0.1],
    ['0.00', NUMERIC, 0],
    ['-1.00', NUMERIC, -1],
    ['1234567890123.45', NUMERIC, 1_234_567_890_123.45],
    ['12345678901234567.89', NUMERIC, '12345678901234567.89'],
    ['0.1234567890123456789', NUMERIC, '0.1234567890123456789'],
    ['100000000000000000000', NUMERIC, '100000000000000000000'],
    [`0.${'0'.repeat(400)}1`, NUMERIC, `0.${'0'.repeat(400)}1`],
    ['NaN', NUMERIC, 'NaN'],
    ['0.30000000000000004', FLOAT8, 0.30000000000000004],
    ['Infinity', FLOAT8, 'Infinity'],
    ['2026-01-02', DATE, '2026-01-02'],
    ['infinity', DATE, 'infinity'],
    ['2026-01-02 03:04:05.123456', TIMESTAMP, '2026-01-02T03:04:05.123456'],
    ['2026-01-02 03:04:05', TIMESTAMP, '2026-01-02T03:04:05'],
    ['2026-01-02 03:04:05.123456+01', TIMESTAMPTZ, '2026-01-02T03:04:05.123456+01:00'],
    ['2026-01-02 03:04:05-03:30', TIMESTAMPTZ, '2026-01-02T03:04:05-03:30'],
    ['1900-01-01 00:19:32.5+00:19:32', TIMESTAMPTZ, '1900-01-01T00:00:00.5Z'],
    ['1900-01-01 00:00:00-00:01:15', TIMESTAMPTZ, '1900-01-01T00:01:15Z'],
    ['0044-03-15 00:00:00+00 BC', TIMESTAMPTZ, '0044-03-15 00:00:00+00 BC'],
    ['-infinity', TIMESTAMPTZ, '-infinity'],
    ['{"a": [1, "é"]}', JSONB, { a: [1, 'é'] }],
    ['{"a": 1}', TEXT, '{"a": 1}'],
    ['null', JSONB, null],
    ['(1,2)', 600, '(1,2)'],
  ])('%s of the type %i is %j', (text, type, value) => {
    expect(sqlValue(text, type)).toEqual(value);
  });

  it.each<[string, number, JsonValue]>([
    ['{}', TEXTS, []],
    ['{a,"b c",NULL,"NULL",""}', TEXTS, ['a', 'b c', null, 'NULL', '']],
    ['{"a\\"b","c\\\\d","{e,f}"}', TEXTS, ['a"b', 'c\\d', '{e,f}']],
    [
      '{{1,2},{3,9007199254740993}}',
      INT8S,
      [
        [1, 2],
        [3, '9007199254740993'],
      ],
    ],
    ['[0:1]={1,2}', INT8S, [1, 2]],
    ['{"{\\"a\\": 1}",NULL}', JSONBS, [{ a: 1 }, null]],
    ['{"2026-01-02 03:04:05+00"}', TIMESTAMPTZS, ['2026-01-02T03:04:05+00:00']],
    ['{a,b', TEXTS, '{a,b'],
    ['{a}b', TEXTS, '{a}b'],
  ])('%s is the list that the type %i holds', (text, type, value) => {
    expect(sqlValue(text, type)).toEqual(value);
  });

  it('is a list where its own type is one, and a text where nobody knows it', () => {
    expect(sqlValue('{red,"dark red"}', 20_001, new Map([[20_001, 20_000]]))).toEqual(['red', 'dark red']);
    expect(sqlValue('{red}', 20_001)).toBe('{red}');
  });

  it('survives a text of megabytes', () => {
    const long = 'x'.repeat(5_000_000);
    expect(sqlValue(`{"${long}\\"","${long}"}`, TEXTS)).toEqual([`${long}"`, long]);
  });

  it('is left out where it is made of bytes', () => {
    expect([17, 1_001, TEXT, JSONB].map(isLeftOut)).toEqual([true, true, false, false]);
  });
});
