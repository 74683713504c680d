import { execFile, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { eventually, freePort, type RunningApi } from '@atrium/platform/testing';
import { startAtrium } from '../support/api';
import { spawnHost } from '../support/built-hosts';

const SCRIPT = join(__dirname, '../../tools/fuzz/fuzz.mjs');
const METERED_HOST = join(__dirname, '../../tools/fuzz/metered-host.cjs');
let api: RunningApi;
let host: ChildProcess;
let url: string;
let meter: number;

beforeAll(async () => {
  api = await startAtrium({ LOG_LEVEL: 'silent' });
  const port = await freePort();
  meter = await freePort();
  url = `http://127.0.0.1:${port}`;
  host = spawnHost('api', {
    stdio: 'ignore',
    env: {
      ...process.env,
      PORT: String(port),
      BASE_URL: url,
      METER_PORT: String(meter),
      NODE_OPTIONS: `--require ${METERED_HOST}`,
      WATCHDOG_SECONDS: '60',
    },
  });
  await eventually(
    () =>
      fetch(`${url}/health/ready`).then(
        ({ status }) => status,
        () => 0,
      ),
    (status) => status === 200,
    90_000,
  );
}, 150_000);
afterAll(async () => {
  if (host.kill()) await once(host, 'exit');
  await api.close();
});

describe('the largest and strangest input', () => {
  // All places in all shapes are tried by `npm run fuzz -- --cost`, which takes an hour; these are the same each time.
  it('takes the largest request of each operation, in one of the shapes, no more than its bound of processor time and memory', async () => {
    const workspace = await api.workspace(['module-documents', 'module-objects', 'module-publication', 'module-social-post']);
    const { 'X-Api-Key': key, 'X-Tenant-Id': tenant } = workspace.owner.client.headers;
    const run = await new Promise<{ code: number | null; text: string }>((resolve) => {
      const child = execFile(
        process.execPath,
        [SCRIPT, '--cost', '--one-each', '--url', url, '--meter', String(meter)],
        { env: { ...process.env, ATRIUM_KEY: key, ATRIUM_TENANT: tenant }, maxBuffer: 32 * 1024 * 1024 },
        (_error, stdout, stderr) => resolve({ code: child.exitCode, text: stdout + stderr }),
      );
    });
    expect(run).toEqual({ code: 0, text: expect.stringContaining('No request was over its bound') });
    const [, requests, operations] = /^(\d+) of \d+ requests, to (\d+) operations/m.exec(run.text) ?? [];
    expect(Number(requests)).toBeGreaterThan(300);
    expect(operations).toBe(requests);
    expect(run.text).toMatch(/\b20[01]: \d/);
    // What it takes is processor time; a busy machine lets it wait.
  }, 600_000);
});
