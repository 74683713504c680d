import { execFile, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { eventually, freePort, type RunningApi } from '@atrium/platform/testing';
import { startAtrium } from '../support/api';
import { spawnHost } from '../support/built-hosts';

const SCRIPT = join(__dirname, '../../tools/fuzz/fuzz.mjs');
const METERED_HOST = join(__dirname, '../../tools/fuzz/metered-host.cjs');
const CASES = 120;
const SEED = 7;
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
  it('takes no request more than its bound of processor time and memory', async () => {
    const workspace = await api.workspace(['module-documents', 'module-objects', 'module-publication']);
    const { 'X-Api-Key': key, 'X-Tenant-Id': tenant } = workspace.owner.client.headers;
    const run = await new Promise<{ code: number | null; text: string }>((resolve) => {
      const child = execFile(
        process.execPath,
        [SCRIPT, '--cost', '--cases', String(CASES), '--seed', String(SEED), '--url', url, '--meter', String(meter)],
        { env: { ...process.env, ATRIUM_KEY: key, ATRIUM_TENANT: tenant }, maxBuffer: 32 * 1024 * 1024 },
        (_error, stdout, stderr) => resolve({ code: child.exitCode, text: stdout + stderr }),
      );
    });
    expect(run).toEqual({ code: 0, text: expect.stringContaining('No request was over its bound') });
    expect(run.text).toContain(`${CASES} of `);
    expect(run.text).toMatch(/\b20[01]: \d/);
    // What it takes is processor time; a busy machine lets it wait.
  }, 600_000);
});
