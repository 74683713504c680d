import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const PROJECT = join(__dirname, '../..');
const SOURCES = [
  'apps',
  'libs',
  'migrations',
  'test/support',
  'tools',
  'docs/openapi.json',
  'package.json',
  'tsconfig.json',
  'jest.config.cjs',
  'eslint.config.mjs',
  '.dependency-cruiser.cjs',
  '.prettierrc.json',
];
/** What the compiler found out in this checkout, where it was asked before: in the copy it then reads what is new and what knows of it. */
const KNOWN_TYPES = 'dist/.tsbuildinfo-tests';
/** The packages seem to be in the copy: files are known by their paths. */
const IN_THE_COPY = ['--preserve-symlinks', '--preserve-symlinks-main'];
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'atrium-generate-'));
  for (const source of SOURCES) await cp(join(PROJECT, source), join(folder, source), { recursive: true });
  if (existsSync(join(PROJECT, KNOWN_TYPES))) await cp(join(PROJECT, KNOWN_TYPES), join(folder, KNOWN_TYPES));
  await symlink(join(PROJECT, 'node_modules'), join(folder, 'node_modules'), 'dir');
}, 60_000);
afterAll(() => rm(folder, { recursive: true, force: true }));

interface Outcome {
  readonly code: number;
  readonly text: string;
}

/** Runs a script of the copy; answers how it ended and what it said. */
async function node(...args: readonly string[]): Promise<Outcome> {
  // The reference does not describe what was just written: what it lacks is collected.
  const env = { ...process.env, DESCRIBED_ANSWERS: join(folder, 'described-answers.txt') };
  const run = promisify(execFile)(process.execPath, args, { cwd: folder, env, maxBuffer: 32 * 1024 * 1024 });
  return run.then(
    ({ stdout, stderr }) => ({ code: 0, text: stdout + stderr }),
    (error: { code: number; stdout: string; stderr: string }) => ({ code: error.code, text: error.stdout + error.stderr }),
  );
}

const read = (path: string): Promise<string> => readFile(join(folder, path), 'utf8');

const generate = (...args: readonly string[]): Promise<Outcome> => node('tools/generate/generate.mjs', 'area', ...args);

describe('npm run gen area', () => {
  it('writes an area into a context that is there, and one into a new context', async () => {
    const present = await generate('media', 'shelf', '--prefix', 'sh', '--plural', 'shelves');
    expect(present).toMatchObject({ code: 0, text: expect.stringContaining('changed: libs/media/src/media.module.ts') });
    const fresh = await generate('automation', 'task-category', '--permissions', 'task');
    expect(fresh).toMatchObject({ code: 0, text: expect.stringContaining('changed: apps/api/src/api.module.ts') });
    const twice = await generate('media', 'shelf', '--prefix', 'sh', '--plural', 'shelves');
    expect(twice).toMatchObject({ code: 1, text: expect.stringContaining('Already there') });
  });

  it('puts the area into the module of its context and the table of areas', async () => {
    const media = await read('libs/media/src/media.module.ts');
    expect(media).toMatch(/const AREAS = \[[^\]]*\bShelvesModule\b/);
    expect(media).toMatch(/imports: \[[^\]]*\bShelvesHttpModule,?\s*\],?\s*\}\)\s*export class MediaHttpModule/);
    const law = await read('.dependency-cruiser.cjs');
    expect(law).toMatch(/ {2}media: \{[^}]*\n {4}shelves: \[\],\n {2}\}/);
    expect(law).toContain("  automation: { 'task-categories': [] },");
  });

  it('writes everything as Prettier would', async () => {
    const written = ['libs/media/src', 'libs/automation', 'test/media', 'test/automation', 'apps/api/src', '.dependency-cruiser.cjs'];
    expect(
      await node(
        ...IN_THE_COPY,
        'node_modules/prettier/bin/prettier.cjs',
        '--list-different',
        ...written.map((path) => (path.endsWith('.cjs') ? path : `${path}/**/*.ts`)),
      ),
    ).toEqual({ code: 0, text: '' });
  });

  it('writes what passes the compiler and the linter', async () => {
    const written = ['libs/automation', 'test/automation', 'libs/media/src/shelves', 'libs/media/src/media.module.ts', 'test/media'];
    expect(await node(...IN_THE_COPY, 'tools/testing/types-and-lint.mjs', 'types', 'lint', ...written)).toEqual({ code: 0, text: '' });
  }, 120_000);

  it('writes what keeps the edges', async () => {
    expect(
      await node(
        'node_modules/dependency-cruiser/bin/dependency-cruise.mjs',
        'libs/automation',
        'libs/media',
        'apps',
        '--config',
        '.dependency-cruiser.cjs',
        // What the written areas import is looked at; what that imports is looked at in the checkout.
        '--do-not-follow',
        'node_modules|^libs/(?!automation/|media/)',
      ),
    ).toMatchObject({ code: 0 });
  }, 90_000);

  it('writes tests that pass', async () => {
    const { code, text } = await node(
      'node_modules/jest/bin/jest.js',
      '--selectProjects',
      'e2e',
      '--testPathPatterns',
      'test/(media|automation)/',
      '--runInBand',
    );
    expect({ code, text }).toMatchObject({ code: 0, text: expect.stringContaining('2 passed') });
  }, 120_000);
});
