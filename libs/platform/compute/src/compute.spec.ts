import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Problem } from '@atrium/platform/kernel';
import { Compute } from './compute';
import type { ComputeTask } from './compute-task';

const BUILT = join(__dirname, '../../../../dist/libs/platform/compute/src/compute-process.js');

const task = (folder: string, name: string, timeoutMs?: number): ComputeTask<unknown, unknown> => ({
  module: join(folder, name),
  what: 'text',
  ...(timeoutMs === undefined ? {} : { timeoutMs }),
});

describe('work on foreign text', () => {
  let folder: string;
  let compute: Compute;

  beforeAll(async () => {
    if (!existsSync(BUILT)) throw new Error('The computing process is not built: run `npm run build` first.');
    folder = await mkdtemp(join(tmpdir(), 'atrium-compute-'));
    const tasks = {
      echo: 'return { input, pid: process.pid };',
      spin: 'for (;;);',
      swell: 'const kept = []; for (;;) { kept.push(Buffer.alloc(8 * 1024 * 1024, 1)); await new Promise((next) => setTimeout(next, 5)); }',
      deep: 'const down = () => down() + 1; return down();',
      refuse: `const { Problem } = require(${JSON.stringify(join(__dirname, '../../../../dist/libs/platform/kernel/src/index.js'))}); throw new Problem('payload_too_large', 'It is too long.', { errors: [{ path: 'a', code: 'b', message: 'c' }] });`,
    };
    for (const [name, body] of Object.entries(tasks))
      await writeFile(join(folder, `${name}.js`), `exports.perform = async (input) => { ${body} };`);
  });
  beforeEach(() => void (compute = new Compute({ timeoutMs: 20_000, memoryMib: 220, patienceMs: 60_000 })));
  afterEach(() => compute.onApplicationShutdown());
  afterAll(() => rm(folder, { recursive: true, force: true }));

  const failing = (name: string, timeoutMs?: number): Promise<unknown> =>
    compute.runTask(task(folder, name, timeoutMs), 'x').then(
      () => undefined,
      (error: unknown) => error,
    );

  it('is done in another process', async () => {
    const { input, pid } = (await compute.runTask(task(folder, 'echo'), { bytes: new Uint8Array([1]) })) as { input: unknown; pid: number };
    expect(input).toEqual({ bytes: new Uint8Array([1]) });
    expect(compute.processIds).toContain(pid);
    expect(pid).not.toBe(process.pid);
  });

  it.each([
    ['spin', 300, 'took longer than 0.3 seconds'],
    ['swell', undefined, 'more memory'],
    ['deep', undefined, 'nested too deeply'],
  ])('that does not come to its end is a problem of the text: %s', async (name, timeoutMs, words) => {
    const error = await failing(name, timeoutMs);
    expect(error).toBeInstanceOf(Problem);
    expect(error).toMatchObject({
      code: 'unprocessable_content',
      isMeasured: name !== 'deep',
      detail: expect.stringContaining(words) as string,
    });
    expect(await compute.runTask(task(folder, 'echo'), 'next')).toMatchObject({ input: 'next' });
  });

  it('hands on the problem that it finds', async () => {
    expect(await failing('refuse')).toMatchObject({ code: 'payload_too_large', detail: 'It is too long.', errors: [{ path: 'a' }] });
  });

  it('is given up where it waits longer than anybody does', async () => {
    compute.onApplicationShutdown();
    compute = new Compute({ timeoutMs: 20_000, memoryMib: 220, patienceMs: 300 - 100_000 });
    expect(await failing('spin')).toMatchObject({ code: 'service_unavailable', headers: { 'Retry-After': '5' } });
  });

  it('ends with the reason of its signal', async () => {
    const stop = new AbortController();
    const running = compute.runTask(task(folder, 'spin'), 'x', { signal: stop.signal });
    stop.abort(new Error('the job was cancelled'));
    await expect(running).rejects.toThrow('the job was cancelled');
  });
});
