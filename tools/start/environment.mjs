// The settings a start hands to the programs it starts.
import { accessSync, constants, existsSync, mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { projectRoot } from '../project.mjs';

/** Reads `.env` (variables that are set already win) and creates the data folder; ends the command where that cannot be. */
export function prepareEnvironment() {
  const file = join(projectRoot, '.env');
  if (existsSync(file)) process.loadEnvFile(file);
  const dataDir = resolve(projectRoot, process.env.DATA_DIR || '.data');
  const refusal = refusalOf(dataDir);
  if (!refusal) return dataDir;
  console.error(refusal);
  process.exit(1);
}

const REASONS = {
  EACCES: 'this user may not write there',
  EPERM: 'this user may not write there',
  EROFS: 'its file system is read-only',
  ENOTDIR: 'a part of the path is a file',
  EEXIST: 'it is a file',
  ENOSPC: 'the disk is full',
};

/** Why the data folder cannot be used, as a sentence; null when it is there and can be written to. */
export function refusalOf(dataDir) {
  try {
    mkdirSync(dataDir, { recursive: true });
    accessSync(dataDir, constants.W_OK | constants.X_OK);
    return null;
  } catch (error) {
    return `The data folder ${dataDir} cannot be used: ${REASONS[error.code] ?? error.message}. Set DATA_DIR to a folder that this user can write to.`;
  }
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
