import { ImportTables } from './import-tables';

const NOBODY = {} as never;
const tables = new ImportTables(...([] as unknown as ConstructorParameters<typeof ImportTables>));

describe('the table of an import', () => {
  it.each([
    [{}, 'Send a file or rows.'],
    [{ file_id: 'file', rows: [] }, 'Send either a file or rows, not both.'],
  ])('is a file or rows: %j', async (order, message) => {
    await expect(tables.find(NOBODY, 'base', order as never)).rejects.toMatchObject({ errors: [{ path: 'file_id', message }] });
  });
});
