// One run of jest whose result can be counted.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { say } from '../console/steps.mjs';
import { projectRoot } from '../project.mjs';

/** A worker makes much and throws little away: collected seldom, a test file takes less of a core. Only jest gets it, and not the hosts it starts. */
const ROOM_FOR_THE_YOUNG = '--max-semi-space-size=64';

/** When more files than this fail, something is broken; fewer may have waited too long beside others on a busy machine. */
const AGAIN_AT_MOST = 12;

/**
 * Runs the projects, all in one run, so that no core waits for the last file of each; jest prints its own report. A few
 * failed files are run once more, alone and one after the other: what passes then is counted and named as unsteady.
 * Adds the result to the tally, and answers what became of the files in the first run.
 */
export async function runJest({ projects, patterns = [], env, tally }) {
  const first = await jest(projects, patterns.length > 0 ? ['--testPathPatterns', ...patterns] : [], env);
  const failed = failedFiles(first.suites);
  if (failed.length === 0 || failed.length > AGAIN_AT_MOST) {
    tally.addJest(first);
    return first.suites;
  }
  say(`\n${failed.length} of ${first.suites.length} files failed; running them once more on their own.`);
  const again = { code: 0, suites: [] };
  for (const { project, name } of failed) {
    const { code, suites } = await jest([project], ['--runInBand', '--runTestsByPath', name], env);
    again.code ||= code;
    again.suites.push(...suites);
  }
  tally.addJest({ code: again.code, suites: afterwards(first.suites, again.suites) });
  for (const title of mended(first.suites, again.suites)) tally.unsteady(title);
  return first.suites;
}

export const failedFiles = (suites) => suites.filter(({ status }) => status === 'failed');

const label = ({ project, name }) => `${project}: ${name}`;
const titled = ({ project }, { fullName }) => `${project}: ${fullName}`;

/** The suites with those run again in the place of their first run. */
export function afterwards(suites, again) {
  const later = new Map(again.map((suite) => [label(suite), suite]));
  return suites.map((suite) => later.get(label(suite)) ?? suite);
}

/** What failed at first and passed when it ran alone: tests, or files that could not even begin. */
export function mended(suites, again) {
  const failed = new Set(
    suites.flatMap((suite) => suite.assertionResults.filter(({ status }) => status === 'failed').map((test) => titled(suite, test))),
  );
  const files = suites
    .filter(({ status, assertionResults }) => status === 'failed' && !assertionResults.some((test) => test.status === 'failed'))
    .map(label);
  return [
    ...again.flatMap((suite) =>
      suite.assertionResults
        .filter(({ status }) => status === 'passed')
        .map((test) => titled(suite, test))
        .filter((title) => failed.has(title)),
    ),
    ...again.filter((suite) => suite.status === 'passed' && files.includes(label(suite))).map(label),
  ];
}

async function jest(projects, args, env) {
  const folder = mkdtempSync(join(tmpdir(), 'atrium-jest-'));
  const output = join(folder, 'result.json');
  try {
    const script = join(projectRoot, 'node_modules/jest/bin/jest.js');
    const reporters = ['--reporters', 'default', '--reporters', join(projectRoot, 'tools/testing/jest/results-by-project.cjs')];
    const child = spawn(
      process.execPath,
      [ROOM_FOR_THE_YOUNG, script, '--selectProjects', ...projects, '--passWithNoTests', ...reporters, ...args],
      {
        cwd: projectRoot,
        env: { ...process.env, ...env, NODE_ENV: 'test', RESULTS_FILE: output },
        stdio: ['ignore', 'ignore', 'inherit'],
      },
    );
    const [code, signal] = await once(child, 'close');
    if (!existsSync(output)) throw new Error(`jest ended with ${signal ?? `code ${code}`} and without a result.`);
    return { code, suites: JSON.parse(readFileSync(output, 'utf8')) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
