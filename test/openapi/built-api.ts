import { eventually, freePort, type RunningApi } from '@atrium/platform/testing';
import { spawnHost } from '../support/built-hosts';

export interface BuiltApi {
  readonly url: string;
  stop(): Promise<void>;
}

/**
 * The API as it is built, in a process of its own, on the database and objects of a running one: only the build has the
 * texts that comments carry into the reference.
 */
export async function startBuiltApi(beside: RunningApi): Promise<BuiltApi> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const child = spawnHost('api', {
    env: { ...process.env, PORT: String(port), HOST: '127.0.0.1', BASE_URL: url, DATA_DIR: beside.dataDir },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  await eventually(
    () =>
      fetch(`${url}/health/live`).then(
        (answer) => answer.status,
        () => 0,
      ),
    (status) => status === 200,
  );
  return {
    url,
    stop: () => {
      child.kill('SIGTERM');
      return ended;
    },
  };
}
