import { join } from 'node:path';
import { migrateDatabase } from '@atrium/platform/database';
import { newId } from '@atrium/platform/kernel';
import { createEmptyDatabase, dropTestDatabase, type TestDatabase } from '@atrium/platform/testing';
import { ask, asAdmin } from '../architecture/asking';

const MIGRATIONS = join(__dirname, '../../migrations');
/** The step that makes the tables of libraries. */
const TABLES = '0175-websites.sql';

let database: TestDatabase;

beforeAll(async () => {
  database = await createEmptyDatabase();
}, 60_000);
afterAll(() => dropTestDatabase(database));

describe('the library Standard', () => {
  it('comes to the workspaces there are, except where it came with a new one in the meantime', async () => {
    await migrateDatabase(database.ownerUrl, MIGRATIONS, undefined, { until: TABLES });
    const admin = asAdmin(database);
    const workspaces = Array.from({ length: 201 }, newId).sort();
    await ask(
      admin,
      "INSERT INTO workspace (tenant_id, ws_name, ws_slug) SELECT w.id, 'Old', 'old-' || w.n FROM unnest($1::uuid[]) WITH ORDINALITY AS w (id, n)",
      { values: [workspaces] },
    );
    const [begun] = workspaces;
    await ask(
      admin,
      `WITH l AS (INSERT INTO content_library (tenant_id, lib_id, lib_name, lib_standard, lib_created, lib_updated) VALUES ($1, gen_random_uuid(), 'Standard', true, now(), now()) RETURNING *)
       INSERT INTO content_schema (tenant_id, tpl_id, tpl_library, tpl_key, tpl_name, tpl_kind, tpl_created, tpl_updated)
       SELECT tenant_id, gen_random_uuid(), lib_id, 'page', 'Page', 'page', now(), now() FROM l`,
      { values: [begun] },
    );
    await migrateDatabase(database.ownerUrl, MIGRATIONS);
    const found = await ask<{ libraries: number; schemas: number; workspaces: number }>(
      admin,
      `SELECT libraries, schemas, count(*)::integer AS workspaces FROM (
         SELECT count(DISTINCT l.lib_id)::integer AS libraries, count(c.tpl_id)::integer AS schemas
         FROM content_library l LEFT JOIN content_schema c ON c.tenant_id = l.tenant_id AND c.tpl_library = l.lib_id WHERE l.lib_standard GROUP BY l.tenant_id
       ) x GROUP BY 1, 2 ORDER BY 2`,
    );
    expect(found).toEqual([
      { libraries: 1, schemas: 1, workspaces: 1 },
      { libraries: 1, schemas: 12, workspaces: 200 },
    ]);
  }, 120_000);
});
