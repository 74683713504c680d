// The foundation of every bench: a database of its own, the service's programs, and nothing left of them afterwards. PostgreSQL writes
// as it does in production, for the service and for what it is compared with: without fsync a commit costs next to nothing, so that
// the side that commits more often, or writes more, looked better than it is. (On a file system in memory nothing is waited for all the same.)
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { startThrowaway } from '../postgres/throwaway.mjs';
import { endWithNpm, removeWithStarter } from '../processes/lifeline.mjs';
import { projectRoot } from '../project.mjs';
import { ensureBuilt } from '../setup/build.mjs';
import { ensureInstalled } from '../setup/install.mjs';
import { HOST_FLAGS, hostProgram, operate, operateJson } from '../start/operator.mjs';
import { spawnOn } from './cores.mjs';

const PASSWORD = 'bench';
const SERVER = {
  // A quarter of the memory, as the manual of PostgreSQL advises for a server of its own.
  shared_buffers: `${Math.floor(totalmem() / 4 / 2 ** 20)}MB`,
  fsync: 'on',
  full_page_writes: 'on',
  synchronous_commit: 'on',
};

/**
 * Hands `work` an empty, migrated service whose API will listen on `port`: its environment (with `settings`), a folder,
 * a connection as the owner of the database, and what starts programs. Programs, database and folder are gone
 * when it is done or has failed.
 */
export async function onBenchService({ port, settings }, work) {
  endWithNpm('bench');
  await ensureInstalled();
  await ensureBuilt();
  const postgres = await startThrowaway({ settings: SERVER });
  const folder = mkdtempSync(join(tmpdir(), 'atrium-bench-'));
  removeWithStarter(folder);
  const children = [];
  try {
    const env = {
      ...process.env,
      ...(await database(postgres)),
      ...dataIn(folder),
      PORT: String(port),
      HOST: '127.0.0.1',
      LOG_LEVEL: 'warn',
      NODE_ENV: 'production',
      ...settings,
    };
    await operate(['migrate'], { env });
    const owner = await connect(env.DATABASE_OWNER_URL);
    await owner.query(`ALTER ROLE atrium_app PASSWORD '${PASSWORD}'`);
    const launch = launcher(children, env);
    await work({
      env,
      folder,
      owner,
      connect,
      launch,
      startApi: (options) => startApi(launch, env, options),
      untilOk,
      workspace: (...asked) => workspace(env, ...asked),
    });
    await owner.end();
  } finally {
    // A stopped process handles no other signal.
    for (const child of children) if (child.kill('SIGCONT')) child.kill('SIGTERM');
    await Promise.all(children.map((child) => child.exitCode ?? child.signalCode ?? once(child, 'exit')));
    await postgres.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

function dataIn(folder) {
  const data = join(folder, 'data');
  mkdirSync(data);
  return { DATA_DIR: data, MASTER_KEY: Buffer.alloc(32, 1).toString('base64') };
}

async function database({ adminUrl }) {
  const admin = await connect(adminUrl);
  await admin.query('CREATE DATABASE atrium_bench');
  await admin.end();
  const url = new URL(adminUrl);
  url.pathname = '/atrium_bench';
  const runtime = new URL(url);
  [runtime.username, runtime.password] = ['atrium_app', PASSWORD];
  return { DATABASE_OWNER_URL: url.href, DATABASE_URL: runtime.href };
}

async function connect(connectionString) {
  const client = new pg.Client({ connectionString });
  // When a run fails the database stops first; its farewell must not hide why.
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

/** Starts Node with `args` in the service's environment, on a core where one is named; with BENCH_LOG what it prints is shown. */
function launcher(children, common) {
  return (args, { env = {}, stdin = 'ignore', core } = {}) => {
    const options = { env: { ...common, ...env }, cwd: projectRoot, stdio: [stdin, 'pipe', 'inherit'] };
    const child = spawnOn(core, process.execPath, args, options);
    child.stdout.on('data', (chunk) => process.env.BENCH_LOG && process.stderr.write(chunk));
    children.push(child);
    return child;
  };
}

/** The API, or the program named, once it answers: `startApi({ flags, program, core })`. */
async function startApi(launch, { PORT, MALLOC_ARENA_MAX = '2' }, { flags = [], program = hostProgram('api'), core } = {}) {
  const api = launch([...flags, ...HOST_FLAGS, program], { env: { MALLOC_ARENA_MAX }, core });
  await untilOk(`http://127.0.0.1:${PORT}/health/ready`);
  return api;
}

async function untilOk(url) {
  for (let n = 0; n < 2_000; n++) {
    if (
      await fetch(url).then(
        (answer) => answer.ok,
        () => false,
      )
    )
      return;
    await pause(10);
  }
  throw new Error(`${url} did not answer.`);
}

/** A workspace made by the operator's commands: its ids, an API key of its owner, and the headers that present it. */
async function workspace(env, name, flags = []) {
  const slug = name.toLowerCase().replaceAll(' ', '-');
  const email = `owner@${slug}.example`;
  const made = await operateJson(
    ['workspace', 'create', '--name', name, '--slug', slug, '--owner-email', email, '--owner-name', 'Owner', ...flags],
    { env, input: 'a password for the bench\n' },
  );
  const { key_secret } = await operateJson(['key', 'create', '--workspace', made.ws_id, '--user-email', email, '--name', 'bench'], { env });
  return { ...made, key: key_secret, headers: { 'x-api-key': key_secret, 'x-tenant-id': made.ws_id } };
}
