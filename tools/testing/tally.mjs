// What passed, what failed, what was left out.
import { readFileSync } from 'node:fs';
import { say } from '../console/steps.mjs';

export function newTally() {
  const tally = { passed: 0, failed: 0, skipped: [], failures: [] };
  return {
    ...tally,
    count(ok, title) {
      if (ok) this.passed++;
      else {
        this.failed++;
        this.failures.push(title);
      }
    },
    skip(what) {
      this.skipped.push(what);
    },
    /** Adds jest's own count; a file that could not even be loaded counts as one failure. */
    addJest(file, label) {
      const result = JSON.parse(readFileSync(file, 'utf8'));
      this.passed += result.numPassedTests;
      this.failed += result.numFailedTests + result.numRuntimeErrorTestSuites;
      for (const suite of result.testResults) {
        if (suite.status === 'failed' && suite.assertionResults.length === 0) this.failures.push(`${label}: ${suite.name}`);
        for (const test of suite.assertionResults) {
          if (test.status === 'failed') this.failures.push(`${label}: ${test.fullName}`);
          if (['pending', 'skipped', 'todo', 'disabled'].includes(test.status)) this.skip(`${label}: ${test.fullName}`);
        }
      }
    },
    conclude() {
      if (this.skipped.length > 0) say(`\nSkipped:\n${this.skipped.map((what) => `  - ${what}`).join('\n')}`);
      if (this.failures.length > 0) say(`\nFailed:\n${this.failures.map((what) => `  - ${what}`).join('\n')}`);
      say(`\n${this.passed} passed, ${this.failed} failed`);
      return this.failed === 0;
    },
  };
}
