import { setTimeout as pause } from 'node:timers/promises';
import { MINUTE, SECOND } from '@atrium/platform/kernel';
import { Client } from 'pg';
import { isLockFailure } from './database-errors';
import { missingRights, prepareInstallation } from './installation-rights';
import { partsOf, readSteps, type MigrationStep, type StepPart } from './migration-steps';

const LOCK = 0x41747269; // 'Atri': one migration run at a time
/**
 * How long a step waits for a table that somebody uses. All that come later to that table wait behind it, so it gives up soon,
 * lets them pass and tries again.
 */
const LOCK_TIMEOUT = '2s';
const LOCK_TRIES_MS = 10 * MINUTE;
const LOCK_PAUSE_MS = SECOND;
const PROGRESS = 'public.atrium_migration_part';
/** From this step on a policy lets the definer role see all rows; steps before it count on BYPASSRLS where there are rows. */
const DEFINER_POLICIES = '0042';

/** How far a step of several parts has come; the table is there only while one is half done. */
interface Progress {
  readonly parts: number;
  readonly cursor: unknown;
}

/**
 * Applies the steps that the database has not seen, part by part, forward only. A run that is cut off is gone on with by the next
 * one where it ended. Written here because the known runners either generate code of their own or run all steps as one transaction.
 * A step that was changed after it ran, or after a part of it ran, is rejected. With `until`, steps behind the one of that name are
 * left for later.
 */
export async function migrateDatabase(
  ownerUrl: string,
  folder: string,
  report: (step: string) => void = () => undefined,
  { until }: { readonly until?: string } = {},
): Promise<number> {
  const client = new Client({ connectionString: ownerUrl, application_name: 'atrium-migrate' });
  // A connection that is lost fails the statement at hand; nothing else has to be said about it.
  client.on('error', () => undefined);
  await client.connect();
  try {
    await beAlone(client);
    await client.query(
      'CREATE TABLE IF NOT EXISTS atrium_migration (name text PRIMARY KEY, checksum text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now())',
    );
    const applied = new Map(
      (await client.query<{ name: string; checksum: string }>('SELECT name, checksum FROM atrium_migration')).rows.map((row) => [
        row.name,
        row.checksum,
      ]),
    );
    await prepareInstallation(client, { first: applied.size === 0 });
    const steps = readSteps(folder).filter((step) => until === undefined || step.name <= until);
    await assertSight(
      client,
      steps.filter((step) => !applied.has(step.name)),
    );
    let count = 0;
    for (const step of steps) {
      const known = applied.get(step.name);
      if (known && known !== step.checksum)
        throw new Error(`Migration ${step.name} was changed after it ran. Put the change into a new step.`);
      if (known) continue;
      await apply(client, step);
      report(step.name);
      count++;
    }
    await dropProgress(client);
    return count;
  } finally {
    await client.end();
  }
}

/** Steps that fill columns of rows that are there read them as the definer role: if it did not see them it would count nothing. */
async function assertSight(client: Client, pending: readonly MigrationStep[]): Promise<void> {
  if (!pending.some((step) => step.name < DEFINER_POLICIES)) return;
  const { rows } = await client.query<{ blind: boolean }>(
    "SELECT NOT r.rolbypassrls AND NOT r.rolsuper AND coalesce(pg_relation_size(to_regclass('public.workspace')), 0) > 0 AS blind FROM pg_roles r WHERE r.rolname = 'atrium_definer'",
  );
  if (rows[0]?.blind)
    throw new Error(
      'The data of an earlier version must be migrated by a role that sees all rows. Run this statement as a superuser, then try again; it can be revoked afterwards:\n  ALTER ROLE atrium_definer BYPASSRLS;',
    );
}

/**
 * Waits until no other run is at work. It asks again and again instead of waiting in a statement: an index that the other one builds
 * concurrently waits for every statement that is open.
 */
async function beAlone(client: Client): Promise<void> {
  for (;;) {
    const { rows } = await client.query<{ alone: boolean }>('SELECT pg_try_advisory_lock($1) AS alone', [LOCK]);
    if (rows[0]?.alone) return;
    await pause(LOCK_PAUSE_MS / 4);
  }
}

async function apply(client: Client, step: MigrationStep): Promise<void> {
  const done = 'INSERT INTO atrium_migration (name, checksum) VALUES ($1, $2)';
  try {
    const parts = partsOf(step);
    if (parts.length === 1 && parts[0]?.kind === 'transaction') {
      const { text } = parts[0];
      return await patiently(client, async () => {
        await client.query(text);
        await client.query(done, [step.name, step.checksum]);
      });
    }
    let { parts: from, cursor } = await progressOf(client, step);
    for (const part of parts.slice(from)) {
      await applyPart(client, step, part, { parts: from, cursor });
      [from, cursor] = [from + 1, null];
    }
    await patiently(client, async () => {
      await client.query(done, [step.name, step.checksum]);
      await client.query(`DELETE FROM ${PROGRESS} WHERE name = $1`, [step.name]);
    });
  } catch (error) {
    throw new Error(`Migration ${step.name} failed: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
}

async function applyPart(client: Client, step: MigrationStep, part: StepPart, at: Progress): Promise<void> {
  const after = (parts: number, cursor: unknown): Promise<unknown> =>
    client.query(
      `INSERT INTO ${PROGRESS} (name, checksum, parts, cursor) VALUES ($1, $2, $3, $4)
       ON CONFLICT (name) DO UPDATE SET parts = excluded.parts, cursor = excluded.cursor`,
      [step.name, step.checksum, parts, cursor === null ? null : JSON.stringify(cursor)],
    );
  if (part.kind === 'concurrently') {
    await buildIndex(client, part);
    await after(at.parts + 1, null);
    return;
  }
  if (part.kind === 'transaction')
    return patiently(client, async () => {
      await client.query(part.text);
      await after(at.parts + 1, null);
    });
  for (let { cursor } = at, isOver = false; !isOver;)
    await patiently(client, async () => {
      const { rows } = await client.query<{ cursor: unknown }>(part.text, [cursor === null ? null : JSON.stringify(cursor)]);
      const next = rows[0]?.cursor ?? null;
      await after(next === null ? at.parts + 1 : at.parts, next);
      [cursor, isOver] = [next, next === null];
    });
}

/** One that was begun and not ended is of no use. Nobody waits for a build, so it may wait for others as long as it takes. */
async function buildIndex(client: Client, { text, index }: StepPart): Promise<void> {
  const { rows } = await client.query(
    "SELECT FROM pg_class c JOIN pg_index i ON i.indexrelid = c.oid WHERE c.relname = $1 AND c.relnamespace = 'public'::regnamespace AND NOT i.indisvalid",
    [index],
  );
  if (rows.length > 0) await client.query(`DROP INDEX CONCURRENTLY ${index}`);
  await client.query(text);
}

async function progressOf(client: Client, { name, checksum }: MigrationStep): Promise<Progress> {
  await client.query(
    `CREATE TABLE IF NOT EXISTS ${PROGRESS} (name text PRIMARY KEY, checksum text NOT NULL, parts integer NOT NULL, cursor jsonb)`,
  );
  const { rows } = await client.query<Progress & { checksum: string }>(`SELECT checksum, parts, cursor FROM ${PROGRESS} WHERE name = $1`, [
    name,
  ]);
  const [known] = rows;
  if (known && known.checksum !== checksum) throw new Error('it was changed after parts of it ran.');
  return known ?? { parts: 0, cursor: null };
}

/** Once no step is half done. */
async function dropProgress(client: Client): Promise<void> {
  const { rows } = await client.query<{ name: string | null }>('SELECT to_regclass($1) AS name', [PROGRESS]);
  if (!rows[0]?.name || (await client.query(`SELECT FROM ${PROGRESS} LIMIT 1`)).rows.length > 0) return;
  await client.query(`DROP TABLE ${PROGRESS}`);
}

/** A transaction, tried until nobody is in its way: a backup or a long report may use its table. */
async function patiently(client: Client, work: () => Promise<void>): Promise<void> {
  for (const until = Date.now() + LOCK_TRIES_MS; ;) {
    await client.query('BEGIN');
    try {
      await client.query(`SET LOCAL lock_timeout = '${LOCK_TIMEOUT}'`);
      await work();
      await client.query('COMMIT');
      return;
    } catch (error) {
      await client.query('ROLLBACK').catch(() => undefined);
      if (!isLockFailure(error) || Date.now() >= until) throw error;
    }
    await pause(LOCK_PAUSE_MS);
  }
}

/** Creates the roles and rights that a dump does not contain, on an empty database before a restore or on one that was restored; answers the statements it ran. */
export async function prepareDatabase(ownerUrl: string): Promise<string[]> {
  const client = new Client({ connectionString: ownerUrl, application_name: 'atrium-migrate' });
  await client.connect();
  try {
    return await prepareInstallation(client);
  } finally {
    await client.end();
  }
}

/** Statements for what a dump does not contain and this database does not have; asked as the runtime role. */
export async function unpreparedRights(url: string): Promise<string[]> {
  const client = new Client({ connectionString: url, application_name: 'atrium-migrate' });
  await client.connect();
  try {
    return await missingRights(client);
  } finally {
    await client.end();
  }
}

/** Steps in the folder that the database has not seen yet. */
export async function pendingSteps(url: string, folder: string): Promise<string[]> {
  const client = new Client({ connectionString: url, application_name: 'atrium-migrate' });
  await client.connect();
  try {
    const known = new Set((await client.query<{ name: string }>('SELECT name FROM atrium_migration')).rows.map((row) => row.name));
    return readSteps(folder)
      .map((step) => step.name)
      .filter((name) => !known.has(name));
  } finally {
    await client.end();
  }
}
