import { createDataSource, Database, inWorkspace } from '@atrium/platform/database';
import { newId } from '@atrium/platform/kernel';
import { testDatabase } from '@atrium/platform/testing';
import { Client } from 'pg';
import { PostgresEventStreams } from './postgres-event-streams';
import { PostgresSignals } from './postgres-signals';

/** Notes of each event whether the commit of its transaction waits for the disk. */
const NOTING = `
  CREATE TABLE noted (at bigint GENERATED ALWAYS AS IDENTITY, waits text);
  CREATE FUNCTION note() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS
    $$ BEGIN INSERT INTO public.noted (waits) VALUES (current_setting('synchronous_commit')); RETURN NULL; END $$;
  CREATE TRIGGER note AFTER INSERT ON stream_event FOR EACH ROW EXECUTE FUNCTION note();`;

describe('An event of a stream in PostgreSQL', () => {
  const tenant = newId();
  let owner: Client;
  let db: Database;
  let signals: PostgresSignals;
  let streams: PostgresEventStreams;

  beforeAll(async () => {
    const { appUrl, ownerUrl, name } = await testDatabase();
    owner = new Client({ connectionString: ownerUrl });
    await owner.connect();
    await owner.query(`ALTER DATABASE ${name} SET synchronous_commit = 'on'`);
    await owner.query(NOTING);
    const pool = { pool: 4, acquireTimeoutMs: 5_000 };
    db = new Database(await createDataSource({ url: appUrl, ...pool, applicationName: 'streams-spec' }, []).initialize(), {
      prepared: true,
      ...pool,
    });
    signals = new PostgresSignals(db.dataSource, appUrl);
    streams = new PostgresEventStreams(db, signals);
  });

  afterAll(async () => {
    await owner.end();
    await signals.onApplicationShutdown();
    await db.onApplicationShutdown();
  });

  it('is not waited for until it is on the disk, but a token that raises its fence is, and the unit of work around it', async () => {
    const append = (token?: number): Promise<string> =>
      streams.appendEvent('spec', {}, token === undefined ? undefined : { name: 'run', token });
    await inWorkspace(tenant, async () => {
      for (const token of [undefined, 1, 1, 2, 2]) await append(token);
      await db.write(() => append(2));
    });
    const { rows } = await owner.query<{ waits: string }>('SELECT waits FROM noted ORDER BY at');
    expect(rows.map(({ waits }) => waits)).toEqual(['off', 'on', 'off', 'on', 'off', 'on']);
  });
});
