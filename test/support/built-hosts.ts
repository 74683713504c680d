import { spawn, type ChildProcess, type SpawnOptions } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ofThisFile } from '@atrium/platform/testing';

/** How `npm start` (tools/start/operator.mjs) and the images (docker/Dockerfile) start a host: with a heap that stays small. */
export const HOST_FLAGS = ['--max-semi-space-size=8', '--heap-growing-percent=30'];

const APPS = join(__dirname, '../../dist/apps');

/** The program of a host as it is built. */
function builtHost(name: 'api' | 'worker' | 'cli'): string {
  const program = join(APPS, name, 'src/main.js');
  if (!existsSync(program)) throw new Error(`There is no ${program}: run \`npm run build\` first.`);
  return program;
}

/** A host in a process of its own, started as operators start it. */
export const spawnHost = (name: 'api' | 'worker', options: SpawnOptions): ChildProcess =>
  ofThisFile(spawn(process.execPath, [...HOST_FLAGS, builtHost(name)], options));

/** The worker in a process of its own, on the database and objects of the running API of the test: to be killed. */
export const spawnWorker = (): ChildProcess => spawnHost('worker', { stdio: ['ignore', 'ignore', 'inherit'], env: { ...process.env } });
