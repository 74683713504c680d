// The schema that the migrations make, as one text.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { distributionPostgres } from '../postgres/binaries.mjs';
import { startThrowaway } from '../postgres/throwaway.mjs';
import { projectRoot } from '../project.mjs';

const require = createRequire(import.meta.url);
/** Each version of pg_dump writes a little differently; the oldest supported one is the reference. */
const REFERENCE = 15;
const OWNER = { role: 'atrium_owner', password: 'owner', database: 'atrium' };
const HEAD = `-- The schema after all migrations, dumped from PostgreSQL ${REFERENCE} by npm run docs. Nobody runs this file: it is read in reviews.\n`;
/** Partitions of a month depend on the day of the dump. */
const MONTHS = '*_20[0-9][0-9]_[0-9][0-9]';
const FLAGS = ['--schema-only', '--no-comments', '--no-security-labels', '--no-tablespaces', `--exclude-table=${MONTHS}`];

/** The normalized dump, or null where there is no pg_dump of the reference version. */
export async function schemaDump() {
  const binaries = distributionPostgres(REFERENCE);
  const program = binaries && join(binaries.bin, 'pg_dump');
  if (!program || !existsSync(program)) return null;
  const server = await startThrowaway({ binaries, inMemory: true });
  try {
    const url = await migratedDatabase(server.adminUrl);
    const { status, stdout, stderr } = spawnSync(program, [...FLAGS, url], { encoding: 'utf8', maxBuffer: 1 << 26 });
    if (status !== 0) throw new Error(`pg_dump failed: ${stderr}`);
    return HEAD + normalized(stdout);
  } finally {
    await server.stop();
  }
}

/** A migrated database on a server of its own; its owner is no superuser, as in production. */
export async function migratedDatabase(adminUrl) {
  const { Client } = require('pg');
  const { migrateDatabase } = require(join(projectRoot, 'dist/libs/platform/database/src/migrator.js'));
  const admin = new Client({ connectionString: adminUrl });
  await admin.connect();
  await admin.query(`CREATE ROLE ${OWNER.role} LOGIN CREATEROLE PASSWORD '${OWNER.password}'`);
  await admin.query(`CREATE DATABASE ${OWNER.database} OWNER ${OWNER.role}`);
  await admin.end();
  const url = Object.assign(new URL(adminUrl), { username: OWNER.role, password: OWNER.password, pathname: `/${OWNER.database}` }).href;
  await migrateDatabase(url, join(projectRoot, 'migrations'));
  return url;
}

/** Without what names versions, sessions or the moment. */
function normalized(dump) {
  const lines = dump.split('\n').filter((line) => !/^(--|SET |SELECT pg_catalog\.set_config|\\(un)?restrict)/.test(line));
  return `${lines
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()}\n`;
}
