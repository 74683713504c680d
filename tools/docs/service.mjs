// The composed service as its documents describe it: built, not listening, without a database.
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { projectRoot } from '../project.mjs';

const require = createRequire(import.meta.url);
const built = (path) => require(join(projectRoot, 'dist', path));

/** Later requires of the module get these exports: those of a compiled module cannot be assigned. */
function replace(path, exported) {
  built(path);
  require.cache[require.resolve(join(projectRoot, 'dist', path))].exports = exported;
}

/** Settings without influence on the documents; nothing is requested at these addresses. */
const SETTINGS = {
  NODE_ENV: 'test',
  LOG_LEVEL: 'silent',
  DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none',
  MASTER_KEY: Buffer.alloc(32).toString('base64'),
  REDIS_URL: '',
  S3_ENDPOINT: '',
};

/** `{ 'docs/routes.md', 'docs/openapi.json' }` as texts. */
export async function serviceDocuments() {
  Object.assign(process.env, SETTINGS);
  // Providers are made, connections are not.
  require('typeorm').DataSource.prototype.initialize = function initialize() {
    return Promise.resolve(this);
  };
  replace('libs/platform/database/src/isolation.js', {
    ...built('libs/platform/database/src/isolation.js'),
    inspectIsolation: () => Promise.resolve([]),
  });
  const { buildOpenApi, createApi } = built('libs/platform/http/src/index.js');
  const { RoutePolicies, routeTable } = built('libs/platform/access/src/index.js');
  const { ApiModule } = built('apps/api/src/api.module.js');
  const app = await createApi(ApiModule);
  return {
    'docs/routes.md': routeTable(app.get(RoutePolicies, { strict: false }).listRoutes()),
    'docs/openapi.json': `${JSON.stringify(sorted(buildOpenApi(app, 'http://localhost:3000')), null, 2)}\n`,
  };
}

/** Paths and schemas by name, so that the order of modules changes nothing. */
function sorted(document) {
  const components = { ...document.components, schemas: byName(document.components?.schemas) };
  return { ...document, paths: byName(document.paths), components };
}

const byName = (entries = {}) => Object.fromEntries(Object.entries(entries).sort(([a], [b]) => (a < b ? -1 : 1)));
