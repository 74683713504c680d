// Jest's own runner for a test file that begins in time; one that does not is a test that was left out. What the file takes of the
// processor is added to its result: on a busy machine its duration says little.
const { createRequire } = require('node:module');
const { relative } = require('node:path');
const { default: runWithCircus } = require('jest-circus/runner');
const { canWait, isOver } = require('./what-can-wait.cjs');

const beside = createRequire(require.resolve('jest-circus/runner'));
const { createEmptyTestResult } = beside('@jest/test-result');

module.exports = async (globalConfig, config, environment, runtime, path, ...rest) =>
  canWait(config.displayName?.name, path) && isOver()
    ? leftOut(relative(config.rootDir, path), path)
    : metered(() => runWithCircus(globalConfig, config, environment, runtime, path, ...rest));

async function metered(run) {
  const before = process.cpuUsage();
  const result = await run();
  const { user, system } = process.cpuUsage(before);
  return { ...result, processorSeconds: (user + system) / 1_000_000 };
}

function leftOut(title, path) {
  const test = { ancestorTitles: [], failureDetails: [], failureMessages: [], fullName: `${title}: the time of this run was over` };
  return {
    ...createEmptyTestResult(),
    testFilePath: path,
    numPendingTests: 1,
    testResults: [{ ...test, title, status: 'pending', numPassingAsserts: 0 }],
  };
}
