// dist/ as the sources want it.
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from '../processes/lifeline.mjs';
import { projectRoot } from '../project.mjs';
import { fingerprint } from './fingerprint.mjs';

const SOURCES = ['apps', 'libs', 'tsconfig.json', 'tsconfig.build.json', 'nest-cli.json', 'package-lock.json'];
const dist = join(projectRoot, 'dist');
const stampFile = join(dist, '.atrium-build');

/** Compiles when a source changed since the last build. */
export async function ensureBuilt(options = {}) {
  const stamp = fingerprint(projectRoot, SOURCES, (file) => !file.endsWith('.spec.ts'));
  if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp) return { remark: 'nothing to do' };
  // Without our stamp nobody knows what dist/ lacks, and the compiler would skip what it believes written.
  if (!existsSync(stampFile)) rmSync(join(dist, '.tsbuildinfo'), { force: true });
  rmSync(stampFile, { force: true });
  await run(process.execPath, [join(projectRoot, 'node_modules/@nestjs/cli/bin/nest.js'), 'build'], { cwd: projectRoot, ...options });
  mkdirSync(dist, { recursive: true });
  writeFileSync(stampFile, stamp);
  return {};
}
