// The worker's own realm as the environment of a test file; what the file changes of the process is put back after it.
const { TestEnvironment } = require('jest-environment-node');
const { createRequire } = require('node:module');

const beside = createRequire(require.resolve('jest-environment-node'));
const { ModernFakeTimers } = beside('@jest/fake-timers');
const { ModuleMocker } = beside('jest-mock');

/** Processes that a test file has started (`ofThisFile` of the room of testing) and that still run. */
const CHILDREN = Symbol.for('atrium.test.children');

const endLeftovers = () => {
  for (const child of globalThis[CHILDREN] ?? []) child.kill('SIGKILL');
};
process.once('exit', endLeftovers);

const TEST_TIMEOUT = Symbol.for('TEST_TIMEOUT_SYMBOL');

module.exports = class SharedEnvironment extends TestEnvironment {
  constructor(config, context) {
    super(config, context);
    this.before = { exit: process.exit, environment: { ...process.env } };
    const { variables } = config.projectConfig.testEnvironmentOptions;
    for (const [name, value] of Object.entries(variables)) if (value !== undefined) process.env[name] = value;
    this.global = globalThis;
    this.moduleMocker = new ModuleMocker(globalThis);
    this.fakeTimersModern = new ModernFakeTimers({ config: config.projectConfig, global: globalThis });
  }

  async teardown() {
    endLeftovers();
    process.exit = this.before.exit;
    for (const name of Object.keys(process.env)) if (!(name in this.before.environment)) delete process.env[name];
    Object.assign(process.env, this.before.environment);
    delete globalThis[TEST_TIMEOUT];
    delete globalThis.jest;
    await super.teardown();
  }
};
