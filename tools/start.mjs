// npm start: from a fresh clone to a running Atrium, and back to nothing on Ctrl-C.
import './setup/node-version.mjs';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { say, sinceStart, step } from './console/steps.mjs';
import { ensureBuilt } from './setup/build.mjs';
import { ensureInstalled } from './setup/install.mjs';
import { choosePort } from './start/addresses.mjs';
import { keyWorks, provisionWorkspace, rememberedWorkspace, renewKey } from './start/demo-workspace.mjs';
import { startEmbeddedDatabase } from './start/embedded-database.mjs';
import { childEnvironment, prepareEnvironment } from './start/environment.mjs';
import { useGivenDatabase } from './start/given-database.mjs';
import { launchHost, rotateLog, supervise, untilReady } from './start/hosts.mjs';
import { migrateDatabase } from './start/migrations.mjs';
import { AlreadyRunning, takeRunLock } from './start/run-lock.mjs';
import { openSecrets, writePrivate } from './start/secrets.mjs';
import { stopOnSignals } from './start/stopping.mjs';

const dataDir = prepareEnvironment();
const logs = join(dataDir, 'logs');
const logOf = (name) => join(logs, `${name}.log`);

async function main() {
  say('Atrium');
  const lock = await takeRunLock(dataDir);
  const house = stopOnSignals(lock);
  const stopping = { signal: house.signal };
  try {
    mkdirSync(logs, { recursive: true, mode: 0o700 });
    for (const name of ['postgres', 'api', 'worker']) rotateLog(logOf(name));
    const secrets = openSecrets(dataDir);
    await step('packages', () => ensureInstalled(stopping));
    await step('build', () => ensureBuilt(stopping));
    const database = await step('PostgreSQL', () => openDatabase(house, lock, secrets));
    const operatorEnv = childEnvironment({ dataDir, secrets, database });
    await step('migrations', () => migrateDatabase(database, { env: operatorEnv, ...stopping }));
    if (!rememberedWorkspace(secrets, database))
      await step('demo workspace', () => provisionWorkspace({ secrets, database, env: operatorEnv, ...stopping }).then(() => undefined));

    const { port, host, origin } = await address();
    const env = childEnvironment({ dataDir, secrets, database, port, host });
    await step('API and worker', async () => {
      for (const name of ['worker', 'api'])
        house.keep(
          name,
          supervise(titleOf(name), () => launchHost(name, { env, logFile: logOf(name) }), {
            onStart: (child) => lock.note({ group: child.pid }),
          }),
        );
      await untilReady(origin, house.kept('api'), logOf('api'), house.signal);
      return { remark: `port ${port}` };
    });
    const workspace = await workspaceOf({ secrets, database, env, origin, stopping });
    const demo = {
      base_url: `${origin}/api/v1`,
      docs_url: `${origin}/docs`,
      tenant_id: workspace.tenant_id,
      api_key: workspace.api_key,
      email: workspace.email,
      password: workspace.password,
    };
    writePrivate(join(dataDir, 'demo.json'), demo);
    lock.note({ base_url: demo.base_url });
    conclude(demo);
    await house.untilStopped;
  } catch (error) {
    if (!house.signal.aborted) say(`\n${error.message}`);
    await house.stop(house.signal.aborted ? 0 : 1);
  }
}

async function openDatabase(house, lock, secrets) {
  if (process.env.DATABASE_URL) return useGivenDatabase({ secrets });
  const database = await startEmbeddedDatabase({ dataDir, secrets, logFile: logOf('postgres') });
  let first = database.process;
  house.keep(
    'postgres',
    supervise('PostgreSQL', () => (first ? takeFirst() : database.restart())),
  );
  lock.note({ group: database.process.pid, database_port: database.port });
  return database;

  function takeFirst() {
    const process = first;
    first = undefined;
    return process;
  }
}

async function address() {
  const host = process.env.HOST || '127.0.0.1';
  const wanted = Number(process.env.PORT || 3000);
  const { port, taken } = await choosePort(wanted, host);
  if (taken) say(`  ! port ${wanted} is in use, the API listens on ${port}`);
  return { port, host, origin: `http://localhost:${port}` };
}

/** The remembered workspace when its key still opens the API; otherwise a new key, or a new workspace. */
async function workspaceOf({ secrets, database, env, origin, stopping }) {
  const record = rememberedWorkspace(secrets, database);
  if (await keyWorks(origin, record)) return record;
  say('  ! the stored API key is not valid (new or restored data): creating another');
  return renewKey({ secrets, record, env, ...stopping }).catch(() => provisionWorkspace({ secrets, database, env, ...stopping }));
}

const titleOf = (host) => (host === 'api' ? 'the API' : 'the worker');

function conclude(demo) {
  say(`
Ready after ${sinceStart()}.

  API        ${demo.base_url}
  Docs       ${demo.docs_url}
  Workspace  ${demo.tenant_id}
  API key    ${demo.api_key}
  E-mail     ${demo.email}
  Password   ${demo.password}
  Logs       ${logs}

Try next:
  curl -H 'X-Api-Key: ${demo.api_key}' -H 'X-Tenant-Id: ${demo.tenant_id}' '${demo.base_url}/me'

Ctrl-C stops everything.`);
}

main().catch((error) => {
  say(error instanceof AlreadyRunning ? error.message : (error.stack ?? String(error)));
  process.exitCode = 1;
});
