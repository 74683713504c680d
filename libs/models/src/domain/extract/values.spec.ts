import { numberOf, valuesIn, type ValueKind } from './values';

const found = (text: string, kind: ValueKind): unknown[] => valuesIn(text, kind).map(({ value }) => value);

describe('values in a text', () => {
  it.each([
    ['due on 2026-03-12.', ['2026-03-12']],
    ['am 12. März 2026 und 1.4.2026', ['2026-03-12', '2026-04-01']],
    ['March 12, 2026 or 3rd of April 2026', ['2026-03-12', '2026-04-03']],
    ['le 14 juillet 2026, el 5 de mayo de 2026', ['2026-07-14', '2026-05-05']],
    ['on 31.02.2026 and 2026-13-01', []],
    ['version 1.2.2026.4', []],
  ])('are the dates of %j', (text, dates) => {
    expect(found(text, 'date')).toEqual(dates);
  });

  it.each([
    ['1,250.50', 1250.5],
    ['1.250,50', 1250.5],
    ['1,250', 1250],
    ['3.142', 3.142],
    ['3,14', 3.14],
    ['1 250 000', 1_250_000],
    ["1'250.5", 1250.5],
    ['−4', -4],
  ])('are numbers: %s is %d', (written, value) => {
    expect(numberOf(written)).toBe(value);
  });

  it('are numbers that are no part of a date or a word', () => {
    expect(found('On 12 March 2026 we paid 40 euros for A4 paper.', 'number')).toEqual([40]);
    expect(found('2.5 metres and 3 boats', 'integer')).toEqual([3]);
  });

  it('are addresses and phone numbers', () => {
    expect(found('Write to a.b@harbour.example, not to @home.', 'email')).toEqual(['a.b@harbour.example']);
    expect(found('See https://harbour.example/a?b=1, then (https://x.example).', 'url')).toEqual([
      'https://harbour.example/a?b=1',
      'https://x.example',
    ]);
    expect(found('Call +49 40 123 4567 or 040/1234567, on 12.03.2026, order 4711.', 'phone')).toEqual(['+49 40 123 4567', '040/1234567']);
  });

  it('are found quickly in long runs', () => {
    for (const run of ['1'.repeat(50_000), '1,'.repeat(25_000), 'a.'.repeat(25_000), '0 '.repeat(25_000), 'a@'.repeat(25_000)])
      for (const kind of ['number', 'date', 'email', 'url', 'phone'] as const) expect(found(run, kind)).toBeDefined();
  });
});
