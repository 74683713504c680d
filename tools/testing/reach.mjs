// What a change can reach: the steps and the folders of end-to-end tests that `npm test -- reach` runs.

/** Folders that look at the product as a whole and are quick enough to run at every change. */
const ALWAYS = ['architecture', 'openapi'];
const EVERY_CONTEXT = ['identity', 'governance', 'files', 'media', 'distribution', 'documents', 'knowledge', 'objects', 'ai', 'social'];
/**
 * Folders of tests that ask contexts besides the one whose name they have, over HTTP: a change of one of these reaches them, as does
 * one of a context whose helpers or library their files import.
 */
const OF_SEVERAL_CONTEXTS = {
  http: EVERY_CONTEXT,
  messaging: EVERY_CONTEXT,
  governance: EVERY_CONTEXT,
  search: ['identity', 'files', 'media', 'documents', 'knowledge', 'objects', 'ai'],
  faults: ['files', 'retrieval'],
};
/** What has checks of its own, and no test over HTTP. */
const BESIDE = [
  /^(?:docs|\.github|\.ci|tools\/(?:bench|fuzz|testing|docs|console))\//,
  /^tools\/(?:test|docs)\.mjs$/,
  /^(?:[^/]+\.md|LICENSE|knip\.jsonc|eslint\.config\.mjs|\.[^/]+)$/,
  /^migrations\/(?:schema\.sql|landed\.sha256)$/,
  /^test\/durations\.json$|\/README\.md$|\.spec\.ts$/,
];
/** Checks that read sources, by what they read; types and rules are looked at in any case. */
const CHECKS = {
  edges: /\.ts$|^\.dependency-cruiser\.cjs$/,
  docs: /^(?:apps|libs|migrations|docs)\//,
  scripts: /^tools\//,
  lockfile: /^package/,
};
/** Commands and images, and the folders that run them. */
const COMMANDS = [
  [/^tools\/tour\//, ['tour']],
  [/^tools\/generate\//, ['generate']],
  [/^tools\//, ['start', 'generate', 'tour', 'backup']],
  [/^docker\//, ['docker', 'backup']],
];

/**
 * `changed` are paths below the root; `edges` says of each context which others it may import; `folders` are those of `test`;
 * `uses` of a folder are the contexts that its files import;
 * `borrowers` of a file of `test` are the folders whose tests come to it by their imports; `owners` of a migration are the contexts whose tables it names.
 * Answers the checks and folders to run, and the folders left out. What no rule knows reaches everything.
 */
export function reachOf(changed, { edges, folders, uses = () => [], borrowers = () => [], owners = () => [] }) {
  const contexts = Object.keys(edges);
  const reached = new Set(ALWAYS);
  const everything = () => folders.forEach((folder) => reached.add(folder));
  const reach = (touched) => {
    const known = reachedContexts(touched, edges);
    for (const folder of folders)
      if ([folder, ...(OF_SEVERAL_CONTEXTS[folder] ?? []), ...uses(folder)].some((name) => known.has(name))) reached.add(folder);
  };
  for (const path of changed) {
    const [top, folder] = path.split('/');
    const command = COMMANDS.find(([pattern]) => pattern.test(path));
    if (BESIDE.some((pattern) => pattern.test(path))) continue;
    const reachedByImports = top === 'test' ? [...folders.filter((one) => one === folder), ...borrowers(path)] : [];
    if (reachedByImports.length > 0) reachedByImports.forEach((other) => reached.add(other));
    else if (top === 'libs' && contexts.includes(folder)) reach([folder]);
    else if (top === 'migrations' && owners(path).length > 0) reach(owners(path));
    else if (command) command[1].forEach((other) => reached.add(other));
    else everything();
  }
  return {
    checks: ['types', 'lint', ...Object.keys(CHECKS).filter((check) => changed.some((path) => CHECKS[check].test(path)))],
    folders: folders.filter((folder) => reached.has(folder)),
    leftOut: folders.filter((folder) => !reached.has(folder)),
  };
}

/** The contexts themselves and all that may know them, also by way of others. */
function reachedContexts(touched, edges) {
  const known = new Set(touched);
  for (let before = 0; before < known.size;) {
    before = known.size;
    for (const [context, others] of Object.entries(edges)) if (others.some((other) => known.has(other))) known.add(context);
  }
  return known;
}
