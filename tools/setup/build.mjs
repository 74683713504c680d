// dist/ as the sources want it.
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from '../processes/lifeline.mjs';
import { projectRoot } from '../project.mjs';
import { HOST_FLAGS } from '../start/operator.mjs';
import { fingerprint } from './fingerprint.mjs';

/** As operators start hosts, and as commands and tests do. */
const FLAGS = [HOST_FLAGS, []];
const SOURCES = ['apps', 'libs', 'tools/setup', 'tools/start/operator.mjs', 'package-lock.json'];
const dist = join(projectRoot, 'dist');
const stampFile = join(dist, '.atrium-build');

/** Compiles when a source changed since the last build, in a process of its own: the compiler is needed once and weighs much. */
export async function ensureBuilt(options = {}) {
  if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stampOfSources()) return { remark: 'nothing to do' };
  await run(process.execPath, [join(projectRoot, 'tools/build.mjs')], { cwd: projectRoot, ...options });
  return {};
}

/** Compiles here and now. Without its stamp dist/ does not count as complete. */
export async function build() {
  // Only here: packages may not be installed yet when this file is loaded.
  const [{ compile }, { bundle }] = await Promise.all([import('./compile.mjs'), import('./bundle.mjs')]);
  const stamp = stampOfSources();
  rmSync(stampFile, { force: true });
  await compile();
  await bundle(dist);
  await Promise.all(FLAGS.map((flags) => run(process.execPath, [...flags, join(projectRoot, 'tools/setup/code-cache.cjs'), dist])));
  writeFileSync(stampFile, stamp);
}

/** Another Node than the one that built refuses what V8 made of the bundle. */
const stampOfSources = () => `${fingerprint(projectRoot, SOURCES, (file) => !file.endsWith('.spec.ts'))} ${process.version}`;
