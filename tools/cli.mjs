// npm run cli -- <command>: the operator's commands on the database of `npm start`, or on DATABASE_URL.
import './setup/node-version.mjs';
import { spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { ensureBuilt } from './setup/build.mjs';
import { ensureInstalled } from './setup/install.mjs';
import { embeddedUrls, startEmbeddedDatabase } from './start/embedded-database.mjs';
import { childEnvironment, prepareEnvironment } from './start/environment.mjs';
import { openRuntimeRole } from './start/given-database.mjs';
import { hostProgram } from './start/operator.mjs';
import { runningStart, takeRunLock } from './start/run-lock.mjs';
import { openSecrets } from './start/secrets.mjs';
import { projectRoot } from './project.mjs';

const dataDir = prepareEnvironment();
await ensureInstalled();
await ensureBuilt();
if (process.env.DATABASE_URL) await operate(process.env);
else await onEmbedded();

/** Uses the server of a running start, or lends one for the length of the command. */
async function onEmbedded() {
  const secrets = openSecrets(dataDir);
  const running = runningStart(dataDir);
  if (running?.database_port)
    return operate(childEnvironment({ dataDir, secrets, database: embeddedUrls(running.database_port, secrets) }));
  const lock = await takeRunLock(dataDir);
  mkdirSync(join(dataDir, 'logs'), { recursive: true, mode: 0o700 });
  const database = await startEmbeddedDatabase({ dataDir, secrets, logFile: join(dataDir, 'logs', 'postgres.log') });
  try {
    await operate(childEnvironment({ dataDir, secrets, database }));
    // Roles that the command made have no password yet, and the next one logs in with it.
    await openRuntimeRole(database);
  } finally {
    await database.process.stop(20_000);
    lock.release();
  }
}

/** Ctrl-C reaches the command by itself; here it must only not end us before the database is stopped. */
async function operate(env) {
  for (const name of ['SIGINT', 'SIGTERM']) process.on(name, () => child.kill(name));
  const child = spawn(process.execPath, [hostProgram('cli'), ...process.argv.slice(2)], { cwd: projectRoot, env, stdio: 'inherit' });
  process.exitCode = await new Promise((resolve) => child.once('close', (code) => resolve(code ?? 1)));
}
