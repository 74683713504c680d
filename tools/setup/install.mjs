// node_modules as package-lock.json wants it.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { arch, platform } from 'node:os';
import { join } from 'node:path';
import { bundledPackage } from '../postgres/binaries.mjs';
import { run } from '../processes/lifeline.mjs';
import { projectRoot } from '../project.mjs';
import { missingOptionals } from './lockfile.mjs';

const modules = join(projectRoot, 'node_modules');
const stampFile = join(modules, '.atrium-install');
const lockFile = join(projectRoot, 'package-lock.json');

/**
 * Installs when node_modules is missing or belongs to another lockfile or machine. Install scripts stay off: every
 * native package here brings its programs ready-made, and no package should run code because it was downloaded.
 */
export async function ensureInstalled(options = {}) {
  const stamp = wantedStamp();
  if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp) return { remark: 'nothing to do' };
  const installed = matchesLock();
  const remark = installed ? 'nothing to do' : await install(options);
  writeFileSync(stampFile, stamp);
  return { remark };
}

/**
 * `npm ci`; where the lockfile is incomplete (it would refuse) the same versions by `npm install`, lockfile untouched.
 * What npm has in its cache it believes without asking, which halves the time; should a version not be known there yet,
 * it asks about everything.
 */
async function install(options) {
  const missing = missingOptionals(JSON.parse(readFileSync(lockFile, 'utf8'))).length;
  const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  const attempt = (...more) =>
    run(...npm([...(missing === 0 ? ['ci'] : ['install', '--no-save']), ...flags, ...more]), { cwd: projectRoot, ...options });
  await attempt('--prefer-offline').catch((error) => {
    if (options.signal?.aborted || !/ETARGET|notarget/i.test(error.message)) throw error;
    return attempt('--prefer-online');
  });
  return missing === 0 ? 'npm ci' : `npm install, for package-lock.json lacks ${missing} packages of other platforms`;
}

const wantedStamp = () => `${createHash('sha256').update(readFileSync(lockFile)).digest('hex')} ${platform()}-${arch()}\n`;

/** npm leaves a hidden lockfile when it has finished: `npm install` of a developer need not be repeated. */
function matchesLock() {
  const hidden = join(modules, '.package-lock.json');
  if (!existsSync(hidden)) return false;
  const wanted = JSON.parse(readFileSync(lockFile, 'utf8')).packages;
  const found = JSON.parse(readFileSync(hidden, 'utf8')).packages;
  const complete = Object.entries(wanted).every(
    ([path, entry]) =>
      path === '' || (found[path] ? found[path].version === entry.version : entry.optional === true || entry.peer === true),
  );
  const bundled = `node_modules/${bundledPackage}`;
  return complete && (!wanted[bundled] || existsSync(join(projectRoot, bundled)));
}

/** npm as it runs us, or the one in the path. */
function npm(args) {
  const script = process.env.npm_execpath;
  return script && /npm-cli\.c?js$/.test(script) ? [process.execPath, [script, ...args]] : ['npm', args];
}
