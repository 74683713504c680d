import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrate } from '@atrium/platform/database';
import { createEmptyDatabase, createTestDatabase, dropTestDatabase, type TestDatabase } from '@atrium/platform/testing';
import { Client } from 'pg';
import { ask } from './asking';

let folder: string;
let database: TestDatabase;

beforeAll(async () => {
  // The roles of the service are the server's: they are there once any database of it was migrated.
  await createTestDatabase();
  folder = await mkdtemp(join(tmpdir(), 'atrium-steps-'));
  database = await createEmptyDatabase();
  await writeFile(join(folder, '0001-table.sql'), "CREATE TABLE shelf (name text); INSERT INTO shelf VALUES ('first');");
  await migrate(database.ownerUrl, folder);
  await writeFile(join(folder, '0002-column.sql'), 'ALTER TABLE shelf ADD COLUMN width integer;');
});
afterAll(async () => {
  await dropTestDatabase(database);
  await rm(folder, { recursive: true, force: true });
});

describe('a migration', () => {
  it('lets those pass that wait behind it for a table which a long read uses, and is applied once that ends', async () => {
    const reader = new Client({ connectionString: database.ownerUrl });
    await reader.connect();
    await reader.query('BEGIN');
    await reader.query('SELECT FROM shelf');
    const migrated = migrate(database.ownerUrl, folder);
    try {
      while (
        (
          await ask(
            database.ownerUrl,
            'SELECT FROM pg_locks WHERE NOT granted AND database = (SELECT oid FROM pg_database WHERE datname = current_database())',
          )
        ).length === 0
      );
      // The long read is still open: a client that reads the table now is answered all the same.
      expect(await ask(database.ownerUrl, 'SELECT name FROM shelf')).toEqual([{ name: 'first' }]);
    } finally {
      await reader.end();
    }
    expect(await migrated).toBe(1);
    expect(await ask(database.ownerUrl, 'SELECT width FROM shelf')).toEqual([{ width: null }]);
  });

  it('is refused when a step that ran was changed', async () => {
    await writeFile(join(folder, '0002-column.sql'), 'ALTER TABLE shelf ADD COLUMN depth integer;');
    await expect(migrate(database.ownerUrl, folder)).rejects.toThrow('Migration 0002-column.sql was changed after it ran.');
  });
});
