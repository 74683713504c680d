import { execFile, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { createTestDatabase, dropTestDatabase } from '@atrium/platform/testing';
import { HOST_FLAGS } from '../support/built-hosts';

const PROJECT = join(__dirname, '../..');
const BUILT = join(PROJECT, 'dist');

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
  JSON.parse(
    node(
      ...flags,
      '-p',
      `const { script, codeCache } = require(${JSON.stringify(join(dist, 'apps/launch/bundle.js'))}).openBundle(); JSON.stringify({ refused: script.cachedDataRejected, codeCache })`,
    ),
  ) as Opened;

/** Names of the packages that the files belong to. */
const packagesOf = (files: readonly string[]): string[] =>
  files.flatMap((file) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file)?.[1] ?? []);

type Run = (
  exports: object,
  require: (name: string) => Record<string, unknown>,
  module: { exports: unknown },
  filename: string,
  dirname: string,
  $import: (name: string) => Promise<Record<string, unknown>>,
) => void;
type Entry = readonly [path: string, targets: Readonly<Record<string, number>>, run: Run, isEsModule: boolean];

/** What the last of a few modules exports, loaded as the bundle loads its own. */
const { bundledModules } = jest.requireActual<{
  bundledModules(native: NodeJS.Require, folder: string, table: readonly Entry[]): Record<string, unknown>;
}>('../../tools/setup/bundled-modules.cjs');
const loaded = (...table: readonly Entry[]): Record<string, unknown> => bundledModules(require, '/srv', table);
const transpiled: Run = (exports) =>
  void Object.assign(Object.defineProperty(exports, '__esModule', { value: true }), { default: 'its own', named: 1 });

describe('modules in the bundle', () => {
  it('are loaded once, know where they are, and find what is not in the bundle', () => {
    let runs = 0;
    const once: Entry = [
      'lib/once.js',
      {},
      (exports, need, _module, filename, dirname) =>
        void Object.assign(exports, { filename, dirname, runs: ++runs, join: need('node:path').join }),
      false,
    ];
    expect(
      loaded(once, ['main.js', { a: 0, b: 0 }, (_exports, need, module) => (module.exports = { a: need('a'), b: need('b') }), false]),
    ).toEqual({
      a: { filename: '/srv/lib/once.js', dirname: '/srv/lib', runs: 1, join },
      b: { filename: '/srv/lib/once.js', dirname: '/srv/lib', runs: 1, join },
    });
  });

  it('see of CommonJS what Node shows: ES modules, and import(), the whole of it as its default', async () => {
    const common: Entry = ['common.cjs', {}, transpiled, false];
    const asks = (isEsModule: boolean): Entry => [
      'main.js',
      { common: 0 },
      (exports, need, _module, _filename, _dirname, $import) =>
        void Object.assign(exports, { seen: need('common'), later: $import('common') }),
      isEsModule,
    ];
    expect(loaded(common, asks(false)).seen).toMatchObject({ default: 'its own', named: 1 });
    expect(loaded(common, asks(true)).seen).toMatchObject({ default: { default: 'its own', named: 1 } });
    const later = (await loaded(common, asks(false)).later) as Record<string, unknown>;
    expect([later.named, later.default]).toMatchObject([1, { default: 'its own', named: 1 }]);
  });

  it('see of ES modules their own default', () => {
    expect(
      loaded(
        ['module.mjs', {}, transpiled, true],
        ['main.js', { module: 0 }, (exports, need) => void Object.assign(exports, { seen: need('module') }), true],
      ).seen,
    ).toMatchObject({ default: 'its own', named: 1 });
  });

  it('that fail are tried again with the next call', () => {
    let attempts = 0;
    const failing: Entry = [
      'failing.js',
      {},
      () => {
        throw new Error(`attempt ${++attempts}`);
      },
      false,
    ];
    const asking: Entry = [
      'main.js',
      { failing: 0 },
      (_exports, need, module) =>
        (module.exports = [1, 2].map(() => {
          try {
            return need('failing');
          } catch (error) {
            return String(error);
          }
        })),
      false,
    ];
    expect(loaded(failing, asking)).toEqual(['Error: attempt 1', 'Error: attempt 2']);
  });
});

describe('a bundle', () => {
  const folder = mkdtempSync(join(tmpdir(), 'atrium-bundling-'));
  const dist = join(folder, 'dist');
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const write = (files: Readonly<Record<string, string>>): void =>
    Object.entries(files).forEach(([file, text]) => {
      mkdirSync(dirname(join(folder, file)), { recursive: true });
      writeFileSync(join(folder, file), text);
    });
  const bundled = (): Promise<string> =>
    promisify(execFile)(process.execPath, [
      '--input-type=module',
      '-e',
      `import { bundle } from ${JSON.stringify(join(PROJECT, 'tools/setup/bundle.mjs'))}; await bundle(${JSON.stringify(dist)});`,
    ]).then(
      () => 'made',
      ({ stderr }: { stderr: string }) => stderr,
    );

  it('does what its modules do without it', async () => {
    write({
      'node_modules/shapes/package.json': '{ "type": "module", "exports": "./index.js" }',
      'node_modules/shapes/index.js':
        "import whole, { named } from 'common'; export default class Circle {} export const seen = [whole.default, named];",
      'node_modules/common/index.js':
        "Object.defineProperty(exports, '__esModule', { value: true }); exports.default = 'its own'; exports.named = 'named';",
      'node_modules/later/index.js': "module.exports = { default: 'another', count: (globalThis.laters = (globalThis.laters ?? 0) + 1) };",
      'dist/apps/tiny/src/host.js': String.raw`class Circle {}
        exports.start = async () => {
          const shapes = require('shapes');
          const { import: method } = { import(name) { return name; } };
          const all = [await import('later'), await import("later")];
          console.log(JSON.stringify(['Grüße', '\é', '\é', '😀', /[\–]/.test('–'), /^😀$/u.test('😀'), new Circle().constructor.name, new shapes.default().constructor.name, shapes.seen, method('later'), all.map((one) => [one.default.default, one.default.count]), __filename]));
        };`,
    });
    cpSync(join(BUILT, 'apps/launch'), join(dist, 'apps/launch'), { recursive: true });
    expect(await bundled()).toBe('made');
    const plain = node('-e', `require(${JSON.stringify(join(dist, 'apps/tiny/src/host.js'))}).start()`);
    expect(JSON.parse(plain)).toHaveLength(12);
    expect(node('-e', `require(${JSON.stringify(join(dist, 'apps/launch/bundle.js'))}).openBundle().hosts.tiny().start()`)).toBe(plain);
  });

  it('is not made of what it would not find when it is needed', async () => {
    write({ 'dist/apps/tiny/src/host.js': 'exports.start = () => import(`later`);' });
    expect(await bundled()).toContain("Only import('name') with a literal name is supported. Rewrite: later");
    write({ 'dist/apps/tiny/src/host.js': "exports.start = () => import('nowhere');" });
    expect(await bundled()).toContain("Cannot find module 'nowhere'");
    write({ 'dist/apps/tiny/src/host.js': "require('later'); exports.start = () => import('later');" });
    expect(await bundled()).toContain('Already part of the bundle, list as always needed: later');
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
    for (const part of ['apps/launch', 'apps/cli/src/main.js', 'hosts.js'])
      cpSync(join(BUILT, part), join(copy, part), { recursive: true });
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

  it('reports the same modules, lines and columns in the stacks of its errors as without it', () => {
    const stackOf = (start: string): string =>
      node(
        '-e',
        `Error.stackTraceLimit = 50; const { write } = process.stdout; process.stdout.write = (text) => write.call(process.stdout, new Error(text).stack); process.argv.push('x', '--help'); ${start}`,
      );
    const places = (stack: string): string[] =>
      [...stack.matchAll(/\/\S+?\.js:\d+:\d+/g)]
        .map(([place]) => place)
        .filter((place) => /\/apps\/cli\/src\/(?!main)|\/commander\//.test(place));
    const bundled = stackOf(`require(${JSON.stringify(join(BUILT, 'apps/cli/src/main.js'))})`);
    expect(bundled).not.toContain('hosts.js');
    expect(places(bundled)).toContainEqual(expect.stringContaining('/apps/cli/src/session.js:'));
    expect(places(bundled)).toEqual(places(stackOf(`require(${JSON.stringify(join(BUILT, 'apps/cli/src/host.js'))}).start()`)));
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
