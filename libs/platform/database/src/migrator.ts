import { createHash } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';

const LOCK = 0x41747269; // 'Atri': one migration run at a time
const STEP_FILE = /^\d{4}-[a-z0-9-]+\.sql$/;

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
 * A step that was changed after it ran is refused.
 */
export async function migrate(ownerUrl: string, folder: string, report: (step: string) => void = () => undefined): Promise<number> {
  const client = new Client({ connectionString: ownerUrl, application_name: 'atrium-migrate' });
  await client.connect();
  try {
    await client.query('SELECT pg_advisory_lock($1)', [LOCK]);
    await client.query('CREATE TABLE IF NOT EXISTS atrium_migration (name text PRIMARY KEY, checksum text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now())');
    const applied = new Map((await client.query<{ name: string; checksum: string }>('SELECT name, checksum FROM atrium_migration')).rows.map((row) => [row.name, row.checksum]));
    let count = 0;
    for (const step of readSteps(folder)) {
      const known = applied.get(step.name);
      if (known && known !== step.checksum) throw new Error(`Migration ${step.name} was changed after it ran. Put the change into a new step.`);
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

async function apply(client: Client, step: MigrationStep): Promise<void> {
  await client.query('BEGIN');
  try {
    await client.query(step.text);
    await client.query('INSERT INTO atrium_migration (name, checksum) VALUES ($1, $2)', [step.name, step.checksum]);
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK');
    throw new Error(`Migration ${step.name} failed: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
}

/** Steps in the folder that the database has not seen yet. */
export async function pendingSteps(url: string, folder: string): Promise<string[]> {
  const client = new Client({ connectionString: url, application_name: 'atrium-migrate' });
  await client.connect();
  try {
    const known = new Set((await client.query<{ name: string }>('SELECT name FROM atrium_migration')).rows.map((row) => row.name));
    return readSteps(folder).map((step) => step.name).filter((name) => !known.has(name));
  } finally {
    await client.end();
  }
}
