// What has changed since a revision, and what the checkout says about it.
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { run } from '../processes/lifeline.mjs';
import { projectRoot } from '../project.mjs';

const load = createRequire(import.meta.url);
const textOf = (path) => readFileSync(join(projectRoot, path), 'utf8');
const foldersOf = (path) =>
  readdirSync(join(projectRoot, path), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);
const filesBelow = (path, ending) =>
  readdirSync(join(projectRoot, path), { recursive: true })
    .filter((name) => name.endsWith(ending))
    .map((name) => join(path, name));

const git = async (...args) => {
  const said = await run('git', args, { cwd: projectRoot, allowFailure: true });
  return said.code === 0 ? said.output.split('\n').filter((line) => line !== '') : null;
};

/** The paths that differ from where the branch left the revision, also those that git does not know yet: `{ revision, changed }`. */
export async function changesSince(asked) {
  const revisions = asked === null ? ['origin/main', 'main'] : [asked];
  for (const revision of revisions) {
    const [base] = (await git('merge-base', revision, 'HEAD')) ?? [];
    if (base === undefined) continue;
    const [tracked, untracked] = [await git('diff', '--name-only', base), await git('ls-files', '--others', '--exclude-standard')];
    return { revision, changed: [...new Set([...tracked, ...untracked])].sort() };
  }
  throw new Error(`git knows no revision ${revisions.join(' or ')} that this branch has left.`);
}

/** What `reachOf` wants to know of this checkout. */
export function houseHere() {
  const { edges } = load(join(projectRoot, '.dependency-cruiser.cjs'));
  const existing = foldersOf('libs');
  const folders = foldersOf('test').filter((folder) => filesBelow(`test/${folder}`, '.e2e-spec.ts').length > 0);
  return {
    edges: Object.fromEntries(Object.entries(edges).filter(([context]) => existing.includes(context))),
    folders,
    uses: (folder) => usesOf(folder, existing),
    borrowers: borrowersOf(importersInTests()),
    owners: (migration) =>
      ownersOf(
        migration,
        Object.keys(edges).filter((context) => existing.includes(context)),
      ),
  };
}

/** The contexts whose library or whose folder of tests the files of a folder import. */
const usesOf = (folder, contexts) => {
  const texts = filesBelow(`test/${folder}`, '.ts').map(textOf).join('\n');
  const named = [...texts.matchAll(/from '(?:@atrium|\.\.)\/([a-z]+)/g)].map(([, name]) => name);
  return [...new Set(named)].filter((name) => contexts.includes(name));
};

/** The files of `test` that import each of them. */
function importersInTests() {
  const importers = new Map();
  for (const file of filesBelow('test', '.ts'))
    for (const [, name] of textOf(file).matchAll(/from '(\.{1,2}\/[^']+)'/g)) {
      const imported = `${join(dirname(file), name)}.ts`;
      importers.set(imported, [...(importers.get(imported) ?? []), file]);
    }
  return importers;
}

/** The folders of the tests that come to a file by their imports, also by way of others. */
const borrowersOf = (importers) => (path) => {
  const known = new Set([path]);
  for (const file of known) for (const importer of importers.get(file) ?? []) known.add(importer);
  return [...new Set([...known].filter((file) => file.endsWith('.e2e-spec.ts')).map((file) => file.split('/')[1]))];
};

const isNamedIn = (folder, pattern) => filesBelow(folder, '.ts').some((file) => pattern.test(textOf(file)));

/** The contexts whose statements name a table or a function of the migration. */
function ownersOf(migration, contexts) {
  const names = (kind) =>
    [...textOf(migration).matchAll(new RegExp(`\\b${kind}\\s+(?:IF (?:NOT )?EXISTS )?(?:ONLY )?([a-z_]+)`, 'g'))].map(([, name]) => name);
  const tables = [...new Set([...names('TABLE'), ...names('UPDATE'), ...names('INTO'), ...names('ON')])];
  const functions = [...new Set(names('FUNCTION'))];
  const patterns = [
    ...(tables.length > 0 ? [`(?:\\b(?:FROM|JOIN|INTO|UPDATE)\\s+|[tT]able(?:Name)?(?::\\s*|\\()')(?:${tables.join('|')})\\b`] : []),
    ...(functions.length > 0 ? [`\\b(?:${functions.join('|')})\\(`] : []),
  ];
  if (patterns.length === 0) return [];
  const pattern = new RegExp(patterns.join('|'));
  return contexts.filter((context) => isNamedIn(`libs/${context}/src`, pattern));
}
