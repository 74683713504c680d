// All hosts as one script, of what compile.mjs wrote and of the packages it names: dist/hosts.js.
import { transform } from '@swc/core';
import { build } from 'esbuild';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundledModules } from './bundled-modules.cjs';

/** Packages that every host loads, though they are asked for when needed. */
const ALWAYS_NEEDED = ['@nestjs/bullmq', '@nestjs/platform-express', 'bullmq', 'class-transformer', 'class-validator', 'ioredis'];
const FROM_PACKAGES = /^[^./]/;
const IMPORT = /(?<![\w$.])import\(\s*(['"])([^'"]+)\1\s*\)/g;
/** With what escapes it already. */
// eslint-disable-next-line regexp/no-super-linear-move -- ≤ 100 characters: what a line of code has of backslashes in a row
const NO_ASCII = /(\\*)([^\0-\x7f])/g;

const TO_COMMONJS = {
  swcrc: false,
  configFile: false,
  jsc: { parser: { syntax: 'ecmascript' }, target: 'es2023' },
  module: { type: 'commonjs', ignoreDynamic: true },
};

/**
 * Makes `<dist>/hosts.js` and, beside it, at which of its lines each module begins. esbuild determines what belongs to it; the
 * modules are included unchanged, each a function, because code that a bundler rewrites has other names and runs slower.
 */
export async function bundle(dist) {
  const file = join(dist, 'hosts.js');
  const inputs = await modulesOf(dist);
  demandLoadable(inputs, file);
  const names = Object.keys(inputs);
  const ids = new Map(names.map((name, id) => [name, id]));
  const modules = await Promise.all(names.map((name) => moduleText(dist, name, inputs[name], ids)));

  const head = `(function (exports, require, module, __filename, __dirname) {module.exports = (${bundledModules})(require, __dirname, [`;
  const text = `${head}\n${modules.join(',\n')}\n]);})`;
  const digest = createHash('sha256').update(text).digest('hex').slice(0, 16);
  for (const name of readdirSync(dist).filter((name) => name.endsWith('.cache'))) rmSync(join(dist, name));
  writeFileSync(file, `/*${digest}*/${text}`);
  writeFileSync(`${file}.lines`, beginnings(names, modules, head.split('\n').length + 1));
}

/** What esbuild finds from the hosts on: by the path of a module, what it imports and of which kind. */
async function modulesOf(dist) {
  const { metafile } = await build({
    absWorkingDir: dist,
    stdin: { contents: entry(dist), resolveDir: dist, sourcefile: 'hosts' },
    outfile: join(dist, 'hosts.js'),
    bundle: true,
    write: false,
    metafile: true,
    platform: 'node',
    target: 'node20',
    format: 'cjs',
    // As Node itself chooses between the forms of a package.
    conditions: ['module-sync', 'node-addons'],
    treeShaking: false,
    ignoreAnnotations: true,
    logLevel: 'error',
    // An older version of it has that entry; it is asked for when the other one is not there.
    external: ['class-transformer/storage'],
    plugins: [{ name: 'for-later', setup: leaveForLater }],
  });
  return metafile.inputs;
}

/** `{ api: () => <its module>, … }`: a folder of apps with a host. */
function entry(dist) {
  const hosts = readdirSync(join(dist, 'apps')).filter((name) => existsSync(join(dist, 'apps', name, 'src/host.js')));
  return `module.exports = { ${hosts.map((name) => `${name}: () => require("./apps/${name}/src/host.js")`).join(', ')} };`;
}

/** A package that is loaded when needed stays a file of its own, as does one whose location is only resolved. */
function leaveForLater({ onResolve }) {
  onResolve({ filter: FROM_PACKAGES }, ({ path, kind }) =>
    kind === 'require-resolve' || (kind === 'dynamic-import' && !ALWAYS_NEEDED.includes(path)) ? { path, external: true } : undefined,
  );
}

/** What is loaded when needed must be there; in the bundle as well as outside it would be two, each with a memory of its own. */
function demandLoadable(inputs, file) {
  // eslint-disable-next-line regexp/no-super-linear-move -- ≤ 4,096 characters: a path
  const inside = new Set(Object.keys(inputs).map((path) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1]));
  const later = Object.entries(inputs).flatMap(([from, { imports }]) =>
    imports.filter(({ kind, external }) => external && kind === 'dynamic-import').map(({ path }) => ({ from, path })),
  );
  const both = new Set(later.map(({ path }) => path).filter((path) => inside.has(path)));
  if (both.size > 0) throw new Error(`Already part of the bundle, list as always needed: ${[...both].join(', ')}`);
  // What packages ask for may be missing; what we ask for may not.
  for (const { path } of later.filter(({ from }) => !from.startsWith('..'))) createRequire(file).resolve(loadable(path, file));
}

/** The bundle loads packages with `require`; one whose exports are for `import` alone is named by its file. */
function loadable(name, file) {
  try {
    createRequire(file).resolve(name);
    return name;
  } catch (error) {
    if (error.code !== 'ERR_PACKAGE_PATH_NOT_EXPORTED') return name;
    return `./${relative(dirname(file), fileURLToPath(import.meta.resolve(name)))}`.replace('./..', '..');
  }
}

/** `[path, { name it asks for: id }, function, whether it is an ES module]` */
async function moduleText(dist, name, { imports, format }, ids) {
  const targets = Object.fromEntries(
    imports.filter(({ external, original }) => !external && original !== undefined).map(({ original, path }) => [original, ids.get(path)]),
  );
  const isEsModule = format === 'esm';
  const source = name === 'hosts' ? entry(dist) : readFileSync(join(dist, name), 'utf8');
  const later = imports.filter(({ kind }) => kind === 'dynamic-import').map(({ path, original = path }) => original);
  const text = await commonJs(join(dist, name), withImports(source, later, join(dist, 'hosts.js')), isEsModule);
  return `[${JSON.stringify(name)}, ${JSON.stringify(targets)}, function (exports, require, module, __filename, __dirname, $import) {${text.replace(NO_ASCII, escaped)}\n}, ${isEsModule}]`;
}

async function commonJs(filename, text, isEsModule) {
  if (filename.endsWith('.json')) return `module.exports = ${text}`;
  if (!isEsModule) return text.replace(/^#!/, '//');
  // What it requires by a function of its own making is to be that of the bundle, not a second one.
  const { code } = await transform(text.replace('const require = createRequire(import.meta.url);', ''), { ...TO_COMMONJS, filename });
  return code;
}

/** A script has no `import()` of its own; each that esbuild has found must be met here. */
function withImports(text, names, file) {
  const missed = new Set(names);
  const answered = text.replace(IMPORT, (call, _quote, name) => {
    if (!names.includes(name)) return call;
    missed.delete(name);
    return `$import(${JSON.stringify(loadable(name, file))})`;
  });
  if (missed.size > 0) throw new Error(`Only import('name') with a literal name is supported. Rewrite: ${[...missed].join(', ')}`);
  return answered;
}

/** V8 reads the bundle byte by byte. */
const escaped = (_found, slashes, unit) => `${slashes.slice(slashes.length % 2)}\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** `<line> <path>` of each module, the first of them at `line`; lines count from 1. */
function beginnings(names, modules, line) {
  const said = [];
  for (const [id, name] of names.entries()) {
    said.push(`${line} ${name}`);
    line += modules[id].split('\n').length;
  }
  return said.join('\n');
}
