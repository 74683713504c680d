import { execFile, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { eventually, freePort, type RunningApi, type TestWorkspace } from '@atrium/platform/testing';
import { startAtrium } from '../support/api';
import { spawnHost } from '../support/built-hosts';

const SCRIPT = join(__dirname, '../../tools/fuzz/fuzz.mjs');
const METERED_HOST = join(__dirname, '../../tools/fuzz/metered-host.cjs');
const MODULES = ['module-documents', 'module-objects', 'module-publication'];
let api: RunningApi;
const hosts: ChildProcess[] = [];
let url: string;
let meter: number;

/** A host with the meter, once it is ready. */
async function metered(name: 'api' | 'worker', { address, ...env }: Record<string, string> & { readonly address: string }): Promise<void> {
  const options = { NODE_OPTIONS: `--require ${METERED_HOST}`, WATCHDOG_SECONDS: '60' };
  hosts.push(spawnHost(name, { stdio: 'ignore', env: { ...process.env, ...options, ...env } }));
  const ready = (): Promise<number> =>
    fetch(`${address}/health/ready`).then(
      ({ status }) => status,
      () => 0,
    );
  await eventually(ready, (status) => status === 200, 90_000);
}

/** What a run of the tool says of the workspace, and how it ends. */
function fuzzed({ owner }: TestWorkspace, ...args: string[]): Promise<{ code: number | null; text: string }> {
  const { 'X-Api-Key': key, 'X-Tenant-Id': tenant } = owner.client.headers;
  const env = { ...process.env, ATRIUM_KEY: key, ATRIUM_TENANT: tenant };
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [SCRIPT, '--cost', '--one-each', '--url', url, ...args],
      { env, maxBuffer: 32 * 1024 * 1024 },
      (_error, stdout, stderr) => resolve({ code: child.exitCode, text: stdout + stderr }),
    );
  });
}

beforeAll(async () => {
  api = await startAtrium({ LOG_LEVEL: 'silent', OUTBOUND_ALLOW: '127.0.0.1/32' });
  const port = await freePort();
  meter = await freePort();
  url = `http://127.0.0.1:${port}`;
  await metered('api', { address: url, PORT: String(port), BASE_URL: url, METER_PORT: String(meter) });
}, 150_000);
afterAll(async () => {
  for (const host of hosts) if (host.kill()) await once(host, 'exit');
  await api.close();
});

describe('the largest and strangest input', () => {
  // All places in all shapes are tried by `npm run fuzz -- --cost`, which takes an hour; these are the same each time.
  it('takes the largest request of each operation, in one of the shapes, no more than its bound of processor time and memory', async () => {
    const workspace = await api.workspace(MODULES);
    const run = await fuzzed(workspace, '--meter', String(meter));
    expect(run).toEqual({ code: 0, text: expect.stringContaining('No request was over its bound') });
    const [, requests, operations] = /^(\d+) of \d+ requests, to (\d+) operations/m.exec(run.text) ?? [];
    expect(Number(requests)).toBeGreaterThan(300);
    expect(operations).toBe(requests);
    expect(run.text).toMatch(/\b20[01]: \d/);
    // What it takes is processor time; a busy machine lets it wait.
  }, 600_000);

  it('is read by jobs none of which holds the event loop of its worker beyond its bound', async () => {
    const workspace = await api.workspace(MODULES);
    const [port, meterOfWorker] = [await freePort(), await freePort()];
    const worker = `http://127.0.0.1:${port}`;
    await metered('worker', { address: worker, WORKER_PORT: String(port), METER_PORT: String(meterOfWorker) });
    const run = await fuzzed(workspace, '--jobs', '--only', 'import', '--size', '1', '--worker', worker, '--meter', String(meterOfWorker));
    expect(run).toEqual({ code: 0, text: expect.stringContaining('No job was over its bound') });
    expect(Number(/^(\d+) of \d+ jobs/m.exec(run.text)?.[1])).toBeGreaterThan(15);
    expect(run.text).toMatch(/\bcompleted: \d/);
  }, 600_000);
});
