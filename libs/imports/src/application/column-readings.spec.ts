import type { CellNames, CompiledForm, Forms, WorkspaceConventions } from '@atrium/forms';
import type { RowKind } from '../domain/row-kind';
import { ColumnReadings } from './column-readings';

const LAMPS: RowKind = {
  noun: 'lamp',
  external_id: 'lamp_external_id',
  content: 'lamp_content',
  properties: { lamp_external_id: ['external id'], lamp_name: ['name'] },
};
const FIELDS = ['price', 'lamp_name'];

describe('the columns of an import', () => {
  it('are read for every field of the schema, also for one that is called like a property', async () => {
    const asked: object[] = [];
    const forms: Partial<Forms> = {
      openCells: (_, fields) => {
        asked.push(fields);
        return {} as ReturnType<Forms['openCells']>;
      },
    };
    const readings = new ColumnReadings(
      forms as Forms,
      { readHabits: () => Promise.resolve({}) } as unknown as WorkspaceConventions,
      {} as CellNames,
    );
    const form = { all: [], field: (path: string) => (FIELDS.includes(path) ? { unique: false } : undefined) } as unknown as CompiledForm;
    await readings.openColumns(
      { kind: LAMPS, form, isField: (target) => FIELDS.includes(target), suggest: () => ({}) },
      { columns: ['Nr', 'Price', 'Name'], isJson: false },
      { mode: 'insert', mapping: { Nr: 'lamp_external_id', Price: 'price', Name: 'lamp_name' } },
    );
    expect(asked).toEqual([{ Price: 'price', Name: 'lamp_name' }]);
  });
});
