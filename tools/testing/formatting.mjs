// node tools/testing/formatting.mjs [paths]: names the files that Prettier would write differently. What it found out is kept beside
// the build, by content, so that only changed files are read again.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { projectRoot } from '../project.mjs';

const PRETTIER = join(projectRoot, 'node_modules/prettier/bin/prettier.cjs');
const KNOWN = ['--cache', '--cache-strategy', 'content', '--cache-location', join(projectRoot, 'dist/.prettier')];

const paths = process.argv.slice(2);
const { status, stdout } = spawnSync(
  process.execPath,
  [PRETTIER, '--list-different', '--ignore-unknown', ...KNOWN, ...(paths.length > 0 ? paths : ['.'])],
  {
    cwd: projectRoot,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  },
);
if (status !== 0) {
  console.error(`${stdout}Not formatted. Run: npx prettier --write <these files>`);
  process.exitCode = 1;
}
