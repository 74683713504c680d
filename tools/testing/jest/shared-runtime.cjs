/**
 * jest's runtime, with the modules of Node itself. jest gives each test file a realm and a registry of its own and so
 * evaluates all modules and their packages again for every file, a third of a run; nothing here is mocked, and what a
 * test changes is in the application it starts. A worker therefore loads each module once, as a host does; only the
 * test file itself and what jest keeps per file are loaded afresh.
 */
const asyncHooks = require('node:async_hooks');
const { readFileSync, existsSync } = require('node:fs');
const Module = require('node:module');
const { dirname, join, resolve, sep } = require('node:path');
const Runtime = require('jest-runtime').default;

const ROOT = resolve(__dirname, '../../..');
const PER_FILE = /[\\/]node_modules[\\/](jest-circus|expect|@jest[\\/]expect|@jest[\\/]expect-utils|jest-matcher-utils|jest-snapshot)[\\/]/;
/** What keeps something for the file at hand: its own modules, and the room of testing, which knows the file's database. */
const AFRESH = ['test', 'libs/platform/testing'].map((folder) => join(ROOT, folder) + sep);

/**
 * The storages that jest-circus makes, one for each file, and never disables: every promise of the process would carry the
 * tests of all files before.
 */
const storages = new Set();
const hooksOfCircus = {
  ...asyncHooks,
  AsyncLocalStorage: class extends asyncHooks.AsyncLocalStorage {
    constructor() {
      super();
      storages.add(this);
    }
  },
};

/** What translates sources: the one of the test file at hand; their cache is on the disk. */
let translator;
const sourceMaps = new Map();

module.exports = class SharedRuntime extends Runtime {
  constructor(config, environment, resolver, transformer, ...rest) {
    super(config, environment, resolver, transformer, ...rest);
    translator = transformer;
    for (const storage of storages) storage.disable();
    storages.clear();
    for (const file of Object.keys(require.cache))
      if (PER_FILE.test(file) || AFRESH.some((folder) => file.startsWith(folder))) delete require.cache[file];
  }

  requireModule(from, name) {
    globalThis.jest = this.jestGlobals.jestObjectFor(from);
    return name === undefined ? require(from) : Module.createRequire(from)(name);
  }

  requireInternalModule(from, name) {
    return name === undefined ? require(from) : Module.createRequire(from)(name);
  }

  getSourceMaps() {
    return sourceMaps;
  }
};
module.exports.default = module.exports;
module.exports.__esModule = true;

/** Packages that name their files to `import` alone; what is imported later is required here. */
const FOR_IMPORT_ALONE = { 'eld/extrasmall': 'node_modules/eld/src/entries/static.extrasmall.js' };

/** `@atrium/…` to the rooms; a file of ours that is imported later is named as it is built. */
function sourceOf(request, parent) {
  if (request in FOR_IMPORT_ALONE) return join(ROOT, FOR_IMPORT_ALONE[request]);
  const room = /^@atrium\/(platform\/)?([^/]+)$/.exec(request);
  if (room) return join(ROOT, 'libs', room[1] ?? '', room[2], 'src/index.ts');
  if (!request.startsWith('.') || !request.endsWith('.js') || !parent?.filename?.endsWith('.ts')) return undefined;
  const source = join(dirname(parent.filename), `${request.slice(0, -3)}.ts`);
  return existsSync(source) ? source : undefined;
}

const load = Module._load;
Module._load = (request, parent, ...rest) =>
  request === 'node:async_hooks' && PER_FILE.test(parent?.filename) ? hooksOfCircus : load(request, parent, ...rest);

const resolveFilename = Module._resolveFilename;
Module._resolveFilename = (request, parent, ...rest) => sourceOf(request, parent) ?? resolveFilename(request, parent, ...rest);

Module._extensions['.ts'] = (module, filename) => {
  const { code, sourceMapPath } = translator.transform(
    filename,
    {
      isInternalModule: false,
      supportsDynamicImport: false,
      supportsExportNamespaceFrom: false,
      supportsStaticESM: false,
      supportsTopLevelAwait: false,
    },
    readFileSync(filename, 'utf8'),
  );
  if (sourceMapPath) sourceMaps.set(filename, sourceMapPath);
  module._compile(code, filename);
};
