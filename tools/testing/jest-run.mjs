// One run of jest whose result can be counted.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { projectRoot } from '../project.mjs';

/** Runs the projects with the patterns; jest prints its own report. Adds the result to the tally. */
export async function runJest({ label, projects, patterns = [], env, tally }) {
  const folder = mkdtempSync(join(tmpdir(), 'atrium-jest-'));
  const output = join(folder, 'result.json');
  try {
    const args = ['--selectProjects', ...projects, '--passWithNoTests', '--json', `--outputFile=${output}`];
    const script = join(projectRoot, 'node_modules/jest/bin/jest.js');
    // jest writes its report to stderr and, because of --json, the result to stdout as well.
    const child = spawn(process.execPath, [script, ...args, ...(patterns.length > 0 ? ['--testPathPatterns', ...patterns] : [])], {
      cwd: projectRoot,
      env: { ...process.env, ...env, NODE_ENV: 'test' },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    const [code, signal] = await once(child, 'close');
    if (!existsSync(output)) throw new Error(`jest ended with ${signal ?? `code ${code}`} and without a result.`);
    const failedBefore = tally.failed;
    tally.addJest(output, label);
    // Jest may fail without a failed test: a coverage limit, a broken teardown.
    if (code !== 0 && tally.failed === failedBefore) tally.count(false, `${label}: jest ended with code ${code}`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
