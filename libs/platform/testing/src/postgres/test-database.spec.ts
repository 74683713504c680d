import { Client } from 'pg';
import { createTestDatabase, dropTestDatabase, testDatabase } from './test-database';

async function ask<Row>(url: string, text: string): Promise<Row[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(text)).rows as Row[];
  } finally {
    await client.end();
  }
}

describe('the database of a test file', () => {
  it('is migrated and reached as the restricted role', async () => {
    const { appUrl, ownerUrl } = await testDatabase();
    expect(await ask(appUrl, 'SELECT current_user::text AS who, current_tenant() AS tenant')).toEqual([
      { who: 'atrium_app', tenant: null },
    ]);
    expect((await ask(ownerUrl, 'SELECT name FROM atrium_migration')).length).toBeGreaterThan(0);
  });

  it('is the same at the second call, and another where a second one is asked for', async () => {
    const first = await testDatabase();
    const second = await createTestDatabase();
    expect((await testDatabase()).name).toBe(first.name);
    expect(second.name).not.toBe(first.name);
    await dropTestDatabase(second);
    await expect(ask(second.ownerUrl, 'SELECT 1')).rejects.toThrow(/does not exist/);
  });

  it('can be made many at a time', async () => {
    const databases = await Promise.all(Array.from({ length: 4 }, () => createTestDatabase()));
    expect(new Set(databases.map((database) => database.name)).size).toBe(4);
  });
});
