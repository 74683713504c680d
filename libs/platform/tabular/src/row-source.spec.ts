import { Problem, type JsonObject } from '@atrium/platform/kernel';
import { rowsOfJson } from './row-source';

const refusalOf = (rows: readonly JsonObject[]): unknown => {
  try {
    rowsOfJson(rows, { maxColumns: 500 });
  } catch (error) {
    if (error instanceof Problem) return error.errors?.map(({ path }) => path);
    throw error;
  }
  return undefined;
};

describe('rows in the body of a request', () => {
  it('are refused by the paths of numbers that may have lost digits', () => {
    expect(
      refusalOf([
        { a: 1, b: 1.5, c: '9007199254740993' },
        { a: { b: [1, { c: 9007199254740993 }] }, d: 1e99 },
      ]),
    ).toEqual(['rows[1].a.b[1].c', 'rows[1].d']);
    expect(refusalOf([{ a: 9007199254740991, b: -0.1, c: 1e-9, d: null, e: true }])).toBeUndefined();
  });

  it('are not looked at behind as many faults as a refusal names', () => {
    const unread = Object.defineProperty({}, 'a', {
      enumerable: true,
      get: (): never => {
        throw new Error('The row was read.');
      },
    }) as JsonObject;
    const faulty = Array.from({ length: 7 }, () => ({ a: 1e99, b: [1e99, 1e99] }));
    expect(refusalOf([...faulty, unread])).toHaveLength(20);
  });
});
