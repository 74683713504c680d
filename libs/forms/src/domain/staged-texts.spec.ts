import { stagedTexts, type StagedRow } from './staged-texts';

const read = (rows: readonly StagedRow[]): unknown[][] => [...stagedTexts(rows)].map(({ text }) => JSON.parse(text) as unknown[]);

describe('rows that are staged', () => {
  it('are what they were, also with characters that no column of JSON takes', () => {
    const rows: readonly (StagedRow & { readonly fault?: string })[] = [
      { number: 1, values: { a: 'x\u0000', b: ['\ud800', null] } },
      { number: 2, values: {}, fault: 'The row is not complete.' },
    ];
    expect(read(rows)).toEqual([rows]);
    expect(read([])).toEqual([]);
  });

  it('are stored together as far as a mebibyte reaches', () => {
    const rows = Array.from({ length: 5 }, (_, at) => ({ number: at + 1, values: { a: 'x'.repeat(400_000) } }));
    expect([...stagedTexts(rows)].map(({ last, text }) => [last.number, (JSON.parse(text) as unknown[]).length])).toEqual([
      [2, 2],
      [4, 2],
      [5, 1],
    ]);
  });

  it('have a fault where they are larger, without being written first', () => {
    const shared = 'x'.repeat(400_000);
    const values = Object.fromEntries(Array.from({ length: 20_000 }, (_, at) => [`c${at}`, shared]));
    const fault = 'The row is larger than 1 MiB.';
    expect(
      read([
        { number: 7, values },
        { number: 8, values: { a: [shared, shared, shared] } },
      ]),
    ).toEqual([
      [
        { number: 7, values: {}, fault },
        { number: 8, values: {}, fault },
      ],
    ]);
  });
});
