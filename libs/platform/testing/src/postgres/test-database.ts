import { createHash, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { migrateDatabase, readSteps, type MigrationStep } from '@atrium/platform/database';
import { Client } from 'pg';

/** 'Test': one process at a time prepares the template. */
const TEMPLATE_LOCK = 0x54657374;
const APP_ROLE = 'atrium_app';
const APP_PASSWORD = 'atrium-app';
const OWNER_ROLE = 'atrium_owner';
const OWNER_PASSWORD = 'atrium-owner';
const MIGRATIONS = join(__dirname, '../../../../../migrations');

/** A database of one test file: migrated, empty, reached as its owner and as the service's restricted role. */
export interface TestDatabase {
  readonly name: string;
  readonly ownerUrl: string;
  readonly appUrl: string;
}

let current: Promise<TestDatabase> | undefined;

/**
 * The database of the running test file, made at the first call: a clone of a template that was migrated once. It
 * lives until the run's server is gone (or until `dropTestDatabase`).
 */
export const testDatabase = (): Promise<TestDatabase> => (current ??= createTestDatabase());

/** One more migrated database, for tests that need two or that break theirs. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const steps = readSteps(MIGRATIONS);
  return asAdmin(async (admin) => {
    const template = await ensureTemplate(admin, steps);
    const name = `test_${randomBytes(6).toString('hex')}`;
    // Its files are copied: page by page through the log, which is the default, costs six times as much.
    await admin.query(`CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY file_copy OWNER ${OWNER_ROLE}`);
    // Rights on the database itself are not copied from a template; the first migration takes these away.
    await admin.query(`REVOKE CREATE, TEMPORARY ON DATABASE ${name} FROM PUBLIC`);
    return describeDatabase(name);
  });
}

/** A database no migration has touched, for tests of the migrations themselves. */
export const createEmptyDatabase = (): Promise<TestDatabase> =>
  asAdmin(async (admin) => {
    const name = `test_${randomBytes(6).toString('hex')}`;
    await admin.query('SELECT pg_advisory_lock($1)', [TEMPLATE_LOCK]);
    await ensureOwner(admin);
    await admin.query('SELECT pg_advisory_unlock($1)', [TEMPLATE_LOCK]);
    await admin.query(`CREATE DATABASE ${name} OWNER ${OWNER_ROLE}`);
    return describeDatabase(name);
  });

/** Drops a database of this room and ends remaining connections. */
export const dropTestDatabase = (database: TestDatabase): Promise<void> =>
  asAdmin(async (admin) => {
    await admin.query(`DROP DATABASE IF EXISTS ${database.name} WITH (FORCE)`);
  });

/** Waits for the lock even when the template is there, because a template that is being migrated already exists. */
async function ensureTemplate(admin: Client, steps: readonly MigrationStep[]): Promise<string> {
  const template = `template_${createHash('sha256')
    .update(steps.map((step) => step.checksum).join())
    .digest('hex')
    .slice(0, 12)}`;
  await admin.query('SELECT pg_advisory_lock($1)', [TEMPLATE_LOCK]);
  try {
    const known = await admin.query('SELECT FROM pg_database WHERE datname = $1', [template]);
    if (known.rowCount === 0) await buildTemplate(admin, template);
  } finally {
    await admin.query('SELECT pg_advisory_unlock($1)', [TEMPLATE_LOCK]);
  }
  return template;
}

/** Migrates under another name first: a failed migration must not leave something that looks like a template. */
async function buildTemplate(admin: Client, template: string): Promise<void> {
  const draft = `${template}_draft`;
  await admin.query(`DROP DATABASE IF EXISTS ${draft} WITH (FORCE)`);
  await ensureOwner(admin);
  await admin.query(`CREATE DATABASE ${draft} OWNER ${OWNER_ROLE}`);
  await migrateDatabase(urlOf(draft, OWNER_ROLE, OWNER_PASSWORD), MIGRATIONS);
  await cheapPasswords(admin);
  await admin.query(`ALTER ROLE ${APP_ROLE} LOGIN PASSWORD '${APP_PASSWORD}'`);
  await admin.query(`ALTER DATABASE ${draft} RENAME TO ${template}`);
}

/** Every connection of a test proves its password; from 16 on it need not be made costly to guess. */
async function cheapPasswords(admin: Client): Promise<void> {
  await admin.query(`SELECT set_config('scram_iterations', '1', false) FROM pg_settings WHERE name = 'scram_iterations'`);
}

/** Migrations run as in production: by a role that owns the database and is no superuser. */
async function ensureOwner(admin: Client): Promise<void> {
  const known = await admin.query('SELECT FROM pg_roles WHERE rolname = $1', [OWNER_ROLE]);
  if (known.rowCount !== 0) return;
  await cheapPasswords(admin);
  await admin.query(`CREATE ROLE ${OWNER_ROLE} LOGIN CREATEROLE PASSWORD '${OWNER_PASSWORD}'`);
}

async function asAdmin<T>(work: (admin: Client) => Promise<T>): Promise<T> {
  const admin = new Client({ connectionString: adminUrl() });
  await admin.connect();
  try {
    return await work(admin);
  } finally {
    await admin.end();
  }
}

function adminUrl(): string {
  const url = process.env.TEST_PG_ADMIN_URL;
  if (!url) throw new Error('TEST_PG_ADMIN_URL is not set: run the tests through jest.config.cjs, which starts a server.');
  return url;
}

function urlOf(name: string, user?: string, password?: string): string {
  const url = new URL(adminUrl());
  url.pathname = `/${name}`;
  if (user !== undefined) url.username = user;
  if (password !== undefined) url.password = password;
  return url.href;
}

const describeDatabase = (name: string): TestDatabase => ({
  name,
  ownerUrl: urlOf(name, OWNER_ROLE, OWNER_PASSWORD),
  appUrl: urlOf(name, APP_ROLE, APP_PASSWORD),
});
