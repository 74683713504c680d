// The schema, as far as the migrations have come.
import { createHash } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../project.mjs';
import { withClient } from './embedded-database.mjs';
import { openRuntimeRole } from './given-database.mjs';
import { operate } from './operator.mjs';

const folder = join(projectRoot, 'migrations');
const steps = () => readdirSync(folder).filter((name) => /^\d{4}-[a-z0-9-]+\.sql$/.test(name));

/** Runs `atrium migrate` when a step is new or changed (which it rejects); reading its ledger saves the start of a process. */
export async function migrateDatabase(database, { env, signal }) {
  if (!database.ownerUrl) return { remark: 'skipped' };
  const { known, open } = await applied(database.ownerUrl);
  const fresh = steps().filter((name) => known.get(name) !== checksum(name));
  if (fresh.length > 0 || open) await operate(['migrate'], { env, signal });
  await openRuntimeRole(database);
  return { remark: fresh.length === 0 ? 'nothing to do' : `${fresh.length} applied` };
}

const checksum = (name) =>
  createHash('sha256')
    .update(readFileSync(join(folder, name), 'utf8'))
    .digest('hex');

/** The ledger, and whether the database is open as a dump leaves it that was restored: `migrate` closes it. */
async function applied(ownerUrl) {
  return withClient(ownerUrl, async (client) => {
    const ledger = await client.query("SELECT to_regclass('public.atrium_migration') AS name");
    if (ledger.rows[0].name === null) return { known: new Map(), open: true };
    const { rows } = await client.query('SELECT name, checksum FROM atrium_migration');
    const rights = await client.query("SELECT has_database_privilege('public', current_database(), 'CREATE, TEMPORARY') AS open");
    return { known: new Map(rows.map((row) => [row.name, row.checksum])), open: rights.rows[0].open };
  });
}
