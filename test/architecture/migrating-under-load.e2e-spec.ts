import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { migrateDatabase, readSteps } from '@atrium/platform/database';
import { newId } from '@atrium/platform/kernel';
import { createEmptyDatabase, createTestDatabase, dropTestDatabase, type TestDatabase } from '@atrium/platform/testing';
import { Client } from 'pg';
import { ask, asAdmin } from './asking';

const MIGRATIONS = join(__dirname, '../../migrations');
/** The last step of an installation that is filled and in use. */
const BEFORE = '0104-time-and-use-of-runs.sql';
/** More than one batch of every step. */
const [WORKSPACES, ROWS] = [2, 6_000];
/** How long a statement of a client waits for a lock at most: less than what a client would notice, more than a busy machine needs to change a table. */
const PATIENCE = '3s';
/** What a client says whose connection was ended by an administrator. */
const CUT_OFF = /terminating connection|Connection terminated|connection error|ECONNRESET/;

const tenants = Array.from({ length: WORKSPACES }, newId).sort();
const [form, base, thread, creator] = [newId(), newId(), newId(), newId()];

let database: TestDatabase;
let admin: Client;

beforeAll(async () => {
  // The roles of the service are the server's: they are there once any database of it was migrated.
  await createTestDatabase();
  database = await createEmptyDatabase();
  await migrateDatabase(database.ownerUrl, MIGRATIONS, undefined, { until: BEFORE });
  admin = new Client({ connectionString: asAdmin(database) });
  await admin.connect();
  await fill();
}, 180_000);
afterAll(async () => {
  await admin.end();
  await dropTestDatabase(database);
});

const nth = (what: string): string => `md5('${what}' || w.tenant_id || i)::uuid`;
const INSERTS: Readonly<Record<string, string>> = {
  workspace: `INSERT INTO workspace (tenant_id, ws_name, ws_slug) SELECT w.tenant_id, 'Old', 'old-' || n FROM unnest($1::uuid[]) WITH ORDINALITY w (tenant_id, n)`,
  form: `INSERT INTO form (tenant_id, form_id, form_kind, form_name, form_config) SELECT w.tenant_id, '${form}', 'record', 'F', '{"fields": [{"key": "g", "type": "group", "label": "G", "hidden": true, "fields": []}]}' FROM unnest($1::uuid[]) w (tenant_id)`,
  knowledge_record: `INSERT INTO knowledge_record (tenant_id, rec_id, rec_base, rec_form, rec_name, rec_content, rec_hash, rec_text) SELECT w.tenant_id, ${nth('record')}, '${base}', '${form}', 'x', '{}', 'h', 't'`,
  form_unique: `INSERT INTO form_unique (tenant_id, form_id, field_key, value_hash, owner_id) SELECT w.tenant_id, '${form}', 'sku', decode(md5(w.tenant_id::text || i), 'hex'), CASE WHEN i % 10 = 0 THEN ${nth('purged')} ELSE ${nth('record')} END`,
  form_value: `INSERT INTO form_value (tenant_id, form_id, owner_id, field_key, position, value_text) SELECT w.tenant_id, '${form}', CASE WHEN i % 10 = 0 THEN ${nth('purged')} ELSE ${nth('record')} END, 'sku', 0, 'v'`,
  run: `INSERT INTO run (tenant_id, run_id, run_agent, run_agent_version, run_model, run_thread, run_sources) SELECT w.tenant_id, ${nth('run')}, '${form}', 1, 'm', '${thread}', CASE WHEN i % 2 = 0 THEN '[{"source_kind": "passage"}]' ELSE '[]' END::jsonb`,
  message: `INSERT INTO message (tenant_id, msg_id, msg_thread, msg_role, msg_active) SELECT w.tenant_id, ${nth('message')}, '${thread}', 'user', i % 2 = 0`,
  memory: `INSERT INTO memory (tenant_id, mem_id, mem_user, mem_value, mem_hash, mem_source, mem_thread) SELECT w.tenant_id, ${nth('memory')}, '${creator}', 'v' || i, 'h' || i, 'assistant', CASE WHEN i % 2 = 0 THEN '${thread}' END::uuid`,
  object: `INSERT INTO object (tenant_id, obj_id, obj_form, obj_name, obj_text) SELECT w.tenant_id, ${nth('object')}, '${form}', 'x', 't'`,
};
const SERIES = ` FROM unnest($1::uuid[]) w (tenant_id), generate_series($2::integer, $3::integer) i`;

/** Rows of all tables that the steps change, without the rows around them. */
async function fill(): Promise<void> {
  await admin.query('SET session_replication_role = replica');
  for (const table of Object.keys(INSERTS)) await insert(admin, table, tenants, 1, ROWS);
}

async function insert(client: Client, table: string, of: readonly string[], first: number, last: number): Promise<void> {
  const text = INSERTS[table]!;
  await (text.includes('FROM unnest') ? client.query(text, [of]) : client.query(text + SERIES, [of, first, last]));
}

const insertOne =
  (table: string, from: number) =>
  (client: Client, n: number): Promise<unknown> =>
    insert(client, table, tenants.slice(0, 1), from + n, from + n);
/** A row that was there before, whichever the steps are at. */
const updateOld = (client: Client, n: number): Promise<unknown> =>
  client.query("UPDATE run SET run_model = 'n' || $2 WHERE tenant_id = $1 AND run_id = md5('run' || $1 || $3)::uuid", [
    tenants[n % WORKSPACES],
    n,
    (n % ROWS) + 1,
  ]);

/** A client that writes again and again until it is stopped, and says how often it has. */
function writing(write: (client: Client, n: number) => Promise<unknown>): { readonly stop: () => Promise<number> } {
  let isOver = false;
  const written = (async () => {
    const client = new Client({ connectionString: asAdmin(database) });
    await client.connect();
    try {
      await client.query(`SET session_replication_role = replica; SET lock_timeout = '${PATIENCE}'`);
      let count = 0;
      while (!isOver) await write(client, ++count);
      return count;
    } finally {
      await client.end();
    }
  })();
  written.catch(() => undefined);
  return { stop: () => ((isOver = true), written) };
}

const one = async <R extends object>(text: string): Promise<R | undefined> => (await admin.query(text)).rows[0] as R | undefined;

describe('an upgrade of a database that is full and in use', () => {
  it('makes no client wait, and goes on where it ended each time it is cut off', async () => {
    const clients = [
      ...['run', 'message', 'object', 'memory', 'form_value'].map((table) => writing(insertOne(table, 1_000_000))),
      writing(updateOld),
    ];
    const applied = async (): Promise<number> =>
      (await one<{ steps: number }>('SELECT count(*)::integer AS steps FROM atrium_migration'))?.steps ?? 0;
    const before = await applied();
    let cuts = 0;
    for (let isDone = false; !isDone;) {
      const tried = cuts;
      const migrated = migrateDatabase(database.ownerUrl, MIGRATIONS).then(
        () => true,
        (error: unknown) => {
          // What was not cut off has failed by itself.
          if (cuts === tried || !CUT_OFF.test(String(error))) throw error;
          return false;
        },
      );
      // Cut off after its first step, and then after a moment that grows, so that it gets further each time.
      let isOver = false;
      const cutOff = (async () => {
        if (cuts > 0) await pause(300 * cuts);
        else while (!isOver && (await applied()) === before) await pause(1);
        if (isOver) return;
        cuts++;
        await ask(
          asAdmin(database),
          "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'atrium-migrate' AND datname = current_database()",
        );
      })();
      isDone = await migrated.finally(() => (isOver = true));
      await cutOff;
    }
    for (const client of clients) expect(await client.stop()).toBeGreaterThan(0);
    expect(cuts).toBeGreaterThan(0);

    expect(await one('SELECT count(*)::integer AS steps FROM atrium_migration')).toEqual({ steps: readSteps(MIGRATIONS).length });
    expect(await one('SELECT count(*)::integer AS invalid FROM pg_index WHERE NOT indisvalid')).toEqual({ invalid: 0 });
    const old = `run_id IN (SELECT ${nth('run')} FROM workspace w, generate_series(1, ${ROWS}) i)`;
    expect(
      await one(
        `SELECT count(*)::integer AS tainted, count(*) FILTER (WHERE run_sources = '[]')::integer AS wrong FROM run WHERE run_tainted IS NOT NULL AND ${old}`,
      ),
    ).toEqual({ tainted: (WORKSPACES * ROWS) / 2, wrong: 0 });
    expect(
      await one(
        `SELECT count(*)::integer AS undated FROM message WHERE NOT msg_active AND msg_deleted IS NULL AND msg_id IN (SELECT ${nth('message')} FROM workspace w, generate_series(1, ${ROWS}) i)`,
      ),
    ).toEqual({ undated: 0 });
    expect(
      await one(
        `SELECT count(*)::integer AS untainted FROM memory WHERE NOT mem_tainted AND mem_id IN (SELECT ${nth('memory')} FROM workspace w, generate_series(1, ${ROWS}) i)`,
      ),
    ).toEqual({ untainted: 0 });
    expect(
      await one(`SELECT count(*)::integer AS kept, count(*) FILTER (WHERE scope_id = '${base}')::integer AS scoped FROM form_unique`),
    ).toEqual({
      kept: WORKSPACES * ROWS * 0.9,
      scoped: WORKSPACES * ROWS * 0.9,
    });
    expect(
      await one(
        `SELECT count(*)::integer AS purged FROM form_value v WHERE v.owner_id IN (SELECT ${nth('purged')} FROM workspace w, generate_series(1, ${ROWS}) i)`,
      ),
    ).toEqual({ purged: 0 });
    // Each workspace looks at its lists once, and each form is reworded once.
    const jobs = await admin.query(
      "SELECT ev_name AS name, count(*)::integer AS jobs, count(DISTINCT tenant_id)::integer AS workspaces FROM outbox WHERE ev_name IN ('identity.access-lists', 'forms.migrate') GROUP BY 1 ORDER BY 1",
    );
    expect(jobs.rows).toEqual([
      { name: 'forms.migrate', jobs: WORKSPACES, workspaces: WORKSPACES },
      { name: 'identity.access-lists', jobs: WORKSPACES, workspaces: WORKSPACES },
    ]);
    expect(await migrateDatabase(database.ownerUrl, MIGRATIONS)).toBe(0);
  }, 300_000);
});
