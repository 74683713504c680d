// The PostgreSQL of `npm start` on a machine that has none.
import { spawnSync } from 'node:child_process';
import { chmodSync, openSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { accountOwning, giveTo } from '../postgres/account.mjs';
import { bundledPostgres, runnableBinaries } from '../postgres/binaries.mjs';
import { DURABLE, createCluster, isCluster, readLock, startCluster } from '../postgres/cluster.mjs';
import { knownFolder, placeData, shelterFor } from '../postgres/placement.mjs';
import { lastWords } from './hosts.mjs';

const OWNER = 'atrium_owner';
const DATABASE = 'atrium';
const WRONG_PASSWORD = '28P01';
const STOP_DEADLINE_MS = 20_000;

/** Starts the embedded server and makes sure of its database: `{ url, ownerUrl, port, process, restart, remark }`. */
export async function startEmbeddedDatabase({ dataDir, secrets, logFile }) {
  const account = accountOwning(knownFolder(dataDir));
  const home = placeData(dataDir, account);
  const shelter = home === join(dataDir, 'postgres') ? shelterFor(dataDir) : dirname(home);
  const binaries = runnableBinaries(bundledPostgres(), account, shelter);
  const folder = join(home, 'data');
  const { superuser_password: superuser, owner_password: owner } = secrets.values;

  await endOrphan(folder);
  const fresh = !isCluster(folder, binaries);
  if (fresh) {
    rmSync(folder, { recursive: true, force: true }); // an initialisation that was interrupted
    await createCluster({ binaries, account, folder, password: superuser });
  } else {
    giveTo(account, folder);
    chmodSync(folder, 0o700);
  }
  const log = openSync(logFile, 'a', 0o600);
  const start = (port) => startCluster({ binaries, account, folder, settings: DURABLE, port, logFile: log });
  const server = await start().catch((error) => {
    throw new Error(`${error.message} ${lastWords(logFile)}`, { cause: error });
  });
  await ensureOwner(server.url('postgres', superuser, 'postgres'), owner).catch(async (error) => {
    await server.stop();
    throw error.code === WRONG_PASSWORD
      ? new Error(
          `The data in ${folder} was created with other passwords than those in secrets.json. Restore that file, or remove the folder to start with an empty database.`,
        )
      : error;
  });
  const where = home === join(dataDir, 'postgres') ? '' : `, data in ${folder}`;
  return {
    ...embeddedUrls(server.port, secrets),
    port: server.port,
    process: server.process,
    restart: async () => (await start(server.port)).process,
    remark: `port ${server.port}${account.switched ? `, as user ${account.name}` : ''}${where}`,
  };
}

/** How service and owner reach the embedded server on that port. */
export function embeddedUrls(port, secrets) {
  const url = (user, password) => `postgres://${user}:${password}@127.0.0.1:${port}/${DATABASE}`;
  return { url: url('atrium_app', secrets.values.app_password), ownerUrl: url(OWNER, secrets.values.owner_password) };
}

/** The owner of the database is no superuser, so that migrations need no more than they would in production. */
async function ensureOwner(adminUrl, password) {
  await withClient(adminUrl, async (client) => {
    const owner = await client.query('SELECT FROM pg_roles WHERE rolname = $1', [OWNER]);
    if (owner.rowCount === 0) await client.query(`CREATE ROLE ${OWNER} LOGIN CREATEROLE PASSWORD '${password}'`);
    const database = await client.query('SELECT FROM pg_database WHERE datname = $1', [DATABASE]);
    if (database.rowCount === 0) await client.query(`CREATE DATABASE ${DATABASE} OWNER ${OWNER}`);
  });
}

/** Runs `work` on a connection. `pg` is loaded late: these scripts start before anything is installed. */
export async function withClient(url, work) {
  const { Client } = createRequire(import.meta.url)('pg');
  const client = new Client({ connectionString: url, application_name: 'atrium-start' });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** A server that outlived a killed start is stopped; a lock of another process is removed. */
async function endOrphan(folder) {
  const deadline = Date.now() + STOP_DEADLINE_MS;
  for (let lock = readLock(folder); lock; lock = readLock(folder)) {
    const command = spawnSync('ps', ['-o', 'args=', '-p', String(lock.pid)], { encoding: 'utf8' }).stdout ?? '';
    if (!command.includes(folder)) {
      rmSync(join(folder, 'postmaster.pid'), { force: true });
      return;
    }
    try {
      process.kill(lock.pid, Date.now() > deadline ? 'SIGQUIT' : 'SIGINT');
    } catch {
      // gone in the meantime
    }
    await pause(100);
  }
}
