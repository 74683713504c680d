import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { LoopWatch } from './loop-watch';

const HOOK = join(__dirname, '../../../../../test/messaging/typescript-hook.cjs');

/** A process whose event loop is watched, and what it has said. */
async function watched(work: string): Promise<{ readonly code: number | null; readonly lines: Line[] }> {
  const program = `
    const { AsyncLocalStorage } = require('node:async_hooks');
    const { LoopWatch } = require(${JSON.stringify(join(__dirname, 'loop-watch.ts'))});
    const works = new AsyncLocalStorage();
    const describe = () => works.getStore() ?? null;
    new LoopWatch().start({ service: 'spec', databaseUrl: '', reportMs: 300, endMs: 1_000, describe });
    const at = (operation, run) => works.run({ kind: 'job', operation, tenant_id: 'w', request_id: 'r', id: 'j' }, run);
    at('innocent', () => setTimeout(() => undefined, 1_000_000));
    setTimeout(() => { console.log('{"msg":"watched"}'); ${work} }, 500);`;
  const child = spawn(process.execPath, ['-r', HOOK, '-e', program], { stdio: ['ignore', 'pipe', 'ignore'] });
  const ended = once(child, 'exit') as Promise<[number | null]>;
  let said = '';
  child.stdout.on('data', (text: Buffer) => (said += text.toString()));
  const [code] = await ended;
  return {
    code,
    lines: said
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as Line),
  };
}

interface Line {
  readonly msg: string;
  readonly operation?: string;
  readonly request_id?: string;
  readonly job_id?: string;
  readonly stack?: readonly string[];
}

describe('A watched event loop', () => {
  it('is reported with the work that blocks it and where, and its process ends so that it is started again', async () => {
    const { code, lines } = await watched(`at('poison', () => setImmediate(function spins() { for (let n = 0; ; ) n = (n + 1) % 7; }));`);
    expect(code).toBe(70);
    // Starting on a busy machine may block it as well.
    const blocked = lines.filter(({ msg, operation }) => msg.startsWith('the event loop') && operation === 'poison');
    expect(blocked.map(({ msg }) => msg)).toEqual([
      'the event loop is blocked',
      'the event loop was blocked for too long: the process ends',
    ]);
    for (const line of blocked) {
      expect(line).toMatchObject({ operation: 'poison', request_id: 'r', job_id: 'j' });
      expect(line.stack?.[0]).toContain('spins');
    }
  }, 60_000);

  it('lags when it is slow for some seconds in a row, and no more when it was quick for one', () => {
    const loop = new LoopWatch();
    for (const _ of [1, 2]) loop.recordSlowSecond(300e6);
    expect(loop.isLagging).toBe(false);
    loop.recordSlowSecond(300e6);
    expect(loop.isLagging).toBe(true);
    loop.recordSlowSecond(20e6);
    expect(loop.isLagging).toBe(false);
  });
});
