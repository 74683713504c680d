import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrateDatabase } from '@atrium/platform/database';
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
  await migrateDatabase(database.ownerUrl, folder);
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
    const migrated = migrateDatabase(database.ownerUrl, folder);
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
    await expect(migrateDatabase(database.ownerUrl, folder)).rejects.toThrow('Migration 0002-column.sql was changed after it ran.');
  });
});

describe('a step of several parts', () => {
  const CURSOR = `SELECT jsonb_build_array(id) AS cursor FROM page ORDER BY id DESC LIMIT 1`;
  /** Counts how often each row was looked at, three rows a batch; it fails at a row that is closed. */
  const COUNTED = `WITH page AS MATERIALIZED (
      SELECT id, 1 / open AS looks FROM row_of_before WHERE $1::jsonb IS NULL OR id > ($1::jsonb ->> 0)::integer ORDER BY id LIMIT 3
    ), counted AS (UPDATE row_of_before r SET looks = r.looks + p.looks FROM page p WHERE r.id = p.id)
    ${CURSOR};`;
  const rows = <R extends object>(text: string): Promise<R[]> => ask<R>(one.ownerUrl, text);
  const unique = 'CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS row_value ON row_of_before (value);';
  let one: TestDatabase;
  let steps: string;

  beforeEach(async () => {
    steps = await mkdtemp(join(tmpdir(), 'atrium-parts-'));
    one = await createEmptyDatabase();
    await writeFile(
      join(steps, '0001-rows.sql'),
      `CREATE TABLE row_of_before (id integer PRIMARY KEY, open integer NOT NULL DEFAULT 1, looks integer NOT NULL DEFAULT 0, value integer);
       INSERT INTO row_of_before (id, value) SELECT i, i FROM generate_series(1, 10) i;`,
    );
    await migrateDatabase(one.ownerUrl, steps);
  });
  afterEach(async () => {
    await dropTestDatabase(one);
    await rm(steps, { recursive: true, force: true });
  });

  it('keeps what is done when it is cut off, and is gone on with where it ended', async () => {
    await writeFile(join(steps, '0002-looks.sql'), `ALTER TABLE row_of_before ADD COLUMN note text;\n-- part: in batches\n${COUNTED}\n`);
    await rows('UPDATE row_of_before SET open = 0 WHERE id = 8');
    await expect(migrateDatabase(one.ownerUrl, steps)).rejects.toThrow('Migration 0002-looks.sql failed: division by zero');
    expect(await rows('SELECT id FROM row_of_before WHERE looks > 0 ORDER BY id')).toEqual([1, 2, 3, 4, 5, 6].map((id) => ({ id })));

    await rows('UPDATE row_of_before SET open = 1');
    expect(await migrateDatabase(one.ownerUrl, steps)).toBe(1);
    expect(await rows('SELECT DISTINCT looks, note FROM row_of_before')).toEqual([{ looks: 1, note: null }]);
    expect(await rows("SELECT to_regclass('atrium_migration_part') AS progress")).toEqual([{ progress: null }]);
  });

  it('is refused when it was changed after a part of it ran', async () => {
    await writeFile(join(steps, '0002-looks.sql'), `-- part: in batches\n${COUNTED}\n`);
    await rows('UPDATE row_of_before SET open = 0 WHERE id = 8');
    await expect(migrateDatabase(one.ownerUrl, steps)).rejects.toThrow('division by zero');
    await writeFile(join(steps, '0002-looks.sql'), `-- part: in batches\n${COUNTED.replace('LIMIT 3', 'LIMIT 5')}\n`);
    await expect(migrateDatabase(one.ownerUrl, steps)).rejects.toThrow('it was changed after parts of it ran');
  });

  it('builds an index while others write, and again where a build did not end', async () => {
    await writeFile(join(steps, '0002-index.sql'), `-- part: concurrently\n${unique}\n`);
    await rows('UPDATE row_of_before SET value = 1 WHERE id = 2');
    await expect(migrateDatabase(one.ownerUrl, steps)).rejects.toThrow('could not create unique index');
    expect(await rows("SELECT indisvalid FROM pg_index WHERE indexrelid = 'row_value'::regclass")).toEqual([{ indisvalid: false }]);

    await rows('UPDATE row_of_before SET value = 2 WHERE id = 2');
    const writer = new Client({ connectionString: one.ownerUrl });
    await writer.connect();
    await writer.query('BEGIN');
    await writer.query('UPDATE row_of_before SET looks = 5 WHERE id = 1');
    const migrated = migrateDatabase(one.ownerUrl, steps);
    try {
      await waitedFor('NOT granted', one);
      await rows("SET lock_timeout = '50ms'; UPDATE row_of_before SET looks = 7 WHERE id = 2");
      expect(await rows('SELECT looks FROM row_of_before WHERE id = 2')).toEqual([{ looks: 7 }]);
    } finally {
      await writer.query('COMMIT');
      await writer.end();
    }
    expect(await migrated).toBe(1);
    expect(await rows("SELECT indisvalid FROM pg_index WHERE indexrelid = 'row_value'::regclass")).toEqual([{ indisvalid: true }]);
  });

  it('is applied once by two who begin at the same time, and neither waits for the other for ever', async () => {
    await writeFile(join(steps, '0002-index.sql'), `-- part: concurrently\n${unique}\n`);
    const counts = await Promise.all([1, 2, 3].map(() => migrateDatabase(one.ownerUrl, steps)));
    expect(counts.sort()).toEqual([0, 0, 1]);
  });
});

/** Until a lock of this kind is asked for or held in the database. */
async function waitedFor(which: string, { ownerUrl }: TestDatabase): Promise<void> {
  const locks = `SELECT FROM pg_locks l JOIN pg_stat_activity a USING (pid) WHERE a.application_name = 'atrium-migrate' AND a.datname = current_database() AND ${which}`;
  while ((await ask(ownerUrl, locks)).length === 0);
}
