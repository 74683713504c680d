// What passed, what failed, what was left out.
import { say } from '../console/steps.mjs';

/** `isStrict`: what passes at the second attempt only is a failure. */
export function newTally({ isStrict = false } = {}) {
  const tally = { passed: 0, failed: 0, skipped: [], failures: [], unsteadies: [], files: new Set() };
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
    /** What failed beside others and passed alone: no failure, and nothing to be silent about. */
    unsteady(title) {
      this.unsteadies.push(title);
    },
    /** Adds the tests of a run; a file that could not even be loaded counts as one failure. */
    addJest({ code, suites }) {
      const failedBefore = this.failed;
      for (const suite of suites) {
        this.files.add(suite.name);
        if (suite.status === 'failed' && suite.assertionResults.length === 0) this.count(false, `${suite.project}: ${suite.name}`);
        for (const { status, fullName } of suite.assertionResults) {
          if (status === 'passed' || status === 'failed') this.count(status === 'passed', `${suite.project}: ${fullName}`);
          // A test that the file itself left out, for a server or a picture that is not on this machine: named at the end.
          else this.skip(`${suite.project}: ${fullName}`);
        }
      }
      // Jest may fail without a failed test: a hook that failed after the last one, a broken teardown.
      if (code !== 0 && this.failed === failedBefore) this.count(false, `jest ended with code ${code}`);
    },
    /** Counts a failure for each pattern that no test file of the run matches: a name that was mistyped must not look like a success. */
    expect(patterns) {
      for (const pattern of patterns) {
        const matches = new RegExp(pattern, 'i');
        if (![...this.files].some((file) => matches.test(file))) this.count(false, `no test file matches ${pattern}`);
      }
    },
    conclude() {
      if (isStrict) for (const title of this.unsteadies.splice(0)) this.count(false, `${title} (passed at the second attempt only)`);
      if (this.skipped.length > 0) say(`\nSkipped:\n${this.skipped.map((what) => `  - ${what}`).join('\n')}`);
      if (this.unsteadies.length > 0)
        say(`\nPassed only on their own, at the second attempt:\n${this.unsteadies.map((what) => `  - ${what}`).join('\n')}`);
      if (this.failures.length > 0) say(`\nFailed:\n${this.failures.map((what) => `  - ${what}`).join('\n')}`);
      say(`\n${this.passed} passed, ${this.failed} failed`);
      return this.failed === 0;
    },
  };
}
