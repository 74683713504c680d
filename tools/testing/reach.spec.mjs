// node --test: what a change reaches, by a small house.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { houseHere } from './changes.mjs';
import { reachOf } from './reach.mjs';

const house = {
  edges: { identity: [], governance: ['identity'], files: ['identity', 'governance'], media: ['files'], ai: ['media'] },
  folders: [
    'ai',
    'architecture',
    'docker',
    'faults',
    'files',
    'governance',
    'http',
    'identity',
    'media',
    'openapi',
    'search',
    'start',
    'tour',
  ],
  uses: (folder) => ({ tour: ['ai'] })[folder] ?? [],
  borrowers: (path) => ({ 'test/media/media-library.ts': ['media', 'governance'], 'test/support/usage.ts': ['governance'] })[path] ?? [],
  owners: (migration) => ({ 'migrations/0029-people.sql': ['media'] })[migration] ?? [],
};
const ALWAYS = ['architecture', 'openapi'];
const foldersOf = (...changed) => reachOf(changed, house).folders.filter((folder) => !ALWAYS.includes(folder));

test('architecture and openapi are run whatever has changed', () => {
  assert.deepEqual(reachOf([], house).folders, ALWAYS);
});

test('a context reaches itself and all that may know it, by way of others too', () => {
  assert.deepEqual(foldersOf('libs/media/src/albums/http/albums.controller.ts'), ['ai', 'governance', 'http', 'media', 'search', 'tour']);
  assert.deepEqual(foldersOf('libs/ai/src/index.ts'), ['ai', 'governance', 'http', 'search', 'tour']);
});

test('a migration reaches what uses its tables; one that nobody seems to use, the platform and an application reach everything', () => {
  assert.deepEqual(foldersOf('migrations/0029-people.sql'), ['ai', 'governance', 'http', 'media', 'search', 'tour']);
  for (const path of ['migrations/0001-platform.sql', 'libs/platform/http/src/door.ts', 'apps/api/src/main.ts', 'package-lock.json'])
    assert.deepEqual(reachOf([path], house), { ...reachOf([path], house), folders: house.folders, leftOut: [] });
});

test('a test reaches its folder, and helpers also the folders that borrow them', () => {
  assert.deepEqual(foldersOf('test/media/tags.e2e-spec.ts'), ['media']);
  assert.deepEqual(foldersOf('test/media/media-library.ts'), ['governance', 'media']);
  assert.deepEqual(foldersOf('test/support/usage.ts'), ['governance']);
  assert.deepEqual(reachOf(['test/support/some-process.mjs'], house).leftOut, []);
});

test('texts, benches and specs reach nothing over HTTP; commands reach the folders that run them', () => {
  const quiet = [
    'docs/adr/0001.md',
    'README.md',
    'libs/files/README.md',
    'libs/files/src/a.spec.ts',
    'tools/bench/run.mjs',
    '.prettierignore',
  ];
  assert.deepEqual(foldersOf(...quiet), []);
  assert.deepEqual(foldersOf('tools/tour/steps.mjs'), ['tour']);
  assert.deepEqual(foldersOf('docker/Dockerfile'), ['docker']);
});

test('checks are those that read what has changed', () => {
  assert.deepEqual(reachOf(['tools/bench/run.mjs'], house).checks, ['types', 'lint', 'scripts']);
  assert.deepEqual(reachOf(['libs/media/src/index.ts'], house).checks, ['types', 'lint', 'edges', 'docs']);
  assert.deepEqual(reachOf(['package.json'], house).checks, ['types', 'lint', 'lockfile']);
});

test('what is left out is named', () => {
  assert.deepEqual(reachOf(['libs/ai/src/index.ts'], house).leftOut, [...['docker', 'faults', 'files', 'identity', 'media', 'start']]);
});

test('the edges are those that dependency-cruiser holds up, and tests reach helpers by their imports', () => {
  const { edges, folders, owners, borrowers } = houseHere();
  assert.deepEqual(edges.governance, ['identity']);
  assert.ok(edges.media.includes('files') && folders.includes('media'));
  assert.deepEqual(owners('migrations/0029-people.sql'), ['media']);
  assert.ok(
    borrowers('test/support/shared-atrium.ts').includes('media') && borrowers('test/support/operations.ts').includes('architecture'),
  );
});

test('a folder is reached by each context that its files import or ask', () => {
  const here = houseHere();
  for (const folder of here.folders)
    for (const context of here.uses(folder))
      assert.ok(reachOf([`libs/${context}/src/index.ts`], here).folders.includes(folder), `${context} does not reach test/${folder}`);
  assert.ok(here.uses('governance').includes('files'));
  for (const folder of ['http', 'messaging', 'governance', 'search'])
    assert.ok(reachOf(['libs/knowledge/src/index.ts'], here).folders.includes(folder), `knowledge does not reach test/${folder}`);
  assert.ok(reachOf(['libs/retrieval/src/index.ts'], here).folders.includes('faults'));
});
