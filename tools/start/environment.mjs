// The settings a start hands to the programs it starts.
import { existsSync, mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { projectRoot } from '../project.mjs';

/** Reads `.env` (variables that are set already win) and creates the data folder. */
export function prepareEnvironment() {
  const file = join(projectRoot, '.env');
  if (existsSync(file)) process.loadEnvFile(file);
  const dataDir = resolve(projectRoot, process.env.DATA_DIR || '.data');
  mkdirSync(dataDir, { recursive: true });
  return dataDir;
}

/** Environment of migrations, CLI, API and worker. */
export function childEnvironment({ dataDir, secrets, database, port, host }) {
  return {
    ...process.env,
    DATA_DIR: dataDir,
    MASTER_KEY: process.env.MASTER_KEY || secrets.values.master_key,
    DATABASE_URL: database.url,
    ...(database.ownerUrl ? { DATABASE_OWNER_URL: database.ownerUrl } : {}),
    ...(port ? { PORT: String(port), HOST: host } : {}),
  };
}
