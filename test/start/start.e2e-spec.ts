import { chmodSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RunningStart, groupLives, lockIn, until, type Demo } from './running-start';

const folder = mkdtempSync(join(tmpdir(), 'atrium-start-'));
const dataDir = join(folder, 'data with spaces');
const starts: RunningStart[] = [];

function start(settings: Record<string, string> = {}): RunningStart {
  const running = RunningStart.in(dataDir, { PORT: '3917', ...settings });
  starts.push(running);
  return running;
}

const accepted = async (demo: Demo): Promise<number> =>
  (await fetch(`${demo.base_url}/me`, { headers: { 'X-Api-Key': demo.api_key, 'X-Tenant-Id': demo.tenant_id } })).status;

// As root PostgreSQL runs as another user, who must reach the data.
beforeAll(() => chmodSync(folder, 0o755));
afterAll(async () => {
  await Promise.all(starts.map((running) => running.end()));
  rmSync(folder, { recursive: true, force: true });
}, 60_000);

describe('npm start', () => {
  let first: Demo;

  it('runs API, worker and database, and writes what a newcomer needs', async () => {
    const running = start();
    first = await running.ready();
    expect(first.base_url).toMatch(/^http:\/\/localhost:\d+\/api\/v1$/);
    expect(await accepted(first)).toBe(200);
    expect(statSync(join(dataDir, 'demo.json')).mode & 0o777).toBe(0o600);
    expect(statSync(join(dataDir, 'secrets.json')).mode & 0o777).toBe(0o600);
    for (const value of [first.base_url, first.docs_url, first.tenant_id, first.api_key, first.email, first.password])
      expect(running.output).toContain(value);
  }, 120_000);

  it('refuses a second start in the same data folder while one runs', async () => {
    const second = start();
    expect(await second.exitCode()).toBe(1);
    expect(second.output).toContain('already running');
    expect(await accepted(first)).toBe(200);
  }, 60_000);

  it('stops everything on SIGTERM and leaves no process and no lock', async () => {
    const [running] = starts;
    const groups = running?.groups() ?? [];
    expect(groups).toHaveLength(3);
    expect(await running?.end('SIGTERM')).toBe(0);
    expect(groups.filter(groupLives)).toEqual([]);
    expect(lockIn(dataDir)).toBe(false);
  }, 60_000);

  it('starts again with the same workspace and key, without another build', async () => {
    const running = start();
    expect(await running.ready()).toMatchObject({ tenant_id: first.tenant_id, api_key: first.api_key, password: first.password });
    expect(running.output).toMatch(/build .*nothing to do/);
  }, 120_000);

  it('starts again after kill -9, whose children end by themselves', async () => {
    const killed = starts.at(-1);
    const groups = killed?.groups() ?? [];
    await killed?.end('SIGKILL');
    await until(
      () => !groups.some(groupLives),
      () => `still there: ${groups.filter(groupLives).join(', ')}`,
    );
    expect(lockIn(dataDir)).toBe(true);
    const demo = await start().ready();
    expect(demo.api_key).toBe(first.api_key);
    expect(await accepted(demo)).toBe(200);
    await starts.at(-1)?.end();
  }, 120_000);

  it('takes another port when the wanted one is taken, and says so', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => taken.once('listening', resolve));
    const address = taken.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    const running = start({ PORT: String(port) });
    const demo = await running.ready();
    expect(running.output).toContain(`port ${port} is in use`);
    expect(new URL(demo.base_url).port).not.toBe(String(port));
    expect(await running.end('SIGINT')).toBe(0);
    taken.close();
  }, 120_000);
});
