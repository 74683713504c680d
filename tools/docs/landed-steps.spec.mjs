import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { LANDED, landedSteps } from './landed-steps.mjs';

let root;
const git = (...args) =>
  execFileSync('git', ['-C', root, '-c', 'user.name=test', '-c', 'user.email=test@example.com', '-c', 'commit.gpgsign=false', ...args], {
    stdio: 'pipe',
  });
const step = (name, text) => writeFileSync(join(root, 'migrations', name), text);
const list = () => writeFileSync(join(root, LANDED), landedSteps(root));
const without = (name) =>
  readFileSync(join(root, LANDED), 'utf8')
    .split('\n')
    .filter((line) => !line.endsWith(name))
    .join('\n');
const commit = () => {
  git('add', '-A');
  git('commit', '-qm', 'steps');
};

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'atrium-landed-'));
  mkdirSync(join(root, 'migrations'));
  step('0001-a.sql', 'SELECT 1;');
  list();
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

test('a new step is added at the end, and the list is the same when it is made again', () => {
  step('0002-b.sql', 'SELECT 2;');
  list();
  const text = readFileSync(join(root, LANDED), 'utf8');
  assert.match(text, /^# Steps that databases may have seen[^\n]*\n[0-9a-f]{64} {2}0001-a\.sql\n[0-9a-f]{64} {2}0002-b\.sql\n$/);
  assert.equal(landedSteps(root), text);
});

test('a step that was changed is refused', () => {
  step('0001-a.sql', 'SELECT 3;');
  assert.throws(() => landedSteps(root), /Databases have seen 0001-a\.sql/);
});

test('a step whose line was changed with it is refused as soon as the line was committed, and taken where it says that it never landed', () => {
  git('init', '-q');
  commit();
  const [, line] = readFileSync(join(root, LANDED), 'utf8').split('\n');
  step('0001-a.sql', 'SELECT 3;');
  writeFileSync(join(root, LANDED), without('0001-a.sql'));
  assert.throws(() => landedSteps(root), /Databases have seen 0001-a\.sql/);
  writeFileSync(join(root, LANDED), `${without('0001-a.sql')}# never landed: ${line}\n`);
  list();
  assert.equal(landedSteps(root), readFileSync(join(root, LANDED), 'utf8'));
});

test('without a history the list alone counts, also in a folder of another project', () => {
  step('0001-a.sql', 'SELECT 3;');
  writeFileSync(join(root, LANDED), without('0001-a.sql'));
  list();
  const folder = join(root, 'copy');
  mkdirSync(join(folder, 'migrations'), { recursive: true });
  git('init', '-q');
  commit();
  writeFileSync(join(folder, 'migrations/0001-a.sql'), 'SELECT 4;');
  assert.match(landedSteps(folder), /0001-a\.sql/);
});

test('a shallow clone is compared as far as it goes', () => {
  git('init', '-q');
  commit();
  step('0002-b.sql', 'SELECT 2;');
  list();
  commit();
  const clone = mkdtempSync(join(tmpdir(), 'atrium-shallow-'));
  try {
    execFileSync('git', ['clone', '-q', '--depth', '1', `file://${root}`, clone], { stdio: 'pipe' });
    assert.equal(landedSteps(clone), readFileSync(join(root, LANDED), 'utf8'));
  } finally {
    rmSync(clone, { recursive: true, force: true });
  }
});
