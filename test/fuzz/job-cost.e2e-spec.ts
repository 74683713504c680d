import { execFile, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { migrateQueue } from '@atrium/platform/messaging';
import { eventually, freePort, type RunningApi } from '@atrium/platform/testing';
import { startAtrium } from '../support/api';
import { spawnHost } from '../support/built-hosts';

const SCRIPT = join(__dirname, '../../tools/fuzz/fuzz.mjs');
const METERED_HOST = join(__dirname, '../../tools/fuzz/metered-host.cjs');
/** The size of files in megabytes: to parse one takes several times as long as a turn of the loop may. */
const SIZE = '0.1';
/** The run has ended before the test has to. */
const RUN_MS = 540_000;
let api: RunningApi;
let worker: ChildProcess | undefined;
let fuzzing: ChildProcess | undefined;
let workerUrl: string;
let meter: number;

beforeAll(async () => {
  api = await startAtrium({ LOG_LEVEL: 'silent', OUTBOUND_ALLOW: '127.0.0.1/32' });
  await migrateQueue(api.database.ownerUrl);
  const port = await freePort();
  meter = await freePort();
  workerUrl = `http://127.0.0.1:${port}`;
  worker = spawnHost('worker', {
    stdio: 'ignore',
    env: {
      ...process.env,
      WORKER_PORT: String(port),
      METER_PORT: String(meter),
      NODE_OPTIONS: `--require ${METERED_HOST}`,
      WATCHDOG_SECONDS: '60',
    },
  });
  await eventually(
    () =>
      fetch(`${workerUrl}/health/ready`).then(
        ({ status }) => status,
        () => 0,
      ),
    (status) => status === 200,
    90_000,
  );
}, 150_000);
afterAll(async () => {
  for (const child of [fuzzing, worker]) if (child?.kill('SIGKILL')) await once(child, 'exit');
  await api?.close();
});

describe('files, pages and rows of others', () => {
  // All formats in all shapes, twenty times as large, are tried by `npm run fuzz -- --cost --jobs`, which takes hours.
  it('hold the event loop of the worker no longer than a turn may take: one small job of each kind', async () => {
    const workspace = await api.workspace(['module-documents', 'module-objects', 'module-publication']);
    const { 'X-Api-Key': key, 'X-Tenant-Id': tenant } = workspace.owner.client.headers;
    const run = await new Promise<{ code: number | null; text: string }>((resolve) => {
      const child = (fuzzing = execFile(
        process.execPath,
        [SCRIPT, '--cost', '--jobs', '--brief', '--size', SIZE, '--url', api.url, '--worker', workerUrl, '--meter', String(meter)],
        {
          env: { ...process.env, ATRIUM_KEY: key, ATRIUM_TENANT: tenant },
          maxBuffer: 32 * 1024 * 1024,
          timeout: RUN_MS,
          killSignal: 'SIGKILL',
        },
        (_error, stdout, stderr) => resolve({ code: child.exitCode, text: stdout + stderr }),
      ));
    });
    expect(run).toEqual({ code: 0, text: expect.stringContaining('No job was over its bound') });
    const [, jobs, all] = /^(\d+) of (\d+) jobs/m.exec(run.text) ?? [];
    expect(Number(jobs)).toBeGreaterThan(8);
    expect(all).toBe(jobs);
  }, 600_000);
});
