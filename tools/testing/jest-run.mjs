// One run of jest whose result can be counted.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { say } from '../console/steps.mjs';
import { projectRoot } from '../project.mjs';

/** When more files than this fail, something is broken; fewer may have waited too long beside others on a busy machine. */
const AGAIN_AT_MOST = 3;

/**
 * Runs the projects with the patterns; jest prints its own report. A few failed files are run once more, alone and one
 * after the other: what passes then is counted and named as unsteady. Adds the result to the tally.
 */
export async function runJest({ label, projects, patterns = [], env, tally }) {
  const first = await jest(projects, patterns.length > 0 ? ['--testPathPatterns', ...patterns] : [], env);
  const failed = failedFiles(first.suites);
  if (failed.length === 0 || failed.length > AGAIN_AT_MOST) return tally.addJest(first, label);
  say(`\n${failed.length} of ${first.suites.length} files failed; they run once more, alone.`);
  const second = await jest(projects, ['--runInBand', '--runTestsByPath', ...failed], env);
  tally.addJest({ code: second.code, suites: afterwards(first.suites, second.suites) }, label);
  for (const title of mended(first.suites, second.suites)) tally.unsteady(`${label}: ${title}`);
}

export const failedFiles = (suites) => suites.filter(({ status }) => status === 'failed').map(({ name }) => name);

/** The suites with those run again in the place of their first run. */
export function afterwards(suites, again) {
  const later = new Map(again.map((suite) => [suite.name, suite]));
  return suites.map((suite) => later.get(suite.name) ?? suite);
}

/** What failed at first and passed when it ran alone: tests, or files that could not even begin. */
export function mended(suites, again) {
  const failed = new Set(suites.flatMap(({ assertionResults }) => assertionResults.filter(({ status }) => status === 'failed').map(({ fullName }) => fullName)));
  const files = suites.filter(({ status, assertionResults }) => status === 'failed' && !assertionResults.some((test) => test.status === 'failed')).map(({ name }) => name);
  return [
    ...again.flatMap(({ assertionResults }) => assertionResults.filter(({ status, fullName }) => status === 'passed' && failed.has(fullName)).map(({ fullName }) => fullName)),
    ...again.filter(({ status, name }) => status === 'passed' && files.includes(name)).map(({ name }) => name),
  ];
}

async function jest(projects, args, env) {
  const folder = mkdtempSync(join(tmpdir(), 'atrium-jest-'));
  const output = join(folder, 'result.json');
  try {
    const script = join(projectRoot, 'node_modules/jest/bin/jest.js');
    // jest writes its report to stderr and, because of --json, the result to stdout as well.
    const child = spawn(process.execPath, [script, '--selectProjects', ...projects, '--passWithNoTests', '--json', `--outputFile=${output}`, ...args], {
      cwd: projectRoot,
      env: { ...process.env, ...env, NODE_ENV: 'test' },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    const [code, signal] = await once(child, 'close');
    if (!existsSync(output)) throw new Error(`jest ended with ${signal ?? `code ${code}`} and without a result.`);
    return { code, suites: JSON.parse(readFileSync(output, 'utf8')).testResults };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
