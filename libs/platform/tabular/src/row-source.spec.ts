import { Problem, type JsonObject } from '@atrium/platform/kernel';
import { rowsOfJson, rowsOfTable } from './row-source';
import { Tabular } from './tabular';

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

describe('the columns of JSON', () => {
  const columnsOf = async (text: string): Promise<readonly string[]> => {
    const limits = { maxColumns: 2 };
    const source = rowsOfTable(await Tabular.open(Buffer.from(text), { format: 'jsonl', limits }));
    return source.columns().finally(() => source.close());
  };
  const wide = '{"a":1,"b":2,"c":3}';

  it('are those of the rows that can be read', async () => {
    expect(await columnsOf(`${wide}\nno row\n{"a":1}\n{"b":2}`)).toEqual(['a', 'b']);
  });

  it('are too many where all of the first rows have too many, or some have and none can be read', async () => {
    const refusal = { code: 'payload_too_large', detail: 'The table has more than 2 columns, which is the limit.' };
    await expect(columnsOf(wide)).rejects.toMatchObject(refusal);
    await expect(columnsOf(`no row\n${wide}\n{}`)).rejects.toMatchObject(refusal);
  });

  it('are missing where there are no rows, and cannot be read where no row can be', async () => {
    const headerOf = (code: string, message: unknown): object => ({ errors: [{ path: 'header', code, message }] });
    await expect(columnsOf('{}')).rejects.toMatchObject(headerOf('missing', expect.stringMatching(/^The table has no rows/)));
    await expect(columnsOf('\nno row\n[1]')).rejects.toMatchObject(headerOf('unreadable', 'Row 2: This is not valid JSON.'));
  });
});
