import { fieldOf, resourceOf } from '@atrium/platform/database';
import type { RunningApi } from '@atrium/platform/testing';
import { DataSource, type EntityMetadata } from 'typeorm';
import { startAtrium } from '../support/api';
import { productResources, TABLES_OF_TESTS } from './product-resources';

let api: RunningApi;

beforeAll(async () => {
  api = await startAtrium();
});
afterAll(() => api.close());

interface Column {
  readonly column_name: string;
  readonly is_nullable: 'YES' | 'NO';
  readonly column_default: string | null;
  readonly is_generated: 'ALWAYS' | 'NEVER';
}

/** Where a resource's declaration and its table disagree, a sentence each. */
function disagreements(entity: EntityMetadata, columns: readonly Column[]): string[] {
  const stored = new Map(columns.map((column) => [column.column_name, column]));
  const declared = new Set(entity.columns.map((column) => column.databaseName));
  // Rows that are only listed, added and removed have no version; views promise nothing about nulls.
  const isAggregate = stored.has('row_version');
  const missing = entity.columns
    .filter((column) => column.databaseName !== 'row_version' && !stored.has(column.databaseName))
    .map((column) => `${entity.tableName} has no column ${column.databaseName}`);
  const nullable = entity.columns
    // A folder at the top level answers `root` where its row says nothing.
    .filter((column) => !(entity.name === 'DocumentFolder' && column.databaseName === 'album_parent'))
    .filter((column) => isAggregate && stored.get(column.databaseName)?.is_nullable === 'YES' && !column.isNullable)
    .map((column) => `${entity.tableName}.${column.databaseName} may be null, its declaration says it may not`);
  const unfillable = columns
    .filter(
      (column) =>
        isAggregate &&
        column.is_nullable === 'NO' &&
        column.column_default === null &&
        column.is_generated === 'NEVER' &&
        !declared.has(column.column_name),
    )
    .map((column) => `${entity.tableName}.${column.column_name} has no default and is not declared`);
  return [...missing, ...nullable, ...unfillable];
}

describe('a declared resource', () => {
  it('is its table: every field has its column, and every column that must be filled is declared', async () => {
    const entities = api.app.get(DataSource).entityMetadatas.filter(({ tableName }) => !TABLES_OF_TESTS.has(tableName));
    expect(entities.length).toBeGreaterThan(3);
    const faults: string[] = [];
    for (const entity of entities) {
      const columns = await api.sql<Column>(
        'SELECT column_name, is_nullable, column_default, is_generated FROM information_schema.columns WHERE table_schema = $1 AND table_name = $2',
        ['public', entity.tableName],
      );
      faults.push(...disagreements(entity, columns));
    }
    expect(faults).toEqual([]);
  });

  it('is found by its id through an index, or says that it is not', async () => {
    const faults: string[] = [];
    for (const type of productResources()) {
      const { table, id, isFoundById = true } = resourceOf(type);
      const indexes = await api.sql<{ indexdef: string }>(
        'SELECT indexdef FROM pg_indexes WHERE tablename = $1 UNION ALL SELECT pg_get_indexdef(indexrelid) FROM pg_index WHERE indrelid = $1::regclass',
        [table],
      );
      const isIndexed = indexes.some(({ indexdef }) => indexdef.includes(`USING btree (tenant_id, ${id}`) && !indexdef.includes(' WHERE '));
      if (isIndexed !== isFoundById) faults.push(`${table}.${id}`);
    }
    expect(faults).toEqual([]);
  });

  it('has an index for each filter it declares as served, in every order it names, and says of the column how many values to expect', async () => {
    const served = productResources().flatMap((type) =>
      Object.entries(resourceOf(type).served ?? {}).map(([filter, orders]) => ({
        ...resourceOf(type),
        filter,
        orders,
        kind: fieldOf(type, filter).filter,
      })),
    );
    expect(served.length).toBeGreaterThan(1);
    for (const { table, id, filter, orders, kind } of served) {
      expect({ table, filter, kind }).toEqual({ table, filter, kind: 'equals' });
      const indexes = await api.sql<{ indexdef: string }>('SELECT indexdef FROM pg_indexes WHERE tablename = $1', [table]);
      for (const order of orders) {
        const keys = new RegExp(`USING btree \\(tenant_id,.* ${filter}, ${order}, ${id}\\)`);
        expect({ table, filter, order, indexes: indexes.filter(({ indexdef }) => keys.test(indexdef)).length }).toEqual({
          table,
          filter,
          order,
          indexes: 1,
        });
      }
      const [column] = await api.sql<{ options: string[] | null }>(
        'SELECT attoptions AS options FROM pg_attribute WHERE attrelid = $1::regclass AND attname = $2',
        [table, filter],
      );
      expect({ table, filter, options: column?.options }).toEqual({
        table,
        filter,
        options: expect.arrayContaining([expect.stringMatching(/^n_distinct=-?[\d.]+$/)]),
      });
    }
  });
});
