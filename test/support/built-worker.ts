import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

const MAIN = join(__dirname, '../../dist/apps/worker/src/main.js');

/** The worker as it is built, in a process of its own, on the database and objects of the running API of the test: to be killed. */
export function spawnWorker(): ChildProcess {
  if (!existsSync(MAIN)) throw new Error('The worker is not built: run `npm run build` first.');
  return spawn(process.execPath, [MAIN], { stdio: ['ignore', 'ignore', 'inherit'], env: { ...process.env } });
}
