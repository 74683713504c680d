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

type Run = (exports: object, require: (name: string) => Record<string, unknown>, module: { exports: unknown }, filename: string, dirname: string, $import: (name: string) => Promise<Record<string, unknown>>) => void;
type Entry = readonly [path: string, targets: Readonly<Record<string, number>>, run: Run, isEsModule: boolean];

/** What the last of a few modules exports, loaded as the bundle loads its own. */
const { bundledModules } = jest.requireActual<{ bundledModules(native: NodeJS.Require, folder: string, table: readonly Entry[]): Record<string, unknown> }>('../../tools/setup/bundled-modules.cjs');
const loaded = (...table: readonly Entry[]): Record<string, unknown> => bundledModules(require, '/srv', table);
const transpiled: Run = (exports) => void Object.assign(Object.defineProperty(exports, '__esModule', { value: true }), { default: 'its own', named: 1 });

describe('modules in the bundle', () => {
  it('are loaded once, know where they lie, and find what is not in the bundle', () => {
    let runs = 0;
    const once: Entry = ['lib/once.js', {}, (exports, need, _module, filename, dirname) => void Object.assign(exports, { filename, dirname, runs: ++runs, join: need('node:path').join }), false];
    expect(loaded(once, ['main.js', { a: 0, b: 0 }, (_exports, need, module) => (module.exports = { a: need('a'), b: need('b') }), false])).toEqual({
      a: { filename: '/srv/lib/once.js', dirname: '/srv/lib', runs: 1, join },
      b: { filename: '/srv/lib/once.js', dirname: '/srv/lib', runs: 1, join },
    });
  });

  it('see of CommonJS what Node shows: ES modules, and import(), the whole of it as its default', async () => {
    const common: Entry = ['common.cjs', {}, transpiled, false];
    const asks = (isEsModule: boolean): Entry => ['main.js', { common: 0 }, (exports, need, _module, _filename, _dirname, $import) => void Object.assign(exports, { seen: need('common'), later: $import('common') }), isEsModule];
    expect(loaded(common, asks(false)).seen).toMatchObject({ default: 'its own', named: 1 });
    expect(loaded(common, asks(true)).seen).toMatchObject({ default: { default: 'its own', named: 1 } });
    const later = (await loaded(common, asks(false)).later) as Record<string, unknown>;
    expect([later.named, later.default]).toMatchObject([1, { default: 'its own', named: 1 }]);
  });

  it('see of ES modules their own default', () => {
    expect(loaded(['module.mjs', {}, transpiled, true], ['main.js', { module: 0 }, (exports, need) => void Object.assign(exports, { seen: need('module') }), true]).seen).toMatchObject({ default: 'its own', named: 1 });
  });

  it('that fail are tried again by whoever asks next', () => {
    let attempts = 0;
    const failing: Entry = ['failing.js', {}, () => { throw new Error(`attempt ${++attempts}`); }, false];
    const asking: Entry = ['main.js', { failing: 0 }, (_exports, need, module) => (module.exports = [1, 2].map(() => { try { return need('failing'); } catch (error) { return String(error); } })), false];
    expect(loaded(failing, asking)).toEqual(['Error: attempt 1', 'Error: attempt 2']);
  });
});

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
