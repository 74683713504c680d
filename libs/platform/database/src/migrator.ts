import { createHash } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { MINUTE, SECOND } from '@atrium/platform/kernel';
import { Client } from 'pg';
import { isLockFailure } from './database-errors';
import { missingRights, prepareInstallation } from './installation-rights';

const LOCK = 0x41747269; // 'Atri': one migration run at a time
/**
 * How long a step waits for a table that somebody uses. All that come later to that table wait behind it, so it gives up soon,
 * lets them pass and tries again.
 */
const LOCK_TIMEOUT = '2s';
const LOCK_TRIES_MS = 10 * MINUTE;
const LOCK_PAUSE_MS = SECOND;
const STEP_FILE = /^\d{4}-[a-z0-9-]+\.sql$/;
/** From this step on a policy lets the definer role see all rows; steps before it count on BYPASSRLS where there are rows. */
const DEFINER_POLICIES = '0042';

export interface MigrationStep {
  readonly name: string;
  readonly text: string;
  readonly checksum: string;
}

/** The steps of a folder in order: `0001-platform.sql`, `0002-identity.sql`, … */
export function readSteps(folder: string): MigrationStep[] {
  return readdirSync(folder)
    .filter((file) => STEP_FILE.test(file))
    .sort()
    .map((name) => {
      const text = readFileSync(join(folder, name), 'utf8');
      return { name, text, checksum: createHash('sha256').update(text).digest('hex') };
    });
}

/**
 * Applies the steps that the database has not seen, each in a transaction of its own, forward only. Written here
 * because the known runners either generate code of their own or run all steps as one transaction; this is a page.
 * A step that was changed after it ran is rejected. With `until`, steps behind the one of that name are left for later.
 */
export async function migrate(
  ownerUrl: string,
  folder: string,
  report: (step: string) => void = () => undefined,
  { until }: { readonly until?: string } = {},
): Promise<number> {
  const client = new Client({ connectionString: ownerUrl, application_name: 'atrium-migrate' });
  await client.connect();
  try {
    await client.query('SELECT pg_advisory_lock($1)', [LOCK]);
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
    await demandSight(
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
    return count;
  } finally {
    await client.end();
  }
}

/** Steps that fill columns of rows that are there read them as the definer role: if it did not see them it would count nothing. */
async function demandSight(client: Client, pending: readonly MigrationStep[]): Promise<void> {
  if (!pending.some((step) => step.name < DEFINER_POLICIES)) return;
  const { rows } = await client.query<{ blind: boolean }>(
    "SELECT NOT r.rolbypassrls AND NOT r.rolsuper AND coalesce(pg_relation_size(to_regclass('public.workspace')), 0) > 0 AS blind FROM pg_roles r WHERE r.rolname = 'atrium_definer'",
  );
  if (rows[0]?.blind)
    throw new Error(
      'The data of an earlier version must be migrated by a role that sees all rows. Run this statement as a superuser, then try again; it can be revoked afterwards:\n  ALTER ROLE atrium_definer BYPASSRLS;',
    );
}

/** Tries a step until nobody is in its way; a backup or a long report may use its tables. */
async function apply(client: Client, step: MigrationStep): Promise<void> {
  for (const until = Date.now() + LOCK_TRIES_MS; ;) {
    try {
      return await applyOnce(client, step);
    } catch (error) {
      if (!isLockFailure(error instanceof Error ? error.cause : error) || Date.now() >= until) throw error;
      await pause(LOCK_PAUSE_MS);
    }
  }
}

async function applyOnce(client: Client, step: MigrationStep): Promise<void> {
  await client.query('BEGIN');
  try {
    await client.query(`SET LOCAL lock_timeout = '${LOCK_TIMEOUT}'`);
    await client.query(step.text);
    await client.query('INSERT INTO atrium_migration (name, checksum) VALUES ($1, $2)', [step.name, step.checksum]);
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK');
    throw new Error(`Migration ${step.name} failed: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
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
