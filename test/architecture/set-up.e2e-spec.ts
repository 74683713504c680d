import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { inspectIsolation, migrateDatabase, MissingRights, unpreparedRights } from '@atrium/platform/database';
import { createEmptyDatabase, createTestDatabase, dropTestDatabase, type TestDatabase } from '@atrium/platform/testing';
import { asAdmin, ask } from './asking';

const MIGRATIONS = join(__dirname, '../../migrations');
const databases: TestDatabase[] = [];
const roles: string[] = [];

afterAll(async () => {
  for (const database of databases) await dropTestDatabase(database);
  for (const role of roles) await ask(process.env.TEST_PG_ADMIN_URL!, `DROP ROLE IF EXISTS ${role}`).catch(() => undefined);
});

async function ownedBy(attributes: string): Promise<{ readonly database: TestDatabase; readonly role: string; readonly url: string }> {
  // The roles of the service are the server's: they are there once any database of it was migrated.
  databases.push(await createTestDatabase());
  const database = await createEmptyDatabase();
  databases.push(database);
  const role = `owner_${randomBytes(5).toString('hex')}`;
  roles.push(role);
  await ask(
    asAdmin(database),
    `CREATE ROLE ${role} LOGIN ${attributes} PASSWORD 'owner'; ALTER DATABASE ${database.name} OWNER TO ${role}`,
  );
  return { database, role, url: Object.assign(new URL(database.ownerUrl), { username: role, password: 'owner' }).href };
}

describe('a new installation', () => {
  it('is set up by a role that is no superuser and sees past no policy', async () => {
    const [own] = await ask<{ rolsuper: boolean; rolbypassrls: boolean }>(
      (await createTestDatabase()).ownerUrl,
      'SELECT rolsuper, rolbypassrls FROM pg_roles WHERE rolname = current_user',
    );
    expect(own).toEqual({ rolsuper: false, rolbypassrls: false });
    const database = await createTestDatabase();
    databases.push(database);
    expect(await inspectIsolation(database.appUrl)).toEqual([]);
    expect(await unpreparedRights(database.appUrl)).not.toContainEqual(expect.stringMatching(/REVOKE|GRANT|CREATE/));
  });

  it('names the statements that its owner may not run, runs none of its steps, and goes on once a superuser ran them', async () => {
    const { database, role, url } = await ownedBy('NOCREATEROLE');
    const refused: unknown = await migrateDatabase(url, MIGRATIONS).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(MissingRights);
    const { message, statements } = refused as MissingRights;
    expect(message).toContain(
      `Run these statements once as a superuser connected to ${database.name}, then try again:\n  ALTER ROLE ${role} CREATEROLE;`,
    );
    expect(await ask(asAdmin(database), 'SELECT name FROM atrium_migration')).toEqual([]);
    await ask(asAdmin(database), statements.join('; '));
    expect(await migrateDatabase(url, MIGRATIONS)).toBeGreaterThan(40);
    expect(await inspectIsolation(database.appUrl)).toEqual([]);
  }, 60_000);
});

describe('a database that another program restored', () => {
  it('is recognized by what a dump does not carry, which the next migration puts right', async () => {
    const database = await createTestDatabase();
    databases.push(database);
    await ask(
      asAdmin(database),
      `GRANT TEMPORARY ON DATABASE ${database.name} TO PUBLIC; REVOKE CREATE ON SCHEMA public FROM atrium_definer`,
    );
    expect(await unpreparedRights(database.appUrl)).toEqual(
      expect.arrayContaining([
        `REVOKE CREATE, TEMPORARY ON DATABASE ${database.name} FROM PUBLIC`,
        'GRANT USAGE, CREATE ON SCHEMA public TO atrium_definer',
      ]),
    );
    expect(await migrateDatabase(database.ownerUrl, MIGRATIONS)).toBe(0);
    expect(await unpreparedRights(database.appUrl)).toEqual([]);
    // No page of a list waits for further processes to start, and no statement runs for ever.
    const limits =
      "SELECT current_setting('max_parallel_workers_per_gather') AS helpers, current_setting('statement_timeout') AS longest, current_setting('lock_timeout') AS waits";
    expect(await ask(database.appUrl, limits)).toEqual([{ helpers: '0', longest: '2min', waits: '30s' }]);
    expect(await inspectIsolation(database.appUrl)).toEqual([]);
  });
});
