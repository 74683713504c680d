// A reporter that writes what became of each test file to RESULTS_FILE, with the project it ran in: the same file may run in several.
const { writeFileSync } = require('node:fs');

module.exports = class ResultsByProject {
  suites = [];

  onTestResult({ context }, { testFilePath, testExecError, numFailingTests, testResults, perfStats, processorSeconds = 0 }) {
    const status = testExecError || numFailingTests > 0 ? 'failed' : 'passed';
    const assertionResults = testResults.map(({ fullName, status: outcome }) => ({ fullName, status: outcome }));
    const seconds = (perfStats.end - perfStats.start) / 1_000;
    this.suites.push({ project: context.config.displayName.name, name: testFilePath, status, seconds, processorSeconds, assertionResults });
  }

  onRunComplete() {
    writeFileSync(process.env.RESULTS_FILE, JSON.stringify(this.suites));
  }
};
