// TypeScript to the CommonJS of dist/: every file alone, by swc. Types are another matter: `npm test -- types`.
import { transform } from '@swc/core';
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { projectRoot } from '../project.mjs';
import { withHandlerComments } from './handler-comments.mjs';

const FOLDERS = ['apps', 'libs'];
const HELD_BACK = /\.(?:spec|d)\.ts$/;

const OPTIONS = {
  swcrc: false,
  configFile: false,
  sourceMaps: true,
  inlineSourcesContent: false,
  jsc: {
    parser: { syntax: 'typescript', decorators: true },
    transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: false },
    target: 'es2023',
    externalHelpers: true,
    // A running host keeps the text of its modules in memory: what is never executed stays out of it.
    minify: { compress: false, mangle: false, format: { comments: false } },
  },
  // What is loaded when needed may be an ES module.
  module: { type: 'commonjs', ignoreDynamic: true },
};

/** Compiles all sources into `<root>/dist`; nothing is written when one of them cannot be read. Outputs of deleted sources are removed. */
export async function compile(root = projectRoot) {
  const dist = join(root, 'dist');
  const results = await Promise.allSettled(sourcesOf(root).map((source) => compiled(root, source)));
  const faults = results.filter(({ status }) => status === 'rejected').map(({ reason }) => reason.message);
  if (faults.length > 0) throw new Error(faults.join('\n'));

  const outputs = new Map(results.flatMap(({ value }) => value).map(([file, text]) => [join(dist, file), text]));
  for (const folder of FOLDERS) for (const file of filesBelow(join(dist, folder))) if (!outputs.has(file)) rmSync(file);
  for (const folder of new Set([...outputs.keys()].map((file) => dirname(file)))) mkdirSync(folder, { recursive: true });
  for (const [file, text] of outputs) writeFileSync(file, text);
}

const sourcesOf = (root) =>
  FOLDERS.flatMap((folder) => filesBelow(join(root, folder)))
    .filter((file) => file.endsWith('.ts') && !HELD_BACK.test(file))
    .map((file) => relative(root, file));

/** The module and its source map: `[file, text]` each. */
async function compiled(root, source) {
  const output = source.replace(/\.ts$/, '.js');
  const text = withHandlerComments(source, readFileSync(join(root, source), 'utf8'));
  const sourceFileName = relative(dirname(join(root, 'dist', output)), join(root, source));
  const { code, map } = await transform(text, { ...OPTIONS, filename: join(root, source), sourceFileName });
  const name = output.slice(output.lastIndexOf('/') + 1);
  return [
    [output, `${withRelativeRequires(output, code)}//# sourceMappingURL=${name}.map\n`],
    [`${output}.map`, map],
  ];
}

/** `@atrium/files` and `@atrium/platform/kernel` are names of folders; Node finds them by their path from here. */
const withRelativeRequires = (output, code) =>
  code.replace(/\brequire\("@atrium\/([^"]+)"\)/g, (_, name) => `require("${relative(dirname(output), `libs/${name}/src/index.js`)}")`);

const filesBelow = (folder) =>
  existsSync(folder)
    ? readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name))
    : [];
