// All hosts as one script, of what compile.mjs wrote and of the packages it names: dist/hosts.js.
import { decode } from '@jridgewell/sourcemap-codec';
import { build } from 'esbuild';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';

/** Packages that every host loads, though they are asked for when needed. */
const ALWAYS_NEEDED = ['@nestjs/platform-express', 'bullmq', 'class-transformer', 'class-validator', 'ioredis'];
const FROM_PACKAGES = /^[^./]/;
/** Stands where the bundle tells what it is. */
const NO_DIGEST = '0'.repeat(16);
const NO_ASCII = /[^\0-\x7f]/g;

/** Makes `<dist>/hosts.js` and, beside it, where each piece of it comes from. */
export async function bundle(dist) {
  const file = join(dist, 'hosts.js');
  const { outputFiles, metafile } = await build({
    absWorkingDir: dist,
    stdin: { contents: entry(dist), resolveDir: dist },
    outfile: file,
    bundle: true,
    write: false,
    platform: 'node',
    target: 'node20',
    format: 'cjs',
    keepNames: true,
    minifyWhitespace: true,
    legalComments: 'none',
    sourcemap: 'external',
    sourcesContent: false,
    logLevel: 'error',
    // An older version of it has that entry; it is asked for when the other one is not there.
    external: ['class-transformer/storage'],
    // A script that is not Node's own can not import without a warning, but require ES modules it can.
    supported: { 'dynamic-import': false },
    metafile: true,
    define: { 'import.meta.url': 'bundleUrl' },
    banner: { js: `/*${NO_DIGEST}*/(function (exports, require, module, __filename, __dirname) {const bundleUrl = require("node:url").pathToFileURL(__filename).href;` },
    footer: { js: '})' },
    plugins: [{ name: 'atrium', setup: (bundler) => (leaveForLater(bundler), adapt(bundler, dist)) }],
  });
  demandLoadable(metafile, file);
  const text = outputFiles.find(({ path }) => path === file).text;
  if (text.search(NO_ASCII) >= 0) throw new Error(`${file} is to be read byte by byte and has other characters than ASCII.`);
  const { sources, pieces } = originOf(JSON.parse(outputFiles.find(({ path }) => path.endsWith('.map')).text));
  for (const name of readdirSync(dist).filter((name) => name.endsWith('.cache'))) rmSync(join(dist, name));
  writeFileSync(file, text.replace(NO_DIGEST, createHash('sha256').update(text).digest('hex').slice(0, NO_DIGEST.length)));
  writeFileSync(`${file}.sources`, sources.join('\n'));
  writeFileSync(`${file}.lines`, Uint32Array.from(pieces));
}

/** `{ api: () => <its module>, … }`: a folder of apps with a host. */
function entry(dist) {
  const hosts = readdirSync(join(dist, 'apps')).filter((name) => existsSync(join(dist, 'apps', name, 'src/host.js')));
  return `module.exports = { ${hosts.map((name) => `${name}: () => require("./apps/${name}/src/host.js")`).join(', ')} };`;
}

/** A package that is loaded when needed stays a file of its own, as does one that is only asked where it lies. */
function leaveForLater({ onResolve }) {
  onResolve({ filter: FROM_PACKAGES }, ({ path, kind }) => (kind === 'require-resolve' || (kind === 'dynamic-import' && !ALWAYS_NEEDED.includes(path)) ? { path, external: true } : undefined));
}

/** What is loaded when needed must be there for `require`; in the bundle as well as outside it would be two, each with a memory of its own. */
function demandLoadable({ inputs }, file) {
  const inside = new Set(Object.keys(inputs).map((path) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1]));
  const later = Object.entries(inputs).flatMap(([from, { imports }]) => imports.filter(({ kind, external }) => external && kind === 'dynamic-import').map(({ path }) => ({ from, path })));
  const both = new Set(later.map(({ path }) => path).filter((path) => inside.has(path)));
  if (both.size > 0) throw new Error(`In the bundle already, hence to be named as always needed: ${[...both].join(', ')}`);
  // What packages ask for may be missing; what we ask for may not.
  for (const { path } of later.filter(({ from }) => !from.startsWith('..'))) createRequire(file).resolve(path);
}

/** Modules as the bundle can hold them. */
function adapt({ onLoad }, dist) {
  onLoad({ filter: /\.[cm]?js$/ }, ({ path }) => {
    const text = readFileSync(path, 'utf8');
    const folder = `require("node:path").join(__dirname, ${JSON.stringify(relative(dist, dirname(path)))})`;
    const contents = text
      // Files beside a module are found from the folder of the bundle.
      .replace(/\b__dirname\b/g, () => folder)
      // What an ES module requires by a function of its own making is to be that of the bundle, not a second one.
      .replace('const require = createRequire(import.meta.url);', '')
      // The bundler leaves the letters of regular expressions as they are.
      .replace(NO_ASCII, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
    return contents === text ? undefined : { contents };
  });
}

function originOf({ sources, mappings }) {
  const pieces = [];
  let [lastSource, lastLine] = [-1, -1];
  decode(mappings).forEach((segments, line) => {
    for (const [column, source, sourceLine] of segments) {
      if (source === undefined || (source === lastSource && sourceLine === lastLine)) continue;
      pieces.push(line, column, source, sourceLine + 1);
      [lastSource, lastLine] = [source, sourceLine];
    }
  });
  return { sources, pieces };
}
