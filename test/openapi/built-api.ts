import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { eventually, freePort, type RunningApi } from '@atrium/platform/testing';

const MAIN = join(__dirname, '../../dist/apps/api/src/main.js');

export interface BuiltApi {
  readonly url: string;
  stop(): Promise<void>;
}

/**
 * The API as it is built, in a process of its own, on the database and objects of a running one: only the build has the
 * texts that comments carry into the reference.
 */
export async function startBuiltApi(beside: RunningApi): Promise<BuiltApi> {
  if (!existsSync(MAIN)) throw new Error('The API is not built: run `npm run build` first.');
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const child = spawn(process.execPath, [MAIN], { env: { ...process.env, PORT: String(port), HOST: '127.0.0.1', BASE_URL: url, DATA_DIR: beside.dataDir }, stdio: ['ignore', 'inherit', 'inherit'] });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  await eventually(() => fetch(`${url}/health/live`).then((answer) => answer.status, () => 0), (status) => status === 200);
  return {
    url,
    stop: () => {
      child.kill('SIGTERM');
      return ended;
    },
  };
}
