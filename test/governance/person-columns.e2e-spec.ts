import { once } from 'node:events';
import { migrateQueue } from '@atrium/platform/messaging';
import { createTestDatabase, dropTestDatabase, freePort, type TestDatabase } from '@atrium/platform/testing';
import { ask } from '../architecture/asking';
import { startAtrium } from '../support/api';
import { spawnHost } from '../support/built-hosts';

/** Columns that point to people without a registration, texts out of reach without a reason, and registrations without a column. */
const STATEMENTS = [
  `CREATE TABLE logbook (tenant_id uuid NOT NULL, lb_id uuid NOT NULL, lb_keeper uuid, PRIMARY KEY (tenant_id, lb_id), FOREIGN KEY (tenant_id, lb_keeper) REFERENCES workspace_user)`,
  `CREATE TABLE notebook (tenant_id uuid NOT NULL, nb_id uuid NOT NULL, nb_written_by uuid, nb_page uuid, PRIMARY KEY (tenant_id, nb_id))`,
  `CREATE TABLE pass (pass_id uuid PRIMARY KEY, pass_holder uuid REFERENCES account)`,
  `CALL make_tenant_table('logbook')`,
  `CALL make_tenant_table('notebook')`,
  `CREATE TABLE guestbook (tenant_id uuid NOT NULL, gb_name text NOT NULL, gb_page jsonb, gb_hash bytea, PRIMARY KEY (tenant_id, gb_name))`,
  `CALL make_tenant_table('guestbook', 'SELECT, INSERT')`,
  `ALTER TABLE share_verdict RENAME COLUMN sv_email TO sv_mail`,
];

/** A host as it is built, in a process of its own; what it said and how it ended. */
async function start(host: 'api' | 'worker', database: TestDatabase): Promise<{ code: unknown; said: string }> {
  const child = spawnHost(host, {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, DATABASE_URL: database.appUrl, PORT: String(await freePort()) },
  });
  let said = '';
  child.stdout?.on('data', (text: Buffer) => (said += text.toString()));
  const [code] = (await once(child, 'exit')) as [unknown];
  // The line names its error twice: as the message, and within its stack.
  const line = said.split('\n').findLast((one) => one.includes('"level":60')) ?? '{}';
  return { code, said: String((JSON.parse(line) as { msg?: string }).msg) };
}

describe('a column that points to people, or a text that an erasure cannot change', () => {
  it('[governance 29] keeps the API and workers from starting until a context has registered it, and is named with its table', async () => {
    const settings = await startAtrium();
    const database = await createTestDatabase();
    await migrateQueue(database.ownerUrl);
    for (const statement of STATEMENTS) await ask(database.ownerUrl, statement);
    for (const host of ['api', 'worker'] as const) {
      const { code, said } = await start(host, database);
      expect({ host, code }).toEqual({ host, code: 1 });
      expect(said).toContain('the service does not start');
      expect(said.match(/[\w.]+(?= points to people)/g)).toEqual(['logbook.lb_keeper', 'notebook.nb_written_by', 'pass.pass_holder']);
      expect(said.match(/[\w.]+(?= is registered)/g)).toEqual(['share_verdict.sv_email']);
      expect(said.match(/[\w.]+(?= is text that an erasure cannot change)/g)).toEqual(['guestbook.gb_name', 'guestbook.gb_page']);
    }
    await dropTestDatabase(database);
    await settings.close();
  }, 120_000);
});
