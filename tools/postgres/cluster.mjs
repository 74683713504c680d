// One PostgreSQL server: created, started on the loopback interface, stopped.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { run, spawnKept } from '../processes/lifeline.mjs';
import { asAccount, giveTo } from './account.mjs';

const START_DEADLINE_MS = 60_000;
const SUPERUSER = 'postgres';

/** Settings for a server with disposable data. */
export const THROWAWAY = {
  fsync: 'off',
  full_page_writes: 'off',
  synchronous_commit: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
  autovacuum_naptime: '10min',
  max_wal_size: '2GB',
  checkpoint_timeout: '1h',
};

/** Settings for the server of `npm start`: modest memory, durable. */
export const DURABLE = { shared_buffers: '128MB' };

/** A port that is free on the loopback interface now; `preferred` when that one is. */
export async function freePort(preferred = 0, host = '127.0.0.1') {
  const server = createServer();
  const port = await new Promise((resolve, reject) => {
    server.once('error', (error) => (error.code === 'EADDRINUSE' || error.code === 'EACCES' ? resolve(null) : reject(error)));
    server.listen({ port: preferred, host, exclusive: true }, () => resolve(server.address().port));
  });
  if (port === null) return preferred === 0 ? Promise.reject(new Error('No port is free.')) : freePort(0, host);
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/**
 * Creates the data folder (its parent must belong to the account). `password` is the superuser's; disposable data needs no checksums.
 * Without a proof, the password is sent as it is: a test opens hundreds of connections, and proving it takes longer than all the rest of that.
 */
export async function createCluster({ binaries, account, folder, password, checksums = true, proof = true }) {
  const passwordFile = `${folder}.password`;
  rmSync(passwordFile, { force: true });
  writeFileSync(passwordFile, `${password}\n`, { mode: 0o600 });
  giveTo(account, passwordFile);
  try {
    const locale = ['--locale=C', `--lc-ctype=${utf8Locale()}`];
    // The builtin provider (17 and later) sorts the same on every operating system.
    const provider = binaries.major >= 17 ? ['--locale-provider=builtin', '--builtin-locale=C.UTF-8'] : [];
    const flags = [
      '--encoding=UTF8',
      `--auth=${proof ? 'scram-sha-256' : 'password'}`,
      `--username=${SUPERUSER}`,
      `--pwfile=${passwordFile}`,
      '--no-sync',
      '--no-instructions',
    ];
    // From 18 on they are what one gets without asking.
    if (!checksums && binaries.major >= 18) flags.push('--no-data-checksums');
    await run(
      join(binaries.bin, 'initdb'),
      ['-D', folder, ...flags, ...locale, ...provider],
      asAccount(account, { env: serverEnvironment() }),
    );
  } finally {
    rmSync(passwordFile, { force: true });
  }
}

/** Character classes of text search and trigrams come from this locale; plain C would know ASCII letters alone. */
function utf8Locale() {
  const known = spawnSync('locale', ['-a'], { encoding: 'utf8' }).stdout?.split('\n') ?? [];
  return ['C.UTF-8', 'C.utf8', 'en_US.UTF-8', 'en_US.utf8'].find((name) => known.includes(name)) ?? 'C';
}

/** The server sees nothing of our environment but what it needs; its messages are English. */
const serverEnvironment = () => ({ PATH: process.env.PATH ?? '/usr/bin:/bin', LC_MESSAGES: 'C', TZ: 'UTC' });

/**
 * Starts the server on 127.0.0.1 (no Unix socket: its path may not be longer than 107 bytes) and waits until it takes
 * connections. Returns `{ port, url(user, password, database), ended, stop }`.
 */
export async function startCluster({ binaries, account, folder, settings = {}, port, logFile = 'ignore', removeAfterwards }) {
  const chosen = port ?? (await freePort());
  const all = {
    port: chosen,
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    timezone: 'UTC',
    log_timezone: 'UTC',
    max_connections: 200,
    ...settings,
  };
  const flags = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const server = spawnKept(
    join(binaries.bin, 'postgres'),
    ['-D', folder, ...flags],
    asAccount(account, { signal: 'INT', stdio: [logFile, logFile], env: serverEnvironment(), removeAfterwards }),
  );
  await untilReady(folder, server, chosen);
  return {
    port: chosen,
    process: server,
    url: (user, password, database) => `postgres://${user}:${encodeURIComponent(password)}@127.0.0.1:${chosen}/${database}`,
    stop: () => server.stop(20_000),
  };
}

async function untilReady(folder, server, port) {
  const deadline = Date.now() + START_DEADLINE_MS;
  while (Date.now() < deadline) {
    if (!server.running) {
      const { code, error } = await server.ended;
      throw new Error(`PostgreSQL did not start (${error?.message ?? `code ${code}`}); data in ${folder}.`);
    }
    const lock = readLock(folder);
    if (lock?.port === port && lock.status === 'ready') return;
    await pause(20);
  }
  await server.stop(0);
  throw new Error(`PostgreSQL was not ready after ${START_DEADLINE_MS / 1000} s; data in ${folder}.`);
}

/** The server's own lock file: `{ pid, port, status }`, or null when there is none. */
export function readLock(folder) {
  const file = join(folder, 'postmaster.pid');
  if (!existsSync(file)) return null;
  const lines = readFileSync(file, 'utf8')
    .split('\n')
    .map((line) => line.trim());
  return { pid: Math.abs(Number(lines[0])), port: Number(lines[3]), status: lines[7] ?? '' };
}

/** Whether the folder holds a finished cluster of that major version; throws for one of another version. */
export function isCluster(folder, binaries) {
  const file = join(folder, 'PG_VERSION');
  if (!existsSync(file)) return false;
  const found = Number.parseInt(readFileSync(file, 'utf8'), 10);
  if (found !== binaries.major) {
    throw new Error(
      `The data in ${dirname(folder)} was created by PostgreSQL ${found}, but the embedded version is ${binaries.major}. Back it up with the release that created it (npm run cli -- backup FILE), then restore the backup into an empty folder with this release.`,
    );
  }
  return true;
}
