// A reporter that writes what became of each test file to RESULTS_FILE, with the project it ran in: the same file may run in several.
const { writeFileSync } = require('node:fs');

module.exports = class ResultsByProject {
  suites = [];

  onTestResult({ context }, { testFilePath, testExecError, numFailingTests, testResults }) {
    const status = testExecError || numFailingTests > 0 ? 'failed' : 'passed';
    const assertionResults = testResults.map(({ fullName, status: outcome }) => ({ fullName, status: outcome }));
    this.suites.push({ project: context.config.displayName.name, name: testFilePath, status, assertionResults });
  }

  onRunComplete() {
    writeFileSync(process.env.RESULTS_FILE, JSON.stringify(this.suites));
  }
};
