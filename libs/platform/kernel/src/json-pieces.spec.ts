import { jsonPieces, rowsOfPieces } from './json-pieces';

const row = (n: number, length: number): { n: number; text: string } => ({ n, text: 'x'.repeat(length) });
const all = (rows: readonly unknown[], longest?: number): unknown[][] =>
  [...jsonPieces(rows, longest === undefined ? {} : { longest })].map(({ text }) => JSON.parse(text) as unknown[]);

describe('rows in pieces of JSON', () => {
  it('are all rows in their order, no piece longer than it may be', () => {
    const rows = Array.from({ length: 100 }, (_, n) => row(n, n));
    const pieces = [...jsonPieces(rows, { longest: 500 })];
    expect(pieces.flatMap(({ text }) => JSON.parse(text) as unknown[])).toEqual(rows);
    expect(Math.max(...pieces.map(({ text }) => text.length))).toBeLessThanOrEqual(502);
    expect(pieces.map(({ text }) => (JSON.parse(text) as unknown[]).at(-1))).toEqual(pieces.map(({ last }) => last));
    expect(pieces.length).toBeLessThan(30);
  });

  it('have a row that is longer in a piece of its own', () => {
    expect(all([row(1, 10), row(2, 900), row(3, 10)], 200).map((rows) => rows.length)).toEqual([1, 1, 1]);
  });

  it('are one piece where they are small, and none without rows', () => {
    expect(all(Array.from({ length: 1_000 }, (_, n) => row(n, 100)))).toHaveLength(1);
    expect(all([])).toEqual([]);
  });

  it('become rows again, and others have a turn between two pieces', async () => {
    const rows = Array.from({ length: 100 }, (_, n) => row(n, n));
    const pieces = Array.from(jsonPieces(rows, { longest: 500 }), ({ text }) => text);
    let turns = 0;
    const count = (): NodeJS.Immediate => setImmediate(() => (turns++, (next = count())));
    let next = count();
    expect(await rowsOfPieces(pieces)).toEqual(rows);
    clearImmediate(next);
    expect(turns).toBeGreaterThanOrEqual(pieces.length - 1);
  });

  it('take what a row is written as', () => {
    expect([...jsonPieces([1, 2], { textOf: (n) => `"${n}"` })]).toEqual([{ text: '["1","2"]', last: 2 }]);
  });
});
