// The checks that read the sources: types, rules, edges, generated documents.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from '../processes/lifeline.mjs';
import { projectRoot } from '../project.mjs';
import { missingOptionals } from '../setup/lockfile.mjs';

const local = (program) => join(projectRoot, 'node_modules', program);
const node = (script, ...args) => run(process.execPath, [script, ...args], { cwd: projectRoot }).then(() => undefined);
const codeFolders = () => ['apps', 'libs', 'test'].filter((folder) => existsSync(join(projectRoot, folder)));

/** The compiler makes much and throws little away: collected seldom, it is done a sixth sooner. */
const ROOM_FOR_THE_YOUNG = '--max-semi-space-size=64';
/** A program of all sources with all its types is 2.5 GB; on a small machine node would stop at half of that. */
const ROOM_FOR_THE_OLD = '--max-old-space-size=4096';

/** `[names, title, work]`, independent of each other; the longest first. `work` gets those of its names that are wanted, and the paths to look at; none are all. */
const CHECKS = [
  [
    ['types', 'lint'],
    'types and lint',
    (wanted, paths) =>
      node(
        ...[ROOM_FOR_THE_YOUNG, ROOM_FOR_THE_OLD, join(projectRoot, 'tools/testing/types-and-lint.mjs'), ...wanted],
        ...paths.filter((path) => /\.(?:ts|mjs|cjs)$/.test(path)),
      ),
  ],
  [['lint'], 'formatting (prettier)', (_wanted, paths) => node(join(projectRoot, 'tools/testing/formatting.mjs'), ...paths)],
  [['lint'], 'nothing unused (knip)', () => node(local('knip/bin/knip.js'), '--no-progress')],
  [
    ['edges'],
    'who may know whom (dep-cruiser)',
    () => node(local('dependency-cruiser/bin/dependency-cruise.mjs'), ...codeFolders(), '--config', '.dependency-cruiser.cjs'),
  ],
  [['docs'], 'generated documents', () => node(join(projectRoot, 'tools/docs.mjs'), '--check')],
  [
    ['scripts'],
    'the scripts themselves',
    () =>
      node(
        '--test',
        ...['testing/scripts', 'testing/reach', 'tour/line-reader', 'docs/landed-steps', 'fuzz/cost', 'fuzz/job-cost', 'bench/claims'].map(
          (name) => join(projectRoot, `tools/${name}.spec.mjs`),
        ),
      ),
  ],
  [
    ['lockfile'],
    'lockfile names every platform',
    async () => refuse(missingOptionals(JSON.parse(readFileSync(join(projectRoot, 'package-lock.json'), 'utf8')))),
  ],
];

/** The checks of which something is wanted, over these paths or over all: `{ title, work }`. */
export const checksFor = (wants, paths = []) =>
  CHECKS.map(([names, title, work]) => ({ names, title, work, wanted: names.filter(wants) }))
    .filter(({ wanted }) => wanted.length > 0)
    .map(({ names, title, work, wanted }) => ({
      title: wanted.length < names.length ? wanted.join(' and ') : title,
      work: () => work(wanted, paths),
    }));

function refuse(missing) {
  if (missing.length === 0) return;
  throw new Error(
    `package-lock.json lacks ${missing.length} optional packages of other platforms, so \`npm ci\` refuses it:\n  ${missing.map(({ name }) => name).join('\n  ')}\nRun: node tools/setup/complete-lockfile.mjs`,
  );
}
