// The operator's commands (`apps/cli`) as the scripts call them.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { projectRoot } from '../project.mjs';

/**
 * How every host runs: a young generation that suits short requests (the default grows to three times the heap in use),
 * and an old one that is collected when it has grown by a third (by default it may double, several times over).
 */
export const HOST_FLAGS = ['--max-semi-space-size=8', '--heap-growing-percent=30'];

export const hostProgram = (name) => join(projectRoot, 'dist', 'apps', name, 'src', 'main.js');

/** Runs a command of the CLI; resolves with what it printed, rejects with its complaint. */
export async function operate(args, { env, input = '', signal }) {
  const child = spawn(process.execPath, [hostProgram('cli'), ...args], { cwd: projectRoot, env, signal, stdio: ['pipe', 'pipe', 'pipe'] });
  let [output, complaint] = ['', ''];
  child.stdout.on('data', (chunk) => (output += chunk));
  child.stderr.on('data', (chunk) => (complaint += chunk));
  child.stdin.on('error', () => undefined);
  child.stdin.end(input);
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`atrium ${args.slice(0, 2).join(' ')} ended with code ${code}.\n${(complaint + output).trim()}`);
  return output;
}

/** The JSON object that a command printed with `--json`, even with log lines around it. */
export async function operateJson(args, options) {
  const output = await operate([...args, '--json'], options);
  const lines = output.trim().split('\n').reverse();
  for (const text of [output, ...lines]) {
    try {
      const value = JSON.parse(text);
      if (value && typeof value === 'object' && !('level' in value)) return value;
    } catch {
      // not this one
    }
  }
  throw new Error(`atrium ${args.slice(0, 2).join(' ')} printed no JSON:\n${output}`);
}
