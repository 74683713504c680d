// node --test: the parts of the two commands that are quick to try.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { serverAccount } from '../postgres/account.mjs';
import { placeData } from '../postgres/placement.mjs';
import { spawnKept } from '../processes/lifeline.mjs';
import { projectRoot } from '../project.mjs';
import { compile } from '../setup/compile.mjs';
import { fingerprint } from '../setup/fingerprint.mjs';
import { withHandlerComments } from '../setup/handler-comments.mjs';
import { completed, missingOptionals } from '../setup/lockfile.mjs';
import { refusalOf } from '../setup/node-version.mjs';
import { choosePort } from '../start/addresses.mjs';
import { refusalOf as refusalOfFolder } from '../start/environment.mjs';
import { AlreadyRunning, takeRunLock } from '../start/run-lock.mjs';
import { afterwards, failedFiles, mended } from './jest-run.mjs';
import { costliest, durationsWith } from './durations.mjs';
import { selection } from './selection.mjs';
import { newTally } from './tally.mjs';

const folder = mkdtempSync(join(tmpdir(), 'atrium scripts '));
after(() => rmSync(folder, { recursive: true, force: true }));
const lives = (pid) => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

test('a kept program ends when its starter is killed', { timeout: 20_000 }, async () => {
  const script = `import { spawnKept } from ${JSON.stringify(join(projectRoot, 'tools/processes/lifeline.mjs'))}; console.log(spawnKept('sleep', ['60'], { stdio: ['ignore', 'ignore'] }).pid); setInterval(() => {}, 1000);`;
  const starter = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = await once(starter.stdout, 'data');
  const group = Number(line);
  assert.ok(lives(-group));
  starter.kill('SIGKILL');
  while (lives(-group)) await pause(20);
});

test('programs of a bench that is killed end, even stopped ones, and its folder is removed', { timeout: 30_000 }, async () => {
  const left = mkdtempSync(join(folder, 'of a bench '));
  const [cores, lifeline] = ['bench/cores.mjs', 'processes/lifeline.mjs'].map((file) => JSON.stringify(join(projectRoot, 'tools', file)));
  const script = `import { spawnOn } from ${cores}; import { removeWithStarter } from ${lifeline};
    removeWithStarter(${JSON.stringify(left)});
    const [going, stopped] = [0, 1].map(() => spawnOn(undefined, 'sleep', ['60'], { stdio: 'ignore' }));
    stopped.kill('SIGSTOP');
    console.log(going.pid, stopped.pid);
    setInterval(() => {}, 1000);`;
  const bench = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = await once(bench.stdout, 'data');
  const pids = String(line).split(' ').map(Number);
  assert.ok(pids.every(lives));
  bench.kill('SIGKILL');
  while (pids.some(lives) || existsSync(left)) await pause(20);
});

test('a kept program hands on its exit code and takes its folder with it', async () => {
  const gone = mkdtempSync(join(folder, 'gone '));
  const kept = spawnKept('sh', ['-c', 'exit 7'], { stdio: ['ignore', 'ignore'], removeAfterwards: gone });
  assert.equal((await kept.ended).code, 7);
  assert.throws(() => readFileSync(join(gone, 'x')), { code: 'ENOENT' });
  assert.equal(kept.running, false);
});

test('a kept program that ignores its signal is killed after the grace', { timeout: 20_000 }, async () => {
  const kept = spawnKept('sh', ['-c', 'trap "" TERM; while :; do sleep 1; done'], { stdio: ['ignore', 'ignore'] });
  await pause(100);
  assert.equal((await kept.stop(300)).signal, 'SIGKILL');
});

test('a process that a test file has started is gone when a hook of the file gives up', { timeout: 60_000 }, async () => {
  const root = mkdtempSync(join(folder, 'giving up '));
  const program = `const { spawn } = require('node:child_process');
    beforeAll(() => {
      const child = spawn('sleep', ['60'], { stdio: 'ignore' });
      (globalThis[Symbol.for('atrium.test.children')] ??= new Set()).add(child);
      require('node:fs').writeFileSync(${JSON.stringify(join(root, 'pid'))}, String(child.pid));
      throw new Error('gave up');
    });
    test('never gets that far', () => undefined);`;
  writeFileSync(join(root, 'giving-up.spec.js'), program);
  const config = {
    rootDir: root,
    testEnvironment: join(projectRoot, 'tools/testing/jest/shared-environment.cjs'),
    runtime: join(projectRoot, 'tools/testing/jest/shared-runtime.cjs'),
    testMatch: ['**/*.spec.js'],
    testEnvironmentOptions: { variables: {} },
    transform: {},
  };
  const jest = spawn(process.execPath, [join(projectRoot, 'node_modules/jest/bin/jest.js'), '--config', JSON.stringify(config)], {
    cwd: root,
    stdio: 'ignore',
  });
  assert.deepEqual(await once(jest, 'close'), [1, null]);
  const pid = Number(readFileSync(join(root, 'pid'), 'utf8'));
  while (lives(pid)) await pause(20);
});

test('a run lock of a process that is gone, or that is somebody else, is taken over', async () => {
  writeFileSync(join(folder, 'run.json'), JSON.stringify({ pid: process.ppid, groups: [] }));
  const lock = await takeRunLock(folder);
  lock.note({ base_url: 'http://localhost:1' });
  assert.equal(JSON.parse(readFileSync(join(folder, 'run.json'), 'utf8')).pid, process.pid);
  lock.release();
  assert.ok(AlreadyRunning.prototype instanceof Error);
});

test('a torn run lock is taken over', async () => {
  writeFileSync(join(folder, 'run.json'), '{"pid":');
  (await takeRunLock(folder)).release();
});

test('the next port is taken when the wanted one answers', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  const chosen = await choosePort(port, '127.0.0.1');
  assert.equal(chosen.taken, true);
  assert.notEqual(chosen.port, port);
  server.close();
});

test('data is in the data folder where the account reaches it', { skip: process.getuid() === 0 ? 'an ordinary user only' : false }, () => {
  assert.equal(placeData(folder, serverAccount()), join(folder, 'postgres'));
});

test('a lockfile without packages of other platforms is reported and completed', () => {
  const lock = {
    packages: {
      '': {},
      'node_modules/a': {
        version: '1.0.0',
        dev: true,
        optionalDependencies: { '@a/linux-x64': '1.0.0', '@a/darwin-arm64': '1.0.0', loose: '^1.0.0' },
      },
      'node_modules/a/node_modules/@a/linux-x64': { version: '1.0.0' },
    },
  };
  assert.deepEqual(
    missingOptionals(lock).map(({ name }) => name),
    ['@a/darwin-arm64', 'loose'],
  );
  const result = completed(lock);
  assert.deepEqual(result.packages['node_modules/@a/darwin-arm64'], {
    version: '1.0.0',
    cpu: ['arm64'],
    dev: true,
    optional: true,
    os: ['darwin'],
  });
  assert.deepEqual(
    missingOptionals(result).map(({ name }) => name),
    ['loose'],
  );
});

test('a fingerprint changes with content and with names, and with nothing else', () => {
  const source = mkdtempSync(join(folder, 'source '));
  writeFileSync(join(source, 'a.ts'), 'one');
  const first = fingerprint(source, ['.']);
  assert.equal(fingerprint(source, ['.']), first);
  writeFileSync(join(source, 'b.ts'), '');
  assert.notEqual(fingerprint(source, ['.']), first);
  assert.equal(
    fingerprint(source, ['.'], (file) => !file.endsWith('b.ts')),
    first,
  );
});

test('a build leaves no output of deleted sources, and touches nothing where a source cannot be read', async () => {
  const root = mkdtempSync(join(folder, 'root '));
  const write = (file, text) => (mkdirSync(dirname(join(root, file)), { recursive: true }), writeFileSync(join(root, file), text));
  const built = (file) => join(root, 'dist', file);
  write('libs/shop/src/index.ts', "export const late = (): Promise<object> => import('./late.js'); // said to developers");
  write('libs/shop/src/late.ts', 'export interface Late {}');
  write('apps/api/src/main.ts', "import { late } from '@atrium/shop';\nexport const kept: typeof late = late;");
  write('apps/api/src/main.spec.ts', '');
  await compile(root);
  assert.match(
    readFileSync(built('apps/api/src/main.js'), 'utf8'),
    /require\("\.\.\/\.\.\/\.\.\/libs\/shop\/src\/index\.js"\)[^]*\/\/# sourceMappingURL=main\.js\.map\n$/,
  );
  assert.deepEqual(JSON.parse(readFileSync(built('apps/api/src/main.js.map'), 'utf8')).sources, ['../../../../apps/api/src/main.ts']);
  assert.match(readFileSync(built('libs/shop/src/index.js'), 'utf8'), /import\('\.\/late\.js'\);\s*\/\/#/);
  assert.equal(existsSync(built('apps/api/src/main.spec.js')), false);

  rmSync(join(root, 'libs/shop/src/late.ts'));
  write('apps/api/src/main.ts', 'export const = ;');
  write('apps/api/src/other.ts', 'export class {');
  await assert.rejects(compile(root), /main\.ts[^]*other\.ts/);
  assert.ok(existsSync(built('libs/shop/src/late.js')));
  rmSync(join(root, 'apps/api/src/other.ts'));
  write('apps/api/src/main.ts', '');
  await compile(root);
  assert.deepEqual([existsSync(built('libs/shop/src/late.js')), existsSync(built('libs/shop/src/late.js.map'))], [false, false]);
});

test('the doc comment of a handler is said of its operation, and no line moves', () => {
  const source =
    "import { Get } from '@nestjs/common';\nexport class Albums {\n  /**\n   * Lists albums.\n   *\n   * Newest \"first\".\n   */\n  @Get()\n  list() {}\n\n  @Get('x')\n  silent() {}\n\n  /** No handler. */\n  help() {}\n}\n";
  const text = withHandlerComments('albums.controller.ts', source);
  assert.equal(text.split('\n').length, source.split('\n').length);
  assert.equal(text.split('\n')[7], '  @Described({ summary: "Lists albums.\\n\\nNewest \\"first\\"." }) @Get()');
  assert.equal(text.split('@Described').length, 2);
  assert.equal(withHandlerComments('albums.service.ts', source), source);
});

test('arguments of npm test select steps or test files', () => {
  assert.ok(selection([]).wants('lint'));
  assert.deepEqual(
    [selection(['files']).wants('lint'), selection(['files']).wants('unit'), selection(['files']).patterns],
    [false, true, ['files']],
  );
  assert.deepEqual([selection(['e2e', 'files']).wants('unit'), selection(['e2e', 'files']).wants('e2e')], [false, true]);
  const deep = selection(['deep', 'test/ai']);
  assert.deepEqual([deep.isDeep, deep.whole, deep.patterns, selection(['deep']).whole], [true, false, ['test/ai'], true]);
  assert.deepEqual([selection(['reach']).reach, selection(['reach', 'v1.2']).reach], [{ since: null }, { since: 'v1.2' }]);
});

test('durations of files that passed take the place of earlier ones; short files have none', () => {
  const suite = (name, seconds, status = 'passed') => ({ project: 'e2e', name: `/a/test/${name}`, status, seconds });
  const known = { unit: { 'libs/a.spec.ts': 4 }, e2e: { 'test/b': 9, 'test/c': 9, 'test/d': 9 } };
  const suites = [suite('b', 1), suite('c', 12.4), suite('d', 90, 'failed'), suite('a', 3)];
  assert.deepEqual(durationsWith(known, suites, '/a'), { e2e: { 'test/a': 3, 'test/c': 12, 'test/d': 9 }, unit: { 'libs/a.spec.ts': 4 } });
});

test('the files that took most of the processor are named, whatever they waited', () => {
  const suite = (name, seconds, processorSeconds) => ({ project: 'e2e', name: `/a/test/${name}`, seconds, processorSeconds });
  assert.deepEqual(costliest([suite('b', 90, 1), suite('a', 20, 12.34), suite('c', 3, 2)], 2, '/a'), [
    '  12.3 s of   20.0 s   e2e: test/a',
    '   2.0 s of    3.0 s   e2e: test/c',
  ]);
});

test('a pattern that no test file matches is a failure, whatever others match', () => {
  const tally = newTally();
  tally.addJest({ code: 0, suites: [{ project: 'e2e', name: '/a/test/files/zip.e2e-spec.ts', status: 'passed', assertionResults: [] }] });
  tally.expect(['test/files', 'test/fles', 'ZIP']);
  assert.deepEqual(tally.failures, ['no test file matches test/fles']);
});

test('a Node that is too old is refused in a sentence', () => {
  assert.deepEqual(['v20.19.0', 'v22.0.1', 'v24.1.0'].map(refusalOf), [null, null, null]);
  assert.equal(refusalOf('v20.18.3'), 'Atrium needs Node 20.19 or later; this is v20.18.3.');
  assert.match(refusalOf('v18.20.0'), /20\.19/);
});

test('a data folder that cannot be used is refused in a sentence, by every command that has one', async () => {
  const file = join(folder, 'a file');
  writeFileSync(file, '');
  assert.equal(refusalOfFolder(join(folder, 'data')), null);
  for (const command of ['start.mjs', 'cli.mjs']) {
    const child = spawn(process.execPath, [join(projectRoot, 'tools', command)], {
      env: { ...process.env, DATA_DIR: join(file, 'data') },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let text = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (text += chunk));
    const [code] = await once(child, 'close');
    assert.deepEqual(
      [code, text],
      [
        1,
        `The data folder ${join(file, 'data')} cannot be used: a part of the path is a file. Set DATA_DIR to a folder that this user can write to.\n`,
      ],
    );
  }
});

test('a file that failed beside others and passes alone counts as passed and is named; one that fails twice stays failed', () => {
  const suite = (name, ...statuses) => ({
    project: 'e2e',
    name,
    status: statuses.every((status) => status === 'passed') && statuses.length > 0 ? 'passed' : 'failed',
    assertionResults: statuses.map((status, at) => ({ status, fullName: `${name} ${at}` })),
  });
  const first = [suite('steady', 'passed'), suite('crowded', 'passed', 'failed'), suite('broken', 'failed'), suite('unloaded')];
  assert.deepEqual(
    failedFiles(first).map(({ name }) => name),
    ['crowded', 'broken', 'unloaded'],
  );
  const again = [suite('crowded', 'passed', 'passed'), suite('broken', 'failed'), suite('unloaded', 'passed')];
  assert.deepEqual(mended(first, again), ['e2e: crowded 1', 'e2e: unloaded']);
  const tally = newTally();
  tally.addJest({ code: 1, suites: afterwards(first, again) });
  assert.deepEqual({ passed: tally.passed, failures: tally.failures }, { passed: 4, failures: ['e2e: broken 0'] });

  const beside = { ...suite('crowded', 'passed'), project: 's3' };
  assert.deepEqual(afterwards([...first, beside], again).at(-1), beside);

  const strict = newTally({ isStrict: true });
  strict.unsteady('e2e: crowded 1');
  assert.deepEqual([strict.conclude(), strict.failures], [false, ['e2e: crowded 1 (passed at the second attempt only)']]);

  const torn = newTally();
  torn.addJest({ code: 1, suites: [suite('steady', 'passed')] });
  assert.deepEqual(torn.failures, ['jest ended with code 1']);
});
