import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { createTestDatabase, dropTestDatabase } from '@atrium/platform/testing';

const PROJECT = join(__dirname, '../..');
const BUILT = join(PROJECT, 'dist');
/** As operators run hosts: docker/Dockerfile and tools/start/operator.mjs. */
const HOST_FLAGS = ['--max-semi-space-size=8', '--heap-growing-percent=30'];

interface Opened {
  readonly refused?: boolean;
  readonly codeCache: string;
}

const node = (...args: string[]): string => nodeWith({}, ...args);
const nodeWith = (env: Record<string, string>, ...args: string[]): string => {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', env: { PATH: process.env.PATH, ...env } });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  return stdout;
};
const open = (dist: string, flags: readonly string[]): Opened =>
  JSON.parse(node(...flags, '-p', `const { script, codeCache } = require(${JSON.stringify(join(dist, 'apps/launch/bundle.js'))}).openBundle(); JSON.stringify({ refused: script.cachedDataRejected, codeCache })`)) as Opened;

/** Names of the packages that the files belong to. */
const packagesOf = (files: readonly string[]): string[] => files.flatMap((file) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file)?.[1] ?? []);

describe('the bundle of all hosts', () => {
  const folder = mkdtempSync(join(tmpdir(), 'atrium-bundle-'));
  const copy = join(folder, 'dist');
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('is compiled when it is built: with the flags of operators, and with none', () => {
    expect(open(BUILT, HOST_FLAGS).refused).toBe(false);
    expect(open(BUILT, []).refused).toBe(false);
  });

  it('starts without what V8 made of it, and with something else in its place, and writes nothing', () => {
    for (const part of ['apps/launch', 'apps/cli/src/main.js', 'hosts.js']) cpSync(join(BUILT, part), join(copy, part), { recursive: true });
    symlinkSync(join(PROJECT, 'node_modules'), join(folder, 'node_modules'));
    const program = join(copy, 'apps/cli/src/main.js');
    expect(node(program, '--help')).toContain('doctor');
    const { refused, codeCache } = open(copy, []);
    expect(refused).toBeUndefined();
    writeFileSync(codeCache, 'made by another');
    expect(open(copy, []).refused).toBe(true);
    expect(node(program, '--help')).toContain('doctor');
    expect(readdirSync(copy).sort()).toEqual(['apps', 'hosts.js', basename(codeCache)].sort());
  });

  it('tells modules and their lines in the stacks of its errors', () => {
    const program = JSON.stringify(join(BUILT, 'apps/cli/src/main.js'));
    const stack = node('-e', `const { write } = process.stdout; process.stdout.write = (text) => write.call(process.stdout, new Error(text).stack); process.argv.push('x', '--help'); require(${program})`);
    expect(stack).not.toContain('hosts.js');
    for (const module of ['apps/cli/src/session.js', 'node_modules/commander/lib/command.js']) {
      const [, file = '', line, column] = new RegExp(`(/\\S+${module}):(\\d+):(\\d+)`).exec(stack) ?? [];
      const called = readFileSync(file, 'utf8').split('\n')[Number(line) - 1]?.slice(Number(column) - 1);
      expect({ module, called }).toEqual({ module, called: expect.stringMatching(/^(?:write|outputHelp|writeOut|\w+)\(/i) });
    }
  });

  it('loads no package again that it holds', async () => {
    const database = await createTestDatabase();
    const env = { DATABASE_URL: database.appUrl, MASTER_KEY: Buffer.alloc(32).toString('base64') };
    const program = `process.argv.push('x', 'workspace', 'list'); const { openBundle } = require(${JSON.stringify(join(BUILT, 'apps/launch/bundle.js'))}); const { hosts } = openBundle();
      process.on('exit', () => console.log(JSON.stringify(Object.keys(require.cache)))); for (const load of Object.values(hosts)) load(); hosts.cli().start();`;
    const loaded = JSON.parse(nodeWith(env, '-e', program)) as string[];
    await dropTestDatabase(database);
    const held = new Set(packagesOf(readFileSync(join(BUILT, 'hosts.js.lines'), 'utf8').split('\n')));
    expect(held).toContain('pg');
    expect(packagesOf(loaded).filter((name) => held.has(name))).toEqual([]);
  });
});
