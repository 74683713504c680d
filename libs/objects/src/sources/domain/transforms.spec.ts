import type { JsonValue } from '@atrium/platform/kernel';
import { readTransform } from './transforms';

function run(transform: JsonValue, value: JsonValue): unknown {
  const read = readTransform(transform);
  if (typeof read !== 'function') throw new Error(read.fault);
  return read(value);
}

describe('transforms', () => {
  it.each<[JsonValue, JsonValue, unknown]>([
    ['trim', '  a ', 'a'],
    ['trim', 5, 5],
    ['lower', 'ÄB', 'äb'],
    ['number', ' 1 234.5 ', 1234.5],
    ['number', '1,234,567.5', 1234567.5],
    ['number', '-0.5e3', -500],
    ['number', 7, 7],
    ['number', '', undefined],
    ['number(,)', '1.234,5', 1234.5],
    ['number', '9,007,199,254,740,993', '9007199254740993'],
    ['number', '\u22125', -5],
    ['split(;)', 'a; b ;;c', ['a', 'b', 'c']],
    ['split())', 'a)b', ['a', 'b']],
    ['split(;)', ['kept'], ['kept']],
    ['date(DD.MM.YYYY)', '02.01.2026', '2026-01-02'],
    ['date(D/M/YY)', '2/1/68', '2068-01-02'],
    ['date(D/M/YY)', '2/1/69', '1969-01-02'],
    ['date(YYYY-MM-DD HH:mm)', '2026-01-02 03:04', '2026-01-02T03:04:00.000'],
    ['date(MMM D, YYYY h:mm A)', 'Jan 2, 2026 3:04 PM', '2026-01-02T15:04:00.000'],
    ['date(YYYY-MM-DDTHH:mm:ssZ)', '2026-01-02T03:04:05+02:30', '2026-01-02T00:34:05.000Z'],
    ['date(YYYY-MM-DDTHH:mm:ss.SSSZ)', '2026-01-02T23:04:05.250-0200', '2026-01-03T01:04:05.250Z'],
    ['date(unix)', 0, '1970-01-01T00:00:00.000Z'],
    ['date(unix_ms)', '1500', '1970-01-01T00:00:01.500Z'],
    ['date(DD.MM.YYYY)', '', undefined],
    [{ map: { yes: true, '1': 'one' } }, 'yes', true],
    [{ map: { yes: true, '1': 'one' } }, 1, 'one'],
    [{ map: { a: null } }, 'a', null],
    ['lower', ['A', null, 'B'], ['a', null, 'b']],
    ['number', ['1', '', '2'], [1, 2]],
    ['number', null, null],
  ])('%j makes of %j %j', (transform, value, made) => {
    expect(run(transform, value)).toEqual(made);
  });

  it.each<[JsonValue, JsonValue]>([
    ['number', 'twelve'],
    ['number', '1,23'],
    ['number', true],
    ['number', '0x10'],
    ['number', '1e999'],
    ['number(,)', '1,234,5'],
    ['number(,)', '0.123'],
    ['number', '0,750'],
    ['number', '1 2'],
    ['number(,)', '12.50'],
    ['date(h:mm DD.MM.YYYY)', '3:04 02.01.2026'],
    ['date(DD.MM.YYYY)', '30.02.2026'],
    ['date(DD.MM.YYYY)', '2026-01-02'],
    ['date(YYYY-MM-DD HH:mm)', '2026-01-02 24:00'],
    ['date(unix)', 'soon'],
    ['split(;)', 5],
    [{ map: { a: 1 } }, 'b'],
    [{ map: {} }, 'constructor'],
  ])('%j does not take %j', (transform, value) => {
    expect(() => run(transform, value)).toThrow();
  });

  it.each<[JsonValue, JsonValue]>([
    ['number', 'about 98000'.repeat(20)],
    ['number', '"'.repeat(200)],
    [{ map: {} }, { deep: ['98000'.repeat(50)] }],
  ])('%j quotes the beginning of a long value between quotation marks', (transform, value) => {
    expect(() => run(transform, value)).toThrow(/: "[^]{80}…"$/);
  });

  it.each<[JsonValue]>([
    ['upper'],
    ['html_to_markdown'],
    ['trim()'],
    ['split'],
    ['split()'],
    ['number(;)'],
    ['date()'],
    ['date(MM.YYYY)'],
    ['date(DD.DD.MM.YYYY)'],
    ['date(DD.MM.YYYY mm)'],
    [5],
    [{ map: [] }],
    [{ map: {}, other: 1 }],
    [{}],
  ])('refuses %j', (transform) => {
    expect(readTransform(transform)).toEqual({ fault: expect.any(String) });
  });
});
