import { build } from 'esbuild';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findEndingBy } from '@atrium/platform/kernel';
import type { Outcome } from './process-messages';
import { ProcessPool, type ProcessPoolOptions } from './process-pool';

interface Task {
  readonly do: 'echo' | 'count' | 'spin' | 'swell' | 'swell in a tool' | 'crash' | 'throw' | 'wait' | 'environment' | 'load';
  readonly bytes?: Uint8Array;
  readonly until?: string;
}

/** A script like those of the house: what it does is said by its task. */
const SCRIPT = `
  import { spawn } from 'node:child_process';
  import { existsSync } from 'node:fs';
  import { serveTasks } from ${JSON.stringify(join(__dirname, 'serve-tasks.ts'))};
  const kept = [];
  serveTasks(async (task, report, begin) => {
    if (task.do === 'count') for (let page = 1; page <= 3; page++) report({ page });
    if (task.do === 'spin') for (;;);
    if (task.do === 'swell') for (;;) { kept.push(Buffer.alloc(8 * 1024 * 1024, 1)); await new Promise((next) => setTimeout(next, 5)); }
    if (task.do === 'swell in a tool') {
      const tool = 'require("node:fs").writeFileSync(process.argv[1], String(process.pid)); const kept = []; setInterval(() => kept.push(Buffer.alloc(8 * 1024 * 1024, 1)), 5)';
      await new Promise((ended) => spawn('/bin/sh', ['-c', '"$0" -e "$1" "$2"; true', process.execPath, tool, task.until]).once('close', ended));
    }
    if (task.do === 'crash') process.kill(process.pid, 'SIGKILL');
    if (task.do === 'throw') throw Object.assign(new Error('no space left'), { code: 'ENOSPC' });
    if (task.do === 'environment') return Object.keys(process.env).sort();
    if (task.do === 'load') {
      const until = Date.now() + 600;
      while (Date.now() < until);
      begin();
    }
    while (task.do === 'wait' && !existsSync(task.until)) await new Promise((next) => setTimeout(next, 5));
    return task;
  });
`;

function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

async function isLeft(pid: number): Promise<boolean> {
  for (let look = 0; look < 500 && isThere(pid); look++) await new Promise((next) => setTimeout(next, 20));
  const isStillThere = isThere(pid);
  if (isStillThere) process.kill(pid, 'SIGKILL');
  return isStillThere;
}

describe('a pool of bounded processes', () => {
  let folder: string;
  let script: string;
  let pool: ProcessPool<Task, unknown>;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'atrium-processes-'));
    script = join(folder, 'script.cjs');
    const { outputFiles } = await build({
      stdin: { contents: SCRIPT, resolveDir: __dirname },
      bundle: true,
      platform: 'node',
      format: 'cjs',
      write: false,
    });
    await writeFile(script, outputFiles[0]?.text ?? '');
  });
  afterEach(() => pool.close());
  afterAll(() => rm(folder, { recursive: true, force: true }));

  const start = (options: Partial<ProcessPoolOptions> = {}): ProcessPool<Task, unknown> =>
    (pool = new ProcessPool({ script, processes: 1, timeoutMs: 20_000, ...options }));

  it('answers with bytes as they are, from one process for one task after the other', async () => {
    start();
    const bytes = new Uint8Array([0, 255, 7]);
    expect(await pool.runTask({ do: 'echo', bytes })).toEqual({ answer: { do: 'echo', bytes } });
    const [pid] = pool.processIds;
    await pool.runTask({ do: 'echo' });
    expect(pool.processIds).toEqual([pid]);
    expect(pid).not.toBe(process.pid);
  });

  it('says how far a task is', async () => {
    const said: unknown[] = [];
    await start().runTask({ do: 'count' }, { onProgress: (progress) => said.push(progress) });
    expect(said).toEqual([{ page: 1 }, { page: 2 }, { page: 3 }]);
  });

  it('gives a process nothing of the environment', async () => {
    const { answer } = (await start().runTask({ do: 'environment' })) as { answer: string[] };
    expect(
      answer.filter((name) => !['MALLOC_ARENA_MAX', 'NODE_CHANNEL_FD', 'NODE_CHANNEL_SERIALIZATION_MODE', 'PATH', 'TZ'].includes(name)),
    ).toEqual([]);
  });

  it.each<[Task['do'], Partial<ProcessPoolOptions>, Outcome<unknown>]>([
    ['spin', { timeoutMs: 200 }, { ended: 'timed_out' }],
    ['swell', { memoryMib: 200 }, { ended: 'out_of_memory' }],
    ['crash', {}, { ended: 'crashed' }],
  ])('ends a process at %s with an outcome, and goes on with the next task', async (task, options, outcome) => {
    start(options);
    expect(await pool.runTask({ do: task })).toEqual(outcome);
    expect(await pool.runTask({ do: 'echo' })).toEqual({ answer: { do: 'echo' } });
  });

  // Elsewhere the system does not say which programs a process has started.
  (process.platform === 'linux' ? it : it.skip)(
    'counts the memory of the tools that a process has started as its own, and ends them with it',
    async () => {
      start({ memoryMib: 400 });
      const until = join(folder, 'pid-of-the-tool');
      expect(await pool.runTask({ do: 'swell in a tool', until })).toEqual({ ended: 'out_of_memory' });
      expect(await isLeft(Number(await readFile(until, 'utf8')))).toBe(false);
      expect(await pool.runTask({ do: 'echo' })).toEqual({ answer: { do: 'echo' } });
    },
    30_000,
  );

  it.each([true, false])('counts the time of a task from where it begins, of a processor: %s', async (ofProcessor) => {
    start({ timeoutMs: 200, ofProcessor });
    for (let time = 0; time < 2; time++)
      expect(await pool.runTask({ do: 'load' }, { saysWhenItBegins: true })).toMatchObject({ answer: { do: 'load' } });
    expect(await pool.runTask({ do: 'spin' })).toEqual({ ended: 'timed_out' });
  });

  it('throws the trouble of the machine and keeps the process', async () => {
    start();
    await expect(pool.runTask({ do: 'throw' })).rejects.toMatchObject({ message: 'no space left', code: 'ENOSPC' });
    expect(pool.processIds).toHaveLength(1);
  });

  it('lets another workspace in while a task takes long', async () => {
    start({ longMs: 20 });
    const until = join(folder, 'go-1');
    const theirs = pool.runTask({ do: 'wait', until }, { owner: 'them' });
    await pool.runTask({ do: 'echo' }, { owner: 'us' });
    await writeFile(until, '');
    await theirs;
  });

  it('stops a task that runs or waits when its signal says so', async () => {
    start();
    const [running, waiting] = [new AbortController(), new AbortController()];
    const settled = Promise.allSettled([
      pool.runTask({ do: 'wait', until: join(folder, 'never') }, { signal: running.signal }),
      pool.runTask({ do: 'echo' }, { signal: waiting.signal }),
    ]);
    waiting.abort(new Error('a newer version came'));
    running.abort(new Error('the file was deleted'));
    expect((await settled).map((each) => (each.status === 'rejected' ? (each.reason as Error).message : each.value))).toEqual([
      'the file was deleted',
      'a newer version came',
    ]);
    expect(await pool.runTask({ do: 'echo' })).toEqual({ answer: { do: 'echo' } });
  });

  it('lets a task that waits leave the line at once, with its signal or with the request that asks', async () => {
    start({ longMs: 60_000 });
    const until = join(folder, 'go-2');
    const running = pool.runTask({ do: 'wait', until }, { owner: 'us' });
    const [signal, ending] = [new AbortController(), new AbortController()];
    const withSignal = pool.runTask({ do: 'echo' }, { owner: 'us', signal: signal.signal });
    const forget = findEndingBy(() => ending.signal);
    const ofRequest = pool.runTask({ do: 'echo' }, { owner: 'us' });
    forget();
    signal.abort(new Error('the task is cancelled'));
    ending.abort(new Error('the connection was closed'));
    // The task that runs has not ended, and does not before both have left.
    await expect(withSignal).rejects.toThrow('the task is cancelled');
    await expect(ofRequest).rejects.toThrow('the connection was closed');
    await writeFile(until, '');
    expect(await running).toMatchObject({ answer: { do: 'wait' } });
  });

  it('refuses a task when too many of its workspace wait, and one of another workspace not', async () => {
    start({ waiting: 1, longMs: 60_000 });
    const until = join(folder, 'go-3');
    const theirs = [pool.runTask({ do: 'wait', until }, { owner: 'them' }), pool.runTask({ do: 'wait', until }, { owner: 'them' })];
    await expect(pool.runTask({ do: 'echo' }, { owner: 'them' })).rejects.toMatchObject({ code: 'service_unavailable' });
    expect(await pool.runTask({ do: 'echo' }, { owner: 'us' })).toEqual({ answer: { do: 'echo' } });
    await writeFile(until, '');
    await Promise.all(theirs);
  });

  it('has no more processes than memory suffices for, also when tasks take long', async () => {
    start({ processes: 8, memoryMib: 300, togetherMib: 1_000, longMs: 1 });
    const until = join(folder, 'go-4');
    const all = ['a', 'b', 'c', 'd', 'e', 'f'].map((owner) => pool.runTask({ do: 'wait', until }, { owner }));
    // Long enough for them to be long, and for others to begin if they could.
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(pool.processIds).toHaveLength(3);
    await writeFile(until, '');
    await Promise.all(all);
    expect(pool.processIds).toHaveLength(3);
  });

  it('leaves no process behind that computes on where the one that started it was killed', async () => {
    start();
    const parent = fork(
      '-e',
      [
        `const child = require('node:child_process').fork(${JSON.stringify(script)}, { detached: true, serialization: 'advanced' });
         child.once('message', () => { child.send({ task: { do: 'spin' } }); process.send(child.pid); });`,
      ],
      { execPath: process.execPath },
    );
    const [pid] = (await once(parent, 'message')) as [number];
    expect(isThere(pid)).toBe(true);
    parent.kill('SIGKILL');
    expect(await isLeft(pid)).toBe(false);
  }, 30_000);

  it('rejects what runs and waits when it is closed, and wants a script that is there', async () => {
    start();
    const settled = Promise.allSettled([pool.runTask({ do: 'spin' }), pool.runTask({ do: 'echo' })]);
    pool.close();
    expect((await settled).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(existsSync(join(folder, 'absent.cjs'))).toBe(false);
    expect(() => new ProcessPool({ script: join(folder, 'absent.cjs'), processes: 1, timeoutMs: 1 })).toThrow('not built');
  });
});
