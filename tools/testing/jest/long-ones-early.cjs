// In which order test files begin: the long ones first, so that none of them runs alone at the end. How long a file takes stands in
// test/durations.json (tools/testing/durations.mjs). What can wait comes last of all.
const { existsSync, readFileSync } = require('node:fs');
const { join, relative, resolve } = require('node:path');
const Sequencer = require('@jest/test-sequencer').default;
const { canWait } = require('./what-can-wait.cjs');

const ROOT = resolve(__dirname, '../../..');
const KNOWN = join(ROOT, 'test/durations.json');
/** Of a file that is not named: it is new, or short. */
const USUAL_SECONDS = 3;

module.exports = class LongOnesEarly extends Sequencer {
  sort(tests) {
    const durations = existsSync(KNOWN) ? JSON.parse(readFileSync(KNOWN, 'utf8')) : {};
    const place = ({ path, context }) => {
      const project = context.config.displayName?.name;
      return { waits: canWait(project, path), seconds: durations[project]?.[relative(ROOT, path)] ?? USUAL_SECONDS };
    };
    return [...tests]
      .map((test) => ({ test, ...place(test) }))
      .sort((a, b) => Number(a.waits) - Number(b.waits) || b.seconds - a.seconds)
      .map(({ test }) => test);
  }
};
