// Lets a child process of a spec run the sources as they are: swc for .ts files, `@atrium/…` to the rooms.
const { existsSync, readFileSync } = require('node:fs');
const Module = require('node:module');
const { join } = require('node:path');
const { transformSync } = require('@swc/core');

const ROOT = join(__dirname, '../..');
const resolve = Module._resolveFilename;

Module._resolveFilename = function resolveRoom(request, ...rest) {
  const platform = /^@atrium\/platform\/(.+)$/.exec(request);
  if (platform) return resolve.call(this, join(ROOT, 'libs/platform', platform[1], 'src/index.ts'), ...rest);
  const context = /^@atrium\/([^/]+)$/.exec(request);
  if (context && existsSync(join(ROOT, 'libs', context[1])))
    return resolve.call(this, join(ROOT, 'libs', context[1], 'src/index.ts'), ...rest);
  return resolve.call(this, request, ...rest);
};

Module._extensions['.ts'] = (module, filename) => {
  // Files of ours that are imported later are required: the .js they are named by comes with the build alone.
  const source = readFileSync(filename, 'utf8').replace(/import\('(\.[^']+)\.js'\)/g, "Promise.resolve().then(() => require('$1'))");
  const { code } = transformSync(source, {
    filename,
    jsc: {
      parser: { syntax: 'typescript', decorators: true },
      transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: false },
      target: 'es2022',
    },
    module: { type: 'commonjs', ignoreDynamic: true },
  });
  module._compile(code, filename);
};
