import { createApi } from '@atrium/platform/http';
import { createTestDatabase, dropTestDatabase, type RunningApi, type TestDatabase } from '@atrium/platform/testing';
import { ApiModule } from '../../apps/api/src/api.module';
import { startAtrium, startWorker } from '../support/api';
import { ask } from './asking';

/** The rules that are broken here one by one; each further one that the inspection knows is broken in isolation.e2e-spec. */
const BREAKS: readonly [statement: string, fault: string][] = [
  ['ALTER TABLE role NO FORCE ROW LEVEL SECURITY', 'row-level security is not forced on role'],
  ['ALTER POLICY tenant ON licence USING (true)', 'the tenant policy is missing or has another shape on licence'],
  ['GRANT SELECT ON account TO atrium_app', 'a table without a workspace is open to the runtime role account'],
  [
    "CREATE FUNCTION peek() RETURNS bigint LANGUAGE sql SECURITY DEFINER AS 'SELECT count(*) FROM account'",
    'a definer function is not on the list or has another owner peek',
  ],
];

/** Tries to start both hosts on the database; what they said. */
async function starts(api: RunningApi, database: TestDatabase): Promise<{ api: string; worker: string }> {
  process.env.DATABASE_URL = database.appUrl;
  const said = async (start: Promise<{ close(): Promise<void> }>): Promise<string> =>
    start.then(
      (app) => app.close().then(() => 'starts'),
      (error: Error) => error.message,
    );
  return { api: await said(createApi(ApiModule)), worker: await said(startWorker(api)) };
}

describe('a host that is started', () => {
  it('refuses to serve, and to do jobs, on a database that does not keep workspaces apart, and says why', async () => {
    // The settings of the harness, on a database of its own.
    const api = await startAtrium();
    for (const [statement, fault] of BREAKS) {
      const database = await createTestDatabase();
      await ask(database.ownerUrl, statement);
      const said = await starts(api, database);
      expect(said).toEqual({ api: expect.stringContaining(fault), worker: expect.stringContaining(fault) });
      expect(said.api).toContain('the service does not start');
      await dropTestDatabase(database);
    }
    process.env.DATABASE_URL = api.database.appUrl;
    await api.close();
  });
});
