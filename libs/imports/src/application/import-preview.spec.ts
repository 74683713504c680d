import type { TableSnapshot } from '@atrium/platform/tabular';
import { previewTable } from './import-preview';
import type { FoundTable } from './import-tables';

describe('a preview of an import', () => {
  it('has what columns say, their types, and numbers as a spreadsheet shows them', async () => {
    const look = {
      columns: ['Price', 'Note'],
      rows: [{ number: 1, values: { Price: { number: 0.5, shown: '50%' }, Note: 'x' } }],
      total: 7,
      encoding: 'utf-8',
      delimiter: ';',
    } as unknown as TableSnapshot;
    const table: FoundTable = {
      isJson: false,
      openRows: () => Promise.reject(new Error('A preview opens nothing.')),
      inspectTable: () => Promise.resolve(look),
    };
    const preview = await previewTable(table, () => ({ mapping: { Price: 'price', Note: null }, typeOf: (target) => `type of ${target}` }));
    expect(preview.columns).toMatchObject([
      { name: 'Price', suggested_field: 'price', type: 'type of price' },
      { name: 'Note', suggested_field: null, type: null },
    ]);
    expect(preview).toMatchObject({ rows: [{ Price: '50%', Note: 'x' }], total_estimate: 7, encoding: 'utf-8', delimiter: ';' });
  });
});
