import { Problem } from '@atrium/platform/kernel';
import { ImportTables, knownTable, type FoundTable } from './import-tables';

const NOBODY = {} as never;
const tables = new ImportTables(...([] as unknown as ConstructorParameters<typeof ImportTables>));

describe('the table of an import', () => {
  it.each([
    [{}, 'Send a file or rows.'],
    [{ file_id: 'file', rows: [] }, 'Send either a file or rows, not both.'],
  ])('is a file or rows: %j', async (order, message) => {
    await expect(tables.resolveTable(NOBODY, order as never)).rejects.toMatchObject({ errors: [{ path: 'file_id', message }] });
  });

  it.each([
    ['unprocessable_content', false, undefined],
    ['payload_too_large', false, undefined],
    ['unprocessable_content', true, 'refused'],
    ['validation_failed', false, 'refused'],
  ] as const)('that cannot be looked at (%s, measured: %s) is found out by its job or %s', async (code, isMeasured, outcome) => {
    const table = { isJson: false, inspectTable: () => Promise.reject(new Problem(code, 'It cannot be read.', { isMeasured })) };
    expect(await knownTable(table as unknown as FoundTable).catch(() => 'refused')).toBe(outcome);
  });
});
